"""Hack Trick: what a referee may set by hand."""

from __future__ import annotations

from collections.abc import Sequence

from underboard.engine.gamekit.game import Record
from underboard.engine.gamekit.table import Change, Overrides
from underboard.engine.games.hack_trick.state import GIANT, NORMAL, SEATS, STACK, TOKEN, State

OFF = "off"
KINDS = ("normal", "giant")


class HackTrickOverrides(Overrides):
    """Whose turn it is, the score, the tokens on the servers."""

    def names(self, state: State) -> Sequence[str]:
        if state.result:
            return ()
        scores = [
            f"score {seat} {points}" for number, seat in enumerate(SEATS) for points in range(state.target) if points != state.score[number]
        ]
        return [
            f"turn {SEATS[1 - state.mover]}",
            *scores,
            *(f"token {server} {what}" for server in range(1, 10) for what in tokens(state, server)),
        ]

    def apply(self, record: Record, name: str) -> tuple[Record, Change]:
        match name.split():
            case ["turn", seat]:
                phase = "start" if record["phase"] == "start" else "main"
                begun: Record = {key: None for key in ("forced", "firewalled", "called") if key in record}
                return {**record, "phase": phase, "to_move": seat, "spied": False, **begun}, Change()
            case ["score", seat, points]:
                return {**record, "score": {**record["score"], seat: int(points)}}, Change()
            case [_, server, what, *kind]:
                return with_token(record, server, what, KINDS.index(kind[0]) if kind else NORMAL)
        raise ValueError(name)


def tokens(state: State, server: int) -> Sequence[str]:
    """What can be done to the tokens of a server: one more of a seat that has it in supply, or one less."""
    standing = state.servers[server]
    seats = [seat for seat in (0, 1) if len(standing) < STACK - 1 and not set(standing) & set(TOKEN[1 - seat])]
    kinds = [(seat, kind) for seat in seats for kind in (NORMAL, GIANT) if state.supply[seat][kind]]
    return [f"{SEATS[seat]} {KINDS[kind]}" for seat, kind in kinds] + [OFF] * bool(standing)


def with_token(record: Record, server: str, what: str, kind: int) -> tuple[Record, Change]:
    """One token less on a server, a normal one if there is one, or one more; it comes out of the supply or goes back there."""
    standing = list(record["servers"].get(server, ()))
    if what == OFF:
        letter = max(standing)  # small letters, the normal tokens, come last
        standing.remove(letter)
        change = Change(clears=(server,), puts=(server,) * len(standing))
    else:
        letter = TOKEN[SEATS.index(what)][kind]
        standing.append(letter)
        change = Change(puts=(server,))
    servers = {**record["servers"], server: standing}
    return {
        **record,
        "servers": {key: value for key, value in servers.items() if value},
        "supply": moved(record, letter, what == OFF),
    }, change


def moved(record: Record, letter: str, back: bool) -> Record:
    """The supplies after a token has come out of one, or has gone back."""
    seat, kind = next((SEATS[seat], kind) for seat in (0, 1) for kind in (NORMAL, GIANT) if TOKEN[seat][kind] == letter)
    key = KINDS[kind]
    own = record["supply"][seat]
    return {**record["supply"], seat: {**own, key: own[key] + (1 if back else -1)}}
