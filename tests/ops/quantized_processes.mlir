// Processes exchange stored values; q stands for (q - 1) * 0.5, as does the wider w.
// Two processes hold [1, 60] and [3, 60], stored as [3, 121] and [7, 121].
!q = !quant.uniform<i8:f32, 0.5:1>
!w = !quant.uniform<i32:f32, 0.5:1>

func.func private @one() -> tensor<2x!q> {
  %0 = stablehlo.constant() <{value = dense<[3, 121]> : tensor<2xi8>}> : () -> tensor<2x!q>
  return %0 : tensor<2x!q>
}

func.func private @other() -> tensor<2x!q> {
  %0 = stablehlo.constant() <{value = dense<[7, 121]> : tensor<2xi8>}> : () -> tensor<2x!q>
  return %0 : tensor<2x!q>
}

func.func private @all_gather(%x: tensor<2x!q>) -> tensor<4x!q> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x!q>) -> tensor<4x!q>
  return %0 : tensor<4x!q>
}

// Side by side.
func.func @all_gather_quantized() {
  %a = func.call @one() : () -> tensor<2x!q>
  %b = func.call @other() : () -> tensor<2x!q>
  %r:2 = "interpreter.run_parallel"(%a, %b) <{programs = [[@all_gather], [@all_gather]]}> : (tensor<2x!q>, tensor<2x!q>) -> (tensor<4x!q>, tensor<4x!q>)
  %0 = stablehlo.bitcast_convert %r#0 : (tensor<4x!q>) -> tensor<4xi8>
  check.expect_eq_const %0, dense<[3, 121, 7, 121]> : tensor<4xi8>
  %1 = stablehlo.bitcast_convert %r#1 : (tensor<4x!q>) -> tensor<4xi8>
  check.expect_eq_const %1, dense<[3, 121, 7, 121]> : tensor<4xi8>
  return
}

func.func private @all_to_all(%x: tensor<2x!q>) -> tensor<2x!q> {
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<2x!q>) -> tensor<2x!q>
  return %0 : tensor<2x!q>
}

// Halves are exchanged.
func.func @all_to_all_quantized() {
  %a = func.call @one() : () -> tensor<2x!q>
  %b = func.call @other() : () -> tensor<2x!q>
  %r:2 = "interpreter.run_parallel"(%a, %b) <{programs = [[@all_to_all], [@all_to_all]]}> : (tensor<2x!q>, tensor<2x!q>) -> (tensor<2x!q>, tensor<2x!q>)
  %0 = stablehlo.bitcast_convert %r#0 : (tensor<2x!q>) -> tensor<2xi8>
  check.expect_eq_const %0, dense<[3, 7]> : tensor<2xi8>
  %1 = stablehlo.bitcast_convert %r#1 : (tensor<2x!q>) -> tensor<2xi8>
  check.expect_eq_const %1, dense<121> : tensor<2xi8>
  return
}

func.func private @all_reduce(%x: tensor<2x!q>) -> tensor<2x!q> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<!q>, %b: tensor<!q>):
    %c = stablehlo.add %a, %b : tensor<!q>
    stablehlo.return %c : tensor<!q>
  }) : (tensor<2x!q>) -> tensor<2x!q>
  return %0 : tensor<2x!q>
}

// 1 + 3 = 4 is stored as 9; 60 + 60 = 120 as 241, in eight bits at most 127.
func.func @all_reduce_quantized() {
  %a = func.call @one() : () -> tensor<2x!q>
  %b = func.call @other() : () -> tensor<2x!q>
  %r:2 = "interpreter.run_parallel"(%a, %b) <{programs = [[@all_reduce], [@all_reduce]]}> : (tensor<2x!q>, tensor<2x!q>) -> (tensor<2x!q>, tensor<2x!q>)
  %0 = stablehlo.bitcast_convert %r#0 : (tensor<2x!q>) -> tensor<2xi8>
  check.expect_eq_const %0, dense<[9, 127]> : tensor<2xi8>
  %1 = stablehlo.bitcast_convert %r#1 : (tensor<2x!q>) -> tensor<2xi8>
  check.expect_eq_const %1, dense<[9, 127]> : tensor<2xi8>
  return
}

func.func private @reduce_scatter(%x: tensor<2x!q>) -> tensor<1x!w> {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<!w>, %b: tensor<!w>):
    %c = stablehlo.add %a, %b : tensor<!w>
    stablehlo.return %c : tensor<!w>
  }) : (tensor<2x!q>) -> tensor<1x!w>
  return %0 : tensor<1x!w>
}

// The wider type has room for 120.
func.func @reduce_scatter_quantized() {
  %a = func.call @one() : () -> tensor<2x!q>
  %b = func.call @other() : () -> tensor<2x!q>
  %r:2 = "interpreter.run_parallel"(%a, %b) <{programs = [[@reduce_scatter], [@reduce_scatter]]}> : (tensor<2x!q>, tensor<2x!q>) -> (tensor<1x!w>, tensor<1x!w>)
  %0 = stablehlo.bitcast_convert %r#0 : (tensor<1x!w>) -> tensor<1xi32>
  check.expect_eq_const %0, dense<9> : tensor<1xi32>
  %1 = stablehlo.bitcast_convert %r#1 : (tensor<1x!w>) -> tensor<1xi32>
  check.expect_eq_const %1, dense<241> : tensor<1xi32>
  return
}

func.func private @collective_permute(%x: tensor<2x!q>) -> tensor<2x!q> {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x!q>) -> tensor<2x!q>
  return %0 : tensor<2x!q>
}

// Nobody sends to the first: it has zero, stored as 1.
func.func @collective_permute_quantized() {
  %a = func.call @one() : () -> tensor<2x!q>
  %b = func.call @other() : () -> tensor<2x!q>
  %r:2 = "interpreter.run_parallel"(%a, %b) <{programs = [[@collective_permute], [@collective_permute]]}> : (tensor<2x!q>, tensor<2x!q>) -> (tensor<2x!q>, tensor<2x!q>)
  %0 = stablehlo.bitcast_convert %r#0 : (tensor<2x!q>) -> tensor<2xi8>
  check.expect_eq_const %0, dense<1> : tensor<2xi8>
  %1 = stablehlo.bitcast_convert %r#1 : (tensor<2x!q>) -> tensor<2xi8>
  check.expect_eq_const %1, dense<[3, 121]> : tensor<2xi8>
  return
}

func.func private @collective_broadcast(%x: tensor<2x!q>) -> tensor<2x!q> {
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<1> : tensor<1x1xi64>}> : (tensor<2x!q>) -> tensor<2x!q>
  return %0 : tensor<2x!q>
}

// The first is in no group: it has zero.
func.func @collective_broadcast_quantized() {
  %a = func.call @one() : () -> tensor<2x!q>
  %b = func.call @other() : () -> tensor<2x!q>
  %r:2 = "interpreter.run_parallel"(%a, %b) <{programs = [[@collective_broadcast], [@collective_broadcast]]}> : (tensor<2x!q>, tensor<2x!q>) -> (tensor<2x!q>, tensor<2x!q>)
  %0 = stablehlo.bitcast_convert %r#0 : (tensor<2x!q>) -> tensor<2xi8>
  check.expect_eq_const %0, dense<1> : tensor<2xi8>
  %1 = stablehlo.bitcast_convert %r#1 : (tensor<2x!q>) -> tensor<2xi8>
  check.expect_eq_const %1, dense<[7, 121]> : tensor<2xi8>
  return
}

func.func private @cross_replica_sum(%x: tensor<2x!q>) -> tensor<2x!q> {
  %0 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x!q>) -> tensor<2x!q>
  return %0 : tensor<2x!q>
}

// As all_reduce.
func.func @cross_replica_sum_quantized() {
  %a = func.call @one() : () -> tensor<2x!q>
  %b = func.call @other() : () -> tensor<2x!q>
  %r:2 = "interpreter.run_parallel"(%a, %b) <{programs = [[@cross_replica_sum], [@cross_replica_sum]]}> : (tensor<2x!q>, tensor<2x!q>) -> (tensor<2x!q>, tensor<2x!q>)
  %0 = stablehlo.bitcast_convert %r#0 : (tensor<2x!q>) -> tensor<2xi8>
  check.expect_eq_const %0, dense<[9, 127]> : tensor<2xi8>
  %1 = stablehlo.bitcast_convert %r#1 : (tensor<2x!q>) -> tensor<2xi8>
  check.expect_eq_const %1, dense<[9, 127]> : tensor<2xi8>
  return
}

func.func private @later(%x: tensor<2x!q>) -> tensor<2x!w> {
  %future = "stablehlo.async_start"(%x) ({
  ^bb0(%y: tensor<2x!q>):
    %1 = "stablehlo.all_reduce"(%y) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<!w>, %b: tensor<!w>):
      %c = stablehlo.add %a, %b : tensor<!w>
      stablehlo.return %c : tensor<!w>
    }) : (tensor<2x!q>) -> tensor<2x!w>
    stablehlo.return %1 : tensor<2x!w>
  }) : (tensor<2x!q>) -> !stablehlo.future<tensor<2x!w>>
  %0 = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<2x!w>>) -> tensor<2x!w>
  return %0 : tensor<2x!w>
}

// A future of quantized elements.
func.func @async_quantized() {
  %a = func.call @one() : () -> tensor<2x!q>
  %b = func.call @other() : () -> tensor<2x!q>
  %r:2 = "interpreter.run_parallel"(%a, %b) <{programs = [[@later], [@later]]}> : (tensor<2x!q>, tensor<2x!q>) -> (tensor<2x!w>, tensor<2x!w>)
  %0 = stablehlo.bitcast_convert %r#0 : (tensor<2x!w>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[9, 241]> : tensor<2xi32>
  %1 = stablehlo.bitcast_convert %r#1 : (tensor<2x!w>) -> tensor<2xi32>
  check.expect_eq_const %1, dense<[9, 241]> : tensor<2xi32>
  return
}

// A scale for each slice: what is sent stands for (3 - 1) * 0.5 and 8 * 0.25.
!p = !quant.uniform<i8:f32:0, {0.5:1, 0.25}>

func.func private @slices() -> tensor<2x!p> {
  %0 = stablehlo.constant() <{value = dense<[3, 8]> : tensor<2xi8>}> : () -> tensor<2x!p>
  return %0 : tensor<2x!p>
}

func.func private @sender() {
  %x = func.call @slices() : () -> tensor<2x!p>
  %token = stablehlo.after_all : !stablehlo.token
  %0 = "stablehlo.send"(%x, %token) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x!p>, !stablehlo.token) -> !stablehlo.token
  return
}

func.func private @receiver() -> tensor<2xf32> {
  %token = stablehlo.after_all : !stablehlo.token
  %0:2 = "stablehlo.recv"(%token) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (!stablehlo.token) -> (tensor<2x!p>, !stablehlo.token)
  %1 = stablehlo.uniform_dequantize %0#0 : (tensor<2x!p>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

func.func @send_and_recv_quantized() {
  %r = "interpreter.run_parallel"() <{programs = [[@sender], [@receiver]]}> : () -> tensor<2xf32>
  check.expect_eq_const %r, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}

func.func private @reads_and_writes() -> tensor<2xf32> {
  %token = stablehlo.after_all : !stablehlo.token
  %0:2 = "stablehlo.infeed"(%token) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<2x!p>, !stablehlo.token)
  %1 = "stablehlo.outfeed"(%0#0, %0#1) <{outfeed_config = ""}> : (tensor<2x!p>, !stablehlo.token) -> !stablehlo.token
  %2 = stablehlo.uniform_dequantize %0#0 : (tensor<2x!p>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

func.func @infeed_and_outfeed_quantized() {
  %r = "interpreter.run_parallel"() <{infeed = [@slices], programs = [[@reads_and_writes]]}> : () -> tensor<2xf32>
  check.expect_eq_const %r, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}
