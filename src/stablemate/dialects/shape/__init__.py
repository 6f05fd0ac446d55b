"""The shape dialect: shapes as values, and what a program assumes of them."""
