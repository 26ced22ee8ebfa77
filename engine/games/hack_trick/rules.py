"""Hack Trick. Two players infect nine servers; the sum of the last two cards of a row names the server.

The numbers in brackets are those of docs/rules/hack_trick.md. A turn is [SPY] → INFECT or DRAW → after INFECT:
HACK, FIREWALL or nothing. Three servers of a line or three tokens on one server win; an empty supply loses.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from underboard.engine.base.errors import GameOver, IllegalAction
from underboard.engine.base.i18n import N_
from underboard.engine.gamekit import cards
from underboard.engine.gamekit.game import NOBODY, Action, Announcement, Game, Record, Seat
from underboard.engine.gamekit.options import Options
from underboard.engine.games.hack_trick.deal import deal
from underboard.engine.games.hack_trick.record import read, write
from underboard.engine.games.hack_trick.state import (
    CALLS,
    DECK,
    GAME_ID,
    GIANT,
    HAND_LIMIT,
    HANDS_AT_START,
    LINES_THROUGH,
    NORMAL,
    SEATS,
    STACK,
    TARGET,
    TOKEN,
    UNSEEN,
    Cards,
    State,
    Tokens,
    Victory,
    by_seat,
    fewer,
    more,
    replaced,
    unseen_copies,
)


class Verb(NamedTuple):
    """An action in parts: what is done, the card's value if there is one, and with which kind of token."""

    name: str
    value: int = UNSEEN
    kind: int = NORMAL


VERBS: dict[Action, Verb] = {
    **{f"start {v}": Verb("start", v) for v in range(6)},
    **{f"draw {v}": Verb("draw", v) for v in range(6)},
    **{f"infect {v}": Verb("infect", v) for v in range(6)},
    **{f"infect {v} giant": Verb("infect", v, GIANT) for v in range(6)},
    "draw": Verb("draw"),
    "spy": Verb("spy"),
    "hack": Verb("hack"),
    "hack giant": Verb("hack", kind=GIANT),
    "firewall": Verb("firewall"),
    "firewall giant": Verb("firewall", kind=GIANT),
    "end": Verb("end"),
}

DRAW = tuple(f"draw {value}" for value in range(6))
INFECT = tuple(f"infect {value}" for value in range(6))
GIANTS = {name: f"{name} giant" for name in (*INFECT, "firewall", "hack")}
"""Each action that is paid with a token, paid with the giant."""


class HackTrick(Game[State]):
    """The rules of Hack Trick."""

    id = GAME_ID

    def new(self, options: Options) -> State:
        """Options: four, target, calls, cards, seed, and the deal as out, red, yellow."""
        four = SEATS.index(options.choice("four", SEATS, "red"))
        target = options.integer("target", TARGET, 1)
        calls = options.choice("calls", CALLS, CALLS[0])
        return deal(options, options.hidden(), four, (0, 0), target, calls)

    def seats(self, state: State) -> tuple[Seat, ...]:
        return SEATS

    def phase(self, state: State) -> str:
        return state.phase

    def over(self, state: State) -> bool:
        return state.result is not None

    def deck(self, options: Options) -> Sequence[str]:
        return [str(value) for value in DECK]

    def to_move(self, state: State) -> str:
        return NOBODY if state.result else SEATS[state.mover]

    def legal(self, state: State) -> Sequence[Action]:
        return LEGAL[state.phase](state)

    def do(self, state: State, action: Action) -> tuple[State, list[Announcement]]:
        if state.result:
            raise GameOver("the game is over")
        verb = VERBS.get(action)
        if verb is None:
            raise IllegalAction(
                "'{action}' is no action: there are start V, spy, infect V [giant], draw [V], hack [giant], firewall [giant], end",
                action=action,
            )
        phase, perform = PERFORM[verb.name]
        if state.phase != phase:
            raise wrong_phase(state.phase, verb)
        return perform(state, verb)

    def record(self, state: State) -> Record:
        return write(state, state.hands, state.hidden)

    def view(self, state: State, seat: Seat) -> Record:
        return {**self.public_view(state), "hands": self._hands_seen(state, (seat,))}

    def public_view(self, state: State) -> Record:
        shown = write(state, state.hands, state.hidden)
        return {**shown, "hands": self._hands_seen(state, ()), "stock": shown["stock"] if state.hidden else len(state.stock)}

    def _hands_seen(self, state: State, seats: Collection[Seat]) -> Record:
        """All hands as far as the engine knows them; only those of these seats, the others as counts."""
        hands: Record = write(state, state.hands, state.hidden)["hands"]
        return hands if state.hidden else {seat: hand if seat in seats else len(hand) for seat, hand in hands.items()}

    def position(self, record: Any) -> State:
        return read(record)

    def outcome(self, state: State) -> Record:
        result = state.result
        if result is None:
            return {"over": False}
        return {
            "over": True,
            "winner": SEATS[result.winner],
            "points": result.points,
            "reason": result.reason,
            "servers": list(result.servers),
        }

    def match(self, state: State) -> Record:
        winner = next((seat for seat, points in zip(SEATS, state.score, strict=True) if points >= state.target), None)
        return {"score": by_seat(state.score), "target": state.target, "winner": winner}

    def next(self, state: State, options: Options) -> State:
        """Options: cards, seed, and the deal as out, red, yellow. [3, 20]"""
        hidden = options.hidden(default=state.hidden)
        loser = 1 - state.result.winner if state.result else dealt_four(options)
        dealt = deal(options, hidden, loser, state.score, state.target, state.calls)
        options.finish()
        if max(state.score) >= state.target:
            raise GameOver("the match is won: a new match starts with new_game")
        if state.result is None:
            raise IllegalAction("the game is not over yet")
        return dealt


def dealt_four(options: Options) -> int:
    """Whom a named deal gives four cards. Before the end either seat may still lose, so no deal is wrong in that."""
    return int(options.as_dict().get(SEATS[1], "").count(",") == HANDS_AT_START[0] - 1)


# What may be done now


def held_values(state: State) -> Sequence[int]:
    """The values that can be in the mover's hand. Hidden: those of which not all copies lie open."""
    hand = state.hands[state.mover]
    if not state.hidden:
        return values_of(hand)
    if not hand:
        return ()
    return [value for value in range(6) if unseen_copies(state, value) > 0]


@cache
def values_of(cards: Cards) -> tuple[int, ...]:
    """The different values of sorted cards. There are few hands, and of stocks not more than 4 ** 6."""
    return tuple(dict.fromkeys(cards))


def can_obey(state: State) -> bool:
    """Open games: whether the mover holds a card that may follow the last one. [16]"""
    last = state.row[-1]
    return any(card != last for card in state.hands[state.mover])


def may_draw(state: State) -> bool:
    """[11], and [16] for a player forced by HACK: hidden, if his whole hand can be copies of the last card."""
    hand = state.hands[state.mover]
    if not state.forced:
        return len(hand) < HAND_LIMIT
    if state.hidden:
        return len(hand) <= unseen_copies(state, state.row[-1])
    return not can_obey(state)


def payments(state: State, names: Iterable[str]) -> list[Action]:
    """Each of these with every kind of token that the mover can pay with. [13, 14]"""
    normal, giant = state.supply[state.mover]
    if not giant:
        return list(names)
    return [action for name in names for action in ((name, GIANTS[name]) if normal else (GIANTS[name],))]


def legal_start(state: State) -> list[Action]:
    return [f"start {value}" for value in held_values(state)]


def legal_main(state: State) -> list[Action]:
    actions: list[Action] = []
    if may_draw(state):
        actions += ["draw"] if state.hidden else [DRAW[value] for value in values_of(state.stock)]
    last = state.row[-1]
    actions += payments(state, [INFECT[value] for value in held_values(state) if value != last])
    if not state.spied and any(state.spy_zone[state.mover]):
        actions.append("spy")
    return actions


def legal_call(state: State) -> list[Action]:
    return ["end", *payments(state, possible_calls(state))]


def possible_calls(state: State) -> list[str]:
    """The calls that are left in this turn, if there is a token to pay with. [13-15]"""
    return [name for name in ("firewall", "hack") if name != state.called and not (name == "hack" and state.firewalled)]


LEGAL: dict[str, Callable[[State], list[Action]]] = {
    "start": legal_start,
    "main": legal_main,
    "call": legal_call,
    "over": lambda _: [],
}


# What an action does


def wrong_phase(phase: str, verb: Verb) -> IllegalAction:
    """Why this kind of action has to wait."""
    if phase == "start":
        return IllegalAction("the game begins with a card laid face up: start V")
    if verb.name == "start":
        return IllegalAction("the row has been started already")
    if phase == "main":
        return IllegalAction("{action} comes after an INFECT", action=verb.name)
    return IllegalAction("after an INFECT there is hack, firewall or end")


def start(state: State, verb: Verb) -> tuple[State, list[Announcement]]:
    """Lays the first card of the row; both sums are announced. [5-7]"""
    hands = replaced(state.hands, state.mover, lay(state, verb.value))
    after = pass_turn(state, row=(verb.value,), hands=hands)
    return after, [] if state.hidden else [announce_sum(after, 0), announce_sum(after, 1)]


def spy(state: State, verb: Verb) -> tuple[State, list[Announcement]]:
    """One captured token leaves the game, a normal one if there is one; the opponent's sum is announced. [8]"""
    if state.spied:
        raise IllegalAction("you have spied in this turn already")
    mover, zone = state.mover, state.spy_zone[state.mover]
    if not any(zone):
        raise IllegalAction("there is no token in your spy zone")
    kind = NORMAL if zone[NORMAL] else GIANT
    after = state._replace(
        spied=True,
        spy_zone=replaced(state.spy_zone, mover, fewer(zone, kind)),
        spent=replaced(state.spent, 1 - mover, more(state.spent[1 - mover], kind)),
    )
    return after, [] if state.hidden else [announce_sum(state, 1 - mover)]


def infect(state: State, verb: Verb) -> tuple[State, list[Announcement]]:
    """A card to the row, a token on the server of the sum, enemy tokens off it; may end the game. [9, 10, 17, 18]"""
    last, mover = state.row[-1], state.mover
    if verb.value == last:
        raise IllegalAction("{card} may not follow {last}", card=verb.value, last=last)
    hand = lay(state, verb.value)
    supply = pay(state, verb.kind)
    server = last + verb.value
    standing = state.servers[server]
    said: list[Announcement] = []
    spy_zone = state.spy_zone
    if standing and standing[0] not in TOKEN[mover]:
        giants = sum(token == TOKEN[1 - mover][GIANT] for token in standing)
        normal, giant = spy_zone[mover]
        spy_zone = replaced(spy_zone, mover, (normal + len(standing) - giants, giant + giants))
        said.append({"say": "knocked_out", "server": server, "count": len(standing)})
        standing = ""
    token = TOKEN[mover][verb.kind]
    standing = token + standing if verb.kind == GIANT else standing + token
    servers = (*state.servers[:server], standing, *state.servers[server + 1 :])
    after = state._replace(
        phase="call",
        row=(*state.row, verb.value),
        hands=replaced(state.hands, mover, hand),
        servers=servers,
        supply=supply,
        spy_zone=spy_zone,
    )
    result = judge_placement(servers, server, mover, verb.kind)
    if result is None and not any(supply[mover]):
        result = Victory(1 - mover, 1, "supply", ())
    return finish(after, result, said) if result else (after, said)


def draw(state: State, verb: Verb) -> tuple[State, list[Announcement]]:
    """One card; the turn ends. A player forced by HACK draws only if he cannot obey, and shows his hand. [11, 12, 16]"""
    hand = state.hands[state.mover]
    if not may_draw(state):
        if state.forced:
            raise IllegalAction("you are forced by HACK: play a card that differs from the last one")
        raise IllegalAction("{limit} cards is the most a hand may hold", limit=HAND_LIMIT)
    if state.hidden and verb.value != UNSEEN:
        raise IllegalAction("the card is not named with cards=hidden: draw")
    if not state.hidden and verb.value == UNSEEN:
        raise IllegalAction("name the card that came: draw V")
    if verb.value not in state.stock:
        raise IllegalAction("there is no {card} in the stock", card=verb.value)
    said: list[Announcement] = []
    if state.forced and not state.hidden:
        said.append({"say": "hand", "of": SEATS[state.mover], "cards": list(hand)})
    stock, row = cards.without_card(state.stock, verb.value), state.row
    if not stock:
        stock = tuple(sorted(row[:-1])) if not state.hidden else (UNSEEN,) * (len(row) - 1)
        row = row[-1:]
        said.append({"say": "reshuffle"})
    hands = replaced(state.hands, state.mover, cards.with_card(hand, verb.value))
    return pass_turn(state, stock=stock, row=row, hands=hands), said


def hack(state: State, verb: Verb) -> tuple[State, list[Announcement]]:
    """The opponent must INFECT on his next turn. [13]"""
    if state.firewalled:
        raise IllegalAction("the opponent's FIREWALL forbids HACK in this turn")
    return call(state, verb)


def firewall(state: State, verb: Verb) -> tuple[State, list[Announcement]]:
    """The opponent may not call HACK on his next turn. [14]"""
    return call(state, verb)


def call(state: State, verb: Verb) -> tuple[State, list[Announcement]]:
    """Pays a token for a call; whoever pays the last one has lost. The turn goes on while the other call may be made. [15, 18]"""
    mover = state.mover
    if state.called == verb.name:
        raise IllegalAction(CALLED_ALREADY[verb.name])
    supply = pay(state, verb.kind)
    spent = replaced(state.spent, mover, more(state.spent[mover], verb.kind))
    if not any(supply[mover]):
        return finish(state._replace(supply=supply, spent=spent), Victory(1 - mover, 1, "supply", ()), [])
    paid = state._replace(supply=supply, spent=spent, called=verb.name)
    if state.calls == CALLS[1] and not state.called and possible_calls(paid):
        return paid, []
    made = {state.called, verb.name}
    return pass_turn(paid, "hack" in made, "firewall" in made), []


CALLED_ALREADY = {
    "hack": N_("you have called HACK in this turn already"),
    "firewall": N_("you have called FIREWALL in this turn already"),
}


def end(state: State, verb: Verb) -> tuple[State, list[Announcement]]:
    """The turn ends without a call, or without a second one."""
    return pass_turn(state, state.called == "hack", state.called == "firewall"), []


PERFORM = {
    "start": ("start", start),
    "spy": ("main", spy),
    "infect": ("main", infect),
    "draw": ("main", draw),
    "hack": ("call", hack),
    "firewall": ("call", firewall),
    "end": ("call", end),
}
"""Each action's phase and what performs it."""


def lay(state: State, value: int) -> Cards:
    """The mover's hand after he has laid a card; raises IllegalAction if he cannot hold it."""
    hand = state.hands[state.mover]
    if not state.hidden:
        if value not in hand:
            raise IllegalAction("there is no {card} in your hand", card=value)
        return cards.without_card(hand, value)
    if not hand:
        raise IllegalAction("your hand is empty")
    if not unseen_copies(state, value):
        raise IllegalAction("all three {card}s lie open", card=value)
    return cards.without_card(hand, UNSEEN)


def pay(state: State, kind: int) -> tuple[Tokens, Tokens]:
    """Both supplies after the mover has given one token; raises IllegalAction if he has none of that kind."""
    mover = state.mover
    if not state.supply[mover][kind]:
        if kind == GIANT:
            raise IllegalAction("your giant is not in your supply")
        raise IllegalAction("there is no normal token in your supply")
    return replaced(state.supply, mover, fewer(state.supply[mover], kind))


def pass_turn(state: State, forced: bool = False, firewalled: bool = False, **changes: Any) -> State:
    """The other seat's turn; HACK and FIREWALL last for that one turn. `changes` are what else becomes of the state."""
    after = state._replace(phase="main", mover=1 - state.mover, forced=forced, firewalled=firewalled, spied=False, **changes)
    return after._replace(called="") if state.called else after


def finish(state: State, result: Victory, said: list[Announcement]) -> tuple[State, list[Announcement]]:
    """The end of a game: points to the winner. [19, 20]"""
    score = replaced(state.score, result.winner, state.score[result.winner] + result.points)
    after = state._replace(phase="over", forced=False, firewalled=False, spied=False, score=score, result=result, called="")
    win = {"say": "win", "seat": SEATS[result.winner], "points": result.points, "reason": result.reason}
    return after, [*said, win]


def judge_placement(servers: Sequence[str], server: int, mover: int, kind: int) -> Victory | None:
    """What the token just put on `server` wins, if anything. [17, 19]"""
    giant = TOKEN[mover][GIANT]
    own = TOKEN[mover]
    triples = [("line", line) for line, one, other in LINES_THROUGH[server] if servers[one][:1] in own and servers[other][:1] in own]
    if len(servers[server]) >= STACK:
        triples.append(("stack", (server,)))
    best: Victory | None = None
    for reason, triple in triples:
        bonus = kind != GIANT and any(giant in servers[s] for s in triple)
        if best is None or 1 + bonus > best.points:
            best = Victory(mover, 1 + bonus, reason, triple)
    return best


def announce_sum(state: State, seat: int) -> Announcement:
    """The sum of a hand; 0 for an empty one. [6, 8]"""
    return {"say": "sum", "of": SEATS[seat], "value": sum(state.hands[seat])}
