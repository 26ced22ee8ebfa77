"""The glossaries of docs/words: a translation of a text with one of their English words has the word that they name, and no wrong one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from babel.messages.pofile import read_po

from underboard.engine.base.i18n import LANGUAGES

ROOT = Path(__file__).parents[1]
TRANSLATED = [language for language in LANGUAGES if language != "en"]

in_every_language = pytest.mark.parametrize("language", TRANSLATED)


class Term(NamedTuple):
    """A row of a glossary: one of the words must be there, none of those that are never used."""

    english: str
    words: list[str]
    never: list[str]
    why: str
    where: str


def cells(row: str) -> list[str]:
    """The cells of a row of a Markdown table."""
    return [cell.strip() for cell in row.strip("|\n").split("|")]


def glossary(language: str) -> list[Term]:
    """The rows of a glossary."""
    lines = (ROOT / "docs" / "words" / f"{language}.md").read_text(encoding="utf-8").splitlines()
    rows = [cells(line) for line in lines if line.startswith("|")][2:]
    return [Term(english, listed(words), listed(never), why, where) for english, words, never, why, where in rows]


def without(language: str) -> set[str]:
    """The English texts whose translations do without the word."""
    lines = (ROOT / "docs" / "words" / f"{language}.md").read_text(encoding="utf-8").splitlines()
    return {line.removeprefix("- `").removesuffix("`") for line in lines if line.startswith("- ")}


def listed(cell: str) -> list[str]:
    """The words of a cell."""
    return [word for word in cell.casefold().split(", ") if word]


def texts(language: str) -> list[tuple[str, str]]:
    """Each English text with its translation, for every form of a plural."""
    with (ROOT / "engine" / "locale" / language / "LC_MESSAGES" / "underboard.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    return [pair for message in catalogue if message.id for pair in zip(forms(message.id), forms(message.string), strict=True)]


def forms(text: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    """All forms of a text, one if it has no plural."""
    return (text,) if isinstance(text, str) else tuple(text or ())


def has(text: str, phrase: str) -> bool:
    """Whether the phrase stands in an English text, also in the plural; placeholders do not count."""
    return bool(re.search(rf"\b{re.escape(phrase)}s?\b", re.sub(r"\{\w+\}", "", text), re.IGNORECASE))


@in_every_language
def test_every_term_is_used_and_explained(language: str) -> None:
    terms = glossary(language)
    assert len({term.english for term in terms}) == len(terms) > 20
    assert [term.english for term in terms if not (term.where and (term.words or term.never))] == []
    assert [term.english for term in terms if term.words and not any(has(en, term.english) for en, _ in texts(language))] == []


@in_every_language
def test_translations_have_the_words_of_the_glossary(language: str) -> None:
    wrong = [
        f"{term.english}: {en!r} is {other!r}"
        for term in glossary(language)
        for en, other in texts(language)
        if has(en, term.english) and term.words and en not in without(language) and not any(word in other.casefold() for word in term.words)
    ]
    assert not wrong, "\n".join(wrong)


@in_every_language
def test_texts_without_the_word_are_texts(language: str) -> None:
    assert without(language) - {en for en, _ in texts(language)} == set()


@in_every_language
def test_translations_have_no_word_that_the_glossary_rules_out(language: str) -> None:
    wrong = [
        f"{term.english}: {en!r} is {other!r}"
        for term in glossary(language)
        for en, other in texts(language)
        if has(en, term.english)
        for word in term.never
        if re.search(rf"\b{re.escape(word)}", other.casefold())
    ]
    assert not wrong, "\n".join(wrong)
