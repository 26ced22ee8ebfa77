"""Installing into a folder: once, twice, with an update that fails, and taking all of it back."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from systemd import install as installer
from systemd import program
from systemd.boot_config import BLOCK
from systemd.install import CONFIG, FILES, SOURCE, install, purge, uninstall
from systemd.program import COMMAND, CURRENT, HOME, check_python, copy_source, needs_apt
from systemd.target import CommandFailed, InstallError, Target, run_command
from tests.systemd.conftest import FakeSystem
from underboard.version import find_commit


@pytest.fixture(autouse=True)
def python_312(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever Python runs the suite, lgpio is not taken from the system."""
    monkeypatch.setattr(program, "needs_apt", lambda: False)


def games(system: FakeSystem) -> Path:
    """A game that somebody has played."""
    path = system.root / "var" / "lib" / "underboard" / "table.sqlite3"
    path.parent.mkdir(parents=True)
    path.write_text("a game")
    return path


def test_everything_is_in_its_place(system: FakeSystem) -> None:
    assert install(system.target)
    for name, place in FILES.items():
        assert system.target.path(place).read_text() == (SOURCE / "systemd" / name).read_text()
    assert system.target.path(f"{CURRENT}/bin/underboard").read_text() == "underboard 1"
    assert str(system.target.path(COMMAND).readlink()) == f"{CURRENT}/bin/underboard"
    assert system.target.path("/boot/firmware/config.txt").read_text().endswith(BLOCK)
    assert "sudo reboot" in system.said
    assert ["systemctl", f"--root={system.root}", "enable", "underboard.service"] in system.commands


def test_twice_is_once(system: FakeSystem) -> None:
    install(system.target)
    first = {path: text for path, text in system.snapshot().items() if not path.startswith(HOME[1:])}
    system.lines.clear()
    assert install(system.target)
    assert {path: text for path, text in system.snapshot().items() if not path.startswith(HOME[1:])} == first
    assert "reboot" not in system.said
    assert "wrote" not in system.said
    folders = {path.name for path in system.target.path(HOME).iterdir()}
    assert folders in ({"a", "current"}, {"b", "current"})


def test_an_update_brings_the_new_program(system: FakeSystem) -> None:
    install(system.target)
    system.program = "underboard 2"
    install(system.target)
    assert system.target.path(f"{CURRENT}/bin/underboard").read_text() == "underboard 2"


@pytest.mark.parametrize("step", ["venv", "pip", "--version"])
def test_an_update_that_fails_leaves_the_old_program(system: FakeSystem, step: str) -> None:
    install(system.target)
    before = system.snapshot()
    system.program, system.fails = "underboard 2", step
    with pytest.raises(InstallError, match="was not touched"):
        install(system.target)
    assert system.snapshot() == before
    assert system.target.path(f"{CURRENT}/bin/underboard").read_text() == "underboard 1"
    system.fails = None
    install(system.target)
    assert system.target.path(f"{CURRENT}/bin/underboard").read_text() == "underboard 2"


def test_a_first_installation_that_fails_says_what_may_help(system: FakeSystem) -> None:
    system.fails = "pip"
    with pytest.raises(InstallError, match=r"Is there a connection to the Internet\?.* Nothing was installed\."):
        install(system.target)
    assert not system.target.path(COMMAND).exists()


def test_without_a_network_nothing_is_asked_of_one(system: FakeSystem) -> None:
    install(system.target, Path("/media/wheels"))
    pip = next(words for words in system.commands if "pip" in words)
    assert pip[-3:] == ["--no-index", "--find-links=/media/wheels", "underboard"]


def test_a_folder_without_the_program_is_refused_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    assert installer.main(["install", "--root", str(tmp_path / "root"), "--wheels", str(tmp_path)]) == 2
    assert "`make wheels` makes build/wheels" in capsys.readouterr().err
    assert not (tmp_path / "root").exists()


def test_what_is_built_is_a_copy(system: FakeSystem, tmp_path: Path) -> None:
    install(system.target)
    built = next(words for words in system.commands if "pip" in words)[-1]
    assert not Path(built).is_relative_to(SOURCE)
    copy_source(SOURCE, tmp_path / "copy")
    copied = {path.name for path in (tmp_path / "copy").iterdir()}
    assert copied == {"underboard", "engine", "firmware", "hardware", "web", "pyproject.toml", "setup.py", "README.md", "LICENSE"}
    assert (tmp_path / "copy" / "engine" / "locale" / "hu" / "LC_MESSAGES" / "underboard.po").exists()
    assert not list((tmp_path / "copy").rglob("__pycache__"))
    assert find_commit(tmp_path / "copy") == find_commit(SOURCE), "the installed program says what it was built from"


def test_python_313_sees_the_systems_lgpio(system: FakeSystem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "needs_apt", lambda: True)
    monkeypatch.setattr(program, "find_spec", lambda name: None)
    install(system.target)
    assert ["apt-get", "install", "--yes", "--no-install-recommends", "python3-lgpio", "python3-rpi-lgpio"] in system.commands
    assert next(words for words in system.commands if "venv" in words)[-2] == "--system-site-packages"


def test_which_python_needs_the_systems_lgpio() -> None:
    assert [needs_apt(version) for version in ((3, 11), (3, 12), (3, 13), (3, 14))] == [False, False, True, True]


def test_what_somebody_wrote_is_kept(system: FakeSystem) -> None:
    kept = {games(system): "a game", system.target.path(CONFIG): 'game = "spy"\n'}
    system.target.path(CONFIG).parent.mkdir(parents=True)
    system.target.path(CONFIG).write_text('game = "spy"\n')
    for act in (install, install, uninstall, install):
        act(system.target)
        assert {path: path.read_text() for path in kept} == kept


def test_uninstalling_leaves_what_was_there_before_and_what_was_played(system: FakeSystem) -> None:
    before = system.snapshot()
    install(system.target)
    game = games(system)
    uninstall(system.target)
    left = system.snapshot()
    assert left.pop(str(game.relative_to(system.root))) == "a game"
    assert left.pop(CONFIG[1:]).startswith("#")
    assert left == before
    assert f"kept {game.parent}" in system.said
    assert "sudo make purge" in system.said


def test_uninstalling_twice_does_no_harm(system: FakeSystem) -> None:
    install(system.target)
    uninstall(system.target)
    after, commands = system.snapshot(), len(system.commands)
    uninstall(system.target)
    assert system.snapshot() == after
    assert len(system.commands) == commands


def test_purging_leaves_nothing(system: FakeSystem) -> None:
    before = system.snapshot()
    install(system.target)
    games(system)
    purge(system.target)
    assert system.snapshot() == before


def test_something_else_of_that_name_is_not_overwritten(system: FakeSystem) -> None:
    other = system.target.path(COMMAND)
    other.parent.mkdir(parents=True)
    other.write_text("somebody's script")
    with pytest.raises(InstallError, match="is not Underboard's"):
        install(system.target)
    assert other.read_text() == "somebody's script"


def test_a_computer_that_is_no_pi_keeps_its_bus(system: FakeSystem) -> None:
    system.target.path("/boot/firmware/config.txt").unlink()
    install(system.target)
    assert "this is no Raspberry Pi" in system.said


def test_the_older_place_of_config_txt(system: FakeSystem) -> None:
    system.target.path("/boot/firmware/config.txt").rename(system.target.path("/boot/config.txt"))
    install(system.target)
    assert system.target.path("/boot/config.txt").read_text().endswith(BLOCK)


class Live(Target):
    """Takes a folder for this computer."""

    live = True


def live(system: FakeSystem, *, booted: bool = True) -> Target:
    if booted:
        (system.root / "run" / "systemd" / "system").mkdir(parents=True)
    return Live(system.root, system.run, system.lines.append)


def test_on_this_computer_the_user_and_the_devices_come_before_the_service(system: FakeSystem) -> None:
    assert install(live(system))
    steps = [" ".join(words[:2]) for words in system.commands if words[0].startswith(("systemd", "systemctl", "udevadm"))]
    order = ["systemd-sysusers underboard.conf", "systemctl daemon-reload", "udevadm control", "udevadm trigger"]
    assert [step for step in steps if step in order] == order
    assert system.commands[-1] == ["systemctl", "restart", "underboard.service"]
    assert "underboard status" in system.said


def test_a_service_that_does_not_start_is_no_success(system: FakeSystem) -> None:
    system.fails = "restart"
    assert not install(live(system))
    assert "underboard doctor" in system.said


def test_an_image_that_is_being_made_is_not_started(system: FakeSystem) -> None:
    assert install(live(system, booted=False))
    assert ["systemctl", "enable", "underboard.service"] in system.commands
    assert not any("restart" in words for words in system.commands)


def test_uninstalling_stops_the_service(system: FakeSystem) -> None:
    here = live(system)
    install(here)
    uninstall(here)
    assert ["systemctl", "disable", "--now", "underboard.service"] in system.commands


def test_a_service_that_systemd_does_not_know_is_removed_all_the_same(system: FakeSystem) -> None:
    here = live(system)
    install(here)
    system.fails = "disable"
    uninstall(here)
    assert "going on" in system.said
    assert not any(here.path(place).exists() for place in (*FILES.values(), HOME, COMMAND))


@pytest.mark.parametrize("home", ["/home/pi/.pyenv/versions/3.11.7", "/root/.local/share/uv/python"])
def test_a_python_that_the_service_may_not_see_is_refused(monkeypatch: pytest.MonkeyPatch, home: str) -> None:
    monkeypatch.setattr(sys, "base_prefix", home)
    with pytest.raises(InstallError, match="PYTHON=/usr/bin/python3"):
        check_python()


def test_whoever_is_not_root_is_told_what_to_type(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert installer.main(["install"]) == 2
    assert "sudo make install" in capsys.readouterr().err


def test_the_command_line_uninstalls_from_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert installer.main(["uninstall", "--root", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "", "nothing was there"
    (tmp_path / "var" / "lib" / "underboard").mkdir(parents=True)
    assert installer.main(["uninstall", "--root", str(tmp_path)]) == 0
    assert "purge" in capsys.readouterr().out


def commands_that_fail() -> list[Sequence[str]]:
    return [[sys.executable, "-c", "raise SystemExit(3)"], ["/no/such/program"]]


@pytest.mark.parametrize("words", commands_that_fail())
def test_a_command_that_fails_is_named(words: Sequence[str]) -> None:
    with pytest.raises(CommandFailed, match=words[0]):
        run_command(words)


def test_a_file_is_replaced_whole_and_keeps_its_rights(tmp_path: Path) -> None:
    target = Target(tmp_path, run_command, lambda line: None)
    path = target.path("/boot/config.txt")
    assert target.write("/boot/config.txt", "old\n")
    path.chmod(0o755)
    assert target.write("/boot/config.txt", "new\n")
    assert not target.write("/boot/config.txt", "new\n")
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new\n", 0o755)
    assert [path.name for path in path.parent.iterdir()] == ["config.txt"]
