"""Custom calls by name: what is built in, and what ``stablemate.custom_call`` adds."""
