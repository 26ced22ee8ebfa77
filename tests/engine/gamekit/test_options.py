"""Options: each is taken once, wrong values and words nobody knows are errors that say what is allowed."""

from __future__ import annotations

import pytest

from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit.options import Options


def test_words_become_options() -> None:
    options = Options.parse(["four=red", "green.spy=3R", "empty=", "sum=1=2"])
    assert options.as_dict() == {"four": "red", "green.spy": "3R", "empty": "", "sum": "1=2"}
    assert "four" in options
    assert "five" not in options


@pytest.mark.parametrize("word", ["four", "=red", "=", ""])
def test_a_word_of_another_shape_is_named(word: str) -> None:
    with pytest.raises(BadArgument, match=f"'{word}' is not an option"):
        Options.parse(["seed=1", word])


def test_a_repeated_key_is_refused() -> None:
    with pytest.raises(BadArgument, match="option 'seed' is given twice"):
        Options.parse(["seed=1", "seed=1"])


def test_an_option_is_taken_once() -> None:
    options = Options.parse(["four=red"])
    assert options.text("four") == "red"
    assert options.text("four") is None
    assert "four" not in options
    options.finish()


def test_choice() -> None:
    options = Options.parse(["cards=open", "four=blue"])
    assert options.choice("cards", ("open", "hidden"), "hidden") == "open"
    assert options.choice("edges", ("seed", "mirrored"), "seed") == "seed"
    with pytest.raises(BadArgument, match="four=blue: allowed are red, yellow"):
        options.choice("four", ("red", "yellow"), "red")


@pytest.mark.parametrize(("text", "number"), [("6", 6), ("20", 20), ("007", 7)])
def test_integer(text: str, number: int) -> None:
    assert Options.parse([f"size={text}"]).integer("size", 11, 6, 20) == number


@pytest.mark.parametrize("text", ["5", "21", "", "-6", "+6", "6.0", "six", "٧", "1" * 400])
def test_integer_out_of_range_or_none_at_all(text: str) -> None:
    with pytest.raises(BadArgument, match="a whole number from 6 to 20 is needed"):
        Options.parse([f"size={text}"]).integer("size", 11, 6, 20)


def test_integer_without_upper_limit_and_default() -> None:
    assert Options().integer("target", 3, 1) == 3
    assert Options.parse(["target=999999999"]).integer("target", 3, 1) == 999_999_999
    with pytest.raises(BadArgument, match="target=0: a whole number 1 or more is needed"):
        Options.parse(["target=0"]).integer("target", 3, 1)


def test_words() -> None:
    options = Options.parse(["out=0,5", "red=", "yellow=1,"])
    assert options.words("out") == ("0", "5")
    assert options.words("red") == ()
    assert options.words("yellow") == ("1", "")
    assert options.words("blue") is None


@pytest.mark.parametrize("seed", ["0", "1", "-1", "18446744073709551615"])
def test_a_seed_repeats(seed: str) -> None:
    first, second = (Options.parse([f"seed={seed}"]).random() for _ in range(2))
    assert [first.random() for _ in range(5)] == [second.random() for _ in range(5)]


def test_without_a_seed_nothing_repeats() -> None:
    assert Options().random().random() != Options().random().random()


@pytest.mark.parametrize("seed", ["", "x", "1.0", "1e3", "--1"])
def test_a_seed_that_is_no_number(seed: str) -> None:
    with pytest.raises(BadArgument, match=f"seed={seed}: a whole number is needed"):
        Options.parse([f"seed={seed}"]).random()


def test_finish_names_what_nobody_took_and_what_is_known() -> None:
    options = Options.parse(["sed=1", "four=red", "size=3"])
    options.text("four")
    options.random()
    with pytest.raises(BadArgument, match="unknown option 'sed', 'size': allowed are four, seed"):
        options.finish()


def test_options_leave_the_given_values_alone() -> None:
    values = {"seed": "1"}
    Options(values).random()
    assert values == {"seed": "1"}


def test_cards_are_found_by_their_names() -> None:
    options = Options.parse(["red=h8,l7,h8", "blue="])
    assert options.cards("red", {"h8": 3, "l7": 4}, "as in h8") == (3, 4, 3)
    assert options.cards("blue", {"h8": 3}, "as in h8") == ()
    assert options.cards("green", {"h8": 3}, "as in h8") is None


def test_a_card_that_there_is_not() -> None:
    with pytest.raises(BadArgument, match="red: 'h9' is no card, cards are as in h8") as error:
        Options.parse(["red=h8,h9"]).cards("red", {"h8": 3}, "as in h8")
    assert error.value.option == "red"


@pytest.mark.parametrize(
    ("word", "default", "hidden"), [("", True, True), ("", False, False), ("open", True, False), ("hidden", False, True)]
)
def test_hidden_cards(word: str, default: bool, hidden: bool) -> None:
    assert Options({"cards": word} if word else {}).hidden(default) is hidden


def test_cards_are_open_or_hidden() -> None:
    with pytest.raises(BadArgument, match="cards=secret: allowed are open, hidden"):
        Options({"cards": "secret"}).hidden()
