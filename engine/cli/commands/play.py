"""`underboard play`: a table in the browser."""

from __future__ import annotations

import argparse

from underboard.engine.cli.commands.common import LOOPBACK, PAGE_PORT, RAW, Subparsers, port

ABOUT = """\
Opens a page in the browser where a game is chosen and played: the board, the
display, the keys and the hands of cards. The same program as in the box runs
here over simulated sensors. Games are kept: started again, they go on. With
the name of a game its table is opened at once."""

EXAMPLES = """\
examples:
  underboard play                 choose a game on the page, or go on with one
  underboard play hack_trick      the game that was kept, or a new one
  underboard play hack_trick target=1 --seed 7    one game, dealt as seed 7
  underboard play hack_trick cards=hidden out=0,5    with a physical deck
  underboard play hack_trick dealer=reader    with a tagged deck on a reader
  underboard play --lang hu --port 8100
  underboard play --host 0.0.0.0  for phones in the same network, a link a seat

Game options are key=value words as in `new_game` of the rules; giving one,
--seed or --new begins a new game. The page is for this computer alone unless
--host names an address of it. Then the table and each seat can be reached only
by a link that nobody guesses; who knows a link can play with it. Links stay
the same until the file play-links.key in the state folder
(~/.local/state/underboard) is deleted. Others in the network can watch, and
send nothing. The page answers to this computer's addresses and names in its
own networks, and to each --name.
Exit status: 0, or 2 if the table cannot be opened."""


def run(options: argparse.Namespace) -> int:
    """`underboard play`: the laptop's table, until it is interrupted."""
    from underboard.engine.app.laptop.main import play, read_options
    from underboard.engine.scripting.playback_program import PLAYBACK_PROGRAM

    given = {"seed": options.seed, "lang": options.lang, "journal": options.journal}
    words = [*options.words, *(f"{key}={value}" for key, value in given.items() if value is not None)]
    return play(read_options(words, options.port, options.browser, options.new, options.host, options.names), PLAYBACK_PROGRAM)


def add(commands: Subparsers) -> None:
    """The command and its options."""
    command = commands.add_parser("play", help="a table in the browser", description=ABOUT, epilog=EXAMPLES, formatter_class=RAW)
    command.add_argument(
        "words", nargs="*", default=[], metavar="GAME key=value", help="the game (without one it is chosen on the page) and its options"
    )
    command.add_argument(
        "--port", type=port, default=PAGE_PORT, metavar="N", help="port of the page, 0: any free one (default: %(default)s)"
    )
    command.add_argument(
        "--host", default=LOOPBACK, metavar="ADDRESS", help="an address of this computer, 0.0.0.0: all it has (default: %(default)s)"
    )
    command.add_argument(
        "--name",
        dest="names",
        action="append",
        default=[],
        metavar="NAME",
        help="a further name by which browsers may ask for this computer; can be given again",
    )
    command.add_argument("--no-browser", dest="browser", action="store_false", help="only say where the page is")
    command.add_argument("--seed", metavar="N", help="a whole number that decides all dealing")
    command.add_argument("--lang", metavar="LANG", help="en, hu, nl or hy")
    command.add_argument("--journal", metavar="FILE", help="where the game is kept (default: play-GAME.sqlite3 in the state folder)")
    command.add_argument("--new", action="store_true", help="begin a new game even if there is one to go on with")
    command.set_defaults(run=run)
