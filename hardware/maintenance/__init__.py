"""Tools for whoever builds a box: a self-test that finds out how it is wired, a check of the computer, the installation of firmware."""
