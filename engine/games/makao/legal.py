"""Makaó: what may be done now, and why something else may not."""

from __future__ import annotations

from collections.abc import Sequence

from underboard.engine.base.errors import IllegalAction, Plural
from underboard.engine.base.i18n import N_
from underboard.engine.gamekit.game import Action
from underboard.engine.games.makao.moves import PAIR, CardPlay, naming, plays_of_rank
from underboard.engine.games.makao.state import (
    ACE,
    ACES,
    ASKED_WITH,
    DEAL_VOID,
    DECK,
    DRAWN,
    FITTING,
    FLIP,
    NAMES,
    OF_RANK,
    PENALTY,
    PLAY,
    RANKS,
    SATISFYING,
    SEVEN,
    SEVENS,
    SPECIALS,
    Penalty,
    Request,
    Skips,
    State,
)

ALL = (1 << len(DECK)) - 1

# Which cards


def held(state: State) -> int:
    """The cards that can be in the mover's hand. Hidden: all that do not lie open, if he has any."""
    hand = state.hands[state.mover]
    if state.setup.hidden:
        return unseen(state) if hand else 0
    return hand


def unseen(state: State) -> int:
    """Hidden games: the cards in hands and stock."""
    assert state.top is not None
    return ALL & ~(state.pile | 1 << state.top)


def fitting(state: State) -> int:
    """The cards that fit the top card. [5]"""
    assert state.top is not None
    fits = FITTING[state.top]
    return fits | SPECIALS if state.setup.specials == "any" else fits


def firsts(state: State) -> tuple[int, int]:
    """The cards that may be laid first, and those that may be only if they ask for something new. [5-11]"""
    effect = state.effect
    if effect is None:
        return fitting(state), 0
    if isinstance(effect, Penalty):
        return SEVENS, 0
    if isinstance(effect, Skips):
        return ACES, 0
    satisfying = SATISFYING[effect.value]
    overruling = 0 if effect.fulfilled else OF_RANK[ASKED_WITH[effect.value]] & ~satisfying  # [10]
    breaking = (SEVENS | ACES) & breakable(state)  # [11]
    return satisfying | breaking, overruling


def breakable(state: State) -> int:
    """The cards that may cancel a request without being asked for, if they are 7s or aces. [11]"""
    return {"fit": fitting(state), "satisfy": 0, "any": ALL}[state.setup.cancel]


def obeying(state: State) -> int:
    """The cards whose holder may neither draw nor be skipped. [6]"""
    effect = state.effect
    if isinstance(effect, Request):
        return SATISFYING[effect.value]
    if isinstance(effect, Penalty):
        return SEVENS
    return ACES if isinstance(effect, Skips) else 0


def must_obey(state: State) -> bool:
    """Whether the mover holds a card that he must lay; in hidden games his word is taken that he does not."""
    return state.effect is not None and not state.setup.hidden and state.hands[state.mover] & obeying(state) != 0


# All of them, in groups without an order


def groups(state: State) -> list[tuple[Action, ...]]:
    """Every legal action once, in groups that are remembered."""
    phase = state.phase
    if phase == PLAY:
        return [*play_groups(state), *other_groups(state)]
    if phase == PENALTY:
        return draw_groups(state)
    if phase == DRAWN:
        return [*play_groups(state), ("keep",)]
    if phase == FLIP:
        return naming("flip", state.stock)
    return [("redeal",)] if phase == DEAL_VOID else []


def play_groups(state: State) -> list[tuple[Action, ...]]:
    """The legal plays, one group a rank."""
    cards = held(state)
    free, asking = firsts(state)
    most = min(state.hands[state.mover], 4) if state.setup.hidden else 4
    pairs = state.setup.sets == "pairs"
    found = []
    left = cards & (free | asking)
    while left:
        shift = left.bit_length() - 1 & ~3
        found.append(plays_of_rank(shift // 4, cards >> shift & 15, free >> shift & 15, asking >> shift & 15, most, pairs))
        left &= (1 << shift) - 1
    return found


def other_groups(state: State) -> list[tuple[Action, ...]]:
    """In phase `play`: to be skipped or to draw, where that is allowed."""
    if state.effect is None:
        return draw_groups(state)
    if must_obey(state):
        return []
    return [("skip",)] if isinstance(state.effect, Skips) else draw_groups(state)


def draw_groups(state: State) -> list[tuple[Action, ...]]:
    """The draws of each card that can come. [15]"""
    drawable = state.stock or state.pile
    if not drawable:
        return [("draw none",)]
    return [("draw",)] if state.setup.hidden else naming("draw", drawable)


# One action, and why not


PHASES_OF: dict[str, Sequence[str]] = {
    "play": (PLAY, DRAWN),
    "draw": (PLAY, PENALTY),
    "skip": (PLAY,),
    "keep": (DRAWN,),
    "flip": (FLIP,),
    "redeal": (DEAL_VOID,),
}
"""In which phases a verb is used."""

INSTEAD = {
    FLIP: N_("the first card is still to be turned up: flip CARD"),
    DEAL_VOID: N_("no card was left to turn up, the deal is void: redeal"),
    PENALTY: N_("the rest of the penalty must be drawn first"),
    DRAWN: N_("lay the card that you drew, or keep it"),
}
"""What there is to do in a phase other than `play`."""

ONLY_THEN = {
    "keep": N_("there is no drawn card to keep"),
    "flip": N_("the first card has been turned up already"),
    "redeal": N_("the deal is not void"),
}
"""What is wrong with a verb in phase `play`."""


def wrong_phase(phase: str, verb: str) -> IllegalAction:
    """Why this is not done in this phase."""
    return IllegalAction(ONLY_THEN[verb] if phase == PLAY else INSTEAD[phase])


def check_play(state: State, move: CardPlay) -> None:
    """Raises IllegalAction if these cards cannot be laid now."""
    if move.size == PAIR and state.setup.sets != "pairs":
        raise IllegalAction("one, three or four cards may be laid, not {count}", count=PAIR)
    if move.cards & ~held(state) or (state.setup.hidden and move.size > state.hands[state.mover]):
        raise why_not_held(state, move)
    free, asking = firsts(state)
    first = 1 << move.first
    if free & first:
        return
    if not asking & first:
        raise why_not_first(state, move.first)
    if move.ask is None:
        raise IllegalAction("{card} overrules the request: it must ask for something itself, as in ask=X", card=NAMES[move.first])


def why_not_held(state: State, move: CardPlay) -> IllegalAction:
    """Why the mover cannot have these cards."""
    hand = state.hands[state.mover]
    if not hand:
        return IllegalAction("your hand is empty")
    missing = move.cards & ~held(state)
    if not missing:
        text = Plural("{size} cards cannot be laid from a hand of {count} card", "{size} cards cannot be laid from a hand of {count} cards")
        return IllegalAction(text, size=move.size, count=hand)
    name = NAMES[missing.bit_length() - 1]
    if state.setup.hidden:
        return IllegalAction("{card} lies open", card=name)
    return IllegalAction("{card} is not in your hand", card=name)


def why_not_first(state: State, card: int) -> IllegalAction:
    """Why a card cannot be laid, or not as the first of several."""
    effect, rank, name = state.effect, card // 4, NAMES[card]
    assert state.top is not None
    top = NAMES[state.top]
    if isinstance(effect, Penalty):
        return IllegalAction("{card} is no answer to a penalty: lay a 7 or draw", card=name)
    if isinstance(effect, Skips):
        return IllegalAction("{card} is no answer to an ace: lay an ace or skip", card=name)
    if effect is None:
        return IllegalAction("{card} has neither the suit nor the rank of the top card {top}", card=name, top=top)
    if rank in (SEVEN, ACE) and state.setup.cancel == "fit":
        return IllegalAction(
            "{card} is not what is asked for ({asked}) and does not fit the top card {top}", card=name, asked=effect.value, top=top
        )
    if rank == ASKED_WITH[effect.value]:  # else it would have been allowed to overrule
        return IllegalAction(
            "the request for {asked} has been fulfilled: {rank} cannot overrule it any more", asked=effect.value, rank=RANKS[rank]
        )
    return IllegalAction("{card} is not what is asked for ({asked})", card=name, asked=effect.value)


def check_draw(state: State, move: CardPlay) -> None:
    """Raises IllegalAction if the mover may not draw, or not this card."""
    if state.phase == PLAY:
        if isinstance(state.effect, Skips):
            raise IllegalAction("an ace is pending: lay an ace or skip")
        if must_obey(state):
            raise IllegalAction("you hold {cards} and must lay: no drawing now", cards=held_names(state))
    drawable = state.stock or state.pile
    if not drawable:
        if move.size:
            raise IllegalAction("there is no card to draw: draw none")
    elif not move.size:
        raise IllegalAction("there are cards to draw")
    elif state.setup.hidden:
        if move.cards:
            raise IllegalAction("the card is not named with cards=hidden: draw")
    elif not move.cards:
        raise IllegalAction("name the card that came, as in draw h8")
    elif not drawable & move.cards:
        raise IllegalAction("{card} is not among the cards to draw", card=NAMES[move.first])


def check_skip(state: State) -> None:
    """Raises IllegalAction if the mover is not to be skipped."""
    if not isinstance(state.effect, Skips):
        raise IllegalAction("no ace is pending")
    if must_obey(state):
        raise IllegalAction("you hold {cards} and must lay an ace", cards=held_names(state))


def held_names(state: State) -> str:
    """The cards the mover must choose from."""
    cards = held(state) & obeying(state)
    return " ".join(NAMES[card] for card in DECK if cards >> card & 1)
