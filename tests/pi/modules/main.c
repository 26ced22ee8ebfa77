// SPDX-License-Identifier: GPL-2.0
/* A Raspberry Pi for tests: the header's lines with a board behind them, the I2C bus with a display on it, and the Pi's name. */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/platform_device.h>

#include "virtual_pi.h"

static struct platform_device *pi;

static int __init virtual_pi_init(void)
{
	int error;

	pi = platform_device_register_simple("virtual-pi", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(pi))
		return PTR_ERR(pi);
	error = header_init(&pi->dev);
	if (error)
		goto no_header;
	error = display_init();
	if (error)
		goto no_display;
	error = model_init();
	if (error)
		goto no_model;
	return 0;

no_model:
	display_exit();
no_display:
	header_exit();
no_header:
	platform_device_unregister(pi);
	return error;
}

static void __exit virtual_pi_exit(void)
{
	model_exit();
	display_exit();
	header_exit();
	platform_device_unregister(pi);
}

module_init(virtual_pi_init);
module_exit(virtual_pi_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("The header, the display's bus and the name of a Raspberry Pi, for tests");
