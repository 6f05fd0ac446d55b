"""XlaBuilder's operations, one file for each family."""
