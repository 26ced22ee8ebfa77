"""How costs grow with the size of the board and the number of players: curves, and whether they stay below a straight line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from tests.bench.paired import rate
from tests.bench.playouts import playout
from tests.bench.rows import Row
from tests.bench.scans import SIZES, scan_of_size_us
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_game
from underboard.engine.gamekit.session import Session

SECONDS, TRIES = 0.05, 3
WIDTH = 40
PLAYERS = {"makao": (3, 4, 5), "sequence_numbers": (2, 3, 4, 6), "spy": (2, 3, 4)}


@dataclass(frozen=True, slots=True)
class Curve:
    """What a thing costs, by size; `key` names the row."""

    key: str
    what: str
    unit: str
    sizes: Mapping[str, int]
    """What grows, by what is written beside the point."""
    costs: Sequence[float]

    @property
    def row(self) -> Row:
        """The largest beside the smallest: it may cost as many times more as it is larger."""
        first, *_, last = self.sizes.values()
        cheapest, *_, dearest = self.costs
        larger, dearer = last / first, dearest / cheapest
        return Row(self.key, self.what, "times the cost", dearer, f"times the size: {'…'.join(ends(self.sizes))}", larger, larger / dearer)

    def drawn(self) -> str:
        """The curve as a bar a size."""
        most = max(self.costs)
        bars = [
            f"  {name:>6} {cost:9.1f} {self.unit} {'█' * round(WIDTH * cost / most)}"
            for name, cost in zip(self.sizes, self.costs, strict=True)
        ]
        return "\n".join([self.what, *bars])


def ends(names: Mapping[str, int]) -> tuple[str, str]:
    """The first and the last."""
    first, *_, last = names
    return first, last


def matrix() -> Curve:
    """The scan of a matrix."""
    return Curve("growth/matrix", "scan, by matrix", "µs", {f"{n}x{n}": n * n for n in SIZES}, [scan_of_size_us(n) for n in SIZES])


def virus_wars() -> Curve:
    """An action of Virus Wars."""
    sizes = (6, 11, 16, 20)
    costs = [action_us("virus_wars", f"size={n}") for n in sizes]
    return Curve("growth/virus_wars", "action of virus_wars, by board", "µs", {f"{n}x{n}": n * n for n in sizes}, costs)


def players(game: str, counts: Sequence[int]) -> Curve:
    """An action of a card game."""
    costs = [action_us(game, f"players={n}") for n in counts]
    return Curve(f"growth/{game}", f"action of {game}, by players", "µs", {str(n): n for n in counts}, costs)


def action_us(game: str, words: str) -> float:
    """Microseconds an action in random games with these options: the best of several tries."""
    play = partial(playout, Session.new(find_game(game), Options.parse(words.split())), Random(1))
    return 1e6 / max(rate(play, SECONDS) for _ in range(TRIES))


CURVES: Sequence[Callable[[], Curve]] = (matrix, virus_wars, *(partial(players, game, counts) for game, counts in PLAYERS.items()))


def rows() -> list[Row]:
    """Measures all curves and prints them; a row each."""
    curves = [make() for make in CURVES]
    print("\n\n".join(curve.drawn() for curve in curves), end="\n\n")
    return [curve.row for curve in curves]
