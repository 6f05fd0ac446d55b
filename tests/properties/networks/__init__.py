"""Generated networks: convolutions in several element types, and what lies between them."""
