"""What belongs to the operating system: serial ports, the service manager, the status socket, the machine itself."""
