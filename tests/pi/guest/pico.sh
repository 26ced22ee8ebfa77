#!/bin/sh
# The Pico's USB cable: `plug` makes a USB device whose other end is the real firmware under MicroPython, `unplug` takes both away.
set -eu
gadget=/sys/kernel/config/usb_gadget/pico
program=/run/pico.pid
micropython=/opt/virtual-pi/micropython/usr

make_gadget() {
	modprobe -a dummy_hcd libcomposite usb_f_acm
	mkdir -p $gadget/strings/0x409 $gadget/configs/c.1 $gadget/functions/acm.0
	echo 0x2e8a >$gadget/idVendor
	echo 0x0005 >$gadget/idProduct
	echo e6614103e73c2b2e >$gadget/strings/0x409/serialnumber
	echo MicroPython >$gadget/strings/0x409/manufacturer
	echo "Board in FS mode" >$gadget/strings/0x409/product
	[ -e $gadget/configs/c.1/acm.0 ] || ln -s $gadget/functions/acm.0 $gadget/configs/c.1/
}

case $1 in
plug)
	[ -d $gadget ] || make_gadget
	echo dummy_udc.0 >$gadget/UDC
	while [ ! -c /dev/ttyGS0 ]; do sleep 0.1; done
	stty -F /dev/ttyGS0 raw -echo
	# The loader of the C library that it came with.
	$micropython/lib/*-linux-gnu/ld-linux-* --library-path "$(echo $micropython/lib/*-linux-gnu)" \
		$micropython/bin/micropython "$2/tests/firmware/unix_chip.py" "$2" /run/matrix </dev/ttyGS0 >/dev/ttyGS0 2>/run/pico.log &
	echo $! >$program
	udevadm settle
	;;
unplug)
	kill -9 "$(cat $program)"
	echo >$gadget/UDC
	;;
*)
	echo "usage: $0 plug PROJECT | unplug" >&2
	exit 2
	;;
esac
