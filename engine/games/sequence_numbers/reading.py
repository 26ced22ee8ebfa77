"""Sequence Numbers: the words of an action, and why one is refused, in a player's words."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import IllegalAction
from engine.games.sequence_numbers.boards import PLUS, answer
from engine.games.sequence_numbers.choices import Holding, can_hold
from engine.games.sequence_numbers.layout import Card, Space
from engine.games.sequence_numbers.state import SEATS, SIGNS, UNSEEN, State, contains, free_spaces, locked_spaces, side_at

Words = Sequence[str]


def one_word(words: Words, form: str) -> str:
    """The one word behind the verb."""
    if len(words) != 1:
        raise IllegalAction(f"write it as '{form}'")
    return words[0]


def no_words(words: Words, form: str) -> None:
    if words:
        raise IllegalAction(f"'{form}' stands alone")


def drawn_card(state: State, words: Words, verb: str) -> Card:
    """The card that was drawn; raises IllegalAction if it cannot have come from the stock."""
    if state.setup.hidden:
        if words:
            raise IllegalAction(f"a drawn card is not named with cards=hidden: write it as '{verb}'")
        return UNSEEN
    card = one_word(words, f"{verb} NEW")
    if not contains(state.stock, card):
        raise IllegalAction(f"there is no {card} in the stock")
    return card


def check_holds(state: State, card: Card) -> None:
    """Raises IllegalAction if a card is not in the mover's hand, or hidden: cannot be in it."""
    if can_hold(state, card):
        return
    if not state.hands[state.mover]:
        raise IllegalAction("your hand is empty")
    if card not in state.setup.deck:
        raise IllegalAction(f"there is no card {card} in this deck")
    raise IllegalAction(f"every {card} lies face up" if state.setup.hidden else f"there is no {card} in your hand")


def find_space(state: State, cell: str) -> Space:
    """The space with this name; raises IllegalAction for corners and names of no space."""
    layout = state.setup.layout
    space = layout.space.get(cell)
    if space is not None:
        return space
    if cell in layout.corners:
        raise IllegalAction(f"{cell} is a corner: it counts as everyone's chip and none is put there or taken off")
    raise IllegalAction(f"'{cell}' is no space of this board")


def read_play(state: State, words: Words) -> tuple[Card, Space]:
    """Card and space of a play; hidden, the space alone names an equation card."""
    if not state.setup.hidden:
        if len(words) != 2:
            raise IllegalAction("write it as 'play CARD CELL'")
        return words[0], find_space(state, words[1])
    if len(words) == 2 and words[0] in SIGNS:
        return words[0], find_space(state, words[1])
    if len(words) == 1 and words[0] not in SIGNS:
        space = find_space(state, words[0])
        return state.setup.layout.hidden_card[space], space
    raise IllegalAction("write it as 'play CELL', 'play PLUS CELL' or 'play MINUS CELL'")


def wrong_phase(state: State, name: str) -> str:
    """Why this kind of action has to wait, or comes too late. [7, 13]"""
    if state.phase == "discard":
        return f"{SEATS[state.mover]} must discard a card first, because his side has talked"
    if name == "discard":
        return "nobody has to discard a card now"
    if state.phase == "draw":
        return f"{SEATS[state.mover]} has played and draws now: there are draw and forget, not {name}"
    return f"{name} comes after a card has been played"


def not_free(state: State, card: Card, space: Space) -> str:
    """Why a chip cannot go to a space, "" if it can. [8]"""
    layout = state.setup.layout
    cell, targets = layout.name[space], layout.targets[card]
    free = targets & free_spaces(state)
    if free & space:
        return ""
    if not targets & space:
        return f"{spelled(card)} goes to {' or '.join(layout.names(targets))}, not to {cell}"
    if card == PLUS:
        return f"{cell} is covered"
    if not free:
        return f"{cell} is covered, and so is the other space: {card} is dead"
    return f"{cell} is covered: the free space is {' or '.join(layout.names(free))}"


def spelled(card: Card) -> str:
    """An equation card with its answer, as players say it."""
    return card[1:] if card[0] == "=" else f"{card} is {answer(card)}: it"


def not_removable(state: State, space: Space) -> str:
    """Why MINUS cannot take the chip off a space, "" if it can. [8]"""
    cell = state.setup.layout.name[space]
    side = side_at(state, space)
    if side is None:
        return f"there is no chip on {cell}"
    if side == state.setup.side(state.mover):
        return f"the chip on {cell} is your own side's"
    return f"the chip on {cell} is part of a finished sequence" if locked_spaces(state) & space else ""


def not_dead(state: State, card: Card) -> str:
    """Why a card may not be exchanged, "" if it is dead. [9]"""
    if card in SIGNS:
        return f"{card} is never dead"
    layout = state.setup.layout
    free = layout.targets[card] & free_spaces(state)
    return f"{card} has a free space at {' and '.join(layout.names(free))}: it is not dead" if free else ""


def refuse_if(reason: str) -> None:
    """Raises IllegalAction if there is a reason."""
    if reason:
        raise IllegalAction(reason)


def why_not_pass(state: State, held: list[Holding]) -> str:
    """The play that stands against passing."""
    if state.setup.hidden:
        return f"not all {len(state.hands[state.mover])} cards of your hand can be unplayable"
    card, _, spaces = next(holding for holding in held if holding[2])
    return f"you can play {card} at {state.setup.layout.nth_name(spaces, 0)}"
