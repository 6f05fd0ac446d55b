// The specification's example.
func.func @uniform_dequantize_example() {
  %a = stablehlo.constant() <{value = dense<10> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32:0, {1.000000e-01:-30,5.000000e-01:-20}>>
  %0 = stablehlo.uniform_dequantize %a : (tensor<2x!quant.uniform<i8:f32:0, {1.000000e-01:-30,5.000000e-01:-20}>>) -> tensor<2xf32>
  check.expect_almost_eq_const %0, dense<[4.0, 15.0]> : tensor<2xf32>, tolerance = 1.0e-06
  return
}

// The difference to the zero point does not wrap.
func.func @uniform_dequantize_per_tensor() {
  %a = stablehlo.constant() <{value = dense<[3, -128, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 2.500000e-01:3>>
  %0 = stablehlo.uniform_dequantize %a : (tensor<3x!quant.uniform<i8:f32, 2.500000e-01:3>>) -> tensor<3xf32>
  check.expect_eq_const %0, dense<[0.0, -32.75, 31.0]> : tensor<3xf32>
  return
}

func.func @uniform_dequantize_unsigned() {
  %a = stablehlo.constant() <{value = dense<[0, 128, 255]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<u8:f32, 5.000000e-01:128>>
  %0 = stablehlo.uniform_dequantize %a : (tensor<3x!quant.uniform<u8:f32, 5.000000e-01:128>>) -> tensor<3xf32>
  check.expect_eq_const %0, dense<[-64.0, 0.0, 63.5]> : tensor<3xf32>
  return
}

func.func @uniform_dequantize_narrow() {
  %a = stablehlo.constant() <{value = dense<[-8, 7]> : tensor<2xi4>}> : () -> tensor<2x!quant.uniform<i4:bf16, 2.000000e+00>>
  %0 = stablehlo.uniform_dequantize %a : (tensor<2x!quant.uniform<i4:bf16, 2.000000e+00>>) -> tensor<2xbf16>
  check.expect_eq_const %0, dense<[-16.0, 14.0]> : tensor<2xbf16>
  return
}

func.func @uniform_dequantize_second_dimension() {
  %a = stablehlo.constant() <{value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>
  %0 = stablehlo.uniform_dequantize %a : (tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>) -> tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[0.5, 0.5], [1.5, 1.0]]> : tensor<2x2xf32>
  return
}
