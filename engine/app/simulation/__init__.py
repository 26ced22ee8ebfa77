"""A simulated box with the real drivers over it: the program that a power cut ends, faults in words, a deck beside the reader."""
