/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of the virtual Pi: each is set up and taken away by the module as a whole. */
#ifndef VIRTUAL_PI_H
#define VIRTUAL_PI_H

struct device;

int header_init(struct device *parent);
void header_exit(void);
int display_init(void);
void display_exit(void);
int model_init(void);
void model_exit(void);

#endif
