"""A table's configuration: the defaults, files, and everything that is wrong with one at once."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from underboard.engine.app.config import CONFIG_FILE, SETTINGS, Config, ConfigError, example_text, load_config, read_config, table_folder
from underboard.engine.base.i18n import LANGUAGES
from underboard.engine.gamekit.registry import game_ids
from underboard.hardware.board.cell_map import CellMap, write_cell_map


def refused(text: str) -> list[str]:
    """What is said about a file, without its name."""
    with pytest.raises(ConfigError) as error:
        read_config(text)
    lines = str(error.value).splitlines()
    assert all(line.startswith(f"{CONFIG_FILE}: ") for line in lines)
    return [line.removeprefix(f"{CONFIG_FILE}: ") for line in lines]


def quoted(*words: str) -> str:
    """Words as a configuration is told of those that it can have."""
    return ", ".join(f'"{word}"' for word in words)


PLAYED = "game.begin = 'hack_trick'\n"


def test_the_example_and_an_empty_file_are_the_reference_table() -> None:
    assert read_config(example_text()) == read_config("") == Config()


def test_the_game_to_begin_with() -> None:
    config = read_config("[game]\nbegin = 'spy'\nlanguage = 'hu'\n[game.options]\ntrack = 'on'\nplayers = 4")
    assert (config.game_id, config.language, dict(config.options)) == ("spy", "hu", {"track": "on", "players": "4"})
    assert config.setup(5).options["track"] == "on"
    assert config.setup(5).seed == 5


def test_the_page_can_have_further_names() -> None:
    assert read_config("page.names = ['game.example', 'pi']").page.names == ("game.example", "pi")


def test_a_game_may_be_chosen_at_the_table() -> None:
    assert read_config("game.begin = ''").game_id == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "game.begin = 'chess'",
            [f'game.begin: one of {quoted(*game_ids(), "")} is needed, not "chess"'],
        ),
        ("game.language = 'xx'", [f'game.language: one of {quoted(*LANGUAGES)} is needed, not "xx"']),
        ("page.host = ''", ['page.host: an address is needed: "127.0.0.1" for this computer alone, "0.0.0.0" for its network']),
        (
            "page.enabled = 1\npage.port = 80",
            ["page.enabled: true or false is needed, not 1", "page.port: a whole number from 1024 to 65535 is needed, not 80"],
        ),
        (
            "page.names = ['game.example:8021']",
            ['page.names: a list of names of this computer without port, like ["game.example"], is needed, not ["game.example:8021"]'],
        ),
        ("game.journal = ''", ['game.journal: the name of a file in quotes is needed, not ""']),
        ("board.cell_map = '.'", ['board.cell_map: the name of a file in quotes is needed, not "."']),
        (
            PLAYED + "game.options.targt = 1",
            ["game.options: unknown option 'targt': allowed are calls, cards, four, out, red, seed, target, yellow"],
        ),
        (
            PLAYED + "game.options.cards = 'hidden'",
            ["game.options: out: with cards=hidden the two cards turned up are needed, as in out=0,5"],
        ),
        (
            "game.begin = ''\ngame.dealer = 'reader'",
            ["game.dealer: it counts for nothing while game.begin is empty: the cards are chosen at the table, too"],
        ),
        (
            "game.begin = ''\ngame.options.target = 1",
            [
                "game.options: they count for nothing while game.begin is empty: name the game that they are for",
            ],
        ),
        (PLAYED + "board.rows = [4, 5]", ["board.rows: hack_trick needs 9 rows and 9 columns, the board has 2 and 10"]),
        (
            PLAYED + "board.wired_to = 'pico'\npico.columns = [20]",
            ["pico.columns: hack_trick needs 9 rows and 9 columns, the board has 10 and 1"],
        ),
    ],
)
def test_what_is_wrong_is_said(text: str, said: list[str]) -> None:
    assert refused(text) == said


def test_everything_that_is_wrong_is_said_at_once() -> None:
    told = refused("[game]\nbegin = 'spi'\n[boord]\nx = 1\n[board]\nrows = [2, 4]\n[keys]\nok = 4\n[game.options]\nx = 'y'")
    assert [line.partition(": ")[0] for line in told] == ["game.begin", "boord", "board.rows", "keys.ok"]


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(ConfigError, match=r"no\.toml: there is no such file: underboard config -o .*no\.toml writes one"):
        load_config(Path("no.toml"))


def test_files_that_are_no_text(tmp_path: Path) -> None:
    binary = tmp_path / "table.toml"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=f"{binary}: this is no text in UTF-8"):
        load_config(binary)
    with pytest.raises(ConfigError, match=f"{tmp_path}: Is a directory"):
        load_config(tmp_path)


def test_an_editor_may_put_a_mark_of_utf_8_first(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("game.begin = 'spy'", encoding="utf-8-sig")
    assert load_config(path).game_id == "spy"


def test_names_of_files_are_those_in_the_folder_of_the_table(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("game.deck = '/a/deck.toml'\nboard.cell_map = 'b.toml'", encoding="utf-8")
    config = load_config(path, {"STATE_DIRECTORY": "/var/lib/x:/var/lib/y"})
    assert config.file == path
    assert config.journal == Path("/var/lib/x/journal.sqlite3")
    assert config.cell_map == Path("/var/lib/x/b.toml")
    assert config.deck("spy") == Path("/a/deck.toml")
    assert Config().deck("spy").name == "cards-spy.toml"


def test_the_folder_of_the_table(tmp_path: Path) -> None:
    user = {"XDG_STATE_HOME": "/home/me/state"}
    assert table_folder({"STATE_DIRECTORY": "/s"}, tmp_path) == Path("/s")
    assert table_folder(user, tmp_path) == tmp_path
    assert table_folder(user, tmp_path / "not installed") == Path("/home/me/state/underboard")


def test_the_cell_map(tmp_path: Path) -> None:
    config = Config(folder=tmp_path)
    assert config.read_cell_map() is None
    write_cell_map(config.cell_map, CellMap(10, 10, 90), "turned")
    assert config.read_cell_map() == CellMap(10, 10, 90)
    config.cell_map.write_text("rows = 'x'", encoding="utf-8")
    with pytest.raises(ConfigError, match=f"{config.cell_map}: .*`underboard selftest` writes a new one"):
        config.read_cell_map()
    write_cell_map(config.cell_map, CellMap(10, 8), "of another board")
    with pytest.raises(ConfigError, match="this is the map of 10 x 8 sensors, the board has 10 x 10: `underboard selftest`"):
        config.read_cell_map()
    config.cell_map.write_bytes(b"\xff")
    with pytest.raises(ConfigError, match=f"^{config.cell_map}: this is no text in UTF-8: `underboard selftest` writes a new one"):
        config.read_cell_map()


def test_a_cell_map_that_was_named_has_to_be_there(tmp_path: Path) -> None:
    config = read_config("board.cell_map = 'other.toml'", CONFIG_FILE, tmp_path)
    with pytest.raises(ConfigError, match=f"board.cell_map: there is no file {tmp_path}/other.toml: `underboard selftest` writes it"):
        config.read_cell_map()


WORDS = ["", "pico", "gpio", "spi", "none", "auto", "reader", "hidden", "/dev/serial0", "\x00", "x" * 300]
OPTION_NAMES = ["cards", "out", "target", "players", "board", "seed", "x y"]
VALUES = st.one_of(
    st.integers(-1, 70),
    st.sampled_from([10**30, True, 1.5, *WORDS]),
    st.lists(st.integers(-1, 30), max_size=14),
    st.dictionaries(st.sampled_from(OPTION_NAMES), st.sampled_from(["hidden", "0,5", "", 3])),
)


def written(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {written(entry)}" for key, entry in value.items()) + "}"
    return json.dumps(value)


@given(st.dictionaries(st.sampled_from([setting.key for setting in SETTINGS]), VALUES, max_size=6))
@settings(max_examples=60)
def test_whatever_is_written_is_used_or_refused_with_its_key(given_values: dict[str, Any]) -> None:
    text = "\n".join(f"{key} = {written(value)}" for key, value in given_values.items())
    config, refusal = read_or_refused(text)
    assert all(re.match(rf"{CONFIG_FILE}: [a-z0-9_.]+: .", line) for line in refusal.splitlines())
    lines = [line for _, line in config.box.uses()]
    assert all(0 <= line <= 27 for line in lines)
    assert len(set(lines)) == len(lines)


def read_or_refused(text: str) -> tuple[Config, str]:
    """The configuration, or the default one and why it is not this."""
    try:
        return read_config(text), ""
    except ConfigError as error:
        return Config(), str(error)
