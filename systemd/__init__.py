"""What makes a Raspberry Pi a table: the service with its user and devices, and the installer."""
