"""The shape dialect: shapes as values, and assumptions about them."""
