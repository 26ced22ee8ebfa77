"""The fixed texts of the pages in the player's language, by the names that the pages call them."""

from __future__ import annotations

from underboard.engine.base.i18n import Words


def labels(words: Words) -> dict[str, str]:
    """All of them."""
    return {
        "help_tokens": words("Click a space to put the selected token there, click a token to lift it, or drag it."),
        "help_back": words("Hold ↩ for a second to take back."),
        "board": words("Board"),
        "panel": words("Panel"),
        "display": words("Display"),
        "keys": words("Keys"),
        "left": words("left"),
        "right": words("right"),
        "ok": words("OK"),
        "back": words("back"),
        "tokens": words("Tokens"),
        "giant": words("giant"),
        "zombie": words("zombie"),
        "hands": words("Cards in hand"),
        "show": words("show"),
        "hide": words("hide"),
        "face_down": words("a card face down"),
        "facts": words("On the table"),
        "no_cards": words("no cards here"),
        "you": words("you"),
        "lies_open": words("lies face up"),
        "is_lit": words("its fuse burns"),
        "log": words("What happened"),
        "devices": words("Devices"),
        "ready": words("ready"),
        "probing": words("is being looked for"),
        "absent": words("absent"),
        "fault": words("out of order"),
        "oled": words("Display"),
        "reader": words("Card reader"),
        "sound": words("Sound"),
        "lift_all": words("Take them off"),
        "lost": words("The table does not answer. The page goes on by itself when it does."),
        "not_your_turn": words("It is not your turn: nothing was done."),
        "game_over": words("The game is over: nothing was done."),
        "seat_taken": words("This seat is open in another browser. Close it there, and it opens here."),
        "unknown_link": words("This link leads nowhere: it is misspelt or out of date. Ask for yours at the table."),
        "stale": words("Too late: the table has gone on. Nothing was done."),
        "free": words("free"),
        "card": words("card"),
        **layer_labels(words),
        **fault_labels(words),
        **replay_labels(words),
        **start_labels(words),
        **link_labels(words),
        **reader_labels(words),
    }


def layer_labels(words: Words) -> dict[str, str]:
    """What can be laid over the board."""
    return {
        "layers": words("Layers"),
        "layer_read": words("Sensors read"),
        "layer_expected": words("Game expects"),
        "layer_difference": words("Difference"),
        "layer_none": words("nothing"),
    }


def fault_labels(words: Words) -> dict[str, str]:
    """The panel on which faults are made."""
    return {
        "fault_panel": words("Faults"),
        "faults_help": words("Break what you like and watch the table cope. Everything can be repaired, and no game is lost."),
        "all_repaired": words("Repair everything"),
        "close": words("Close"),
        "cells": words("Sensors: choose what to do, then click on the board"),
        "cell_play": words("play"),
        "cell_play_hint": words("A click puts a token down or takes it off, as always."),
        "cell_closed": words("stick closed"),
        "cell_closed_hint": words(
            "The space always reads as taken. The table names it; hold OK for a second and it goes on without that sensor."
        ),
        "cell_open": words("stick open"),
        "cell_open_hint": words("A token there is not seen. The table misses it; hold OK for a second and it goes on without that sensor."),
        "cell_chatter": words("chatter"),
        "cell_chatter_hint": words("The contact flickers for 20 seconds. It is no move: the table does not believe it and says so."),
        "cell_ok": words("repair"),
        "cell_ok_hint": words("The sensor works again, and the message goes away by itself."),
        "diodes": words("Take the diodes out"),
        "diodes_hint": words(
            "Three tokens on the corners of a rectangle make a ghost on the fourth. The table believes none of it and says so."
        ),
        "noise": words("Noise on the cables"),
        "noise_hint": words("One reading in a hundred is wrong. Nothing happens in the game: look at what the sensors read."),
        "unplug_board": words("Unplug the Pico"),
        "unplug_board_hint": words("The board is gone: the table says so, and reads it again when it is back."),
        "no_board_hint": words(
            "The sensors are on the Raspberry Pi itself here. “Sensors on: a Pico” on the start page gives you one to unplug."
        ),
        "unplug_reader": words("Unplug the card reader"),
        "unplug_reader_hint": words("The reader is gone: the table says so, and cards can be laid again when it is back."),
        "no_reader_hint": words("This table was opened without a card reader."),
        "unplug_oled": words("Unplug the display"),
        "unplug_oled_hint": words("The panel is dark and the game goes on. Plugged in again, it is set up anew and shows the same."),
        "bus": words("Errors on the display's cable"),
        "bus_hint": words("Every transfer fails, as with a loose wire. The table tries again until it works."),
        "jump": words("Clock two weeks ahead"),
        "jump_hint": words("A Pi has no clock battery. Only the date in the journal changes, nothing in the game."),
        "cut": words("Cut the power"),
        "cut_hint": words(
            "The program is gone at once. Move tokens meanwhile if you like; switched on again, the same game goes on from the journal."
        ),
        "power_off": words("The power is off."),
        "switch_on": words("Switch it on"),
    }


def replay_labels(words: Words) -> dict[str, str]:
    """Looking back at a game."""
    return {
        "look_back": words("Look back at the game"),
        "replay": words("Replay"),
        "open_file": words("Open a file"),
        "file": words("A table script or a journal"),
        "save_script": words("Save as a script"),
        "to_table": words("To the table"),
        "time": words("Time"),
        "steps": words("Steps"),
        "step_first": words("To the beginning (Home)"),
        "step_back": words("One step back (←)"),
        "step_on": words("One step on (→)"),
        "step_last": words("To the end (End)"),
        "run": words("Play"),
        "moment": words("Moment"),
        "speed": words("Speed"),
        "progress": words("Read so far"),
        "script": words("Script"),
    }


def start_labels(words: Words) -> dict[str, str]:
    """Those of the start page."""
    return {
        "choose_game": words("Choose a game"),
        "go_on": words("Go on with a game"),
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
