// SPDX-License-Identifier: GPL-2.0
/*
 * The lines of the header as a GPIO chip of the kernel, with switches behind them.
 *
 * A switch with a diode leads from a column to a row: while the row is an output that is low, the column reads low. A key leads
 * from a line to ground. All else reads what its bias says. So a scan sees a token in the same call in which it pulls the row,
 * as it does on a real board.
 *
 * /dev/virtual-pi-board takes orders, one a write: "close ROW COLUMN", "open ROW COLUMN", "press LINE", "release LINE". Read, it
 * tells of each line its direction, its level, and how often it was switched from low to high.
 */
#include <linux/gpio/driver.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/pinctrl/pinconf-generic.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>

#include "virtual_pi.h"

#define LINES 54

static DEFINE_SPINLOCK(lock);
static u64 outputs, high, pulled_up, pressed; /* a bit a line */
static u64 closed[LINES]; /* for each row the columns that a token connects with it */
static unsigned int rises[LINES];

static bool level(unsigned int line)
{
	unsigned int row;

	if (outputs & BIT_ULL(line))
		return high & BIT_ULL(line);
	if (pressed & BIT_ULL(line))
		return false;
	for (row = 0; row < LINES; row++)
		if (closed[row] & BIT_ULL(line) && outputs & ~high & BIT_ULL(row))
			return false;
	return pulled_up & BIT_ULL(line);
}

static void drive(unsigned int line, int value)
{
	if (value && !(high & BIT_ULL(line)))
		rises[line]++;
	high = value ? high | BIT_ULL(line) : high & ~BIT_ULL(line);
}

static int header_get(struct gpio_chip *chip, unsigned int line)
{
	unsigned long flags;
	int value;

	spin_lock_irqsave(&lock, flags);
	value = level(line);
	spin_unlock_irqrestore(&lock, flags);
	return value;
}

static void header_set(struct gpio_chip *chip, unsigned int line, int value)
{
	unsigned long flags;

	spin_lock_irqsave(&lock, flags);
	drive(line, value);
	spin_unlock_irqrestore(&lock, flags);
}

static int header_get_direction(struct gpio_chip *chip, unsigned int line)
{
	return outputs & BIT_ULL(line) ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

static int header_input(struct gpio_chip *chip, unsigned int line)
{
	unsigned long flags;

	spin_lock_irqsave(&lock, flags);
	outputs &= ~BIT_ULL(line);
	spin_unlock_irqrestore(&lock, flags);
	return 0;
}

static int header_output(struct gpio_chip *chip, unsigned int line, int value)
{
	unsigned long flags;

	spin_lock_irqsave(&lock, flags);
	drive(line, value);
	outputs |= BIT_ULL(line);
	spin_unlock_irqrestore(&lock, flags);
	return 0;
}

static int header_config(struct gpio_chip *chip, unsigned int line, unsigned long config)
{
	unsigned long flags;
	int error = 0;

	spin_lock_irqsave(&lock, flags);
	switch (pinconf_to_config_param(config)) {
	case PIN_CONFIG_BIAS_PULL_UP:
		pulled_up |= BIT_ULL(line);
		break;
	case PIN_CONFIG_BIAS_PULL_DOWN:
	case PIN_CONFIG_BIAS_DISABLE:
		pulled_up &= ~BIT_ULL(line);
		break;
	default:
		error = -ENOTSUPP; /* open drain too: the kernel makes it of inputs and outputs, as on a Pi */
	}
	spin_unlock_irqrestore(&lock, flags);
	return error;
}

static struct gpio_chip header = {
	.label = "pinctrl-bcm2711",
	.owner = THIS_MODULE,
	.base = -1,
	.ngpio = LINES,
	.get = header_get,
	.set = header_set,
	.get_direction = header_get_direction,
	.direction_input = header_input,
	.direction_output = header_output,
	.set_config = header_config,
};

static int obey(const char *order)
{
	unsigned int line, column;

	if (sscanf(order, "close %u %u", &line, &column) == 2 && line < LINES && column < LINES)
		closed[line] |= BIT_ULL(column);
	else if (sscanf(order, "open %u %u", &line, &column) == 2 && line < LINES && column < LINES)
		closed[line] &= ~BIT_ULL(column);
	else if (sscanf(order, "press %u", &line) == 1 && line < LINES)
		pressed |= BIT_ULL(line);
	else if (sscanf(order, "release %u", &line) == 1 && line < LINES)
		pressed &= ~BIT_ULL(line);
	else
		return -EINVAL;
	return 0;
}

static ssize_t board_write(struct file *file, const char __user *from, size_t count, loff_t *offset)
{
	char order[64];
	unsigned long flags;
	int error;

	if (count >= sizeof(order))
		return -EINVAL;
	if (copy_from_user(order, from, count))
		return -EFAULT;
	order[count] = '\0';
	spin_lock_irqsave(&lock, flags);
	error = obey(order);
	spin_unlock_irqrestore(&lock, flags);
	return error ? error : count;
}

static int board_show(struct seq_file *out, void *unused)
{
	unsigned int line;

	for (line = 0; line < LINES; line++)
		seq_printf(out, "%u %s %d %u\n", line, outputs & BIT_ULL(line) ? "out" : "in", level(line), rises[line]);
	return 0;
}

static int board_open(struct inode *inode, struct file *file)
{
	return single_open(file, board_show, NULL);
}

static const struct file_operations board_operations = {
	.owner = THIS_MODULE,
	.open = board_open,
	.read = seq_read,
	.write = board_write,
	.release = single_release,
};

static struct miscdevice board = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "virtual-pi-board",
	.fops = &board_operations,
};

int header_init(struct device *parent)
{
	int error;

	header.parent = parent;
	error = gpiochip_add_data(&header, NULL);
	if (error)
		return error;
	error = misc_register(&board);
	if (error)
		gpiochip_remove(&header);
	return error;
}

void header_exit(void)
{
	misc_deregister(&board);
	gpiochip_remove(&header);
}
