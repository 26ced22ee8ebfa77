"""The catalogues: every text of the sources is in each of them, translated, with its placeholders; nothing else is."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po

from underboard.engine.base.errors import BadArgument, GameError, IllegalAction, Text
from underboard.engine.base.i18n import LANGUAGES, N_, find_words

ROOT = Path(__file__).parents[3]
TRANSLATED = [language for language in LANGUAGES if language != "en"]

in_every_language = pytest.mark.parametrize("language", TRANSLATED)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The texts that translators' tools find."""
    template = tmp_path_factory.mktemp("texts") / "underboard.pot"
    command = ["pybabel", "-q", "extract", "-F", str(ROOT / "babel.toml"), "-o", str(template), str(ROOT / "engine")]
    CommandLineInterface().run(command)  # type: ignore[no-untyped-call]
    with template.open("rb") as file:
        return {str(message.id) for message in read_po(file) if message.id}


def catalogue(language: str) -> Catalog:
    """A catalogue as translators write it."""
    with (ROOT / "engine" / "locale" / language / "LC_MESSAGES" / "underboard.po").open("rb") as file:
        return read_po(file, locale=language)


def translations(language: str) -> dict[str, str]:
    """Its texts, English to translated."""
    return {str(message.id): str(message.string) for message in catalogue(language) if message.id}


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@in_every_language
def test_catalogues_have_the_texts_of_the_sources_and_no_others(language: str, sources: set[str]) -> None:
    texts = translations(language).keys()
    assert sources - texts == set(), "missing: see babel.toml for how to add them"
    assert texts - sources == set(), "no longer in the sources"
    assert not catalogue(language).obsolete


@in_every_language
def test_every_text_is_translated(language: str) -> None:
    assert [message.id for message in catalogue(language) if message.id and (message.fuzzy or not message.string)] == []


@in_every_language
def test_translations_have_the_same_placeholders(language: str) -> None:
    assert [en for en, other in translations(language).items() if placeholders(en) != placeholders(other)] == []


@in_every_language
def test_the_compiled_catalogue_is_the_written_one(language: str) -> None:
    words = find_words(language)
    stale = [en for en, other in translations(language).items() if words(en) != other]
    assert not stale, "compile them: pip install -e ."


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
