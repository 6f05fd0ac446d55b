// The specification's example: two inputs, descending by the first.
func.func @sort_example() {
  %a = stablehlo.constant dense<[[1, 2, 3], [3, 2, 1]]> : tensor<2x3xi64>
  %b = stablehlo.constant dense<[[3, 2, 1], [1, 2, 3]]> : tensor<2x3xi64>
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>, %z: tensor<i64>, %w: tensor<i64>):
    %1 = stablehlo.compare GT, %x, %y : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2x3xi64>, tensor<2x3xi64>) -> (tensor<2x3xi64>, tensor<2x3xi64>)
  check.expect_eq_const %0#0, dense<[[3, 2, 3], [1, 2, 1]]> : tensor<2x3xi64>
  check.expect_eq_const %0#1, dense<[[1, 2, 1], [3, 2, 3]]> : tensor<2x3xi64>
  return
}

// The last dimension by default; equal elements keep their order, ascending and descending.
func.func @sort_is_stable() {
  %a = stablehlo.constant dense<[2, 1, 2, 1, 2, 1]> : tensor<6xi32>
  %i = stablehlo.iota dim = 0 : tensor<6xi32>
  %0:2 = "stablehlo.sort"(%a, %i) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>, %w: tensor<i32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<6xi32>, tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi32>)
  check.expect_eq_const %0#1, dense<[1, 3, 5, 0, 2, 4]> : tensor<6xi32>
  %2:2 = "stablehlo.sort"(%a, %i) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>, %w: tensor<i32>):
    %3 = stablehlo.compare LT, %y, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<6xi32>, tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi32>)
  check.expect_eq_const %2#1, dense<[0, 2, 4, 1, 3, 5]> : tensor<6xi32>
  return
}

// TOTALORDER: -NaN, -inf, -0, +0, inf, NaN.
func.func @sort_total_order() {
  %a = stablehlo.constant dense<[0.0, 0x7FC00000, -0.0, 0xFFC00000, 0xFF800000, 1.0, 0x7F800000]> : tensor<7xf32>
  %i = stablehlo.iota dim = 0 : tensor<7xi32>
  %0:2 = "stablehlo.sort"(%a, %i) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<i32>, %w: tensor<i32>):
    %1 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<7xf32>, tensor<7xi32>) -> (tensor<7xf32>, tensor<7xi32>)
  check.expect_eq_const %0#1, dense<[3, 4, 2, 0, 5, 6, 1]> : tensor<7xi32>
  %2:2 = "stablehlo.sort"(%a, %i) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<i32>, %w: tensor<i32>):
    %3 = stablehlo.compare GT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<7xf32>, tensor<7xi32>) -> (tensor<7xf32>, tensor<7xi32>)
  check.expect_eq_const %2#1, dense<[1, 6, 5, 0, 2, 4, 3]> : tensor<7xi32>
  return
}

// As JAX emits it: zeros are equal, NaNs are equal and last.
func.func @sort_canonical_floats() {
  %a = stablehlo.constant dense<[0.0, 0x7FC00000, -0.0, 0xFFC00000, 0xFF800000, 1.0, 0x7F800000]> : tensor<7xf32>
  %i = stablehlo.iota dim = 0 : tensor<7xi32>
  %0:2 = "stablehlo.sort"(%a, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<i32>, %w: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %1 = stablehlo.compare EQ, %x, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %zero, %x : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare NE, %x, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %nan, %2 : tensor<i1>, tensor<f32>
    %5 = stablehlo.compare EQ, %y, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.select %5, %zero, %y : tensor<i1>, tensor<f32>
    %7 = stablehlo.compare NE, %y, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.select %7, %nan, %6 : tensor<i1>, tensor<f32>
    %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) : (tensor<7xf32>, tensor<7xi32>) -> (tensor<7xf32>, tensor<7xi32>)
  check.expect_eq_const %0#1, dense<[4, 0, 2, 5, 6, 1, 3]> : tensor<7xi32>
  return
}

// Two keys: ascending by the first, equal ones descending by the second.
func.func @sort_two_keys() {
  %a = stablehlo.constant dense<[1, 0, 1, 0]> : tensor<4xui8>
  %b = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xbf16>
  %i = stablehlo.iota dim = 0 : tensor<4xi32>
  %0:3 = "stablehlo.sort"(%a, %b, %i) <{dimension = -1 : i64}> ({
  ^bb0(%x: tensor<ui8>, %y: tensor<ui8>, %u: tensor<bf16>, %v: tensor<bf16>, %z: tensor<i32>, %w: tensor<i32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    %2 = stablehlo.compare EQ, %x, %y : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    %3 = stablehlo.compare GT, %u, %v : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %4 = stablehlo.and %2, %3 : tensor<i1>
    %5 = stablehlo.or %1, %4 : tensor<i1>
    stablehlo.return %5 : tensor<i1>
  }) : (tensor<4xui8>, tensor<4xbf16>, tensor<4xi32>) -> (tensor<4xui8>, tensor<4xbf16>, tensor<4xi32>)
  check.expect_eq_const %0#0, dense<[0, 0, 1, 1]> : tensor<4xui8>
  check.expect_eq_const %0#1, dense<[4.0, 2.0, 3.0, 1.0]> : tensor<4xbf16>
  check.expect_eq_const %0#2, dense<[3, 1, 2, 0]> : tensor<4xi32>
  return
}

// Booleans, and integers of 4 bits.
func.func @sort_narrow() {
  %a = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<i1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[false, false, true, true]> : tensor<4xi1>
  %b = stablehlo.constant dense<[3, -8, 7, -1]> : tensor<4xi4>
  %2 = "stablehlo.sort"(%b) ({
  ^bb0(%x: tensor<i4>, %y: tensor<i4>):
    %3 = stablehlo.compare LT, %x, %y : (tensor<i4>, tensor<i4>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<4xi4>) -> tensor<4xi4>
  check.expect_eq_const %2, dense<[-8, -1, 3, 7]> : tensor<4xi4>
  return
}

// An order without a name: by absolute value, in a middle dimension.
func.func @sort_by_any_elementwise_comparator() {
  %a = stablehlo.constant dense<[[[5], [-3], [2], [-2], [0], [3], [-5]]]> : tensor<1x7x1xi32>
  %0 = "stablehlo.sort"(%a) <{dimension = 1 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.abs %x : tensor<i32>
    %2 = stablehlo.abs %y : tensor<i32>
    %3 = stablehlo.compare LT, %1, %2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<1x7x1xi32>) -> tensor<1x7x1xi32>
  check.expect_eq_const %0, dense<[[[0], [2], [-2], [-3], [3], [5], [-5]]]> : tensor<1x7x1xi32>
  return
}

// A comparator that is not elementwise is called per pair.
func.func @sort_by_any_comparator() {
  %a = stablehlo.constant dense<[[3, 1, 2], [1, 1, 0]]> : tensor<2x3xi32>
  %0 = "stablehlo.sort"(%a) <{dimension = 1 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.reshape %x : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.reshape %y : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.compare LT, %1, %2 : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %4 = stablehlo.reshape %3 : (tensor<1xi1>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  }) : (tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %0, dense<[[1, 2, 3], [0, 1, 1]]> : tensor<2x3xi32>
  return
}

// Nothing to sort.
func.func @sort_empty() {
  %a = stablehlo.constant dense<> : tensor<2x0xf32>
  %0 = "stablehlo.sort"(%a) <{dimension = 1 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2x0xf32>) -> tensor<2x0xf32>
  %1 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.abs %x : tensor<f32>
    %3 = stablehlo.compare LT, %2, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<2x0xf32>) -> tensor<2x0xf32>
  check.expect_eq %0, %1 : tensor<2x0xf32>
  return
}

// In f16, 2051 and 2052 both stand for 2052: their order stays.
func.func @sort_quantized_equal_floats() {
  %0 = stablehlo.constant() <{value = dense<[2052, 2051, 2049, 2050]> : tensor<4xi16>}> : () -> tensor<4x!quant.uniform<i16:f16, 1.0>>
  %1 = "stablehlo.sort"(%0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<!quant.uniform<i16:f16, 1.0>>, %y: tensor<!quant.uniform<i16:f16, 1.0>>):
    %3 = stablehlo.compare LT, %x, %y : (tensor<!quant.uniform<i16:f16, 1.0>>, tensor<!quant.uniform<i16:f16, 1.0>>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<4x!quant.uniform<i16:f16, 1.0>>) -> tensor<4x!quant.uniform<i16:f16, 1.0>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4x!quant.uniform<i16:f16, 1.0>>) -> tensor<4xi16>
  check.expect_eq_const %2, dense<[2049, 2050, 2052, 2051]> : tensor<4xi16>
  return
}

// By a value computed from each element, here with constants: (x - 2)^2, the largest first.
func.func @sort_by_computed_value() {
  %x = stablehlo.constant dense<[3.0, -1.0, 2.0, 5.0, 1.0]> : tensor<5xf32>
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %two = stablehlo.constant dense<2.0> : tensor<f32>
    %c = stablehlo.subtract %a, %two : tensor<f32>
    %d = stablehlo.subtract %b, %two : tensor<f32>
    %c2 = stablehlo.multiply %c, %c : tensor<f32>
    %d2 = stablehlo.multiply %d, %d : tensor<f32>
    %p = stablehlo.compare LT, %d2, %c2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<5xf32>) -> tensor<5xf32>
  check.expect_eq_const %0, dense<[-1.0, 5.0, 3.0, 1.0, 2.0]> : tensor<5xf32>
  return
}

// One side is computed otherwise than the other: there is no such value, the comparator is called.
func.func @sort_by_different_values() {
  %x = stablehlo.constant dense<[3, 1, 2]> : tensor<3xi32>
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %one = stablehlo.constant dense<1> : tensor<i32>
    %c = stablehlo.add %a, %one : tensor<i32>
    %p = stablehlo.compare LE, %c, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %0, dense<[1, 2, 3]> : tensor<3xi32>
  return
}

// Two values together: a product of both inputs.
func.func @sort_by_product() {
  %x = stablehlo.constant dense<[3, 1, 2]> : tensor<3xi32>
  %y = stablehlo.constant dense<[1, 9, 2]> : tensor<3xi32>
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %e = stablehlo.multiply %a, %c : tensor<i32>
    %f = stablehlo.multiply %b, %d : tensor<i32>
    %p = stablehlo.compare GT, %e, %f : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<3xi32>, tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>)
  check.expect_eq_const %0#0, dense<[1, 2, 3]> : tensor<3xi32>
  check.expect_eq_const %0#1, dense<[9, 2, 1]> : tensor<3xi32>
  return
}
