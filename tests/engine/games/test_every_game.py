"""What must hold in every game, whatever its rules: random games, and every promise of `underboard.engine.gamekit.game` at every ply.

CONFIGURATIONS lists the options to play each game with. What this file knows of the single games stands in the small
tables below it: what is conserved, what only grows, which lists are multisets, who may know what.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.twins import exchange_in_a_base, exchange_unseen_cards
from underboard.engine import games
from underboard.engine.base.errors import BadArgument, GameOver, IllegalAction, NothingToUndo
from underboard.engine.gamekit.game import NOBODY, TABLE
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_declaration, find_game, find_presentation, find_print, find_table, game_ids
from underboard.engine.gamekit.session import Session

CONFIGURATIONS = {
    "hack_trick": ("", "four=yellow target=1", "calls=both", "cards=hidden out=0,5", "cards=hidden out=3,3 four=yellow calls=both"),
    "makao": (
        "players=3",
        "cancel=satisfy",
        "specials=any first=p4",
        "players=5",
        "players=4 sets=pairs cancel=any",
        "p1=h8,h10,hU,hK,l10 p2=lU,lK,b8,b10,bU p3=bK,a8,a10,aU,aK p4=h7,l7,b7,a7,h9",
        "cards=hidden up=l8",
        "cards=hidden players=5 up=h7,l9,bU specials=any cancel=satisfy",
        "cards=hidden players=3 up=l8 sets=pairs cancel=any",
    ),
    "sequence_numbers": (
        "",
        "players=3 board=house8 first=p2",
        "players=4",
        "players=6 sides=2 board=house8",
        "players=6 sides=3",
        "players=6 sides=3 sequences=1",
        "cards=hidden board=house8",
        "cards=hidden players=4 sequences=1",
    ),
    "spy": (
        "",
        "players=3 first=blue green.spy=3R red.spy=5L",
        "players=4",
        "ts2=literal",
        "setup=arrange",
        "cards=hidden",
        "cards=hidden players=3",
        "cards=hidden players=3 setup=arrange",
    ),
    "virus_wars": ("size=6", "width=9 height=7 edges=mirrored", ""),
}

TABLE_OF_CONFIGURATIONS = [(game, options) for game in game_ids() for options in CONFIGURATIONS.get(game, ())]
every_configuration = pytest.mark.parametrize(
    ("game_id", "options"), TABLE_OF_CONFIGURATIONS, ids=[f"{game} {options}".strip() for game, options in TABLE_OF_CONFIGURATIONS]
)
OPEN_HANDS = ("hack_trick", "makao", "sequence_numbers")
every_open_hand = pytest.mark.parametrize(
    ("game_id", "options"), [(game, options) for game, options in TABLE_OF_CONFIGURATIONS if game in OPEN_HANDS and "hidden" not in options]
)
seeds = st.integers(0, 2**32 - 1)
plies = st.integers(0, 120)

Record = dict[str, Any]
AnySession = Session[Any]


def new(game_id: str, options: str, seed: int) -> AnySession:
    """A new game with a random deal from `seed`."""
    game = find_game(game_id)
    deal = [f"seed={seed}"] if game.seeded else []
    return Session.new(game, Options.parse([*options.split(), *deal]))


def walk(session: AnySession, random: Random, count: int) -> AnySession:
    """After up to `count` random actions."""
    for _ in range(count):
        if session.game.over(session.state):
            break
        session = session.do(session.game.pick(session.state, random))[0]
    return session


def somewhere(game_id: str, options: str, seed: int, count: int) -> AnySession:
    """A random state before the end: `count` actions into a game, or anywhere in one that is shorter."""
    session = walk(new(game_id, options, seed), Random(seed), count)
    for _ in range(session.now.ply - count % session.now.ply if session.game.over(session.state) else 0):
        session = session.undo()
    return session


def record(session: AnySession) -> Record:
    found: Record = session.game.record(session.state)
    return found


def legal(session: AnySession) -> list[str]:
    return list(session.game.legal(session.state))


# What this file knows of the single games

ONLY_WITH_AN_OPTION = {"calls", "called", "sets", "needed"}
"""Keys of records that stand there only if an option is not as it is by default."""


def pile(cards: Any) -> list[Any]:
    """The cards of a pile; of a count as many unseen ones."""
    return list(cards) if isinstance(cards, list) else ["?"] * cards


def all_cards(found: Record, *piles: Any) -> Any:
    """All cards of a game, sorted; in hidden games how many there are."""
    cards = [card for cards in (*piles, found["stock"], *found["hands"].values()) for card in pile(cards)]
    return len(cards) if found["cards"] == "hidden" else sorted(cards)


def hack_trick_tokens(found: Record) -> Counter[str]:
    """All tokens of both colours, by letter."""
    tokens = Counter(token for server in found["servers"].values() for token in server)
    for seat, zone, letters in (("red", "yellow", "rR"), ("yellow", "red", "yY")):
        for letter, kind in zip(letters, ("normal", "giant"), strict=True):
            tokens[letter] += found["supply"][seat][kind] + found["spent"][seat][kind] + found["spy_zone"][zone][kind]
    return tokens


CONSERVED: dict[str, Callable[[Record], Any]] = {
    "hack_trick": lambda found: (all_cards(found, found["row"], found["out"]), hack_trick_tokens(found)),
    "makao": lambda found: all_cards(found, found["pile"], [found["top"]] if found["top"] else []),
    "sequence_numbers": lambda found: all_cards(found, *found["discards"].values()),
    "spy": lambda found: {seat: len(base) if found["cards"] == "hidden" else sorted(base) for seat, base in found["bases"].items()},
    "virus_wars": lambda found: (found["width"], found["height"], [len(row) for row in found["rows"]]),
}
"""What never changes in a game."""


def pieces(found: Record, letters: str) -> set[tuple[int, int, str]]:
    """The pieces of Virus Wars among `letters`: zombies as they are, viruses only as occupied cells."""
    return {
        (x, y, piece if piece in "br" else "*") for y, row in enumerate(found["rows"]) for x, piece in enumerate(row) if piece in letters
    }


GROWS: dict[str, Callable[[Record, Record], bool]] = {
    "hack_trick": lambda before, after: all(
        before["spent"][seat][kind] <= after["spent"][seat][kind] and before["supply"][seat][kind] >= after["supply"][seat][kind]
        for seat in ("red", "yellow")
        for kind in ("normal", "giant")
    ),
    "makao": lambda before, after: before["players"] == after["players"],
    "sequence_numbers": lambda before, after: after["sequences"][: len(before["sequences"])] == before["sequences"],
    "spy": lambda before, after: (
        all(set(before[key][seat]) <= set(after[key][seat]) for key in ("exposed", "lit") for seat in before["bases"])
        and (before["phase"] == "arrange" or before["cards"] == "hidden" or before["bases"] == after["bases"])
        and after["out"][: len(before["out"])] == before["out"]
    ),
    "virus_wars": lambda before, after: (
        pieces(before, "br") <= pieces(after, "br") and {p[:2] for p in pieces(before, "BRbr")} <= {p[:2] for p in pieces(after, "BRbr")}
    ),
}
"""What an action may only add to."""

MULTISETS = {
    "hack_trick": ("stock", "hands", "servers"),
    "makao": ("stock", "pile", "hands"),
    "sequence_numbers": ("stock", "hands"),
    "spy": ("exposed", "lit"),
    "virus_wars": (),
}
"""Lists that a position may give in any order; objects stand for all lists in them."""

DRAWS = {"hack_trick": ("draw",), "makao": ("draw", "flip", "redeal"), "sequence_numbers": ("draw", "late", "swap"), "spy": ("spy",)}
"""First words of actions that name or show something their player could not know before."""

SOME_ACTIONS = (
    """
start 3 | infect 2 | infect 2 giant | draw | draw 4 | spy | hack | hack giant | firewall | end
a1 | k5 | z9 | a0 | a1 a2
play h8 | play h8+l8 | play l7+b7+a7 | play b9 ask=K | play bO ask=h | draw h7 | draw none | skip | keep | flip h8 | redeal
play 4+4 i1 | play PLUS c3 | play MINUS c3 | play a1 | play =8 | swap 4+4 1+0 | swap =8 | pass | forget | late | late 1+0
talk blue | talk nobody | discard PLUS | discard =8
move 1 | move f2 | move 1f | move f1f | move 3 | spy red | spy green | spy table | answer safe | answer lit | answer target
over | none | legal | {} | - | ÿ | 0
""".strip()
    .replace("\n", " | ")
    .split(" | ")
)


def excused(game_id: str, action: str, listed: list[str]) -> bool:
    """Whether a game accepts this action although `legal` does not list it in this spelling."""
    if game_id == "sequence_numbers":
        return action in ("talk blue", "talk green", "talk red")
    if game_id != "makao":
        return False
    word, _, rest = action.partition(" ")
    cards, _, ask = rest.partition(" ")
    first, *middle, last = cards.split("+") if cards.count("+") > 1 else ("", "")
    canonical = "+".join([first, *sorted(middle, key=lambda card: "hlba".find(card[:1])), last])
    return f"{word} {canonical} {ask}".strip() in listed


# The registry


def test_every_folder_is_a_game_that_says_what_it_is() -> None:
    folders = {path.parent.name for path in Path(games.__path__[0]).glob("*/__init__.py")}
    assert list(game_ids()) == sorted(folders)
    for game_id in game_ids():
        declaration = find_declaration(game_id)
        assert declaration.title
        assert declaration.about.endswith(".")
        assert [find_table(game_id), find_presentation(game_id), find_print(game_id)]


def test_every_game_has_configurations() -> None:
    assert set(game_ids()) == set(CONFIGURATIONS)


def test_instances_may_be_shared() -> None:
    for game_id in game_ids():
        assert find_game(game_id).id == game_id
        assert not vars(find_game(game_id))


# Every ply


@every_configuration
@settings(max_examples=12)
@given(seed=seeds)
def test_whole_games(game_id: str, options: str, seed: int) -> None:
    """From the first ply on, a random game keeps what must hold at every ply; and it ends."""
    session, random = new(game_id, options, seed), Random(seed)
    game = session.game
    before = record(session)
    conserved = CONSERVED[game_id](before)
    while not game.over(session.state) and session.now.ply < 500:
        well_listed(session)
        session = session.do(game.pick(session.state, random))[0]
        found = record(session)
        assert json.loads(json.dumps(found)) == found
        assert CONSERVED[game_id](found) == conserved
        assert GROWS[game_id](before, found)
        before = found
    end, _ = session.playout(random)  # random games of Makaó may take thousands of plies
    assert CONSERVED[game_id](record(end)) == conserved
    well_ended(end)


def well_listed(session: AnySession) -> None:
    """Before the end: someone is to move and has something to do."""
    game, state = session.game, session.state
    listed = legal(session)
    assert listed
    assert listed == sorted(set(listed)), "sorted in ASCII order, nothing twice"
    assert all(action == " ".join(action.split()) and action.isascii() for action in listed)
    assert game.to_move(state) in (*game.seats(state), TABLE)
    assert game.outcome(state) == {"over": False}
    assert record(session)["to_move"] == game.to_move(state)
    assert record(session)["phase"] == game.phase(state) != "over"
    assert record(session)["game"] == game.id


def well_ended(session: AnySession) -> None:
    """After the end: nobody is to move, nothing can be done, and no position begins here."""
    game, state = session.game, session.state
    assert game.phase(state) == record(session)["phase"] == "over"
    assert game.to_move(state) == record(session)["to_move"] == NOBODY
    assert legal(session) == []
    outcome = game.outcome(state)
    assert outcome["over"] is True
    assert {"winner", "reason"} <= set(outcome)
    assert json.loads(json.dumps(outcome)) == outcome
    for action in ("end", "a1", "nonsense"):
        with pytest.raises(GameOver):
            session.do(action)
    with pytest.raises(BadArgument):
        game.position(record(session))
    for seat in game.seats(state):
        game.view(state, seat)


@every_configuration
@settings(max_examples=30)
@given(seed=seeds, count=plies)
def test_every_listed_action_is_accepted(game_id: str, options: str, seed: int, count: int) -> None:
    session = somewhere(game_id, options, seed, count)
    before = record(session)
    listed = legal(session)
    for action in listed if len(listed) <= 40 else Random(seed).sample(listed, 40):
        after, said = session.do(action)
        assert json.loads(json.dumps(said)) == said
        assert all(isinstance(entry["say"], str) for entry in said)
        assert record(after) != before or game_id == "spy", f"{action} changed nothing"
        assert record(session) == before, f"{action} changed the state it was done in"


@every_configuration
@settings(max_examples=30)
@given(seed=seeds, count=plies)
def test_every_unlisted_action_is_refused(game_id: str, options: str, seed: int, count: int) -> None:
    session, random = somewhere(game_id, options, seed, count), Random(seed)
    listed, before = legal(session), record(session)
    for action in sorted({*SOME_ACTIONS, *mutations(listed, random), *actions_of_the_past(session)} - {*listed, ""}):
        assert refusal(session, action) or excused(game_id, action, listed), f"{action} was not refused"
        assert record(session) == before, f"{action} changed the state it was done in"


def refusal(session: AnySession, action: str) -> str | None:
    """Why the action is refused; None if it is accepted."""
    try:
        session.do(action)
    except IllegalAction as reason:
        return str(reason) or pytest.fail(f"{action} was refused without a reason")
    return None


def actions_of_the_past(session: AnySession) -> set[str]:
    """What was legal in the last states before this one."""
    found: set[str] = set()
    for _ in range(4):
        try:
            session = session.undo()
        except NothingToUndo:
            break
        found |= set(legal(session)[:60])
    return found


def mutations(listed: list[str], random: Random) -> Iterator[str]:
    """Misspellings of listed actions."""
    for action in random.sample(listed, min(len(listed), 8)):
        place = random.randrange(len(action))
        words = action.split(" ")
        yield from (action.upper(), action.swapcase(), action + "x", action + " x", f"{action} {action}", words[0], words[-1])
        yield from (action[:place] + action[place + 1 :], action[:place] + random.choice("0189abhxRL+-= ?") + action[place + 1 :])
        yield from ("  ".join(words), "\t".join(words), " ".join(words[::-1]), "".join(words), action + "\n", f"{action} ask=K", " ")


@every_configuration
@settings(max_examples=20)
@given(seed=seeds, count=plies)
def test_undo_and_redo(game_id: str, options: str, seed: int, count: int) -> None:
    session = walk(new(game_id, options, seed), Random(seed), count)
    game, actions = session.game, session.now.actions()
    records = [record(session)]
    for _ in actions:
        session = session.undo()
        records.insert(0, record(session))
    with pytest.raises(NothingToUndo):
        session.undo()
    for action, wanted in zip(actions, records[1:], strict=True):
        assert action in game.legal(session.state)
        session = session.do(action)[0]
        assert record(session) == wanted


@every_configuration
@settings(max_examples=40)
@given(seed=seeds, count=plies)
def test_position_reads_what_record_writes(game_id: str, options: str, seed: int, count: int) -> None:
    session = somewhere(game_id, options, seed, count)
    game, state, found = session.game, session.state, record(session)
    again = Session.at(game, json.loads(json.dumps(dict(reversed(found.items())))))
    assert record(again) == found
    assert list(record(again)) == list(found)
    assert (game.to_move(again.state), game.phase(again.state)) == (game.to_move(state), game.phase(state))
    assert game.outcome(again.state) == game.outcome(state)
    assert game.seats(again.state) == game.seats(state)
    assert all(game.view(again.state, seat) == game.view(state, seat) for seat in game.seats(state))
    if game_id == "spy" and found["cards"] == "hidden":
        assert set(legal(again)) >= set(legal(session)), "what was said before a position is forgotten"
    else:
        assert legal(again) == legal(session)
    action = game.pick(state, Random(seed))
    if action != "redeal":
        assert (record(again.do(action)[0]), again.do(action)[1]) == (record(session.do(action)[0]), session.do(action)[1])


@every_configuration
@settings(max_examples=10)
@given(seed=seeds, count=plies)
def test_position_takes_multisets_in_any_order(game_id: str, options: str, seed: int, count: int) -> None:
    session, random = somewhere(game_id, options, seed, count), Random(seed)
    shuffled = copy.deepcopy(record(session))
    for key in MULTISETS[game_id]:
        for cards in shuffled[key].values() if isinstance(shuffled[key], dict) else [shuffled[key]]:
            if isinstance(cards, list):
                random.shuffle(cards)
    assert record(Session.at(session.game, shuffled)) == record(session)


@every_configuration
@settings(max_examples=5)
@given(seed=seeds, count=plies)
def test_position_needs_exactly_the_keys_of_record(game_id: str, options: str, seed: int, count: int) -> None:
    session = somewhere(game_id, options, seed, count)
    found = record(session)
    for key in found.keys() - ONLY_WITH_AN_OPTION:
        with pytest.raises(BadArgument, match=key):
            session.game.position({other: value for other, value in found.items() if other != key})
    with pytest.raises(BadArgument, match="surplus"):
        session.game.position({**found, "surplus": None})
    for key, value in found.items():
        if isinstance(value, dict) and key not in ("servers", "chips", "effect"):
            with pytest.raises(BadArgument):
                session.game.position({**found, key: {**value, "surplus": next(iter(value.values()))}})
            with pytest.raises(BadArgument):
                session.game.position({**found, key: dict(list(value.items())[1:])})


ODD_VALUES: list[Any] = [
    *(None, True, False, -1, 0, 1, 2, 3, 7, 99, 10**17, 1.5, 1e300, float("nan"), "", "x", "?", "a\n\nb", "\ud800", "\0"),
    *("red", "yellow", "green", "blue", "p1", "p2", "table", "none", "turn", "play", "main", "draw", "over", "h7", "hO", "4+4", "=8", "S1"),
    *([], {}, [[]], [None], [1, 1], ["h7", "h7"], ["p1"], {"a": 1}, {"": []}, {"draw": 2}, {"skip": 1}, [{}]),
]


@every_configuration
@settings(max_examples=150)
@given(seed=seeds, count=plies)
def test_a_damaged_position_is_refused_or_sound(game_id: str, options: str, seed: int, count: int) -> None:
    """Nothing but BadArgument, and what is accepted after all is a position that can be played on from."""
    session, random = somewhere(game_id, options, seed, count), Random(seed)
    for _ in range(6):
        damaged = damage(record(session), random)
        try:
            odd = Session.at(session.game, damaged)
        except BadArgument:
            continue
        found = record(odd)
        assert CONSERVED[game_id](found) == CONSERVED[game_id](damaged)
        if not odd.game.over(odd.state):
            well_listed(odd)
            assert record(Session.at(odd.game, found)) == found
            assert all(odd.game.view(odd.state, seat) for seat in odd.game.seats(odd.state))
            after = walk(odd, random, 12)
            assert CONSERVED[game_id](record(after)) == CONSERVED[game_id](found)


def damage(found: Record, random: Random) -> Record:
    """A copy with one or two values replaced, doubled, removed, or changed for another one."""
    damaged = copy.deepcopy(found)
    for _ in range(random.choice((1, 1, 2))):
        spots = list(places(damaged))
        (holder, key), (other, other_key) = random.choice(spots), random.choice(spots)
        how = random.randrange(5)
        if how == 0 and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[key]))
        elif how == 1:
            del holder[key]
        elif how == 2:
            holder[key], other[other_key] = copy.deepcopy(other[other_key]), copy.deepcopy(holder[key])
        elif how == 3 and isinstance(holder[key], int):
            holder[key] += random.choice((-1, 1))
        else:
            holder[key] = copy.deepcopy(random.choice(ODD_VALUES))
    return damaged


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (list, index) and (object, key) in a JSON value."""
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


@every_configuration
def test_pick_gives_every_listed_action_and_no_other(game_id: str, options: str) -> None:
    for seed in range(3):
        session = somewhere(game_id, options, seed, 9 * seed)
        listed = legal(session)
        random = Random(seed)
        assert {session.game.pick(session.state, random) for _ in range(20 * len(listed))} == set(listed)


@every_configuration
def test_playout_repeats_itself(game_id: str, options: str) -> None:
    one, other = (new(game_id, options, 3).playout(Random(4))[0] for _ in range(2))
    assert one.now.actions() == other.now.actions()
    assert record(one) == record(other)


# Views


@every_configuration
@settings(max_examples=30)
@given(seed=seeds, count=plies)
def test_view(game_id: str, options: str, seed: int, count: int) -> None:
    session = walk(new(game_id, options, seed), Random(seed), count)
    whole = record(session)
    for seat in session.game.seats(session.state):
        seen = session.game.view(session.state, seat)
        assert json.loads(json.dumps(seen)) == seen
        assert seen == expected_view(whole, seat)
    assert record(session) == whole


def expected_view(whole: Record, seat: str) -> Record:
    """What the rules let a seat know."""
    if whole["game"] == "spy":
        bases = {
            other: base
            if other == seat or whole["cards"] == "hidden"
            else [card if place in whole["exposed"][other] else "?" for place, card in enumerate(base)]
            for other, base in whole["bases"].items()
        }
        return {**whole, "bases": bases, "lit": {other: lit if other == seat else [] for other, lit in whole["lit"].items()}}
    if whole.get("cards") != "open":
        return whole
    hands = {other: hand if other == seat else len(hand) for other, hand in whole["hands"].items()}
    seen = {**whole, "hands": hands, "stock": len(whole["stock"])}
    if "drawn" in whole and whole["to_move"] != seat:
        seen["drawn"] = None
    return seen


@every_open_hand
@settings(max_examples=60)
@given(seed=seeds, count=plies)
def test_what_a_seat_cannot_know_changes_nothing_for_it(game_id: str, options: str, seed: int, count: int) -> None:
    """Exchange cards this seat cannot see: its view, its actions and the answers to them stay the same."""
    session, random = somewhere(game_id, options, seed, count), Random(seed)
    for seat in session.game.seats(session.state):
        exchanged = exchange_unseen_cards(record(session), seat, random)
        if exchanged is not None:
            same_for(session, exchanged, seat)


@pytest.mark.parametrize("options", [options for game, options in TABLE_OF_CONFIGURATIONS if game == "spy" and "hidden" not in options])
@settings(max_examples=80)
@given(seed=seeds, count=plies)
def test_unseen_cards_of_a_base_change_nothing_for_others(options: str, seed: int, count: int) -> None:
    session, random = somewhere("spy", options, seed, count), Random(seed)
    for seat in session.game.seats(session.state):
        exchanged = exchange_in_a_base(record(session), seat, random)
        if exchanged is not None:
            same_for(session, exchanged, seat)


def same_for(session: AnySession, exchanged: Record, seat: str) -> None:
    """The seat cannot tell the exchanged position from the session's."""
    game = session.game
    try:
        other = Session.at(game, exchanged)
    except BadArgument:
        return  # in Makaó the card drawn under a request must stay where it is
    session = Session.at(game, record(session))
    assert game.view(session.state, seat) == game.view(other.state, seat)
    if game.to_move(session.state) != seat:
        return
    words = DRAWS[game.id]
    own = [[action for action in legal(one) if action.split(" ")[0] not in words] for one in (session, other)]
    assert own[0] == own[1]
    for action in {*SOME_ACTIONS, *own[0]}:
        if action.split(" ")[0] not in words:
            assert seen_answer(session, action, seat) == seen_answer(other, action, seat), action


def seen_answer(session: AnySession, action: str, seat: str) -> Any:
    """What a seat sees of an action: the refusal, or its view afterwards and the announcements that name no hand."""
    try:
        after, said = session.do(action)
    except IllegalAction as refusal:
        return str(refusal)
    return after.game.view(after.state, seat), [entry for entry in said if entry["say"] not in ("sum", "hand")]


@every_open_hand
@given(seeds, plies)
def test_a_choice_with_a_card_plays_one_of_the_hand(game_id: str, options: str, seed: int, count: int) -> None:
    random = Random(seed)
    session = walk(new(game_id, options, seed), random, count)
    table, state = find_table(game_id), session.state
    choices, _ = table.menu(state, ())
    cards = {choice.card for choice in choices if choice.card is not None}
    mover = find_game(game_id).to_move(state)
    assert cards <= set(find_presentation(game_id).fans(find_game(game_id).record(state)).get(mover, ()))
    assert bool(cards) >= any(action.startswith(("play", "infect", "start")) for action in find_game(game_id).legal(state))
