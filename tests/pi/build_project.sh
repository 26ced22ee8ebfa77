#!/usr/bin/env bash
# build_project.sh FOLDER amd64|arm64
# Puts the project as it is in this checkout on a disk for the virtual Pi: its source, and the Python packages that `make install`
# needs without a network.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
case $2 in
amd64) processor=x86_64 ;;
arm64) processor=aarch64 ;;
*) echo "usage: $0 FOLDER amd64|arm64" >&2 && exit 2 ;;
esac
mkdir -p "$1" && cd "$1"
python="$root/.venv/bin/python"

rm -rf project pip.log && mkdir -p project/{underboard,wheels}
git -C "$root" ls-files --cached --others --exclude-standard -z | tar -C "$root" --null --files-from - -c | tar -C project/underboard -x

pip() { "$python" -m pip "$@" --disable-pip-version-check >>pip.log 2>&1 || { tail pip.log; exit 1; }; }
fitting=(--only-binary=:all: --implementation cp --python-version 3.11)
for glibc in 2_36 2_34 2_28 2_17; do fitting+=(--platform "manylinux_${glibc}_$processor"); done
pip wheel --no-deps --wheel-dir project/wheels project/underboard
rm -rf project/underboard/{build,*.egg-info}
pip download "${fitting[@]}" --dest project/wheels project/wheels/underboard-*.whl

rm -f project.img && truncate -s 300M project.img && mke2fs -q -t ext4 -d project -m 0 project.img
rm -rf project
