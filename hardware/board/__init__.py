"""The sensors under the board: scanning the matrix here or on a Pico, and which readings to believe."""
