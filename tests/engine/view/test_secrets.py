"""What a seat or a spectator cannot know by the rules changes nothing that it can see, hear or get as an answer.

Two tables are set side by side at every ply of an evening: the one that is played, and a twin in which cards that one eye does not
see are exchanged. The same things happen at both: what that eye sends from its own page (its choices, keys, those of others, out of
turn), what anybody does at the panel before the curtain and behind it, tokens that stand where they should not, time. As long as
the eye's view by the rules is the same at both, all that leaves for it has to be the same byte for byte.

SECRETS_EXAMPLES is how many evenings of each kind are played; `make secrets` plays many more than the tests do, and others each time.
"""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.twins import at, twin_for, view_of
from underboard.engine.app.pixels import pixels
from underboard.engine.app.service.loop import summary
from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.gamekit.game import Seat
from underboard.engine.gamekit.registry import find_presentation
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.referee.actions import open_table, perform
from underboard.engine.referee.events import BoardRead, Chosen, Did, Event, KeyPressed, Ordered, TimePassed, Tone
from underboard.engine.referee.find_alerts import find_public_alert
from underboard.engine.referee.screen import public_screen, screen
from underboard.engine.referee.state import LOOK_MS, TableState
from underboard.engine.referee.step import step
from underboard.engine.view.game_log import GameLog
from underboard.engine.view.page_record import Surroundings, page_record
from underboard.engine.view.visibility import seen_by

EVENINGS = {
    "hack_trick": ({}, {"calls": "both", "target": "1"}),
    "makao": ({"players": "3"}, {"players": "5", "specials": "any", "sets": "pairs"}),
    "sequence_numbers": ({"board": "house8"}, {"players": "4", "board": "house8"}),
    "spy": ({}, {"players": "4", "setup": "arrange"}),
}
MODES = ("panel", "phones")
ROWS = [(game, options, hands) for game, all_options in EVENINGS.items() for options in all_options for hands in MODES]
EXAMPLES = int(os.environ.get("SECRETS_EXAMPLES", "8"))
PLIES = 8
"""How many actions of an evening are looked at, one after the other."""
PROBES = 4
"""How many things happen between two of them."""


@dataclass
class Eyed:
    """A table and what one eye has got of it."""

    table: TableState
    log: GameLog
    tones: list[str]
    now: int

    def happen(self, event: Event, heard: bool) -> None:
        """`heard`: whether this eye hears the answer as one that depends on nothing that it does not know."""
        self.now += 1_000 if not isinstance(event, TimePassed) else LOOK_MS
        self.table, effects = step(self.table, event, self.now)
        self.log.follow(self.table, [effect for effect in effects if isinstance(effect, Did)])
        if heard:
            self.tones += [effect.name for effect in effects if isinstance(effect, Tone)]

    def copied(self, **changes: Any) -> Eyed:
        return Eyed(replace(self.table, **changes), copy.deepcopy(self.log), list(self.tones), self.now)


@pytest.mark.parametrize(("game_id", "options", "hands"), ROWS, ids=[f"{g} {o} {h}" for g, o, h in ROWS])
@given(seed=st.integers(0, 2**32 - 1), begun=st.integers(0, 60), language=st.sampled_from(LANGUAGES))
@settings(max_examples=EXAMPLES, derandomize="SECRETS_EXAMPLES" not in os.environ)
def test_what_an_eye_cannot_know_changes_nothing_for_it(
    game_id: str, options: dict[str, str], hands: str, seed: int, begun: int, language: str
) -> None:
    random = Random(seed)
    table, _ = open_table(new_setup(game_id, {**options, "seed": str(seed)}, seed, hands=hands), language)
    played = Eyed(replace(table, seat_pages=hands == "phones"), GameLog(), [], 0)
    played.happen(BoardRead(frozenset(), True), heard=False)
    for _ in range(begun):
        play_on(played, random)
    for _ in range(PLIES):
        if played.table.over:
            break
        seat = random.choice([None, *played.table.setup.game.seats(played.table.state)])
        compare_with_twin(played, seat, random)
        play_on(played, random)


def play_on(played: Eyed, random: Random) -> None:
    """One more action, with its tokens where they belong."""
    if not played.table.over:
        table, effects = perform(played.table, played.table.setup.game.pick(played.table.state, random))
        played.table = table
        played.log.follow(table, [effect for effect in effects if isinstance(effect, Did)])
        played.happen(BoardRead(table.layout.spaces, True), heard=False)


def compare_with_twin(played: Eyed, seat: Seat | None, random: Random) -> None:
    """Nothing that happens makes a difference for this eye, for as long as the rules make none."""
    session = played.table.session
    other = twin_for(session, seat, random)
    if other is None:
        return
    one, twin = played.copied(session=at(session, session.game.record(session.state))), played.copied(session=other)
    assert view_of(one.table.session, seat) == view_of(twin.table.session, seat)
    assert everything(one, seat) == everything(twin, seat)
    for event in probes(one, seat, random):
        heard = one.table.covered or is_sent_by(event, seat)
        for each in (one, twin):
            each.happen(event, heard)
        if view_of(one.table.session, seat) != view_of(twin.table.session, seat) or one.table.said != twin.table.said:
            return  # something became known
        if shown_by_tokens(one.table) != shown_by_tokens(twin.table):
            return  # whoever puts tokens on the board finds out what the mover could do with them: docs/secrets.md
        assert everything(one, seat) == everything(twin, seat), event


def shown_by_tokens(table: TableState) -> tuple[bool, bool]:
    """Whether tokens out of place can be an action, and whether they are said to be none."""
    return table.asked, table.wrong


def is_sent_by(event: Event, seat: Seat | None) -> bool:
    return isinstance(event, KeyPressed | Chosen) and event.seat is not None and event.seat == seat


def probes(eyed: Eyed, seat: Seat | None, random: Random) -> Iterator[Event]:
    """What may happen between two actions, without anything that only the mover's own hand would do."""
    for _ in range(PROBES):
        table = eyed.table
        game = table.setup.game
        names = [choice.name for choice in table.setup.table.menu(table.state, ())[0]]
        key = random.choice(["left", "right", "ok", "back"])
        held = random.random() < 0.3
        kinds: list[Event] = [TimePassed(), misplaced(table, random), Ordered("no such action")]
        if key != "ok" and (key, held) != ("left", True) and (key, held) != ("back", True):
            kinds.append(KeyPressed(key, held))
        if not table.uncovered:
            kinds.append(KeyPressed("ok"))  # the mover looks
        if seat is not None:
            kinds += [KeyPressed(key, held, seat=seat), Chosen("nonsense", seat)]
            if seat != game.to_move(table.state) and names:
                kinds.append(Chosen(random.choice(names), seat))
        yield random.choice(kinds)


def misplaced(table: TableState, random: Random) -> Event:
    """Tokens as they should be, or one more, or one less."""
    spaces = set(table.layout.spaces)
    if table.sites and random.random() < 0.7:
        spaces ^= {random.choice(sorted(table.setup.overlay.spaces))}
    return BoardRead(frozenset(spaces), True)


def everything(eyed: Eyed, seat: Seat | None) -> Sequence[str]:
    """All that leaves a table for one eye: its page, the panel as it may be seen, lights, sounds, the log, the line of the status."""
    table, words = eyed.table, find_words(eyed.table.language)
    lines = screen(table, words)
    around = Surroundings({}, lines, pixels(lines), tuple(eyed.log.entries), (), draw=pixels)
    seats = table.setup.game.seats(table.state)
    audience = "watch" if seat is None else f"seat {seats.index(seat) + 1}"
    public = public_screen(table, words)
    alert = find_public_alert(table)
    shown = [json.dumps(seen_by(audience, page_record(table, around)), sort_keys=True)]
    shown += [json.dumps([line.text for line in public]), pixels(public), str(alert and alert.wrong), summary(table), *eyed.tones]
    if table.covered:
        shown += [json.dumps([line.text for line in lines]), pixels(lines)]
    return shown


@pytest.mark.parametrize(("game_id", "options", "hands"), ROWS, ids=[f"{g} {o} {h}" for g, o, h in ROWS])
@pytest.mark.parametrize("seed", range(3))
def test_no_text_of_a_page_names_a_card_that_only_others_hold(game_id: str, options: dict[str, str], hands: str, seed: int) -> None:
    random = Random(seed)
    table, _ = open_table(new_setup(game_id, {**options, "seed": str(seed)}, seed, hands=hands))
    played = Eyed(replace(table, seat_pages=hands == "phones"), GameLog(), [], 0)
    page, game = find_presentation(game_id), table.setup.game
    for _ in range(25):
        play_on(played, random)
        if played.table.over:
            return
        state = played.table.state
        whole = {seat: page.fans(game.view(state, seat))[seat] for seat in game.seats(state)}
        record = page_record(played.table, Surroundings({}, (), "", (), (), draw=pixels))
        for number, seat in enumerate(game.seats(state), 1):
            seen = seen_by(f"seat {number}", record)
            assert seen["hands"][seat] == list(whole[seat])
            mine = {card for card in whole[seat] if card is not None}
            assert set(seen["playable"]) <= mine
            if seat != game.to_move(state):
                assert (seen["choices"], seen["selected"]) == ([], None)
