"""The drivers of one box, opened and closed together, and the builder's half of the configuration."""
