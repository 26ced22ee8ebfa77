"""Reading table scripts: every kind of line, and for every mistake the file, the line and the reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underboard.engine.app.simulation.faults import Fault
from underboard.engine.base.i18n import LANGUAGES
from underboard.engine.scripting.parser import Expectation, ScriptError, ScriptLine, read_script, without_comment

TABLE = "table hack_trick four=red"


def read(*lines: str) -> Sequence[ScriptLine]:
    """The commands after the `table` line."""
    return read_script("\n".join([TABLE, *lines]), "evening.table")[1:]


def arguments(line: str) -> Any:
    lines = ["together", line, "end"] if line == "end" else [line]
    return read(*lines)[0].arguments


def refusal(*lines: str) -> str:
    with pytest.raises(ScriptError) as refused:
        read_script("\n".join(lines), "evening.table")
    return str(refused.value)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("place 4a", "4a"),
        ("lift @r3c2", "@r3c2"),
        ("slide 4a 5b 6c", (["4a", "5b", "6c"], 150)),
        ("slide 4a 5b dwell=1.5s", (["4a", "5b"], 1500)),
        ("key ok", ("ok", 80)),
        ("key back hold=800ms", ("back", 800)),
        ("choose infect 3 giant", "infect 3 giant"),
        ("choose   infect \t 3", "infect 3"),
        ("wait 300ms", 300),
        ("wait 2s", 2000),
        ("wait 10min", 600_000),
        ("wait 1h", 3_600_000),
        ("do infect 3", "infect 3"),
        ("fault cell 4a stuck=closed", Fault("cell", "stuck", "closed", "4a")),
        ("power cut", "cut"),
        ("power on", "on"),
        ("snap panel.png", "panel.png"),
    ],
)
def test_every_kind_of_line(line: str, found: Any) -> None:
    (command,) = read(line)
    assert (command.number, command.text, command.verb) == (2, line, line.split()[0])
    assert command.arguments == found


def test_the_table_line() -> None:
    (command,) = read_script(
        "table hack_trick four=red target=1 seed=-7 lang=hu oled=sh1106 journal=a.sqlite3 board=gpio dealer=engine", "s"
    )
    line = command.arguments
    assert (line.game_id, line.options) == ("hack_trick", {"four": "red", "target": "1"})
    assert (line.seed, line.language, line.oled, line.journal) == (-7, "hu", "sh1106", "a.sqlite3")
    (command,) = read_script("table hack_trick", "s")
    line = command.arguments
    assert (line.options, line.seed, line.language, line.oled, line.journal) == ({}, None, "en", "ssd1306", None)


def test_blank_lines_comments_and_line_ends_do_not_matter() -> None:
    text = "# an evening\r\n\r\n  table hack_trick  # the game\r\n\t place 4a\t# a token\r\n   # nothing\r\nlift 4a"
    commands = read_script(text, "s")
    assert [(command.number, command.text) for command in commands] == [(3, "table hack_trick"), (4, "place 4a"), (6, "lift 4a")]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("place 4a # here", "place 4a"),
        ("place 4a#here", "place 4a"),
        ("# all", ""),
        ('expect screen has "# 1"', 'expect screen has "# 1"'),
        ('expect screen has "# 1" # "two"', 'expect screen has "# 1"'),
        ('expect screen has "say \\"#\\" 1" # x', 'expect screen has "say \\"#\\" 1"'),
        ('expect screen has half " a quote # x', 'expect screen has half " a quote'),
        ('expect screen has "RED    0:0"', 'expect screen has "RED    0:0"'),
    ],
)
def test_comments_end_a_line_but_not_inside_quotes(line: str, text: str) -> None:
    assert without_comment(line) == text


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('expect did == ["infect 3"]', Expectation("did", "==", ["infect 3"], '["infect 3"]')),
        ("expect alert != null", Expectation("alert", "!=", None, "null")),
        ("expect outcome.points == 2", Expectation("outcome.points", "==", 2, "2")),
        ("expect screen has RED wins", Expectation("screen", "has", "RED wins", "RED wins")),
        ('expect screen has "RED    0:0"', Expectation("screen", "has", "RED    0:0", '"RED    0:0"')),
        ("expect alert.cells hasnt 4a", Expectation("alert.cells", "hasnt", "4a", "4a")),
        ('expect  say   has {"say":"win"}', Expectation("say", "has", {"say": "win"}, '{"say":"win"}')),
    ],
)
def test_expectations(line: str, found: Expectation) -> None:
    assert arguments(line) == found


def test_together_and_end() -> None:
    assert [command.verb for command in read("together", "place 4a", "wait 5ms", "end", "together", "end")] == [
        "together",
        "place",
        "wait",
        "end",
        "together",
        "end",
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("jump 4a", "'jump' is no command: there are table, place, lift, "),
        ("PLACE 4a", "'PLACE' is no command"),
        ("table hack_trick", "there is a table already"),
        ("place", "one space is needed"),
        ("place 4a 5a", "one space is needed"),
        ("place 4d", "there is no space '4d': spaces are 1a, 1b, "),
        ("place @r11c1", "there is no space '@r11c1'"),
        ("lift c4", "there is no space 'c4'"),
        ("slide 4a", "slide needs two spaces or more"),
        ("slide", "slide needs two spaces or more"),
        ("slide 4a 5a dwell=150", "'150' is no time"),
        ("slide 4a dwell=150ms 5a", "there is no space 'dwell=150ms'"),
        ("key", "key '': there are left, right, ok, back"),
        ("key up", "key 'up': there are left, right, ok, back"),
        ("key ok for=1s", "only hold=TIME is allowed"),
        ("key ok hold=1s hold=2s", "only hold=TIME is allowed"),
        ("key ok hold=long", "'long' is no time"),
        ("choose", "the name of a choice is needed"),
        ("wait", "'' is no time: write 300ms, 2s, 1min or 3h"),
        ("wait 300", "'300' is no time"),
        ("wait -1s", "'-1s' is no time"),
        ("wait 99999999999s", "99999999999s is too long: 366d is the longest time"),
        ("wait ٣s", "is no time"),
        ("together now", "together takes nothing: 'now'"),
        ("end", "`end` without `together`"),
        ("do", "an action is needed"),
        ("fault", "fault '': there are cell, matrix, oled, clock, "),
        ("power", "power=: allowed are cut, on"),
        ("power off", "power=off: allowed are cut, on"),
        ("expect", "expect needs a key, one of == != has hasnt, and a value"),
        ("expect did ==", "expect needs a key, one of == != has hasnt, and a value"),
        ("expect did = 3", "'=' is no comparison: there are ==, !=, has, hasnt"),
        ("snap", "a file name is needed"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(line: str, reason: str) -> None:
    said = refusal("# a script", TABLE, "", line, "place 4a")
    assert said.startswith("evening.table, line 4: ")
    assert reason in said


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("table", "table needs a game"),
        ("table chess", "'chess'"),
        ("table hack_trick four", "'four' is not an option: options are written key=value"),
        ("table hack_trick =red", "'=red' is not an option"),
        ("table hack_trick four=red four=red", "option 'four' is given twice"),
        ("table hack_trick lang=xx", f"lang=xx: allowed are {', '.join(LANGUAGES)}"),
        ("table hack_trick oled=st7735", "oled=st7735: allowed are ssd1306, sh1106"),
        ("table hack_trick board=lego", "board=lego: allowed are gpio, pico"),
        ("table hack_trick dealer=robot", "dealer=robot: allowed are engine, reader"),
        ("table hack_trick seed=red", "seed=red: a whole number is needed"),
        ("place 4a", "the first command is `table GAME`"),
    ],
)
def test_a_table_that_cannot_be_set_is_refused(line: str, reason: str) -> None:
    said = refusal("", line)
    assert said.startswith("evening.table, line 2: ")
    assert reason in said


def test_a_script_must_be_whole() -> None:
    assert refusal("", "# nothing") == "evening.table, line 2: the script has no `table` line"
    assert refusal(TABLE, "together", "place 4a") == "evening.table, line 3: `together` without `end`"
    assert refusal(TABLE, "together", "together") == "evening.table, line 3: `together` inside `together`"


def problem(text: str) -> str:
    """What is wrong with a script, "" if nothing is."""
    try:
        read_script(text, "s")
    except ScriptError as error:
        return str(error)
    return ""


@given(st.text(max_size=40))
def test_any_line_is_read_or_refused_with_its_number(line: str) -> None:
    assert (problem(f"{TABLE}\n{line}") or "s, line ").startswith("s, line ")


WORDS = st.sampled_from(
    ["fault", "cell", "4a", "expect", "did", "==", "key", "ok", "hold=1s", "end", "together", '"', "#", "slide", "wait", "1s"]
)


@given(st.lists(st.lists(WORDS, max_size=5).map(" ".join), max_size=4))
def test_any_words_are_read_or_refused(lines: list[str]) -> None:
    assert (problem("\n".join([TABLE, *lines])) or "s, line ").startswith("s, line ")
