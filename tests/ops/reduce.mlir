// The specification's example.
func.func @reduce_example() {
  %input = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5]]> : tensor<1x6xi64>
  %init = stablehlo.constant dense<0> : tensor<i64>
  %0 = stablehlo.reduce(%input init: %init) applies stablehlo.add across dimensions = [1] : (tensor<1x6xi64>, tensor<i64>) -> tensor<1xi64>
  check.expect_eq_const %0, dense<15> : tensor<1xi64>
  return
}

// Every monoid that is known by name, with an initial value that counts.
func.func @reduce_monoids() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %init = stablehlo.constant dense<10> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[16, 25]> : tensor<2xi32>
  %1 = stablehlo.reduce(%x init: %init) applies stablehlo.multiply across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %1, dense<[40, 100, 180]> : tensor<3xi32>
  %2 = stablehlo.reduce(%x init: %init) applies stablehlo.minimum across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %2, dense<[1, 2, 3]> : tensor<3xi32>
  %3 = stablehlo.reduce(%x init: %init) applies stablehlo.maximum across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %3, dense<10> : tensor<3xi32>
  %4 = stablehlo.reduce(%x init: %init) applies stablehlo.xor across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %4, dense<[10, 13]> : tensor<2xi32>
  %5 = stablehlo.reduce(%x init: %init) applies stablehlo.or across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %5, dense<[11, 15]> : tensor<2xi32>
  %6 = stablehlo.reduce(%x init: %init) applies stablehlo.and across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %6, dense<0> : tensor<2xi32>
  return
}

// Integers wrap, also those of fewer bits than a byte.
func.func @reduce_wraps() {
  %x = stablehlo.constant dense<[100, 100]> : tensor<2xi8>
  %x0 = stablehlo.constant dense<0> : tensor<i8>
  %0 = stablehlo.reduce(%x init: %x0) applies stablehlo.add across dimensions = [0] : (tensor<2xi8>, tensor<i8>) -> tensor<i8>
  check.expect_eq_const %0, dense<-56> : tensor<i8>
  %y = stablehlo.constant dense<[7, 7, 7]> : tensor<3xi4>
  %y0 = stablehlo.constant dense<0> : tensor<i4>
  %1 = stablehlo.reduce(%y init: %y0) applies stablehlo.add across dimensions = [0] : (tensor<3xi4>, tensor<i4>) -> tensor<i4>
  check.expect_eq_const %1, dense<5> : tensor<i4>
  return
}

// Booleans: and, or.
func.func @reduce_booleans() {
  %x = stablehlo.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.reduce(%x init: %true) applies stablehlo.and across dimensions = [1] : (tensor<2x2xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[false, true]> : tensor<2xi1>
  %1 = stablehlo.reduce(%x init: %false) applies stablehlo.or across dimensions = [0, 1] : (tensor<2x2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %1, dense<true> : tensor<i1>
  return
}

// Several dimensions, not next to each other and not in order.
func.func @reduce_dimensions() {
  %x = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf32>
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [2, 0] : (tensor<2x2x2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[14.0, 22.0]> : tensor<2xf32>
  %1 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x2x2xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %1, dense<36.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %2 = stablehlo.reduce(%x init: %one) applies stablehlo.add across dimensions = [] : (tensor<2x2x2xf32>, tensor<f32>) -> tensor<2x2x2xf32>
  check.expect_eq_const %2, dense<[[[2.0, 3.0], [4.0, 5.0]], [[6.0, 7.0], [8.0, 9.0]]]> : tensor<2x2x2xf32>
  return
}

// An empty window is the initial value; no windows are no results.
func.func @reduce_empty() {
  %x = stablehlo.constant dense<> : tensor<0x2xf32>
  %init = stablehlo.constant dense<7.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.maximum across dimensions = [0] : (tensor<0x2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<7.0> : tensor<2xf32>
  %1 = stablehlo.reduce(%x init: %init) across dimensions = [0] : (tensor<0x2xf32>, tensor<f32>) -> tensor<2xf32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %s = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  check.expect_eq_const %1, dense<7.0> : tensor<2xf32>
  %2 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [1] : (tensor<0x2xf32>, tensor<f32>) -> tensor<0xf32>
  check.expect_eq_const %2, dense<> : tensor<0xf32>
  return
}

// Any NaN wins; +0 is larger than -0 (IEEE-754 maximum and minimum), whatever their order.
func.func @reduce_extremes() {
  %x = stablehlo.constant dense<[[1.0, 0x7FC00000, 2.0], [-0.0, 0.0, -0.0], [0.0, -0.0, 0.0]]> : tensor<3x3xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %high = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<3xf32>) -> tensor<3xi32>
  check.expect_eq_const %1, dense<[2143289344, 0, 0]> : tensor<3xi32>
  %2 = stablehlo.reduce(%x init: %high) applies stablehlo.minimum across dimensions = [1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
  %3 = stablehlo.bitcast_convert %2 : (tensor<3xf32>) -> tensor<3xi32>
  check.expect_eq_const %3, dense<[2143289344, -2147483648, -2147483648]> : tensor<3xi32>
  return
}

// Values with their indices, as JAX emits argmax: NaN is the largest, the first of equals is taken.
func.func @reduce_argmax() {
  %x = stablehlo.constant dense<[[1.0, 3.0, 3.0, 2.0, 0.0], [1.0, 0x7FC00000, 5.0, 0x7FC00000, 0.0]]> : tensor<2x5xf32>
  %i = stablehlo.iota dim = 1 : tensor<2x5xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [1] : (tensor<2x5xf32>, tensor<2x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {
    %1 = stablehlo.compare GT, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.or %1, %2 : tensor<i1>
    %4 = stablehlo.compare EQ, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %5 = stablehlo.compare LT, %b, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.and %4, %5 : tensor<i1>
    %7 = stablehlo.or %3, %6 : tensor<i1>
    %8 = stablehlo.select %3, %a, %c : tensor<i1>, tensor<f32>
    %9 = stablehlo.select %7, %b, %d : tensor<i1>, tensor<i32>
    stablehlo.return %8, %9 : tensor<f32>, tensor<i32>
  }
  check.expect_almost_eq_const %0#0, dense<[3.0, 0x7FC00000]> : tensor<2xf32>
  check.expect_eq_const %0#1, dense<[1, 1]> : tensor<2xi32>
  return
}

// Several inputs that do not touch each other, of different types.
func.func @reduce_variadic() {
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %y = stablehlo.constant dense<[[5, 7], [6, 8]]> : tensor<2x2xi32>
  %x0 = stablehlo.constant dense<0.5> : tensor<f32>
  %y0 = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %x0), (%y init: %y0) across dimensions = [0] : (tensor<2x2xf32>, tensor<2x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {
    %1 = stablehlo.add %a, %c : tensor<f32>
    %2 = stablehlo.maximum %d, %b : tensor<i32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
  }
  check.expect_eq_const %0#0, dense<[4.5, 6.5]> : tensor<2xf32>
  check.expect_eq_const %0#1, dense<[6, 8]> : tensor<2xi32>
  return
}

// A monoid that is not commutative (the last number that is not 0): elements stay in order.
func.func @reduce_in_order() {
  %x = stablehlo.constant dense<[[1, 0, 2, 0, 3, 0, 0], [0, 0, 0, 0, 0, 0, 0], [4, 0, 0, 0, 0, 0, 0]]> : tensor<3x7xi32>
  %init = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %init) across dimensions = [1] : (tensor<3x7xi32>, tensor<i32>) -> tensor<3xi32>
   reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %b, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }
  check.expect_eq_const %0, dense<[3, 9, 4]> : tensor<3xi32>
  return
}

// A body that is not elementwise is called per element; one that ignores its arguments gives them a shape.
func.func @reduce_any_body() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %init) across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
   reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %1 = stablehlo.reshape %a : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.add %1, %2 : tensor<1xi32>
    %4 = stablehlo.reshape %3 : (tensor<1xi32>) -> tensor<i32>
    stablehlo.return %4 : tensor<i32>
  }
  check.expect_eq_const %0, dense<[6, 15]> : tensor<2xi32>
  %5 = stablehlo.reduce(%x init: %init) across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
   reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %c = stablehlo.constant dense<8> : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }
  check.expect_eq_const %5, dense<8> : tensor<2xi32>
  return
}

// The body may work in a wider type, to which elements and initial value are promoted.
func.func @reduce_promotes() {
  %x = stablehlo.constant dense<[100, 100, 100]> : tensor<3xi8>
  %init = stablehlo.constant dense<1> : tensor<i8>
  %0 = "stablehlo.reduce"(%x, %init) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<3xi8>, tensor<i8>) -> tensor<i32>
  check.expect_eq_const %0, dense<301> : tensor<i32>
  return
}

// Sizes that are known when it runs.
func.func @reduce_dynamic() {
  %x = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %x, %shape : (tensor<6xi32>, tensor<2xi64>) -> tensor<?x3xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.reduce(%0 init: %init) applies stablehlo.add across dimensions = [0] : (tensor<?x3xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %1, dense<[5, 7, 9]> : tensor<3xi32>
  return
}

// Quantized elements: 1.0 + 2.0 + 3.0.
func.func @reduce_quantized() {
  %c = stablehlo.constant() <{value = dense<[3, 5, 7]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %z = stablehlo.constant() <{value = dense<1> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %0 = "stablehlo.reduce"(%c, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:1>>, %b: tensor<!quant.uniform<i8:f32, 0.5:1>>):
    %1 = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5:1>>
    stablehlo.return %1 : tensor<!quant.uniform<i8:f32, 0.5:1>>
  }) : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %2 = stablehlo.uniform_dequantize %0 : (tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<f32>
  check.expect_eq_const %2, dense<6.0> : tensor<f32>
  return
}

// The body has a wider storage type and other parameters: 3 * 50.0.
func.func @reduce_quantized_promotes() {
  %c = stablehlo.constant() <{value = dense<[101, 101, 101]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %z = stablehlo.constant() <{value = dense<1> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %0 = "stablehlo.reduce"(%c, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.25:7>>, %b: tensor<!quant.uniform<i32:f32, 0.25:7>>):
    %1 = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.25:7>>
    stablehlo.return %1 : tensor<!quant.uniform<i32:f32, 0.25:7>>
  }) : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<!quant.uniform<i32:f32, 0.25:7>>
  %2 = stablehlo.uniform_dequantize %0 : (tensor<!quant.uniform<i32:f32, 0.25:7>>) -> tensor<f32>
  check.expect_eq_const %2, dense<150.0> : tensor<f32>
  return
}
