// The specification's example, with the operands that its results belong to (it divides 17.1).
func.func @divide_example() {
  %a = stablehlo.constant dense<[17.0, -17.0, 17.0, -17.0]> : tensor<4xf32>
  %b = stablehlo.constant dense<[3.0, 3.0, -3.0, -3.0]> : tensor<4xf32>
  %0 = stablehlo.divide %a, %b : tensor<4xf32>
  check.expect_eq_const %0, dense<[5.66666651, -5.66666651, -5.66666651, 5.66666651]> : tensor<4xf32>
  return
}

// The fraction is dropped.
func.func @divide_integers() {
  %a = stablehlo.constant dense<[17, -17, 17, -17]> : tensor<4xi32>
  %b = stablehlo.constant dense<[3, 3, -3, -3]> : tensor<4xi32>
  %0 = stablehlo.divide %a, %b : tensor<4xi32>
  check.expect_eq_const %0, dense<[5, -5, -5, 5]> : tensor<4xi32>
  return
}

// As in XLA: all bits set; the smallest integer has no counterpart.
func.func @divide_integers_by_zero() {
  %a = stablehlo.constant dense<[7, -7, 0, -128]> : tensor<4xi8>
  %b = stablehlo.constant dense<[0, 0, 0, -1]> : tensor<4xi8>
  %0 = stablehlo.divide %a, %b : tensor<4xi8>
  check.expect_eq_const %0, dense<[-1, -1, -1, -128]> : tensor<4xi8>
  return
}

func.func @divide_unsigned() {
  %a = stablehlo.constant dense<[250, 7]> : tensor<2xui8>
  %b = stablehlo.constant dense<[4, 0]> : tensor<2xui8>
  %0 = stablehlo.divide %a, %b : tensor<2xui8>
  check.expect_eq_const %0, dense<[62, 255]> : tensor<2xui8>
  return
}

func.func @divide_narrow() {
  %a = stablehlo.constant dense<[-7, 7, -8, 5]> : tensor<4xi4>
  %b = stablehlo.constant dense<[2, -2, -1, 0]> : tensor<4xi4>
  %0 = stablehlo.divide %a, %b : tensor<4xi4>
  check.expect_eq_const %0, dense<[-3, -3, -8, -1]> : tensor<4xi4>
  return
}

func.func @divide_by_zero() {
  %a = stablehlo.constant dense<[1.0, -1.0, 1.0]> : tensor<3xf32>
  %b = stablehlo.constant dense<[0.0, 0.0, -0.0]> : tensor<3xf32>
  %0 = stablehlo.divide %a, %b : tensor<3xf32>
  check.expect_eq_const %0, dense<[0x7F800000, 0xFF800000, 0xFF800000]> : tensor<3xf32>
  return
}

func.func @divide_complex() {
  %a = stablehlo.constant dense<[(1.0, 2.0), (1.0, 0.0)]> : tensor<2xcomplex<f64>>
  %b = stablehlo.constant dense<[(3.0, -4.0), (0.0, 2.0)]> : tensor<2xcomplex<f64>>
  %0 = stablehlo.divide %a, %b : tensor<2xcomplex<f64>>
  check.expect_eq_const %0, dense<[(-0.2, 0.4), (0.0, -0.5)]> : tensor<2xcomplex<f64>>
  return
}

// The squares are beyond f64.
func.func @divide_complex_without_overflow() {
  %a = stablehlo.constant dense<[(1.0e+300, 1.0e+300)]> : tensor<1xcomplex<f64>>
  %b = stablehlo.constant dense<[(1.0e+300, 1.0e+300)]> : tensor<1xcomplex<f64>>
  %0 = stablehlo.divide %a, %b : tensor<1xcomplex<f64>>
  check.expect_eq_const %0, dense<[(1.0, 0.0)]> : tensor<1xcomplex<f64>>
  return
}

func.func @divide_complex_by_infinity() {
  %a = stablehlo.constant dense<[(1.0, 1.0)]> : tensor<1xcomplex<f32>>
  %b = stablehlo.constant dense<[(0x7F800000, 0x7F800000)]> : tensor<1xcomplex<f32>>
  %0 = stablehlo.divide %a, %b : tensor<1xcomplex<f32>>
  check.expect_eq_const %0, dense<[(0.0, 0.0)]> : tensor<1xcomplex<f32>>
  return
}

// 3; infinity becomes the largest.
func.func @divide_quantized() {
  %a = stablehlo.constant() <{value = dense<[12, 1]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %b = stablehlo.constant() <{value = dense<[4, 0]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.divide %a, %b : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[6, 127]> : tensor<2xi8>
  return
}
