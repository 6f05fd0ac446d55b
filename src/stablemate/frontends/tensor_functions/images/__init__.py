"""Images: places between their elements."""
