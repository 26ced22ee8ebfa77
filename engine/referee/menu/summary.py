"""What is settled for a game, in two lines of the panel."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from underboard.engine.base.i18n import Words
from underboard.engine.gamekit.panel import WIDTHS, wrapped
from underboard.engine.gamekit.settings import Setting

LINES = 2


def summary(settings: Sequence[Setting], answers: Mapping[str, str], words: Words) -> list[str]:
    """The settings with what is settled for each: all of them, else those that fit and are least to be guessed; cut if none fit."""
    texts = [", ".join(named(each, answers, words) for each in some) for some in selections(settings, answers)]
    width = WIDTHS["small"]
    return next((lines for text in texts if len(lines := textwrap.wrap(text, width)) <= LINES), wrapped(texts[-1], width, LINES))


def selections(settings: Sequence[Setting], answers: Mapping[str, str]) -> Iterator[Sequence[Setting]]:
    """All settings, those that are numbers or not as at first, and those that are not as at first."""
    changed = [each for each in settings if answers[each.option] != each.first]
    yield settings
    yield [each for each in settings if each in changed or answers[each.option].isdecimal()]
    yield changed


def named(setting: Setting, answers: Mapping[str, str], words: Words) -> str:
    """One setting: "players 4"."""
    return f"{words(setting.label)} {setting.called(answers[setting.option], words)}"
