"""Floor 6: passes, one per file, named after their flags."""
