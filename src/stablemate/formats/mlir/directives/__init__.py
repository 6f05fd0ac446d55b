"""Parts of declared syntaxes that are written out by hand, one file per family.

Source: the syntax that upstream prints for each operation.
"""
