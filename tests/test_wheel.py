"""What is installed: the files of the wheel, the same from a source archive, and nobody else's in the way of them."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest

from systemd.program import copy_source
from underboard.engine.gamekit.registry import game_ids
from underboard.version import COMMIT_FILE, find_commit, find_version, write_commit

ROOT = Path(__file__).parents[1]
TOPS = ("engine", "hardware", "firmware", "web")
NOT_SOURCES = shutil.ignore_patterns(".*", "build", "*.egg-info", "__pycache__", "*.mo")
ALIEN = {
    "engine/__init__.py": "raise SystemExit('the engine of another project')\n",
    "engine/locale/README.md": "# Steam locomotives\n",
    "hardware/__init__.py": "raise SystemExit('the hardware of another project')\n",
}
"""A package with the names of our folders."""
OFFLINE = {**os.environ, "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def pip(*words: str | Path) -> None:
    """Runs pip without a network."""
    done = subprocess.run([sys.executable, "-m", "pip", *words, "--quiet"], env=OFFLINE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def build_wheel(source: Path, folder: Path) -> Path:
    """The wheel of a source folder or archive."""
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, source)
    (wheel,) = folder.glob("*.whl")
    return wheel


def build_archive(source: Path, folder: Path) -> Path:
    """The source archive of a folder, in which files are left behind."""
    code = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-W", "ignore", "-c", code, folder], cwd=source, check=True, capture_output=True)
    (archive,) = folder.glob("*.tar.gz")
    return archive


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from what `make install` copies."""
    folder = tmp_path_factory.mktemp("wheel")
    (folder / "copy").mkdir()
    copy_source(ROOT, folder / "copy")
    return build_wheel(folder / "copy", folder)


def contents(wheel: Path) -> dict[str, bytes]:
    """Every file in a wheel but the one that names the builder."""
    with ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith((".dist-info/WHEEL", ".dist-info/RECORD"))}


def expected_files() -> Iterator[str]:
    """What has to be in the package of the program: all of its folders, with catalogues compiled."""
    yield from (f"underboard/{path.name}" for path in (ROOT / "underboard").iterdir() if path.is_file())
    for top in TOPS:
        for path in (ROOT / top).rglob("*"):
            if path.is_file() and path.suffix not in (".mo", ".pyc"):
                yield f"underboard/{path.relative_to(ROOT)}".replace(".po", ".mo")
    if find_commit(ROOT):
        yield COMMIT_FILE


# What is in it


def test_the_wheel_has_every_file_of_the_program_and_no_other(wheel: Path) -> None:
    inside = {name for name in contents(wheel) if ".dist-info/" not in name}
    assert inside == set(expected_files())


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    files = {name.partition(".dist-info/")[2]: content.decode() for name, content in contents(wheel).items() if ".dist-info/" in name}
    assert {name for name in files if name.startswith("licenses/")} == {"licenses/LICENSE", "licenses/engine/base/drawing/ttf/LICENSE"}
    assert "\nLicense-Expression: MIT\n" in files["METADATA"]
    assert "\nRequires-Python: >=3.11\n" in files["METADATA"]


def test_a_source_archive_gives_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(ROOT, source, ignore=NOT_SOURCES)
    write_commit(ROOT, source)
    archive = build_archive(source, tmp_path)
    assert contents(build_wheel(archive, tmp_path)) == contents(wheel)


# Beside packages of others


class Installation:
    """A virtual environment with the program, a package of another project, and a working directory full of decoys."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        """Installs the other package first."""
        venv.create(folder / "venv", symlinks=True, with_pip=False)
        self._folder = folder / "venv"
        (self.packages,) = self._folder.glob("lib/python*/site-packages")
        # Dependencies are those of whoever runs the tests; a line of a .pth file brings packages, but no editable installation.
        (self.packages / "dependencies.pth").write_text("\n".join(path for path in sys.path if path.endswith("-packages")))
        self.here = folder / "here"
        self.here.mkdir()
        for name in ("engine", "hardware", "firmware", "web", "json", "underboard"):
            (self.here / f"{name}.py").write_text(f"raise SystemExit('{name} of the working directory')\n")
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONSAFEPATH", "STATE_DIRECTORY")},
            "XDG_STATE_HOME": str(folder / "state"),
        }
        self.pip("install", "--no-deps", build_wheel(alien_project(folder / "alien"), folder))
        self.before = self.files()
        self.pip("install", "--no-deps", wheel)

    def pip(self, action: str, *words: str | Path) -> None:
        """Runs pip for this environment."""
        pip("--python", self._folder / "bin" / "python", action, *words)

    def files(self) -> dict[str, bytes]:
        """What is installed, without what Python compiled."""
        paths = (path for path in self._folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
        return {str(path.relative_to(self._folder)): path.read_bytes() for path in paths}

    def command(self, *words: str | Path) -> list[str | Path]:
        """`underboard` with these words."""
        return [self._folder / "bin" / "underboard", *words]

    def run(self, *words: str | Path, text: str = "") -> str:
        """What `underboard` says in the working directory."""
        done = subprocess.run(
            self.command(*words), cwd=self.here, env=self.environment, input=text, capture_output=True, text=True, timeout=60, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return done.stdout


def alien_project(folder: Path) -> Path:
    """The sources of another project."""
    for name, text in ALIEN.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "locomotive"\nversion = "1"\n'
        '[tool.setuptools]\npackages = ["engine", "hardware"]\npackage-data = { engine = ["locale/*"] }\n'
    )
    return folder


@pytest.fixture(scope="module")
def installation(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    return Installation(tmp_path_factory.mktemp("installed"), wheel)


def test_an_installed_program_knows_its_commit(installation: Installation) -> None:
    assert installation.run("--version") == f"underboard {find_version()}\n"


def test_every_game_can_be_played(installation: Installation) -> None:
    lines = [f"{command}\n" for game in game_ids() for command in (f"new_game {game}", "legal")]
    answers = installation.run("rules", text="".join(lines)).split("\n\n")
    assert [answer[:1] for answer in answers] == ["=" for _ in lines] + [""]
    for game in game_ids():
        script = installation.here / f"{game}.table"
        script.write_text(f"table {game} seed=1 lang=hu\nwait 1s\n", encoding="utf-8")
        told = installation.run("replay", script.name).splitlines()
        assert json.loads(told[-1])["devices"]["oled"] == "ready"


def test_what_needs_files_of_the_program_finds_them(installation: Installation) -> None:
    installation.run("print", "cards", "spy", "--lang", "hy", "-o", "spy.pdf")
    assert (installation.here / "spy.pdf").read_bytes().startswith(b"%PDF")


def test_a_game_is_played_back_in_the_browser(installation: Installation) -> None:
    """Playback is a process of its own, started where the table was."""
    (installation.here / "evening.table").write_text("table hack_trick seed=4\n", encoding="utf-8")
    command = installation.command("replay", "--page", "evening.table", "--no-browser", "--port", "0")
    with subprocess.Popen(command, cwd=installation.here, env=installation.environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:([0-9]+)/", process.stdout.readline())
        assert found
        try:
            answers = [ask(int(found[1]), path) for path in ("/replay.html", "/playback")]
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
    assert b"replay.js" in answers[0]
    assert b'"frame"' in answers[1], answers[1]


def ask(port: int, path: str) -> bytes:
    """What the page of a program on this computer answers."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request("GET", path)
        return connection.getresponse().read()


def test_the_packages_of_others_are_left_alone(installation: Installation, wheel: Path, tmp_path: Path) -> None:
    own = set(installation.files()) - set(installation.before)
    ours = re.compile(r"lib/python[0-9.]+/site-packages/underboard(-[0-9.]+\.dist-info)?/|bin/underboard$")
    assert [path for path in own if not ours.match(path)] == []
    installation.pip("uninstall", "--yes", "underboard")
    try:
        assert installation.files() == installation.before
        for name, text in ALIEN.items():
            assert (installation.packages / name).read_text() == text
    finally:
        installation.pip("install", "--no-deps", wheel)
