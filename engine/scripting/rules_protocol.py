"""The rules protocol: commands in, answers out, framed like the Go Text Protocol, version 2.

`RulesProtocol.answer` turns one line into one answer; it holds the only state, the running session. A failure leaves
that session as it was, because sessions never change.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from typing import Any, NamedTuple

from underboard.engine.base.errors import BadArgument, GameError, GameOver
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_game, game_ids
from underboard.engine.gamekit.session import Session

MOST_DIGITS = 18
"""Of a whole number in a position: far more than any game counts, far less than Python can write."""


class NoGame(GameError):
    """A command that needs a game, and there is none yet."""

    code = "no_game"


class UnknownCommand(GameError):
    """Not a command of this protocol."""

    code = "unknown_command"


class ProtocolCommand(NamedTuple):
    """What a command does with the text behind it, whether it needs a game and whether it takes arguments."""

    run: Callable[[str], str]
    needs_game: bool
    takes_arguments: bool


class RulesProtocol:
    """The engine without a table, as a dialogue of text lines."""

    def __init__(self) -> None:
        self._session: Session[Any] | None = None
        self.finished = False
        self._commands: dict[str, ProtocolCommand] = {
            "protocol_version": ProtocolCommand(lambda _: "2", False, False),
            "name": ProtocolCommand(lambda _: "underboard", False, False),
            "version": ProtocolCommand(lambda _: version("underboard"), False, False),
            "known_command": ProtocolCommand(self._known_command, False, True),
            "list_commands": ProtocolCommand(lambda _: "\n".join(sorted(self._commands)), False, False),
            "quit": ProtocolCommand(self._quit, False, False),
            "list_games": ProtocolCommand(lambda _: "\n".join(game_ids()), False, False),
            "new_game": ProtocolCommand(self._new_game, False, True),
            "position": ProtocolCommand(self._position, False, True),
            "to_move": ProtocolCommand(lambda _: self._game.to_move(self._state), True, False),
            "legal": ProtocolCommand(lambda _: "\n".join(self._game.legal(self._state)), True, False),
            "do": ProtocolCommand(self._do, True, True),
            "undo": ProtocolCommand(self._undo, True, False),
            "state": ProtocolCommand(lambda _: to_json(self._game.record(self._state)), True, False),
            "view": ProtocolCommand(self._view, True, True),
            "outcome": ProtocolCommand(lambda _: to_json(self._game.outcome(self._state)), True, False),
            "match": ProtocolCommand(lambda _: to_json(self._game.match(self._state)), True, False),
            "next": ProtocolCommand(self._next, True, True),
            "playout": ProtocolCommand(self._playout, True, True),
        }

    def answer(self, line: str) -> str | None:
        """The whole answer to one line, with its closing empty line; None for a line without a command."""
        text = " ".join(line.partition("#")[0].split())
        match = re.match(r"([0-9]+)(?: |\Z)", text)
        number = match[1] if match else ""
        if match:
            text = text[match.end() :]
        if not text and not match:
            return None
        try:
            return f"={number} {self._run(text)}\n\n"
        except GameError as error:
            return f"?{number} {error.code}: {on_one_line(error)}\n\n"

    def _run(self, text: str) -> str:
        name, _, rest = text.partition(" ")
        command = self._commands.get(name)
        if command is None:
            raise UnknownCommand(f"'{name}' is no command: list_commands lists them")
        if command.needs_game and self._session is None:
            raise NoGame("no game yet: new_game GAME starts one")
        if rest and not command.takes_arguments:
            raise BadArgument(f"{name} takes no argument")
        return command.run(rest)

    @property
    def _running(self) -> Session[Any]:
        if self._session is None:
            raise NoGame("no game yet: new_game GAME starts one")
        return self._session

    @property
    def _game(self) -> Any:
        return self._running.game

    @property
    def _state(self) -> Any:
        return self._running.state

    def _known_command(self, rest: str) -> str:
        return "true" if one_word("known_command", rest) in self._commands else "false"

    def _quit(self, _: str) -> str:
        self.finished = True
        return ""

    def _new_game(self, rest: str) -> str:
        if not rest:
            raise BadArgument(f"new_game needs a game: {', '.join(game_ids())}")
        game_id, *words = rest.split(" ")
        self._session = Session.new(find_game(game_id), Options.parse(words))
        return ""

    def _position(self, rest: str) -> str:
        record = from_json(rest)
        if not isinstance(record, dict) or not isinstance(record.get("game"), str):
            raise BadArgument("a position is a JSON object as `state` gives it, with the key 'game'")
        self._session = Session.at(find_game(record["game"]), record)
        return ""

    def _do(self, rest: str) -> str:
        if not rest:
            raise BadArgument("do needs an action: legal lists them")
        if self._game.over(self._state):
            raise GameOver("the game is over")
        self._session, said = self._running.do(rest)
        return to_json(said)

    def _undo(self, _: str) -> str:
        self._session = self._running.undo()
        return ""

    def _view(self, rest: str) -> str:
        seat, seats = one_word("view", rest), self._game.seats(self._state)
        if seat not in seats:
            raise BadArgument(f"unknown seat '{seat}': seats are {', '.join(seats)}")
        return to_json(self._game.view(self._state, seat))

    def _next(self, rest: str) -> str:
        self._session = self._running.next(Options.parse(rest.split(" ") if rest else []))
        return ""

    def _playout(self, rest: str) -> str:
        options = Options.parse(rest.split(" ") if rest else [])
        random = options.random()
        options.finish()
        self._session, count = self._running.playout(random)
        return to_json({"actions": count, "outcome": self._running.outcome()})


def one_word(command: str, rest: str) -> str:
    """The one argument of `command`; raises BadArgument when there is none or there are several."""
    if not rest or " " in rest:
        raise BadArgument(f"{command} needs one argument")
    return rest


def on_one_line(error: GameError) -> str:
    """An error's text; what it quotes out of JSON may have line ends, and an empty line would end the answer."""
    return " ".join(str(error).split())


def to_json(value: Any) -> str:
    """JSON on one line, without blanks."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def from_json(text: str) -> Any:
    """The value of a JSON text; raises BadArgument for what is no JSON, for a key that stands twice and for endless numbers."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) < len(pairs):
            raise ValueError("a key stands twice in one object")
        return dict(pairs)

    def whole(digits: str) -> int:
        if len(digits) > MOST_DIGITS:
            raise ValueError(f"a number has more than {MOST_DIGITS} digits")
        return int(digits)

    try:
        return json.loads(text, object_pairs_hook=once, parse_int=whole)
    except (ValueError, RecursionError) as error:
        raise BadArgument(f"this is no JSON: {error}") from None


def dialogue(lines: Iterable[str]) -> Iterator[str]:
    """The answers to a stream of lines, until `quit` or the end."""
    protocol = RulesProtocol()
    for line in lines:
        answer = protocol.answer(line)
        if answer is not None:
            yield answer
        if protocol.finished:
            return
