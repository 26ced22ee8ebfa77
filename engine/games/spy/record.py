"""SPY: the state as JSON, and back with every problem found."""

from __future__ import annotations

from typing import Any, NamedTuple

from underboard.engine.gamekit import cards
from underboard.engine.gamekit.game import NOBODY, Record, Seat
from underboard.engine.gamekit.json_reader import JsonReader, is_integer, raise_problems
from underboard.engine.gamekit.settings import cards_word
from underboard.engine.games.spy.arrangements import BOMBS, TARGETS, ArrangementSet, Cards, arrangements
from underboard.engine.games.spy.state import (
    GAME_ID,
    NO_TARGET,
    SEATS,
    UNSEEN,
    Base,
    Setup,
    State,
    acting,
    has,
    in_order,
    is_over,
    looked_at,
    stances,
)

SPECTATOR = -1
"""A viewer who has no seat."""


def write(state: State, viewer: int | None = None) -> Record:
    """The state as JSON; only what a viewer may know, if there is one."""
    setup, asked = state.setup, state.asked
    seats = list(enumerate(setup.seats))
    over = is_over(state)
    return {
        "game": GAME_ID,
        "cards": cards_word(setup.hidden),
        "phase": phase_of(state),
        "to_move": NOBODY if over else SEATS[acting(state)],
        "players": len(seats),
        "first": SEATS[setup.first],
        "ts2": "eliminates" if setup.eliminates else "literal",
        "bases": {name: write_cards(state, seat, viewer) for seat, name in seats},
        "spies": {name: str(state.spies[seat]) for seat, name in seats},
        "exposed": {name: write_places(state.bases[seat].exposed) for seat, name in seats},
        "lit": {name: write_places(state.bases[seat].lit) if viewer in (None, seat) else [] for seat, name in seats},
        "targets": {name: write_target(state.bases[seat].target) for seat, name in seats},
        "out": [SEATS[seat] for seat in state.out],
        "moved": state.moved,
        "spied": state.spied,
        "seeker": None if asked is None else SEATS[state.turn],
    }


def phase_of(state: State) -> str:
    """What the one to act has to do."""
    if is_over(state):
        return "over"
    if state.to_arrange:
        return "arrange"
    return "turn" if state.asked is None else "answer"


def write_cards(state: State, seat: int, viewer: int | None) -> list[str]:
    """The cards of a base, unseen ones as UNSEEN. Exposed cards are the same in all arrangements that are possible."""
    base = state.bases[seat]
    known = not state.setup.hidden and viewer in (None, seat)
    arrangement = state.setup.arrangements.one_of(base.possible)
    return [card if known or has(base.exposed, place) else UNSEEN for place, card in enumerate(arrangement)]


def write_places(places: int) -> list[int]:
    """A mask as a sorted list."""
    return [place for place in range(places.bit_length()) if has(places, place)]


def write_target(target: int) -> str | None:
    """A target's card, None when all are exposed."""
    return TARGETS[target] if target < NO_TARGET else None


KEYS = tuple("game cards phase to_move players first ts2 bases spies exposed lit targets out moved spied seeker".split())


def read(record: Any) -> State:
    """The state that a record describes; raises BadArgument that lists every problem."""
    reader = JsonReader(record, KEYS)
    reader.choice("game", [GAME_ID])
    players = reader.integer("players", 2, len(SEATS))
    seats = SEATS[:players]
    setup = Setup(
        hidden=reader.hidden(),
        seats=seats,
        first=seats.index(reader.choice("first", seats)),
        eliminates=reader.choice("ts2", ("eliminates", "literal")) == "eliminates",
        arrangements=arrangements(players),
    )
    phase = reader.choice("phase", ("arrange", "turn", "answer"))
    mover = seats.index(reader.choice("to_move", seats))
    seeker = reader.optional("seeker", seats)
    order = in_order(setup.first, players)
    bases, problems = read_bases(reader, setup)
    spies, known = reader.inside("spies", seats), stances(setup.arrangements.size)
    state = State(
        setup=setup,
        turn=setup.first if phase == "arrange" else mover if seeker is None else seats.index(seeker),
        bases=bases,
        spies=tuple(known[spies.choice(seat, tuple(known))] for seat in seats),
        out=tuple(reader.items("out", lambda seat: seats.index(seat) if seat in seats else None, "seat of this game")),
        moved=reader.boolean("moved"),
        spied=reader.boolean("spied"),
        asked=mover if phase == "answer" else None,
        to_arrange=order[order.index(mover) :] if phase == "arrange" else (),
    )
    raise_problems([*problems, *turn_problems(state, seeker is not None), *out_problems(state), *arranging_problems(state)])
    return state


class Written(NamedTuple):
    """What a record says of one base."""

    seat: Seat
    cards: Cards
    exposed: list[int]
    lit: list[int]
    target: int


def read_bases(reader: JsonReader, setup: Setup) -> tuple[tuple[Base, ...], list[str]]:
    """The bases, and what is wrong with them."""
    card_lists, exposed, lit, targets = (reader.inside(key, setup.seats) for key in ("bases", "exposed", "lit", "targets"))
    texts = (*TARGETS, *BOMBS, UNSEEN) if setup.hidden else (*TARGETS, *BOMBS)
    bases: list[Base] = []
    found: list[str] = []
    for seat in setup.seats:
        target = targets.optional(seat, TARGETS)
        written = Written(
            seat,
            tuple(card_lists.items(seat, lambda card: card if card in texts else None, "card")),
            read_places(exposed, seat, setup.arrangements.size),
            read_places(lit, seat, setup.arrangements.size),
            TARGETS.index(target) if target else NO_TARGET,
        )
        problems = base_problems(setup, written)
        found += problems
        bases.append(Base(0 if problems else possible(setup, written), mask(written.exposed), mask(written.lit), written.target))
    return tuple(bases), found


def read_places(reader: JsonReader, seat: Seat, size: int) -> list[int]:
    """A list of places, in any order."""
    return reader.items(seat, lambda place: place if is_integer(place) and 0 <= place < size else None, f"place from 0 to {size - 1}")


def mask(places: list[int]) -> int:
    """A list of places as a mask."""
    return sum(1 << place for place in set(places))


def possible(setup: Setup, written: Written) -> ArrangementSet:
    """The arrangements that agree with what is written: hidden, with the exposed cards and the lit bombs."""
    known = setup.arrangements
    if not setup.hidden:
        return known.bit[written.cards]
    agreeing = known.every
    for place in written.exposed:
        agreeing &= known.holding[place][written.cards[place]]
    for place in written.lit:
        agreeing &= known.saying[written.target][place]["lit"]
    return agreeing


def base_problems(setup: Setup, written: Written) -> list[str]:
    """What is wrong with one base."""
    known, seat = setup.arrangements, written.seat
    if len(written.cards) != known.size:
        return [f"bases.{seat}: {known.size} cards are needed, not {len(written.cards)}"]
    problems = hidden_problems(written) if setup.hidden else [f"bases.{seat}: {why}" for why in cards.conserved(known.cards, written.cards)]
    for key, places in (("exposed", written.exposed), ("lit", written.lit)):
        if len(set(places)) < len(places):
            problems.append(f"{key}.{seat}: a place is listed twice")
    shown = sorted(written.cards[place] for place in set(written.exposed))
    if shown != list(TARGETS[: written.target]):
        wanted = " ".join(TARGETS[: written.target]) or "no card"
        problems.append(f"exposed.{seat}: {' '.join(shown) or 'no card'}, but the target {write_target(written.target)} means {wanted}")
    problems += [
        f"lit.{seat}: place {place} holds {written.cards[place]}, which is no bomb"
        for place in written.lit
        if written.cards[place] not in (*BOMBS, UNSEEN)
    ]
    bombs = sum(card in BOMBS for card in known.cards)
    if len(set(written.lit)) > bombs:
        problems.append(f"lit.{seat}: {len(set(written.lit))} lit bombs, a base has {bombs}")
    return problems


def hidden_problems(written: Written) -> list[str]:
    """Where cards are seen that are not exposed, or the other way round."""
    problems = []
    for place, card in enumerate(written.cards):
        if card == UNSEEN and place in written.exposed:
            problems.append(f"bases.{written.seat}: place {place} is exposed, so its card is known")
        if card != UNSEEN and place not in written.exposed:
            problems.append(f"bases.{written.seat}: place {place} is not exposed, so its card is '{UNSEEN}'")
    return problems


def turn_problems(state: State, seeking: bool) -> list[str]:
    """What is wrong with phase, seeker and question taken together."""
    if state.asked is None:
        return ["seeker: null in phase turn"] if seeking else []
    problems = []
    if not state.setup.hidden:
        problems.append("phase: answer is for hidden games, open cards answer by themselves")
    if not state.spied:
        problems.append("spied: true in phase answer")
    if not seeking:
        return [*problems, "seeker: a seat in phase answer"]
    if state.turn == state.asked:
        problems.append("seeker: nobody spies on himself")
    if has(state.bases[state.asked].exposed, looked_at(state)):
        problems.append(f"phase: the card at place {looked_at(state)} is exposed and needs no answer")
    return problems


def arranging_problems(state: State) -> list[str]:
    """What cannot have happened yet while bases are arranged. [3]"""
    begun = state.moved or state.spied or state.out or any(base.exposed or base.lit or base.target for base in state.bases)
    return ["phase: bases are arranged before the first turn, when nothing has happened yet"] if state.to_arrange and begun else []


def out_problems(state: State) -> list[str]:
    """What is wrong with who is out, and whether that has decided the game already."""
    seats, out = state.setup.seats, set(state.out)
    problems = []
    if len(out) < len(state.out):
        problems.append("out: a seat is listed twice")
    if len(out) >= len(seats) - 1:
        problems.append("out: at most one is left in the game, so it is decided")
    acting = {state.turn} if state.asked is None else {state.turn, state.asked}
    problems += [f"out: {seats[seat]} is to act and cannot be out" for seat in sorted(acting & out)]
    if state.setup.eliminates:
        problems += [
            f"targets.{name}: all four are exposed, so {name} is out"
            for seat, name in enumerate(seats)
            if state.bases[seat].target == NO_TARGET and seat not in out
        ]
    return problems
