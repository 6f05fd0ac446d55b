// The specification's example, with a result of the operand's type; upper and batched.
func.func @cholesky_example() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [2.0, 20.0, 26.0], [3.0, 26.0, 70.0]]> : tensor<3x3xf32>
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>
  check.expect_almost_eq_const %0, dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf32>
  %1 = stablehlo.cholesky %a : tensor<3x3xf32>
  check.expect_almost_eq_const %1, dense<[[1.0, 2.0, 3.0], [0.0, 4.0, 5.0], [0.0, 0.0, 6.0]]> : tensor<3x3xf32>
  return
}

// The opposite triangle is not read.
func.func @cholesky_reads_one_triangle() {
  %a = stablehlo.constant dense<[[4.0, 99.0], [6.0, 10.0]]> : tensor<2x2xf64>
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x2xf64>
  check.expect_almost_eq_const %0, dense<[[2.0, 0.0], [3.0, 1.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant dense<[[4.0, 6.0], [99.0, 10.0]]> : tensor<2x2xf64>
  %1 = stablehlo.cholesky %b, lower = false : tensor<2x2xf64>
  check.expect_almost_eq_const %1, dense<[[2.0, 3.0], [0.0, 1.0]]> : tensor<2x2xf64>
  return
}

// A matrix that is not positive-definite gives NaN, others of the batch their factor.
func.func @cholesky_not_positive_definite() {
  %a = stablehlo.constant dense<[[[4.0, 0.0], [0.0, 9.0]], [[4.0, 6.0], [6.0, 8.0]]]> : tensor<2x2x2xf32>
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x2x2xf32>
  check.expect_almost_eq_const %0, dense<[[[2.0, 0.0], [0.0, 3.0]], [[0x7FC00000, 0x7FC00000], [0x7FC00000, 0x7FC00000]]]> : tensor<2x2x2xf32>
  return
}

// Complex: the factor times its adjoint. Narrow floats, and matrices without elements.
func.func @cholesky_types() {
  %a = stablehlo.constant dense<[[(4.0, 0.0), (0.0, 0.0)], [(2.0, -4.0), (6.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x2xcomplex<f32>>
  check.expect_almost_eq_const %0, dense<[[(2.0, 0.0), (0.0, 0.0)], [(1.0, -2.0), (1.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %b = stablehlo.constant dense<[[4.0, 6.0], [6.0, 10.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.cholesky %b, lower = true : tensor<2x2xbf16>
  check.expect_eq_const %1, dense<[[2.0, 0.0], [3.0, 1.0]]> : tensor<2x2xbf16>
  %c = stablehlo.constant dense<> : tensor<2x0x0xf32>
  %2 = stablehlo.cholesky %c, lower = true : tensor<2x0x0xf32>
  check.expect_eq_const %2, dense<> : tensor<2x0x0xf32>
  return
}

// Quantized: dequantized, decomposed, quantized.
func.func @cholesky_quantized() {
  %a = stablehlo.constant() <{value = dense<[[8, 12], [12, 20]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.cholesky %a, lower = true : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:1>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:1>>) -> tensor<2x2xf32>
  check.expect_eq_const %1, dense<[[2.0, 0.0], [3.0, 1.0]]> : tensor<2x2xf32>
  return
}
