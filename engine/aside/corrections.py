"""What a referee sets by hand: house disputes end here, and the record shows that it was a correction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.aside.panel import panel
from engine.deeds import correct_by_hand
from engine.errors import GameError, Text
from engine.page import find_page
from engine.table import Choice, Line
from engine.tabletop import Aside, Step, Table
from engine.words import N_, Words


@dataclass(frozen=True, slots=True)
class Correcting(Aside):
    """Which correction it is, word by word: "token", then "7", then "red"."""

    path: tuple[str, ...] = ()

    def menu(self, table: Table) -> tuple[Sequence[Choice], int]:
        return [Choice(word) for word in self.next_words(table)], 0

    def next_words(self, table: Table) -> Sequence[str]:
        """The words with which the path goes on."""
        here = len(self.path)
        names = (tuple(name.split()) for name in table.setup.table.corrections(table.state))
        return tuple(dict.fromkeys(name[here] for name in names if name[:here] == self.path and len(name) > here))

    def lines(self, table: Table, words: Words) -> Sequence[Line]:
        about = "".join(called(word, table, words) + " " * (not is_column(word)) for word in self.path).rstrip()
        return panel(words("CORRECTION"), about, called(table.selected or "", table, words), words("OK: choose"))

    def take(self, table: Table, choice: Choice) -> Step:
        further = Correcting((*self.path, choice.name))
        if further.next_words(table):
            return replace(table, aside=further), []
        try:
            return correct_by_hand(replace(table, aside=None), " ".join(further.path))
        except GameError as error:
            refusal = Text(N_("This cannot be set: {why}"), {"why": str(error)})
            return replace(table, aside=None, notice=refusal), []

    def leave(self, table: Table) -> Table:
        return replace(table, aside=Correcting(self.path[:-1]) if self.path else None)


def is_column(word: str) -> bool:
    """Whether a word is the letter of a cell, which its number follows without a blank: "c4"."""
    return len(word) == 1 and word.isalpha()


def called(word: str, table: Table, words: Words) -> str:
    """A word of a correction as players say it; columns and numbers stay what they are."""
    if word in WORDS:
        return words(WORDS[word])
    page = find_page(table.setup.game)
    people = {*table.setup.game.seats(table.state), *(piece.seat for piece in page.pieces(table.state))}
    return page.called(table.state, word, words) if word in people else word


WORDS = {
    "turn": N_("turn"),
    "score": N_("score"),
    "step": N_("step"),
    "token": N_("token"),
    "spy": N_("spy"),
    "off": N_("take one off"),
    "normal": N_("normal"),
    "giant": N_("giant"),
    "virus": N_("virus"),
    "zombie": N_("zombie"),
    "none": N_("no token"),
    "L": N_("left"),
    "R": N_("right"),
}
