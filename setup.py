"""What pyproject.toml cannot say: where the packages lie, and what is made from the sources when one is built.

In a checkout the folders `engine`, `hardware` and so on stand at the top. Installed they lie under `underboard` alone, so that no
package of another project can have the same name.
"""

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
FOLDERS = ("engine", "hardware", "firmware", "web")
"""What is installed as `underboard.engine` and so on."""


class BuildWithCatalogues(build_py):
    """build_py, and the message catalogues compiled: beside their sources for an editable installation, else in the build alone."""

    def run(self) -> None:
        super().run()
        place = ROOT if self.editable_mode else Path(self.build_lib, "underboard")
        for source in sorted(ROOT.glob("engine/locale/*/LC_MESSAGES/*.po")):
            compile_catalogue(source, place / source.relative_to(ROOT).with_suffix(".mo"))


def compile_catalogue(source: Path, target: Path) -> None:
    """Write the .mo file of a .po file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with source.open("rb") as text, target.open("wb") as compiled:
        write_mo(compiled, read_po(text, locale=source.parts[-3]))


setup(
    packages=["underboard", *(f"underboard.{name}" for top in FOLDERS for name in find_packages(str(ROOT), include=[top, f"{top}.*"]))],
    package_dir={"underboard": "underboard", **{f"underboard.{top}": top for top in FOLDERS}},
    cmdclass={"build_py": BuildWithCatalogues},
)
