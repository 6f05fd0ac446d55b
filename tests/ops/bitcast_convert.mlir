// The specification's example: 0xCDEF, 0x89AB, 0x4567, 0x0123.
func.func @bitcast_convert_example() {
  %a = stablehlo.constant dense<0x0123456789ABCDEF> : tensor<f64>
  %0 = stablehlo.bitcast_convert %a : (tensor<f64>) -> tensor<4xi16>
  check.expect_eq_const %0, dense<[-12817, -30293, 17767, 291]> : tensor<4xi16>
  return
}

func.func @bitcast_convert_of_equal_size() {
  %a = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[1065353216, -1073741824]> : tensor<2xi32>
  return
}

func.func @bitcast_convert_to_larger() {
  %a = stablehlo.constant dense<[[1, 0], [2, 1]]> : tensor<2x2xui8>
  %0 = stablehlo.bitcast_convert %a : (tensor<2x2xui8>) -> tensor<2xui16>
  check.expect_eq_const %0, dense<[1, 258]> : tensor<2xui16>
  return
}

func.func @bitcast_convert_to_smaller() {
  %a = stablehlo.constant dense<[1, 258]> : tensor<2xui16>
  %0 = stablehlo.bitcast_convert %a : (tensor<2xui16>) -> tensor<2x2xui8>
  check.expect_eq_const %0, dense<[[1, 0], [2, 1]]> : tensor<2x2xui8>
  return
}

// The first element in the low bits.
func.func @bitcast_convert_packs_narrow() {
  %a = stablehlo.constant dense<[[1, 2], [-1, 0]]> : tensor<2x2xi4>
  %0 = stablehlo.bitcast_convert %a : (tensor<2x2xi4>) -> tensor<2xui8>
  check.expect_eq_const %0, dense<[33, 15]> : tensor<2xui8>
  return
}

func.func @bitcast_convert_unpacks_narrow() {
  %a = stablehlo.constant dense<[33, 15]> : tensor<2xui8>
  %0 = stablehlo.bitcast_convert %a : (tensor<2xui8>) -> tensor<2x2xui4>
  check.expect_eq_const %0, dense<[[1, 2], [15, 0]]> : tensor<2x2xui4>
  return
}

func.func @bitcast_convert_between_narrow() {
  %a = stablehlo.constant dense<[6, -1]> : tensor<2xi4>
  %0 = stablehlo.bitcast_convert %a : (tensor<2xi4>) -> tensor<2x2xi2>
  check.expect_eq_const %0, dense<[[-2, 1], [-1, -1]]> : tensor<2x2xi2>
  return
}

func.func @bitcast_convert_booleans() {
  %a = stablehlo.constant dense<[[true, false, true, true, false, false, false, false]]> : tensor<1x8xi1>
  %0 = stablehlo.bitcast_convert %a : (tensor<1x8xi1>) -> tensor<1xui8>
  check.expect_eq_const %0, dense<[13]> : tensor<1xui8>
  return
}

func.func @bitcast_convert_narrow_floats() {
  %a = stablehlo.constant dense<[1.0, -6.0]> : tensor<2xf4E2M1FN>
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf4E2M1FN>) -> tensor<2xui4>
  check.expect_eq_const %0, dense<[2, 15]> : tensor<2xui4>
  return
}

func.func @bitcast_convert_narrow_float_pairs() {
  %a = stablehlo.constant dense<[[1.0, -6.0]]> : tensor<1x2xf4E2M1FN>
  %0 = stablehlo.bitcast_convert %a : (tensor<1x2xf4E2M1FN>) -> tensor<1xui8>
  check.expect_eq_const %0, dense<[242]> : tensor<1xui8>
  return
}

func.func @bitcast_convert_complex() {
  %a = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>
  %0 = stablehlo.bitcast_convert %a : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %0, dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>
  return
}

func.func @bitcast_convert_scalar() {
  %a = stablehlo.constant dense<1.0> : tensor<bf16>
  %0 = stablehlo.bitcast_convert %a : (tensor<bf16>) -> tensor<2xui8>
  check.expect_eq_const %0, dense<[128, 63]> : tensor<2xui8>
  return
}

// The stored values.
func.func @bitcast_convert_quantized() {
  %a = stablehlo.constant dense<[2, -3]> : tensor<2xi8>
  %0 = stablehlo.bitcast_convert %a : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xf32>
  check.expect_eq_const %1, dense<[1.0, -1.5]> : tensor<2xf32>
  return
}
