sdy.mesh @one = <["x"=1]>
sdy.mesh @mesh = <["x"=2, "y"=4]>

// The body computes with the operands.
func.func @named_computation() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0:2 = sdy.named_computation<"double">(%a) out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{}]>] (%b: tensor<2xi64>) {
    %1 = stablehlo.add %b, %b : tensor<2xi64>
    sdy.return %1, %b : tensor<2xi64>, tensor<2xi64>
  } : (tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
  check.expect_eq_const %0#0, dense<[2, 4]> : tensor<2xi64>
  check.expect_eq_const %0#1, dense<[1, 2]> : tensor<2xi64>
  return
}

// On an axis of one device the piece is the whole tensor.
func.func @manual_computation() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = sdy.manual_computation(%a) in_shardings=[<@one, [{"x"}]>] out_shardings=[<@one, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xi64>) {
    %1 = stablehlo.add %b, %b : tensor<2xi64>
    sdy.return %1 : tensor<2xi64>
  } : (tensor<2xi64>) -> tensor<2xi64>
  check.expect_eq_const %0, dense<[2, 4]> : tensor<2xi64>
  return
}

// Without manual axes as well.
func.func @no_manual_axes() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{?}]>] manual_axes={} (%b: tensor<2xi64>) {
    sdy.return %b : tensor<2xi64>
  } : (tensor<2xi64>) -> tensor<2xi64>
  check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi64>
  return
}
