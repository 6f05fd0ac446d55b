// Index vectors of one element, without a dimension of their own.
func.func @main(%o: tensor<3x4x9xi32>, %i: tensor<5x3xi64>) -> tensor<5x3x2xi32> {
  %0 = "stablehlo.gather"(%o, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], operand_batching_dims = [0], start_indices_batching_dims = [1], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2>, indices_are_sorted = true}> : (tensor<3x4x9xi32>, tensor<5x3xi64>) -> tensor<5x3x2xi32>
  return %0 : tensor<5x3x2xi32> }
