"""The texts of the page for its layers, its fault desk (each fault with a word on what to expect) and for looking back."""

from __future__ import annotations

from engine.words import Words


def layer_labels(words: Words) -> dict[str, str]:
    """What can be laid over the board."""
    return {
        "layers": words("Layers"),
        "layer_read": words("Sensors read"),
        "layer_expected": words("Game expects"),
        "layer_difference": words("Difference"),
        "layer_none": words("nothing"),
    }


def desk_labels(words: Words) -> dict[str, str]:
    """The fault desk."""
    return {
        "desk": words("Fault desk"),
        "desk_help": words("Break what you like and watch the table cope. Everything can be repaired, and no game is lost."),
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
