"""Reading JSON values: every wrong shape is refused with the place it stands at."""

from __future__ import annotations

from typing import Any

import pytest

from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit.json_reader import JsonReader, is_integer, raise_problems


def reader(value: Any) -> JsonReader:
    return JsonReader({"key": value}, ["key"])


@pytest.mark.parametrize("record", [None, [], "key", 1, True])
def test_an_object_is_needed(record: Any) -> None:
    with pytest.raises(BadArgument, match=r"^the position: a JSON object is needed"):
        JsonReader(record, ["key"])
    with pytest.raises(BadArgument, match=r"^supply: a JSON object is needed"):
        JsonReader(record, ["key"], "supply")


def test_all_missing_and_unknown_keys_are_listed() -> None:
    with pytest.raises(BadArgument) as error:
        JsonReader({"b": 1, "x": 1, "y": 2}, ["a", "b", "c"], "hands")
    assert str(error.value) == "hands.a is missing; hands.c is missing; hands.x is unknown; hands.y is unknown"


def test_choice() -> None:
    assert reader("red").choice("key", ("red", "yellow")) == "red"
    wrong_values: list[Any] = ["blue", "", None, 1, ["red"], {}]
    for wrong in wrong_values:
        with pytest.raises(BadArgument, match=r"^key: allowed are red, yellow$"):
            reader(wrong).choice("key", ("red", "yellow"))


def test_optional_may_be_null() -> None:
    assert reader(None).optional("key", ["red"]) is None
    assert reader("red").optional("key", ["red"]) == "red"
    with pytest.raises(BadArgument, match="allowed are red"):
        reader("yellow").optional("key", ["red"])


def test_integer() -> None:
    assert reader(0).integer("key") == 0
    assert reader(5).integer("key", 1, 5) == 5
    for wrong in (0, 6, 1.0, True, "1", None, [1], float("nan")):
        with pytest.raises(BadArgument, match=r"^key: a whole number from 1 to 5 is needed$"):
            reader(wrong).integer("key", 1, 5)
    with pytest.raises(BadArgument, match=r"^key: a whole number 0 or more is needed$"):
        reader(-1).integer("key")


def test_boolean() -> None:
    assert reader(True).boolean("key") is True
    for wrong in (1, 0, None, "true"):
        with pytest.raises(BadArgument, match=r"^key: true or false is needed$"):
            reader(wrong).boolean("key")


def test_items() -> None:
    def read(value: Any) -> int | None:
        return value if is_integer(value) and value < 6 else None

    assert reader([0, 5, 0]).items("key", read, "card") == [0, 5, 0]
    assert reader([]).items("key", read, "card") == []
    with pytest.raises(BadArgument, match=r"^key: a list of card is needed$"):
        reader("05").items("key", read, "card")
    with pytest.raises(BadArgument, match=r"^key: 'x' is no card$"):
        reader([1, "x"]).items("key", read, "card")


def test_items_do_not_quote_lists_that_may_be_nested_without_end() -> None:
    endless: list[Any] = []
    endless.append(endless)
    for value, named in ((endless, "a list"), ({"a": endless}, "an object")):
        with pytest.raises(BadArgument, match=f"^key: {named} is no card$"):
            reader([value]).items("key", lambda _: None, "card")


def test_inside_names_the_whole_path() -> None:
    inner = JsonReader({"supply": {"red": {"normal": -1}}}, ["supply"]).inside("supply", ["red"]).inside("red", ["normal"])
    assert inner.value("normal") == -1
    with pytest.raises(BadArgument, match=r"^supply\.red\.normal: a whole number 0 or more is needed$"):
        inner.integer("normal")
    assert str(inner.refuse("normal", "why")) == "supply.red.normal: why"


@pytest.mark.parametrize(("value", "whole"), [(0, True), (-3, True), (True, False), (1.0, False), ("1", False), (None, False)])
def test_is_integer(value: Any, whole: bool) -> None:
    assert is_integer(value) is whole


def test_raise_problems_says_all_problems() -> None:
    raise_problems([])
    with pytest.raises(BadArgument, match=r"^one; two$"):
        raise_problems(["one", "two"])


def test_text() -> None:
    assert reader("a").text("key") == "a"
    for value in (None, 1, ["a"]):
        with pytest.raises(BadArgument, match=r"^key: a text is needed$"):
            reader(value).text("key")


@pytest.mark.parametrize(("value", "hidden"), [("open", False), ("hidden", True)])
def test_hidden(value: str, hidden: bool) -> None:
    assert JsonReader({"cards": value}, ["cards"]).hidden() is hidden


def test_hidden_is_a_word() -> None:
    with pytest.raises(BadArgument, match=r"^cards: allowed are open, hidden$"):
        JsonReader({"cards": True}, ["cards"]).hidden()
