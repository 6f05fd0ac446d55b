"""What operations, rules, codes, attributes and types mean: pages made from the definitions."""
