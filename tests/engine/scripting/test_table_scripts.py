"""Every table script in tests/scripts is played to its end, with all its expectations."""

from pathlib import Path

import pytest

from underboard.engine.scripting.runner import replay

SCRIPTS = sorted((Path(__file__).parents[2] / "scripts").rglob("*.table"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: f"{script.parent.name}/{script.stem}")
def test_script(script: Path) -> None:
    failures = [f"line {report['line']}: {report['command']}: {failure}" for report, failure in replay(script) if failure is not None]
    assert not failures, "\n".join(failures)
