"""Sequence Numbers on the panel: 21 small, 14 medium or 12 large characters a line.

Whose turn and the sequences on top; what is selected in the largest type, with its spaces; while a chip is awaited the
number and its spaces in the largest type; then who owes a draw, or the last card and the stock.
"""

from __future__ import annotations

from collections.abc import Sequence

from underboard.engine.base.errors import Plural
from underboard.engine.base.i18n import Words
from underboard.engine.gamekit.panel import WIDTHS, Line, heading, largest, shortened
from underboard.engine.gamekit.table import PublicSituation, Situation
from underboard.engine.games.sequence_numbers.captions import (
    SEAT_NAMES,
    SIDE_NAMES,
    SIGN_TARGETS,
    caption,
    card_and_cell,
    card_text,
    free_cells,
    player,
)
from underboard.engine.games.sequence_numbers.plays import PLAY, number_of
from underboard.engine.games.sequence_numbers.state import SIGNS, Made, State, count_of, turn_of, winner


def screen(situation: Situation, words: Words) -> Sequence[Line]:
    """The panel while nothing is wrong."""
    state: State = situation.state
    if state.phase == "over":
        return result_lines(situation, words)
    if situation.awaited:
        lines = awaiting_lines(situation, situation.awaited, words)
    elif situation.asked:
        lines = asking_lines(state, situation.selected or "", words)
    else:
        lines = choosing_lines(situation, words)
    return [top_line(state, words), *lines]


def public_screen(situation: PublicSituation, words: Words) -> list[Line]:
    """The panel while the mover's hand is covered: the sequences, the chips to turn over or the card just laid, what is news."""
    state: State = situation.state
    if cells := announced(situation):
        return [top_line(state, words), largest(" ".join(cells), "medium"), Line(words("turn these chips over"), align="center")]
    return [top_line(state, words), largest(last_card(state) if state.phase == "draw" else "", "medium"), status_line(situation, words)]


def top_line(state: State, words: Words) -> Line:
    """Whose turn; the sequences of each side in the order of the sides, and how many are needed. [15]"""
    left = player(state, state.mover, words)
    widest = max(len(player(state, seat, words)) for seat in range(state.setup.players))
    counts = {"score": score(state), "needed": state.setup.needed}
    right = words("seq {score} of {needed}", **counts)
    if widest + len(right) >= WIDTHS["small"]:
        right = words("{score} of {needed}", **counts)
    return heading(left, right)


def score(state: State) -> str:
    """The sequences of all sides."""
    return ":".join(str(count_of(state, side)) for side in range(state.setup.sides))


def choosing_lines(situation: Situation, words: Words) -> list[Line]:
    """What is selected and its spaces; after a sequence the chips to turn over. [14]"""
    state: State = situation.state
    said = caption(state, situation.selected, words) if situation.selected else None
    title = largest(f"‹{said.title}›" if said else "–")
    if cells := announced(situation):
        return [title, largest(" ".join(cells), "medium"), Line(words("turn these chips over"), align="center")]
    played = last_card(state) if state.phase == "draw" else ""
    return [title, largest((said.detail if said else "") or played, "medium"), status_line(situation, words)]


def awaiting_lines(situation: Situation, action: str, words: Words) -> list[Line]:
    """The card, then the number to cover and its free spaces in the largest type; blind the one space that OK confirms."""
    state: State = situation.state
    card, cell = card_and_cell(state, action.split()[1:])
    if situation.blind:
        title, target = card_text(card), f"‹{cell}›"
    elif card in SIGNS:
        title, target = card_text(card), words(SIGN_TARGETS[card])
    elif state.setup.hidden:
        title, target = caption(state, PLAY, words)
    else:
        title, target = card_text(card), f"{number_of(card)} → {' '.join(free_cells(state, card))}"
    return [largest(title, "medium"), largest(target), status_line(situation, words)]


def asking_lines(state: State, name: str, words: Words) -> list[Line]:
    """The board shows a chip put down or lifted, and nobody said by which card."""
    said = caption(state, name, words)
    return [largest(f"‹{said.title}›"), largest(said.detail, "medium"), Line(words("OK: yes  ›: other"), align="center")]


def announced(situation: PublicSituation) -> list[str]:
    """The chips of the sequence that the last action made; a corner has none. [4, 14]"""
    corners = situation.state.setup.layout.corners
    return [cell for said in situation.said if said["say"] == "sequence" for cell in said["cells"] if cell not in corners]


def status_line(situation: PublicSituation, words: Words) -> Line:
    """What is news, else who owes a draw or has talked, else the last card and the stock."""
    state: State = situation.state
    text = news(situation, words) or owing(state, words) or talked(state, words) or cards_text(state, words)
    return Line(shortened(text, WIDTHS["small"]), align="center")


def news(situation: PublicSituation, words: Words) -> str:
    """A draw that was lost, or a new stock. [11, 12]"""
    for said in situation.said:
        if said["say"] == "lost_draw":
            return words("{seat} lost the draw", seat=SEAT_NAMES.of(said["seat"], words))
        if said["say"] == "reshuffle":
            return words("reshuffled")
    return ""


def owing(state: State, words: Words) -> str:
    """Who has still to draw: after a play, and late. [11]"""
    owing = [state.owes, state.mover if state.phase == "draw" else None]
    seats = [SEAT_NAMES.at(seat, words) for seat in owing if seat is not None]
    return words(Plural("owes a draw: {seats}", "owes a draw: {seats}"), count=len(seats), seats=" ".join(seats)) if seats else ""


def talked(state: State, words: Words) -> str:
    """Which side has to discard. [13]"""
    return words("{side} talked", side=SIDE_NAMES.at(state.setup.side(state.mover), words)) if state.phase == "discard" else ""


def cards_text(state: State, words: Words) -> str:
    """The card that the seat before has laid last, and the stock."""
    pile = state.discards[(turn_of(state) - 1) % state.setup.players]
    stock = words("stock {count}", count=len(state.stock))
    if not pile:
        return stock
    last = words("last {card}", card=pile[-1].removeprefix("="))
    return next((text for text in (f"{last}  {stock}", f"{last} {stock}") if len(text) <= WIDTHS["small"]), last)


def last_card(state: State) -> str:
    """The card that the mover has just laid; none if it has gone into the stock at once. [12]"""
    pile = state.discards[state.mover]
    return card_text(pile[-1]) if pile else ""


def result_lines(situation: Situation, words: Words) -> list[Line]:
    """Who has won with which sequences, or that nobody has. [18, 19]"""
    state: State = situation.state
    side = winner(state)
    said = caption(state, situation.selected, words) if situation.selected else None
    title = words("nobody wins") if side is None else words("{seat} wins", seat=SIDE_NAMES.at(side, words))
    chips = words("no plays left") if side is None else sequences_text([made for made in state.sequences if made.side == side])
    return [
        largest(title),
        largest(chips, "medium"),
        Line(words("sequences {score}", score=score(state)), align="center"),
        Line(words("OK: {choice}", choice=said.title) if said else "", align="center"),
    ]


def sequences_text(sequences: Sequence[Made]) -> str:
    """Sequences from end to end: "c3-g3"."""
    return " ".join(f"{made.window.cells[0]}-{made.window.cells[-1]}" for made in sequences)
