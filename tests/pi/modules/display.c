// SPDX-License-Identifier: GPL-2.0
/*
 * I2C bus 1 with a display at 0x3c that keeps every byte it is sent.
 *
 * /dev/virtual-pi-display gives them out once, message after message, each with its length in front (two bytes, the lower one
 * first); a length of nought means that the display has just got its power. Its cable is the parameter `plugged`.
 */
#include <linux/delay.h>
#include <linux/i2c.h>
#include <linux/kfifo.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>

#include "virtual_pi.h"

#define ADDRESS 0x3c
#define STATUS_OFF 0x40
#define BYTE_NS 22500 /* nine bits at 400 kHz */
#define KEPT (1 << 20)

static DEFINE_MUTEX(lock);
static struct kfifo kept;
static bool plugged = true, is_off = true;

static void keep(const u8 *bytes, u16 length)
{
	u8 head[2] = { length & 0xff, length >> 8 };

	if (kfifo_avail(&kept) < length + sizeof(head))
		return;
	kfifo_in(&kept, head, sizeof(head));
	kfifo_in(&kept, bytes, length);
}

static void take(const struct i2c_msg *message)
{
	if (message->flags & I2C_M_RD) {
		memset(message->buf, is_off ? STATUS_OFF : 0, message->len);
		return;
	}
	if (message->len == 2 && message->buf[0] == 0x00 && (message->buf[1] & 0xfe) == 0xae)
		is_off = message->buf[1] == 0xae;
	keep(message->buf, message->len);
}

static int bus_transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	unsigned long bytes = 0;
	int i, done = count;

	mutex_lock(&lock);
	for (i = 0; i < count; i++) {
		if (!plugged || messages[i].addr != ADDRESS) {
			done = -EREMOTEIO; /* as the Pi's bus says when nobody acknowledges */
			break;
		}
		bytes += messages[i].len + 1;
		take(&messages[i]);
	}
	mutex_unlock(&lock);
	if (bytes)
		usleep_range(bytes * BYTE_NS / 1000, bytes * BYTE_NS / 1000 + 50);
	return done;
}

static u32 bus_functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = {
	.master_xfer = bus_transfer,
	.functionality = bus_functionality,
};

static struct i2c_adapter bus = {
	.owner = THIS_MODULE,
	.algo = &algorithm,
	.nr = 1,
	.name = "bcm2835 (i2c@7e804000)",
};

static int set_plugged(const char *value, const struct kernel_param *parameter)
{
	bool before = plugged;
	int error;

	mutex_lock(&lock);
	error = param_set_bool(value, parameter);
	if (!error && plugged && !before) {
		is_off = true;
		keep(NULL, 0);
	}
	mutex_unlock(&lock);
	return error;
}

static const struct kernel_param_ops plugged_operations = {
	.set = set_plugged,
	.get = param_get_bool,
};
module_param_cb(plugged, &plugged_operations, &plugged, 0644);

static ssize_t display_read(struct file *file, char __user *to, size_t count, loff_t *offset)
{
	unsigned int copied = 0;
	int error;

	mutex_lock(&lock);
	error = kfifo_to_user(&kept, to, count, &copied);
	mutex_unlock(&lock);
	return error ? error : copied;
}

static const struct file_operations display_operations = {
	.owner = THIS_MODULE,
	.read = display_read,
};

static struct miscdevice display = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "virtual-pi-display",
	.fops = &display_operations,
};

int display_init(void)
{
	int error;

	error = kfifo_alloc(&kept, KEPT, GFP_KERNEL);
	if (error)
		return error;
	error = misc_register(&display);
	if (error)
		goto no_device;
	error = i2c_add_numbered_adapter(&bus);
	if (error)
		goto no_bus;
	return 0;

no_bus:
	misc_deregister(&display);
no_device:
	kfifo_free(&kept);
	return error;
}

void display_exit(void)
{
	i2c_del_adapter(&bus);
	misc_deregister(&display);
	kfifo_free(&kept);
}
