"""What runs on a Raspberry Pi Pico under the board (MicroPython), and the wire format of both ends (`frames`)."""
