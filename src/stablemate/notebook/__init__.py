"""Cell magics for IPython and Jupyter, by ``%load_ext stablemate``."""
