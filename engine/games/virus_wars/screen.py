"""Virus Wars on the panel: 21 small, 14 medium or 12 large characters a line.

Whose turn on top, the step in the largest type; while a token is to be put down or exchanged, this takes its place and
the step goes up beside the colour. Below: what the keys have selected, how many cells are accessible.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from underboard.engine.base.errors import Plural
from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.game import Action
from underboard.engine.gamekit.overlay import Space
from underboard.engine.gamekit.panel import WIDTHS, Line, largest, listed
from underboard.engine.gamekit.seats import SeatNames
from underboard.engine.gamekit.table import COMMON_CHOICES, Situation
from underboard.engine.games.virus_wars.state import SEATS, STEPS, State, first_edge

SEAT_NAMES = SeatNames(SEATS, (N_("BLUE"), N_("RED")))


def screen(situation: Situation, words: Words) -> Sequence[Line]:
    """The panel while nothing is wrong."""
    state: State = situation.state
    if not state.targets:
        return over_lines(state, situation.selected, words)
    if situation.awaited:
        return awaiting_lines(state, situation.awaited, situation.to_lift, words)
    if situation.asked and situation.selected not in COMMON_CHOICES:
        return asking_lines(state, situation.selected or "", words)
    if situation.exchanging and situation.selected not in COMMON_CHOICES:
        return exchanging_lines(state, situation.selected or "", words)
    return [
        Line(SEAT_NAMES.at(state.mover, words), "medium", "center", inverted=True),
        Line(words("step {step} of {steps}", step=state.step, steps=STEPS), "large", "center"),
        Line(f"‹{choice_text(state, situation.selected, words)}›", "medium", "center"),
        Line(put_back(situation.leftover, words) or cells_text(state, words), align="center"),
    ]


def choice_text(state: State, name: str | None, words: Words) -> str:
    """A choice as a player says it, in at most twelve characters."""
    if name is None:
        return ""
    if name in COMMON_CHOICES:
        return words(COMMON_CHOICES[name])
    return words(N_("{cell} zombie") if absorbs(state, name) else N_("{cell} virus"), cell=name)


def absorbs(state: State, cell: Action) -> bool:
    """Whether a step on this cell is ABSORB. [3]"""
    return bool(state.viruses[1 - state.mover] >> state.board.index[cell] & 1)


def cells_text(state: State, words: Words) -> str:
    """How many cells are accessible; for a first virus also at which edge they are. [5, 6]"""
    count = state.targets.bit_count()
    if state.opened[state.mover]:
        return words(Plural("{count} cell accessible", "{count} cells accessible"), count=count)
    edge = first_edge(state.board, state.mirrored, state.mover)
    return words(RIGHT_EDGE if edge == state.board.right else LEFT_EDGE, count=count)


RIGHT_EDGE = Plural("right edge: {count} cell", "right edge: {count} cells")
LEFT_EDGE = Plural("left edge: {count} cell", "left edge: {count} cells")


def put_back(leftover: Collection[Space], words: Words) -> str:
    """Where an ABSORB has been taken back and the zombie still stands."""
    if not leftover:
        return ""
    text = words("virus back: {cells}")
    return text.format(cells=listed(sorted(leftover), WIDTHS["small"] - len(text.format(cells=""))))


def step_line(state: State, words: Words) -> Line:
    """Whose turn and which step, where the largest type is needed for something else."""
    return Line(f"{SEAT_NAMES.at(state.mover, words)} {state.step}/{STEPS}", "medium", "center", inverted=True)


def awaiting_lines(state: State, cell: Action, to_lift: Sequence[Space], words: Words) -> list[Line]:
    """A cell was chosen by key: what goes there, what has to come off first."""
    if to_lift:
        doing = words("take off {spaces}", spaces=" ".join(to_lift))
    else:
        doing = words("in place of the virus") if absorbs(state, cell) else cells_text(state, words)
    return [
        step_line(state, words),
        swap_line(state, cell, words),
        Line(doing, align="center"),
        Line(words("BACK: other cell"), align="center"),
    ]


def exchanging_lines(state: State, cell: Action, words: Words) -> list[Line]:
    """An enemy virus has been lifted: what goes in its place."""
    return [
        step_line(state, words),
        swap_line(state, cell, words),
        Line(words("in place of the virus"), align="center"),
        Line(cells_text(state, words), align="center"),
    ]


def swap_line(state: State, cell: Action, words: Words) -> Line:
    """What is put where, in the largest type."""
    return largest(words(N_("zombie on {cell}") if absorbs(state, cell) else N_("virus on {cell}"), cell=cell))


def asking_lines(state: State, cell: Action, words: Words) -> list[Line]:
    """A token was lifted and one is back, or one has come while nobody looked: was that a step?"""
    question = words(N_("zombie {cell}?") if absorbs(state, cell) else N_("virus {cell}?"), cell=cell)
    return [
        step_line(state, words),
        largest(question),
        Line(words("OK: yes  BACK: no"), align="center"),
        Line(cells_text(state, words), align="center"),
    ]


def over_lines(state: State, selected: str | None, words: Words) -> list[Line]:
    """Who has won, and why. [7]"""
    winner = words("{seat} wins", seat=SEAT_NAMES.at(1 - state.mover, words))
    return [
        largest(winner),
        Line(words("{seat} is stuck", seat=SEAT_NAMES.at(state.mover, words)), align="center"),
        Line(words("at step {step} of {steps}", step=state.step, steps=STEPS), align="center"),
        Line(words("OK: {choice}", choice=choice_text(state, selected, words)), align="center"),
    ]
