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
// error@5:3: sdy.manual_computation manual_axes: types = [tensor<6x8xf32>], manual_axes = {"y"}
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
// error@5:8: sdy.named_computation body: body = (tensor<8x4xf32>) -> tensor<8x4xf32>
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation<"f">(%a) (%b: tensor<8x4xf32>) {
    sdy.return %b : tensor<8x4xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
