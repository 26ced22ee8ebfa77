"""The command line. Each command imports what it needs only when it runs, so that `--help` is quick everywhere."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

PAGE_PORT = 8020

ABOUT = """\
The referee under your board: tokens on a sensor board, four keys and a small display,
or all of it simulated on a laptop."""

EXAMPLES = """\
examples:
  underboard play                      a table of Hack Trick in the browser
  underboard replay evening.table      a game written down as a script, in virtual time
  underboard export play.sqlite3       the game in a journal as such a script
  echo 'new_game hack_trick' | underboard rules

Exit status: 0, 1 if something did not come out as expected, 2 if the input cannot be used."""

PLAY = """\
Opens a table on this computer, with a page in the browser: the board, the display, the keys and the hands of cards.
The same program as in the box runs here over simulated sensors. The game is kept: started again, it goes on."""

PLAY_EXAMPLES = """\
examples:
  underboard play                              the game that was kept, or a new one
  underboard play hack_trick target=1 --seed 7 a new match of one game, dealt as seed 7 deals
  underboard play hack_trick cards=hidden out=0,5   with a physical deck
  underboard play --lang hu --port 8100

Game options are key=value words as in `new_game` of the rules; giving one, --seed or --new begins a new game.
Exit status: 0, or 2 if the table cannot be opened."""

REPLAY = """\
Plays a table script against the real drivers on simulated hardware, in virtual time, and prints one JSON object a line:
what was done, whose turn it is, what the panel shows, what is wrong."""

REPLAY_EXAMPLE = """\
example script:
  table hack_trick four=red out=0,5 red=0,1,2,4 yellow=1,3,5
  choose start 1
  choose infect 3          # the panel shows 1+3 = 4
  place 4a
  expect did == ["infect 3"]

lines: table, place, lift, slide, key, choose, scan, wait, together … end, do, fault, power, expect, snap; # begins a comment
Exit status: 0, 1 if an `expect` failed, 2 if the script cannot be read."""

RULES = """\
The rules without a table: one command a line on standard input, framed like the Go Text Protocol.
`list_commands` lists all; `legal` what may be done, `do ACTION` does it, `undo` takes it back, `state` shows all."""

STATUS = """\
Asks the table that runs on this computer how its board, display and card reader are, and what they have counted.
Exit status: 0, 1 if a device is not ready, 2 if no table answers."""

EXPORT = """\
Writes the last match in a journal as a table script, which `underboard replay` plays to the same end."""


CARDS = """\
Cards with tags: which tag is which card. `learn` walks through the deck of a game, card by card, and keeps what it has
learnt after each of them; quit at any time and go on later. `show` says which card lies on the reader."""

CARDS_EXAMPLES = """\
examples:
  underboard cards learn hack_trick
  underboard cards learn sequence_numbers board=house8 --deck house8.toml
  underboard cards show hack_trick --port /dev/serial0

Readers: RDM6300, ID-12LA and PN532 (switched to HSU), told apart by themselves, on a USB adapter or on a UART of the Pi.
An ID-12LA tells of a card only once: new cards have to be laid on it twice.
Exit status: 0, or 2 if the deck cannot be used."""


SELFTEST = """\
Walks through a new board: put one token on the space it names, lift it, go on. It finds how the matrix lies under the
board, swapped and dead cells, stuck and flickering sensors, reversed and missing diodes, says so in words, and keeps in a
file which sensor lies where. Enter goes on, s skips a cell, b goes back, q stops; so do the panel's keys."""

SELFTEST_EXAMPLES = """\
examples:
  underboard selftest                  every cell of the board on this Pi
  underboard selftest --quick          three corners: only how the board lies
  underboard selftest --board pico     a board on a Pico
  underboard selftest --display sh1106 --offset 0
                                       a picture that shows whether the display is set right
  underboard selftest --simulated --fault rotation=90 --fault dead=r3c4 -o cells.toml
                                       what it is like, on a board that does not exist

Exit status: 0, 1 if something is broken or was not tested, 2 if the board cannot be tested."""


FLASH = """\
Installs the firmware on a Raspberry Pi Pico that reads the board, over its USB cable. It needs mpremote (`pip install mpremote`),
and MicroPython on the Pico: hold BOOTSEL while plugging a new one in, and copy the .uf2 file from
https://micropython.org/download/RPI_PICO to the drive that appears."""

FLASH_EXAMPLES = """\
examples:
  underboard flash                             the one Pico that is plugged in
  underboard flash --serial-number e6614103e73c2b2e
  underboard flash --stop                      only end the firmware, for other tools; it runs again after the next start

Exit status: 0, or 2 if it could not be done."""


def rules(_: argparse.Namespace) -> int:
    """`underboard rules`: the rules protocol on standard input and output."""
    from engine.rules_protocol import dialogue

    for answer in dialogue(sys.stdin):
        sys.stdout.write(answer)
        sys.stdout.flush()
    return 0


def play(options: argparse.Namespace) -> int:
    """`underboard play`: the laptop's table, until it is interrupted."""
    from engine.errors import BadArgument
    from engine.journal import JournalError
    from engine.play import PlayError, read_wish
    from engine.play import play as run

    given = {"seed": options.seed, "lang": options.lang, "journal": options.journal}
    words = [*options.words, *(f"{key}={value}" for key, value in given.items() if value is not None)]
    try:
        return run(read_wish(words, options.port, options.browser, options.new))
    except (BadArgument, JournalError, PlayError) as error:
        return refuse(error)


def port(text: str) -> int:
    """A port's number."""
    if not (text.isascii() and text.isdecimal() and int(text) < 65536):
        raise argparse.ArgumentTypeError(f"'{text}' is no port: a number from 0 to 65535 is needed, 0 for any free one")
    return int(text)


def replay(options: argparse.Namespace) -> int:
    """`underboard replay FILE`: one JSON object a command; 1 if an expectation failed, 2 if the script cannot be read."""
    from engine.journal import JournalError
    from engine.replay import replay as play
    from engine.script import ScriptError

    failures = 0
    try:
        for report, failure in play(options.script):
            print(json.dumps(report, ensure_ascii=False), flush=True)
            if failure is not None:
                failures += 1
                print(f"{options.script}, line {report['line']}: {failure}", file=sys.stderr)
    except (ScriptError, JournalError) as error:
        return refuse(error)
    return 1 if failures else 0


def cards(options: argparse.Namespace) -> int:
    """`underboard cards learn GAME` and `underboard cards show GAME`."""
    from engine import learn
    from engine.errors import BadArgument
    from engine.play import state_folder

    path = options.deck or state_folder(os.environ) / f"cards-{options.game}.toml"
    try:
        deck = learn.load(path, options.game, learn.cards_of(options.game, options.words))
        learn.run(learn.learn if options.act == "learn" else learn.show, path, deck, options.port)
    except (BadArgument, learn.LearnError) as error:
        return refuse(error)
    return 0


def selftest(options: argparse.Namespace) -> int:
    """`underboard selftest`: 1 if the board is not sound."""
    from engine import selftest
    from engine.play import state_folder
    from hardware.oled import Panel

    path = options.output or state_folder(os.environ) / ("simulated-cells.toml" if options.simulated else "cells.toml")
    if options.fault and not options.simulated:
        return refuse("--fault builds a fault into a simulated board: add --simulated")
    try:
        if options.display is not None:
            sound = selftest.show_picture(Panel(options.display, options.offset), say)
        elif options.simulated:
            sound = selftest.on_a_simulation(options.fault, options.quick, path, say)
        else:
            sound = selftest.on_the_board(options.board, options.quick, path, say)
    except (selftest.SelfTestError, ValueError) as error:
        return refuse(error)
    return 0 if sound else 1


def say(text: str) -> None:
    """One line for whoever sits at the terminal, at once."""
    print(text, flush=True)


def export(options: argparse.Namespace) -> int:
    """`underboard export JOURNAL`: the last match as a table script."""
    from engine.export import script_of
    from engine.journal import JournalError, read_match
    from engine.resume import ResumeError

    try:
        entries = read_match(options.journal)
        if not entries:
            raise JournalError(f"{options.journal}: there is no game in this journal")
        text = "".join(f"{line}\n" for line in script_of(entries))
        if options.output is None:
            sys.stdout.write(text)
        else:
            options.output.write_text(text, encoding="utf-8")
    except ResumeError as error:
        return refuse(f"{options.journal}: {error}")
    except BrokenPipeError:
        raise
    except (JournalError, OSError) as error:
        return refuse(error)
    return 0


def flash(options: argparse.Namespace) -> int:
    """`underboard flash`: the firmware on the Pico."""
    from dataclasses import replace

    from hardware.clock import RealClock
    from hardware.flash import FlashError, install, mpremote, need_mpremote, stop
    from hardware.pico import PICO
    from hardware.ports import SystemPorts

    wanted = replace(PICO, serial_number=options.serial_number, path=options.port)
    try:
        if options.stop:
            print(f"MicroPython's prompt is at {stop(SystemPorts(), RealClock(), print, wanted).path}")
            return 0
        need_mpremote()
        hello = install(SystemPorts(), RealClock(), mpremote, print, wanted)
    except FlashError as error:
        return refuse(error)
    print(f"firmware {hello.version[0]}.{hello.version[1]} runs on the Pico {hello.board.hex()}")
    return 0


def speak_utf8() -> None:
    """Standard streams in UTF-8 whatever the locale; bytes that are no text become marks instead of a traceback."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def status(options: argparse.Namespace) -> int:
    """`underboard status`: how the devices of a running table are; 1 if one is not ready, 2 if no table answers."""
    from engine.status import NoTable, ask, status_lines

    try:
        devices = ask(options.port)
    except NoTable as error:
        return refuse(error)
    for line in status_lines(devices):
        print(line)
    return 0 if all(device["state"] == "ready" for device in devices) else 1


def refuse(why: object) -> int:
    """Says why the input cannot be used; answers the exit status for that."""
    print(why, file=sys.stderr)
    return 2


RAW = argparse.RawDescriptionHelpFormatter
Commands = Any
"""What argparse's `add_subparsers` answers; its type has no public name."""


def parser() -> argparse.ArgumentParser:
    """All commands with their options."""
    top = argparse.ArgumentParser(prog="underboard", description=ABOUT, epilog=EXAMPLES, formatter_class=RAW)
    top.add_argument("--version", action="version", version=f"underboard {version('underboard')}")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for add in (add_play, add_status, add_replay, add_export, add_cards, add_selftest, add_flash, add_rules):
        add(commands)
    return top


def add_play(commands: Commands) -> None:
    command = commands.add_parser("play", help="a table in the browser", description=PLAY, epilog=PLAY_EXAMPLES, formatter_class=RAW)
    command.add_argument("words", nargs="*", metavar="GAME key=value", help="the game (hack_trick if none is named) and its options")
    command.add_argument(
        "--port", type=port, default=PAGE_PORT, metavar="N", help="port of the page, 0: any free one (default: %(default)s)"
    )
    command.add_argument("--no-browser", dest="browser", action="store_false", help="only say where the page is")
    command.add_argument("--seed", metavar="N", help="a whole number that decides all dealing")
    command.add_argument("--lang", metavar="LANG", help="en, hu, nl or hy")
    command.add_argument("--journal", metavar="FILE", help="where the game is kept (default: play-GAME.sqlite3 in the state folder)")
    command.add_argument("--new", action="store_true", help="begin a new game even if there is one to go on with")
    command.set_defaults(run=play)


def add_replay(commands: Commands) -> None:
    command = commands.add_parser("replay", help="play a table script", description=REPLAY, epilog=REPLAY_EXAMPLE, formatter_class=RAW)
    command.add_argument("script", type=Path, metavar="FILE", help="the table script")
    command.set_defaults(run=replay)


def add_export(commands: Commands) -> None:
    command = commands.add_parser("export", help="a journal as a table script", description=EXPORT)
    command.add_argument("journal", type=Path, metavar="JOURNAL", help="the journal of a table (SQLite)")
    command.add_argument("-o", "--output", type=Path, metavar="FILE", help="write to FILE instead of standard output")
    command.set_defaults(run=export)


def add_cards(commands: Commands) -> None:
    command = commands.add_parser("cards", help="teach a tagged deck", description=CARDS, epilog=CARDS_EXAMPLES, formatter_class=RAW)
    command.add_argument("act", choices=("learn", "show"), help="walk through the deck, or ask about cards")
    command.add_argument("game", metavar="GAME", help="whose deck it is")
    command.add_argument("words", nargs="*", metavar="key=value", help="options on which the deck depends, like board=house8")
    command.add_argument("--deck", type=Path, metavar="FILE", help="the deck file (default: cards-GAME.toml in the state folder)")
    command.add_argument("--port", metavar="PORT", help="the reader's port, like /dev/serial0 (default: a USB adapter)")
    command.set_defaults(run=cards)


def add_selftest(commands: Commands) -> None:
    command = commands.add_parser(
        "selftest", help="find out how a board is wired", description=SELFTEST, epilog=SELFTEST_EXAMPLES, formatter_class=RAW
    )
    command.add_argument("--quick", action="store_true", help="three corners only")
    command.add_argument("--board", choices=("gpio", "pico"), default="gpio", help="what the matrix is wired to (default: %(default)s)")
    command.add_argument("-o", "--output", type=Path, metavar="FILE", help="the cell map (default: cells.toml in the state folder)")
    command.add_argument("--display", choices=("ssd1306", "sh1106"), help="show the set-up picture instead")
    command.add_argument("--offset", type=int, metavar="N", help="the display's first column, 0 or 2 for the SH1106 (default: 2)")
    command.add_argument("--simulated", action="store_true", help="a simulated person tests a simulated board, in virtual time")
    command.add_argument("--fault", action="append", default=[], metavar="FAULT", help="something wrong with that board; may be repeated")
    command.set_defaults(run=selftest)


def add_flash(commands: Commands) -> None:
    command = commands.add_parser(
        "flash", help="install the firmware on the Pico", description=FLASH, epilog=FLASH_EXAMPLES, formatter_class=RAW
    )
    command.add_argument("--serial-number", metavar="N", help="of the Pico, if there are several")
    command.add_argument("--port", metavar="PATH", help="its serial port, if it is not found by itself")
    command.add_argument("--stop", action="store_true", help="only end the firmware that runs")
    command.set_defaults(run=flash)


def add_rules(commands: Commands) -> None:
    command = commands.add_parser(
        "rules", help="the rules of the games as a dialogue of text lines", description=RULES, formatter_class=RAW
    )
    command.set_defaults(run=rules)


def add_status(commands: Commands) -> None:
    command = commands.add_parser("status", help="how the devices of a running table are", description=STATUS)
    command.add_argument("--port", type=port, default=PAGE_PORT, metavar="N", help="the port of its page (default: %(default)s)")
    command.set_defaults(run=status)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; answers the exit status."""
    speak_utf8()
    reader = parser()
    options, rest = reader.parse_known_args(arguments)
    if options.run in (play, cards) and all("=" in word and not word.startswith("-") for word in rest):
        options.words += rest  # game options behind others, which argparse does not put together
    elif rest:
        reader.error(f"unrecognized arguments: {' '.join(rest)}")
    try:
        return int(options.run(options))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
