// The specification's example.
func.func @clamp_example() {
  %a = stablehlo.constant dense<[5, 10, 15]> : tensor<3xi32>
  %x = stablehlo.constant dense<[3, 13, 23]> : tensor<3xi32>
  %b = stablehlo.constant dense<[10, 15, 20]> : tensor<3xi32>
  %0 = stablehlo.clamp %a, %x, %b : tensor<3xi32>
  check.expect_eq_const %0, dense<[5, 13, 20]> : tensor<3xi32>
  return
}

func.func @clamp_between_scalars() {
  %a = stablehlo.constant dense<-1.0> : tensor<f32>
  %x = stablehlo.constant dense<[-2.0, 0.5, 3.0]> : tensor<3xf32>
  %b = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.clamp %a, %x, %b : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %0, dense<[-1.0, 0.5, 1.0]> : tensor<3xf32>
  return
}

func.func @clamp_unsigned() {
  %a = stablehlo.constant dense<10> : tensor<ui8>
  %x = stablehlo.constant dense<[5, 200]> : tensor<2xui8>
  %b = stablehlo.constant dense<100> : tensor<ui8>
  %0 = stablehlo.clamp %a, %x, %b : (tensor<ui8>, tensor<2xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %0, dense<[10, 100]> : tensor<2xui8>
  return
}

// The larger end is applied last.
func.func @clamp_crossed_ends() {
  %a = stablehlo.constant dense<5> : tensor<i32>
  %x = stablehlo.constant dense<[0, 7, 10]> : tensor<3xi32>
  %b = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.clamp %a, %x, %b : (tensor<i32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %0, dense<[3, 3, 3]> : tensor<3xi32>
  return
}

// -0 is less than +0.
func.func @clamp_zeros() {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %x = stablehlo.constant dense<[-0.0, -1.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.clamp %a, %x, %b : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %bits = stablehlo.bitcast_convert %0 : (tensor<2xf32>) -> tensor<2xi32>
  check.expect_eq_const %bits, dense<[0, 0]> : tensor<2xi32>
  return
}

func.func @clamp_quantized() {
  %a = stablehlo.constant() <{value = dense<-2> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 5.000000e-01>>
  %x = stablehlo.constant() <{value = dense<[-4, 0, 9]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %b = stablehlo.constant() <{value = dense<4> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.clamp %a, %x, %b : (tensor<!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[-2, 0, 4]> : tensor<3xi8>
  return
}

func.func @clamp_booleans() {
  %a = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %x = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %b = stablehlo.constant dense<[true, true]> : tensor<2xi1>
  %0 = stablehlo.clamp %a, %x, %b : tensor<2xi1>
  check.expect_eq_const %0, dense<[true, true]> : tensor<2xi1>
  return
}

func.func @clamp_narrow() {
  %a = stablehlo.constant dense<0.0> : tensor<f8E5M2>
  %x = stablehlo.constant dense<[-1.0, 0.5, 57344.0]> : tensor<3xf8E5M2>
  %b = stablehlo.constant dense<6.0> : tensor<f8E5M2>
  %0 = stablehlo.clamp %a, %x, %b : (tensor<f8E5M2>, tensor<3xf8E5M2>, tensor<f8E5M2>) -> tensor<3xf8E5M2>
  check.expect_eq_const %0, dense<[0.0, 0.5, 6.0]> : tensor<3xf8E5M2>
  return
}

// NaN stays NaN.
func.func @clamp_nan() {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %x = stablehlo.constant dense<[0x7FC00000, 0.5]> : tensor<2xf32>
  %b = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.clamp %a, %x, %b : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = stablehlo.is_finite %0 : (tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %1, dense<[false, true]> : tensor<2xi1>
  return
}
