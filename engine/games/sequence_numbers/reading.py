"""Sequence Numbers: the words of an action, and why one is refused, in a player's words."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from underboard.engine.base.errors import IllegalAction, Plural
from underboard.engine.games.sequence_numbers.boards import PLUS, answer
from underboard.engine.games.sequence_numbers.choices import Holding, can_hold
from underboard.engine.games.sequence_numbers.layout import Card, Cards, SpaceBit
from underboard.engine.games.sequence_numbers.state import SEATS, SIGNS, UNSEEN, State, free_spaces, locked_spaces, side_at

ActionWords = Sequence[str]


def one_word(words: ActionWords, form: str) -> str:
    """The one word behind the verb."""
    if len(words) != 1:
        raise IllegalAction("write it as '{form}'", form=form)
    return words[0]


def no_words(words: ActionWords, form: str) -> None:
    if words:
        raise IllegalAction("'{form}' stands alone", form=form)


def read_draw(state: State, words: ActionWords, verb: str) -> tuple[Card, Cards]:
    """The card that was drawn and the stock without it; raises IllegalAction if it cannot have come from there."""
    stock = state.stock
    if state.setup.hidden:
        if words:
            raise IllegalAction("a drawn card is not named with cards=hidden: write it as '{form}'", form=verb)
        return UNSEEN, stock[1:]
    card = one_word(words, f"{verb} NEW")
    place = bisect_left(stock, card)
    if place == len(stock) or stock[place] != card:
        raise IllegalAction("there is no {card} in the stock", card=card)
    return card, stock[:place] + stock[place + 1 :]


def check_holds(state: State, card: Card) -> None:
    """Raises IllegalAction if a card is not in the mover's hand, or hidden: cannot be in it."""
    if can_hold(state, card):
        return
    if not state.hands[state.mover]:
        raise IllegalAction("your hand is empty")
    if card not in state.setup.deck:
        raise IllegalAction("there is no card {card} in this deck", card=card)
    if state.setup.hidden:
        raise IllegalAction("every {card} lies face up", card=card)
    raise IllegalAction("there is no {card} in your hand", card=card)


def find_space(state: State, cell: str) -> SpaceBit:
    """The space with this name; raises IllegalAction for corners and names of no space."""
    layout = state.setup.layout
    space = layout.space.get(cell)
    if space is not None:
        return space
    if cell in layout.corners:
        raise IllegalAction("{cell} is a corner: it is everyone's, and no chip goes there", cell=cell)
    raise IllegalAction("'{cell}' is no space of this board", cell=cell)


def read_play(state: State, words: ActionWords) -> tuple[Card, SpaceBit]:
    """Card and space of a play; hidden, the space alone names an equation card."""
    if not state.setup.hidden:
        if len(words) != 2:
            raise IllegalAction("write it as '{form}'", form="play CARD CELL")
        return words[0], find_space(state, words[1])
    if len(words) == 2 and words[0] in SIGNS:
        return words[0], find_space(state, words[1])
    if len(words) == 1 and words[0] not in SIGNS:
        space = find_space(state, words[0])
        return state.setup.layout.hidden_card[space], space
    raise IllegalAction("write it as 'play CELL', 'play PLUS CELL' or 'play MINUS CELL'")


def wrong_phase(state: State, name: str) -> IllegalAction:
    """Why this kind of action has to wait, or comes too late. [7, 13]"""
    if state.phase == "discard":
        return IllegalAction("{seat} must discard a card first, because his side has talked", seat=SEATS[state.mover])
    if name == "discard":
        return IllegalAction("nobody has to discard a card now")
    if state.phase == "draw":
        return IllegalAction("{seat} has played and draws now: there are draw and forget, not {name}", seat=SEATS[state.mover], name=name)
    return IllegalAction("{name} comes after a card has been played", name=name)


def not_free(state: State, card: Card, space: SpaceBit) -> IllegalAction | None:
    """Why a chip cannot go to a space, None if it can. [8]"""
    layout = state.setup.layout
    cell, targets = layout.name[space], layout.targets[card]
    free = targets & free_spaces(state)
    if free & space:
        return None
    if not targets & space:
        return not_its_space(card, ", ".join(layout.names(targets)), cell)
    if card == PLUS:
        return IllegalAction("{cell} is covered", cell=cell)
    if not free:
        return IllegalAction("{cell} is covered, and so is the other space: {card} is dead", cell=cell, card=card)
    return IllegalAction("{cell} is covered: the free space is {cells}", cell=cell, cells=", ".join(layout.names(free)))


def not_its_space(card: Card, cells: str, cell: str) -> IllegalAction:
    """An equation card on a space that does not bear its answer."""
    if card[0] == "=":
        return IllegalAction("{number} goes to {cells}, not to {cell}", number=card[1:], cells=cells, cell=cell)
    return IllegalAction("{card} is {number}: it goes to {cells}, not to {cell}", card=card, number=answer(card), cells=cells, cell=cell)


def not_removable(state: State, space: SpaceBit) -> IllegalAction | None:
    """Why MINUS cannot take the chip off a space, None if it can. [8]"""
    cell = state.setup.layout.name[space]
    side = side_at(state, space)
    if side is None:
        return IllegalAction("there is no chip on {cell}", cell=cell)
    if side == state.setup.side(state.mover):
        return IllegalAction("the chip on {cell} is your own side's", cell=cell)
    return IllegalAction("the chip on {cell} is part of a finished sequence", cell=cell) if locked_spaces(state) & space else None


def not_dead(state: State, card: Card) -> IllegalAction | None:
    """Why a card may not be exchanged, None if it is dead. [9]"""
    if card in SIGNS:
        return IllegalAction("{card} is never dead", card=card)
    layout = state.setup.layout
    free = layout.targets[card] & free_spaces(state)
    if not free:
        return None
    cells = list(layout.names(free))
    text = Plural("{card} has a free space at {cells}: it is not dead", "{card} has free spaces at {cells}: it is not dead")
    return IllegalAction(text, card=card, cells=", ".join(cells), count=len(cells))


def raise_if(refusal: IllegalAction | None) -> None:
    """Raises a refusal if there is one."""
    if refusal is not None:
        raise refusal


def why_not_pass(state: State, held: list[Holding]) -> IllegalAction:
    """The play that stands against passing."""
    if state.setup.hidden:
        text = Plural("your only card cannot be unplayable", "not all {count} cards of your hand can be unplayable")
        return IllegalAction(text, count=len(state.hands[state.mover]))
    card, _, spaces = next(holding for holding in held if holding[2])
    return IllegalAction("you can play {card} at {cell}", card=card, cell=state.setup.layout.nth_name(spaces, 0))
