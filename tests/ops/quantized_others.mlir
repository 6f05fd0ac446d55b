// Deprecated operations, and calls, on quantized tensors; q stands for (q - 1) * 0.5.
!q = !quant.uniform<i8:f32, 0.5:1>

func.func @broadcast_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %1 = stablehlo.broadcast %0, sizes = [2] : (tensor<2x!q>) -> tensor<2x2x!q>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x2x!q>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[1.0, 2.0], [1.0, 2.0]]> : tensor<2x2xf32>
  return
}

// 1 * 3 + 2 * 4 = 11 is stored as 23; the right operand has no zero point.
func.func @dot_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %1 = stablehlo.constant() <{value = dense<[6, 8]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %2 = stablehlo.dot %0, %1 : (tensor<2x!q>, tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<!q>
  %3 = stablehlo.bitcast_convert %2 : (tensor<!q>) -> tensor<i8>
  check.expect_eq_const %3, dense<23> : tensor<i8>
  return
}

func.func @dot_hybrid() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.constant() <{value = dense<[6, 8]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %2 = stablehlo.dot %0, %1 : (tensor<2xf32>, tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<f32>
  check.expect_eq_const %2, dense<11.0> : tensor<f32>
  return
}

// All products of [1, 2] with [1, 2]; 4 is stored as 9.
func.func @einsum_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %1 = "stablehlo.einsum"(%0, %0) <{einsum_config = "a,b->ab"}> : (tensor<2x!q>, tensor<2x!q>) -> tensor<2x2x!q>
  %2 = stablehlo.bitcast_convert %1 : (tensor<2x2x!q>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[3, 5], [5, 9]]> : tensor<2x2xi8>
  return
}

// 60 + 60 - 60 is summed in floats: the sum of the first two alone would not fit.
func.func @unary_einsum_quantized() {
  %0 = stablehlo.constant() <{value = dense<[121, 121, -119]> : tensor<3xi8>}> : () -> tensor<3x!q>
  %1 = "stablehlo.unary_einsum"(%0) <{einsum_config = "a->"}> : (tensor<3x!q>) -> tensor<!q>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<!q>) -> tensor<f32>
  check.expect_eq_const %2, dense<60.0> : tensor<f32>
  return
}

func.func @real_dynamic_slice_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5, 7, 9]> : tensor<4xi8>}> : () -> tensor<4x!q>
  %start = stablehlo.constant dense<1> : tensor<1xi64>
  %limit = stablehlo.constant dense<4> : tensor<1xi64>
  %stride = stablehlo.constant dense<2> : tensor<1xi64>
  %1 = stablehlo.real_dynamic_slice %0, %start, %limit, %stride : (tensor<4x!q>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x!q>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x!q>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[2.0, 4.0]> : tensor<2xf32>
  return
}

func.func @torch_index_select_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5, 7, 9]> : tensor<4xi8>}> : () -> tensor<4x!q>
  %i = stablehlo.constant dense<[3, 0]> : tensor<2xi64>
  %1 = "stablehlo.torch_index_select"(%0, %i) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<4x!q>, tensor<2xi64>) -> tensor<2x!q>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x!q>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[4.0, 1.0]> : tensor<2xf32>
  return
}

// 2 of 4 elements are left.
func.func @set_dimension_size_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5, 7, 9]> : tensor<4xi8>}> : () -> tensor<4x!q>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %1 = stablehlo.set_dimension_size %0, %n, dim = 0 : (tensor<4x!q>, tensor<i32>) -> tensor<?x!quant.uniform<i8:f32, 0.5:1>, #stablehlo.bounds<4>>
  %2 = stablehlo.get_dimension_size %1, dim = 0 : (tensor<?x!quant.uniform<i8:f32, 0.5:1>, #stablehlo.bounds<4>>) -> tensor<i32>
  check.expect_eq_const %2, dense<2> : tensor<i32>
  return
}

// An annotation changes nothing.
func.func @custom_call_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %1 = stablehlo.custom_call @Sharding(%0) : (tensor<2x!q>) -> tensor<2x!q>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x!q>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}
