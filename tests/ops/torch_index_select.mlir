// Rows in the order of the index.
func.func @torch_index_select_rows() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %i = stablehlo.constant dense<[2, 0]> : tensor<2xi64>
  %0 = "stablehlo.torch_index_select"(%a, %i) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<3x2xi32>, tensor<2xi64>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[5, 6], [1, 2]]> : tensor<2x2xi32>
  return
}

// The index's dimensions stand in the place of the one that it selects from.
func.func @torch_index_select_inner_dimension() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %i = stablehlo.constant dense<[[2], [1]]> : tensor<2x1xi32>
  %0 = "stablehlo.torch_index_select"(%a, %i) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<2x3xi32>, tensor<2x1xi32>) -> tensor<2x2x1xi32>
  check.expect_eq_const %0, dense<[[[3], [2]], [[6], [5]]]> : tensor<2x2x1xi32>
  return
}

// Every batch has indices of its own.
func.func @torch_index_select_batches() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %i = stablehlo.constant dense<[[2, 2], [0, 1]]> : tensor<2x2xi32>
  %0 = "stablehlo.torch_index_select"(%a, %i) <{batch_dims = 1 : i64, dim = 1 : i64}> : (tensor<2x3xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[3, 3], [4, 5]]> : tensor<2x2xi32>
  return
}

func.func @torch_index_select_scalar_index() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %i = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.torch_index_select"(%a, %i) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<2x2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[3, 4]> : tensor<2xi32>
  return
}
