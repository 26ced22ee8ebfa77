"""The rules protocol to the letter: frames, failure codes in their order, every command, whatever a line may hold."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import entry_points, version
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from underboard.engine.cli import main as cli
from underboard.engine.gamekit.registry import find_game, game_ids
from underboard.engine.scripting.rules_protocol import RulesProtocol, dialogue, from_json, to_json

Ask = Callable[[str], tuple[bool, str]]

DEAL = "new_game hack_trick out=0,5 red=0,1,2,3 yellow=3,4,5"
COMMANDS = """do known_command legal list_commands list_games match name new_game next outcome playout position
protocol_version quit state to_move undo version view""".split()
NEED_A_GAME = ("to_move", "legal", "do x", "undo", "state", "view red", "outcome", "match", "next", "playout")
FRAME = re.compile(r"[=?][0-9]* [^\n]*(\n[^\n]+)*\n\n")
COMMAND_LINE = [sys.executable, "-m", "underboard", "rules"]


def answer(line: str) -> str | None:
    return RulesProtocol().answer(line)


def fails(ask: Ask, line: str, code: str) -> str:
    """The line fails with this code and leaves the state as it was; answers the sentence behind the code."""
    before = ask("state")
    success, text = ask(line)
    assert not success, f"{line!r} succeeded: {text}"
    found, colon, sentence = text.partition(": ")
    assert (found, colon) == (code, ": "), f"{line!r}: {text}"
    assert ask("state") == before, f"{line!r} failed and changed the state"
    assert sentence
    return sentence


def state(ask: Ask) -> Any:
    success, text = ask("state")
    assert success, text
    return json.loads(text)


def finished(ask: Ask, options: str = "seed=1 target=9") -> None:
    """A game of Hack Trick that is over."""
    assert ask(f"new_game hack_trick {options}")[0]
    assert ask("playout seed=1")[0]


# Frames


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        ("name", "= underboard\n\n"),
        ("name\n", "= underboard\n\n"),
        ("name\r\n", "= underboard\n\n"),
        ("  \t name \t ", "= underboard\n\n"),
        ("1 name", "=1 underboard\n\n"),
        ("007 name", "=007 underboard\n\n"),
        ("123456789012345678901234567890 name", "=123456789012345678901234567890 underboard\n\n"),
        ("name # and a comment", "= underboard\n\n"),
        ("name# and a comment", "= underboard\n\n"),
        ("3   protocol_version#", "=3 2\n\n"),
        ("known_command \t quit", "= true\n\n"),
        ("quit", "= \n\n"),
        ("4 quit", "=4 \n\n"),
    ],
)
def test_frame_of_a_success(line: str, whole: str) -> None:
    assert answer(line) == whole


@pytest.mark.parametrize(
    ("line", "start"),
    [
        ("5 nonsense", "?5 unknown_command: "),
        ("nonsense", "? unknown_command: "),
        ("6", "?6 unknown_command: "),
        ("6 # state", "?6 unknown_command: "),
        ("7 state", "?7 no_game: "),
        ("8name", "? unknown_command: "),
        ("-1 name", "? unknown_command: "),
        ("1.5 name", "? unknown_command: "),
        ("9 10 name", "?9 unknown_command: "),
        ("NAME", "? unknown_command: "),
        ("=1", "? unknown_command: "),
        ("٣ name", "? unknown_command: "),
    ],
)
def test_frame_of_a_failure(line: str, start: str) -> None:
    whole = answer(line)
    assert whole is not None
    assert whole.startswith(start)
    assert FRAME.fullmatch(whole)


@pytest.mark.parametrize("line", ["", "\n", "\r\n", "   ", "\t", "# name", "   # name", "#", "\x0b", "\u2003"])
def test_lines_without_a_command_are_ignored(line: str) -> None:
    assert answer(line) is None


def test_text_of_several_lines_ends_with_one_empty_line() -> None:
    whole = answer("list_commands")
    assert whole is not None
    assert whole.startswith("= do\nknown_command\n")
    assert FRAME.fullmatch(whole)


def test_line_ends_quoted_out_of_json_stay_inside_the_frame(ask: Ask) -> None:
    ask(DEAL)
    quoted = json.dumps("a\n\nb\r\u2028c")
    for line in (f'position {{"game":{quoted}}}', f'position {{"game":"hack_trick",{quoted}:1}}'):
        assert "a b c" in fails(ask, line, "bad_argument")
    record = state(ask)
    record["servers"] = {"\n\n= yes": ["r"]}
    fails(ask, f"position {json.dumps(record)}", "bad_argument")


# The commands of the Go Text Protocol


def test_commands_of_gtp(ask: Ask) -> None:
    assert ask("protocol_version") == (True, "2")
    assert ask("name") == (True, "underboard")
    assert ask("version") == (True, version("underboard"))
    assert ask("list_commands") == (True, "\n".join(COMMANDS))


def test_known_command(ask: Ask) -> None:
    assert all(ask(f"known_command {command}") == (True, "true") for command in COMMANDS)
    for unknown in ("nonsense", "NAME", "1", "boardsize", "known"):
        assert ask(f"known_command {unknown}") == (True, "false")


def test_list_games_is_sorted(ask: Ask) -> None:
    assert ask("list_games") == (True, "\n".join(sorted(game_ids())))


def test_the_dialogue_ends_at_quit() -> None:
    assert list(dialogue(["name\n", "1 quit\n", "name\n"])) == ["= underboard\n\n", "=1 \n\n"]
    assert list(dialogue(["quit now\n", "name\n"]))[-1] == "= underboard\n\n"
    assert list(dialogue(["# nothing\n", "\n"])) == []


# Failure codes: the first that fits


def test_unknown_command_comes_first(ask: Ask) -> None:
    assert "'nonsense'" in fails(ask, "nonsense", "unknown_command")
    finished(ask)
    fails(ask, "nonsense", "unknown_command")
    fails(ask, "state2", "unknown_command")


@pytest.mark.parametrize("command", NEED_A_GAME)
@pytest.mark.parametrize("more", ["", " and more than allowed"])
def test_no_game_comes_before_the_arguments(ask: Ask, command: str, more: str) -> None:
    success, text = ask(command + more)
    assert not success
    assert text.startswith("no_game: ")


@pytest.mark.parametrize("command", ["do", "view", "undo 1", "playout seed=x", "next seed=x", "match now"])
def test_no_game_comes_before_missing_arguments(ask: Ask, command: str) -> None:
    assert ask(command)[1].startswith("no_game: ")


@pytest.mark.parametrize(
    "line",
    [
        "new_game",
        "new_game chess",
        "new_game HACK_TRICK",
        "new_game hack_trick red",
        "new_game hack_trick seed",
        "new_game hack_trick =1",
        "new_game hack_trick seed=1 seed=1",
        "new_game hack_trick sed=1",
        "new_game hack_trick size=9",
        "new_game hack_trick seed=one",
        "new_game hack_trick cards=closed",
        "new_game hack_trick four=blue",
        "new_game hack_trick target=0",
        "new_game hack_trick out=0,5",
        "new_game hack_trick hack_trick",
        "position",
        "position state",
        "position {",
        "position {}",
        "position []",
        "position null",
        'position "hack_trick"',
        'position {"game":null}',
        'position {"game":1}',
        'position {"game":["hack_trick"]}',
        'position {"game":"chess"}',
        'position {"game":"hack_trick"}',
        'position {"game":"hack_trick","game":"hack_trick"}',
        "do",
        "undo 2",
        "undo all",
        "state red",
        "legal red",
        "to_move red",
        "outcome red",
        "match red",
        "view",
        "view blue",
        "view RED",
        "view red yellow",
        "next blue=1",
        "next four=red",
        "next target=5",
        "next seed=x",
        "next seed=1 seed=2",
        "next red",
        "playout 5",
        "playout seed=",
        "playout seed=1 seed=2",
        "playout count=1",
        "name underboard",
        "version 1",
        "protocol_version 2",
        "list_games all",
        "list_commands all",
        "known_command",
        "known_command name version",
        "quit now",
    ],
)
def test_bad_argument(ask: Ask, line: str) -> None:
    ask(DEAL)
    ask("do start 1")
    fails(ask, line, "bad_argument")
    assert ask("undo")[0], "the past is as it was, too"


@pytest.mark.parametrize("line", ["do", "next seed=x", "undo 1", "view blue", "playout 1"])
def test_bad_argument_comes_before_game_over(ask: Ask, line: str) -> None:
    finished(ask, "seed=1 target=1")
    fails(ask, line, "bad_argument")


def test_bad_argument_comes_before_a_game_that_is_not_over(ask: Ask) -> None:
    ask("new_game hack_trick cards=hidden out=0,5")
    fails(ask, "next", "bad_argument")
    fails(ask, "next out=0,5", "illegal_action")


@pytest.mark.parametrize("action", ["end", "start 1", "nonsense", "{}"])
def test_game_over_comes_before_illegal_action(ask: Ask, action: str) -> None:
    finished(ask)
    fails(ask, f"do {action}", "game_over")


def test_next_after_the_match_is_won(ask: Ask) -> None:
    finished(ask, "seed=1 target=1")
    fails(ask, "next", "game_over")
    fails(ask, "next seed=1", "game_over")


@pytest.mark.parametrize(
    "action", ["start 5", "start 6", "start", "start 1 2", "START 1", "infect 1", "nonsense", "1", "start  01", "draw", "next"]
)
def test_illegal_action(ask: Ask, action: str) -> None:
    ask(DEAL)
    fails(ask, f"do {action}", "illegal_action")


def test_next_before_the_game_is_over(ask: Ask) -> None:
    ask(DEAL)
    fails(ask, "next", "illegal_action")
    fails(ask, "next seed=1", "illegal_action")


def test_nothing_to_undo(ask: Ask) -> None:
    ask(DEAL)
    fails(ask, "undo", "nothing_to_undo")


@pytest.mark.parametrize("game", [game for game in game_ids() if game != "hack_trick"])
@pytest.mark.parametrize("command", ["match", "next", "next seed=1"])
def test_games_without_matches(ask: Ask, game: str, command: str) -> None:
    assert ask(f"new_game {game}")[0]
    fails(ask, command, "bad_argument")


# The commands one by one


def test_new_game_and_state(ask: Ask) -> None:
    assert ask(DEAL) == (True, "")
    found = state(ask)
    assert found["hands"] == {"red": [0, 1, 2, 3], "yellow": [3, 4, 5]}
    assert (found["game"], found["cards"], found["phase"], found["to_move"]) == ("hack_trick", "open", "start", "red")
    assert "\n" not in ask("state")[1]


@pytest.mark.parametrize("game", [game for game in game_ids() if find_game(game).seeded])
def test_a_seed_repeats_the_deal_and_no_seed_does_not(ask: Ask, game: str) -> None:
    def deal(options: str) -> str:
        assert ask(f"new_game {game} {options}") == (True, "")
        return ask("state")[1]

    assert deal("seed=7") == deal("seed=7")
    assert len({deal(f"seed={seed}") for seed in range(8)}) > 1
    assert len({deal("") for _ in range(8)}) > 1


def test_a_failed_new_game_keeps_the_old_one(ask: Ask) -> None:
    ask(DEAL)
    ask("do start 1")
    fails(ask, "new_game hack_trick out=0,5 red=0,1,2,3 yellow=5,5,5", "bad_argument")
    assert ask("undo") == (True, "")


def test_to_move_and_legal(ask: Ask) -> None:
    ask(DEAL)
    assert ask("to_move") == (True, "red")
    assert ask("legal") == (True, "start 0\nstart 1\nstart 2\nstart 3")
    finished(ask)
    assert ask("to_move") == (True, "none")
    assert ask("legal") == (True, "")
    assert state(ask)["to_move"] == "none"


def test_do_answers_announcements(ask: Ask) -> None:
    ask(DEAL)
    assert json.loads(ask("do start 1")[1]) == [{"say": "sum", "of": "red", "value": 5}, {"say": "sum", "of": "yellow", "value": 12}]
    assert ask("do   infect \t 3   giant  # a comment") == (True, "[]")


def test_undo_any_number_of_times(ask: Ask) -> None:
    ask(DEAL)
    states = [ask("state")]
    for action in ("start 1", "infect 3", "hack", "infect 2", "end"):
        assert ask(f"do {action}")[0]
        states.append(ask("state"))
    for before in states[-2::-1]:
        assert ask("undo") == (True, "")
        assert ask("state") == before
    fails(ask, "undo", "nothing_to_undo")


def test_undo_after_the_end(ask: Ask) -> None:
    finished(ask)
    assert ask("undo") == (True, "")
    assert json.loads(ask("outcome")[1]) == {"over": False}
    assert ask("legal")[1] != ""


def test_redo_gives_the_same_state(ask: Ask) -> None:
    ask(DEAL)
    ask("do start 1")
    after = ask("state")
    ask("undo")
    ask("do start 1")
    assert ask("state") == after


def test_position_without_a_game(ask: Ask) -> None:
    other = RulesProtocol()
    other.answer(DEAL)
    text = other.answer("state")
    assert text is not None
    assert ask(f"position {text[2:].strip()}") == (True, "")
    assert json.dumps(state(ask)) == json.dumps(json.loads(text[2:]))


def test_position_ends_the_past(ask: Ask) -> None:
    ask(DEAL)
    ask("do start 1")
    assert ask(f"position {ask('state')[1]}") == (True, "")
    fails(ask, "undo", "nothing_to_undo")


def test_position_takes_unsorted_multisets_and_blanks(ask: Ask) -> None:
    ask(DEAL)
    before = state(ask)
    shuffled = {key: before[key] for key in reversed(before)}
    shuffled["stock"] = before["stock"][::-1]
    shuffled["hands"] = {seat: hand[::-1] for seat, hand in before["hands"].items()}
    assert ask(f"position   {json.dumps(shuffled, indent=None)}") == (True, "")
    assert state(ask) == before


def test_position_in_phase_over_is_refused(ask: Ask) -> None:
    finished(ask)
    fails(ask, f"position {ask('state')[1]}", "bad_argument")


def test_no_json_is_too_deep_or_too_long(ask: Ask) -> None:
    ask(DEAL)
    text = ask("state")[1]
    for depth in (*range(800, 1010, 7), 100_000):
        fails(ask, f"position {'[' * depth}{']' * depth}", "bad_argument")
        fails(ask, "position " + text.replace('"row":[]', f'"row":{"[" * depth}{"]" * depth}'), "bad_argument")
    for number in ("9" * 400, "9" * 5000, "1e999", "NaN", "-Infinity", "3.0"):
        fails(ask, "position " + text.replace('"target":3', f'"target":{number}'), "bad_argument")


def test_view(ask: Ask) -> None:
    ask(DEAL)
    whole = state(ask)
    for seat, other in (("red", "yellow"), ("yellow", "red")):
        seen = json.loads(ask(f"view {seat}")[1])
        assert seen["hands"] == {seat: whole["hands"][seat], other: len(whole["hands"][other])}
        assert seen["stock"] == 9
        assert {**seen, "hands": None, "stock": None} == {**whole, "hands": None, "stock": None}


def test_outcome_and_match(ask: Ask) -> None:
    ask(DEAL)
    assert json.loads(ask("outcome")[1]) == {"over": False}
    assert json.loads(ask("match")[1]) == {"score": {"red": 0, "yellow": 0}, "target": 3, "winner": None}
    finished(ask, "seed=1 target=1")
    outcome = json.loads(ask("outcome")[1])
    assert outcome["over"] is True
    assert json.loads(ask("match")[1])["winner"] == outcome["winner"]


def test_next_starts_a_game_of_the_match(ask: Ask) -> None:
    finished(ask)
    winner = json.loads(ask("outcome")[1])["winner"]
    assert ask("next seed=4") == (True, "")
    found = state(ask)
    assert (found["phase"], found["four"]) == ("start", "red" if winner == "yellow" else "yellow")
    assert found["score"][winner] > 0
    fails(ask, "undo", "nothing_to_undo")


def test_playout(ask: Ask) -> None:
    ask(DEAL)
    beginning = ask("state")
    success, text = ask("playout seed=11")
    assert success
    answered = json.loads(text)
    assert answered["outcome"] == json.loads(ask("outcome")[1])
    assert answered["outcome"]["over"] is True
    end = ask("state")
    assert json.loads(ask("playout")[1]) == {"actions": 0, "outcome": answered["outcome"]}
    for _ in range(answered["actions"]):
        assert ask("undo")[0]
    assert ask("state") == beginning
    assert ask("playout seed=11") == (True, text)
    assert ask("state") == end
    fails(ask, "playout seed=x", "bad_argument")


def test_playout_without_a_seed_varies(ask: Ask) -> None:
    ends = set()
    for _ in range(8):
        ask(DEAL)
        ask("playout")
        ends.add(ask("state")[1])
    assert len(ends) > 1


def test_json_texts() -> None:
    assert to_json({"a": [1, None, "é"]}) == '{"a":[1,null,"é"]}'
    assert from_json('{"a":[1,null,true,2.5]}') == {"a": [1, None, True, 2.5]}


# Whatever a line may hold

words = st.sampled_from(
    [
        *COMMANDS,
        *game_ids(),
        *("red", "yellow", "p1", "start 1", "infect 3", "draw", "draw 2", "end", "hack", "spy"),
        *("seed=1", "out=0,5", "cards=hidden", "size=6", "#"),
    ]
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
positions = st.builds(
    lambda game, more: "position " + json.dumps({"game": game, **more}),
    st.sampled_from(game_ids()) | st.text(max_size=3),
    st.dictionaries(st.sampled_from(["cards", "phase", "hands", "row", "rows", "players"]) | st.text(max_size=3), json_values, max_size=4),
)
any_line = st.one_of(
    st.text(max_size=40),
    st.lists(words, max_size=5).map(" ".join),
    st.tuples(words, st.text(max_size=20)).map(" ".join),
    st.tuples(st.integers(0, 999), words, words).map(lambda parts: " ".join(map(str, parts))),
    positions,
)


@settings(max_examples=300)
@given(st.lists(any_line, max_size=12))
def test_any_lines_get_one_well_formed_answer_each(lines: list[str]) -> None:
    protocol = RulesProtocol()
    protocol.answer(DEAL)
    for line in lines:
        before = protocol.answer("state")
        whole = protocol.answer(line)
        if whole is None:
            assert not line.partition("#")[0].split()
            continue
        assert FRAME.fullmatch(whole), whole
        if whole.startswith("?"):
            assert re.match(r"\?[0-9]* (unknown_command|no_game|bad_argument|game_over|illegal_action|nothing_to_undo): .", whole)
            assert protocol.answer("state") == before


# As a process


def run(text: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(COMMAND_LINE, input=text, capture_output=True, timeout=60, check=False)


def test_the_command_is_underboard_rules() -> None:
    (script,) = entry_points(group="console_scripts", name="underboard")
    assert script.load() is cli.main


@pytest.mark.parametrize("end", [b"quit\n", b"", b"name", b"quit"])
def test_exit_status_is_0_at_quit_and_at_the_end_of_input(end: bytes) -> None:
    done = run(b"1 name\n" + end)
    assert done.returncode == 0
    assert done.stderr == b""
    assert done.stdout.startswith(b"=1 underboard\n\n")
    assert done.stdout.endswith(b"\n\n")


def test_nothing_is_answered_after_quit() -> None:
    assert run(b"quit\nname\n").stdout == b"= \n\n"


def test_bytes_that_are_no_text_end_nothing() -> None:
    done = run(b'\xff\xfe\nposition {"game":"\\ud800"}\nnew_game \xc3\xa9\n\x00\n2 name\n')
    assert done.returncode == 0
    assert done.stderr == b""
    assert done.stdout.count(b"\n\n") == 5
    assert done.stdout.endswith(b"=2 underboard\n\n")


def test_every_answer_is_flushed_at_once(ask_process: Ask) -> None:
    assert ask_process("name") == (True, "underboard")
    assert ask_process(DEAL) == (True, "")
    assert ask_process("legal")[1].split("\n") == ["start 0", "start 1", "start 2", "start 3"]
    assert ask_process("do start 4")[1].startswith("illegal_action: ")
