"""What all devices share: cells and their bit masks, time, debounce, health, which line leads where, settings in TOML."""
