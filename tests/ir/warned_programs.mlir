func.func @main(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%a, %b, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
func.func @main(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<3xf32> {
  %0 = "stablehlo.reduce_window"(%a, %b, %b) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
func.func @main(%a: tensor<4xf32>, %b: tensor<1xf32>) -> tensor<4xf32> {
  %i = stablehlo.constant dense<1> : tensor<1x1xi32>
  %0 = "stablehlo.scatter"(%a, %i, %b, %b) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<1x1xi32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @main(%a: tensor<3xi32>) -> tensor<4x5xf32> {
  %0 = "stablehlo.dynamic_iota"(%a) <{iota_dimension = 1 : i64}> : (tensor<3xi32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
func.func @main(%x: tensor<2xi8>, %a: tensor<4xi32>) -> tensor<3x2xi8> {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%x, %a) <{broadcast_dimensions = array<i64: 1>}> : (tensor<2xi8>, tensor<4xi32>) -> tensor<3x2xi8>
  return %0 : tensor<3x2xi8>
}
// -----
func.func @main(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = "chlo.broadcast_add"(%x, %x) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
// -----
func.func @main(%x: tensor<2x1xi32>, %y: tensor<1x3xi32>) -> tensor<2x3xi32> {
  %0 = "chlo.broadcast_add"(%x, %y) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x1xi32>, tensor<1x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
// -----
func.func @main(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi1> {
  %0 = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
// -----
func.func @main(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi1> {
  %0 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
// -----
func.func @main(%a: tensor<4xf64>, %b: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf64>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
func.func @main(%a: tensor<4xi8>, %b: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = stablehlo.add %p, %q : tensor<i32>
    "stablehlo.return"(%s) : (tensor<i32>) -> ()
  }) : (tensor<4xi8>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
// -----
func.func @main(%a: tensor<4xf32>, %b: tensor<f64>) -> tensor<3xf64> {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%p: tensor<f64>, %q: tensor<f64>):
    %s = stablehlo.add %p, %q : tensor<f64>
    "stablehlo.return"(%s) : (tensor<f64>) -> ()
  }) : (tensor<4xf32>, tensor<f64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
// -----
func.func @main(%a: tensor<4xbf16>, %b: tensor<f32>) -> tensor<3xf32> {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xbf16>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
func.func @main(%a: tensor<4xf32>, %b: tensor<1xf32>) -> tensor<4xbf16> {
  %i = stablehlo.constant dense<1> : tensor<1x1xi32>
  %0 = "stablehlo.scatter"(%a, %i, %b) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
    %s = stablehlo.add %p, %q : tensor<bf16>
    "stablehlo.return"(%s) : (tensor<bf16>) -> ()
  }) : (tensor<4xf32>, tensor<1x1xi32>, tensor<1xf32>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}
// -----
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x2xbf16>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x2xbf16>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
func.func @main(%a: tensor<1x4x1xi8>, %b: tensor<2x1x1xi8>) -> tensor<1x3x1xf32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi8>, tensor<2x1x1xi8>) -> tensor<1x3x1xf32>
  return %0 : tensor<1x3x1xf32>
}
// -----
func.func @main(%a: tensor<2xui64>) -> (tensor<2xi64>, tensor<4xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xi64>, tensor<4xui32>)
  return %0, %1 : tensor<2xi64>, tensor<4xui32>
}
// -----
func.func @main(%a: tensor<4x4xf32>, %s: tensor<2x2xf32>, %i: tensor<f32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%p: tensor<f64>, %q: tensor<f64>):
    %c = stablehlo.compare GE, %p, %q : (tensor<f64>, tensor<f64>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%t) : (tensor<f32>) -> ()
  }) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// -----
func.func @main() -> tensor<2x3xi1> {
  %a = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %0 = "stablehlo.dynamic_iota"(%a) <{iota_dimension = 1 : i64}> : (tensor<2xi32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}
// -----
func.func private @both(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.composite"(%a) <{decomposition = @both, name = "my.both"}> ({
  ^bb0(%b: tensor<f32>):
    "sdy.return"(%b) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "chlo.broadcast_atan2"(%x, %y) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xcomplex<f32>> {
  %0 = "chlo.broadcast_complex"(%x, %y) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xcomplex<f32>>
  return %0 : tensor<2x3xcomplex<f32>>
}
// -----
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "chlo.broadcast_divide"(%x, %y) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "chlo.broadcast_maximum"(%x, %y) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "chlo.broadcast_minimum"(%x, %y) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "chlo.broadcast_multiply"(%x, %y) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "chlo.broadcast_next_after"(%x, %y) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "chlo.broadcast_polygamma"(%x, %y) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "chlo.broadcast_power"(%x, %y) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "chlo.broadcast_remainder"(%x, %y) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "chlo.broadcast_subtract"(%x, %y) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
func.func @main(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = "chlo.broadcast_and"(%x, %y) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
// -----
func.func @main(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = "chlo.broadcast_or"(%x, %y) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
// -----
func.func @main(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = "chlo.broadcast_xor"(%x, %y) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
// -----
func.func @main(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = "chlo.broadcast_shift_left"(%x, %y) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
// -----
func.func @main(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = "chlo.broadcast_shift_right_arithmetic"(%x, %y) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
// -----
func.func @main(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = "chlo.broadcast_shift_right_logical"(%x, %y) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
// -----
func.func @main(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi1> {
  %0 = "chlo.broadcast_compare"(%x, %y) <{broadcast_dimensions = array<i64: 0>, comparison_direction = #chlo<comparison_direction LT>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}
// -----
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %two = stablehlo.constant dense<2.0> : tensor<2x3xf32>
  %p = stablehlo.multiply %x, %x : tensor<2x3xf32>
  %s = stablehlo.add %p, %two : tensor<2x3xf32>
  %e = stablehlo.exponential %y : tensor<2x3xf32>
  %0 = "chlo.broadcast_zeta"(%s, %e) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func private @unused(%a: tensor<2xsi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2xsi8> {
  %0 = sdy.all_gather [{"x"}] %a out_sharding=<@mesh, [{}]> : tensor<2xsi8>
  return %0 : tensor<2xsi8>
}
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func private @unused(%a: tensor<2xsi8>) -> tensor<2xsi8> {
  %0 = sdy.all_reduce {"x"} %a out_sharding=<@mesh, [{}]> : tensor<2xsi8>
  return %0 : tensor<2xsi8>
}
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func private @unused(%a: tensor<2xsi8>) -> tensor<2xsi8> {
  %0 = sdy.all_slice [{"x"}] %a out_sharding=<@mesh, [{"x"}]> : tensor<2xsi8>
  return %0 : tensor<2xsi8>
}
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func private @unused(%a: tensor<2x2xsi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<2x2xsi8> {
  %0 = sdy.all_to_all [{"x"}: 0->1] %a out_sharding=<@mesh, [{}, {"x"}]> : tensor<2x2xsi8>
  return %0 : tensor<2x2xsi8>
}
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func private @unused(%a: tensor<2xsi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2xsi8> {
  %0 = sdy.collective_permute %a out_sharding=<@mesh, [{"y"}]> : tensor<2xsi8>
  return %0 : tensor<2xsi8>
}
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func private @unused(%a: tensor<2xsi8>) -> tensor<2xsi8> {
  %0 = sdy.reduce_scatter [{"x"}] %a out_sharding=<@mesh, [{"x"}]> : tensor<2xsi8>
  return %0 : tensor<2xsi8>
}
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func private @unused(%a: tensor<2xsi8> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> tensor<2xsi8> {
  %0 = sdy.replicated_to_unreduced {"x"} %a out_sharding=<@mesh, [{}], unreduced={"x"}> : tensor<2xsi8>
  return %0 : tensor<2xsi8>
}
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func private @unused(%a: tensor<2xsi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2xsi8> {
  %0 = sdy.sharded_to_unreduced [{"x"}] %a out_sharding=<@mesh, [{}], unreduced={"x"}> : tensor<2xsi8>
  return %0 : tensor<2xsi8>
}
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func private @unused(%a: tensor<2xsi8>) -> tensor<2xsi8> {
  sdy.sharding_group %a group_id=0 : tensor<2xsi8>
  %0 = sdy.propagation_barrier %a allowed_direction=NONE : tensor<2xsi8>
  return %0 : tensor<2xsi8>
}
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @main(%a: tensor<4x4xf32>, %s: tensor<2x2xf32>, %i: tensor<f32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f64>):
    %t = stablehlo.convert %q : (tensor<f64>) -> tensor<f32>
    %x = stablehlo.add %p, %t : tensor<f32>
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
