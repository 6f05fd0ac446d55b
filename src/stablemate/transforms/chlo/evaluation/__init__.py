"""Functions of arrays that compute operations of CHLO, by their decompositions."""
