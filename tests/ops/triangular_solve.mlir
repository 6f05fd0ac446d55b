// The specification's example.
func.func @triangular_solve_example() {
  %a = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[2.0, 0.0, 0.0], [4.0, 8.0, 0.0], [6.0, 10.0, 12.0]]> : tensor<3x3xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  check.expect_almost_eq_const %0, dense<[[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]> : tensor<3x3xf32>
  return
}

// From the right, x * a = b; the other triangle and, with unit_diagonal, the diagonal do not count.
func.func @triangular_solve_sides_and_triangles() {
  %a = stablehlo.constant dense<[[2.0, 3.0], [5.0, 4.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant dense<[[2.0, 4.0]]> : tensor<1x2xf64>
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf64>, tensor<1x2xf64>) -> tensor<1x2xf64>
  check.expect_almost_eq_const %0, dense<[[-1.5, 1.0]]> : tensor<1x2xf64>
  %1 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf64>, tensor<1x2xf64>) -> tensor<1x2xf64>
  check.expect_almost_eq_const %1, dense<[[1.0, 0.25]]> : tensor<1x2xf64>
  %2 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x2xf64>, tensor<1x2xf64>) -> tensor<1x2xf64>
  check.expect_almost_eq_const %2, dense<[[-18.0, 4.0]]> : tensor<1x2xf64>
  return
}

// The transpose and the conjugate transpose of a.
func.func @triangular_solve_transposes() {
  %a = stablehlo.constant dense<[[(1.0, 0.0), (9.0, 9.0)], [(0.0, 1.0), (1.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %b = stablehlo.constant dense<[[(5.0, 0.0)], [(2.0, 0.0)]]> : tensor<2x1xcomplex<f32>>
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xcomplex<f32>>, tensor<2x1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  check.expect_almost_eq_const %0, dense<[[(5.0, 0.0)], [(2.0, -5.0)]]> : tensor<2x1xcomplex<f32>>
  %1 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xcomplex<f32>>, tensor<2x1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[[(5.0, -2.0)], [(2.0, 0.0)]]> : tensor<2x1xcomplex<f32>>
  %2 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<2x2xcomplex<f32>>, tensor<2x1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  check.expect_almost_eq_const %2, dense<[[(5.0, 2.0)], [(2.0, 0.0)]]> : tensor<2x1xcomplex<f32>>
  return
}

// A batch, narrow floats, and no equations.
func.func @triangular_solve_batch() {
  %a = stablehlo.constant dense<[[[2.0]], [[4.0]]]> : tensor<2x1x1xbf16>
  %b = stablehlo.constant dense<[[[1.0, 3.0]], [[1.0, 3.0]]]> : tensor<2x1x2xbf16>
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x1x1xbf16>, tensor<2x1x2xbf16>) -> tensor<2x1x2xbf16>
  check.expect_eq_const %0, dense<[[[0.5, 1.5]], [[0.25, 0.75]]]> : tensor<2x1x2xbf16>
  %c = stablehlo.constant dense<> : tensor<0x0xf32>
  %d = stablehlo.constant dense<> : tensor<0x2xf32>
  %1 = "stablehlo.triangular_solve"(%c, %d) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<0x0xf32>, tensor<0x2xf32>) -> tensor<0x2xf32>
  check.expect_eq_const %1, dense<> : tensor<0x2xf32>
  return
}

// Quantized: dequantized, solved, quantized.
func.func @triangular_solve_quantized() {
  %a = stablehlo.constant() <{value = dense<[[4, 0], [2, 8]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>
  %b = stablehlo.constant() <{value = dense<[[4], [10]]> : tensor<2x1xi8>}> : () -> tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x1xf32>
  check.expect_eq_const %1, dense<[[1.0], [1.0]]> : tensor<2x1xf32>
  return
}
