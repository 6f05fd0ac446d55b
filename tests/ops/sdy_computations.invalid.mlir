// manual_computation_counts_fit
// error@5:3: sdy.manual_computation shardings: in_shardings = [2, 1]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] out_shardings=[] manual_axes={"x"} (%b: tensor<4x8xf32>) {
    sdy.return
  } : (tensor<8x8xf32>) -> ()
  return
}
// -----
// manual_computation_manual_axes_first
// error@5:3: sdy.manual_computation manual_axes: manual_axes = {"x"}
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  sdy.manual_computation(%a) in_shardings=[<@mesh, [{"y", "x"}, {}]>] out_shardings=[] manual_axes={"x"} (%b: tensor<4x8xf32>) {
    sdy.return
  } : (tensor<8x8xf32>) -> ()
  return
}
// -----
// manual_computation_divisible
// error@5:3: sdy.manual_computation manual_axes: types = [tensor<6x8xf32>], manual_axes = {"y"}, pad_to = [tensor<8x8xf32>]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<6x8xf32>) {
  sdy.manual_computation(%a) in_shardings=[<@mesh, [{"y"}, {}]>] out_shardings=[] manual_axes={"y"} (%b: tensor<1x8xf32>) {
    sdy.return
  } : (tensor<6x8xf32>) -> ()
  return
}
// -----
// manual_computation_body_type
// error@5:3: sdy.manual_computation body: body = (tensor<8x8xf32>) -> (), expected = [tensor<4x8xf32>]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[] manual_axes={"x"} (%b: tensor<8x8xf32>) {
    sdy.return
  } : (tensor<8x8xf32>) -> ()
  return
}
// -----
// manual_computation_axes_are_free
// error@6:10: sdy.sharding_constraint axes: axes = [x]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[] manual_axes={"x"} (%b: tensor<4x8xf32>) {
    %1 = sdy.sharding_constraint %b <@mesh, [{"x"}, {}]> : tensor<4x8xf32>
    sdy.return
  } : (tensor<8x8xf32>) -> ()
  return
}
// -----
// manual_computation_body_returns
// error@5:3: sdy.manual_computation body: terminator = stablehlo.return
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[] manual_axes={"x"} (%b: tensor<4x8xf32>) {
    stablehlo.return
  } : (tensor<8x8xf32>) -> ()
  return
}
// -----
// named_computation_counts_fit
// error@5:8: sdy.named_computation shardings: in_shardings = [0, 1]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation<"f">(%a) in_shardings=[] (%b: tensor<8x8xf32>) {
    sdy.return %b : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
// named_computation_body_type
// error@5:8: sdy.named_computation body: body = (tensor<8x4xf32>) -> tensor<8x4xf32>, expected = (tensor<8x8xf32>) -> tensor<8x8xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation<"f">(%a) (%b: tensor<8x4xf32>) {
    sdy.return %b : tensor<8x4xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
// manual_computation_piece_of_a_token
// error@5:8: sdy.manual_computation body: body = (tensor<2xf32>) -> tensor<2xf32>, expected = [!stablehlo.token, !stablehlo.token]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: !stablehlo.token) {
  %0 = "sdy.manual_computation"(%a) <{in_shardings = #sdy.sharding_per_value<[<@mesh, []>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, []>]>}> ({
  ^bb0(%b: tensor<2xf32>):
    "sdy.return"(%b) : (tensor<2xf32>) -> ()
  }) : (!stablehlo.token) -> !stablehlo.token
  return
}
// -----
// one_mesh
// error@6:8: sdy.manual_computation mesh: meshes = [<["x"=2, "y"=4]>, <["x"=2]>]
sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @two = <["x"=2]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@two, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x8xf32>) {
    %1 = stablehlo.custom_call @f(%b) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
// one_mesh_with_axes
// error@5:8: sdy.manual_computation mesh: meshes = []
sdy.mesh @empty = <[]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@empty, [{}, {}]>] out_shardings=[<@empty, [{}, {}]>] manual_axes={"x"} (%b: tensor<8x8xf32>) {
    %1 = stablehlo.custom_call @f(%b) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
// manual_axes_exist
// error@5:8: sdy.manual_computation manual_axes: axes = [w]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "w"} (%b: tensor<4x8xf32>) {
    %1 = stablehlo.custom_call @f(%b) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
// sdy.return ends a computation
// error@7:5: sdy.return parent: parent = stablehlo.sort
func.func @main(%a: tensor<4xi32>) {
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "sdy.return"(%1) : (tensor<i1>) -> ()
  }) : (tensor<4xi32>) -> tensor<4xi32>
  return
}
// -----
// named_computation_body: a result of no static size
// error@4:8: sdy.named_computation body: body = (tensor<2xf32>) -> tensor<2xf32>, expected = (tensor<2xf32>) -> tensor<?xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = "sdy.named_computation"(%a) <{name = "n"}> ({
  ^bb0(%x: tensor<2xf32>):
    "sdy.return"(%x) : (tensor<2xf32>) -> ()
  }) : (tensor<2xf32>) -> tensor<?xf32>
  return
}
// -----
// manual_computation_body: a piece of no static size
// error@5:8: sdy.manual_computation body: body = (tensor<?xf32>) -> tensor<?xf32>, expected = [tensor<1xf32>, tensor<1xf32>]
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<2xf32>) {
  %0 = "sdy.manual_computation"(%a) <{in_shardings = #sdy.sharding_per_value<[<@m, [{"x"}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@m, [{"x"}]>]>}> ({
  ^bb0(%x: tensor<?xf32>):
    "sdy.return"(%x) : (tensor<?xf32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// named_computation_body: as many types in all, but fewer arguments
// error@4:8: sdy.named_computation body: body = (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>), expected = (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = "sdy.named_computation"(%a, %a) <{name = "n"}> ({
  ^bb0(%x: tensor<2xf32>):
    "sdy.return"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// manual_computation_body: as many types in all, but fewer arguments
// error@5:8: sdy.manual_computation body: body = (tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>), expected = [tensor<1xf32>, tensor<1xf32>, tensor<1xf32>]
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<2xf32>) {
  %0 = "sdy.manual_computation"(%a, %a) <{in_shardings = #sdy.sharding_per_value<[<@m, [{"x"}]>, <@m, [{"x"}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@m, [{"x"}]>]>}> ({
  ^bb0(%x: tensor<1xf32>):
    "sdy.return"(%x, %x) : (tensor<1xf32>, tensor<1xf32>) -> ()
  }) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
