// A scatter with batching dimensions.
func.func @main(%o: tensor<3x4x9xi32>, %i: tensor<5x3xi64>, %u: tensor<5x3x2xi32>) -> tensor<3x4x9xi32> {
  %0 = "stablehlo.scatter"(%o, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = true}> ({
   ^bb0(%a: tensor<i32>, %b: tensor<i32>):
     %s = stablehlo.add %a, %b : tensor<i32>
     stablehlo.return %s : tensor<i32>
  }) : (tensor<3x4x9xi32>, tensor<5x3xi64>, tensor<5x3x2xi32>) -> tensor<3x4x9xi32>
  return %0 : tensor<3x4x9xi32> }
