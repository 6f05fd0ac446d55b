// Batching dimensions whose sizes do not fit the type of the indices.
func.func @main(%o: tensor<2x300x4x9xi32>, %i: tensor<2x300x2xi8>, %j: tensor<2x3x5x2xi64>) -> tensor<2x300x2xi32> {
  %0 = "stablehlo.gather"(%o, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], collapsed_slice_dims = [2], start_index_map = [2, 3], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1, 2>, indices_are_sorted = true}> : (tensor<2x300x4x9xi32>, tensor<2x300x2xi8>) -> tensor<2x300x2xi32>
  return %0 : tensor<2x300x2xi32> }
