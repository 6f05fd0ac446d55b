// Each of four processes reads its partition id; all_reduce adds the ids: 0 + 1 + 2 + 3.
func.func @main() -> tensor<ui32> {
  %me = stablehlo.partition_id : tensor<ui32>
  %sum = "stablehlo.all_reduce"(%me) <{
    replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
    use_global_device_ids
  }> ({
    ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
      %c = stablehlo.add %a, %b : tensor<ui32>
      stablehlo.return %c : tensor<ui32>
  }) : (tensor<ui32>) -> tensor<ui32>
  return %sum : tensor<ui32>
}
