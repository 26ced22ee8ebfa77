#!/usr/bin/env bash
# run.sh FOLDER amd64|arm64
# `make test-pi` and `make test-pi64`: builds the virtual Pi in a folder and plays on it; where it cannot be built it says why, in one line.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$1
architecture=$2

skip() { echo "skipped: the virtual Pi needs $*"; exit 0; }
[ "$(id -u)" = 0 ] || skip "root, for its packages and its system (with sudo)"
[ "$(uname -m)" = x86_64 ] || skip "an x86-64 computer: on no other has it been tried"
grep -qs '^ID=debian' /etc/os-release || skip "Debian, whose kernel and packages it is made of"
mkdir -p "$folder"
[ "$(df --output=avail -m "$folder" | tail -1)" -gt 4000 ] || skip "4 GB of free disk"

nice tests/pi/build_image.sh "$folder" "$architecture" || { status=$?; [ $status = 77 ] && exit 0; exit $status; }
nice tests/pi/build_project.sh "$folder" "$architecture"
UNDERBOARD_PI=$folder .venv/bin/pytest tests/pi -vv -x --durations=0 --durations-min=1 ||
	{ status=$?; echo "the console of the virtual Pi is in $folder/console.log"; exit $status; }
