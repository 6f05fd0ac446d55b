// The specification's example: -1, -0, 0, 1.
func.func @sign_example() {
  %a = stablehlo.constant dense<[-1.0, -0.0, 0.0, 1.0]> : tensor<4xf64>
  %0 = stablehlo.sign %a : tensor<4xf64>
  %bits = stablehlo.bitcast_convert %0 : (tensor<4xf64>) -> tensor<4xi64>
  check.expect_eq_const %bits, dense<[-4616189618054758400, -9223372036854775808, 0, 4607182418800017408]> : tensor<4xi64>
  return
}

// NaN stays NaN.
func.func @sign_nan() {
  %a = stablehlo.constant dense<0x7FFFFFFFFFFFFFFF> : tensor<f64>
  %0 = stablehlo.sign %a : tensor<f64>
  %1 = stablehlo.compare NE, %0, %0, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %1, dense<true> : tensor<i1>
  return
}

func.func @sign_integers() {
  %a = stablehlo.constant dense<[-7, 0, 32767]> : tensor<3xi16>
  %0 = stablehlo.sign %a : tensor<3xi16>
  check.expect_eq_const %0, dense<[-1, 0, 1]> : tensor<3xi16>
  return
}

func.func @sign_infinity() {
  %a = stablehlo.constant dense<[0xFF80, 0x7F80]> : tensor<2xbf16>
  %0 = stablehlo.sign %a : tensor<2xbf16>
  check.expect_eq_const %0, dense<[-1.0, 1.0]> : tensor<2xbf16>
  return
}

// The number divided by its modulus.
func.func @sign_complex() {
  %a = stablehlo.constant dense<[(3.0, -4.0), (0.0, 0.0), (-2.0, 0.0)]> : tensor<3xcomplex<f64>>
  %0 = stablehlo.sign %a : tensor<3xcomplex<f64>>
  check.expect_eq_const %0, dense<[(0.6, -0.8), (0.0, 0.0), (-1.0, 0.0)]> : tensor<3xcomplex<f64>>
  return
}

func.func @sign_quantized() {
  %a = stablehlo.constant() <{value = dense<[-9, 0, 1]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.sign %a : tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[-2, 0, 2]> : tensor<3xi8>
  return
}
