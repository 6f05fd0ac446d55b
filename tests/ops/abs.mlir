// The specification's example.
func.func @abs_example() {
  %a = stablehlo.constant dense<[-2, 0, 2]> : tensor<3xi32>
  %0 = stablehlo.abs %a : tensor<3xi32>
  check.expect_eq_const %0, dense<[2, 0, 2]> : tensor<3xi32>
  return
}

// The smallest integer has no counterpart.
func.func @abs_wraps() {
  %a = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
  %0 = stablehlo.abs %a : tensor<2xi8>
  check.expect_eq_const %0, dense<[-128, 127]> : tensor<2xi8>
  return
}

func.func @abs_wraps_in_four_bits() {
  %a = stablehlo.constant dense<[-8, -7, 7]> : tensor<3xi4>
  %0 = stablehlo.abs %a : tensor<3xi4>
  check.expect_eq_const %0, dense<[-8, 7, 7]> : tensor<3xi4>
  return
}

// Of zero and infinity too: 0, 0, 1.5, inf.
func.func @abs_clears_the_sign() {
  %a = stablehlo.constant dense<[-0.0, 0.0, -1.5, 0xFF800000]> : tensor<4xf32>
  %0 = stablehlo.abs %a : tensor<4xf32>
  %bits = stablehlo.bitcast_convert %0 : (tensor<4xf32>) -> tensor<4xi32>
  check.expect_eq_const %bits, dense<[0, 0, 1069547520, 2139095040]> : tensor<4xi32>
  return
}

// The modulus.
func.func @abs_complex() {
  %a = stablehlo.constant dense<[(3.0, -4.0), (-0.0, 2.0)]> : tensor<2xcomplex<f32>>
  %0 = stablehlo.abs %a : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[5.0, 2.0]> : tensor<2xf32>
  return
}

// The squares are beyond f32.
func.func @abs_complex_without_overflow() {
  %a = stablehlo.constant dense<[(3.0e+30, 4.0e+30)]> : tensor<1xcomplex<f32>>
  %0 = stablehlo.abs %a : (tensor<1xcomplex<f32>>) -> tensor<1xf32>
  check.expect_eq_const %0, dense<[5.0e+30]> : tensor<1xf32>
  return
}

// -2, 2 and -64; of 64 the stored value would be 128.
func.func @abs_quantized() {
  %a = stablehlo.constant() <{value = dense<[-4, 4, -128]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.abs %a : tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[4, 4, 127]> : tensor<3xi8>
  return
}

// Sizes that are known only at run time.
func.func @abs_dynamic() {
  %a = stablehlo.constant dense<[-1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.abs %a : (tensor<2xf32>) -> tensor<?xf32>
  %1 = stablehlo.abs %0 : (tensor<?xf32>) -> tensor<2xf32>
  check.expect_eq_const %1, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}

func.func @abs_nothing() {
  %a = stablehlo.constant dense<> : tensor<0x3xi4>
  %0 = stablehlo.abs %a : tensor<0x3xi4>
  check.expect_eq_const %0, dense<> : tensor<0x3xi4>
  return
}
