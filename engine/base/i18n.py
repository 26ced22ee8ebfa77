"""Texts in the player's language, from gettext catalogues; a text without a translation stays English.

`babel.toml` tells where translators' tools find the texts.
"""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from functools import cache
from importlib import resources

from underboard.engine.base.errors import BadArgument, Plural, Template, Text

LANGUAGE_NAMES: Mapping[str, str] = {"en": "English", "hu": "magyar", "nl": "Nederlands", "hy": "հայերեն"}
"""Each language in itself, for those who read no other."""
LANGUAGES = tuple(LANGUAGE_NAMES)


def N_(text: str) -> str:
    """The text itself: marks one that is translated elsewhere, where it is shown."""
    return text


class Words:
    """The texts of one language."""

    def __init__(self, translations: gettext.NullTranslations, language: str) -> None:
        self._translations = translations
        self.language = language

    def __call__(self, text: Template, **values: object) -> str:
        """The translation of `text` with `{name}` replaced by values; of a Plural the form for the value `count`."""
        translated = self._plural(text, values["count"]) if isinstance(text, Plural) else self._translations.gettext(text)
        return translated.format(**values) if values else translated

    def _plural(self, text: Plural, count: object) -> str:
        """The form of this language for so many. Raises TypeError if `count` is no whole number."""
        if not isinstance(count, int):
            raise TypeError(f"{text.many!r}: count={count!r} is no whole number")
        return self._translations.ngettext(text.one, text.many, count)

    def say(self, text: Text) -> str:
        """The translation of a text that carries its values."""
        return self(text.template, **text.values)


@cache
def find_words(language: str) -> Words:
    """The words of a language in LANGUAGES. Raises BadArgument if its catalogue has not been compiled."""
    with resources.as_file(resources.files("underboard.engine") / "locale") as folder:
        try:
            translations = gettext.translation("underboard", str(folder), [language], fallback=language == "en")
        except FileNotFoundError:
            raise BadArgument(f"lang={language}: its texts are not installed: install the project again (make)") from None
        return Words(translations, language)
