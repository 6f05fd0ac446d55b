// Data movement takes stored values as they are; q stands for (q - 1) * 0.5.
!q = !quant.uniform<i8:f32, 0.5:1>

func.func @concatenate_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %1 = stablehlo.constant() <{value = dense<7> : tensor<1xi8>}> : () -> tensor<1x!q>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2x!q>, tensor<1x!q>) -> tensor<3x!q>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<3x!q>) -> tensor<3xf32>
  check.expect_eq_const %3, dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  return
}

// The padding value is quantized as well: 9 stands for 4.
func.func @pad_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %1 = stablehlo.constant() <{value = dense<9> : tensor<i8>}> : () -> tensor<!q>
  %2 = stablehlo.pad %0, %1, low = [1], high = [0], interior = [1] : (tensor<2x!q>, tensor<!q>) -> tensor<4x!q>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<4x!q>) -> tensor<4xf32>
  check.expect_eq_const %3, dense<[4.0, 1.0, 4.0, 2.0]> : tensor<4xf32>
  return
}

func.func @dynamic_pad_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %1 = stablehlo.constant() <{value = dense<9> : tensor<i8>}> : () -> tensor<!q>
  %c0 = stablehlo.constant dense<0> : tensor<1xi64>
  %c1 = stablehlo.constant dense<1> : tensor<1xi64>
  %2 = stablehlo.dynamic_pad %0, %1, %c1, %c0, %c1 : (tensor<2x!q>, tensor<!q>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4x!q>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<4x!q>) -> tensor<4xf32>
  check.expect_eq_const %3, dense<[4.0, 1.0, 4.0, 2.0]> : tensor<4xf32>
  return
}

func.func @slice_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5, 7, 9]> : tensor<4xi8>}> : () -> tensor<4x!q>
  %1 = stablehlo.slice %0 [1:4:2] : (tensor<4x!q>) -> tensor<2x!q>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x!q>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[2.0, 4.0]> : tensor<2xf32>
  return
}

func.func @dynamic_slice_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5, 7, 9]> : tensor<4xi8>}> : () -> tensor<4x!q>
  %c = stablehlo.constant dense<2> : tensor<i64>
  %1 = stablehlo.dynamic_slice %0, %c, sizes = [2] : (tensor<4x!q>, tensor<i64>) -> tensor<2x!q>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x!q>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[3.0, 4.0]> : tensor<2xf32>
  return
}

func.func @dynamic_update_slice_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5, 7, 9]> : tensor<4xi8>}> : () -> tensor<4x!q>
  %1 = stablehlo.constant() <{value = dense<1> : tensor<2xi8>}> : () -> tensor<2x!q>
  %c = stablehlo.constant dense<1> : tensor<i64>
  %2 = stablehlo.dynamic_update_slice %0, %1, %c : (tensor<4x!q>, tensor<2x!q>, tensor<i64>) -> tensor<4x!q>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<4x!q>) -> tensor<4xf32>
  check.expect_eq_const %3, dense<[1.0, 0.0, 0.0, 4.0]> : tensor<4xf32>
  return
}

func.func @gather_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5, 7, 9]> : tensor<4xi8>}> : () -> tensor<4x!q>
  %i = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi64>
  %1 = "stablehlo.gather"(%0, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<4x!q>, tensor<2x1xi64>) -> tensor<2x!q>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x!q>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[3.0, 1.0]> : tensor<2xf32>
  return
}

func.func @dynamic_gather_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5, 7, 9]> : tensor<4xi8>}> : () -> tensor<4x!q>
  %i = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi64>
  %s = stablehlo.constant dense<1> : tensor<1xi64>
  %1 = "stablehlo.dynamic_gather"(%0, %i, %s) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<4x!q>, tensor<2x1xi64>, tensor<1xi64>) -> tensor<2x!q>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x!q>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[3.0, 1.0]> : tensor<2xf32>
  return
}

func.func @reverse_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<2x!q>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x!q>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[2.0, 1.0]> : tensor<2xf32>
  return
}

func.func @reshape_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %1 = stablehlo.reshape %0 : (tensor<2x!q>) -> tensor<2x1x!q>
  %s = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %2 = stablehlo.dynamic_reshape %1, %s : (tensor<2x1x!q>, tensor<2xi64>) -> tensor<?x?x!q>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<?x?x!q>) -> tensor<?x?xf32>
  %4 = stablehlo.reshape %3 : (tensor<?x?xf32>) -> tensor<1x2xf32>
  check.expect_eq_const %4, dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  return
}

func.func @dynamic_broadcast_in_dim_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %s = stablehlo.constant dense<2> : tensor<2xi64>
  %1 = stablehlo.dynamic_broadcast_in_dim %0, %s, dims = [1] : (tensor<2x!q>, tensor<2xi64>) -> tensor<2x2x!q>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x2x!q>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[1.0, 2.0], [1.0, 2.0]]> : tensor<2x2xf32>
  return
}

// 0, 1, 2 are stored as 2 * i + 1.
func.func @dynamic_iota_quantized() {
  %s = stablehlo.constant dense<3> : tensor<1xi64>
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>) -> tensor<3x!q>
  %1 = stablehlo.bitcast_convert %0 : (tensor<3x!q>) -> tensor<3xi8>
  check.expect_eq_const %1, dense<[1, 3, 5]> : tensor<3xi8>
  return
}

// A narrower storage type splits the bytes, the lower half first.
func.func @bitcast_convert_quantized_halves() {
  %0 = stablehlo.constant() <{value = dense<33> : tensor<1xi8>}> : () -> tensor<1x!q>
  %1 = stablehlo.bitcast_convert %0 : (tensor<1x!q>) -> tensor<1x2x!quant.uniform<i4:f32, 0.25>>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<1x2x!quant.uniform<i4:f32, 0.25>>) -> tensor<1x2xf32>
  check.expect_eq_const %2, dense<[[0.25, 0.5]]> : tensor<1x2xf32>
  return
}

func.func @optimization_barrier_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %1 = stablehlo.optimization_barrier %0 : tensor<2x!q>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x!q>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}

func.func @tuple_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %1 = stablehlo.tuple %0 : tuple<tensor<2x!q>>
  %2 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<2x!q>>) -> tensor<2x!q>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<2x!q>) -> tensor<2xf32>
  check.expect_eq_const %3, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}
