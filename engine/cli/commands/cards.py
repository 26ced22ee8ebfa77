"""`underboard cards`: a tagged deck is taught, or asked about."""

from __future__ import annotations

import argparse
from pathlib import Path

from underboard.engine.cli.commands.common import RAW, Subparsers, add_config

ABOUT = """\
Cards with tags: which tag is which card. `learn` walks through the deck of a
game, card by card, and keeps what it has learnt after each of them; quit at
any time and go on later. `show` says which card lies on the reader."""

EXAMPLES = """\
examples:
  underboard cards learn hack_trick
  underboard cards learn sequence_numbers board=house8 --deck house8.toml
  underboard cards show hack_trick --port /dev/serial0

Readers: RDM6300, ID-12LA and PN532 (switched to HSU), told apart by
themselves, on a USB adapter or on a UART of the Pi. An ID-12LA tells of a card
only once: new cards have to be laid on it twice.
Exit status: 0, or 2 if the deck cannot be used."""


def run(options: argparse.Namespace) -> int:
    """`underboard cards learn GAME` and `underboard cards show GAME`."""
    from dataclasses import replace

    from underboard.engine.app.config import load_config
    from underboard.engine.app.maintenance import teach_cards
    from underboard.engine.app.tagged_deck import load_deck

    config = load_config(options.config)
    path = options.deck or config.deck(options.game)
    deck = load_deck(path, options.game, teach_cards.cards_to_teach(options.game, options.words))
    reader = config.box.reader_at
    wanted = replace(reader, path=options.port) if options.port else reader
    teach_cards.run(teach_cards.learn if options.act == "learn" else teach_cards.show, path, deck, wanted)
    return 0


def add(commands: Subparsers) -> None:
    """The command and its options."""
    command = commands.add_parser("cards", help="teach a tagged deck", description=ABOUT, epilog=EXAMPLES, formatter_class=RAW)
    command.add_argument("act", choices=("learn", "show"), help="walk through the deck, or ask about cards")
    command.add_argument("game", metavar="GAME", help="whose deck it is")
    command.add_argument("words", nargs="*", default=[], metavar="key=value", help="options on which the deck depends, like board=house8")
    command.add_argument(
        "--deck", type=Path, metavar="FILE", help="the deck file (default: the configured one, or cards-GAME.toml beside it)"
    )
    command.add_argument("--port", metavar="PORT", help="the reader's port, like /dev/serial0 (default: as configured, or a USB adapter)")
    add_config(command)
    command.set_defaults(run=run)
