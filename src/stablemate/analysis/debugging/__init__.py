"""The debugger: steps through a run and looks at its values."""
