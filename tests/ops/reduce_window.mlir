// The specification's example.
func.func @reduce_window_example() {
  %input = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %init_value = stablehlo.constant dense<0> : tensor<i64>
  %0 = "stablehlo.reduce_window"(%input, %init_value) <{base_dilations = array<i64: 2, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 3, 1>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>}> ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %1 = stablehlo.add %x, %y : tensor<i64>
    stablehlo.return %1 : tensor<i64>
  }) : (tensor<3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
  check.expect_eq_const %0, dense<[[0, 0], [3, 4]]> : tensor<2x2xi64>
  return
}

// Strides, padding and dilations default to 1, 0 and 1; the initial value counts once.
func.func @reduce_window_defaults() {
  %x = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %init = stablehlo.constant dense<100> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %init) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %0, dense<[106, 109, 112]> : tensor<3xi32>
  return
}

// Max pooling, with NaN, infinity and windows that overlap in two dimensions.
func.func @reduce_window_max_pooling() {
  %x = stablehlo.constant dense<[[1.0, 5.0, 2.0], [-1.0, 0x7FC00000, 4.0], [3.0, 0.0, 0xFF800000]]> : tensor<3x3xf32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %init) <{padding = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  check.expect_almost_eq_const %0, dense<[[5.0, 5.0, 2.0], [0x7FC00000, 0x7FC00000, 4.0], [0x7FC00000, 0x7FC00000, 4.0]]> : tensor<3x3xf32>
  return
}

// A running sum: windows as long as the input, of which most is padding.
func.func @reduce_window_running_sum() {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<7xf32>
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %init) <{padding = dense<[[6, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 7>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7xf32>, tensor<f32>) -> tensor<7xf32>
  check.expect_eq_const %0, dense<[1.0, 3.0, 6.0, 10.0, 15.0, 21.0, 28.0]> : tensor<7xf32>
  return
}

// Dilated windows that overlap: every window is x[i], x[i + 2], x[i + 4].
func.func @reduce_window_dilated() {
  %x = stablehlo.constant dense<[1, 2, 4, 8, 16, 32]> : tensor<6xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %init) <{window_dilations = array<i64: 2>, window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.or %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<6xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[21, 42]> : tensor<2xi32>
  return
}

// Several inputs: the largest value and its first position.
func.func @reduce_window_variadic() {
  %x = stablehlo.constant dense<[3, 1, 4, 4, 5]> : tensor<5xi32>
  %i = stablehlo.iota dim = 0 : tensor<5xi64>
  %x0 = stablehlo.constant dense<-100> : tensor<i32>
  %i0 = stablehlo.constant dense<-1> : tensor<i64>
  %0:2 = "stablehlo.reduce_window"(%x, %i, %x0, %i0) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %j: tensor<i64>, %b: tensor<i32>, %k: tensor<i64>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<i32>
    %3 = stablehlo.select %1, %j, %k : tensor<i1>, tensor<i64>
    stablehlo.return %2, %3 : tensor<i32>, tensor<i64>
  }) : (tensor<5xi32>, tensor<5xi64>, tensor<i32>, tensor<i64>) -> (tensor<2xi32>, tensor<2xi64>)
  check.expect_eq_const %0#0, dense<[4, 5]> : tensor<2xi32>
  check.expect_eq_const %0#1, dense<[2, 4]> : tensor<2xi64>
  return
}

// The elements of a window are combined in row-major order: here the first non-zero one wins.
func.func @reduce_window_keeps_order() {
  %x = stablehlo.constant dense<[[0, 2, 0], [3, 0, 5], [0, 0, 9]]> : tensor<3x3xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %init) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare NE, %a, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<3x3xi32>, tensor<i32>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[2, 2], [3, 5]]> : tensor<2x2xi32>
  return
}

// A body with control flow is called per element.
func.func @reduce_window_control_flow() {
  %x = stablehlo.constant dense<[3, 1, 4, 1, 5]> : tensor<5xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %init) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "stablehlo.if"(%1) ({
      stablehlo.return %a : tensor<i32>
    }, {
      stablehlo.return %b : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[3, 4, 4, 5]> : tensor<4xi32>
  return
}

// Elements are promoted to the type of the body; sums of narrow floats are rounded once.
func.func @reduce_window_promotion() {
  %x = stablehlo.constant dense<[100, 100]> : tensor<2xi8>
  %x0 = stablehlo.constant dense<0> : tensor<i8>
  %0 = "stablehlo.reduce_window"(%x, %x0) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %2 = stablehlo.add %a, %b : tensor<i16>
    stablehlo.return %2 : tensor<i16>
  }) : (tensor<2xi8>, tensor<i8>) -> tensor<1xi16>
  check.expect_eq_const %0, dense<200> : tensor<1xi16>
  return
}

// No windows, and a single one on a scalar.
func.func @reduce_window_empty() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %init = stablehlo.constant dense<7> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %init) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %2 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<2xi32>, tensor<i32>) -> tensor<0xi32>
  check.expect_eq_const %0, dense<> : tensor<0xi32>
  %1 = "stablehlo.reduce_window"(%init, %init) <{window_dimensions = array<i64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %2 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %1, dense<14> : tensor<i32>
  return
}

// Quantized elements are combined by the quantized operation of the body.
func.func @reduce_window_quantized() {
  %x = stablehlo.constant() <{value = dense<[8, 4, 4, 100]> : tensor<4xi8>}> : () -> tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>
  %init = stablehlo.constant() <{value = dense<0> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = "stablehlo.reduce_window"(%x, %init) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<!quant.uniform<i8:f32, 5.000000e-01>>):
    %2 = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 5.000000e-01>>
    stablehlo.return %2 : tensor<!quant.uniform<i8:f32, 5.000000e-01>>
  }) : (tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xf32>
  check.expect_eq_const %1, dense<[6.0, 52.0]> : tensor<2xf32>
  return
}
