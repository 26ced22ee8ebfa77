"""SPY at the table: what the keys run through and how many presses it takes, tokens on a track, sounds, every screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from underboard.engine.base.errors import BadArgument
from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.panel import WIDTHS
from underboard.engine.gamekit.registry import find_game, find_overlay, find_presentation, find_print
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.gamekit.table import Change
from underboard.engine.games.spy.captions import answer_text
from underboard.engine.games.spy.screen import targets_line
from underboard.engine.journal.database import read_match
from underboard.engine.journal.history import resume
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.events import BoardRead, KeyPressed, Ordered, Tone
from underboard.engine.referee.screen import screen
from underboard.engine.referee.state import TableState
from underboard.engine.referee.step import step
from underboard.engine.scripting.export import script_of
from underboard.engine.scripting.parser import LineReader
from underboard.engine.scripting.runner import Runner, replay
from underboard.hardware.panel.picture import problems

GREEN = "S2,B1,T1,S1,B1,T2,B2"
RED = "T1,T2,S2,S1,B1,B1,B2"
OPEN = {"green": GREEN, "red": RED, "green.spy": "3R"}


def table(**options: str) -> TableState:
    at, _ = open_table(new_setup("spy", {key.replace("_", "."): value for key, value in options.items()}, 1, hands="open"))
    return step(at, BoardRead(at.layout.spaces, True), 0)[0]


def ordered(at: TableState, *actions: str) -> TableState:
    for action in actions:
        at = step(at, Ordered(action), 0)[0]
    return at


def pressed(at: TableState, *keys: str, held: bool = False) -> TableState:
    for key in keys:
        at = step(at, KeyPressed(key, held), at.keys_rest_until)[0]
    return at


def names(at: TableState) -> list[str]:
    return [choice.name for choice in at.choices]


def at_name(at: TableState, name: str) -> TableState:
    return replace(at, cursor=names(at).index(name))


# What the keys run through


def test_moves_then_spies_then_the_end() -> None:
    at = table(**OPEN)
    assert names(at) == ["move f1f", "move 1f", "move f1", "move 1", "spy red", "end"]
    assert at.selected == "move 1"


def test_a_long_ok_adds_the_flip_after_the_move() -> None:
    assert pressed(table(**OPEN), "ok", held=True).session.now.action == "move 1f"


def test_after_the_game_a_new_one_with_the_same_options() -> None:
    at = ordered(table(cards="hidden", ts2="literal", track="on"), "spy red", "answer bomb", "end", "end", "spy red", "answer lit")
    assert (at.over, names(at)) == (True, ["new game"])
    again = pressed(at, "ok")
    assert (again.over, again.state.setup.eliminates) == (False, False)
    assert again.layout.spaces == {"green0", "red0"}


def presses(at: TableState, name: str) -> int:
    """The fewest presses that do an action; a long OK adds the flip after a move."""
    ways = [choice.name for choice in at.choices if name in choice.actions]
    return min(min((way := (names(at).index(each) - at.cursor) % len(names(at))), len(names(at)) - way) + 1 for each in ways)


def turn_presses(at: TableState, first: str, second: str) -> int:
    """The most presses of a turn: an action of each kind in this order, then the end; answers are somebody else's."""
    most = 0
    for action in [name for name in names(at) if name.startswith(first)]:
        after = ordered(at, action)
        if after.setup.game.phase(after.state) == "answer":
            after = ordered(after, after.choices[0].name)
        for other in [name for name in names(after) if name.startswith(second)]:
            most = max(most, presses(at, action) + presses(after, other) + 1)
    return most


@pytest.mark.parametrize("players", ["2", "3", "4"])
@pytest.mark.parametrize("cards", ["open", "hidden"])
def test_the_longest_turn_takes_six_keys_at_most(players: str, cards: str) -> None:
    at = table(players=players, cards=cards)
    assert turn_presses(at, "move", "spy") <= 6


@pytest.mark.parametrize(("players", "cards"), [("2", "open"), ("3", "open"), ("2", "hidden")])
def test_so_does_a_turn_that_begins_with_spying(players: str, cards: str) -> None:
    assert turn_presses(table(players=players, cards=cards), "spy", "move") <= 6


def test_an_answer_takes_three_keys_at_most() -> None:
    at = ordered(table(cards="hidden"), "spy red")
    assert names(at) == ["answer target", "answer safe", "answer secret", "answer bomb"]
    assert max(presses(at, name) for name in names(at)) == 3


# The track


def test_without_a_track_no_token_moves() -> None:
    at = table(**OPEN)
    assert (at.changes, at.layout.spaces) == ({}, frozenset())
    with pytest.raises(BadArgument, match="no space 'green0': nothing stands on the board in this game, sensors @r1c1 to @r10c10"):
        at.setup.overlay.cell("green0")


@pytest.mark.parametrize(("players", "gaps"), [("2", 14), ("3", 18), ("4", 24)])
def test_a_track_has_the_gaps_of_all_who_play(players: str, gaps: int) -> None:
    assert len(find_overlay("spy", {"track": "on", "players": players}).spaces) == gaps


def test_spies_stand_on_the_track_from_the_beginning() -> None:
    at = table(**OPEN, track="on")
    assert at.layout.spaces == {"green3", "red0"}
    assert at.changes["move 1f"] == Change(clears=("green3",), puts=("green4",), lift_first=True)


def test_a_track_is_on_or_off() -> None:
    with pytest.raises(BadArgument, match="allowed are on, off"):
        new_setup("spy", {"track": "maybe"}, 1, hands="open")


# Sounds, pages


@pytest.mark.parametrize(("red", "tone"), [("T1,T2,S2,B1,S1,B1,B2", "fuse"), (RED, "right")])
def test_a_fuse_is_heard(red: str, tone: str) -> None:
    at = table(**{**OPEN, "red": red})
    assert step(at, Ordered("spy red"), 0)[1][-1] == Tone(tone)


# Screens


def walks() -> Iterator[tuple[str, TableState]]:
    """Tables along random games of all sorts, every choice under the cursor."""
    for players in "234":
        for options in ({}, {"cards": "hidden"}, {"ts2": "literal"}, {"track": "on"}):
            at = table(players=players, first="red", **options)
            random = Random(int(players))
            for _ in range(70):
                for cursor in range(len(at.choices)):
                    yield f"{players} {options} {at.session.now.ply} {cursor}", replace(at, cursor=cursor)
                if at.over:
                    break
                at = ordered(at, random.choice(list(at.setup.game.legal(at.state))))
                at = step(at, BoardRead(at.layout.spaces, True), 0)[0]


def tokens() -> Iterator[tuple[str, TableState]]:
    """A token is awaited, asked about, or stands wrong."""
    at = table(**OPEN, track="on")
    chosen = pressed(at, "ok")
    yield "awaiting", chosen
    yield "lifted", step(chosen, BoardRead(frozenset({"red0"}), True), 0)[0]
    yield "blind", replace(chosen, faulty=frozenset({"green4"}))
    lifted = step(at, BoardRead(frozenset({"red0"}), True), 0)[0]
    asked = step(lifted, BoardRead(frozenset({"red0", "green4"}), True), 0)[0]
    assert names(asked) == ["move 1", "move 1f"]
    for cursor in range(2):
        yield f"asked {cursor}", replace(asked, cursor=cursor)
    for name, sensed in (("missing", {"red0"}), ("extra", {"green3", "red0", "red1"}), ("wrong", {"green3", "red4"})):
        yield name, replace(at, sensed=frozenset(sensed), wrong=True)


REFUSED = ("jump", "move 3", "move 2", "move f2", "spy green", "spy blue", "spy nobody", "answer safe", "answer", "undo")


def refusals() -> Iterator[tuple[str, TableState]]:
    """What the game refuses."""
    yield from ((f"refused {action}", ordered(table(**OPEN), action)) for action in REFUSED)
    asked = ordered(table(cards="hidden"), "spy red")
    yield from ((f"refused {action}", ordered(asked, action)) for action in ("end", "answer lit"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_can_be_drawn(language: str) -> None:
    words = find_words(language)
    shown = [*walks(), *tokens(), *refusals()]
    assert {name: found for name, at in shown if (found := problems(screen(at, words)))} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_selected_is_never_in_small_type(language: str) -> None:
    words = find_words(language)
    small = {line.text for _, at in walks() for line in screen(at, words) if line.size == "small" and line.text.startswith("‹")}
    assert small == set()


def test_no_panel_shows_a_hidden_card() -> None:
    at = table(green="S2,B1,T1,S1,B1,T2,B2", red="T1,T2,S2,S1,B1,B1,B2", green_spy="0R")
    shown = " ".join(line.text for line in screen(ordered(at, "spy red"), find_words("en")))
    assert "B2" not in shown
    assert "BOMB: TSSSS" in shown


# Written down and played again


def played(folder: Path, options: str, seed: int) -> Any:
    """Plays by hands; answers the state that the first journal leads to."""
    random, reader, number = Random(seed), LineReader(), 0

    def line(text: str) -> Any:
        nonlocal number
        number += 1
        return reader.read(number, text)

    first = line(f"table spy {options} seed={seed} journal={folder / 'first.journal'}")
    with Runner(first.arguments) as runner:
        told = runner.play(first)
        for _ in range(25):
            told = tidied(runner, line, told)
            what = "key back hold=1s" if random.random() < 0.1 else f"choose {random.choice(told['choices'])}"
            told = runner.play(line(what))
            if not told["did"] and what.startswith("choose move"):
                told = moved(runner, line, told)
            if told["phase"] == "over":
                break
    return resume(read_match(folder / "first.journal")).state


def moved(runner: Runner, line: Any, told: dict[str, Any]) -> dict[str, Any]:
    """Moves the token that a choice awaits."""
    action = told["selected"]
    change = resume_changes(runner)[action]
    runner.play(line(f"lift {change.clears[0]}"))
    return runner.play(line(f"place {change.puts[0]}"))


def resume_changes(runner: Runner) -> Any:
    return runner._app.table.changes


def tidied(runner: Runner, line: Any, told: dict[str, Any]) -> dict[str, Any]:
    """The tokens go where they belong, and a refusal is read."""
    for space in sorted(set(told["sensed"]) - set(told["expected"])):
        told = runner.play(line(f"lift {space}"))
    for space in sorted(set(told["expected"]) - set(told["sensed"])):
        told = runner.play(line(f"place {space}"))
    return runner.play(line("key right")) if told["alert"] else told


@pytest.mark.parametrize("options", ["", "track=on", "players=4 cards=hidden", "players=3 track=on cards=hidden"])
def test_a_game_written_down_is_played_to_the_same_end(options: str, tmp_path: Path) -> None:
    state = played(tmp_path, options, 3)
    first, *rest = script_of(read_match(tmp_path / "first.journal"))
    script = tmp_path / "match.table"
    script.write_text("\n".join([f"{first} journal={tmp_path / 'second.journal'}", *rest]), encoding="utf-8")
    failures = [(report["line"], report["command"], failure) for report, failure in replay(script) if failure]
    assert not failures, "\n".join([str(failures), *rest])
    assert resume(read_match(tmp_path / "second.journal")).state == state


def test_armenian_cards_have_armenian_letters_in_hands_on_the_panel_and_on_paper() -> None:
    words = find_words("hy")
    presentation, prints = find_presentation("spy"), find_print("spy")
    assert [presentation.card(name, words) for name in ("S1", "[T2]", "B1*", "◀")] == ["Ս1", "[Հ2]", "Ռ1*", "◀"]
    assert [prints.face(card, words).corner for card in ("red S1", "blue T2", "green B1")] == ["Ս1", "Հ2", "Ռ1"]
    assert answer_text({"say": "exposed", "of": "red", "place": 2, "card": "T1"}, words) == "Հ1՝ քարտ 3"
    assert answer_text({"say": "secret", "of": "red"}, words) == "ՀՈՒՅԺ ԳԱՂՏՆԻ"


@pytest.mark.parametrize("language", LANGUAGES)
def test_targets_fit_whoever_is_out(language: str) -> None:
    words = find_words(language)
    state = find_game("spy").new(Options({"players": "4", "seed": "1"}))
    for out in ((), (1,), (1, 2)):
        line = targets_line(state._replace(out=out), words)
        assert len(line.text) <= WIDTHS[line.size]
