"""Between StableHLO and VHLO, and between the revisions of VHLO."""
