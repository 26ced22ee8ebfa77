"""SPY on the laptop's page: the spies' tokens beside the board, and the game told in sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.game import Action, Announcement
from underboard.engine.gamekit.overlay import Site
from underboard.engine.gamekit.presentation import Piece, Presentation
from underboard.engine.games.spy.captions import named, parts
from underboard.engine.games.spy.rules import Spy
from underboard.engine.games.spy.state import State


class SpyPresentation(Presentation):
    """One spy a seat."""

    rules = Spy()

    def pieces(self, state: State) -> Sequence[Piece]:
        return [Piece(seat, seat) for seat in state.setup.seats]

    def standing(self, state: State) -> Mapping[Site, Sequence[str]]:
        return {f"{seat}{spy.gap}": [seat] for seat, spy in zip(state.setup.seats, state.spies, strict=True)}

    def help(self, words: Words) -> str:
        return words("Move and spy with ◀ ▶ OK; a long OK flips the spy after its move. The spy's token can be moved on a track, too.")

    def tell(self, before: State, after: State, action: Action, said: Sequence[Announcement], words: Words) -> Sequence[str]:
        seat = named(self.rules.to_move(before), words)
        return [told_action(seat, action, words), *(ANNOUNCED[each["say"]](each, words) for each in said)]


def told_action(seat: str, action: Action, words: Words) -> str:
    """Who did what."""
    verb, _, rest = action.partition(" ")
    if verb == "move":
        before, number, after = parts(action)
        return words(MOVED[before, after], seat=seat, number=number)
    if verb == "spy":
        return words("{seat} spies on {victim}", seat=seat, victim=named(rest, words))
    return words(N_("{seat} ends the turn") if verb == "end" else N_("{seat} answers"), seat=seat)


MOVED = {
    (False, False): N_("{seat}: the spy moves {number}"),
    (True, False): N_("{seat}: the spy flips and moves {number}"),
    (False, True): N_("{seat}: the spy moves {number} and flips"),
    (True, True): N_("{seat}: the spy flips, moves {number} and flips again"),
}
"""By a flip before and after."""

ANSWERED = {
    "safe": N_("{seat}: a safe, but not the target"),
    "secret": N_("{seat}: a top secret, but not the target"),
    "fuse": N_("{seat}: tsssssss! A bomb, its fuse burns from now on"),
    "nothing": N_("{seat}: that card lies open already"),
}


def told_answer(said: Announcement, words: Words) -> str:
    """What the one spied on said. [8]"""
    return words(ANSWERED[said["say"]], seat=named(said["of"], words))


def told_exposed(said: Announcement, words: Words) -> str:
    """The target was found. [8a]"""
    return words("{seat} turns card {number} over: {card}", seat=named(said["of"], words), number=said["place"] + 1, card=said["card"])


def told_lit(said: Announcement, words: Words) -> str:
    """A lit bomb was found. [8d]"""
    return words("{seat}: a lit bomb! {out} is out", seat=named(said["of"], words), out=named(said["out"], words))


def told_out(said: Announcement, words: Words) -> str:
    """All four targets are exposed. [9]"""
    return words("{seat} is out: all four targets are exposed", seat=named(said["seat"], words))


def told_win(said: Announcement, words: Words) -> str:
    """The last one in the game. [10]"""
    return words("{seat} wins", seat=named(said["seat"], words))


ANNOUNCED: Mapping[str, Callable[[Announcement, Words], str]] = {
    **dict.fromkeys(ANSWERED, told_answer),
    "exposed": told_exposed,
    "lit": told_lit,
    "out": told_out,
    "win": told_win,
}
