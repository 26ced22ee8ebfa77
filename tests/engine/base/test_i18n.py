"""The catalogues: every text of the sources is in each of them, translated, with its placeholders; nothing else is."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.frontend import CommandLineInterface
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po

from underboard.engine.base.errors import BadArgument, GameError, IllegalAction, Plural, Template, Text
from underboard.engine.base.i18n import LANGUAGES, N_, Words, find_words

ROOT = Path(__file__).parents[3]
TRANSLATED = [language for language in LANGUAGES if language != "en"]

in_every_language = pytest.mark.parametrize("language", TRANSLATED)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> set[Template]:
    """The texts that translators' tools find."""
    template = tmp_path_factory.mktemp("texts") / "underboard.pot"
    command = ["pybabel", "-q", "extract", "-F", str(ROOT / "babel.toml"), "-o", str(template), str(ROOT / "engine")]
    CommandLineInterface().run(command)  # type: ignore[no-untyped-call]
    with template.open("rb") as file:
        return {template_of(message) for message in read_po(file) if message.id}


def template_of(message: Message) -> Template:
    """The English text, with both forms if it has two."""
    return message.id if isinstance(message.id, str) else Plural(*message.id)


def catalogue(language: str) -> Catalog:
    """A catalogue as translators write it."""
    with (ROOT / "engine" / "locale" / language / "LC_MESSAGES" / "underboard.po").open("rb") as file:
        return read_po(file, locale=language)


def forms(text: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    """All forms of a text, one if it has no plural."""
    return (text,) if isinstance(text, str) else tuple(text or ())


def translations(language: str) -> dict[Template, tuple[str, ...]]:
    """Its texts, English to translated, in all forms."""
    return {template_of(message): forms(message.string) for message in catalogue(language) if message.id}


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@in_every_language
def test_catalogues_have_the_texts_of_the_sources_and_no_others(language: str, sources: set[Template]) -> None:
    texts = translations(language).keys()
    assert sources - texts == set(), "missing: see babel.toml for how to add them"
    assert texts - sources == set(), "no longer in the sources"
    assert not catalogue(language).obsolete


@in_every_language
def test_every_text_is_translated(language: str) -> None:
    texts = [message for message in catalogue(language) if message.id]
    assert [message.id for message in texts if message.fuzzy or not all(forms(message.string))] == []


@in_every_language
def test_plurals_have_the_forms_of_the_language(language: str) -> None:
    rule = get_plural(language)
    assert catalogue(language).plural_forms == rule.plural_forms
    assert {len(others) for en, others in translations(language).items() if isinstance(en, Plural)} == {rule.num_plurals}


@in_every_language
def test_translations_have_the_same_placeholders(language: str) -> None:
    """One thing need not be counted; several are counted in every language in which they are in English."""
    wrong = []
    for en, others in translations(language).items():
        needed = placeholders(forms(en)[-1])
        optional = {"count"} if isinstance(en, Plural) and "{count}" not in en.one else set()
        if placeholders(others[-1]) != needed or not needed - optional <= placeholders(others[0]) <= needed:
            wrong.append(en)
    assert not wrong


@in_every_language
def test_the_compiled_catalogue_is_the_written_one(language: str) -> None:
    words = find_words(language)
    stale = [en for en, others in translations(language).items() if compiled(words, en) != others]
    assert not stale, "compile them: pip install -e ."


def compiled(words: Words, en: Template) -> tuple[str, ...]:
    """A text without values, in all forms: every one of our languages has one for 1 and one for more."""
    if isinstance(en, str):
        return (words(en),)
    names = {name: f"{{{name}}}" for name in placeholders(en.many) | placeholders(en.one)}
    return tuple(words(en, **{**names, "count": count}).replace(str(count), "{count}") for count in (1, 2002))


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ["0 cells accessible", "1 cell accessible", "2 cells accessible"]),
        ("hu", ["0 elérhető mező", "1 elérhető mező", "2 elérhető mező"]),
        ("nl", ["0 velden bereikbaar", "1 veld bereikbaar", "2 velden bereikbaar"]),
        ("hy", ["0 հասանելի դաշտ", "1 հասանելի դաշտ", "2 հասանելի դաշտ"]),
    ],
)
def test_numbers_choose_the_form(language: str, texts: list[str]) -> None:
    cells = Plural("{count} cell accessible", "{count} cells accessible")
    assert [find_words(language)(cells, count=count) for count in range(3)] == texts


def test_armenian_has_the_singular_for_none_and_one() -> None:
    can_win = Plural("{seats} can win", "{seats} can win")
    assert [find_words("hy")(can_win, count=count, seats="Խ1") for count in range(3)] == ["Խ1 կարող է հաղթել"] * 2 + ["Խ1 կարող են հաղթել"]


def test_a_refusal_has_the_form_for_its_number() -> None:
    free = Plural("{card} has a free space at {cells}: it is not dead", "{card} has free spaces at {cells}: it is not dead")
    one, two = (IllegalAction(free, card="=7", cells=cells, count=len(cells)) for cells in (["c3"], ["c3", "d4"]))
    assert (str(one), str(two)) == ("=7 has a free space at ['c3']: it is not dead", "=7 has free spaces at ['c3', 'd4']: it is not dead")
    assert find_words("nl").say(two.reason).startswith("=7 heeft vrije velden")


def test_only_a_whole_number_has_a_form() -> None:
    with pytest.raises(TypeError, match=r"'\{count\} actions': count='2' is no whole number"):
        find_words("hu")(Plural("{count} action", "{count} actions"), count="2")


def test_english_needs_no_catalogue() -> None:
    assert find_words("en")("last {card}", card=4) == "last 4"


@pytest.fixture
def nothing_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installation without catalogues."""
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    find_words.cache_clear()
    yield
    find_words.cache_clear()


@pytest.mark.usefixtures("nothing_compiled")
def test_without_catalogues() -> None:
    assert find_words("en")("RED") == "RED"
    with pytest.raises(BadArgument, match=r"lang=hu: .*install the project again \(make\)"):
        find_words("hu")


def test_errors_keep_what_can_be_translated() -> None:
    error = IllegalAction("{card} may not follow {last}", card=3, last=3)
    assert str(error) == "3 may not follow 3"
    assert error.reason == Text("{card} may not follow {last}", {"card": 3, "last": 3})
    assert find_words("nl").say(error.reason) == "na 3 mag geen 3 komen"


def test_plain_errors_may_have_braces() -> None:
    assert str(GameError("'{x' is no action")) == "'{x' is no action"
    assert find_words("hu").say(GameError("'{x}' is no action").reason) == "'{x}' is no action"
    assert str(IllegalAction("'{action}' is none", action="{x}")) == "'{x}' is none"


def test_the_mark_changes_nothing() -> None:
    assert N_("text") == "text"
