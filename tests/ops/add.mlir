// The specification's example.
func.func @add_example() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %b = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %0 = stablehlo.add %a, %b : tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[6, 8], [10, 12]]> : tensor<2x2xi32>
  return
}

// Disjunction.
func.func @add_booleans() {
  %a = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %b = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %0 = stablehlo.add %a, %b : tensor<4xi1>
  check.expect_eq_const %0, dense<[false, true, true, true]> : tensor<4xi1>
  return
}

func.func @add_wraps() {
  %a = stablehlo.constant dense<[127, -128]> : tensor<2xi8>
  %b = stablehlo.constant dense<[1, -1]> : tensor<2xi8>
  %0 = stablehlo.add %a, %b : tensor<2xi8>
  check.expect_eq_const %0, dense<[-128, 127]> : tensor<2xi8>
  return
}

func.func @add_wraps_in_four_bits() {
  %a = stablehlo.constant dense<[15, 8]> : tensor<2xui4>
  %b = stablehlo.constant dense<[1, 9]> : tensor<2xui4>
  %0 = stablehlo.add %a, %b : tensor<2xui4>
  check.expect_eq_const %0, dense<[0, 1]> : tensor<2xui4>
  return
}

func.func @add_unsigned() {
  %a = stablehlo.constant dense<[18446744073709551615]> : tensor<1xui64>
  %b = stablehlo.constant dense<[2]> : tensor<1xui64>
  %0 = stablehlo.add %a, %b : tensor<1xui64>
  check.expect_eq_const %0, dense<[1]> : tensor<1xui64>
  return
}

// Ties to even.
func.func @add_rounds_once() {
  %a = stablehlo.constant dense<[1.0, 256.0]> : tensor<2xbf16>
  %b = stablehlo.constant dense<[0.00390625, 1.0]> : tensor<2xbf16>
  %0 = stablehlo.add %a, %b : tensor<2xbf16>
  check.expect_eq_const %0, dense<[1.0, 256.0]> : tensor<2xbf16>
  return
}

// 464 is nearer to 448 than to the next number, were there one.
func.func @add_overflows() {
  %a = stablehlo.constant dense<[240.0, 448.0]> : tensor<2xf8E4M3FN>
  %b = stablehlo.constant dense<[16.0, 16.0]> : tensor<2xf8E4M3FN>
  %0 = stablehlo.add %a, %b : tensor<2xf8E4M3FN>
  check.expect_eq_const %0, dense<[256.0, 448.0]> : tensor<2xf8E4M3FN>
  return
}

// The largest number in place of what is too large.
func.func @add_without_infinity() {
  %a = stablehlo.constant dense<[6.0, 0.5]> : tensor<2xf4E2M1FN>
  %b = stablehlo.constant dense<[6.0, 0.5]> : tensor<2xf4E2M1FN>
  %0 = stablehlo.add %a, %b : tensor<2xf4E2M1FN>
  check.expect_eq_const %0, dense<[6.0, 1.0]> : tensor<2xf4E2M1FN>
  return
}

func.func @add_complex() {
  %a = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f64>>
  %b = stablehlo.constant dense<[(3.0, -5.0)]> : tensor<1xcomplex<f64>>
  %0 = stablehlo.add %a, %b : tensor<1xcomplex<f64>>
  check.expect_eq_const %0, dense<[(4.0, -3.0)]> : tensor<1xcomplex<f64>>
  return
}

// 1 + 2; what is too large becomes the largest.
func.func @add_quantized() {
  %a = stablehlo.constant() <{value = dense<[2, 127]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %b = stablehlo.constant() <{value = dense<[4, 127]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.add %a, %b : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[6, 127]> : tensor<2xi8>
  return
}

// 1 + 2 = 3.
func.func @add_quantized_with_other_parameters() {
  %a = stablehlo.constant() <{value = dense<[2]> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>
  %b = stablehlo.constant() <{value = dense<[11]> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32, 2.500000e-01:3>>
  %0 = stablehlo.add %a, %b : (tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<1x!quant.uniform<i8:f32, 2.500000e-01:3>>) -> tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<1x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<1xi8>
  check.expect_eq_const %stored, dense<[6]> : tensor<1xi8>
  return
}

// 1 + 2 and 1 + 2.
func.func @add_quantized_per_axis() {
  %a = stablehlo.constant() <{value = dense<[2, 4]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
  %b = stablehlo.constant() <{value = dense<[4, 8]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
  %0 = stablehlo.add %a, %b : tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[6, 12]> : tensor<2xi8>
  return
}

// Sizes that are known only at run time.
func.func @add_dynamic() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.convert %a : (tensor<2xf32>) -> tensor<?xf32>
  %0 = stablehlo.add %a, %b : (tensor<2xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = stablehlo.add %0, %a : (tensor<?xf32>, tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %1, dense<[3.0, 6.0]> : tensor<2xf32>
  return
}
