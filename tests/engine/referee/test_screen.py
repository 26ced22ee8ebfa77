"""The panel that everybody sees: it fits in every language, wherever the hands are."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from underboard.engine.app.pixels import pixels
from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.gamekit.registry import game_ids
from underboard.engine.gamekit.settings import PANEL, PHONES
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.referee.actions import open_table, perform
from underboard.engine.referee.screen import public_screen

PLIES = 40
MOST_PLAYERS = {"makao": "5", "sequence_numbers": "6", "spy": "4"}


@pytest.mark.parametrize("hands", [PANEL, PHONES])
@pytest.mark.parametrize("game_id", game_ids())
def test_it_fits_in_every_language_with_most_players_and_fewest(game_id: str, hands: str) -> None:
    for options in ({}, {"players": MOST_PLAYERS[game_id]} if game_id in MOST_PLAYERS else {}):
        random = Random(1)
        table = replace(open_table(new_setup(game_id, options, 1, hands=hands))[0], seat_pages=True)
        for _ in range(PLIES):
            for language in LANGUAGES:
                lines = public_screen(table, find_words(language))
                assert pixels(lines)
                assert not [line.text for line in lines if line.text.endswith("…")]
            if not table.over:
                table, _ = perform(table, table.setup.game.pick(table.state, random))
