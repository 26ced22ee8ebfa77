"""How long games are: every game ends, and the page says it of each that is played."""

from __future__ import annotations

import pytest

from tests.bench import lengths
from tests.bench.lengths import CONFIGURATIONS, END, HEAD, PAGE, PLAYERS, START, Endless, Length, play, row
from underboard.engine.gamekit.registry import game_ids, title_of

ROWS = [(game_id, options) for game_id, all_options in CONFIGURATIONS.items() for options in all_options]


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(("game_id", "options"), ROWS)
def test_every_game_ends(game_id: str, options: str, player: str) -> None:
    found = play(game_id, options, PLAYERS[player], seed=1)
    assert found.actions >= found.turns > 0


def test_the_same_seed_plays_the_same_game() -> None:
    assert play("makao", "", PLAYERS["greedy"], seed=3) == play("makao", "", PLAYERS["greedy"], seed=3)


def test_a_game_that_does_not_end_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lengths, "MOST_ACTIONS", 5)
    with pytest.raises(Endless, match="spy players=3: seed 1 has not ended"):
        play("spy", "players=3", PLAYERS["random"], seed=1)


def test_a_row_says_median_shortest_and_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    played = iter([Length(9, 3, "red"), Length(11, 5, "yellow"), Length(10, 4, "red")] * 2)
    monkeypatch.setattr(lengths, "play", lambda *_: next(played))
    assert list(row("hack_trick", "calls=both", 3)) == ["`calls=both`", *["10 (9–11)", "4 (3–5)", "67 %"] * 2]


def test_the_page_has_a_row_for_each_game_and_option() -> None:
    measured = PAGE.read_text(encoding="utf-8").partition(START)[2].partition(END)[0]
    sections = {part.partition("\n")[0]: part for part in measured.split("## ")[1:]}
    assert set(CONFIGURATIONS) == set(game_ids())
    for game_id, all_options in CONFIGURATIONS.items():
        lines = sections[title_of(game_id)].splitlines()
        assert HEAD in lines
        names = [line.split(" | ")[0].removeprefix("| ") for line in lines if line.startswith(("| `", "| as"))]
        assert names == [f"`{options}`" if options else "as it is" for options in all_options]
