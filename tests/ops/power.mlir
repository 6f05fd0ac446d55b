// The specification's example, with the power of f64 in the last place.
func.func @power_example() {
  %a = stablehlo.constant dense<[-2.0, -0.0, 5.0, 3.0, 10000.0]> : tensor<5xf64>
  %b = stablehlo.constant dense<[2.0, 2.0, 2.0, -1.0, 10.0]> : tensor<5xf64>
  %0 = stablehlo.power %a, %b : tensor<5xf64>
  check.expect_almost_eq_const %0, dense<[4.0, 0.0, 25.0, 0.333333343, 1.0e+40]> : tensor<5xf64>, tolerance = 1.0e-08
  return
}

// The specification's example: a negative number to a fraction.
func.func @power_nan() {
  %a = stablehlo.constant dense<-36.0> : tensor<f64>
  %b = stablehlo.constant dense<1.1> : tensor<f64>
  %0 = stablehlo.power %a, %b : tensor<f64>
  %1 = stablehlo.compare NE, %0, %0, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %1, dense<true> : tensor<i1>
  return
}

// As IEEE-754 has it.
func.func @power_ones() {
  %a = stablehlo.constant dense<[1.0, 0x7FC00000, -1.0]> : tensor<3xf32>
  %b = stablehlo.constant dense<[0x7FC00000, 0.0, 0x7F800000]> : tensor<3xf32>
  %0 = stablehlo.power %a, %b : tensor<3xf32>
  check.expect_eq_const %0, dense<[1.0, 1.0, 1.0]> : tensor<3xf32>
  return
}

// 2 to the power of 31 wraps.
func.func @power_integers() {
  %a = stablehlo.constant dense<[2, 3, -3, 2, 0]> : tensor<5xi32>
  %b = stablehlo.constant dense<[10, 4, 3, 31, 0]> : tensor<5xi32>
  %0 = stablehlo.power %a, %b : tensor<5xi32>
  check.expect_eq_const %0, dense<[1024, 81, -27, -2147483648, 1]> : tensor<5xi32>
  return
}

// A fraction is 0.
func.func @power_negative_exponents() {
  %a = stablehlo.constant dense<[1, -1, -1, 2, 0]> : tensor<5xi8>
  %b = stablehlo.constant dense<[-3, -3, -2, -1, -1]> : tensor<5xi8>
  %0 = stablehlo.power %a, %b : tensor<5xi8>
  check.expect_eq_const %0, dense<[1, -1, 1, 0, 0]> : tensor<5xi8>
  return
}

func.func @power_large_exponents() {
  %a = stablehlo.constant dense<[3, 255, 2]> : tensor<3xui8>
  %b = stablehlo.constant dense<[255, 255, 64]> : tensor<3xui8>
  %0 = stablehlo.power %a, %b : tensor<3xui8>
  check.expect_eq_const %0, dense<[171, 255, 0]> : tensor<3xui8>
  return
}

func.func @power_narrow() {
  %a = stablehlo.constant dense<[3, -2, 3]> : tensor<3xi4>
  %b = stablehlo.constant dense<[2, 3, -1]> : tensor<3xi4>
  %0 = stablehlo.power %a, %b : tensor<3xi4>
  check.expect_eq_const %0, dense<[-7, -8, 0]> : tensor<3xi4>
  return
}

func.func @power_complex() {
  %a = stablehlo.constant dense<[(0.0, 1.0), (0.0, 0.0), (2.0, 0.0)]> : tensor<3xcomplex<f64>>
  %b = stablehlo.constant dense<[(2.0, 0.0), (0.0, 0.0), (3.0, 0.0)]> : tensor<3xcomplex<f64>>
  %0 = stablehlo.power %a, %b : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %0, dense<[(-1.0, 0.0), (1.0, 0.0), (8.0, 0.0)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-12
  return
}

// 2 and 3, squared.
func.func @power_quantized() {
  %a = stablehlo.constant() <{value = dense<[4, 6]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %b = stablehlo.constant() <{value = dense<[4, 4]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.power %a, %b : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[8, 18]> : tensor<2xi8>
  return
}
