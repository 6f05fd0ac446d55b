// The sizes and the rank of a tensor, as indices.
func.func @tensor_sizes() {
  %t = stablehlo.constant dense<0> : tensor<2x3xi8>
  %0 = tensor.cast %t : tensor<2x3xi8> to tensor<?x3xi8>
  %1 = tensor.cast %0 : tensor<?x3xi8> to tensor<*xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %0, %c0 : tensor<?x3xi8>
  %dim_0 = tensor.dim %1, %c1 : tensor<*xi8>
  %rank = tensor.rank %1 : tensor<*xi8>
  %from_elements = tensor.from_elements %dim, %dim_0, %rank : tensor<3xindex>
  %2 = arith.index_cast %from_elements : tensor<3xindex> to tensor<3xi64>
  check.expect_eq_const %2, dense<[2, 3, 2]> : tensor<3xi64>
  return
}

// An element by its index; of a tensor of rank 0 the only one.
func.func @tensor_extract() {
  %t = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %s = stablehlo.constant dense<7> : tensor<i8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %extracted = tensor.extract %t[%c1, %c0] : tensor<2x3xi8>
  %extracted_0 = tensor.extract %s[] : tensor<i8>
  %from_elements = tensor.from_elements %extracted, %extracted_0 : tensor<2xi8>
  check.expect_eq_const %from_elements, dense<[4, 7]> : tensor<2xi8>
  return
}

// Elements in row-major order; none for an empty tensor.
func.func @tensor_from_elements() {
  %a = arith.constant 1.000000e+00 : f32
  %b = arith.constant 2.000000e+00 : f32
  %from_elements = tensor.from_elements %a, %b, %b, %a : tensor<2x2xf32>
  %from_elements_0 = tensor.from_elements %a : tensor<f32>
  %from_elements_1 = tensor.from_elements  : tensor<0xf32>
  check.expect_eq_const %from_elements, dense<[[1.0, 2.0], [2.0, 1.0]]> : tensor<2x2xf32>
  check.expect_eq_const %from_elements_0, dense<1.0> : tensor<f32>
  check.expect_eq_const %from_elements_1, dense<> : tensor<0xf32>
  return
}

// A tensor of the stated sizes, whatever it holds.
func.func @tensor_empty() {
  %c3 = arith.constant 3 : index
  %0 = tensor.empty(%c3) : tensor<2x?xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %2 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<2x?xf32>) -> tensor<i32>
  %3 = stablehlo.get_dimension_size %1, dim = 0 : (tensor<4xf32>) -> tensor<i32>
  check.expect_eq_const %2, dense<3> : tensor<i32>
  check.expect_eq_const %3, dense<4> : tensor<i32>
  return
}
