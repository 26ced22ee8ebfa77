"""Compiles the message catalogues whenever the package is built or installed, editable installs included."""

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools import setup
from setuptools.command.build_py import build_py

LOCALE = Path(__file__).parent / "engine" / "locale"


class BuildWithCatalogues(build_py):
    """build_py, with the .mo files made first so that it finds them."""

    def run(self) -> None:
        for source in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
            with source.open("rb") as text, source.with_suffix(".mo").open("wb") as compiled:
                write_mo(compiled, read_po(text, locale=source.parts[-3]))
        self.data_files = self._get_data_files()
        super().run()


setup(cmdclass={"build_py": BuildWithCatalogues})
