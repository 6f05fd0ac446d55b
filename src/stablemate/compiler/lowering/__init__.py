"""Operations as elements: what one element of a result is, in terms of elements of operands."""
