"""The lines of the Pi's own header through gpiozero, one module a library, with errors that say what to do."""
