"""What pyproject.toml cannot say: where the packages lie, and that the message catalogues are compiled whenever one is built.

In a checkout the rooms stand at the top, `engine`, `hardware` and so on; installed they lie under `underboard` alone, so that
nobody else's `engine` is in their way, nor they in anybody's.
"""

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
LOCALE = ROOT / "engine" / "locale"
ROOMS = ("engine", "hardware", "firmware", "web")
"""The folders that are installed as `underboard.engine` and so on."""


class BuildWithCatalogues(build_py):
    """build_py, with the .mo files made first so that it finds them."""

    def run(self) -> None:
        for source in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
            with source.open("rb") as text, source.with_suffix(".mo").open("wb") as compiled:
                write_mo(compiled, read_po(text, locale=source.parts[-3]))
        self.data_files = self._get_data_files()
        super().run()


setup(
    packages=["underboard", *(f"underboard.{name}" for room in ROOMS for name in find_packages(str(ROOT), include=[room, f"{room}.*"]))],
    package_dir={"underboard": "underboard", **{f"underboard.{room}": room for room in ROOMS}},
    cmdclass={"build_py": BuildWithCatalogues},
)
