// The specification's example.
func.func @uniform_quantize_example() {
  %a = stablehlo.constant dense<[4.0, 15.0]> : tensor<2xf32>
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:0, {1.000000e-01:-30,5.000000e-01:-20}>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32:0, {1.000000e-01:-30,5.000000e-01:-20}>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[10, 10]> : tensor<2xi8>
  return
}

// The specification's example.
func.func @uniform_quantize_requantize_example() {
  %a = stablehlo.constant() <{value = dense<[10, 10]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32:0, {1.000000e-01:-30,5.000000e-01:-20}>>
  %0 = stablehlo.uniform_quantize %a : (tensor<2x!quant.uniform<i8:f32:0, {1.000000e-01:-30,5.000000e-01:-20}>>) -> tensor<2x!quant.uniform<i8:f32:0, {1.000000e-01:-20,2.000000e-01:-30}>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32:0, {1.000000e-01:-20,2.000000e-01:-30}>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[20, 45]> : tensor<2xi8>
  return
}

// To the even value.
func.func @uniform_quantize_ties() {
  %a = stablehlo.constant dense<[0.25, 0.75, -0.25, 1.25]> : tensor<4xf32>
  %0 = stablehlo.uniform_quantize %a : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<4xi8>
  check.expect_eq_const %stored, dense<[0, 2, 0, 2]> : tensor<4xi8>
  return
}

func.func @uniform_quantize_limits() {
  %a = stablehlo.constant dense<[1000.0, -1000.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<5xf32>
  %0 = stablehlo.uniform_quantize %a : (tensor<5xf32>) -> tensor<5x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<5x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[127, -128, 127, -128, 0]> : tensor<5xi8>
  return
}

func.func @uniform_quantize_storage_range() {
  %a = stablehlo.constant dense<[100.0, -100.0, 2.0]> : tensor<3xf32>
  %0 = stablehlo.uniform_quantize %a : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8<-10:20>:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<3x!quant.uniform<i8<-10:20>:f32, 5.000000e-01>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[20, -10, 4]> : tensor<3xi8>
  return
}

func.func @uniform_quantize_zero_point() {
  %a = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 2.500000e-01:3>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32, 2.500000e-01:3>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[3, 7]> : tensor<2xi8>
  return
}

func.func @uniform_quantize_unsigned() {
  %a = stablehlo.constant dense<[-1000.0, 0.0, 1000.0]> : tensor<3xf32>
  %0 = stablehlo.uniform_quantize %a : (tensor<3xf32>) -> tensor<3x!quant.uniform<u8:f32, 5.000000e-01:128>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<3x!quant.uniform<u8:f32, 5.000000e-01:128>>) -> tensor<3xui8>
  check.expect_eq_const %stored, dense<[0, 128, 255]> : tensor<3xui8>
  return
}

// The largest value is not a number of f32.
func.func @uniform_quantize_wide() {
  %a = stablehlo.constant dense<[3.0e+09, -1.0]> : tensor<2xf32>
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i32:f32, 1.000000e+00>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i32:f32, 1.000000e+00>>) -> tensor<2xi32>
  check.expect_eq_const %stored, dense<[2147483647, -1]> : tensor<2xi32>
  return
}

func.func @uniform_quantize_half() {
  %a = stablehlo.constant dense<[1.0, 100.0]> : tensor<2xf16>
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf16>) -> tensor<2x!quant.uniform<i4:f16, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i4:f16, 5.000000e-01>>) -> tensor<2xi4>
  check.expect_eq_const %stored, dense<[2, 7]> : tensor<2xi4>
  return
}
