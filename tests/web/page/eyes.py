"""What an eye finds on a page: every text of the document and of what a screen reader is told, and the pixels of the panel.

What it may find there is taken from the rules alone: from the journal that the table writes, and from the views that the game
gives of the state in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from underboard.engine.base.i18n import find_words
from underboard.engine.gamekit.game import Seat
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_presentation
from underboard.engine.journal.database import read_game
from underboard.engine.journal.history import resume
from underboard.engine.referee.state import TableState

TEXTS = """
    const log = document.getElementById("log");
    const found = [document.title];
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (log.contains(node) || node.closest?.("style, script")) continue;
      if (node.nodeType === Node.TEXT_NODE) found.push((node.parentElement.closest(".card") ? "card " : "") + node.data.trim());
      else for (const { name, value } of node.attributes) if (!["class", "style"].includes(name)) found.push(`${name}=${value}`);
    }
    return [found.filter(Boolean), [...log.children].map((item) => item.innerText)];
"""
PIXELS = """
    const copy = new OffscreenCanvas(128, 64).getContext("2d", { willReadFrequently: true });
    copy.imageSmoothingEnabled = false;
    copy.drawImage(document.getElementById("display"), 0, 0, 128, 64);
    const { data } = copy.getImageData(0, 0, 128, 64);
    return Array.from({ length: 64 * 128 }, (_, i) => (data[4 * i + 2] > 128 ? 1 : 0)).join("");
"""
PARTS_OF_TEXTS = ("InlineTextBox", "ListMarker")
"""Nodes of the accessibility tree that repeat what others say."""

NAMED: Mapping[str, str] = {
    "hack_trick": r"(?:\bcard |\bdata-card=|\bplay |\bstart |\binfect |\d\+)(\d)\b",
    "makao": r"\b((?:hearts|leaves|bells|acorns) (?:VII|VIII|IX|X|under|over|king|ace)\b|(?<=\bdata-card=)\w+)",
    "sequence_numbers": r"(?<![\d:+-])(\d+[+-]\d+)(?![\d:])",
    "spy": r"(?:\bcard |data-card=)\[?([STB]\d)",
}
"""How a game's cards are named in English where somebody holds them, or can play them."""


class Texts(NamedTuple):
    """The texts of a page without its log, those that a screen reader is told, the log."""

    shown: Sequence[str]
    told: Sequence[str]
    log: Sequence[str]


def texts_of(driver: Any) -> Texts:
    """Every text node and attribute of the document that is shown, and every name in its accessibility tree."""
    shown, log = driver.execute_script(TEXTS)
    nodes = driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    told = [
        str(node[part]["value"])
        for node in nodes
        if not node["ignored"] and node["role"]["value"] not in PARTS_OF_TEXTS
        for part in ("name", "description", "value")
        if node.get(part, {}).get("value")
    ]
    return Texts(shown, [text for text in told if text not in log], log)


def pixels_of(driver: Any) -> str:
    """The panel as it is drawn, a digit a pixel."""
    return str(driver.execute_script(PIXELS))


@dataclass(frozen=True, slots=True)
class Truth:
    """The game as the journal has it."""

    table: TableState
    actions: Sequence[str]

    @property
    def game_id(self) -> str:
        """Which game it is."""
        return self.table.setup.game.id

    @property
    def deck(self) -> Sequence[str]:
        """All cards of the game."""
        return tuple(map(str, self.table.setup.game.deck(Options(dict(self.table.setup.options)))))

    def view(self, seat: Seat | None) -> Mapping[str, Any]:
        """What the rules show to a seat, or to whoever has none."""
        game = self.table.setup.game
        return game.public_view(self.table.state) if seat is None else game.view(self.table.state, seat)

    def fans(self, seat: Seat | None) -> Mapping[Seat, Counter[str]]:
        """The cards of all as a seat may see them, "" for a back."""
        view = self.view(seat)
        if self.game_id == "spy":
            return {each: Counter("" if card == "?" else self.called(card) for card in base) for each, base in view["bases"].items()}
        hands = view["hands"].items()
        return {each: Counter({"": hand}) if isinstance(hand, int) else Counter(map(self.called, hand)) for each, hand in hands}

    def called(self, card: object) -> str:
        """A card as the page names it."""
        return find_presentation(self.game_id).card(str(card), find_words("en"))

    def may_be_named(self, seat: Seat | None) -> set[str]:
        """The cards of a seat and those that lie open."""
        view = self.view(seat)
        lying = [view.get("top"), *(pile[-1] for pile in view.get("discards", {}).values() if pile)]
        held = {card for fan in self.fans(seat).values() for card in fan}
        return (held | {self.called(card) for card in lying if card}) - {""}

    def played(self) -> set[str]:
        """The cards that everybody has seen: all in actions but those that were drawn."""
        words = [word for action in self.actions if not action.startswith("draw") for word in action.split()]
        cards = {card for word in words for card in (word, *word.split("+"))}
        return {self.called(card) for card in self.deck if card in cards}

    def named(self, texts: Iterable[str]) -> set[str]:
        """The cards that are named in texts."""
        found = {card for text in texts for card in re.findall(NAMED[self.game_id], text)}
        return {self.called(card) if card in self.deck else card for card in found}


def truth_of(journal: Path) -> Truth:
    """What has happened so far."""
    entries = read_game(journal)
    return Truth(resume(entries), [entry.action for entry in entries if entry.kind == "do"])
