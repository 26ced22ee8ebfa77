"""The fixed texts of the start page, the card reader and the addresses, by the names that the page calls them."""

from __future__ import annotations

from engine.words import Words


def start_labels(words: Words) -> dict[str, str]:
    """Those of the start page."""
    return {
        "choose_game": words("Choose a game"),
        "go_on": words("Go on with a game"),
        "actions": words("actions"),
        "begin": words("Set the table"),
        "replaces": words("The kept game of this kind ends when another begins."),
        "language": words("Language"),
        "wiring": words("sensors on"),
        "wiring_gpio": words("the Raspberry Pi"),
        "wiring_pico": words("a Pico on USB"),
        "leave": words("Leave the table"),
        "being_set": words("The table is being set. This page goes on by itself."),
        "no_seat": words("This game has no seat for this link: watch, or wait for the next game."),
    }


def link_labels(words: Words) -> dict[str, str]:
    """Those of addresses for others."""
    return {
        "links": words("Links for the players"),
        "links_help": words("Each player opens a link of their own, for instance by its code. Nobody else sees that hand."),
        "watch": words("Second screen: only to watch"),
    }


def reader_labels(words: Words) -> dict[str, str]:
    """Those of the card reader."""
    return {
        "reader_help": words("Draw from the deck: drag the top card onto the reader, or click it. It goes into the hand by itself."),
        "deck": words("Deck: lay the top card on the reader"),
        "pad": words("Reader"),
        "certain_card": words("Lay a certain card"),
    }
