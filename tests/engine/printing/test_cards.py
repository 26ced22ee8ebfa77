"""Cards: all of a deck, each with room for its tag, none over the edge."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.engine.printing.reading import read
from underboard.engine.base.drawing.shapes import Bounds, Circle, Clipped, TextShape
from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_game, find_print
from underboard.engine.printing.cards import CARD_HEIGHT, CARD_WIDTH, TAG, card, faces_of, grid_on, sheets
from underboard.engine.printing.paper import PAPERS, paper_of

ENGLISH = find_words("en")
DECKS = ("hack_trick", "makao", "sequence_numbers", "spy")
every_deck = pytest.mark.parametrize("game_id", DECKS)


@every_deck
@pytest.mark.parametrize("paper", PAPERS)
def test_every_card_of_a_deck_is_printed_once(game_id: str, paper: str) -> None:
    deck = find_game(game_id).deck(Options({}))
    tags = 0
    for sheet in read(sheets(game_id, Options({}), paper_of(paper), ENGLISH)):
        assert sorted((sheet.width, sheet.height)) == pytest.approx(sorted(PAPERS[paper]), abs=0.01)
        assert any(length == pytest.approx(100, abs=0.01) for length in sheet.lengths())
        tags += sum(max(x for x, _ in circle) - min(x for x, _ in circle) == pytest.approx(TAG, abs=0.02) for circle in sheet.circles)
    assert tags == len(deck)


@every_deck
def test_different_cards_have_different_faces(game_id: str) -> None:
    cards = {*find_game(game_id).deck(Options({})), *find_print(game_id).untagged()}
    faces = {repr(find_print(game_id).face(card, ENGLISH)) for card in cards}
    assert len(faces) == len(cards)


@every_deck
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_on_a_card_lies_over_another_or_the_edge(game_id: str, language: str) -> None:
    edge = Bounds(2, 2, CARD_WIDTH - 2, CARD_HEIGHT - 2)
    for face, tagged in faces_of(game_id, Options({}), find_words(language)):
        shapes = [shape for shape in card(face, tagged, ENGLISH) if getattr(shape, "name", "") != "card"]
        assert all(shape.box.within(edge) for shape in shapes), face
        texts = [shape for shape in shapes if isinstance(shape, TextShape)]
        tag = [shape for shape in shapes if isinstance(shape, Circle) and shape.name == "tag"]
        assert len(tag) == tagged
        assert not any(one.box.meets(other.box) for number, one in enumerate(texts) for other in texts[number + 1 :]), face
        assert not any(text.box.meets(circle.box) for text in texts[:-1] for circle in tag), face


def test_the_spies_need_no_tag() -> None:
    counted = Counter(tagged for _, tagged in faces_of("spy", Options({}), ENGLISH))
    assert counted == {True: 26, False: 4}


def test_cards_of_another_board_are_other_cards() -> None:
    small = faces_of("sequence_numbers", Options({"board": "house8"}), ENGLISH)
    assert len(small) < len(faces_of("sequence_numbers", Options({}), ENGLISH))


@pytest.mark.parametrize(("paper", "size"), [("a4", (3, 3)), ("letter", (4, 2))])
def test_as_many_cards_as_fit(paper: str, size: tuple[int, int]) -> None:
    grid = max((grid_on(way) for way in (paper_of(paper), paper_of(paper).turned)), key=lambda found: found.columns * found.rows)
    assert (grid.columns, grid.rows) == size
    assert grid.left > 5
    assert grid.top > 5


def test_cards_have_no_windows() -> None:
    assert not any(
        isinstance(shape, Clipped) for drawing in sheets("makao", Options({}), paper_of("a4"), ENGLISH) for shape in drawing.shapes
    )


@pytest.mark.parametrize(
    ("language", "indices"),
    [("en", "VII VIII IX X U O K A"), ("hu", "VII VIII IX X A F K Á"), ("nl", "VII VIII IX X O B H A"), ("hy", "VII VIII IX X Ս Վ Ա Տ")],
)
def test_indices_of_hungarian_cards_are_those_of_the_language(language: str, indices: str) -> None:
    faces = find_print("makao")
    assert " ".join(faces.face(f"h{rank}", find_words(language)).corner for rank in ("7", "8", "9", "10", "U", "O", "K", "A")) == indices
