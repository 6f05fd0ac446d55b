// The specification's example.
func.func @constant_example() {
  %0 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x2xf32>) -> tensor<4xf32>
  check.expect_eq_const %1, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  return
}

func.func @constant_splat() {
  %0 = stablehlo.constant dense<7> : tensor<2x3xi4>
  check.expect_eq_const %0, dense<[[7, 7, 7], [7, 7, 7]]> : tensor<2x3xi4>
  return
}

func.func @constant_scalar() {
  %0 = stablehlo.constant dense<true> : tensor<i1>
  check.expect_eq_const %0, dense<true> : tensor<i1>
  return
}

// Little-endian bytes.
func.func @constant_hex() {
  %0 = stablehlo.constant dense<"0x000080BF00000040"> : tensor<2xf32>
  check.expect_eq_const %0, dense<[-1.0, 2.0]> : tensor<2xf32>
  return
}

// By its stored values.
func.func @constant_quantized() {
  %0 = stablehlo.constant() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xf32>
  check.expect_eq_const %1, dense<[0.5, 1.0]> : tensor<2xf32>
  return
}
