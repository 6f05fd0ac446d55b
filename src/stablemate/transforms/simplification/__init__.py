"""Rules by which operations become simpler ones with the same bits."""
