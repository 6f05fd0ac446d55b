"""How shards move between devices: from one placement to another, and to neighbors."""
