// The specification's example.
func.func @subtract_example() {
  %a = stablehlo.constant dense<[[6.0, 8.0], [10.0, 12.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %0 = stablehlo.subtract %a, %b : tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  return
}

func.func @subtract_wraps() {
  %a = stablehlo.constant dense<[0, 5]> : tensor<2xui8>
  %b = stablehlo.constant dense<[1, 3]> : tensor<2xui8>
  %0 = stablehlo.subtract %a, %b : tensor<2xui8>
  check.expect_eq_const %0, dense<[255, 2]> : tensor<2xui8>
  return
}

func.func @subtract_wraps_in_two_bits() {
  %a = stablehlo.constant dense<[-2, 1]> : tensor<2xi2>
  %b = stablehlo.constant dense<[1, -1]> : tensor<2xi2>
  %0 = stablehlo.subtract %a, %b : tensor<2xi2>
  check.expect_eq_const %0, dense<[1, -2]> : tensor<2xi2>
  return
}

func.func @subtract_complex() {
  %a = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>
  %b = stablehlo.constant dense<[(3.0, -5.0)]> : tensor<1xcomplex<f32>>
  %0 = stablehlo.subtract %a, %b : tensor<1xcomplex<f32>>
  check.expect_eq_const %0, dense<[(-2.0, 7.0)]> : tensor<1xcomplex<f32>>
  return
}

func.func @subtract_quantized() {
  %a = stablehlo.constant() <{value = dense<[6, -128]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %b = stablehlo.constant() <{value = dense<[4, 127]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.subtract %a, %b : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[2, -128]> : tensor<2xi8>
  return
}

// NaN.
func.func @subtract_infinities() {
  %a = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %0 = stablehlo.subtract %a, %a : tensor<f32>
  %1 = stablehlo.is_finite %0 : (tensor<f32>) -> tensor<i1>
  check.expect_eq_const %1, dense<false> : tensor<i1>
  return
}
