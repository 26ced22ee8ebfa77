"""What the engine refuses. Each error has the failure code of the rules protocol; its text says why, to a player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from underboard.errors import UnderboardError


class Plural(NamedTuple):
    """A template of an English text for one thing, and that for another number of them; `count` in the values is the number.

    Other languages have forms of their own (gettext's `ngettext`).
    """

    one: str
    many: str


Template = str | Plural
"""An English text with `{names}` of values, or both forms of one."""


class Text(NamedTuple):
    """An English text that another language may replace: a template, and the values of its `{names}`."""

    template: Template
    values: Mapping[str, object]

    def __str__(self) -> str:
        return english(self.template, self.values)


def english(template: Template, values: Mapping[str, object]) -> str:
    """A template with its values, in English."""
    text = template if isinstance(template, str) else template.one if values["count"] == 1 else template.many
    return text.format(**values) if values else text


class GameError(UnderboardError, ValueError):
    """Something that is refused; the state is as it was. Raised with the template of its reason and the values for it."""

    fault = "player"

    code: ClassVar[str]

    def __init__(self, template: Template, **values: object) -> None:
        self.reason = Text(template, values)
        super().__init__(str(self.reason))


class IllegalAction(GameError):
    """The action is not allowed now, or cannot be read as one."""

    code = "illegal_action"


class GameOver(GameError):
    """The game, or the match, has ended."""

    code = "game_over"


class BadArgument(GameError):
    """An option, a seat, a card list or a position that cannot be; the text names it and what is allowed."""

    code = "bad_argument"

    def __init__(self, template: Template, *, option: str = "", **values: object) -> None:
        """`option` is the option of a game that is to blame, "" if no single one is; of several the first."""
        super().__init__(template, **values)
        self.option = option


class NothingToUndo(GameError):
    """The game is at its beginning."""

    code = "nothing_to_undo"
