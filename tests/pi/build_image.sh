#!/usr/bin/env bash
# build_image.sh FOLDER amd64|arm64
# Builds the virtual Pi in a folder: a Debian system, its kernel, the module that is the Pi's header, bus and display, and
# MicroPython for the Pico that it has on a cable.
# Everything comes from Debian's packages by this computer's own apt. What is there already and unchanged is not built again.
# Status 77 if this computer cannot do that. UNDERBOARD_PI_CACHE names a folder where the Debian system is kept for other checkouts, and taken from.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
architecture=$2
mkdir -p "$1" && cd "$1"
# shellcheck source=tests/pi/packages.sh
source "$here/packages.sh"
# shellcheck source=tests/pi/foreign_programs.sh
source "$here/foreign_programs.sh"

began=$SECONDS
lap() { printf '  %4d s  %s\n' $((SECONDS - began)) "$*"; }

packages=(qemu-utils debootstrap kmod cpio e2fsprogs make)
case $architecture in
amd64) packages+=(qemu-system-x86 gcc) console=ttyS0 tools='' ;;
arm64) packages+=(qemu-system-arm qemu-user-static device-tree-compiler gcc-aarch64-linux-gnu) console=ttyAMA0 tools=aarch64-linux-gnu- ;;
*) echo "usage: $0 FOLDER amd64|arm64" >&2 && exit 2 ;;
esac
system=systemd,systemd-sysv,udev,dbus,kmod,python3,python3-venv,make
drivers=(virtio_pci virtio_blk virtio_console virtio_rng crc32c_generic ext4 configfs autofs4 i2c-dev cdc-acm usbserial dummy_hcd libcomposite usb_f_acm)
first_drivers=(virtio_pci virtio_blk crc32c_generic ext4)

# Raspberry Pi OS 12 is this Debian. For the Python of later ones lgpio comes from Raspberry Pi's own registry.
codename=bookworm
# The first Debian with MicroPython; the C library that this needs comes along.
pico_codename=trixie
newest_kernel() { dependencies pi "$architecture" "linux-image-$architecture" | sed -n 's/^linux-image-//p' | head -1; }
parts=$(cat "$here"/{build_image,packages,foreign_programs}.sh "$here"/guest/* "$here"/modules/* | sha256sum)
[ "$(cat stamp 2>/dev/null)" = "$(newest_kernel) $parts" ] && { lap "the image is up to date"; exit; }
rm -f stamp

unavailable() { echo "skipped: the virtual Pi needs $*"; exit 77; }
export DEBIAN_FRONTEND=noninteractive
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -1)
mkdir -p apt
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $pico_codename main" >apt/pico.list
{ apt-get update -qq && update_lists pi "$architecture" && update_lists pico "$architecture"; } || unavailable "a connection to Debian's packages"
version=$(newest_kernel)
mapfile -t headers < <(dependencies pi "$architecture" "linux-headers-$version" | grep '^linux-')
apt-get install -y -qq --no-install-recommends "${packages[@]}" "${headers[@]}" >tools.log 2>&1 ||
	unavailable "${packages[*]} ${headers[*]}, which apt could not install ($PWD/tools.log says why)"
lap "tools for Linux $version"

unpack pi "$architecture" kernel "linux-image-$version" "linux-headers-$version" busybox-static
depmod -b kernel "$version"
cp "kernel/boot/vmlinuz-$version" vmlinuz
# The programs that build are this computer's own.
mkdir -p kernel/usr/lib
ln -s /usr/lib/linux-kbuild-* kernel/usr/lib
rm -rf modules && cp -r "$here/modules" modules
make -s -C "kernel/usr/src/linux-headers-$version" M="$PWD/modules" CROSS_COMPILE="$tools" modules >modules.log 2>&1 || { cat modules.log; exit 1; }
lap "kernel and module"

cached=${UNDERBOARD_PI_CACHE:+$UNDERBOARD_PI_CACHE/virtual-pi-$codename-$architecture-$(printf %s "$system" | sha256sum | cut -c1-12).tar}
rm -rf root && mkdir root
if [ -n "$cached" ] && [ -f "$cached" ]; then
	tar -C root -xf "$cached"
else
	[ "$architecture" = "$(dpkg --print-architecture)" ] || start_foreign_programs 2>binfmt.log ||
		unavailable "a kernel that may be told to start arm64 programs ($PWD/binfmt.log says why not)"
	DPKG_FORCE=unsafe-io debootstrap --arch="$architecture" --variant=minbase --include="$system" "$codename" root "$mirror" >debootstrap.log 2>&1 ||
		{ tail debootstrap.log root/debootstrap/debootstrap.log; exit 1; }
	rm -rf root/var/cache/apt/archives/*.deb root/var/lib/apt/lists/* root/usr/share/{doc,man,locale}/*
	[ -z "$cached" ] || { mkdir -p "$UNDERBOARD_PI_CACHE" && tar -C root -cf "$cached.new" . && mv "$cached.new" "$cached"; }
fi
lap "Debian $codename"

# The files of drivers and of what they need, in the order in which they can be loaded, from the folder of the kernel on.
files_of() {
	for name in "$@"; do modprobe -d kernel -S "$version" --show-depends "$name"; done |
		sed -n 's/^insmod .*\(lib\/modules\/[^ ]*\).*/\1/p' | awk '!seen[$0]++'
}

target=root/lib/modules/$version
mkdir -p "$target/extra"
cp kernel/lib/modules/"$version"/modules.{order,builtin,builtin.modinfo} "$target"
files_of "${drivers[@]}" | while read -r file; do install -D -m 644 "kernel/$file" "root/$file"; done
"${tools}strip" --strip-debug -o "$target/extra/virtual-pi.ko" modules/virtual-pi.ko
depmod -b root "$version"

mkdir -p root/opt/virtual-pi
mapfile -t needs < <(dependencies pico "$architecture" micropython)
unpack pico "$architecture" root/opt/virtual-pi/micropython micropython "${needs[@]}"
install -D -m 755 -t root/opt/virtual-pi "$here/guest/agent.py" "$here/guest/pico.sh"
install -D -m 644 -t root/etc/systemd/system "$here/guest/agent.service"
systemctl --root=root -q enable agent.service
# What a table has no use for, and what takes time in an emulator.
systemctl --root=root -q mask "serial-getty@$console.service" getty@tty1.service systemd-binfmt.service proc-sys-fs-binfmt_misc.automount \
	apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer
echo virtualpi >root/etc/hostname
printf '127.0.0.1 localhost virtualpi\n' >root/etc/hosts
echo virtual-pi >root/etc/modules-load.d/virtual-pi.conf
mkdir -p root/boot/firmware root/project
printf '# For more options and information see config.txt\ndtparam=audio=on\n\n[all]\n' >root/boot/firmware/config.txt
printf '/dev/vda / ext4 defaults 0 0\n/dev/vdb /project ext4 ro 0 0\n' >root/etc/fstab
rm -f root.img && truncate -s 1200M root.img && mke2fs -q -t ext4 -d root -m 0 root.img
rm -rf root
lap "system image"

rm -rf first && mkdir -p first/{bin,drivers,proc,sys,dev,system}
cp kernel/bin/busybox first/bin/
number=10
files_of "${first_drivers[@]}" | while read -r file; do cp "kernel/$file" "first/drivers/$((number++))-${file##*/}"; done
install -m 755 "$here/guest/init" first/init
(cd first && find . | cpio -o -H newc --quiet | gzip -1) >initrd.gz
rm -rf first kernel modules
echo "$architecture" >architecture
echo "$version $parts" >stamp
lap "first file system"
