// Ones before the first dimension, as in NumPy; sizes of 1 are repeated.
func.func @broadcast_add_like_numpy() {
  %a = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %b = stablehlo.constant dense<[[1], [2], [3]]> : tensor<3x1xi32>
  %0 = chlo.broadcast_add %a, %b : (tensor<2xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %0, dense<[[11, 21], [12, 22], [13, 23]]> : tensor<3x2xi32>
  return
}

func.func @broadcast_subtract_scalar() {
  %a = stablehlo.constant dense<10> : tensor<i32>
  %b = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = chlo.broadcast_subtract %a, %b : (tensor<i32>, tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[9, 8]> : tensor<2xi32>
  return
}

// The operand of smaller rank takes the named dimensions.
func.func @broadcast_subtract_in_first_dimension() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %b = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %0 = chlo.broadcast_subtract %a, %b {broadcast_dimensions = array<i64: 0>} : (tensor<3x2xi32>, tensor<3xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %0, dense<[[-9, -8], [-17, -16], [-25, -24]]> : tensor<3x2xi32>
  return
}

func.func @broadcast_multiply_in_outer_dimensions() {
  %a = stablehlo.constant dense<[[2], [3]]> : tensor<2x1xi32>
  %b = stablehlo.constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>
  %0 = chlo.broadcast_multiply %a, %b {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x1xi32>, tensor<2x1x2xi32>) -> tensor<2x1x2xi32>
  check.expect_eq_const %0, dense<[[[2, 4]], [[9, 12]]]> : tensor<2x1x2xi32>
  return
}

func.func @broadcast_of_no_elements() {
  %a = stablehlo.constant dense<1.0> : tensor<1xf32>
  %b = stablehlo.constant dense<> : tensor<0xf32>
  %0 = chlo.broadcast_add %a, %b : (tensor<1xf32>, tensor<0xf32>) -> tensor<0xf32>
  check.expect_eq_const %0, dense<> : tensor<0xf32>
  return
}

func.func @broadcast_floats() {
  %a = stablehlo.constant dense<[1.0, -8.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = chlo.broadcast_divide %a, %b : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[0.5, -4.0]> : tensor<2xf32>
  %1 = chlo.broadcast_maximum %a, %b : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %1, dense<[2.0, 2.0]> : tensor<2xf32>
  %2 = chlo.broadcast_minimum %a, %b : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[1.0, -8.0]> : tensor<2xf32>
  %3 = chlo.broadcast_power %a, %b : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %3, dense<[1.0, 64.0]> : tensor<2xf32>
  %4 = chlo.broadcast_remainder %a, %b : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %4, dense<[1.0, 0.0]> : tensor<2xf32>
  %5 = chlo.broadcast_atan2 %b, %a : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  check.expect_almost_eq_const %5, dense<[1.10714872, 2.8966140]> : tensor<2xf32>, tolerance = 1.0e-6
  %6 = chlo.broadcast_next_after %a, %b : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %6, dense<[1.00000012, -7.99999952]> : tensor<2xf32>
  %7 = chlo.broadcast_complex %a, %b : (tensor<2xf32>, tensor<f32>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %7, dense<[(1.0, 2.0), (-8.0, 2.0)]> : tensor<2xcomplex<f32>>
  return
}

func.func @broadcast_special_functions() {
  %one = stablehlo.constant dense<1.0> : tensor<f64>
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %0 = chlo.broadcast_polygamma %one, %x : (tensor<f64>, tensor<2xf64>) -> tensor<2xf64>
  check.expect_almost_eq_const %0, dense<[1.6449340668482264, 0.6449340668482264]> : tensor<2xf64>, tolerance = 1.0e-14
  %1 = chlo.broadcast_zeta %x, %one : (tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_almost_eq_const %1, dense<[0x7FF0000000000000, 1.6449340668482264]> : tensor<2xf64>, tolerance = 1.0e-14
  return
}

func.func @broadcast_bits() {
  %a = stablehlo.constant dense<[6, -4]> : tensor<2xi8>
  %b = stablehlo.constant dense<3> : tensor<i8>
  %0 = chlo.broadcast_and %a, %b : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  check.expect_eq_const %0, dense<[2, 0]> : tensor<2xi8>
  %1 = chlo.broadcast_or %a, %b : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  check.expect_eq_const %1, dense<[7, -1]> : tensor<2xi8>
  %2 = chlo.broadcast_xor %a, %b : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  check.expect_eq_const %2, dense<[5, -1]> : tensor<2xi8>
  %3 = chlo.broadcast_shift_left %a, %b : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  check.expect_eq_const %3, dense<[48, -32]> : tensor<2xi8>
  %4 = chlo.broadcast_shift_right_arithmetic %a, %b : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  check.expect_eq_const %4, dense<[0, -1]> : tensor<2xi8>
  %5 = chlo.broadcast_shift_right_logical %a, %b : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  check.expect_eq_const %5, dense<[0, 31]> : tensor<2xi8>
  return
}

func.func @broadcast_compare() {
  %a = stablehlo.constant dense<[1.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %b = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction GE>} : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[false, true, false]> : tensor<3xi1>
  %1 = chlo.broadcast_compare %a, %b {compare_type = #chlo<comparison_type TOTALORDER>, comparison_direction = #chlo<comparison_direction GE>} : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  check.expect_eq_const %1, dense<[false, true, true]> : tensor<3xi1>
  return
}

func.func @broadcast_select() {
  %pred = stablehlo.constant dense<[[true], [false]]> : tensor<2x1xi1>
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %b = stablehlo.constant dense<0> : tensor<i32>
  %0 = chlo.broadcast_select %pred, %a, %b : (tensor<2x1xi1>, tensor<3xi32>, tensor<i32>) -> tensor<2x3xi32>
  check.expect_eq_const %0, dense<[[1, 2, 3], [0, 0, 0]]> : tensor<2x3xi32>
  return
}

func.func @broadcast_select_by_scalar() {
  %pred = stablehlo.constant dense<false> : tensor<i1>
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[[3], [4]]> : tensor<2x1xi32>
  %0 = chlo.broadcast_select %pred, %a, %b : (tensor<i1>, tensor<2xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[3, 3], [4, 4]]> : tensor<2x2xi32>
  return
}

// Scales and zero points of operands and result are free.
func.func @broadcast_add_quantized() {
  %a = stablehlo.constant() <{value = dense<[4, 8]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %b = stablehlo.constant() <{value = dense<4> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 2.500000e-01>>
  %0 = chlo.broadcast_add %a, %b : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 1.000000e+00>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32, 1.000000e+00>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[3, 5]> : tensor<2xi8>
  return
}

// Sizes are known only at run time: the dimensions of size 1 are found then.
func.func @broadcast_add_dynamic() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %b = stablehlo.constant dense<[[10], [20]]> : tensor<2x1xi32>
  %x = stablehlo.convert %a : (tensor<3xi32>) -> tensor<?xi32>
  %y = stablehlo.convert %b : (tensor<2x1xi32>) -> tensor<?x?xi32>
  %0 = chlo.broadcast_add %x, %y : (tensor<?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  check.expect_eq_const %0, dense<[[11, 12, 13], [21, 22, 23]]> : tensor<2x3xi32>
  return
}
