"""Hack Trick: the state as JSON, and back with every problem found."""

from __future__ import annotations

from typing import Any

from underboard.engine.gamekit import cards
from underboard.engine.gamekit.game import NOBODY, Record
from underboard.engine.gamekit.json_reader import JsonReader, is_integer, raise_problems
from underboard.engine.gamekit.settings import cards_word
from underboard.engine.games.hack_trick.state import (
    CALLS,
    COPIES,
    DECK,
    GAME_ID,
    GIANT,
    HAND_LIMIT,
    LINES,
    NORMAL,
    SEATS,
    STACK,
    TOKEN,
    TOKENS_PER_SEAT,
    UNSEEN,
    Cards,
    State,
    Tokens,
    by_seat,
    unseen_copies,
)


def write(state: State, hands: tuple[Cards, Cards], counts: bool) -> Record:
    """The state as JSON; with `counts` hands and stock are numbers of cards."""
    mover = SEATS[state.mover]
    record = {
        "game": GAME_ID,
        "cards": cards_word(state.hidden),
        "phase": state.phase,
        "to_move": NOBODY if state.result else mover,
        "row": list(state.row),
        "out": list(state.out),
        "stock": len(state.stock) if counts else list(state.stock),
        "hands": by_seat((len(hands[0]), len(hands[1])) if counts else (list(hands[0]), list(hands[1]))),
        "servers": {str(server): list(tokens) for server, tokens in enumerate(state.servers) if tokens},
        "supply": by_seat((write_tokens(state.supply[0]), write_tokens(state.supply[1]))),
        "spy_zone": by_seat((write_tokens(state.spy_zone[0]), write_tokens(state.spy_zone[1]))),
        "spent": by_seat((write_tokens(state.spent[0]), write_tokens(state.spent[1]))),
        "forced": mover if state.forced else None,
        "firewalled": mover if state.firewalled else None,
        "spied": state.spied,
        "four": SEATS[state.four],
        "score": by_seat(state.score),
        "target": state.target,
    }
    return record if state.calls == CALLS[0] else {**record, "calls": state.calls, "called": state.called or None}


def write_tokens(tokens: Tokens) -> Record:
    """Numbers of tokens as JSON."""
    return {"normal": tokens[NORMAL], "giant": tokens[GIANT]}


KEYS = tuple("game cards phase to_move row out stock hands servers supply spy_zone spent forced firewalled spied four score target".split())
DEFAULTS: Record = {"calls": CALLS[0], "called": None}
"""Keys that stand in a record only with two calls a turn. [15]"""


def read(record: Any) -> State:
    """The state that a record describes; raises BadArgument that lists every problem."""
    reader = JsonReader(record, KEYS, defaults=DEFAULTS)
    reader.choice("game", [GAME_ID])
    hidden = reader.hidden()
    phase = reader.choice("phase", ("start", "main", "call"))
    mover = reader.choice("to_move", SEATS)
    score = reader.inside("score", SEATS)
    forced, firewalled = (reader.optional(key, [mover]) is not None for key in ("forced", "firewalled"))
    hands = reader.inside("hands", SEATS)
    state = State(
        hidden=hidden,
        phase=phase,
        mover=SEATS.index(mover),
        row=read_values(reader, "row"),
        out=read_values(reader, "out"),
        stock=read_pile(reader, "stock", hidden),
        hands=(read_pile(hands, SEATS[0], hidden), read_pile(hands, SEATS[1], hidden)),
        servers=read_servers(reader),
        supply=read_tokens(reader, "supply"),
        spy_zone=read_tokens(reader, "spy_zone"),
        spent=read_tokens(reader, "spent"),
        forced=forced,
        firewalled=firewalled,
        spied=reader.boolean("spied"),
        four=SEATS.index(reader.choice("four", SEATS)),
        score=(score.integer(SEATS[0]), score.integer(SEATS[1])),
        target=reader.integer("target", 1),
        result=None,
        calls=reader.choice("calls", CALLS),
        called=reader.optional("called", ("hack", "firewall")) or "",
    )
    raise_problems([*card_problems(state), *token_problems(state), *turn_problems(state)])
    return state


def read_value(value: Any) -> int | None:
    """A card's value, None for anything else."""
    return value if is_integer(value) and 0 <= value <= 5 else None


def read_values(reader: JsonReader, key: str) -> Cards:
    """A list of card values in the order given."""
    return tuple(reader.items(key, read_value, "card from 0 to 5"))


def read_pile(reader: JsonReader, key: str, hidden: bool) -> Cards:
    """A multiset of cards: sorted values, hidden a count."""
    return (UNSEEN,) * reader.integer(key, 0, len(DECK)) if hidden else tuple(sorted(read_values(reader, key)))


def read_tokens(reader: JsonReader, key: str) -> tuple[Tokens, Tokens]:
    """Numbers of tokens of both seats."""
    seats = reader.inside(key, SEATS)
    parts = [seats.inside(seat, ("normal", "giant")) for seat in SEATS]
    red, yellow = ((part.integer("normal"), part.integer("giant")) for part in parts)
    return red, yellow


def read_servers(reader: JsonReader) -> tuple[str, ...]:
    """The tokens by server number."""
    record = reader.value("servers")
    if not isinstance(record, dict):
        raise reader.refuse("servers", "an object of server numbers is needed")
    servers = [""] * 10
    numbers = [str(number) for number in range(1, 10)]
    for key in record:
        if key not in numbers:
            raise reader.refuse("servers", f"'{key}' is no server, servers are 1 to 9")
    for key in record:
        tokens = reader.inside("servers", record).items(key, lambda token: token if token in ("r", "R", "y", "Y") else None, "token")
        if not tokens:
            raise reader.refuse("servers", f"server {key} is listed without a token")
        servers[int(key)] = "".join(sorted(tokens))
    return tuple(servers)


def card_problems(state: State) -> list[str]:
    """What is wrong with the cards."""
    open_cards = [*state.row, *state.out]
    closed = [*state.stock, *state.hands[0], *state.hands[1]]
    if state.hidden:
        problems = [f"card {value}: more than {COPIES} lie open" for value in range(6) if unseen_copies(state, value) < 0]
        if len(open_cards) + len(closed) != len(DECK):
            problems.append(f"{len(open_cards) + len(closed)} cards in all: there are {len(DECK)}")
    else:
        problems = cards.conserved(DECK, [*open_cards, *closed])
    if len(state.out) != 2:
        problems.append("out: two cards are out of the game")
    problems += [f"hands.{seat}: more than {HAND_LIMIT} cards" for seat, hand in by_seat(state.hands).items() if len(hand) > HAND_LIMIT]
    problems += [f"row: {a} may not follow {b}" for b, a in zip(state.row, state.row[1:], strict=False) if a == b]
    return problems


def token_problems(state: State) -> list[str]:
    """What is wrong with the tokens, and whether they have decided the game already."""
    problems = []
    for seat, name in enumerate(SEATS):
        for kind, what in enumerate(("normal tokens", "giants")):
            standing = sum(tokens.count(TOKEN[seat][kind]) for tokens in state.servers)
            count = standing + state.supply[seat][kind] + state.spy_zone[1 - seat][kind] + state.spent[seat][kind]
            if count != TOKENS_PER_SEAT[kind]:
                problems.append(f"{name} has {count} {what} in all, not {TOKENS_PER_SEAT[kind]}")
        if not any(state.supply[seat]):
            problems.append(f"supply.{name} is empty: the game is decided")
        problems += [
            f"{name} has the line {'-'.join(map(str, line))}: the game is decided"
            for line in LINES
            if all(state.servers[server] and set(state.servers[server]) <= set(TOKEN[seat]) for server in line)
        ]
    for server, tokens in enumerate(state.servers):
        if len(set(tokens.lower())) > 1:
            problems.append(f"server {server} holds both colours")
        elif len(tokens) > STACK:
            problems.append(f"server {server} holds more than {STACK} tokens")
        elif len(tokens) == STACK:
            problems.append(f"server {server} holds a stack of {STACK}: the game is decided")
    return problems


def turn_problems(state: State) -> list[str]:
    """What is wrong with phase, row, hands and stock taken together."""
    problems = []
    if state.forced and state.firewalled and state.calls == CALLS[0]:
        problems.append("forced and firewalled: at most one call was made in the turn before")
    if state.called and (state.calls == CALLS[0] or state.phase != "call"):
        problems.append("called: null except in phase call of a game with calls=both")
    if state.called == "hack" and state.firewalled:
        problems.append("called: hack is forbidden by FIREWALL")
    if state.phase == "start":
        return problems + start_problems(state)
    if not state.row:
        problems.append(f"row: empty in phase {state.phase}")
    if not state.stock:
        problems.append("stock: never empty after the start")
    if state.phase == "call":
        if len(state.row) < 2:
            problems.append("row: phase call follows an INFECT, so there are two cards or more")
        elif state.row[-2] != state.row[-1] and not set(state.servers[state.row[-2] + state.row[-1]] or "-") <= set(TOKEN[state.mover]):
            problems.append(f"servers: no token of {SEATS[state.mover]} on the last sum")
    return problems


def start_problems(state: State) -> list[str]:
    """What is wrong in phase `start`."""
    problems = []
    if state.row:
        problems.append("row: empty in phase start")
    if not state.hands[state.mover]:
        problems.append(f"hands.{SEATS[state.mover]}: a card is needed to start with")
    return problems
