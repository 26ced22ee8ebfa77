"""What is wrong at the table: a code for programs, cells, and words for players.

`ALERTS` has one row for each code. `find_alerts` finds which of them holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from underboard.engine.base.errors import Plural, Template, Text
from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.overlay import Site, Space
from underboard.engine.gamekit.panel import WIDTHS, Line, listed, shortened, wrapped


@dataclass(frozen=True, slots=True)
class AlertTexts:
    """What is said of one sort of alert, in English.

    `title` is a few words, `text` one or two sentences with `{wrong}` and `{where}`; "" where each alert has its own
    reason. `hints` are two lines of the panel: what to do, and what if that is not true. A Plural is for so many tokens, or
    sensors. `plays_on`: the game can be played meanwhile, so it takes the last line of the panel only.
    """

    title: str
    text: Template = ""
    hints: tuple[Template, Template] = ("", "")
    plays_on: bool = False


TAKE_OFF = Plural("Take it off.", "Take them off.")

ALERTS: Mapping[str, AlertTexts] = {
    "illegal": AlertTexts(N_("NOT ALLOWED")),
    "board_absent": AlertTexts(
        N_("NO BOARD"),
        N_("The board does not answer: check its cable. Until then OK says that a token is placed."),
        plays_on=True,
    ),
    "ambiguous": AlertTexts(
        N_("CANNOT TELL"),
        N_("The sensors cannot tell what stands on {wrong}: lift one of these tokens."),
        (N_("Lift one of these"), N_("tokens.")),
    ),
    "wrong_place": AlertTexts(
        N_("WRONG PLACE"),
        Plural(
            "The token on {wrong} is in the wrong place: it may go to {where}.",
            "The tokens on {wrong} are in the wrong place: they may go to {where}.",
        ),
        (Plural("Move the token.", "Move the tokens."), N_("Not true? Hold OK")),
    ),
    "missing": AlertTexts(
        N_("TOKEN MISSING"),
        Plural("A token is missing on {wrong}: put it back.", "Tokens are missing on {wrong}: put them back."),
        (Plural("Put it back.", "Put them back."), Plural("Is it there? Hold OK", "All there? Hold OK")),
    ),
    "extra": AlertTexts(
        N_("TOO MANY TOKENS"),
        Plural("There is one token too many on {wrong}: take it off.", "There are tokens too many on {wrong}: take them off."),
        (TAKE_OFF, N_("Not there? Hold OK")),
    ),
    "unknown_card": AlertTexts(N_("UNKNOWN CARD")),
    "wrong_card": AlertTexts(N_("WRONG CARD")),
    "not_saved": AlertTexts(N_("NOT SAVED"), plays_on=True),
    "faulty_cell": AlertTexts(
        N_("FAULTY SENSOR"),
        Plural(
            "The sensor of {wrong} is not trusted: the game goes on without it.",
            "The sensors of {wrong} are not trusted: the game goes on without them.",
        ),
        plays_on=True,
    ),
    "oled_absent": AlertTexts(N_("NO DISPLAY"), N_("The display does not answer: check its cable."), plays_on=True),
    "reader_absent": AlertTexts(
        N_("NO CARD READER"),
        N_("The card reader does not answer: check its cable. Until then a drawn card is chosen by key."),
        plays_on=True,
    ),
}
"""By code, the most urgent first."""

NOWHERE_TO_GO = AlertTexts(
    N_("WRONG PLACE"),
    Plural("No token may go to {wrong} now: take it off.", "No tokens may go to {wrong} now: take them off."),
    (TAKE_OFF, N_("Not there? Hold OK")),
)
"""For `wrong_place` where no place is right."""

TOO_EARLY = AlertTexts(N_("TOO EARLY"))
"""For `wrong_place` where something else has to be done first, which is its reason."""


NOT_ALLOWED = Text(N_("This is not allowed now."), {})
"""In place of a reason that may tell of a hand."""

SOME_OF_SEVERAL = AlertTexts(
    N_("TOO MANY TOKENS"),
    Plural(
        "There is one token too many on {wrong}: take one of them off.",
        "There are {count} tokens too many on {wrong}: take {count} of them off.",
    ),
    (Plural("Take one of them off.", "Take {count} of them off."), N_("Not there? Hold OK")),
)
"""For `extra` where any of several tokens can be the one too many."""


@dataclass(frozen=True, slots=True)
class RepairMove:
    """The next move that puts the board right: a token from one space to another, or onto the board (no `start`).

    `piece` are texts that say which token comes back, () if that is not known; `left` is how many moves there are with this one.
    """

    start: Space | None
    to: Space
    piece: tuple[str, ...] = ()
    left: int = 1


@dataclass(frozen=True, slots=True)
class Alert:
    """One thing that is wrong.

    `code` is a key of ALERTS. `cells` are the wrong spaces first, then `where` a token may go; `sites` is `where` as a player calls it.
    `tokens` is how many are too many or missing if those are not as many as the wrong spaces.

    `move` is what the panel asks for first where the board has to follow the game.
    """

    code: str
    wrong: tuple[Space, ...] = ()
    where: tuple[Space, ...] = ()
    sites: tuple[Site, ...] = ()
    reason: Text | None = None
    move: RepairMove | None = None
    tokens: int | None = None
    surplus: tuple[Space, ...] = ()
    """Every space with a token too many, if which of them is wrong, and where it may go, follows from the mover's hand."""

    @property
    def public(self) -> Alert:
        """What everybody may know of it."""
        if self.code == "illegal":
            return replace(self, reason=NOT_ALLOWED)
        return Alert("extra", self.surplus) if self.surplus else self

    @property
    def count(self) -> int:
        """How many tokens, or sensors, are wrong."""
        return len(self.wrong) if self.tokens is None else self.tokens

    @property
    def cells(self) -> tuple[Space, ...]:
        """All spaces concerned."""
        return self.wrong + self.where

    @property
    def texts(self) -> AlertTexts:
        """What is said of it."""
        if self.code == "wrong_place" and not self.where:
            return TOO_EARLY if self.reason else NOWHERE_TO_GO
        return SOME_OF_SEVERAL if self.code == "extra" and self.count < len(self.wrong) else ALERTS[self.code]

    def text(self, words: Words) -> str:
        """What is wrong and what to do about it, as one or two sentences."""
        if self.reason:
            return words.say(self.reason)
        return words(self.texts.text, count=self.count, wrong=" ".join(self.wrong), where=" ".join(self.sites))

    def _cells_text(self, width: int) -> str:
        """The wrong spaces and where their tokens may go, as far as there is room."""
        if self.move:
            return shortened(" → ".join(space for space in (self.move.start, self.move.to) if space), width)
        wrong = listed(self.wrong, width)
        where = listed(self.sites, width - len(f"{wrong} → "))
        return f"{wrong} → {where}" if where else wrong

    def lines(self, words: Words, restored: int) -> list[Line]:
        """The alert on the panel: a title, the spaces, what to do; `restored` is how many actions OK would take back."""
        title = Line(words(self.texts.title), align="center", inverted=True)
        if self.reason:
            reason = [Line(text) for text in wrapped(words.say(self.reason), WIDTHS["small"], 4)]
            return [title, *reason] if len(reason) < 4 else reason
        first, second = (words(hint, count=1 if self.move else self.count) for hint in self.texts.hints)
        if self.move:
            title = replace(title, text=" ".join([title.text, *[f"+{self.move.left - 1}"] * (self.move.left > 1)]))
            first = asked_for(first, " ".join(map(words, self.move.piece)))
        return [
            title,
            Line(self._cells_text(WIDTHS["medium"]), "medium", "center"),
            Line(first),
            Line(taking_back(restored, words) if restored else second),
        ]


def asked_for(hint: str, piece: str) -> str:
    """What to do and with which token, in one line; where there is no room for both the token, as the spaces say the rest."""
    both = f"{hint} {piece}".rstrip()
    return both if len(both) <= WIDTHS["small"] else shortened(piece or hint, WIDTHS["small"])


def taking_back(count: int, words: Words) -> str:
    """What OK does while the board shows a position that there was."""
    return words(Plural("OK: take it back", "OK: take {count} back"), count=count)
