// The specification's example: batching dimensions, windows, an index out of bounds.
func.func @scatter_example() {
  %input = stablehlo.constant dense<[[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]], [[[25, 26], [27, 28], [29, 30], [31, 32]], [[33, 34], [35, 36], [37, 38], [39, 40]], [[41, 42], [43, 44], [45, 46], [47, 48]]]]> : tensor<2x3x4x2xi64>
  %indices = stablehlo.constant dense<[[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]]> : tensor<2x2x3x2xi64>
  %update = stablehlo.constant dense<1> : tensor<2x2x3x2x2xi64>
  %0 = "stablehlo.scatter"(%input, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 4], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 3>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %1 = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %1 : tensor<i64>
  }) : (tensor<2x3x4x2xi64>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xi64>) -> tensor<2x3x4x2xi64>
  check.expect_eq_const %0, dense<[[[[3, 4], [6, 7], [6, 7], [7, 8]], [[9, 10], [11, 12], [15, 16], [17, 18]], [[17, 18], [19, 20], [22, 23], [24, 25]]], [[[25, 26], [28, 29], [30, 31], [31, 32]], [[35, 36], [38, 39], [38, 39], [39, 40]], [[41, 42], [44, 45], [46, 47], [47, 48]]]]> : tensor<2x3x4x2xi64>
  return
}

// Overwriting: the last update of an element stays, updates out of bounds are dropped.
func.func @scatter_overwrites() {
  %input = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi32>
  %indices = stablehlo.constant dense<[[1], [3], [1], [-1], [4]]> : tensor<5x1xi32>
  %update = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %0 = "stablehlo.scatter"(%input, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<4xi32>, tensor<5x1xi32>, tensor<5xi32>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[10, 2, 12, 1]> : tensor<4xi32>
  return
}

// A window that lies partly out of bounds: each element counts for itself.
func.func @scatter_drops_elements() {
  %input = stablehlo.constant dense<0> : tensor<4xi32>
  %indices = stablehlo.constant dense<[-1]> : tensor<1xi64>
  %update = stablehlo.constant dense<[7, 8, 9]> : tensor<3xi32>
  %0 = "stablehlo.scatter"(%input, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<4xi32>, tensor<1xi64>, tensor<3xi32>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[8, 9, 0, 0]> : tensor<4xi32>
  return
}

// Index vectors of one component need no dimension of their own; the indices are unsigned.
func.func @scatter_scalar_indices() {
  %input = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %indices = stablehlo.constant dense<[2, 0, 255]> : tensor<3xui8>
  %update = stablehlo.constant dense<[[10.0, 20.0, 30.0], [40.0, 50.0, 60.0]]> : tensor<2x3xf32>
  %0 = "stablehlo.scatter"(%input, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<3xui8>, tensor<2x3xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %0, dense<[[21.0, 52.0], [3.0, 4.0], [15.0, 46.0]]> : tensor<3x2xf32>
  return
}

// Maximum and minimum keep NaN and tell zeros apart; multiply.
func.func @scatter_monoids() {
  %input = stablehlo.constant dense<[1.0, -0.0, 5.0]> : tensor<3xf32>
  %indices = stablehlo.constant dense<[[0], [1], [2], [2]]> : tensor<4x1xi32>
  %update = stablehlo.constant dense<[0x7FC00000, 0.0, 2.0, 3.0]> : tensor<4xf32>
  %0 = "stablehlo.scatter"(%input, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %b, %a : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<3xf32>
  %2 = stablehlo.bitcast_convert %0 : (tensor<3xf32>) -> tensor<3xi32>
  check.expect_eq_const %2, dense<[2143289344, 0, 1084227584]> : tensor<3xi32>
  %3 = "stablehlo.scatter"(%input, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.minimum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<3xf32>
  %4 = stablehlo.bitcast_convert %3 : (tensor<3xf32>) -> tensor<3xi32>
  check.expect_eq_const %4, dense<[2143289344, -2147483648, 1073741824]> : tensor<3xi32>
  %5 = "stablehlo.scatter"(%input, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<3xf32>
  check.expect_almost_eq_const %5, dense<[0x7FC00000, 0.0, 30.0]> : tensor<3xf32>
  return
}

// Any computation, update after update: 2 * (2 * 1 - 10) - 20 = -36 at 0, 2 * 3 - 30 = -24 at 2.
func.func @scatter_any_computation() {
  %input = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %indices = stablehlo.constant dense<[[0], [0], [2]]> : tensor<3x1xi32>
  %update = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %0 = "stablehlo.scatter"(%input, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %a : tensor<i32>
    %2 = stablehlo.subtract %1, %b : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<3xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %0, dense<[-36, 2, -24]> : tensor<3xi32>
  return
}

// Several inputs: the second keeps what belongs to the larger one of the first.
func.func @scatter_variadic() {
  %x = stablehlo.constant dense<[1.0, 5.0]> : tensor<2xf32>
  %i = stablehlo.constant dense<[-1, -2]> : tensor<2xi32>
  %indices = stablehlo.constant dense<[[0], [1], [0]]> : tensor<3x1xi32>
  %u = stablehlo.constant dense<[2.0, 4.0, 3.0]> : tensor<3xf32>
  %j = stablehlo.constant dense<[7, 8, 9]> : tensor<3xi32>
  %0:2 = "stablehlo.scatter"(%x, %i, %indices, %u, %j) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %1 = stablehlo.compare GE, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %a, %c : tensor<i1>, tensor<f32>
    %3 = stablehlo.select %1, %b, %d : tensor<i1>, tensor<i32>
    stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
  }) : (tensor<2xf32>, tensor<2xi32>, tensor<3x1xi32>, tensor<3xf32>, tensor<3xi32>) -> (tensor<2xf32>, tensor<2xi32>)
  check.expect_eq_const %0#0, dense<[3.0, 5.0]> : tensor<2xf32>
  check.expect_eq_const %0#1, dense<[9, -2]> : tensor<2xi32>
  return
}

// Rank 0, no updates, and a computation in a wider type.
func.func @scatter_corner_cases() {
  %x = stablehlo.constant dense<3> : tensor<i8>
  %none = stablehlo.constant dense<> : tensor<0xi32>
  %u = stablehlo.constant dense<4> : tensor<i8>
  %0 = "stablehlo.scatter"(%x, %none, %u) <{scatter_dimension_numbers = #stablehlo.scatter<>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<i8>, tensor<0xi32>, tensor<i8>) -> tensor<i32>
  check.expect_eq_const %0, dense<7> : tensor<i32>
  %y = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %i = stablehlo.constant dense<> : tensor<0x1xi32>
  %v = stablehlo.constant dense<> : tensor<0xi8>
  %2 = "stablehlo.scatter"(%y, %i, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %3 = stablehlo.subtract %a, %b : tensor<i8>
    stablehlo.return %3 : tensor<i8>
  }) : (tensor<2xi8>, tensor<0x1xi32>, tensor<0xi8>) -> tensor<2xi8>
  check.expect_eq_const %2, dense<[1, 2]> : tensor<2xi8>
  return
}

// Many updates of one element, in a type of four bits: they wrap.
func.func @scatter_one_element_of_four_bits() {
  %x = stablehlo.constant dense<[7, 1]> : tensor<2xi4>
  %i = stablehlo.constant dense<[[0], [1], [0], [0]]> : tensor<4x1xi64>
  %u = stablehlo.constant dense<[1, -3, 7, 7]> : tensor<4xi4>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i4>, %b: tensor<i4>):
    %c = stablehlo.add %a, %b : tensor<i4>
    stablehlo.return %c : tensor<i4>
  }) : (tensor<2xi4>, tensor<4x1xi64>, tensor<4xi4>) -> tensor<2xi4>
  check.expect_eq_const %0, dense<[6, -2]> : tensor<2xi4>
  return
}

// Sums are rounded after every update: 16 + 1 is 16 in this type, three times.
func.func @scatter_one_element_of_eight_bits() {
  %x = stablehlo.constant dense<[16.0, 0.0]> : tensor<2xf8E4M3FN>
  %i = stablehlo.constant dense<[[0], [0], [0], [1]]> : tensor<4x1xi64>
  %u = stablehlo.constant dense<1.0> : tensor<4xf8E4M3FN>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f8E4M3FN>, %b: tensor<f8E4M3FN>):
    %c = stablehlo.add %a, %b : tensor<f8E4M3FN>
    stablehlo.return %c : tensor<f8E4M3FN>
  }) : (tensor<2xf8E4M3FN>, tensor<4x1xi64>, tensor<4xf8E4M3FN>) -> tensor<2xf8E4M3FN>
  check.expect_eq_const %0, dense<[16.0, 1.0]> : tensor<2xf8E4M3FN>
  return
}
