# shellcheck shell=bash
# Lets this computer's kernel start programs of an arm64 one, by QEMU. To be sourced.

binfmt=/proc/sys/fs/binfmt_misc
mounted=

# Fails where the kernel may not be told. What is there already is left as it is.
start_foreign_programs() {
	[ ! -e $binfmt/qemu-aarch64 ] || return 0
	[ -e $binfmt/register ] || { mount -t binfmt_misc binfmt_misc $binfmt && mounted=yes; } || return 1
	trap stop_foreign_programs EXIT
	cat /usr/lib/binfmt.d/qemu-aarch64.conf >$binfmt/register
}

stop_foreign_programs() {
	[ ! -e $binfmt/qemu-aarch64 ] || echo -1 >$binfmt/qemu-aarch64
	[ -z $mounted ] || umount $binfmt
}
