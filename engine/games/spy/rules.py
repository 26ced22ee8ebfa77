"""SPY. Everybody's spy walks along the own base and looks, as into a mirror, at the same place of another base.

The numbers in brackets are those of docs/rules/spy.md. A turn is MOVE and SPY, one of them or neither, in either order,
then `end`. Whoever finds a lit bomb is out, and so is (option ts2) whose fourth target is exposed; the last one wins.

Open and hidden games follow the same rules on sets of possible arrangements (see `arrangements`): open, there is one
arrangement and so one answer, which the referee gives; hidden, the player asked answers, and it must be possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any

from underboard.engine.base.errors import GameOver, IllegalAction
from underboard.engine.base.i18n import N_
from underboard.engine.gamekit.game import NOBODY, Action, Announcement, Game, Record, Seat
from underboard.engine.gamekit.options import Options
from underboard.engine.games.spy.arrangements import ANSWERS, NUMBERS, TARGETS, ArrangementSet, arrangements
from underboard.engine.games.spy.arranging import ARRANGING, PERFORM_ARRANGING, legal_arranging
from underboard.engine.games.spy.deal import deal
from underboard.engine.games.spy.record import SPECTATOR, phase_of, read, write
from underboard.engine.games.spy.state import (
    GAME_ID,
    NO_TARGET,
    SEATS,
    Base,
    Stance,
    State,
    acting,
    faced,
    has,
    is_over,
    looked_at,
    winner,
    with_base,
)

BASES_FIRST = N_("first the bases are arranged: stand, swap, ready")

Outcome = tuple[State, list[Announcement]]
Reply = Callable[[State, int, int, ArrangementSet], Outcome]


class Spy(Game[State]):
    """The rules of SPY."""

    id = GAME_ID

    def new(self, options: Options) -> State:
        """Options: players, ts2, first, setup, cards, seed, each seat's base and, as SEAT.spy, its spy."""
        return deal(options)

    def seats(self, state: State) -> tuple[Seat, ...]:
        return state.setup.seats

    def phase(self, state: State) -> str:
        return phase_of(state)

    def over(self, state: State) -> bool:
        return is_over(state)

    def deck(self, options: Options) -> Sequence[str]:
        """All colours; Bomb 2 is in those that two players use. [2]"""
        return [f"{seat} {card}" for place, seat in enumerate(SEATS) for card in arrangements(2 if place < 2 else len(SEATS)).cards]

    def to_move(self, state: State) -> str:
        if is_over(state):
            return NOBODY
        return SEATS[acting(state)]

    def legal(self, state: State) -> Sequence[Action]:
        if is_over(state):
            return ()
        if state.to_arrange:
            return legal_arranging(state)
        if state.asked is not None:
            return legal_answers(state, state.asked)
        ahead = 0 if state.moved else possible_numbers(state, False)
        behind = 0 if state.moved else possible_numbers(state, True)
        return legal_turn(ahead, behind, () if state.spied else opponents(len(state.bases), state.turn, state.out))

    def do(self, state: State, action: Action) -> Outcome:
        if is_over(state):
            raise GameOver("the game is over")
        perform = PERFORM.get(action)
        if perform is None:
            raise no_action(action)
        if bool(state.to_arrange) != (action.partition(" ")[0] in ARRANGING):
            raise IllegalAction(BASES_FIRST if state.to_arrange else N_("the bases are arranged"))
        return perform(state)

    def record(self, state: State) -> Record:
        return write(state)

    def view(self, state: State, seat: Seat) -> Record:
        return write(state, SEATS.index(seat))

    def public_view(self, state: State) -> Record:
        return write(state, SPECTATOR)

    def position(self, record: Any) -> State:
        return read(record)

    def outcome(self, state: State) -> Record:
        if not is_over(state):
            return {"over": False}
        return {"over": True, "winner": SEATS[winner(state)], "reason": "last"}


# What may be done now


@cache
def legal_turn(ahead: int, behind: int, victims: tuple[int, ...]) -> tuple[Action, ...]:
    """A turn's actions: moves with the numbers of the card ahead, or of the one behind after a flip (as sums of 1 and 2). [5-7]"""
    moves = [f"move {number}" for number in NUMBERS if ahead & number]
    moves += [f"move f{number}" for number in NUMBERS if behind & number]
    spies = [f"spy {SEATS[seat]}" for seat in victims]
    return tuple(sorted(["end", *moves, *(f"{move}f" for move in moves), *spies]))


@cache
def opponents(players: int, seat: int, out: tuple[int, ...]) -> tuple[int, ...]:
    """The others who are still in the game. [7]"""
    return tuple(other for other in range(players) if other != seat and other not in out)


def possible_numbers(state: State, flipped: bool) -> int:
    """The sum of the numbers that the spy may move by, perhaps after a flip: 3 if both are possible. [6]"""
    base, place = before_spy(state, flipped)
    if has(base.exposed, place):
        return sum(NUMBERS)
    showing = state.setup.arrangements.showing[place]
    return (1 if base.possible & showing[1] else 0) + (2 if base.possible & showing[2] else 0)


def before_spy(state: State, flipped: bool) -> tuple[Base, int]:
    """The base of the one to play, and the place that his spy faces in it, perhaps after a flip."""
    stance = state.spies[state.turn]
    return state.bases[state.turn], faced(stance.gap, stance.right != flipped, state.setup.arrangements.size)


def legal_answers(state: State, victim: int) -> tuple[Action, ...]:
    """The answers that can be true, for all that is known of the victim's base."""
    place = looked_at(state)
    return tuple(f"answer {word}" for word, _ in true_answers(state, victim, place))


def true_answers(state: State, victim: int, place: int) -> Iterator[tuple[str, ArrangementSet]]:
    """The answers that can be true, and what agrees with each; with open cards there is one. [8]"""
    for word in ANSWERS:
        possible = agreeing(state, victim, place, word)
        if possible:
            yield word, possible


def agreeing(state: State, victim: int, place: int, answer: str) -> ArrangementSet:
    """The arrangements of the victim's base that agree with an answer, too; only a lit place is answered by `lit`. [8]"""
    base = state.bases[victim]
    if has(base.lit, place) != (answer == "lit"):
        return 0
    return base.possible & state.setup.arrangements.saying[base.target][place][answer]


# What an action does


def end(state: State) -> Outcome:
    """The turn ends. [5]"""
    refuse_while_asked(state)
    return pass_turn(state), []


def move(state: State, number: int, before: bool, after: bool) -> Outcome:
    """The spy moves by the number it faces, either number before an exposed card; flips come before and after. [6]"""
    refuse_while_asked(state)
    if state.moved:
        raise IllegalAction("your spy has moved in this turn already")
    base, place = before_spy(state, before)
    bases = state.bases
    if not has(base.exposed, place):
        possible = base.possible & state.setup.arrangements.showing[place][number]
        if not possible:
            raise wrong_number(state, place, number, before)
        if possible != base.possible:
            bases = with_base(state, state.turn, base._replace(possible=possible))
    gap, right = state.spies[state.turn]
    right = right != before
    gap = (gap + number if right else gap - number) % state.setup.arrangements.size
    spies = (*state.spies[: state.turn], Stance(gap, right != after), *state.spies[state.turn + 1 :])
    return State(state.setup, state.turn, bases, spies, state.out, True, state.spied), []


def spy(state: State, victim: int) -> Outcome:
    """Asks about the mirrored card. An exposed one needs no answer, and open cards answer by themselves. [7, 8]"""
    refuse_while_asked(state)
    if state.spied:
        raise IllegalAction("your spy has spied in this turn already")
    refuse_victim(state, victim)
    place = looked_at(state)
    asking = State(state.setup, state.turn, state.bases, state.spies, state.out, state.moved, True, victim)
    if has(state.bases[victim].exposed, place):
        return asking._replace(asked=None), [{"say": "nothing", "of": SEATS[victim]}]
    if state.setup.hidden:
        return asking, []
    word, possible = next(true_answers(asking, victim, place))
    return REPLY[word](asking, victim, place, possible)


def answer(state: State, word: str) -> Outcome:
    """The one asked answers, in a hidden game. [8]"""
    victim = state.asked
    if victim is None:
        raise unasked(state)
    place = looked_at(state)
    possible = agreeing(state, victim, place, word)
    if not possible:
        raise wrong_answer(state.bases[victim], place, word)
    return REPLY[word](state, victim, place, possible)


def reply_target(state: State, victim: int, place: int, possible: ArrangementSet) -> Outcome:
    """The card is turned for all to see and the next target is looked for; the last one may put the victim out. [8a, 9]"""
    base = state.bases[victim]
    found = Base(possible, base.exposed | 1 << place, base.lit, base.target + 1)
    after = state._replace(bases=with_base(state, victim, found), asked=None)
    said: list[Announcement] = [{"say": "exposed", "of": SEATS[victim], "place": place, "card": TARGETS[base.target]}]
    if found.target < NO_TARGET or not state.setup.eliminates:
        return after, said
    return put_out(after, victim, [*said, {"say": "out", "seat": SEATS[victim]}])


def reply_kind(state: State, victim: int, place: int, possible: ArrangementSet, kind: str) -> Outcome:
    """Only the kind of the card is said. [8b]"""
    return learn(state, victim, state.bases[victim]._replace(possible=possible)), [{"say": kind, "of": SEATS[victim]}]


def reply_bomb(state: State, victim: int, place: int, possible: ArrangementSet) -> Outcome:
    """The fuse sounds and the bomb is lit from now on. [8c]"""
    base = state.bases[victim]
    lit = Base(possible, base.exposed, base.lit | 1 << place, base.target)
    return learn(state, victim, lit), [{"say": "fuse", "of": SEATS[victim]}]


def reply_lit(state: State, victim: int, place: int, possible: ArrangementSet) -> Outcome:
    """The seeker is out. The number on the bomb is shown, but not recorded. [8d]"""
    after = state._replace(asked=None)
    return put_out(after, state.turn, [{"say": "lit", "of": SEATS[victim], "out": SEATS[state.turn]}])


REPLY: dict[str, Reply] = {
    "target": reply_target,
    "safe": partial(reply_kind, kind="safe"),
    "secret": partial(reply_kind, kind="secret"),
    "bomb": reply_bomb,
    "lit": reply_lit,
}
"""What follows from an answer about a place of the victim's base; the arrangements that agree with it are left."""

PERFORM: dict[Action, Callable[[State], Outcome]] = {
    "end": end,
    **{f"spy {seat}": partial(spy, victim=index) for index, seat in enumerate(SEATS)},
    **{f"answer {word}": partial(answer, word=word) for word in ANSWERS},
    **{
        f"move {'f' * before}{number}{'f' * after}": partial(move, number=number, before=before, after=after)
        for number in NUMBERS
        for before in (False, True)
        for after in (False, True)
    },
    **PERFORM_ARRANGING,
}
"""Every action there is, and what performs it."""


def learn(state: State, victim: int, base: Base) -> State:
    """An answer was given that puts nobody out: the seeker's turn goes on."""
    return State(state.setup, state.turn, with_base(state, victim, base), state.spies, state.out, state.moved, True)


def pass_turn(state: State) -> State:
    """The turn of the next one who is in the game. [5]"""
    players = len(state.bases)
    turn = (state.turn + 1) % players
    while turn in state.out:
        turn = (turn + 1) % players
    return State(state.setup, turn, state.bases, state.spies, state.out)


def put_out(state: State, seat: int, said: list[Announcement]) -> Outcome:
    """One is out: the last one left wins; a turn of his ends at once. [5, 10]"""
    after = state._replace(out=(*state.out, seat))
    if is_over(after):
        return after._replace(moved=False, spied=False), [*said, {"say": "win", "seat": SEATS[winner(after)]}]
    return (pass_turn(after) if seat == state.turn else after), said


# Why something is refused; players count their cards from 1


def refuse_while_asked(state: State) -> None:
    """Raises IllegalAction while an answer is owed."""
    if state.asked is not None:
        raise IllegalAction("{seat} has to answer first: answer {answers}", seat=SEATS[state.asked], answers="|".join(ANSWERS))


def refuse_victim(state: State, victim: int) -> None:
    """Raises IllegalAction if this seat cannot be spied on. [7]"""
    if victim == state.turn:
        raise IllegalAction("a spy does not look into its own base: name an opponent")
    if victim >= len(state.bases):
        raise IllegalAction("{seat} does not play in this game", seat=SEATS[victim])
    if victim in state.out:
        raise IllegalAction("{seat} is out of the game", seat=SEATS[victim])


def unasked(state: State) -> IllegalAction:
    """Why nobody has to answer."""
    return IllegalAction("nobody has been asked") if state.setup.hidden else IllegalAction("open cards answer by themselves")


def no_action(action: Action) -> IllegalAction:
    """Why a text is no action, and what can be written instead."""
    template = SPELLINGS.get(
        action.partition(" ")[0],
        N_("'{action}' is no action: there are move K, spy SEAT, end, hidden answer WORD, at first stand, swap, ready"),
    )
    return IllegalAction(template, action=action, seats=", ".join(SEATS), answers=", ".join(ANSWERS))


SPELLINGS = {
    "move": N_("'{action}' is no action: a spy moves 1 or 2, with f for a flip before or after, as in move 1, move f2, move 1f, move f2f"),
    "spy": N_("'{action}' is no action: a spy looks at {seats}, as in spy red"),
    "answer": N_("'{action}' is no action: an answer is one of {answers}"),
    "stand": N_("'{action}' is no action: a spy stands in a gap and looks right or left, as in stand 3R"),
    "swap": N_("'{action}' is no action: two cards change places, which count from 0, the lower first, as in swap 0 3"),
}


def wrong_number(state: State, place: int, number: int, flipped: bool) -> IllegalAction:
    """Why the spy cannot move by this number."""
    return IllegalAction(NUMBERED[state.setup.hidden, flipped], card=place + 1, other=sum(NUMBERS) - number, number=number)


NUMBERED = {
    (False, False): N_("your spy faces your card {card} from the left, a {other}: it moves exactly {other}, not {number}"),
    (False, True): N_("after the flip your spy faces your card {card} from the left, a {other}: it moves exactly {other}, not {number}"),
    (True, False): N_("your spy faces your card {card} from the left, by all that was made public no {number}: it moves {other}"),
    (True, True): N_(
        "after the flip your spy faces your card {card} from the left, by all that was made public no {number}: it moves {other}"
    ),
}
"""By hidden and flipped."""


def wrong_answer(base: Base, place: int, word: str) -> IllegalAction:
    """Why this answer cannot be true."""
    if has(base.lit, place):
        return IllegalAction("your card {card} from the left is a bomb that has been lit: the answer is lit", card=place + 1)
    if word == "target" and base.target == NO_TARGET:
        return IllegalAction("all four targets are exposed")
    return IllegalAction(UNTRUE[word], card=place + 1)


UNTRUE = {
    "lit": N_("your card {card} from the left has not been lit: a bomb found for the first time is answered by bomb"),
    "target": N_("your card {card} from the left cannot be the target, by all that was made public"),
    "safe": N_("your card {card} from the left cannot be another safe, by all that was made public"),
    "secret": N_("your card {card} from the left cannot be another top secret, by all that was made public"),
    "bomb": N_("your card {card} from the left cannot be a bomb, by all that was made public"),
}
