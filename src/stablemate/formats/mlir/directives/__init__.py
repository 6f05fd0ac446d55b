"""Custom directives of declared syntaxes, one file per family.

Source: the syntax that upstream prints for each operation.
"""
