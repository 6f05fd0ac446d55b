"""temp"""
CHLO_PATTERNS = {}
