"""Floor 9, explorer: the page that shows a program, and its graph for other tools."""
