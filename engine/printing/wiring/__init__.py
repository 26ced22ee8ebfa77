"""What a builder needs to know of a box, drawn from its configuration: which pin leads where, and what has to be bought."""
