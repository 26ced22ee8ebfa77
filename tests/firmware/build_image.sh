#!/bin/sh
# Builds the real MicroPython image for the Raspberry Pi Pico from Debian packages: build_image.sh FOLDER
# The sources are those of Debian 13 (trixie), the compiler that of the system. Needs root for apt-get; takes 1 to 3 minutes.
set -eu
mkdir -p "$1"
cd "$1"
folder=$PWD
image=$folder/micropython-rpi_pico.uf2
[ -s "$image" ] && exit 0

export DEBIAN_FRONTEND=noninteractive
apt-get install -y -qq --no-install-recommends \
    gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib cmake make gcc g++ python3 xz-utils bzip2 >/dev/null

# Package lists of their own, so that those of the system stay as they are.
mkdir -p apt/lists/partial apt/cache/archives/partial apt/etc
: >apt/status
mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources | head -1)
cat >apt/etc/trixie.sources <<END
Types: deb deb-src
URIs: ${mirror:-http://deb.debian.org/debian}
Suites: trixie
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
set -- -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$folder/apt/etc" -o Dir::State::lists="$folder/apt/lists" \
    -o Dir::Cache="$folder/apt/cache" -o Dir::State::status="$folder/apt/status" -o APT::Sandbox::User=root
apt-get "$@" update
apt-get "$@" source --download-only micropython mbedtls >/dev/null
apt-get "$@" download pico-sdk-source tinyusb-source

rm -rf mp sdk build
mkdir mp sdk
tar -C mp --strip-components=1 -xf micropython_*.orig.tar.xz
for package in *.deb; do dpkg-deb -x "$package" sdk; done
cp -a sdk/usr/src/tinyusb/. mp/lib/tinyusb/
tar -C mp/lib/mbedtls --strip-components=1 -xf mbedtls_*.orig.tar.*
touch mp/lib/micropython-lib/README.md
# micropython-lib is not among Debian's sources, and the firmware needs nothing of it.
# shellcheck disable=SC2016
printf 'freeze("$(PORT_DIR)/modules")\ninclude("$(MPY_DIR)/extmod/asyncio")\n' >manifest.py

{
    make -s -j2 -C mp/mpy-cross
    cmake -S mp/ports/rp2 -B build -DMICROPY_BOARD=RPI_PICO -DPICO_SDK_PATH_OVERRIDE="$folder/sdk/usr/src/pico-sdk" \
        -DMICROPY_FROZEN_MANIFEST="$folder/manifest.py" -DPICO_NO_PICOTOOL=1
    make -s -j2 -C build
} >build.log 2>&1 || { tail -20 build.log; exit 1; }
python3 mp/tools/uf2conv.py -f 0xe48bff56 -b 0x10000000 -c -o "$image" build/firmware.bin >/dev/null
