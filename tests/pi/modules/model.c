// SPDX-License-Identifier: GPL-2.0
/* What a Pi 4 says of itself in /proc/device-tree, on a computer that has no device tree. */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/proc_fs.h>

#include "virtual_pi.h"

#ifdef CONFIG_X86

struct property {
	const char *name;
	const char *bytes;
	size_t length;
};

static const char model_text[] = "Raspberry Pi 4 Model B Rev 1.4";
static const char revision_bytes[] = { 0x00, 0xc0, 0x31, 0x14 };
static const struct property model = { "model", model_text, sizeof(model_text) };
static const struct property revision = { "linux,revision", revision_bytes, sizeof(revision_bytes) };
static struct proc_dir_entry *tree;

static ssize_t property_read(struct file *file, char __user *to, size_t count, loff_t *offset)
{
	const struct property *property = pde_data(file_inode(file));

	return simple_read_from_buffer(to, count, offset, property->bytes, property->length);
}

static const struct proc_ops property_operations = {
	.proc_read = property_read,
	.proc_lseek = default_llseek,
};

static bool add(const struct property *property, struct proc_dir_entry *folder)
{
	return proc_create_data(property->name, 0444, folder, &property_operations, (void *)property);
}

int model_init(void)
{
	struct proc_dir_entry *system;

	tree = proc_mkdir("device-tree", NULL);
	system = tree ? proc_mkdir("system", tree) : NULL;
	if (system && add(&model, tree) && add(&revision, system))
		return 0;
	proc_remove(tree);
	return -ENOMEM;
}

void model_exit(void)
{
	proc_remove(tree);
}

#else /* the computer's own device tree says it */

int model_init(void)
{
	return 0;
}

void model_exit(void)
{
}

#endif
