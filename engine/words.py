"""Texts in the player's language, from gettext catalogues; a text without a translation stays English."""

from __future__ import annotations

import gettext
from functools import cache
from importlib import resources

LANGUAGES = ("en", "hu", "nl", "hy")


class Words:
    """The texts of one language."""

    def __init__(self, translations: gettext.NullTranslations, language: str) -> None:
        self._translations = translations
        self.language = language

    def __call__(self, text: str, **values: object) -> str:
        """The translation of `text` with `{name}` replaced by values."""
        translated = self._translations.gettext(text)
        return translated.format(**values) if values else translated


@cache
def find_words(language: str) -> Words:
    """The words of a language in LANGUAGES."""
    with resources.as_file(resources.files("engine") / "locale") as folder:
        return Words(gettext.translation("underboard", str(folder), [language], fallback=language == "en"), language)
