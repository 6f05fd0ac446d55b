func.func @main(%a: tensor<2xi64>) -> (tensor<2xi64>, tensor<4xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xi64>) -> (tensor<2xi64>, tensor<4xui32>)
  return %0, %1 : tensor<2xi64>, tensor<4xui32>
}
// -----
func.func @main(%a: tensor<4xui32>) -> (tensor<4xui32>, tensor<4xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %a, algorithm = PHILOX : (tensor<4xui32>) -> (tensor<4xui32>, tensor<4xui32>)
  return %0, %1 : tensor<4xui32>, tensor<4xui32>
}
// -----
func.func @main(%a: tensor<2xf64>) -> (tensor<2xf64>, tensor<4xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xf64>) -> (tensor<2xf64>, tensor<4xui32>)
  return %0, %1 : tensor<2xf64>, tensor<4xui32>
}
// -----
func.func @main(%a: tensor<4x4xf32>, %s: tensor<2x2xf16>, %i: tensor<f16>) -> tensor<4x4xf32> {
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%t) : (tensor<f32>) -> ()
  }) : (tensor<4x4xf32>, tensor<2x2xf16>, tensor<f16>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// -----
func.func @main(%a: tensor<4x4xf32>, %s: tensor<2x2xf32>, %i: tensor<f16>) -> tensor<4x4xf32> {
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%t) : (tensor<f32>) -> ()
  }) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f16>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// -----
func.func @main(%a: tensor<4xf32>, %b: tensor<1xf64>) -> tensor<4xf32> {
  %i = stablehlo.constant dense<1> : tensor<1x1xi32>
  %0 = "stablehlo.scatter"(%a, %i, %b) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<1x1xi32>, tensor<1xf64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @main(%p: tensor<i1>, %a: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25:3>> {
  %0 = "stablehlo.if"(%p) ({
    "stablehlo.return"(%a) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> ()
  }, {
    "stablehlo.return"(%a) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<i1>) -> tensor<2x!quant.uniform<i8:f32, 0.25:3>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.25:3>>
}
// -----
func.func @main(%p: tensor<i1>, %a: tensor<2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>> {
  %0 = "stablehlo.if"(%p) ({
    "stablehlo.return"(%a) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> ()
  }, {
    "stablehlo.return"(%b) : (tensor<2x!quant.uniform<i8:f32, 0.25:3>>) -> ()
  }) : (tensor<i1>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.5>>
}
// -----
func.func @main(%p: tensor<i32>, %a: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25:3>> {
  %0 = "stablehlo.case"(%p) ({
    "stablehlo.return"(%a) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> ()
  }, {
    "stablehlo.return"(%a) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<i32>) -> tensor<2x!quant.uniform<i8:f32, 0.25:3>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.25:3>>
}
// -----
func.func @main(%i: tensor<i32>, %a: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25:3>> {
  %0:2 = "stablehlo.while"(%i, %a) ({
  ^bb0(%x: tensor<i32>, %y: tensor<2x!quant.uniform<i8:f32, 0.5>>):
    %n = stablehlo.constant dense<9> : tensor<i32>
    %c = stablehlo.compare LT, %x, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<2x!quant.uniform<i8:f32, 0.5>>):
    %n = stablehlo.constant dense<9> : tensor<i32>
    %s = stablehlo.add %x, %n : tensor<i32>
    "stablehlo.return"(%s, %y) : (tensor<i32>, tensor<2x!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<i32>, tensor<2x!quant.uniform<i8:f32, 0.5>>) -> (tensor<i32>, tensor<2x!quant.uniform<i8:f32, 0.25:3>>)
  return %0#1 : tensor<2x!quant.uniform<i8:f32, 0.25:3>>
}
// -----
func.func @main(%i: tensor<i32>, %a: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>> {
  %0:2 = "stablehlo.while"(%i, %a) ({
  ^bb0(%x: tensor<i32>, %y: tensor<2x!quant.uniform<i8:f32, 0.25:3>>):
    %n = stablehlo.constant dense<9> : tensor<i32>
    %c = stablehlo.compare LT, %x, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<2x!quant.uniform<i8:f32, 0.5>>):
    %n = stablehlo.constant dense<9> : tensor<i32>
    %s = stablehlo.add %x, %n : tensor<i32>
    "stablehlo.return"(%s, %y) : (tensor<i32>, tensor<2x!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<i32>, tensor<2x!quant.uniform<i8:f32, 0.5>>) -> (tensor<i32>, tensor<2x!quant.uniform<i8:f32, 0.5>>)
  return %0#1 : tensor<2x!quant.uniform<i8:f32, 0.5>>
}
// -----
func.func @main(%i: tensor<i32>, %a: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>> {
  %0:2 = "stablehlo.while"(%i, %a) ({
  ^bb0(%x: tensor<i32>, %y: tensor<2x!quant.uniform<i8:f32, 0.5>>):
    %n = stablehlo.constant dense<9> : tensor<i32>
    %c = stablehlo.compare LT, %x, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<2x!quant.uniform<i8:f32, 0.25:3>>):
    %n = stablehlo.constant dense<9> : tensor<i32>
    %s = stablehlo.add %x, %n : tensor<i32>
    "stablehlo.return"(%s, %y) : (tensor<i32>, tensor<2x!quant.uniform<i8:f32, 0.25:3>>) -> ()
  }) : (tensor<i32>, tensor<2x!quant.uniform<i8:f32, 0.5>>) -> (tensor<i32>, tensor<2x!quant.uniform<i8:f32, 0.5>>)
  return %0#1 : tensor<2x!quant.uniform<i8:f32, 0.5>>
}
// -----
func.func @main(%i: tensor<2xi32>, %a: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25:3>> {
  %0:2 = "stablehlo.sort"(%i, %a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<!quant.uniform<i8:f32, 0.5>>, %w: tensor<!quant.uniform<i8:f32, 0.5>>):
    %c = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) : (tensor<2xi32>, tensor<2x!quant.uniform<i8:f32, 0.5>>) -> (tensor<2xi32>, tensor<2x!quant.uniform<i8:f32, 0.25:3>>)
  return %0#1 : tensor<2x!quant.uniform<i8:f32, 0.25:3>>
}
// -----
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25:3>> {
  %n = stablehlo.constant dense<2> : tensor<i32>
  %0 = "stablehlo.set_dimension_size"(%a, %n) <{dimension = 0 : i64}> : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<i32>) -> tensor<2x!quant.uniform<i8:f32, 0.25:3>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.25:3>>
}
// -----
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25:3>> {
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%p: tensor<!quant.uniform<i8:f32, 0.5>>):
    "stablehlo.return"(%p) : (tensor<!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25:3>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.25:3>>
}
// -----
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25:3>> {
  %t = "stablehlo.tuple"(%a) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tuple<tensor<2x!quant.uniform<i8:f32, 0.5>>>
  %0 = "stablehlo.get_tuple_element"(%t) <{index = 0 : i32}> : (tuple<tensor<2x!quant.uniform<i8:f32, 0.5>>>) -> tensor<2x!quant.uniform<i8:f32, 0.25:3>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.25:3>>
}
// -----
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25:3>> {
  %i = stablehlo.constant dense<[[1], [0]]> : tensor<2x1xi64>
  %s = stablehlo.constant dense<1> : tensor<1xi64>
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x1xi64>, tensor<1xi64>) -> tensor<2x!quant.uniform<i8:f32, 0.25:3>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.25:3>>
}
// -----
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.25:3>> {
  %0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%p: tensor<!quant.uniform<i8:f32, 0.5>>, %q: tensor<!quant.uniform<i8:f32, 0.5>>):
    %s = stablehlo.add %p, %q : tensor<!quant.uniform<i8:f32, 0.5>>
    "stablehlo.return"(%s) : (tensor<!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.25:3>>
  return %0 : tensor<!quant.uniform<i8:f32, 0.25:3>>
}
// -----
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xf32> {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%p: tensor<!quant.uniform<i8:f32, 0.5>>, %q: tensor<!quant.uniform<i8:f32, 0.5>>):
    %s = stablehlo.add %p, %q : tensor<!quant.uniform<i8:f32, 0.5>>
    "stablehlo.return"(%s) : (tensor<!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25:3>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
// -----
func.func @main(%a: tensor<1x4x1xi8>, %b: tensor<2x1x1xi8>) -> tensor<1x3x1xf32> {
  %p = stablehlo.constant dense<0> : tensor<1x2xi64>
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64}> : (tensor<1x4x1xi8>, tensor<2x1x1xi8>, tensor<1x2xi64>) -> tensor<1x3x1xf32>
  return %0 : tensor<1x3x1xf32>
}
// -----
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f64>):
    %t = stablehlo.convert %q : (tensor<f64>) -> tensor<f32>
    %x = stablehlo.add %p, %t : tensor<f32>
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.reduce_scatter"(%a) <{replica_groups = dense<0> : tensor<1x1xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f64>):
    %t = stablehlo.convert %q : (tensor<f64>) -> tensor<f32>
    %x = stablehlo.add %p, %t : tensor<f32>
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @main(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<3xf32> {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f64>):
    %t = stablehlo.convert %q : (tensor<f64>) -> tensor<f32>
    %x = stablehlo.add %p, %t : tensor<f32>
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
