"""The hand that lays cards down: one after the other, each long enough to be read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from underboard.hardware.cards.reader import CardReader, CardSeen
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.parts import ReaderKind
from underboard.hardware.simulator.box import SimulatedBox
from underboard.hardware.simulator.card_hand import MOST_WAITING, CardHand

TAGS = ["04006A3F1C", "0400691D22", "04006A0B17"]


@pytest.fixture(params=["rdm6300", "id12la", "pn532"])
def box(request: pytest.FixtureRequest) -> Iterator[tuple[SimulatedBox, VirtualClock]]:
    kind: ReaderKind = request.param
    clock = VirtualClock()
    with SimulatedBox(clock, reader=kind) as box:
        box.pin_factory()
        yield box, clock


def test_each_card_is_read_in_order(box: tuple[SimulatedBox, VirtualClock]) -> None:
    simulated, clock = box
    hand = CardHand(simulated.card_reader(), clock)
    tags = [f"{tag}A1B2" for tag in TAGS] if simulated.card_reader().kind == "pn532" else TAGS
    seen = []
    with CardReader(simulated.ports, clock, known=tags.__contains__) as reader:
        for step in range(2_000):
            if step == 1_000:
                for tag in tags:
                    hand.lay(lambda tag=tag: tag)  # type: ignore[misc]
            hand.poll()
            seen += [news.tag for news in reader.poll() if isinstance(news, CardSeen)]
            clock.advance(4)
    assert seen == tags
    assert not hand.busy


def test_a_thousand_clicks_are_no_thousand_cards() -> None:
    clock = VirtualClock()
    with SimulatedBox(clock, reader="rdm6300") as box:
        hand = CardHand(box.card_reader(), clock)
        picked = []
        for number in range(1_000):
            hand.lay(lambda number=number: picked.append(number) or TAGS[0])  # type: ignore[misc,func-returns-value]
        while hand.busy:
            hand.poll()
            clock.advance(50)
    assert picked == list(range(MOST_WAITING))
