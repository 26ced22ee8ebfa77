"""The command that plays a file back, for whoever runs it as a process of its own."""

import sys

PLAYBACK_PROGRAM = (sys.executable, "-P", "-m", "underboard.engine.scripting.playback")
"""Behind it: the path of a file, or `--name NAME` and the file on standard input. -P: nothing in the working directory is imported."""
