"""Makaó: the state as JSON, and back with every problem found."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeVar

from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit import cards
from underboard.engine.gamekit.game import TABLE, Record
from underboard.engine.gamekit.json_reader import JsonReader, raise_problems
from underboard.engine.gamekit.settings import cards_word
from underboard.engine.games.makao.deal import as_set
from underboard.engine.games.makao.state import (
    ACE,
    ASKED_WITH,
    CANCEL,
    CARDS,
    DEAL_VOID,
    DECK,
    DRAWN,
    FEWEST,
    FLIP,
    GAME_ID,
    MOST,
    NAMES,
    PENALTY,
    PLAY,
    RANKS,
    SEATS,
    SETS,
    SEVEN,
    SPECIALS_LAID,
    Penalty,
    PendingEffect,
    Request,
    Setup,
    Skips,
    State,
    names,
)

T = TypeVar("T")

# Writing


def write(state: State, to_move: str) -> Record:
    """The state as JSON."""
    setup = state.setup
    seats = SEATS[: setup.players]
    record = {
        "game": GAME_ID,
        "cards": cards_word(setup.hidden),
        "phase": state.phase,
        "to_move": to_move,
        "players": setup.players,
        "first": SEATS[setup.first],
        "cancel": setup.cancel,
        "specials": setup.specials,
        "top": write_card(state.top),
        "pile": names(state.pile),
        "stock": state.stock if setup.hidden else names(state.stock),
        "hands": dict(zip(seats, state.hands if setup.hidden else map(names, state.hands), strict=True)),
        "effect": write_effect(state.effect),
        "drawn": write_card(state.drawn),
    }
    return record if setup.sets == SETS[0] else {**record, "sets": setup.sets}


def write_card(card: int | None) -> str | None:
    """The name of a card, if there is one."""
    return None if card is None else NAMES[card]


def write_effect(effect: PendingEffect) -> Record | None:
    """The pending effect as JSON."""
    if isinstance(effect, Penalty):
        return {"draw": effect.cards}
    if isinstance(effect, Skips):
        return {"skip": effect.seats}
    if effect is None:
        return None
    with_rank = RANKS[ASKED_WITH[effect.value]]
    return {"ask": effect.value, "by": SEATS[effect.by], "with": with_rank, "fulfilled": effect.fulfilled}


# Reading


KEYS = tuple("game cards phase to_move players first cancel specials top pile stock hands effect drawn".split())
DEFAULTS: Record = {"sets": SETS[0]}
"""A key that stands in a record only if two cards may be laid together. [4]"""

CardPile = list[str] | int
"""Names of cards, in hidden games their number."""

NO_CARDS: CardPile = 0


class Parts(NamedTuple):
    """What a record says, value by value."""

    phase: str
    to_move: str
    top: str | None
    pile: list[str]
    stock: CardPile
    hands: list[CardPile]
    effect: PendingEffect
    drawn: str | None


class ProblemList:
    """Collects what is refused while reading goes on."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def attempt(self, read_value: Callable[[], T], otherwise: T) -> T:
        """What is read, or `otherwise` when that is refused."""
        try:
            return read_value()
        except BadArgument as problem:
            self.problems.append(str(problem))
            return otherwise


def read(record: Any) -> State:
    """The state that a record describes; raises BadArgument that lists every problem."""
    reader = JsonReader(record, KEYS, defaults=DEFAULTS)
    reader.choice("game", [GAME_ID])
    players = reader.integer("players", FEWEST, MOST)
    hidden = reader.hidden()
    seats, found = SEATS[:players], ProblemList()
    setup = Setup(
        hidden=hidden,
        players=players,
        first=seats.index(found.attempt(lambda: reader.choice("first", seats), SEATS[0])),
        cancel=found.attempt(lambda: reader.choice("cancel", CANCEL), CANCEL[0]),
        specials=found.attempt(lambda: reader.choice("specials", SPECIALS_LAID), SPECIALS_LAID[0]),
        sets=found.attempt(lambda: reader.choice("sets", SETS), SETS[0]),
        seed=0,
    )
    parts = read_parts(reader, setup, found)
    raise_problems(found.problems)
    raise_problems([*pack_problems(setup, parts), *phase_problems(setup, parts)])
    return assemble(setup, parts)


def read_parts(reader: JsonReader, setup: Setup, found: ProblemList) -> Parts:
    """The values that change during a game, each of the right shape."""
    seats = SEATS[: setup.players]
    return Parts(
        phase=found.attempt(lambda: reader.choice("phase", (FLIP, DEAL_VOID, PLAY, PENALTY, DRAWN)), PLAY),
        to_move=found.attempt(lambda: reader.choice("to_move", (*seats, TABLE)), SEATS[0]),
        top=found.attempt(lambda: read_card(reader, "top"), None),
        pile=found.attempt(lambda: read_cards(reader, "pile"), []),
        stock=found.attempt(lambda: read_pile(reader, "stock", setup.hidden), NO_CARDS),
        hands=read_hands(reader, setup, found),
        effect=found.attempt(lambda: read_effect(reader, seats), None),
        drawn=found.attempt(lambda: read_card(reader, "drawn"), None),
    )


def read_hands(reader: JsonReader, setup: Setup, found: ProblemList) -> list[CardPile]:
    """The hands of all seats."""
    seats = SEATS[: setup.players]
    hands = found.attempt(lambda: reader.inside("hands", seats), None)
    return [found.attempt(partial(read_pile, hands, seat, setup.hidden), NO_CARDS) for seat in seats] if hands else []


def read_card(reader: JsonReader, key: str) -> str | None:
    """A card or null."""
    name = reader.value(key)
    if name is not None and known_card(name) is None:
        raise reader.refuse(key, "a card or null is needed")
    return known_card(name)


def known_card(name: Any) -> str | None:
    """The name of a card, None for anything else."""
    return name if isinstance(name, str) and name in CARDS else None


def read_cards(reader: JsonReader, key: str) -> list[str]:
    """A list of cards."""
    return reader.items(key, known_card, "card")


def read_pile(reader: JsonReader, key: str, hidden: bool) -> CardPile:
    """The cards of a hand or the stock, hidden their number."""
    return reader.integer(key, 0, len(DECK)) if hidden else read_cards(reader, key)


def read_effect(reader: JsonReader, seats: tuple[str, ...]) -> PendingEffect:
    """The pending effect."""
    effect = reader.value("effect")
    if effect is None:
        return None
    if isinstance(effect, dict) and "draw" in effect:
        return Penalty(reader.inside("effect", ("draw",)).integer("draw", 1))
    if isinstance(effect, dict) and "skip" in effect:
        return Skips(reader.inside("effect", ("skip",)).integer("skip", 1, len(seats) - 1))
    if isinstance(effect, dict) and "ask" in effect:
        return read_request(reader.inside("effect", ("ask", "by", "with", "fulfilled")), seats)
    raise reader.refuse("effect", "null or an object with draw, skip or ask is needed")


def read_request(reader: JsonReader, seats: tuple[str, ...]) -> Request:
    """The effect of a 9 or O."""
    found = ProblemList()
    value = found.attempt(lambda: reader.choice("ask", tuple(ASKED_WITH)), "")
    ranks = (RANKS[ASKED_WITH[value]],) if value else tuple(sorted({RANKS[rank] for rank in ASKED_WITH.values()}))
    found.attempt(lambda: reader.choice("with", ranks), "")
    by = found.attempt(lambda: reader.choice("by", seats), SEATS[0])
    fulfilled = found.attempt(lambda: reader.boolean("fulfilled"), False)
    raise_problems(found.problems)
    return Request(value, SEATS.index(by), fulfilled)


def pack_problems(setup: Setup, parts: Parts) -> list[str]:
    """What is wrong with the pack of 32 cards. [2]"""
    lying = parts.pile if parts.top is None else [parts.top, *parts.pile]
    closed = [parts.stock, *parts.hands]
    if not setup.hidden:
        return cards.conserved(NAMES, [*lying, *(name for pile in closed if not isinstance(pile, int) for name in pile)])
    problems = [f"card {name}: lies open {lying.count(name)} times" for name in sorted(set(lying)) if lying.count(name) > 1]
    count = len(lying) + sum(pile for pile in closed if isinstance(pile, int))
    return [*problems, f"{count} cards in all: there are {len(DECK)}"] if count != len(DECK) else problems


def phase_problems(setup: Setup, parts: Parts) -> list[str]:
    """What is wrong with the phase and what belongs to it."""
    problems = []
    if parts.drawn is not None and (parts.phase != DRAWN or setup.hidden):
        problems.append("drawn: null except in phase drawn of an open game")
    if parts.phase in (FLIP, DEAL_VOID):
        return problems + dealing_problems(setup, parts)
    if parts.top is None:
        problems.append(f"top: there is a top card in phase {parts.phase}")
    else:
        problems += effect_problems(parts.effect, parts.top)
    if parts.to_move == TABLE:
        return [*problems, f"to_move: a seat is to move in phase {parts.phase}"]
    hand = parts.hands[SEATS.index(parts.to_move)]
    if parts.phase == PLAY and parts.effect is None and not hand:
        problems.append(f"{parts.to_move} has an empty hand and no effect is pending: the game is decided")
    if parts.phase == PENALTY and not isinstance(parts.effect, Penalty):
        problems.append("effect: there is a penalty in phase penalty")
    if parts.phase == DRAWN:
        problems += drawn_problems(setup, parts, hand)
    return problems


def effect_problems(effect: PendingEffect, top: str) -> list[str]:
    """What is wrong with an effect and the top card: nothing but 7s is laid on a penalty, and nothing but aces on an ace. [7, 8]"""
    rank = CARDS[top] // 4
    if isinstance(effect, Penalty) and rank != SEVEN:
        return [f"effect: a penalty comes from a 7, but the top card is {top}"]
    if isinstance(effect, Skips) and rank != ACE:
        return [f"effect: a skip comes from an ace, but the top card is {top}"]
    return []


def dealing_problems(setup: Setup, parts: Parts) -> list[str]:
    """What is wrong while the first card is still to be turned up."""
    problems = [f"phase: there is no {parts.phase} with cards=hidden"] if setup.hidden else []
    if parts.to_move != TABLE:
        problems.append(f"to_move: {TABLE} in phase {parts.phase}")
    if parts.top is not None or parts.pile:
        problems.append(f"top, pile: no card lies open in phase {parts.phase}")
    if parts.effect is not None:
        problems.append(f"effect: null in phase {parts.phase}")
    if bool(parts.stock) != (parts.phase == FLIP):
        problems.append("stock: empty in phase deal_void, and only there" if parts.stock else "stock: a card is left in phase flip")
    return problems


def drawn_problems(setup: Setup, parts: Parts, hand: CardPile) -> list[str]:
    """What is wrong when a player with an empty hand has drawn a card. [13]"""
    problems = []
    if not isinstance(parts.effect, Request):
        problems.append("effect: there is a request in phase drawn")
    if not setup.hidden and parts.drawn is None:
        problems.append("drawn: the card drawn is needed in phase drawn")
    elif hand != (1 if setup.hidden else [parts.drawn]):
        problems.append(f"hands.{parts.to_move}: nothing but the card drawn in phase drawn")
    return problems


def assemble(setup: Setup, parts: Parts) -> State:
    """The state of parts that are in order."""
    return State(
        setup=setup,
        phase=parts.phase,
        mover=setup.first if parts.to_move == TABLE else SEATS.index(parts.to_move),
        top=None if parts.top is None else CARDS[parts.top],
        pile=card_set(parts.pile),
        stock=card_set(parts.stock),
        hands=tuple(map(card_set, parts.hands)),
        effect=parts.effect,
        drawn=None if parts.drawn is None else CARDS[parts.drawn],
    )


def card_set(pile: CardPile) -> int:
    """Cards as a set, or their number as it is."""
    return pile if isinstance(pile, int) else as_set([CARDS[name] for name in pile])
