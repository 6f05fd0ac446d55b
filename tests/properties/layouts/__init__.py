"""Generated programs of convolutions and what lies between them, in any layout."""
