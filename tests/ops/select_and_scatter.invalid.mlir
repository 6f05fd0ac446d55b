// select_and_scatter_i1
// error@4:39: stablehlo.select_and_scatter I1: operand = tensor<4x6xindex>
func.func @main(%a: tensor<4x6xindex>, %b: tensor<2x6xf32>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xindex>, tensor<2x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
// -----
// select_and_scatter_i2
// error@4:43: stablehlo.select_and_scatter I2: source = tensor<2x6xindex>
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xindex>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6xindex>, tensor<f32>) -> tensor<4x6xf32>
  return
}
// -----
// select_and_scatter_i3
// error@4:47: stablehlo.select_and_scatter I3: init_value = tensor<1xf32>
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xf32>, %c: tensor<1xf32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<1xf32>) -> tensor<4x6xf32>
  return
}
// -----
// select_and_scatter_i4
// error@4:53: stablehlo.select_and_scatter I4: window_dimensions = 2 : i64
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xf32>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = 2 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
// -----
// select_and_scatter_i5
// error@4:91: stablehlo.select_and_scatter I5: window_strides = 2 : i64
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xf32>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 1>, window_strides = 2 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
// -----
// select_and_scatter_i6
// error@4:53: stablehlo.select_and_scatter I6: padding = dense<0> : tensor<4xi64>
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xf32>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{padding = dense<0> : tensor<4xi64>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
// -----
// select_and_scatter_c1
// error@4:8: stablehlo.select_and_scatter C1: operand = f32, source = f64
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xf64>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6xf64>, tensor<f32>) -> tensor<4x6xf32>
  return
}
// -----
// select_and_scatter_c2
// error@4:8: stablehlo.select_and_scatter C2: source = [3, 6], num_windows = [2, 6]
func.func @main(%a: tensor<4x6xf32>, %b: tensor<3x6xf32>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<3x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
// -----
// select_and_scatter_c3
// error@4:8: stablehlo.select_and_scatter C3: init_value = f64, operand = f32
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xf32>, %c: tensor<f64>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<f64>) -> tensor<4x6xf32>
  return
}
// -----
// select_and_scatter_c4
// error@4:8: stablehlo.select_and_scatter C4: size = 1, rank = 2
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xf32>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
// -----
// select_and_scatter_c4 without the attribute
// error@4:8: stablehlo.select_and_scatter C4: size = 0, rank = 2
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xf32>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
// -----
// select_and_scatter_c5
// error@4:8: stablehlo.select_and_scatter C5: window_dimensions = [2, 0]
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xf32>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
// -----
// select_and_scatter_c6
// error@4:8: stablehlo.select_and_scatter C6: size = 1, rank = 2
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xf32>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
// -----
// select_and_scatter_c7
// error@4:8: stablehlo.select_and_scatter C7: window_strides = [2, 0]
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xf32>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
// -----
// select_and_scatter_c8
// error@4:8: stablehlo.select_and_scatter C8: shape = [3, 2], rank = 2
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xf32>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{padding = dense<0> : tensor<3x2xi64>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
// -----
// select_and_scatter_c9
// error@4:8: stablehlo.select_and_scatter C9: select = (tensor<f64>, tensor<f64>) -> tensor<i1>, expected = (tensor<f32>, tensor<f32>) -> tensor<i1>
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xf32>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
// -----
// select_and_scatter_c9 by its result
// error@4:8: stablehlo.select_and_scatter C9: select = (tensor<f32>, tensor<f32>) -> tensor<f32>, expected = (tensor<f32>, tensor<f32>) -> tensor<i1>
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xf32>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
// -----
// select_and_scatter_c9 by its arguments
// error@4:8: stablehlo.select_and_scatter C9: select = (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<i1>, expected = (tensor<f32>, tensor<f32>) -> tensor<i1>
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xf32>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
// -----
// select_and_scatter_c10
// error@4:8: stablehlo.select_and_scatter C10: scatter = (tensor<i32>, tensor<i32>) -> tensor<i32>, element_types = [f32]
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xf32>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<f32>) -> tensor<4x6xi32>
  return
}
// -----
// select_and_scatter_c10 by its arguments
// error@4:8: stablehlo.select_and_scatter C10: scatter = (tensor<f32>) -> tensor<f32>, element_types = [f32]
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xf32>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
// -----
// select_and_scatter_c11
// error@4:8: stablehlo.select_and_scatter C11: type = tensor<4x5xf32>, expected = tensor<4x6xf32>
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xf32>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<f32>) -> tensor<4x5xf32>
  return
}
// -----
// select_and_scatter_c12
// error@4:8: stablehlo.select_and_scatter C12: type = tensor<4x6xf64>, expected = tensor<4x6xf32>
func.func @main(%a: tensor<4x6xf32>, %b: tensor<2x6xf32>, %c: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<f32>) -> tensor<4x6xf64>
  return
}
// -----
// select_and_scatter_i7
// error@4:8: stablehlo.select_and_scatter I7: select has a block
func.func @main(%arg0: tensor<4xi8>, %arg1: tensor<2xi8>, %arg2: tensor<i8>) {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  }, {
  ^bb0(%arg3: tensor<i16>, %arg4: tensor<i16>):
    %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i16>, tensor<i16>) -> tensor<i16>
    "stablehlo.return"(%1) : (tensor<i16>) -> ()
  }) : (tensor<4xi8>, tensor<2xi8>, tensor<i8>) -> tensor<4xi16>
  return
}
// -----
// select_and_scatter_i8
// error@4:8: stablehlo.select_and_scatter I8: scatter has a block
func.func @main(%arg0: tensor<4xi8>, %arg1: tensor<2xi8>, %arg2: tensor<i8>) {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%arg3: tensor<i8>, %arg4: tensor<i8>):
    %1 = "stablehlo.compare"(%arg3, %arg4) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i8>, tensor<i8>) -> tensor<i1>
    %2 = "stablehlo.if"(%1) ({
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }, {
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%2) : (tensor<i1>) -> ()
  }, {
  }) : (tensor<4xi8>, tensor<2xi8>, tensor<i8>) -> tensor<4xi16>
  return
}
