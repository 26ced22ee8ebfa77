"""`underboard cards`: a deck is taught on a simulated reader, in virtual time."""

from __future__ import annotations

import os
import termios
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from underboard.engine.app.maintenance.teach_cards import DeckLesson, Keyboard, TeachingSetup, cards_to_teach, learn, open_reader, show
from underboard.engine.app.tagged_deck import Deck, DeckError, load_deck, save_deck
from underboard.engine.base.errors import BadArgument
from underboard.engine.cli import main as cli
from underboard.hardware.cards.reader import READER
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.parts import ReaderKind
from underboard.hardware.simulator.card_reader import SimulatedReader
from underboard.hardware.simulator.serial_port import SimulatedPorts

CARDS = ("0", "0", "1")
ONE, TWO, THREE = "04006A3F1C", "0400691D22", "0400112233"


class Lesson:
    """A course of three cards; what it said, and what it saved."""

    def __init__(self, deck: Deck) -> None:
        self.said: list[str] = []
        self.saved: list[Deck] = []
        self.course = DeckLesson(deck, self.said.append, self.saved.append)


@pytest.fixture
def lesson() -> Lesson:
    return Lesson(Deck("hack_trick", CARDS))


def test_card_by_card_with_progress(lesson: Lesson) -> None:
    for tag in (ONE, TWO, THREE):
        lesson.course.lay(tag)
    assert lesson.said == [
        "1 of 3: lay a 0 on the reader (copy 1 of 2)",
        "2 of 3: lay a 0 on the reader (copy 2 of 2)",
        "3 of 3: lay a 1 on the reader",
        "3 of 3 cards are known: the deck is complete.",
    ]
    assert [len(deck.tags) for deck in lesson.saved] == [1, 2, 3]
    assert lesson.course.over
    assert lesson.course.deck.tags == {ONE: "0", TWO: "0", THREE: "1"}


def test_a_tag_that_is_taken_is_refused_with_its_card(lesson: Lesson) -> None:
    lesson.course.lay(ONE)
    lesson.course.lay(ONE)
    assert lesson.said[-1] == f"  tag {ONE}: this card is known already: it is '0'. Lay another one."
    assert lesson.course.wanted == "0"
    assert len(lesson.saved) == 1


def test_skip_and_back(lesson: Lesson) -> None:
    course = lesson.course
    course.lay(ONE)
    course.press("s")
    assert course.wanted == "1"
    course.press("b")
    course.press("b")
    assert lesson.said[-1] == "1 of 3: lay a 0 on the reader (copy 1 of 2)"
    assert course.deck.tags == {}
    course.press("b")
    assert lesson.said[-1] == "  this is the first card"
    for key in "sx s":
        course.press(key)
    course.lay(THREE)
    assert lesson.said[-1] == "1 of 3 cards are known; skipped: 0, 0."


def test_it_goes_on_where_it_stopped() -> None:
    lesson = Lesson(Deck("hack_trick", CARDS, {ONE: "0"}))
    assert lesson.said == ["2 of 3: lay a 0 on the reader (copy 2 of 2)"]
    lesson.course.press("b")
    assert lesson.said[-1] == "1 of 3: lay a 0 on the reader (copy 1 of 2)"
    lesson.course.press("q")
    assert lesson.said[-1] == "0 of 3 cards are known. The same command goes on from here."
    assert lesson.course.over


def test_a_complete_deck_has_nothing_to_ask() -> None:
    lesson = Lesson(Deck("hack_trick", CARDS, {ONE: "0", TWO: "0", THREE: "1"}))
    assert lesson.course.over
    lesson.course.lay("0400000001")
    assert lesson.saved == []


class Room:
    """A simulated reader on which cards are laid one after the other, and keys pressed, half a second each."""

    def __init__(self, kind: ReaderKind, path: Path) -> None:
        self.clock = VirtualClock()
        self.ports = SimulatedPorts()
        self.device = SimulatedReader(self.ports, self.clock, kind)
        self.path = path
        self.said: list[str] = []
        self._plan: list[str | Callable[[], None]] = []
        self._next = 1_000

    def run(self, act: Callable[[Path, Deck, TeachingSetup], None], plan: list[str | Callable[[], None]]) -> Deck:
        """What becomes of the deck when hands do this: a tag is laid down, a single letter pressed, anything else called."""
        self._plan = plan
        deck = load_deck(self.path, "hack_trick", CARDS)
        with open_reader(self.ports, self.clock, READER, deck) as reader:
            act(self.path, deck, TeachingSetup(reader, self._typed, self.clock, self.said.append))
        return load_deck(self.path, "hack_trick", CARDS)

    def _typed(self) -> str:
        if self.clock.now() < self._next or not self._plan:
            return ""
        self._next = self.clock.now() + 500
        self.device.take_away()
        step = self._plan.pop(0)
        if not isinstance(step, str):
            step()
            return ""
        if len(step) == 1:
            return step
        self.device.lay(step)
        return ""


@pytest.fixture
def new_room(tmp_path: Path) -> Iterator[Callable[[ReaderKind], Room]]:
    rooms: list[Room] = []

    def make(kind: ReaderKind) -> Room:
        rooms.append(Room(kind, tmp_path / "decks" / "cards.toml"))
        return rooms[-1]

    yield make
    for room in rooms:
        room.ports.close()


def test_a_deck_is_taught_on_a_reader_that_comes_late_and_quits_in_between(new_room: Callable[[ReaderKind], Room]) -> None:
    room = new_room("rdm6300")
    assert room.run(learn, [room.device.plug, lambda: None, ONE, "q"]).tags == {ONE: "0"}
    assert any(text.startswith("  no card reader: the card reader") for text in room.said)
    assert room.run(learn, [ONE, TWO, room.device.unplug, lambda: room.device.plug("ttyUSB4"), *[lambda: None] * 4, THREE]).missing == []
    assert room.said[-1] == "3 of 3 cards are known: the deck is complete."


def test_a_reader_that_tells_of_a_card_only_once_wants_it_twice(new_room: Callable[[ReaderKind], Room]) -> None:
    room = new_room("id12la")
    assert room.run(learn, [room.device.plug, lambda: None, ONE, ONE, "q"]).tags == {ONE: "0"}
    assert "  once more: lift the card and lay it down again" in room.said


def test_cards_are_shown(new_room: Callable[[ReaderKind], Room]) -> None:
    room = new_room("pn532")
    save_deck(room.path, Deck("hack_trick", CARDS, {"13C48A32": "1"}))
    room.run(show, [room.device.plug, lambda: None, "13C48A32", "043318EA703280", "q"])
    assert room.said[-2:] == ["tag 13C48A32: 1", "tag 043318EA703280: not in this deck"]


def test_the_file_is_readable_and_no_other_is_left_behind(tmp_path: Path) -> None:
    path = tmp_path / "cards.toml"
    save_deck(path, Deck("hack_trick", CARDS, {ONE: "0", TWO: "1"}))
    assert os.listdir(tmp_path) == ["cards.toml"]
    assert path.stat().st_mode & 0o777 == 0o644
    assert path.read_text(encoding="utf-8").splitlines()[1:] == [
        'game = "hack_trick"',
        "",
        "[cards]",
        f'"0" = ["{ONE}"]',
        f'"1" = ["{TWO}"]',
    ]


def test_an_editor_may_put_a_mark_of_utf_8_first(tmp_path: Path) -> None:
    (tmp_path / "cards.toml").write_text(f'game = "hack_trick"\n[cards]\n"0" = ["{ONE}"]', encoding="utf-8-sig")
    assert load_deck(tmp_path / "cards.toml", "hack_trick", CARDS).tags == {ONE: "0"}


def test_files_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    (tmp_path / "cards.toml").write_bytes(b"\xff")
    with pytest.raises(DeckError, match=r"cards\.toml"):
        load_deck(tmp_path / "cards.toml", "hack_trick", CARDS)
    with pytest.raises(DeckError, match=r"cards\.toml"):
        save_deck(tmp_path / "cards.toml" / "cards.toml", Deck("hack_trick", CARDS))


def test_games_and_their_cards() -> None:
    assert len(cards_to_teach("sequence_numbers", ["board=house8"])) == 64
    with pytest.raises(BadArgument, match="virus_wars has no cards"):
        cards_to_teach("virus_wars", [])
    with pytest.raises(BadArgument, match="unknown option 'x'"):
        cards_to_teach("hack_trick", ["x=1"])


def test_keys_are_read_without_waiting_and_the_terminal_is_as_before() -> None:
    ours, theirs = os.openpty()
    before = termios.tcgetattr(theirs)
    with open(theirs, encoding="utf-8", closefd=False) as terminal, Keyboard(terminal) as typed:
        assert typed() == ""
        os.write(ours, b"S")
        while not (keys := typed()):
            pass
        assert keys == "s"
    assert termios.tcgetattr(theirs) == before
    os.close(theirs)
    os.close(ours)


def test_an_input_that_has_ended_says_that_nobody_is_there() -> None:
    with open(os.devnull, encoding="utf-8") as nothing, Keyboard(nothing) as typed:
        assert typed() == typed() == "q"
    with Keyboard(None) as typed:
        assert typed() == "q"


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli.main(["cards", "learn", "virus_wars"]) == 2
    assert "virus_wars has no cards" in capsys.readouterr().err
    (tmp_path / "bad.toml").write_text("game =")
    assert cli.main(["cards", "show", "makao", "--deck", str(tmp_path / "bad.toml")]) == 2
    assert "bad.toml: this is no deck file" in capsys.readouterr().err
    keys = tmp_path / "keys"
    keys.write_text("q")
    with keys.open(encoding="utf-8") as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        arguments = ["cards", "learn", "makao", "--deck", str(tmp_path / "makao.toml"), "--port", str(tmp_path / "no-port")]
        assert cli.main(arguments) == 0
    assert "1 of 32: lay a h7 on the reader" in capsys.readouterr().out


def test_a_deck_that_could_not_be_kept_is_refused_before_any_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gone").symlink_to("nowhere")
    with open(os.devnull, encoding="utf-8") as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert cli.main(["cards", "learn", "makao", "--deck", str(tmp_path / "gone" / "deck.toml")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"{tmp_path}/gone/deck.toml: a file is where its folder should be: name another file with --deck\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "Is a directory"), (b"\xff\xfe\x00", "this is no text in UTF-8"), (b"game = 1", 'game = "makao" is needed')],
)
def test_a_deck_that_cannot_be_read(content: bytes | None, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deck"
    path.mkdir() if content is None else path.write_bytes(content)
    assert cli.main(["cards", "learn", "makao", "--deck", str(path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"{path}: {said}")
    assert "Errno" not in error
