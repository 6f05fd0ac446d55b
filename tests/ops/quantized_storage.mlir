// Two bits: -2 to 1. (1 - (-1)) * 0.5 = 1, (-2 - (-1)) * 0.5 = -0.5.
func.func @quantized_i2() {
  %0 = stablehlo.constant() <{value = dense<[1, -2]> : tensor<2xi2>}> : () -> tensor<2x!quant.uniform<i2:f32, 0.5:-1>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x!quant.uniform<i2:f32, 0.5:-1>>) -> tensor<2xf32>
  check.expect_eq_const %1, dense<[1.0, -0.5]> : tensor<2xf32>
  // 3 / 0.5 - 1 = 5, at most 1; -3 / 0.5 - 1 = -7, at least -2.
  %x = stablehlo.constant dense<[3.0, -3.0]> : tensor<2xf32>
  %2 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i2:f32, 0.5:-1>>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2x!quant.uniform<i2:f32, 0.5:-1>>) -> tensor<2xi2>
  check.expect_eq_const %3, dense<[1, -2]> : tensor<2xi2>
  return
}

// The unsigned use of i4: 0 to 15. The literal -1 of i4 stores 15: (15 - 8) * 0.25 = 1.75.
func.func @quantized_u4() {
  %0 = stablehlo.constant() <{value = dense<[-1, 8, 0]> : tensor<3xi4>}> : () -> tensor<3x!quant.uniform<u4:f32, 0.25:8>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<3x!quant.uniform<u4:f32, 0.25:8>>) -> tensor<3xf32>
  check.expect_eq_const %1, dense<[1.75, 0.0, -2.0]> : tensor<3xf32>
  return
}

// A type of its own that means the same.
func.func @quantized_ui4() {
  %0 = stablehlo.constant() <{value = dense<[15, 8, 0]> : tensor<3xui4>}> : () -> tensor<3x!quant.uniform<ui4:f32, 0.25:8>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<3x!quant.uniform<ui4:f32, 0.25:8>>) -> tensor<3xf32>
  check.expect_eq_const %1, dense<[1.75, 0.0, -2.0]> : tensor<3xf32>
  return
}

// 100 / 0.5 + 100 = 300, at most 255; -100 / 0.5 + 100 = -100, at least 0.
func.func @quantized_u8() {
  %0 = stablehlo.constant dense<[0.0, 100.0, -100.0, 77.5]> : tensor<4xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<4xf32>) -> tensor<4x!quant.uniform<u8:f32, 0.5:100>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4x!quant.uniform<u8:f32, 0.5:100>>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[100, 255, 0, 255]> : tensor<4xui8>
  return
}

// 30000 / 0.5 + 7 = 60007; 40000 / 0.5 + 7 = 80007, at most 65535.
func.func @quantized_ui16() {
  %0 = stablehlo.constant dense<[30000.0, 40000.0, -4.0]> : tensor<3xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<3xf32>) -> tensor<3x!quant.uniform<ui16:f32, 0.5:7>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<3x!quant.uniform<ui16:f32, 0.5:7>>) -> tensor<3xui16>
  check.expect_eq_const %2, dense<[60007, 65535, 0]> : tensor<3xui16>
  return
}

// The largest number of 32 bits is 2^31 when it is rounded to f32, and the largest again when stored.
func.func @quantized_i32_limits() {
  %0 = stablehlo.constant dense<[1.0e10, -1.0e10, 0x7F800000]> : tensor<3xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<3xf32>) -> tensor<3x!quant.uniform<i32:f32, 1.0>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<3x!quant.uniform<i32:f32, 1.0>>) -> tensor<3xi32>
  check.expect_eq_const %2, dense<[2147483647, -2147483648, 2147483647]> : tensor<3xi32>
  return
}

// In f64 all 32 bits count: 2147483646 * 0.5 = 1073741823.
func.func @quantized_u32_in_f64() {
  %0 = stablehlo.constant dense<[1073741823.0, 2147483648.0]> : tensor<2xf64>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2xf64>) -> tensor<2x!quant.uniform<u32:f64, 0.5>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<2x!quant.uniform<u32:f64, 0.5>>) -> tensor<2xui32>
  check.expect_eq_const %2, dense<[2147483646, 4294967295]> : tensor<2xui32>
  %3 = stablehlo.uniform_dequantize %1 : (tensor<2x!quant.uniform<u32:f64, 0.5>>) -> tensor<2xf64>
  check.expect_eq_const %3, dense<[1073741823.0, 2147483647.5]> : tensor<2xf64>
  return
}

// A storage range that is narrower than the type: 20 / 0.5 = 40, at most 10.
func.func @quantized_storage_range() {
  %0 = stablehlo.constant dense<[20.0, -20.0, 2.0]> : tensor<3xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8<-10:10>:f32, 0.5>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<3x!quant.uniform<i8<-10:10>:f32, 0.5>>) -> tensor<3xi8>
  check.expect_eq_const %2, dense<[10, -10, 4]> : tensor<3xi8>
  return
}

// Ties go to the even value behind the zero point: 2.5 + 1 = 3.5 to 4, 1.5 + 1 = 2.5 to 2.
func.func @quantized_ties() {
  %0 = stablehlo.constant dense<[2.5, 1.5, -0.5, -1.5]> : tensor<4xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 1.0:1>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4x!quant.uniform<i8:f32, 1.0:1>>) -> tensor<4xi8>
  check.expect_eq_const %2, dense<[4, 2, 0, 0]> : tensor<4xi8>
  return
}

// bf16 has eight significant bits: the difference 300 - 1 = 299 rounds to 300, twice that is 600.
func.func @quantized_bf16() {
  %0 = stablehlo.constant() <{value = dense<[300, 4]> : tensor<2xi16>}> : () -> tensor<2x!quant.uniform<i16:bf16, 2.0:1>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x!quant.uniform<i16:bf16, 2.0:1>>) -> tensor<2xbf16>
  check.expect_eq_const %1, dense<[6.0e+02, 6.0]> : tensor<2xbf16>
  // 301 is 300 in bf16; 300 / 2 + 1 = 151.
  %2 = stablehlo.uniform_quantize %1 : (tensor<2xbf16>) -> tensor<2x!quant.uniform<i16:bf16, 2.0:1>>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2x!quant.uniform<i16:bf16, 2.0:1>>) -> tensor<2xi16>
  check.expect_eq_const %3, dense<[300, 4]> : tensor<2xi16>
  return
}

// f16 overflows beyond 65504: 30000 * 4 is infinite, and stored as the largest value again.
func.func @quantized_f16_overflow() {
  %0 = stablehlo.constant() <{value = dense<[30000, -30000, 3]> : tensor<3xi16>}> : () -> tensor<3x!quant.uniform<i16:f16, 4.0>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<3x!quant.uniform<i16:f16, 4.0>>) -> tensor<3xf16>
  check.expect_eq_const %1, dense<[0x7C00, 0xFC00, 12.0]> : tensor<3xf16>
  %2 = stablehlo.uniform_quantize %1 : (tensor<3xf16>) -> tensor<3x!quant.uniform<i16:f16, 4.0>>
  %3 = stablehlo.bitcast_convert %2 : (tensor<3x!quant.uniform<i16:f16, 4.0>>) -> tensor<3xi16>
  check.expect_eq_const %3, dense<[32767, -32768, 3]> : tensor<3xi16>
  return
}

// NaN, which the specification leaves open, is stored as zero.
func.func @quantized_nan() {
  %0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 1.0:5>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<!quant.uniform<i8:f32, 1.0:5>>) -> tensor<i8>
  check.expect_eq_const %2, dense<0> : tensor<i8>
  return
}
