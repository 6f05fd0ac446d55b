// What holds changes nothing; a region under an assumption gives its results.
func.func @witness_holds() {
  %0 = shape.const_shape [3, 1] : tensor<2xindex>
  %1 = shape.const_shape [4] : tensor<1xindex>
  %2 = shape.const_shape [3, 1] : !shape.shape
  %true = arith.constant true
  %3 = shape.cstr_broadcastable %0, %1 : tensor<2xindex>, tensor<1xindex>
  %4 = shape.cstr_eq %0, %2 : tensor<2xindex>, !shape.shape
  %5 = shape.cstr_require %true, "never said"
  %6 = shape.const_witness true
  %7 = shape.assuming_all %3, %4, %5, %6
  %8:2 = shape.assuming %7 -> (i64, i64) {
    %c1_i64 = arith.constant 1 : i64
    %c2_i64 = arith.constant 2 : i64
    shape.assuming_yield %c1_i64, %c2_i64 : i64, i64
  }
  shape.assuming %7 {
  }
  %from_elements = tensor.from_elements %8#0, %8#1 : tensor<2xi64>
  check.expect_eq_const %from_elements, dense<[1, 2]> : tensor<2xi64>
  return
}

// What broadcast_add becomes: a sum under the assumption that the shapes fit.
func.func @witness_of_broadcast() {
  %a = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %b = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %0 = tensor.cast %a : tensor<2x1xi32> to tensor<?x?xi32>
  %1 = tensor.cast %b : tensor<2xi32> to tensor<?xi32>
  %2 = shape.shape_of %0 : tensor<?x?xi32> -> tensor<2xindex>
  %3 = shape.shape_of %1 : tensor<?xi32> -> tensor<1xindex>
  %4 = shape.cstr_broadcastable %2, %3 : tensor<2xindex>, tensor<1xindex>
  %5 = shape.assuming %4 -> (tensor<?x?xi32>) {
    %7 = shape.broadcast %2, %3 : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
    %8 = stablehlo.dynamic_broadcast_in_dim %0, %7, dims = [0, 1] : (tensor<?x?xi32>, tensor<2xindex>) -> tensor<?x?xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %1, %7, dims = [1] : (tensor<?xi32>, tensor<2xindex>) -> tensor<?x?xi32>
    %10 = stablehlo.add %8, %9 : tensor<?x?xi32>
    shape.assuming_yield %10 : tensor<?x?xi32>
  }
  %6 = tensor.cast %5 : tensor<?x?xi32> to tensor<2x2xi32>
  check.expect_eq_const %6, dense<[[11, 21], [12, 22]]> : tensor<2x2xi32>
  return
}
