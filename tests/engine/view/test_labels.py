"""The fixed texts of the pages: each is called once."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.view import labels as module
from underboard.engine.view.labels import labels


def test_no_name_is_given_to_two_texts() -> None:
    """Of two, the pages would show the later one in both places."""
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    literals = [node for node in ast.walk(tree) if isinstance(node, ast.Dict)]
    names = Counter(key.value for literal in literals for key in literal.keys if isinstance(key, ast.Constant))
    assert [name for name, count in names.items() if count > 1] == []
    assert set(names) == set(labels(find_words("en")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_label_has_a_text(language: str) -> None:
    assert [name for name, text in labels(find_words(language)).items() if not text] == []
