"""Operations whose devices need rows of their neighbors: slices, padding, windows, convolutions."""
