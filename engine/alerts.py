"""What is wrong at the table, in a code for programs, in cells and in words for players.

An alert is derived from the table each time it is asked for, so it goes away by itself when its cause does.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.errors import Text
from engine.remedy import Move, next_move
from engine.table import WIDTHS, Line, Site, Space
from engine.words import N_, Words

if TYPE_CHECKING:
    from engine.tabletop import Table


@dataclass(frozen=True, slots=True)
class Alert:
    """`cells` are the wrong spaces first, then `where` a token may go; `sites` is `where` as a player calls it.

    `move` is what the panel asks for first where the board has to follow the game.
    """

    code: str
    wrong: tuple[Space, ...] = ()
    where: tuple[Space, ...] = ()
    sites: tuple[Site, ...] = ()
    reason: Text | None = None
    move: Move | None = None

    @property
    def cells(self) -> tuple[Space, ...]:
        """All spaces concerned."""
        return self.wrong + self.where

    def text(self, words: Words) -> str:
        """What is wrong and what to do about it, as one or two sentences."""
        if self.reason:
            return words.say(self.reason)
        return words(TEXTS[self._advice], wrong=" ".join(self.wrong), where=" ".join(self.sites))

    @property
    def title(self) -> str:
        """A few words, in English."""
        return TITLES[self.code]

    @property
    def _advice(self) -> str:
        """The key of what to do."""
        return "take_off" if self.code == "wrong_place" and not self.where else self.code

    def _cells_text(self, width: int) -> str:
        """The wrong spaces and where their tokens may go, as far as there is room."""
        if self.move:
            return shortened(" → ".join(space for space in (self.move.start, self.move.to) if space), width)
        wrong = listed(self.wrong, width)
        where = listed(self.sites, width - len(f"{wrong} → "))
        return f"{wrong} → {where}" if where else wrong

    def lines(self, words: Words, restored: int) -> list[Line]:
        """The alert on the panel: a title, the spaces, what to do; `restored` is how many actions OK would take back."""
        title = Line(words(self.title), align="center", inverted=True)
        if self.reason:
            reason = [Line(text) for text in wrapped(words.say(self.reason), WIDTHS["small"], 4)]
            return [title, *reason] if len(reason) < 4 else reason
        first, second = HINTS[self._advice]
        first = words(first)
        if self.move:
            title = replace(title, text=" ".join([title.text, *[f"+{self.move.left - 1}"] * (self.move.left > 1)]))
            first = asked_for(first, " ".join(map(words, self.move.piece)))
        return [
            title,
            Line(self._cells_text(WIDTHS["medium"]), "medium", "center"),
            Line(first),
            Line(taking_back(restored, words) if restored else words(second)),
        ]


def asked_for(hint: str, piece: str) -> str:
    """What to do and with which token, in one line; where there is no room for both the token, as the spaces say the rest."""
    both = f"{hint} {piece}".rstrip()
    return both if len(both) <= WIDTHS["small"] else shortened(piece or hint, WIDTHS["small"])


def taking_back(count: int, words: Words) -> str:
    """What OK does while the board shows a position that there was."""
    return words("OK: take it back") if count == 1 else words("OK: take {count} back", count=count)


TITLES = {
    "wrong_place": N_("WRONG PLACE"),
    "missing": N_("TOKEN MISSING"),
    "extra": N_("TOO MANY TOKENS"),
    "ambiguous": N_("CANNOT TELL"),
    "faulty_cell": N_("FAULTY SENSOR"),
    "board_absent": N_("NO BOARD"),
    "oled_absent": N_("NO DISPLAY"),
    "reader_absent": N_("NO CARD READER"),
    "unknown_card": N_("UNKNOWN CARD"),
    "wrong_card": N_("WRONG CARD"),
    "not_saved": N_("NOT SAVED"),
    "illegal": N_("NOT ALLOWED"),
}

TEXTS = {
    "wrong_place": N_("The token on {wrong} is in the wrong place: it may go to {where}."),
    "take_off": N_("No token may go to {wrong} now: take it off."),
    "missing": N_("A token is missing on {wrong}: put it back."),
    "extra": N_("There is one token too many on {wrong}: take it off."),
    "ambiguous": N_("The sensors cannot tell what stands on {wrong}: lift one of these tokens."),
    "faulty_cell": N_("The sensor of {wrong} is not trusted: the game goes on without it."),
    "board_absent": N_("The board does not answer: check its cable. Until then OK says that a token is placed."),
    "oled_absent": N_("The display does not answer: check its cable."),
    "reader_absent": N_("The card reader does not answer: check its cable. Until then a drawn card is chosen by key."),
}

HINTS = {
    "wrong_place": (N_("Move the token."), N_("Not true? Hold OK")),
    "take_off": (N_("Take it off."), N_("Not there? Hold OK")),
    "missing": (N_("Put it back."), N_("Is it there? Hold OK")),
    "extra": (N_("Take it off."), N_("Not there? Hold OK")),
    "ambiguous": (N_("Lift one of these"), N_("tokens.")),
}
"""What to do, in two lines of the panel; alerts with which one plays on have none."""


ABSENT = ("absent", "fault")
"""States of a device that is of no use."""


def find_alert(table: Table) -> Alert | None:
    """The most urgent thing that is wrong."""
    if table.notice:
        return Alert("illegal", reason=table.notice)
    if table.devices.get("board") in ABSENT:
        return Alert("board_absent")
    if table.on_board and table.ambiguous:
        return Alert("ambiguous", tuple(sorted(table.ambiguous)))
    if table.wrong:
        return board_alert(table)
    if table.odd_card:
        return table.odd_card
    if table.unsaved:
        return Alert("not_saved", reason=table.unsaved)
    if table.on_board and (distrusted := table.faulty | table.masked):
        return Alert("faulty_cell", tuple(sorted(distrusted)))
    needed = ("oled", *(["reader"] if table.setup.dealer == "reader" else ()))
    absent = (device for device in needed if table.devices.get(device) in ABSENT)
    return next((Alert(f"{device}_absent") for device in absent), None)


def board_alert(table: Table) -> Alert:
    """What is wrong with the tokens."""
    surplus, gone = surplus_and_gone(table)
    site = table.setup.table.site
    if table.own_doing and not table.chosen:
        if not gone:
            return Alert("extra", surplus)
        move = next_move(table, surplus, gone)
        if not surplus:
            return Alert("missing", gone, move=move)
        return Alert("wrong_place", surplus, gone, tuple(dict.fromkeys(map(site, gone))), move=move)
    if not surplus:
        return Alert("missing", gone)
    targets = tuple(dict.fromkeys(name for action in pending(table) for name in table.changes[action].puts))
    misplaced = tuple(space for space in surplus if site(space) not in targets)
    if not misplaced and not gone:
        return Alert("extra", surplus)
    sensed = table.board.sensed
    where = gone or tuple(space for name in targets for space in sorted(table.sites.get(name, ())) if space not in sensed)
    return Alert("wrong_place", misplaced or surplus, where, tuple(dict.fromkeys(map(site, where))))


def pending(table: Table) -> Sequence[str]:
    """The actions whose tokens may be put down now."""
    return table.chosen or tuple(table.changes)


def surplus_and_gone(table: Table) -> tuple[tuple[Space, ...], tuple[Space, ...]]:
    """Spaces with a token too many and spaces that lack theirs, sorted."""
    surplus: set[Space] = set()
    gone: set[Space] = set()
    for difference in table.board.different().values():
        if len(difference.does) > len(difference.should):
            surplus |= (difference.does - difference.should) or difference.does
        else:
            gone |= difference.should - difference.does
    return tuple(sorted(surplus)), tuple(sorted(gone))


def listed(names: Sequence[str], width: int) -> str:
    """As many of the names as there is room for, and how many more there are: "a1 b2 +7"; "" if there is no room at all."""
    for shown in range(len(names), -1, -1):
        more = [f"+{len(names) - shown}"] if shown < len(names) else []
        text = " ".join([*names[:shown], *more])
        if len(text) <= width:
            return text
    return ""


def shortened(text: str, width: int) -> str:
    """The text, cut with an ellipsis if it is longer than `width`."""
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def wrapped(text: str, width: int, most: int) -> list[str]:
    """The text in at most `most` lines."""
    return textwrap.wrap(text, width, max_lines=most, placeholder="…")
