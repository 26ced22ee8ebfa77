"""SPY on the panel: 21 small, 14 medium or 12 large characters a line. The numbers in brackets are those of docs/rules/spy.md.

Whose turn and the number faced on top; what is selected, or the answer to a SPY, in the largest type; then the exposure
target of each opponent and who is out; then the rule for T2, or what else the keys and the token can do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from underboard.engine.base.i18n import Words
from underboard.engine.gamekit.panel import WIDTHS, Line, TextSize, choosable, heading, largest
from underboard.engine.gamekit.seats import SeatNames
from underboard.engine.gamekit.table import PublicSituation, Situation
from underboard.engine.games.spy.arranging import cards_of
from underboard.engine.games.spy.captions import (
    FLIP,
    SEAT_NAMES,
    SHORT_NAMES,
    SPY_FACES,
    answer_text,
    choice_text,
    code_text,
    number_faced,
    rule_text,
    target_code,
    target_text,
)
from underboard.engine.games.spy.rules import Spy
from underboard.engine.games.spy.state import Stance, State, acting, faced, is_over, looked_at, winner


def screen(situation: Situation, words: Words) -> Sequence[Line]:
    """The panel while nothing is wrong."""
    state: State = situation.state
    if is_over(state):
        return result_lines(situation, words)
    if situation.awaited:
        return awaiting_lines(situation, situation.awaited, words)
    if situation.asked:
        return asking_lines(situation, words)
    if state.to_arrange:
        return arranging_lines(situation, words)
    if state.asked is not None:
        return answering_lines(situation, state.asked, words)
    answer = "".join(answer_text(said, words) for said in situation.said)
    return news_lines(situation, answer, words) if answer else choosing_lines(situation, words)


def public_screen(situation: PublicSituation, words: Words) -> list[Line]:
    """The panel while the mover's base is covered: whose turn, the answer to a SPY if there is one, targets, who is out. [8]"""
    state: State = situation.state
    if state.to_arrange:
        return [top_line(state, words), largest(words("spy {place}", place=stance_text(state.spies[acting(state)])), "medium")]
    answer = "".join(answer_text(said, words) for said in situation.said)
    return [
        Line(SEAT_NAMES.at(state.turn if state.asked is None else state.asked, words), "medium", inverted=True),
        largest(answer or rule_text(state, words)),
        targets_line(state, words, ("small",)),
    ]


def arranging_lines(situation: Situation, words: Words) -> list[Line]:
    """The base as it would be with what is selected, and what is selected. [3]"""
    state: State = situation.state
    selected = situation.selected or ""
    after, _ = Spy().do(state, selected) if selected.startswith(("stand ", "swap ")) else (state, [])
    return [
        top_line(state, words),
        Line(base_text(after, acting(state), words), align="center"),
        choosable(selected_text(situation, words), "medium"),
        Line(words("OK: as it is") if selected == "ready" else words("OK: choose"), align="center"),
    ]


def base_text(state: State, seat: int, words: Words) -> str:
    """The cards of a base from its holder's left, with the spy in its gap."""
    size = state.setup.arrangements.size
    cards = ["?"] * size if state.setup.hidden else [code_text(card, words) for card in cards_of(state, seat)]
    stance = state.spies[seat]
    gaps = [SPY_FACES[str(stance)[-1]] if gap == stance.gap else " " for gap in range(size)]
    return "".join(gap + card for gap, card in zip(gaps, cards, strict=True)).strip()


def stance_text(stance: Stance) -> str:
    """The card, from 1, that a spy stands before, and the side that it looks to."""
    return f"{stance.gap + 1}{SPY_FACES[str(stance)[-1]]}"


def choosing_lines(situation: Situation, words: Words) -> list[Line]:
    """A turn: what is selected. [5]"""
    state: State = situation.state
    return [
        top_line(state, words),
        choosable(selected_text(situation, words)),
        targets_line(state, words),
        Line(hint(situation, words), align="center"),
    ]


def news_lines(situation: Situation, answer: str, words: Words) -> list[Line]:
    """The answer to a SPY. [8]"""
    state: State = situation.state
    return [
        news_top_line(situation, words),
        largest(answer),
        choosable(selected_text(situation, words), "medium"),
        targets_line(state, words, ("small",)),
    ]


def answering_lines(situation: Situation, victim: int, words: Words) -> list[Line]:
    """Somebody is asked which card he holds. [7, 8]"""
    state: State = situation.state
    top = words("{seat} answers", seat=SEAT_NAMES.at(victim, words))
    return [
        largest(top, "medium", inverted=True),
        choosable(selected_text(situation, words)),
        Line(words("your card {number} from left", number=looked_at(state) + 1), align="center"),
        Line(below_answer(situation, words), align="center"),
    ]


def below_answer(situation: Situation, words: Words) -> str:
    """What becomes of a bomb that is found in a real base; else the target. [8]"""
    state: State = situation.state
    if situation.selected == "answer bomb":
        return words("turn the card around")
    return words("target {card}", card=target_code(state, state.asked or 0, words))


def awaiting_lines(situation: Situation, action: str, words: Words) -> list[Line]:
    """A MOVE was chosen by key: where the token goes. [6]"""
    if situation.blind:
        doing = words("OK: it stands there")
    elif situation.to_lift:
        doing = words("take off {spaces}", spaces=" ".join(situation.to_lift))
    else:
        doing = words("BACK: something else")
    return [
        top_line(situation.state, words),
        largest(goal(situation, action)),
        choosable(choice_text(situation.state, action, words), "medium"),
        Line(doing, align="center"),
    ]


def asking_lines(situation: Situation, words: Words) -> list[Line]:
    """A token has been moved, and nobody said how the spy flips. [6]"""
    return [
        top_line(situation.state, words),
        choosable(selected_text(situation, words)),
        largest(goal(situation, situation.selected or ""), "medium"),
        Line(words("OK: yes  ›: other"), align="center"),
    ]


def goal(situation: Situation, action: str) -> str:
    """The gap that a MOVE ends in."""
    change = situation.changes.get(action)
    return f"→ {' '.join(change.puts)}" if change else ""


def selected_text(situation: Situation, words: Words) -> str:
    """The choice under the cursor."""
    return choice_text(situation.state, situation.selected, words) if situation.selected else ""


def top_line(state: State, words: Words) -> Line:
    """Whose turn, and the number faced; or who arranges the base."""
    if state.to_arrange:
        return heading(SEAT_NAMES.at(acting(state), words), words("arranges"))
    return heading(SEAT_NAMES.at(state.turn, words), faces_text(state, words), "medium")


def news_top_line(situation: Situation, words: Words) -> Line:
    """Whose turn, whom he has spied on if he can go on, and the number faced."""
    state: State = situation.state
    seat = SEAT_NAMES.at(state.turn, words)
    victim = next((SEAT_NAMES.of(said["of"], words) for said in situation.said if state.spied and "of" in said), "")
    faces = faces_text(state, words)
    spying = f"{seat}→{victim}"
    return heading(spying if victim and len(spying) + len(faces) < WIDTHS["small"] else seat, faces)


def faces_text(state: State, words: Words) -> str:
    """The number faced; before a card of which nobody has told it, which card that is, from the holder's left."""
    number = number_faced(state)
    if number != "?":
        return words("faces {number}", number=number)
    stance = state.spies[state.turn]
    return words("card {number}", number=faced(stance.gap, stance.right, state.setup.arrangements.size) + 1)


def hint(situation: Situation, words: Words) -> str:
    """At set-up the rule for T2; then which card a spy would look at, what else can be done with a move, else the rule again. [7, 9]"""
    state: State = situation.state
    selected = situation.selected or ""
    if selected.startswith("spy") and not untouched(state):
        return words("looks at card {number}", number=looked_at(state) + 1)
    if untouched(state) or not selected.startswith("move"):
        return rule_text(state, words)
    if selected in situation.changes:
        return words("or move the token")
    return words("{flip} flip the spy", flip=FLIP) if selected.endswith("f") else words("hold OK: then flip")


def untouched(state: State) -> bool:
    """Whether the game looks as if it had just begun."""
    touched = state.moved or state.spied or bool(state.out) or any(base.exposed or base.lit or base.target for base in state.bases)
    return state.turn == state.setup.first and not touched


def targets_line(state: State, words: Words, sizes: Sequence[TextSize] = ("medium", "small")) -> Line:
    """The exposure target of each opponent and who is out, in the largest type and with the longest names that fit. [8a]"""
    texts = list(targets_texts(state, words))
    return next(Line(text, size, "center") for size in sizes for text in texts if len(text) <= WIDTHS[size])


def targets_texts(state: State, words: Words) -> Iterator[str]:
    """The same in words, with short cards, with short seats too, and with a cross at who is out."""
    others = [seat for seat in range(len(state.bases)) if seat != state.turn and seat not in state.out]
    if len(others) == 1 and not state.out:
        yield f"{SEAT_NAMES.at(others[0], words)}: {target_text(state, others[0], words)}"
    for names in (SEAT_NAMES, SHORT_NAMES):
        targets = " ".join(f"{names.at(seat, words)} {target_code(state, seat, words)}" for seat in others)
        out = out_text(state, names, words) if state.out else ""
        yield f"{targets} {out}".rstrip()
    crossed = " ".join(SHORT_NAMES.at(seat, words) for seat in state.out)
    yield f"{targets} × {crossed}"


def out_text(state: State, names: SeatNames, words: Words) -> str:
    """Who is out of the game."""
    return words("out: {seats}", seats=" ".join(names.at(seat, words) for seat in state.out))


def result_lines(situation: Situation, words: Words) -> list[Line]:
    """Who has won, what put out the last one, and who is out. [9, 10]"""
    state: State = situation.state
    last = SEAT_NAMES.at(state.out[-1], words)
    reasons = {"lit": words("{seat}: lit bomb", seat=last), "exposed": words("{seat}: T2 exposed", seat=last)}
    reason = next((reasons[said["say"]] for said in situation.said if said["say"] in reasons), rule_text(state, words))
    outs = [out_text(state, names, words) for names in (SEAT_NAMES, SHORT_NAMES)]
    return [
        largest(words("{seat} wins", seat=SEAT_NAMES.at(winner(state), words))),
        Line(reason, align="center"),
        Line(next(text for text in outs if len(text) <= WIDTHS["small"]), align="center"),
        Line(words("OK: {choice}", choice=selected_text(situation, words)), align="center"),
    ]
