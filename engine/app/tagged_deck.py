"""A tagged deck: which tag is which card. A deck file is TOML that people can read and mend:

    game = "hack_trick"

    [cards]
    "0" = ["04006A3F1C", "0400691D22", "04006A0B17"]

Copies of a card have tags of their own, and which copy it is means nothing. A file is written so that the old one or the new
one is there at any moment.
"""

from __future__ import annotations

import os
import re
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from underboard.engine.app.config import AS_SERVICE
from underboard.engine.base.errors import BadArgument
from underboard.engine.base.file_errors import unwritable
from underboard.engine.gamekit.json_reader import raise_problems
from underboard.errors import UnderboardError

Card = str
Tag = str

TAG_LENGTHS = (8, 10, 14, 20)
"""Digits of the tags that readers tell of."""


@dataclass(frozen=True, slots=True)
class Deck:
    """All cards of a game, copies one by one, and the tags known so far, in the order they were learnt."""

    game_id: str
    cards: tuple[Card, ...]
    tags: Mapping[Tag, Card] = field(default_factory=dict)

    @property
    def missing(self) -> list[Card]:
        """The cards that have no tag yet, as they stand in `cards`."""
        known = Counter(self.tags.values())
        left = []
        for card in self.cards:
            if known[card]:
                known[card] -= 1
            else:
                left.append(card)
        return left

    def with_tag(self, tag: Tag, card: Card) -> Deck:
        """One more card known. Raises BadArgument for a tag that is taken and for a card that has all its tags."""
        if tag in self.tags:
            raise BadArgument(f"this card is known already: it is '{self.tags[tag]}'")
        if card not in self.missing:
            copies = self.cards.count(card)
            raise BadArgument(f"'{card}' has its {copies} tags already" if copies else f"there is no card '{card}' in {self.game_id}")
        return replace(self, tags={**self.tags, tag: card})

    def without_last(self) -> Deck:
        """The card learnt last is forgotten again."""
        return replace(self, tags=dict(list(self.tags.items())[:-1]))

    def text(self) -> str:
        """The deck file."""
        lines = [f"# Which tag is which card, as `underboard cards learn {self.game_id}` has learnt it.", f'game = "{self.game_id}"', ""]
        return "\n".join([*lines, "[cards]", *self._lines(), ""])

    def _lines(self) -> Iterator[str]:
        for card in dict.fromkeys(self.cards):
            tags = ", ".join(f'"{tag}"' for tag, found in self.tags.items() if found == card)
            if tags:
                yield f'"{card}" = [{tags}]'


def read_deck(text: str, game_id: str, cards: Iterable[Card]) -> Deck:
    """The deck in a file. Raises BadArgument that lists everything that is wrong with it."""
    deck = Deck(game_id, tuple(cards))
    try:
        record = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadArgument(f"this is no deck file: {error}") from None
    raise_problems([f"'{key}' is unknown: there are game and cards" for key in record if key not in ("game", "cards")])
    if record.get("game") != game_id:
        raise BadArgument(f'game = "{game_id}" is needed, this is the deck of {record.get("game", "no game")}')
    listed = record.get("cards", {})
    if not isinstance(listed, dict):
        raise BadArgument("[cards] is needed: lines of a card and its tags")
    raise_problems([problem for card, tags in listed.items() for problem in card_problems(deck, card, tags)])
    pairs = [(tag_of(tag), card) for card, tags in listed.items() for tag in tags]
    raise_problems(list(taken_twice(pairs)))
    return replace(deck, tags=dict(pairs))


def card_problems(deck: Deck, card: Card, tags: Any) -> Iterator[str]:
    """What is wrong with one line."""
    copies = deck.cards.count(card)
    if not copies:
        yield f"'{card}' is no card of {deck.game_id}: there are {', '.join(dict.fromkeys(deck.cards))}"
    elif not isinstance(tags, list):
        yield f"'{card}': a list of tags is needed, like [\"04006A3F1C\"]"
    else:
        yield from (f"'{card}': {tag!r} is no tag" for tag in tags if not tag_of(tag))
        if len(tags) > copies:
            yield f"'{card}' has {len(tags)} tags, but there are only {copies} of it"


def tag_of(text: Any) -> Tag:
    """A tag as people write it, with blanks, colons or small letters; "" if it is none."""
    digits = re.sub(r"[ :-]", "", text).upper() if isinstance(text, str) else ""
    return digits if len(digits) in TAG_LENGTHS and re.fullmatch(r"[0-9A-F]*[1-9A-F][0-9A-F]*", digits, re.ASCII) else ""


def taken_twice(pairs: Iterable[tuple[Tag, Card]]) -> Iterator[str]:
    """Tags that stand there more than once, with the cards they stand by."""
    taken: dict[Tag, Card] = {}
    for tag, card in pairs:
        if tag in taken:
            yield f"tag {tag} is given twice: for '{taken[tag]}' and for '{card}'"
        taken.setdefault(tag, card)


class DeckError(UnderboardError, RuntimeError):
    """A deck that cannot be read or written; the text says why."""

    fault = "configuration"


def load_deck(path: Path, game_id: str, cards: Sequence[str]) -> Deck:
    """The deck in a file, or one that knows nothing yet. Raises DeckError that names the file."""
    try:
        return read_deck(path.read_text(encoding="utf-8-sig"), game_id, cards)
    except FileNotFoundError:
        return Deck(game_id, tuple(cards))
    except UnicodeDecodeError:
        raise DeckError(f"{path}: this is no text in UTF-8: name another file") from None
    except PermissionError:
        raise DeckError(f"{path}: no permission to read it: {AS_SERVICE}") from None
    except OSError as error:
        raise DeckError(f"{path}: {error.strerror}") from None
    except BadArgument as error:
        raise DeckError(f"{path}: {error}") from None


def save_deck(path: Path, deck: Deck) -> None:
    """Write a deck file: the old one or the new one is there at any moment. Raises DeckError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            file.write(deck.text())
            file.flush()
            os.fchmod(file.fileno(), 0o644)
            os.fsync(file.fileno())
        os.replace(file.name, path)
    except OSError as error:
        raise DeckError(unwritable(path, error, "--deck")) from None
