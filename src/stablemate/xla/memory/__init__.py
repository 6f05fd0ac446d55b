"""How arrays lie in memory under a layout: positions, sizes and bytes."""
