// The specification's example: a batching dimension, starts clamped, a collapsed dimension.
func.func @gather_example() {
  %a = stablehlo.constant dense<[[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]], [[[25, 26], [27, 28], [29, 30], [31, 32]], [[33, 34], [35, 36], [37, 38], [39, 40]], [[41, 42], [43, 44], [45, 46], [47, 48]]]]> : tensor<2x3x4x2xi32>
  %i = stablehlo.constant dense<[[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]]> : tensor<2x2x3x2xi64>
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  check.expect_eq_const %0, dense<[[[[[1, 2], [3, 4]], [[3, 4], [5, 6]], [[13, 14], [15, 16]]], [[[33, 34], [35, 36]], [[35, 36], [37, 38]], [[41, 42], [43, 44]]]], [[[[1, 2], [3, 4]], [[13, 14], [15, 16]], [[21, 22], [23, 24]]], [[[43, 44], [45, 46]], [[33, 34], [35, 36]], [[27, 28], [29, 30]]]]]> : tensor<2x2x3x2x2xi32>
  return
}

// Whole rows, as an embedding takes them; index vectors of one component without their dimension.
func.func @gather_rows() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %i = stablehlo.constant dense<[2, -1, 7, 1]> : tensor<4xi32>
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xi32>, tensor<4xi32>) -> tensor<4x2xi32>
  check.expect_eq_const %0, dense<[[5, 6], [1, 2], [5, 6], [3, 4]]> : tensor<4x2xi32>
  return
}

// Columns, whose offset dimension stands before the batch.
func.func @gather_columns() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %i = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xui8>
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1>}> : (tensor<2x3xi32>, tensor<2x1xui8>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[3, 1], [6, 4]]> : tensor<2x2xi32>
  %1 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1>}> : (tensor<2x3xi32>, tensor<2x1xui8>) -> tensor<2x2xi32>
  check.expect_eq_const %1, dense<[[3, 6], [1, 4]]> : tensor<2x2xi32>
  return
}

// Single elements, by index vectors that stand in the first dimension.
func.func @gather_points() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %i = stablehlo.constant dense<[[0, 2, 1], [1, 0, 1]]> : tensor<2x3xi64>
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1, 0]>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xbf16>, tensor<2x3xi64>) -> tensor<3xbf16>
  check.expect_eq_const %0, dense<[4.0, 3.0, 5.0]> : tensor<3xbf16>
  return
}

// One slice, for one index vector.
func.func @gather_one_slice() {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %i = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 2>}> : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[2, 3]> : tensor<2xi32>
  return
}

// Windows that overlap, and a dimension that no component names: slices begin at 0 there.
func.func @gather_windows() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %i = stablehlo.constant dense<[[0], [1], [18446744073709551615]]> : tensor<3x1xui64>
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 2>}> : (tensor<3x3xi32>, tensor<3x1xui64>) -> tensor<3x2x2xi32>
  check.expect_eq_const %0, dense<[[[1, 2], [4, 5]], [[4, 5], [7, 8]], [[4, 5], [7, 8]]]> : tensor<3x2x2xi32>
  return
}

// Index vectors without components: every slice is the first one.
func.func @gather_without_components() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %i = stablehlo.constant dense<> : tensor<2x0xi32>
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], index_vector_dim = 1>, slice_sizes = array<i64: 2>}> : (tensor<3xi32>, tensor<2x0xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[1, 2], [1, 2]]> : tensor<2x2xi32>
  return
}

func.func @gather_nothing() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %i = stablehlo.constant dense<> : tensor<0x1xi32>
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<3xi32>, tensor<0x1xi32>) -> tensor<0xi32>
  check.expect_eq_const %0, dense<> : tensor<0xi32>
  %j = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %1 = "stablehlo.gather"(%a, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 0>}> : (tensor<3xi32>, tensor<2x1xi32>) -> tensor<2x0xi32>
  check.expect_eq_const %1, dense<> : tensor<2x0xi32>
  return
}

// Batches side by side, as take_along_axis has them.
func.func @gather_along_batches() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %i = stablehlo.constant dense<[[[2], [0]], [[1], [1]]]> : tensor<2x2x1xi32>
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xi32>, tensor<2x2x1xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[3, 1], [5, 5]]> : tensor<2x2xi32>
  return
}

// The sizes of start_indices are bounded, and so are those of the result.
func.func @gather_bounded() {
  %a = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %i = stablehlo.constant dense<[[2], [1], [0]]> : tensor<3x1xi32>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.set_dimension_size %i, %n, dim = 0 : (tensor<3x1xi32>, tensor<i32>) -> tensor<?x1xi32, #stablehlo.bounds<3, ?>>
  %1 = "stablehlo.gather"(%a, %0) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<3xi32>, tensor<?x1xi32, #stablehlo.bounds<3, ?>>) -> tensor<?xi32, #stablehlo.bounds<3>>
  %2 = stablehlo.slice %1 [0:2] : (tensor<?xi32, #stablehlo.bounds<3>>) -> tensor<2xi32>
  check.expect_eq_const %2, dense<[30, 20]> : tensor<2xi32>
  return
}
