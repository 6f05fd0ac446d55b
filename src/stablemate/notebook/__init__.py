"""Floor 15, notebook: cell magics for IPython and Jupyter, by ``%load_ext stablemate``."""
