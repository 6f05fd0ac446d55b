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

// Each device computes with its piece; all_gather and all_reduce meet the others.
func.func @manual_computation_of_several_devices() {
  %a = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
  %0:3 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {"y"}]>, <@mesh, [{"y", "x"}]>] manual_axes={"x", "y"} (%b: tensor<1x1xi64>) {
    %1 = "stablehlo.all_gather"(%b) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<1x1xi64>) -> tensor<1x4xi64>
    %2 = "stablehlo.all_reduce"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%c: tensor<i64>, %d: tensor<i64>):
      %5 = stablehlo.add %c, %d : tensor<i64>
      stablehlo.return %5 : tensor<i64>
    }) : (tensor<1x1xi64>) -> tensor<1x1xi64>
    %3 = stablehlo.partition_id : tensor<ui32>
    %4 = stablehlo.reshape %3 : (tensor<ui32>) -> tensor<1xui32>
    sdy.return %1, %2, %4 : tensor<1x4xi64>, tensor<1x1xi64>, tensor<1xui32>
  } : (tensor<2x4xi64>) -> (tensor<2x4xi64>, tensor<1x4xi64>, tensor<8xui32>)
  check.expect_eq_const %0#0, dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
  check.expect_eq_const %0#1, dense<[[6, 8, 10, 12]]> : tensor<1x4xi64>
  check.expect_eq_const %0#2, dense<[0, 4, 1, 5, 2, 6, 3, 7]> : tensor<8xui32>
  return
}

// A part of an axis divides a dimension; the rest of the axis holds copies.
func.func @manual_computation_by_parts_of_an_axis() {
  %a = stablehlo.constant dense<[10, 20]> : tensor<2xui32>
  %0:2 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"y":(2)2}]>] out_shardings=[<@mesh, [{"x", "y"}]>, <@mesh, [{"y":(1)2}]>] manual_axes={"x", "y"} (%b: tensor<1xui32>) {
    %1 = stablehlo.partition_id : tensor<ui32>
    %2 = stablehlo.reshape %1 : (tensor<ui32>) -> tensor<1xui32>
    %3 = stablehlo.add %b, %2 : tensor<1xui32>
    sdy.return %3, %2 : tensor<1xui32>, tensor<1xui32>
  } : (tensor<2xui32>) -> (tensor<8xui32>, tensor<2xui32>)
  check.expect_eq_const %0#0, dense<[10, 21, 12, 23, 14, 25, 16, 27]> : tensor<8xui32>
  check.expect_eq_const %0#1, dense<[0, 2]> : tensor<2xui32>
  return
}

// The inner computation divides what the outer one left whole.
func.func @manual_computation_in_another() {
  %a = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {?}]>] out_shardings=[<@mesh, [{"x"}, {?}]>] manual_axes={"x"} (%b: tensor<1x4xi64>) {
    %1 = sdy.manual_computation(%b) in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"y"} (%c: tensor<1x1xi64>) {
      %2 = "stablehlo.collective_permute"(%c) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4]]> : tensor<8x2xi64>}> : (tensor<1x1xi64>) -> tensor<1x1xi64>
      sdy.return %2 : tensor<1x1xi64>
    } : (tensor<1x4xi64>) -> tensor<1x4xi64>
    %3 = stablehlo.add %1, %b : tensor<1x4xi64>
    sdy.return %3 : tensor<1x4xi64>
  } : (tensor<2x4xi64>) -> tensor<2x4xi64>
  check.expect_eq_const %0, dense<[[5, 3, 5, 7], [13, 11, 13, 15]]> : tensor<2x4xi64>
  return
}
