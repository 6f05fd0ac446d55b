// Sizes of a shape and of a tensor.
func.func @size_of_shapes() {
  %t = stablehlo.constant dense<0> : tensor<4x5xi8>
  %0 = shape.const_shape [2, 3, 4] : tensor<3xindex>
  %1 = shape.const_shape [2, 3] : !shape.shape
  %c1 = arith.constant 1 : index
  %c0 = shape.const_size 0
  %2 = shape.num_elements %0 : tensor<3xindex> -> index
  %3 = shape.num_elements %1 : !shape.shape -> !shape.size
  %4 = shape.size_to_index %3 : !shape.size
  %5 = shape.get_extent %0, %c1 : tensor<3xindex>, index -> index
  %6 = shape.get_extent %1, %c0 : !shape.shape, !shape.size -> !shape.size
  %7 = shape.size_to_index %6 : !shape.size
  %8 = shape.dim %t, %c1 : tensor<4x5xi8>, index -> index
  %9 = shape.rank %0 : tensor<3xindex> -> index
  %from_elements = tensor.from_elements %2, %4, %5, %7, %8, %9 : tensor<6xindex>
  %10 = arith.index_cast %from_elements : tensor<6xindex> to tensor<6xi64>
  check.expect_eq_const %10, dense<[24, 6, 3, 2, 5, 3]> : tensor<6xi64>
  return
}

// A scalar has one element and no dimension.
func.func @size_of_scalar() {
  %t = stablehlo.constant dense<0> : tensor<i8>
  %0 = shape.shape_of %t : tensor<i8> -> tensor<0xindex>
  %1 = shape.num_elements %0 : tensor<0xindex> -> index
  %2 = arith.index_cast %1 : index to i64
  %from_elements = tensor.from_elements %2 : tensor<i64>
  check.expect_eq_const %from_elements, dense<1> : tensor<i64>
  return
}

// Sums, products, quotients rounded down, extrema.
func.func @size_arithmetic() {
  %c7 = shape.const_size 7
  %c-2 = arith.constant -2 : index
  %0 = shape.index_to_size %c-2
  %1 = shape.add %c7, %c-2 : !shape.size, index -> !shape.size
  %2 = shape.mul %c7, %0 : !shape.size, !shape.size -> !shape.size
  %3 = shape.div %c7, %0 : !shape.size, !shape.size -> !shape.size
  %4 = shape.max %c7, %0 : !shape.size, !shape.size -> !shape.size
  %5 = shape.min %c7, %0 : !shape.size, !shape.size -> !shape.size
  %6 = shape.size_to_index %1 : !shape.size
  %7 = shape.size_to_index %2 : !shape.size
  %8 = shape.size_to_index %3 : !shape.size
  %9 = shape.size_to_index %4 : !shape.size
  %10 = shape.size_to_index %5 : !shape.size
  %from_elements = tensor.from_elements %6, %7, %8, %9, %10 : tensor<5xindex>
  %11 = arith.index_cast %from_elements : tensor<5xindex> to tensor<5xi64>
  check.expect_eq_const %11, dense<[5, -14, -4, 7, -2]> : tensor<5xi64>
  return
}

// The extrema of shapes, size by size.
func.func @size_extrema_of_shapes() {
  %0 = shape.const_shape [2, 3] : !shape.shape
  %1 = shape.const_shape [1, 4] : !shape.shape
  %2 = shape.max %0, %1 : !shape.shape, !shape.shape -> !shape.shape
  %3 = shape.min %0, %1 : !shape.shape, !shape.shape -> !shape.shape
  %4 = shape.concat %2, %3 : !shape.shape, !shape.shape -> !shape.shape
  %5 = shape.to_extent_tensor %4 : !shape.shape -> tensor<4xindex>
  %6 = arith.index_cast %5 : tensor<4xindex> to tensor<4xi64>
  check.expect_eq_const %6, dense<[2, 4, 1, 3]> : tensor<4xi64>
  return
}

// The sum of dimension * size: 0 * 5 + 1 * 6 + 2 * 7 = 20, and the product of the sizes.
func.func @size_reduce() {
  %0 = shape.const_shape [5, 6, 7] : tensor<3xindex>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %1:2 = shape.reduce(%0, %c0, %c1) : tensor<3xindex> -> (index, index) {
  ^bb0(%arg0: index, %arg1: index, %arg2: index, %arg3: index):
    %3 = arith.muli %arg0, %arg1 : index
    %4 = arith.addi %arg2, %3 : index
    %5 = arith.muli %arg3, %arg1 : index
    shape.yield %4, %5 : index, index
  }
  %from_elements = tensor.from_elements %1#0, %1#1 : tensor<2xindex>
  %2 = arith.index_cast %from_elements : tensor<2xindex> to tensor<2xi64>
  check.expect_eq_const %2, dense<[20, 210]> : tensor<2xi64>
  return
}

// The sizes of a shape are sizes.
func.func @size_reduce_of_shape() {
  %0 = shape.const_shape [5, 6] : !shape.shape
  %c1 = shape.const_size 1
  %1 = shape.reduce(%0, %c1) : !shape.shape -> !shape.size {
  ^bb0(%arg0: index, %arg1: !shape.size, %arg2: !shape.size):
    %4 = shape.mul %arg1, %arg2 : !shape.size, !shape.size -> !shape.size
    shape.yield %4 : !shape.size
  }
  %2 = shape.size_to_index %1 : !shape.size
  %3 = arith.index_cast %2 : index to i64
  %from_elements = tensor.from_elements %3 : tensor<i64>
  check.expect_eq_const %from_elements, dense<30> : tensor<i64>
  return
}
