"""HLO text: what XLA's parser reads, and what it prints."""
