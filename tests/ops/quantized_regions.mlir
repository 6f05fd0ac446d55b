// q stands for (q - 1) * 0.5, as does the wider w.
!q = !quant.uniform<i8:f32, 0.5:1>
!w = !quant.uniform<i32:f32, 0.5:1>

// 60 + 60 + 60 does not fit into eight bits: 121 to 127 (63), 63 + 60 stays 127.
func.func @reduce_saturates() {
  %0 = stablehlo.constant() <{value = dense<121> : tensor<3xi8>}> : () -> tensor<3x!q>
  %1 = stablehlo.constant() <{value = dense<1> : tensor<i8>}> : () -> tensor<!q>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [0] : (tensor<3x!q>, tensor<!q>) -> tensor<!q>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<!q>) -> tensor<f32>
  check.expect_eq_const %3, dense<63.0> : tensor<f32>
  return
}

// In a wider storage type it does: 180 / 0.5 + 1 = 361.
func.func @reduce_in_wider_type() {
  %0 = stablehlo.constant() <{value = dense<121> : tensor<3xi8>}> : () -> tensor<3x!q>
  %1 = stablehlo.constant() <{value = dense<1> : tensor<i8>}> : () -> tensor<!q>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<!w>, %y: tensor<!w>):
    %5 = stablehlo.add %x, %y : tensor<!w>
    stablehlo.return %5 : tensor<!w>
  }) : (tensor<3x!q>, tensor<!q>) -> tensor<!w>
  %3 = stablehlo.bitcast_convert %2 : (tensor<!w>) -> tensor<i32>
  check.expect_eq_const %3, dense<361> : tensor<i32>
  return
}

// Sums of two of 1, 2, 3: 3 and 5, stored as 7 and 11.
func.func @reduce_window_in_wider_type() {
  %0 = stablehlo.constant() <{value = dense<[3, 5, 7]> : tensor<3xi8>}> : () -> tensor<3x!q>
  %1 = stablehlo.constant() <{value = dense<1> : tensor<i8>}> : () -> tensor<!q>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<!w>, %y: tensor<!w>):
    %5 = stablehlo.add %x, %y : tensor<!w>
    stablehlo.return %5 : tensor<!w>
  }) : (tensor<3x!q>, tensor<!q>) -> tensor<2x!w>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2x!w>) -> tensor<2xi32>
  check.expect_eq_const %3, dense<[7, 11]> : tensor<2xi32>
  return
}

// 1 + 1 + 2 and 2 at positions 0 and 1: 4 and 2.
func.func @scatter_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %i = stablehlo.constant dense<[[0], [0]]> : tensor<2x1xi64>
  %1 = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %2 = "stablehlo.scatter"(%0, %i, %1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%x: tensor<!q>, %y: tensor<!q>):
    %5 = stablehlo.add %x, %y : tensor<!q>
    stablehlo.return %5 : tensor<!q>
  }) : (tensor<2x!q>, tensor<2x1xi64>, tensor<2x!q>) -> tensor<2x!q>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<2x!q>) -> tensor<2xf32>
  check.expect_eq_const %3, dense<[4.0, 2.0]> : tensor<2xf32>
  return
}

// 2 and 3 are the largest of their windows; the source is added to the initial value 0.
func.func @select_and_scatter_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5, 7, 1]> : tensor<4xi8>}> : () -> tensor<4x!q>
  %1 = stablehlo.constant() <{value = dense<[9, 11]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %2 = stablehlo.constant() <{value = dense<1> : tensor<i8>}> : () -> tensor<!q>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<!q>, %y: tensor<!q>):
    %6 = stablehlo.compare GE, %x, %y : (tensor<!q>, tensor<!q>) -> tensor<i1>
    stablehlo.return %6 : tensor<i1>
  }, {
  ^bb0(%x: tensor<!q>, %y: tensor<!q>):
    %6 = stablehlo.add %x, %y : tensor<!q>
    stablehlo.return %6 : tensor<!q>
  }) : (tensor<4x!q>, tensor<2x!q>, tensor<!q>) -> tensor<4x!q>
  %4 = stablehlo.uniform_dequantize %3 : (tensor<4x!q>) -> tensor<4xf32>
  check.expect_eq_const %4, dense<[0.0, 4.0, 5.0, 0.0]> : tensor<4xf32>
  return
}

func.func @sort_quantized() {
  %0 = stablehlo.constant() <{value = dense<[7, -3, 5]> : tensor<3xi8>}> : () -> tensor<3x!q>
  %1 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi32>
  %2:2 = "stablehlo.sort"(%0, %1) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<!q>, %y: tensor<!q>, %i: tensor<i32>, %j: tensor<i32>):
    %5 = stablehlo.compare LT, %x, %y : (tensor<!q>, tensor<!q>) -> tensor<i1>
    stablehlo.return %5 : tensor<i1>
  }) : (tensor<3x!q>, tensor<3xi32>) -> (tensor<3x!q>, tensor<3xi32>)
  %3 = stablehlo.uniform_dequantize %2#0 : (tensor<3x!q>) -> tensor<3xf32>
  check.expect_eq_const %3, dense<[-2.0, 2.0, 3.0]> : tensor<3xf32>
  check.expect_eq_const %2#1, dense<[1, 2, 0]> : tensor<3xi32>
  return
}

// 1 + 1 = 2 and 2 + 2 = 4.
func.func @map_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %1 = "stablehlo.map"(%0) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<!q>):
    %3 = stablehlo.add %x, %x : tensor<!q>
    stablehlo.return %3 : tensor<!q>
  }) : (tensor<2x!q>) -> tensor<2x!q>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x!q>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[2.0, 4.0]> : tensor<2xf32>
  return
}

// A region may leave the quantized types: 1 + 2 in floats, rounded once.
func.func @reduce_through_floats() {
  %0 = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %1 = stablehlo.constant() <{value = dense<1> : tensor<i8>}> : () -> tensor<!q>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<!q>, %y: tensor<!q>):
    %5 = stablehlo.uniform_dequantize %x : (tensor<!q>) -> tensor<f32>
    %6 = stablehlo.uniform_dequantize %y : (tensor<!q>) -> tensor<f32>
    %7 = stablehlo.add %5, %6 : tensor<f32>
    %8 = stablehlo.uniform_quantize %7 : (tensor<f32>) -> tensor<!q>
    stablehlo.return %8 : tensor<!q>
  }) : (tensor<2x!q>, tensor<!q>) -> tensor<!q>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<!q>) -> tensor<f32>
  check.expect_eq_const %3, dense<3.0> : tensor<f32>
  return
}

func.func @case_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %i = stablehlo.constant dense<1> : tensor<i32>
  %1 = "stablehlo.case"(%i) ({
    stablehlo.return %0 : tensor<2x!q>
  }, {
    %3 = stablehlo.add %0, %0 : tensor<2x!q>
    stablehlo.return %3 : tensor<2x!q>
  }) : (tensor<i32>) -> tensor<2x!q>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x!q>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[2.0, 4.0]> : tensor<2xf32>
  return
}

// Doubled while less than 10: 1, 2, 4, 8, 16.
func.func @while_quantized() {
  %0 = stablehlo.constant() <{value = dense<3> : tensor<i8>}> : () -> tensor<!q>
  %limit = stablehlo.constant() <{value = dense<21> : tensor<i8>}> : () -> tensor<!q>
  %1 = stablehlo.while(%x = %0) : tensor<!q> cond {
    %3 = stablehlo.compare LT, %x, %limit : (tensor<!q>, tensor<!q>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  } do {
    %3 = stablehlo.add %x, %x : tensor<!q>
    stablehlo.return %3 : tensor<!q>
  }
  %2 = stablehlo.uniform_dequantize %1 : (tensor<!q>) -> tensor<f32>
  check.expect_eq_const %2, dense<16.0> : tensor<f32>
  return
}

func.func @composite_quantized() {
  %0 = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %1 = stablehlo.composite "my.twice" %0 {decomposition = @twice_quantized} : (tensor<2x!q>) -> tensor<2x!q>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x!q>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[2.0, 4.0]> : tensor<2xf32>
  return
}

func.func private @twice_quantized(%x: tensor<2x!q>) -> tensor<2x!q> {
  %0 = stablehlo.add %x, %x : tensor<2x!q>
  return %0 : tensor<2x!q>
}

// 60 + 60 + 60 at position 0 fits into the wider type; 2 at position 1 is requantized as it is.
func.func @scatter_in_wider_type() {
  %0 = stablehlo.constant() <{value = dense<[121, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %i = stablehlo.constant dense<[[0], [0]]> : tensor<2x1xi64>
  %1 = stablehlo.constant() <{value = dense<121> : tensor<2xi8>}> : () -> tensor<2x!q>
  %2 = "stablehlo.scatter"(%0, %i, %1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%x: tensor<!w>, %y: tensor<!w>):
    %4 = stablehlo.add %x, %y : tensor<!w>
    stablehlo.return %4 : tensor<!w>
  }) : (tensor<2x!q>, tensor<2x1xi64>, tensor<2x!q>) -> tensor<2x!w>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2x!w>) -> tensor<2xi32>
  check.expect_eq_const %3, dense<[361, 5]> : tensor<2xi32>
  return
}

// Both windows select the middle element: 60 + 60 + 0 is stored as 241.
func.func @select_and_scatter_in_wider_type() {
  %0 = stablehlo.constant() <{value = dense<[3, 7, 5]> : tensor<3xi8>}> : () -> tensor<3x!q>
  %1 = stablehlo.constant() <{value = dense<121> : tensor<2xi8>}> : () -> tensor<2x!q>
  %2 = stablehlo.constant() <{value = dense<1> : tensor<i8>}> : () -> tensor<!q>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<!q>, %y: tensor<!q>):
    %5 = stablehlo.compare GE, %x, %y : (tensor<!q>, tensor<!q>) -> tensor<i1>
    stablehlo.return %5 : tensor<i1>
  }, {
  ^bb0(%x: tensor<!w>, %y: tensor<!w>):
    %5 = stablehlo.add %x, %y : tensor<!w>
    stablehlo.return %5 : tensor<!w>
  }) : (tensor<3x!q>, tensor<2x!q>, tensor<!q>) -> tensor<3x!w>
  %4 = stablehlo.bitcast_convert %3 : (tensor<3x!w>) -> tensor<3xi32>
  check.expect_eq_const %4, dense<[1, 241, 1]> : tensor<3xi32>
  return
}

// The wider type may have another scale: 1 + 2 is 3, stored as 3 / 0.25 - 2 = 10.
func.func @reduce_with_another_scale() {
  %0 = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!q>
  %1 = stablehlo.constant() <{value = dense<1> : tensor<i8>}> : () -> tensor<!q>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<!quant.uniform<i16:f32, 0.25:-2>>, %y: tensor<!quant.uniform<i16:f32, 0.25:-2>>):
    %4 = stablehlo.add %x, %y : tensor<!quant.uniform<i16:f32, 0.25:-2>>
    stablehlo.return %4 : tensor<!quant.uniform<i16:f32, 0.25:-2>>
  }) : (tensor<2x!q>, tensor<!q>) -> tensor<!quant.uniform<i16:f32, 0.25:-2>>
  %3 = stablehlo.bitcast_convert %2 : (tensor<!quant.uniform<i16:f32, 0.25:-2>>) -> tensor<i16>
  check.expect_eq_const %3, dense<10> : tensor<i16>
  return
}
