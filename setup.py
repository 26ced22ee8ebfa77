"""What pyproject.toml cannot say: where the packages lie, and what is made from the sources when one is built.

In a checkout the folders `engine`, `hardware` and so on stand at the top. Installed they lie under `underboard` alone, so that no
package of another project can have the same name.
"""

from pathlib import Path
from runpy import run_path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools import find_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).parent
FOLDERS = ("engine", "hardware", "firmware", "web")
"""What is installed as `underboard.engine` and so on."""

write_commit = run_path(str(ROOT / "underboard" / "version.py"))["write_commit"]


class BuildModules(build_py):
    """build_py, and what is made of the sources: in the build alone, but for an editable installation beside them."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            compile_catalogues(ROOT)
        else:
            compile_catalogues(Path(self.build_lib, "underboard"))
            write_commit(ROOT, Path(self.build_lib))


class PackSources(sdist):
    """sdist, which does not contain the checkout's git, but knows its commit."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        write_commit(ROOT, Path(base_dir))


def compile_catalogues(target: Path) -> None:
    """Make the .mo files of all languages below *target*."""
    for source in sorted(ROOT.glob("engine/locale/*/LC_MESSAGES/*.po")):
        compile_catalogue(source, target / source.relative_to(ROOT).with_suffix(".mo"))


def compile_catalogue(source: Path, target: Path) -> None:
    """Write the .mo file of a .po file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with source.open("rb") as text, target.open("wb") as compiled:
        write_mo(compiled, read_po(text, locale=source.parts[-3]))


setup(
    packages=["underboard", *(f"underboard.{name}" for top in FOLDERS for name in find_packages(str(ROOT), include=[top, f"{top}.*"]))],
    package_dir={"underboard": "underboard", **{f"underboard.{top}": top for top in FOLDERS}},
    cmdclass={"build_py": BuildModules, "sdist": PackSources},
)
