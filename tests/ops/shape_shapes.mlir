// The shape of a tensor, as a shape or as a tensor of extents.
func.func @shape_of_tensor() {
  %t = stablehlo.constant dense<0> : tensor<2x3xi8>
  %0 = tensor.cast %t : tensor<2x3xi8> to tensor<?x?xi8>
  %1 = shape.shape_of %0 : tensor<?x?xi8> -> tensor<2xindex>
  %2 = shape.shape_of %t : tensor<2x3xi8> -> !shape.shape
  %3 = shape.to_extent_tensor %2 : !shape.shape -> tensor<2xindex>
  %4 = arith.index_cast %1 : tensor<2xindex> to tensor<2xi64>
  %5 = arith.index_cast %3 : tensor<2xindex> to tensor<2xi64>
  check.expect_eq_const %4, dense<[2, 3]> : tensor<2xi64>
  check.expect_eq_const %5, dense<[2, 3]> : tensor<2xi64>
  return
}

// Constant shapes, and shapes made of sizes or of a tensor.
func.func @shape_constants() {
  %0 = shape.const_shape [1, 2] : tensor<2xindex>
  %1 = shape.const_shape [] : !shape.shape
  %c4 = arith.constant 4 : index
  %c5 = shape.const_size 5
  %2 = shape.from_extents %c4, %c5 : index, !shape.size
  %3 = shape.from_extent_tensor %0 : tensor<2xindex>
  %4 = shape.concat %1, %2 : !shape.shape, !shape.shape -> !shape.shape
  %5 = shape.concat %4, %3 : !shape.shape, !shape.shape -> !shape.shape
  %6 = shape.to_extent_tensor %5 : !shape.shape -> tensor<4xindex>
  %7 = arith.index_cast %6 : tensor<4xindex> to tensor<4xi64>
  check.expect_eq_const %7, dense<[4, 5, 1, 2]> : tensor<4xi64>
  return
}

// Of corresponding sizes, counted from the last, the one that is not 1.
func.func @shape_broadcast() {
  %0 = shape.const_shape [3, 1, 2] : tensor<3xindex>
  %1 = shape.const_shape [5, 1] : tensor<2xindex>
  %2 = shape.const_shape [1, 1, 1, 2] : !shape.shape
  %3 = shape.broadcast %0, %1 : tensor<3xindex>, tensor<2xindex> -> tensor<3xindex>
  %4 = shape.broadcast %0, %1, %2 {error = "no"} : tensor<3xindex>, tensor<2xindex>, !shape.shape -> !shape.shape
  %5 = shape.to_extent_tensor %4 : !shape.shape -> tensor<?xindex>
  %6 = arith.index_cast %3 : tensor<3xindex> to tensor<3xi64>
  %7 = arith.index_cast %5 : tensor<?xindex> to tensor<?xi64>
  %8 = tensor.cast %7 : tensor<?xi64> to tensor<4xi64>
  check.expect_eq_const %6, dense<[3, 5, 2]> : tensor<3xi64>
  check.expect_eq_const %8, dense<[1, 3, 5, 2]> : tensor<4xi64>
  return
}

// Shapes that cannot be broadcast have no shape in common, which others hand on; `any` avoids it.
func.func @shape_that_does_not_exist() {
  %0 = shape.const_shape [3] : !shape.shape
  %1 = shape.const_shape [2] : !shape.shape
  %2 = shape.broadcast %0, %1 : !shape.shape, !shape.shape -> !shape.shape
  %3 = shape.broadcast %1, %0 : !shape.shape, !shape.shape -> !shape.shape
  %4 = shape.concat %2, %0 : !shape.shape, !shape.shape -> !shape.shape
  %5 = shape.shape_eq %4, %3 : !shape.shape, !shape.shape
  %6 = shape.shape_eq %0, %2 : !shape.shape, !shape.shape
  %7 = shape.is_broadcastable %0, %1 : !shape.shape, !shape.shape
  %8 = shape.is_broadcastable %0, %0 : !shape.shape, !shape.shape
  %from_elements = tensor.from_elements %5, %6, %7, %8 : tensor<4xi1>
  check.expect_eq_const %from_elements, dense<[true, false, false, true]> : tensor<4xi1>
  %9 = shape.any %2, %0 : !shape.shape, !shape.shape -> !shape.shape
  %10 = shape.to_extent_tensor %9 : !shape.shape -> tensor<1xindex>
  %11 = arith.index_cast %10 : tensor<1xindex> to tensor<1xi64>
  check.expect_eq_const %11, dense<3> : tensor<1xi64>
  return
}

// The parts of [4, 5, 6] before and behind a place; a negative one counts from the end.
func.func @shape_split() {
  %0 = shape.const_shape [4, 5, 6] : tensor<3xindex>
  %c1 = arith.constant 1 : index
  %c-1 = arith.constant -1 : index
  %head, %tail = "shape.split_at"(%0, %c1) : (tensor<3xindex>, index) -> (tensor<1xindex>, tensor<2xindex>)
  %head_0, %tail_1 = "shape.split_at"(%0, %c-1) : (tensor<3xindex>, index) -> (tensor<2xindex>, tensor<1xindex>)
  %1 = arith.index_cast %tail : tensor<2xindex> to tensor<2xi64>
  %2 = arith.index_cast %head_0 : tensor<2xindex> to tensor<2xi64>
  check.expect_eq_const %1, dense<[5, 6]> : tensor<2xi64>
  check.expect_eq_const %2, dense<[4, 5]> : tensor<2xi64>
  return
}

// A tensor of integers as a shape.
func.func @shape_of_values() {
  %c = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %0 = shape.value_as_shape %c : tensor<2xi32> -> tensor<2xindex>
  %1 = arith.index_cast %0 : tensor<2xindex> to tensor<2xi64>
  check.expect_eq_const %1, dense<[7, 8]> : tensor<2xi64>
  return
}
