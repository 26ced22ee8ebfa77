"""The fixed texts of the laptop's page in the player's language, by the names that the page calls them."""

from __future__ import annotations

from engine.desk_labels import desk_labels, layer_labels, replay_labels
from engine.start_labels import link_labels, reader_labels, start_labels
from engine.words import Words


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
        "no_cards": words("no cards here"),
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
        "free": words("free"),
        "card": words("card"),
        **layer_labels(words),
        **desk_labels(words),
        **replay_labels(words),
        **start_labels(words),
        **link_labels(words),
        **reader_labels(words),
    }
