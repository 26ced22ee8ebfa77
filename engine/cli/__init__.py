"""The command line. Here everything meets; nothing imports it."""
