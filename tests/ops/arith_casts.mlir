// -1 in more bits: with its sign -1, without 255; in fewer bits 300 is 44.
func.func @cast_integers() {
  %a = arith.constant -1 : i8
  %b = arith.constant 300 : i32
  %0 = arith.extsi %a : i8 to i32
  %1 = arith.extui %a : i8 to i32
  %2 = arith.trunci %b overflow<nuw> : i32 to i8
  %3 = tensor.from_elements %0, %1 : tensor<2xi32>
  %4 = tensor.from_elements %2 : tensor<i8>
  check.expect_eq_const %3, dense<[-1, 255]> : tensor<2xi32>
  check.expect_eq_const %4, dense<44> : tensor<i8>
  return
}

// true is -1 with a sign, 1 without; the lowest bit of 2 is false.
func.func @cast_booleans() {
  %a = arith.constant dense<[true, false]> : tensor<2xi1>
  %b = arith.constant dense<[2, 3]> : tensor<2xi8>
  %0 = arith.extsi %a : tensor<2xi1> to tensor<2xi8>
  %1 = arith.extui %a : tensor<2xi1> to tensor<2xi8>
  %2 = arith.trunci %b : tensor<2xi8> to tensor<2xi1>
  %3 = arith.sitofp %a : tensor<2xi1> to tensor<2xf32>
  check.expect_eq_const %0, dense<[-1, 0]> : tensor<2xi8>
  check.expect_eq_const %1, dense<[1, 0]> : tensor<2xi8>
  check.expect_eq_const %2, dense<[false, true]> : tensor<2xi1>
  check.expect_eq_const %3, dense<[-1.000000e+00, 0.000000e+00]> : tensor<2xf32>
  return
}

// An index is signed or not as the operation says.
func.func @cast_indices() {
  %a = arith.constant -1 : i32
  %0 = arith.index_cast %a : i32 to index
  %1 = arith.index_castui %a : i32 to index
  %2 = arith.index_cast %0 : index to i64
  %3 = arith.index_castui %1 : index to i64
  %4 = tensor.from_elements %2, %3 : tensor<2xi64>
  check.expect_eq_const %4, dense<[-1, 4294967295]> : tensor<2xi64>
  return
}

// Integers are rounded to the nearest float, floats truncated.
func.func @cast_between_integers_and_floats() {
  %a = arith.constant 16777217 : i32
  %b = arith.constant -1 : i8
  %c = arith.constant -2.700000e+00 : f32
  %d = arith.constant 2.007000e+02 : f32
  %0 = arith.sitofp %a : i32 to f32
  %1 = arith.uitofp %b nneg : i8 to f32
  %2 = arith.fptosi %c : f32 to i8
  %3 = arith.fptoui %d : f32 to i8
  %4 = tensor.from_elements %0, %1 : tensor<2xf32>
  %5 = tensor.from_elements %2, %3 : tensor<2xi8>
  check.expect_eq_const %4, dense<[16777216.0, 255.0]> : tensor<2xf32>
  check.expect_eq_const %5, dense<[-2, -56]> : tensor<2xi8>
  return
}

// What does not fit becomes the nearest integer, NaN zero.
func.func @cast_floats_out_of_range() {
  %a = arith.constant dense<[1.0e10, -1.0e10, 0x7FC00000]> : tensor<3xf32>
  %0 = arith.fptosi %a : tensor<3xf32> to tensor<3xi8>
  check.expect_eq_const %0, dense<[127, -128, 0]> : tensor<3xi8>
  return
}

// More bits are exact, fewer ones rounded to the nearest, ties to even: 2049 is 2048 in 16 bits.
func.func @cast_floats() {
  %a = arith.constant 2.049000e+03 : f32
  %b = arith.constant 1.500000e+00 : bf16
  %0 = arith.truncf %a : f32 to f16
  %1 = arith.extf %b fastmath<contract> : bf16 to f32
  %2 = arith.convertf %b : bf16 to f16
  %3 = arith.truncf %a to_nearest_even : f32 to f16
  %4 = tensor.from_elements %0, %2, %3 : tensor<3xf16>
  %5 = tensor.from_elements %1 : tensor<f32>
  check.expect_eq_const %4, dense<[2.048000e+03, 1.500000e+00, 2.048000e+03]> : tensor<3xf16>
  check.expect_eq_const %5, dense<1.500000e+00> : tensor<f32>
  return
}

// The bits of 1.0, and of 1.0 in four bits: sign 0, exponent 01, fraction 0.
func.func @cast_bits() {
  %a = arith.constant 1.000000e+00 : f32
  %b = arith.constant dense<[1.0, -1.0]> : tensor<2xf4E2M1FN>
  %0 = arith.bitcast %a : f32 to i32
  %1 = arith.bitcast %b : tensor<2xf4E2M1FN> to tensor<2xi4>
  %2 = tensor.from_elements %0 : tensor<i32>
  check.expect_eq_const %2, dense<1065353216> : tensor<i32>
  check.expect_eq_const %1, dense<[2, -6]> : tensor<2xi4>
  return
}
