"""RLCard's bare UNO game, played at random: run by the Python of the rivals' environment, it knows nothing of this project.

For each line with a number of seconds on the input one comes out with the `Game.step`s in a second of processor time. No
environment wrapper, no states encoded as arrays: the state that `step` answers anyway has the legal actions.
"""

from __future__ import annotations

import sys
from random import Random
from time import process_time

from rlcard.games.uno import Game


def play(game: Game, random: Random) -> int:
    """One game; answers its steps."""
    steps = 0
    state, _ = game.init_game()
    while not game.is_over():
        legal = state["legal_actions"]
        state, _ = game.step(legal[int(random.random() * len(legal))])
        steps += 1
    return steps


def main() -> None:
    """Measures whenever it is asked to."""
    game, random = Game(), Random(1)
    game.np_random.seed(1)
    for line in sys.stdin:
        start, steps = process_time(), 0
        while (spent := process_time() - start) < float(line):
            steps += play(game, random)
        print(steps / spent, flush=True)


if __name__ == "__main__":
    main()
