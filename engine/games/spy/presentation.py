"""SPY on the page: the spies' tokens beside the board, and what happened in sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.game import Action, Announcement, Record, Seat
from underboard.engine.gamekit.overlay import Site
from underboard.engine.gamekit.presentation import Piece, Presentation
from underboard.engine.games.spy.arranging import ARRANGED
from underboard.engine.games.spy.captions import KIND_LETTERS, SEAT_NAMES, SPY_FACES, code_text, parts, rule_text, target_text
from underboard.engine.games.spy.rules import Spy
from underboard.engine.games.spy.screen import out_text as all_out_text
from underboard.engine.games.spy.state import UNSEEN, State, looked_at

MARKS = "[]*"
"""What a holder's hand adds to a card: exposed, or a lit bomb."""


class SpyPresentation(Presentation):
    """One spy a seat."""

    rules = Spy()

    def pieces(self, state: State) -> Sequence[Piece]:
        return [Piece(seat, seat) for seat in state.setup.seats]

    def standing(self, state: State) -> Mapping[Site, Sequence[str]]:
        return {f"{seat}{spy.gap}": [seat] for seat, spy in zip(state.setup.seats, state.spies, strict=True)}

    def facts(self, state: State, words: Words) -> Sequence[str]:
        seats = [seat for seat in range(len(state.bases)) if seat not in state.out]
        targets = [f"{SEAT_NAMES.at(seat, words)}: {target_text(state, seat, words)}" for seat in seats]
        return [*targets, *([all_out_text(state, SEAT_NAMES, words)] if state.out else []), rule_text(state, words)]

    def fans(self, view: Record) -> Mapping[Seat, Sequence[str | None]]:
        """Bases from their holders' left: the spy in its gap, exposed cards in brackets, lit bombs with a star."""
        return {seat: base_seen(view, seat) for seat in view["bases"]}

    def figures(self, words: Words) -> Mapping[str, str]:
        return {face: words(text) for face, text in FIGURES.items()}

    def card(self, name: str, words: Words) -> str:
        """A card as it is printed, with its mark if it is exposed or lit."""
        code = name.strip(MARKS)
        return name.replace(code, code_text(code, words)) if code[:1] in KIND_LETTERS else name

    def help(self, words: Words) -> str:
        return words("Move and spy with ◀ ▶ OK; a long OK flips the spy after its move. The spy's token can be moved on a track, too.")

    def action_text(self, before: State, action: Action, words: Words) -> str:
        seat = SEAT_NAMES.of(self.rules.to_move(before), words)
        verb, _, rest = action.partition(" ")
        if verb in ARRANGED:
            return words(ARRANGED[verb], seat=seat)
        if verb == "move":
            flip_before, number, flip_after = parts(action)
            return words(MOVED[flip_before, flip_after], seat=seat, number=number)
        if verb == "spy":
            victim, card = SEAT_NAMES.of(rest, words), looked_at(before) + 1
            return words("{seat} spies on {victim}: card {number} from the left", seat=seat, victim=victim, number=card)
        return words(N_("{seat} ends the turn") if verb == "end" else N_("{seat} answers"), seat=seat)

    def announcement_text(self, said: Announcement, after: State, words: Words) -> str:
        text = ANNOUNCED.get(said["say"])
        return text(said, words) if text else super().announcement_text(said, after, words)


MOVED = {
    (False, False): N_("{seat}: the spy moves {number}"),
    (True, False): N_("{seat}: the spy flips and moves {number}"),
    (False, True): N_("{seat}: the spy moves {number} and flips"),
    (True, True): N_("{seat}: the spy flips, moves {number} and flips again"),
}
"""By a flip before and after."""

ANSWERED = {
    "safe": N_("{seat}: a safe, but not the target"),
    "secret": N_("{seat}: a top secret, but not the target"),
    "fuse": N_("{seat}: tsssssss! A bomb, its fuse burns from now on"),
    "nothing": N_("{seat}: that card lies open already"),
}


def answer_text(said: Announcement, words: Words) -> str:
    """What the one spied on said. [8]"""
    return words(ANSWERED[said["say"]], seat=SEAT_NAMES.of(said["of"], words))


def exposed_text(said: Announcement, words: Words) -> str:
    """The target was found. [8a]"""
    return words(
        "{seat} turns card {number} from the left over: {card}",
        seat=SEAT_NAMES.of(said["of"], words),
        number=said["place"] + 1,
        card=code_text(said["card"], words),
    )


def lit_text(said: Announcement, words: Words) -> str:
    """A lit bomb was found. [8d]"""
    return words("{seat}: a lit bomb! {out} is out", seat=SEAT_NAMES.of(said["of"], words), out=SEAT_NAMES.of(said["out"], words))


def out_text(said: Announcement, words: Words) -> str:
    """All four targets are exposed. [9]"""
    return words("{seat} is out: all four targets are exposed", seat=SEAT_NAMES.of(said["seat"], words))


ANNOUNCED: Mapping[str, Callable[[Announcement, Words], str]] = {
    **dict.fromkeys(ANSWERED, answer_text),
    "exposed": exposed_text,
    "lit": lit_text,
    "out": out_text,
}


def base_seen(view: Record, seat: Seat) -> Sequence[str | None]:
    """The cards of one base with its spy, as far as a view shows them."""
    exposed, lit, spy = view["exposed"][seat], view["lit"][seat], view["spies"][seat]
    cards = [None if card == UNSEEN else mark(card, place in exposed, place in lit) for place, card in enumerate(view["bases"][seat])]
    gap = int(spy[:-1])
    return [*cards[:gap], SPY_FACES[spy[-1]], *cards[gap:]]


FIGURES = {SPY_FACES["R"]: N_("the spy, who looks right"), SPY_FACES["L"]: N_("the spy, who looks left")}


def mark(card: str, exposed: bool, lit: bool) -> str:
    """A card with what everybody, or its holder, knows of it."""
    return f"[{card}]" if exposed else f"{card}*" if lit else card
