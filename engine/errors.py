"""What the engine refuses. Each error has the failure code of the rules protocol; its text says why, to a player."""

from __future__ import annotations

from typing import ClassVar


class GameError(ValueError):
    """Something that is refused; the state is as it was."""

    code: ClassVar[str]


class IllegalAction(GameError):
    """The action is not allowed now, or cannot be read as one."""

    code = "illegal_action"


class GameOver(GameError):
    """The game, or the match, has ended."""

    code = "game_over"


class BadArgument(GameError):
    """An option, a seat, a card list or a position that cannot be; the text names it and what is allowed."""

    code = "bad_argument"


class NothingToUndo(GameError):
    """The game is at its beginning."""

    code = "nothing_to_undo"
