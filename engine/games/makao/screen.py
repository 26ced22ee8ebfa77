"""Makaó on the panel: 21 small, 14 medium or 12 large characters a line. The numbers in brackets are those of docs/rules/makao.md.

Whose turn and all hands on top; in the largest type what is demanded, or the top card if nothing is; then what is selected;
then who waits to win and, under a demand, the top card, how the request stands, or the stock.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from underboard.engine.base.errors import Plural
from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.panel import WIDTHS, Line, TextSize, choosable, heading, largest
from underboard.engine.gamekit.table import NEW_GAME, PublicSituation, Situation
from underboard.engine.games.makao.captions import (
    SEAT_NAMES,
    card_text,
    cards_text,
    choice_text,
    counts_text,
    demand_text,
    hand_sizes,
    level_of,
    top_text,
    waiting_names,
)
from underboard.engine.games.makao.state import DEAL_VOID, FLIP, OVER, Request, State


def screen(situation: Situation, words: Words) -> Sequence[Line]:
    """The panel while nothing is wrong."""
    state: State = situation.state
    if state.phase == OVER:
        return result_lines(situation, words)
    if state.phase in (FLIP, DEAL_VOID):
        return turning_lines(situation, words)
    if level_of(situation.answers, situation.selected or "") == "card":
        return card_lines(situation, words)
    return detail_lines(situation, words)


def public_screen(situation: PublicSituation, words: Words) -> list[Line]:
    """The panel while the mover's hand is covered: the demand or the top card, who waits to win, what is new. [4-13]"""
    state: State = situation.state
    return [
        top_line(state, words),
        largest(demand_text(state, words) or top_text(state, words)),
        Line(bottom_text(situation, words), align="center"),
    ]


def card_lines(situation: Situation, words: Words) -> list[Line]:
    """A turn: the demand or the top card, and what is selected."""
    state: State = situation.state
    return [
        top_line(state, words),
        largest(demand_text(state, words) or top_text(state, words)),
        selected_line(situation, words, "medium"),
        Line(bottom_text(situation, words, drawing=(situation.selected or "").startswith("draw")), align="center"),
    ]


def detail_lines(situation: Situation, words: Words) -> list[Line]:
    """What is laid together with a card, or asked for. [4, 9]"""
    state: State = situation.state
    cards = situation.answers[-1].partition(" ")[2]
    asking = level_of(situation.answers, situation.selected or "") == "ask"
    heading = with_colon(cards_text(cards, words)) if asking else f"{card_text(cards, words)} +"
    return [
        top_line(state, words),
        largest(heading, "medium"),
        selected_line(situation, words),
        Line(words("BACK: something else"), align="center"),
    ]


def with_colon(text: str) -> str:
    """The text with a colon, if there is room for it: four cards can fill the line."""
    return f"{text}:" if len(text) < WIDTHS["small"] else text


def turning_lines(situation: Situation, words: Words) -> list[Line]:
    """The first card is still to be turned up, or there is none. [3]"""
    state: State = situation.state
    void = state.phase == DEAL_VOID
    return [
        Line(counts_text(state, range(state.setup.players), WIDTHS["small"], words), align="center", inverted=True),
        selected_line(situation, words),
        Line(words(N_("no card to turn up") if void else N_("the first card")), align="center"),
    ]


def top_line(state: State, words: Words) -> Line:
    """Whose turn, and how many cards the others hold."""
    name = SEAT_NAMES.at(state.mover, words)
    others = (seat for seat in range(state.setup.players) if seat != state.mover)
    return heading(name, counts_text(state, others, WIDTHS["small"] - len(name) - 1, words), "medium")


def selected_line(situation: Situation, words: Words, most: TextSize = "large") -> Line:
    """The choice under the cursor."""
    return choosable(choice_text(situation.selected, situation.answers, words), most) if situation.selected else Line("")


def bottom_text(situation: PublicSituation, words: Words, drawing: bool = False) -> str:
    """The most important of what is left to say that fits; `drawing`: whether the mover is about to draw."""
    return next(text for text in bottom_texts(situation, words, drawing) if len(text) <= WIDTHS["small"])


def bottom_texts(situation: PublicSituation, words: Words, drawing: bool) -> Iterator[str]:
    """Under a demand what matters beside it; else who waits, what is new, or the stock."""
    state: State = situation.state
    waiting = waiting_names(state, words)
    if demand_text(state, words):
        yield from texts_under_demand(state, words, drawing)
    if waiting:
        yield words(Plural("{seats} can win", "{seats} can win"), count=len(waiting), seats=" ".join(waiting))
    yield news(situation, words) or stock_text(state, words)


def texts_under_demand(state: State, words: Words, drawing: bool) -> Iterator[str]:
    """The top card with the stock where a card is to be drawn, with who waits to win, or with how the request stands. [7, 9, 13]"""
    top = top_text(state, words)
    waiting = waiting_names(state, words)
    if drawing:
        yield f"{top}, {stock_text(state, words)}"
        yield stock_text(state, words)
    if waiting:
        seats = " ".join(waiting)
        yield words(Plural("{top}, {seats} can win", "{top}, {seats} can win"), count=len(waiting), top=top, seats=seats)
        yield f"{top}, {seats}!"
    if isinstance(state.effect, Request):
        yield from request_texts(state.effect, top, words)
    yield top


def request_texts(request: Request, top: str, words: Words) -> Iterator[str]:
    """Whether somebody has laid what is asked for, so that nothing overrules it any more; else who has asked. [9, 11]"""
    if request.fulfilled:
        yield words("{top}, request met", top=top)
        yield words("{top}, met", top=top)
        yield words("request met")
    else:
        seat = SEAT_NAMES.at(request.by, words)
        yield words("{top}, {seat} asks", top=top, seat=seat)
        yield f"{top} ({seat})"


def stock_text(state: State, words: Words) -> str:
    """How many cards can be drawn before the pile is turned over."""
    return words("stock {count}", count=stock_size(state))


def stock_size(state: State) -> int:
    """How many cards can be drawn before the pile is turned over."""
    return state.stock if state.setup.hidden else state.stock.bit_count()


def news(situation: PublicSituation, words: Words) -> str:
    """What the last action brought about, beside what is seen of it."""
    said = {each["say"] for each in situation.said}
    if "reshuffle" in said:
        return words("reshuffled")
    return words("the request is over") if "ask_over" in said else ""


def result_lines(situation: Situation, words: Words) -> list[Line]:
    """Who has won; then another game, with a physical deck the cards turned up for it. [3, 13]"""
    state: State = situation.state
    text = choice_text(situation.selected, situation.answers, words) if situation.selected else ""
    again = situation.selected == NEW_GAME.name
    return [
        largest(words("{seat} wins", seat=SEAT_NAMES.at(state.mover, words))),
        Line(words("cards {counts}", counts=":".join(map(str, hand_sizes(state)))), align="center"),
        *([] if again else [Line(words("next card turned up:"), align="center")]),
        Line(words("OK: {choice}", choice=text), align="center") if again else choosable(text, "medium"),
    ]
