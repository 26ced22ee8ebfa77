"""SPY on the panel: the card that a spy looks at is the same one in the question, the answer, the log, the memory and a refusal.

The players sit across from each other, so a card is as far from its holder's left end as the spy's card is from the spy's right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.gamekit.game import Action
from underboard.engine.gamekit.overlay import NO_SPACES
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.games.spy.presentation import SpyPresentation
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.events import BoardRead, Ordered
from underboard.engine.referee.find_alerts import find_alert
from underboard.engine.referee.screen import screen
from underboard.engine.referee.state import TableState
from underboard.engine.referee.step import step
from underboard.hardware.panel.picture import problems

SEATS = ("green", "red", "blue", "yellow")


def all_situations() -> Iterator[tuple[int, str, str, int, str]]:
    """Players, seeker, victim, gap and direction of every spy that can ask."""
    for players in (2, 3, 4):
        seats = SEATS[:players]
        for seeker in seats:
            for victim in seats:
                if victim != seeker:
                    for gap in range(7 if players == 2 else 6):
                        yield from ((players, seeker, victim, gap, side) for side in "RL")


SITUATIONS = list(all_situations())


def asking(players: int, seeker: str, victim: str, gap: int, side: str) -> TableState:
    """The table after the question."""
    options = {"cards": "hidden", "players": str(players), "first": seeker, f"{seeker}.spy": f"{gap}{side}"}
    at, _ = open_table(new_setup("spy", options, 1))
    return ordered(step(at, BoardRead(NO_SPACES, True), 0)[0], f"spy {victim}")


def ordered(at: TableState, *actions: Action) -> TableState:
    for action in actions:
        at, _ = step(at, Ordered(action), 0)
    return at


def shown(at: TableState, language: str = "en") -> str:
    return "\n".join(line.text for line in screen(at, find_words(language)))


def from_the_holders_left(players: int, gap: int, side: str) -> int:
    """The victim's card, counted from 1, by walking along the fans."""
    size = 7 if players == 2 else 6
    seekers_fan = list(range(1, size + 1))
    spys_card = seekers_fan[gap % size] if side == "R" else seekers_fan[gap - 1]
    opposite = dict(zip(seekers_fan, reversed(seekers_fan), strict=True))
    return opposite[spys_card]


@pytest.mark.parametrize(("players", "seeker", "victim", "gap", "side"), SITUATIONS)
def test_question_answer_log_memory_and_refusal_name_the_same_card(players: int, seeker: str, victim: str, gap: int, side: str) -> None:
    asked = asking(players, seeker, victim, gap, side)
    card = from_the_holders_left(players, gap, side)
    assert f"your card {card} from left" in shown(asked)

    alert = find_alert(ordered(asked, "answer lit"))
    assert alert is not None
    assert alert.text(find_words("en")).startswith(f"your card {card} from the left has not been lit")

    answered = ordered(asked, "answer target")
    assert f"S1 is card {card}" in shown(answered)
    assert answered.setup.game.record(answered.state)["exposed"][victim] == [card - 1]

    log, english = SpyPresentation(), find_words("en")
    assert asked.session.now.before is not None
    assert log.action_text(asked.session.now.before.state, f"spy {victim}", english).endswith(f": card {card} from the left")
    turned = log.announcement_text(answered.said[0], answered.state, english)
    assert turned == f"{victim.upper()} turns card {card} from the left over: S1"


def truth(card: str, target: str) -> str:
    """What an honest player answers about a card that nobody has found yet."""
    if card == target:
        return "target"
    return {"S": "safe", "T": "secret", "B": "bomb"}[card[0]]


@pytest.mark.parametrize(("players", "seeker", "victim", "gap", "side"), SITUATIONS)
def test_whoever_answers_truly_is_never_refused_later(players: int, seeker: str, victim: str, gap: int, side: str) -> None:
    base = ["S1", "T2", "B1", "S2", "T1", "B1", "B2"][: 7 if players == 2 else 6]
    asked = asking(players, seeker, victim, gap, side)
    card = int(re.findall(r"your card (\d) from left", shown(asked))[0])
    answered = ordered(asked, f"answer {truth(base[card - 1], 'S1')}", "end")
    while answered.setup.game.to_move(answered.state) != victim:
        answered = ordered(answered, "end")
    before_it = answered.state.spies[SEATS.index(victim)]._replace(gap=card - 1, right=True)
    at_seat = SEATS.index(victim)
    spies = (*answered.state.spies[:at_seat], before_it, *answered.state.spies[at_seat + 1 :])
    moving = answered.setup.game.legal(answered.state._replace(spies=spies))
    assert f"move {base[card - 1][1]}" in moving


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 4])
def test_every_language_names_the_card_and_has_room_for_it(language: str, players: int) -> None:
    for gap in range(7 if players == 2 else 6):
        asked = asking(players, "green", "red", gap, "R")
        card = from_the_holders_left(players, gap, "R")
        for at in (asked, ordered(asked, "answer target")):
            lines = screen(at, find_words(language))
            assert not problems(lines)
            assert str(card) in "".join(line.text for line in lines)
