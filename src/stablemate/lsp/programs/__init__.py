"""Programs behind texts that change: what is read and verified again is what an edit changes."""
