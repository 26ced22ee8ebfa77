"""Sessions: every state is kept, so everything can be taken back; a session never changes."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from underboard.engine.base.errors import BadArgument, GameOver, IllegalAction, NothingToUndo
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_game
from underboard.engine.gamekit.session import Session

DEAL = {"out": "0,5", "red": "0,1,2,3", "yellow": "3,4,5"}


def started() -> Session[Any]:
    return Session.new(find_game("hack_trick"), Options(DEAL))


def record(session: Session[Any]) -> Any:
    return session.game.record(session.state)


def test_new_refuses_what_the_game_leaves() -> None:
    with pytest.raises(BadArgument, match="unknown option 'size'"):
        Session.new(find_game("hack_trick"), Options({"size": "9"}))


def test_do_answers_a_new_session_and_leaves_the_old_one() -> None:
    session = started()
    before = record(session)
    after, said = session.do("start 1")
    assert [entry["say"] for entry in said] == ["sum", "sum"]
    assert record(session) == before
    assert record(after)["row"] == [1]
    assert after.now.ply == 1


def test_a_refused_action_raises() -> None:
    with pytest.raises(IllegalAction):
        started().do("start 5")


def test_undo_to_the_beginning_and_no_further() -> None:
    sessions = [started()]
    for action in ("start 1", "infect 4", "hack", "infect 0"):
        sessions.append(sessions[-1].do(action)[0])
    back = sessions[-1]
    for earlier in sessions[-2::-1]:
        back = back.undo()
        assert record(back) == record(earlier)
        assert back.now.ply == earlier.now.ply
    with pytest.raises(NothingToUndo, match="beginning"):
        back.undo()


def test_actions_since_the_beginning() -> None:
    session = started()
    assert session.now.actions() == []
    for action in ("start 1", "infect 4", "end"):
        session = session.do(action)[0]
    assert session.now.actions() == ["start 1", "infect 4", "end"]
    assert session.undo().do("hack")[0].now.actions() == ["start 1", "infect 4", "hack"]


def test_two_futures_share_a_past() -> None:
    past = started().do("start 1")[0]
    one, other = past.do("infect 3")[0], past.do("infect 4")[0]
    assert one.now.before is other.now.before is past.now


def test_at_begins_at_a_position() -> None:
    session = started().do("start 1")[0]
    again = Session.at(session.game, record(session))
    assert record(again) == record(session)
    with pytest.raises(NothingToUndo):
        again.undo()


def test_playout_is_repeatable_and_can_be_taken_back() -> None:
    session = started()
    end, count = session.playout(Random(5))
    assert end.outcome()["over"] is True
    assert session.outcome() == {"over": False}
    assert count == len(end.now.actions()) == end.now.ply
    assert session.playout(Random(5))[0].now.actions() == end.now.actions()
    back = end
    for _ in range(count):
        back = back.undo()
    assert record(back) == record(session)


def test_playout_counts_from_where_it_starts() -> None:
    session = started().do("start 1")[0]
    end, count = session.playout(Random(5))
    assert end.now.ply == count + 1
    assert end.playout(Random(6))[1] == 0
    with pytest.raises(GameOver):
        end.do("end")


def test_next_is_a_beginning() -> None:
    end, _ = Session.new(find_game("hack_trick"), Options({"seed": "1", "target": "9"})).playout(Random(1))
    following = end.next(Options({"seed": "2"}))
    assert following.now.ply == 0
    with pytest.raises(NothingToUndo):
        following.undo()
    with pytest.raises(IllegalAction):
        following.next(Options({"seed": "3"}))


def test_a_very_long_past_is_no_burden() -> None:
    session = started().do("start 1")[0]
    moment = session.now
    for ply in range(200_000):
        moment = type(moment)(session.state, "end", moment, ply)
    assert len(moment.actions()) == 200_001
    del moment
