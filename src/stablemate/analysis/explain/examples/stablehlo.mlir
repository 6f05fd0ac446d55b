// ----- stablehlo.abs
func.func @main() -> tensor<3xi32> {
  %c = stablehlo.constant dense<[-2, 0, 2]> : tensor<3xi32>
  %0 = stablehlo.abs %c : tensor<3xi32>
  return %0 : tensor<3xi32>
}

// ----- stablehlo.add
func.func @main() -> tensor<2x2xi32> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %c_0 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %0 = stablehlo.add %c, %c_0 : tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// ----- stablehlo.after_all
func.func private @writes(%arg0: tensor<2x2x2xi64>) -> tensor<2x2x2xi64> {
  %0 = stablehlo.after_all  : !stablehlo.token
  %1 = "stablehlo.outfeed"(%arg0, %0) <{outfeed_config = ""}> : (tensor<2x2x2xi64>, !stablehlo.token) -> !stablehlo.token
  return %arg0 : tensor<2x2x2xi64>
}
func.func @main() -> tensor<2x2x2xi64> {
  %c = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  %0 = "interpreter.run_parallel"(%c) <{programs = [[@writes]]}> : (tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
  return %0 : tensor<2x2x2xi64>
}

// ----- stablehlo.all_gather
func.func private @all_gather(%arg0: tensor<2x2xi64>, %arg1: tensor<2x2xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>) {
  %0:2 = "stablehlo.all_gather"(%arg0, %arg1) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xi64>, tensor<2x2xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>)
  return %0#0, %0#1 : tensor<2x4xi64>, tensor<2x4xi64>
}
func.func @main() -> (tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>) {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %c_0 = stablehlo.constant dense<[[11, 12], [13, 14]]> : tensor<2x2xi64>
  %c_1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  %c_2 = stablehlo.constant dense<[[15, 16], [17, 18]]> : tensor<2x2xi64>
  %0:4 = "interpreter.run_parallel"(%c, %c_0, %c_1, %c_2) <{programs = [[@all_gather], [@all_gather]]}> : (tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>
}

// ----- stablehlo.all_reduce
func.func private @all_reduce(%arg0: tensor<4xi64>, %arg1: tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>) {
  %0:2 = "stablehlo.all_reduce"(%arg0, %arg1) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%arg2: tensor<i64>, %arg3: tensor<i64>):
    %1 = stablehlo.add %arg2, %arg3 : tensor<i64>
    stablehlo.return %1 : tensor<i64>
  }) : (tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>)
  return %0#0, %0#1 : tensor<4xi64>, tensor<4xi64>
}
func.func @main() -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) {
  %c = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %c_0 = stablehlo.constant dense<[9, 10, 11, 12]> : tensor<4xi64>
  %c_1 = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xi64>
  %c_2 = stablehlo.constant dense<[13, 14, 15, 16]> : tensor<4xi64>
  %0:4 = "interpreter.run_parallel"(%c, %c_0, %c_1, %c_2) <{programs = [[@all_reduce], [@all_reduce]]}> : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>
}

// ----- stablehlo.all_to_all
func.func private @all_to_all(%arg0: tensor<2x4xi64>, %arg1: tensor<2x4xi64>) -> (tensor<4x2xi64>, tensor<4x2xi64>) {
  %0:2 = "stablehlo.all_to_all"(%arg0, %arg1) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<4x2xi64>, tensor<4x2xi64>)
  return %0#0, %0#1 : tensor<4x2xi64>, tensor<4x2xi64>
}
func.func @main() -> (tensor<4x2xi64>, tensor<4x2xi64>, tensor<4x2xi64>, tensor<4x2xi64>) {
  %c = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
  %c_0 = stablehlo.constant dense<[[17, 18, 19, 20], [21, 22, 23, 24]]> : tensor<2x4xi64>
  %c_1 = stablehlo.constant dense<[[9, 10, 11, 12], [13, 14, 15, 16]]> : tensor<2x4xi64>
  %c_2 = stablehlo.constant dense<[[25, 26, 27, 28], [29, 30, 31, 32]]> : tensor<2x4xi64>
  %0:4 = "interpreter.run_parallel"(%c, %c_0, %c_1, %c_2) <{programs = [[@all_to_all], [@all_to_all]]}> : (tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<4x2xi64>, tensor<4x2xi64>, tensor<4x2xi64>, tensor<4x2xi64>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<4x2xi64>, tensor<4x2xi64>, tensor<4x2xi64>, tensor<4x2xi64>
}

// ----- stablehlo.and
func.func @main() -> tensor<2x2xi32> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %c_0 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %0 = stablehlo.and %c, %c_0 : tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// ----- stablehlo.async_done
func.func @main() -> tensor<2xf32> {
  %cst = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  %0 = "stablehlo.async_start"(%cst) ({
  ^bb0(%arg0: tensor<3xf32>):
    %2 = stablehlo.slice %arg0 [1:3] : (tensor<3xf32>) -> tensor<2xf32>
    stablehlo.return %2 : tensor<2xf32>
  }) : (tensor<3xf32>) -> !stablehlo.future<tensor<2xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// ----- stablehlo.async_start
func.func @main() -> tensor<2xf32> {
  %cst = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  %0 = "stablehlo.async_start"(%cst) ({
  ^bb0(%arg0: tensor<3xf32>):
    %2 = stablehlo.slice %arg0 [1:3] : (tensor<3xf32>) -> tensor<2xf32>
    stablehlo.return %2 : tensor<2xf32>
  }) : (tensor<3xf32>) -> !stablehlo.future<tensor<2xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// ----- stablehlo.atan2
func.func @main() -> tensor<3xf64> {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00]> : tensor<3xf64>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<3xf64>
  %0 = stablehlo.atan2 %cst, %cst_0 : tensor<3xf64>
  return %0 : tensor<3xf64>
}

// ----- stablehlo.batch_norm_grad
func.func @main() -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %cst = stablehlo.constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]], [[3.000000e+00, 4.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<2x2x2xf64>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<2xf64>
  %cst_1 = stablehlo.constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf64>
  %cst_2 = stablehlo.constant dense<1.000000e-01> : tensor<2x2x2xf64>
  %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%cst, %cst_0, %cst_1, %cst_0, %cst_2) <{epsilon = 0.000000e+00 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2x2x2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  return %grad_operand, %grad_scale, %grad_offset : tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>
}

// ----- stablehlo.batch_norm_inference
func.func @main() -> tensor<2x2x2xf64> {
  %cst = stablehlo.constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]], [[3.000000e+00, 4.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<2x2x2xf64>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<2xf64>
  %cst_1 = stablehlo.constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf64>
  %0 = "stablehlo.batch_norm_inference"(%cst, %cst_0, %cst_0, %cst_1, %cst_0) <{epsilon = 0.000000e+00 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2x2x2xf64>
  return %0 : tensor<2x2x2xf64>
}

// ----- stablehlo.batch_norm_training
func.func @main() -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %cst = stablehlo.constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]], [[3.000000e+00, 4.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<2x2x2xf64>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<2xf64>
  %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%cst, %cst_0, %cst_0) <{epsilon = 0.000000e+00 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  return %output, %batch_mean, %batch_var : tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>
}

// ----- stablehlo.bitcast_convert
func.func @main() -> tensor<4xi16> {
  %cst = stablehlo.constant dense<3.5127005640885037E-303> : tensor<f64>
  %0 = stablehlo.bitcast_convert %cst : (tensor<f64>) -> tensor<4xi16>
  return %0 : tensor<4xi16>
}

// ----- stablehlo.broadcast
func.func @main() -> tensor<3x1x2xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.broadcast %c, sizes = [3, 1] : (tensor<2xi32>) -> tensor<3x1x2xi32>
  return %0 : tensor<3x1x2xi32>
}

// ----- stablehlo.broadcast_in_dim
func.func @main() -> tensor<2x3x2xi32> {
  %c = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [2, 1] : (tensor<1x3xi32>) -> tensor<2x3x2xi32>
  return %0 : tensor<2x3x2xi32>
}

// ----- stablehlo.case
func.func @main() -> (tensor<2xi64>, tensor<2xi64>) {
  %c = stablehlo.constant dense<-1> : tensor<i32>
  %c_0 = stablehlo.constant dense<0> : tensor<2xi64>
  %c_1 = stablehlo.constant dense<1> : tensor<2xi64>
  %0:2 = "stablehlo.case"(%c) ({
    stablehlo.return %c_0, %c_0 : tensor<2xi64>, tensor<2xi64>
  }, {
    stablehlo.return %c_1, %c_1 : tensor<2xi64>, tensor<2xi64>
  }) : (tensor<i32>) -> (tensor<2xi64>, tensor<2xi64>)
  return %0#0, %0#1 : tensor<2xi64>, tensor<2xi64>
}

// ----- stablehlo.cbrt
func.func @main() -> tensor<4xf64> {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 8.000000e+00, 2.700000e+01]> : tensor<4xf64>
  %0 = stablehlo.cbrt %cst : tensor<4xf64>
  return %0 : tensor<4xf64>
}

// ----- stablehlo.ceil
func.func @main() -> tensor<5xf32> {
  %cst = stablehlo.constant dense<[-8.166000e-01, -2.530000e-01, 2.530000e-01, 8.166000e-01, 2.000000e+00]> : tensor<5xf32>
  %0 = stablehlo.ceil %cst : tensor<5xf32>
  return %0 : tensor<5xf32>
}

// ----- stablehlo.cholesky
func.func @main() -> (tensor<3x3xf32>, tensor<3x3xf32>) {
  %cst = stablehlo.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [2.000000e+00, 2.000000e+01, 2.600000e+01], [3.000000e+00, 2.600000e+01, 7.000000e+01]]> : tensor<3x3xf32>
  %0 = stablehlo.cholesky %cst, lower = true : tensor<3x3xf32>
  %1 = stablehlo.cholesky %cst : tensor<3x3xf32>
  return %0, %1 : tensor<3x3xf32>, tensor<3x3xf32>
}

// ----- stablehlo.clamp
func.func @main() -> tensor<3xi32> {
  %c = stablehlo.constant dense<[5, 10, 15]> : tensor<3xi32>
  %c_0 = stablehlo.constant dense<[3, 13, 23]> : tensor<3xi32>
  %c_1 = stablehlo.constant dense<[10, 15, 20]> : tensor<3xi32>
  %0 = stablehlo.clamp %c, %c_0, %c_1 : tensor<3xi32>
  return %0 : tensor<3xi32>
}

// ----- stablehlo.collective_broadcast
func.func private @collective_broadcast(%arg0: tensor<1x2xi64>) -> tensor<1x2xi64> {
  %0 = "stablehlo.collective_broadcast"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>}> : (tensor<1x2xi64>) -> tensor<1x2xi64>
  return %0 : tensor<1x2xi64>
}
func.func @main() -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) {
  %c = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %c_0 = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
  %c_1 = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
  %c_2 = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
  %0:4 = "interpreter.run_parallel"(%c, %c_0, %c_1, %c_2) <{programs = [[@collective_broadcast], [@collective_broadcast], [@collective_broadcast], [@collective_broadcast]]}> : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>
}

// ----- stablehlo.collective_permute
func.func private @collective_permute_self(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<1> : tensor<1x2xi64>}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @main() -> (tensor<f32>, tensor<f32>) {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %0:2 = "interpreter.run_parallel"(%cst, %cst_0) <{programs = [[@collective_permute_self], [@collective_permute_self]]}> : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}

// ----- stablehlo.collective_reduce
func.func private @collective_reduce(%arg0: tensor<1x2xi64>) -> tensor<1x2xi64> {
  %0 = "stablehlo.collective_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
  ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
    %1 = stablehlo.add %arg1, %arg2 : tensor<i64>
    stablehlo.return %1 : tensor<i64>
  }) : (tensor<1x2xi64>) -> tensor<1x2xi64>
  return %0 : tensor<1x2xi64>
}
func.func @main() -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) {
  %c = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %c_0 = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
  %c_1 = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
  %c_2 = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
  %0:4 = "interpreter.run_parallel"(%c, %c_0, %c_1, %c_2) <{programs = [[@collective_reduce], [@collective_reduce], [@collective_reduce], [@collective_reduce]]}> : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>
}

// ----- stablehlo.compare
func.func @main() -> tensor<2xi1> {
  %cst = stablehlo.constant dense<[1.000000e+00, 3.000000e+00]> : tensor<2xf32>
  %cst_0 = stablehlo.constant dense<[1.100000e+00, 2.900000e+00]> : tensor<2xf32>
  %0 = stablehlo.compare LT, %cst, %cst_0, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// ----- stablehlo.complex
func.func @main() -> tensor<2xcomplex<f64>> {
  %cst = stablehlo.constant dense<[1.000000e+00, 3.000000e+00]> : tensor<2xf64>
  %cst_0 = stablehlo.constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf64>
  %0 = stablehlo.complex %cst, %cst_0 : tensor<2xcomplex<f64>>
  return %0 : tensor<2xcomplex<f64>>
}

// ----- stablehlo.composite
func.func private @twice(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @both(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  return %arg1, %arg0 : tensor<2xf32>, tensor<2xf32>
}
func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %cst = stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %0 = stablehlo.composite "my.twice" %cst {composite_attributes = {n = 2 : i64}, decomposition = @twice, version = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  %1:2 = stablehlo.composite "my.both" %cst, %0 ({
  ^bb0(%arg0: tensor<f32>):
    stablehlo.return %arg0 : tensor<f32>
  }) {decomposition = @both} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0, %1#0, %1#1 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// ----- stablehlo.concatenate
func.func @main() -> tensor<4x2xi64> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %c_0 = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
  %0 = stablehlo.concatenate %c, %c_0, dim = 0 : (tensor<3x2xi64>, tensor<1x2xi64>) -> tensor<4x2xi64>
  return %0 : tensor<4x2xi64>
}

// ----- stablehlo.constant
func.func @main() -> tensor<4xf32> {
  %cst = stablehlo.constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %0 = stablehlo.reshape %cst : (tensor<2x2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ----- stablehlo.convert
func.func @main() -> tensor<2xf8E4M3FN> {
  %c = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %0 = stablehlo.convert %c : (tensor<2xi1>) -> tensor<2xf8E4M3FN>
  return %0 : tensor<2xf8E4M3FN>
}

// ----- stablehlo.convolution
func.func @main() -> tensor<1x2x2x1xi64> {
  %c = stablehlo.constant dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi64>
  %c_0 = stablehlo.constant dense<1> : tensor<3x3x1x1xi64>
  %0 = stablehlo.convolution(%c, %c_0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [4, 4], pad = [[0, 0], [0, 0]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>) -> tensor<1x2x2x1xi64>
  return %0 : tensor<1x2x2x1xi64>
}

// ----- stablehlo.cosine
func.func @main() -> tensor<2x2xf32> {
  %cst = stablehlo.constant dense<[[0.000000e+00, 1.57079637], [3.14159274, 4.71238899]]> : tensor<2x2xf32>
  %0 = stablehlo.cosine %cst : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// ----- stablehlo.count_leading_zeros
func.func @main() -> tensor<2x2xi64> {
  %c = stablehlo.constant dense<[[0, 1], [128, -1]]> : tensor<2x2xi64>
  %0 = stablehlo.count_leading_zeros %c : tensor<2x2xi64>
  return %0 : tensor<2x2xi64>
}

// ----- stablehlo.create_token
func.func @main() -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %c_0 = stablehlo.constant dense<2> : tensor<i32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  %c_2 = stablehlo.constant dense<1> : tensor<i32>
  %c_3 = stablehlo.constant dense<2> : tensor<i32>
  %c_4 = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.create_token : !stablehlo.token
  %1:5 = stablehlo.while(%iterArg = %c, %iterArg_5 = %c_0, %iterArg_6 = %c_1, %iterArg_7 = %c_1, %iterArg_8 = %0) : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, !stablehlo.token
  cond {
    %2 = stablehlo.compare LT, %iterArg_7, %c_3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %2:4 = stablehlo.while(%iterArg_9 = %iterArg, %iterArg_10 = %iterArg_5, %iterArg_11 = %c_1, %iterArg_12 = %iterArg_6) : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
    cond {
      %4 = stablehlo.compare LT, %iterArg_11, %c_4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4 = stablehlo.add %iterArg_11, %c_2 : tensor<i32>
      %5 = stablehlo.add %iterArg_12, %c_2 : tensor<i32>
      stablehlo.return %iterArg_10, %iterArg_9, %4, %5 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
    }
    %3 = stablehlo.add %iterArg_7, %c_2 : tensor<i32>
    stablehlo.return %2#0, %2#1, %2#3, %3, %iterArg_8 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, !stablehlo.token
  }
  return %1#0, %1#1, %1#2 : tensor<i32>, tensor<i32>, tensor<i32>
}

// ----- stablehlo.cross-replica-sum
func.func private @cross_replica_sum(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.cross-replica-sum"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @main() -> (tensor<2xf32>, tensor<2xf32>) {
  %cst = stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %cst_0 = stablehlo.constant dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
  %0:2 = "interpreter.run_parallel"(%cst, %cst_0) <{programs = [[@cross_replica_sum], [@cross_replica_sum]]}> : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}

// ----- stablehlo.custom_call
func.func @main() -> tensor<2xf32> {
  %cst = stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %0 = stablehlo.custom_call @Sharding(%cst) {mhlo.sharding = "{replicated}"} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.custom_call @annotate_device_placement(%0) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// ----- stablehlo.divide
func.func @main() -> tensor<4xf32> {
  %cst = stablehlo.constant dense<[1.700000e+01, -1.700000e+01, 1.700000e+01, -1.700000e+01]> : tensor<4xf32>
  %cst_0 = stablehlo.constant dense<[3.000000e+00, 3.000000e+00, -3.000000e+00, -3.000000e+00]> : tensor<4xf32>
  %0 = stablehlo.divide %cst, %cst_0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ----- stablehlo.dot
func.func @main() -> (tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %c_0 = stablehlo.constant dense<[[3, 4], [5, 6]]> : tensor<2x2xi32>
  %0 = stablehlo.dot %c, %c : (tensor<2xi32>, tensor<2xi32>) -> tensor<i32>
  %1 = stablehlo.dot %c_0, %c : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %2 = stablehlo.dot %c, %c_0 : (tensor<2xi32>, tensor<2x2xi32>) -> tensor<2xi32>
  %3 = stablehlo.dot %c_0, %c_0, precision = [DEFAULT, HIGHEST] : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  return %0, %1, %2, %3 : tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>
}

// ----- stablehlo.dot_general
func.func @main() -> (tensor<2x1x3x2xf32>, tensor<1x3x2xf32>) {
  %cst = stablehlo.constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]]> : tensor<1x3x2xf32>
  %cst_0 = stablehlo.constant dense<[[1.000000e+00, 1.000000e+01], [2.000000e+00, 2.000000e+01]]> : tensor<2x2xf32>
  %0 = stablehlo.dot_general %cst, %cst_0, batching_dims = [2] x [1], contracting_dims = [] x [] : (tensor<1x3x2xf32>, tensor<2x2xf32>) -> tensor<2x1x3x2xf32>
  %1 = stablehlo.dot_general %cst, %cst_0, contracting_dims = [2] x [0] : (tensor<1x3x2xf32>, tensor<2x2xf32>) -> tensor<1x3x2xf32>
  return %0, %1 : tensor<2x1x3x2xf32>, tensor<1x3x2xf32>
}

// ----- stablehlo.dynamic_broadcast_in_dim
func.func @main() -> tensor<2x3x2xi64> {
  %c = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi64>
  %c_0 = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %c, %c_0, dims = [2, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<1x3xi64>, tensor<3xi64>) -> tensor<2x3x2xi64>
  return %0 : tensor<2x3x2xi64>
}

// ----- stablehlo.dynamic_conv
func.func @main() -> tensor<1x2x2x1xi64> {
  %c = stablehlo.constant dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi64>
  %c_0 = stablehlo.constant dense<1> : tensor<3x3x1x1xi64>
  %c_1 = stablehlo.constant dense<1> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%c, %c_0, %c_1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 2>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 4, 4>}> : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>, tensor<2x2xi64>) -> tensor<1x2x2x1xi64>
  return %0 : tensor<1x2x2x1xi64>
}

// ----- stablehlo.dynamic_gather
func.func @main() -> tensor<2x3x2x2xi64> {
  %c = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]]> : tensor<3x4x2xi64>
  %c_0 = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 2]]]> : tensor<2x3x2xi64>
  %c_1 = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %0 = "stablehlo.dynamic_gather"(%c, %c_0, %c_1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>}> : (tensor<3x4x2xi64>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x2x2xi64>
  return %0 : tensor<2x3x2x2xi64>
}

// ----- stablehlo.dynamic_iota
func.func @main() -> tensor<4x5xi64> {
  %c = stablehlo.constant dense<[4, 5]> : tensor<2xi64>
  %0 = stablehlo.dynamic_iota %c, dim = 0 : (tensor<2xi64>) -> tensor<4x5xi64>
  return %0 : tensor<4x5xi64>
}

// ----- stablehlo.dynamic_pad
func.func @main() -> tensor<4xi64> {
  %c = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %c_0 = stablehlo.constant dense<9> : tensor<i64>
  %c_1 = stablehlo.constant dense<-1> : tensor<1xi32>
  %c_2 = stablehlo.constant dense<2> : tensor<1xi32>
  %c_3 = stablehlo.constant dense<0> : tensor<1xi32>
  %0 = stablehlo.dynamic_pad %c, %c_0, %c_1, %c_2, %c_3 : (tensor<3xi64>, tensor<i64>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi64>
  %1 = stablehlo.slice %0 [0:4] : (tensor<?xi64>) -> tensor<4xi64>
  return %1 : tensor<4xi64>
}

// ----- stablehlo.dynamic_reshape
func.func @main() -> tensor<3x2xi64> {
  %c = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %c_0 = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %c, %c_0 : (tensor<2x3xi64>, tensor<2xi64>) -> tensor<3x2xi64>
  return %0 : tensor<3x2xi64>
}

// ----- stablehlo.dynamic_slice
func.func @main() -> tensor<2x2xi32> {
  %c = stablehlo.constant dense<[[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]]> : tensor<4x4xi32>
  %c_0 = stablehlo.constant dense<-1> : tensor<i64>
  %c_1 = stablehlo.constant dense<3> : tensor<i64>
  %0 = stablehlo.dynamic_slice %c, %c_0, %c_1, sizes = [2, 2] : (tensor<4x4xi32>, tensor<i64>, tensor<i64>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// ----- stablehlo.dynamic_update_slice
func.func @main() -> tensor<4x4xi32> {
  %c = stablehlo.constant dense<[[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1], [1, 1, 1, 1]]> : tensor<4x4xi32>
  %c_0 = stablehlo.constant dense<1> : tensor<2x2xi32>
  %c_1 = stablehlo.constant dense<-1> : tensor<i64>
  %c_2 = stablehlo.constant dense<3> : tensor<i64>
  %0 = stablehlo.dynamic_update_slice %c, %c_0, %c_1, %c_2 : (tensor<4x4xi32>, tensor<2x2xi32>, tensor<i64>, tensor<i64>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

// ----- stablehlo.einsum
func.func @main() -> (tensor<2x2xi32>, tensor<2x2xi32>, tensor<2xi32>) {
  %c = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %c_0 = stablehlo.constant dense<[[1, 0], [0, 1], [10, 100]]> : tensor<3x2xi32>
  %0 = stablehlo.einsum %c, %c_0, config = "ab,bc->ac" : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<2x2xi32>
  %1 = stablehlo.einsum %c, %c_0, config = "ab,bc->ca" : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<2x2xi32>
  %2 = stablehlo.einsum %c, %c_0, config = "ab,ba->a" : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<2xi32>
  return %0, %1, %2 : tensor<2x2xi32>, tensor<2x2xi32>, tensor<2xi32>
}

// ----- stablehlo.exponential
func.func @main() -> tensor<2x2xf64> {
  %cst = stablehlo.constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf64>
  %0 = stablehlo.exponential %cst : tensor<2x2xf64>
  return %0 : tensor<2x2xf64>
}

// ----- stablehlo.exponential_minus_one
func.func @main() -> tensor<2xf64> {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf64>
  %0 = stablehlo.exponential_minus_one %cst : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// ----- stablehlo.fft
func.func @main() -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
  %cst = stablehlo.constant dense<[(1.000000e+00,0.000000e+00), (0.000000e+00,0.000000e+00), (0.000000e+00,0.000000e+00), (0.000000e+00,0.000000e+00)]> : tensor<4xcomplex<f32>>
  %0 = stablehlo.fft %cst, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IFFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0, %1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
}

// ----- stablehlo.floor
func.func @main() -> tensor<5xf32> {
  %cst = stablehlo.constant dense<[-8.166000e-01, -2.530000e-01, 2.530000e-01, 8.166000e-01, 2.000000e+00]> : tensor<5xf32>
  %0 = stablehlo.floor %cst : tensor<5xf32>
  return %0 : tensor<5xf32>
}

// ----- stablehlo.gather
func.func @main() -> tensor<2xi32> {
  %c = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %c_0 = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.gather"(%c, %c_0) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 2>}> : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// ----- stablehlo.get_dimension_size
func.func @main() -> tensor<i32> {
  %c = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %0 = stablehlo.get_dimension_size %c, dim = 1 : (tensor<2x3xi64>) -> tensor<i32>
  return %0 : tensor<i32>
}

// ----- stablehlo.get_tuple_element
func.func @main() -> tensor<2xf64> {
  %cst = stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>
  %c = stablehlo.constant dense<3> : tensor<i64>
  %0 = stablehlo.tuple %c : tuple<tensor<i64>>
  %1 = stablehlo.tuple %cst, %0 : tuple<tensor<2xf64>, tuple<tensor<i64>>>
  %2 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<2xf64>, tuple<tensor<i64>>>) -> tensor<2xf64>
  return %2 : tensor<2xf64>
}

// ----- stablehlo.if
func.func @main() -> (tensor<i32>, tensor<i32>) {
  %c = stablehlo.constant dense<10> : tensor<i32>
  %c_0 = stablehlo.constant dense<11> : tensor<i32>
  %c_1 = stablehlo.constant dense<true> : tensor<i1>
  %c_2 = stablehlo.constant dense<false> : tensor<i1>
  %0 = "stablehlo.if"(%c_1) ({
    stablehlo.return %c : tensor<i32>
  }, {
    stablehlo.return %c_0 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  %1 = "stablehlo.if"(%c_2) ({
    stablehlo.return %c : tensor<i32>
  }, {
    %2 = stablehlo.negate %c_0 : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}

// ----- stablehlo.imag
func.func @main() -> tensor<2xbf16> {
  %cst = stablehlo.constant dense<[1.500000e+00, -2.000000e+00]> : tensor<2xbf16>
  %0 = stablehlo.imag %cst : tensor<2xbf16>
  return %0 : tensor<2xbf16>
}

// ----- stablehlo.infeed
func.func private @queue0() -> tensor<2x2xi64> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  return %c : tensor<2x2xi64>
}
func.func private @queue1() -> tensor<2x2xi64> {
  %c = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  return %c : tensor<2x2xi64>
}
func.func private @reads_twice() -> (tensor<2x2xi64>, tensor<2x2xi64>) {
  %0 = stablehlo.after_all  : !stablehlo.token
  %1:2 = "stablehlo.infeed"(%0) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<2x2xi64>, !stablehlo.token)
  %2:2 = "stablehlo.infeed"(%1#1) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<2x2xi64>, !stablehlo.token)
  return %1#0, %2#0 : tensor<2x2xi64>, tensor<2x2xi64>
}
func.func @main() -> (tensor<2x2xi64>, tensor<2x2xi64>) {
  %0:2 = "interpreter.run_parallel"() <{infeed = [@queue0, @queue1], programs = [[@reads_twice]]}> : () -> (tensor<2x2xi64>, tensor<2x2xi64>)
  return %0#0, %0#1 : tensor<2x2xi64>, tensor<2x2xi64>
}

// ----- stablehlo.iota
func.func @main() -> tensor<4x5xi32> {
  %0 = stablehlo.iota dim = 0 : tensor<4x5xi32>
  return %0 : tensor<4x5xi32>
}

// ----- stablehlo.is_finite
func.func @main() -> tensor<2xi1> {
  %cst = stablehlo.constant dense<[6.000000e+00, -0.000000e+00]> : tensor<2xf4E2M1FN>
  %0 = stablehlo.is_finite %cst : (tensor<2xf4E2M1FN>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// ----- stablehlo.log
func.func @main() -> tensor<2x2xf64> {
  %cst = stablehlo.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf64>
  %0 = stablehlo.log %cst : tensor<2x2xf64>
  return %0 : tensor<2x2xf64>
}

// ----- stablehlo.log_plus_one
func.func @main() -> tensor<5xf64> {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.99899999999999999, 7.000000e+00, 6.3890562099999997, 1.500000e+01]> : tensor<5xf64>
  %0 = stablehlo.log_plus_one %cst : tensor<5xf64>
  return %0 : tensor<5xf64>
}

// ----- stablehlo.logistic
func.func @main() -> tensor<2x2xf64> {
  %cst = stablehlo.constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf64>
  %0 = stablehlo.logistic %cst : tensor<2x2xf64>
  return %0 : tensor<2x2xf64>
}

// ----- stablehlo.map
func.func @main() -> tensor<2x2xi64> {
  %c = stablehlo.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>
  %c_0 = stablehlo.constant dense<[[4, 5], [6, 7]]> : tensor<2x2xi64>
  %0 = "stablehlo.map"(%c, %c_0) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<i64>
    stablehlo.return %1 : tensor<i64>
  }) : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
  return %0 : tensor<2x2xi64>
}

// ----- stablehlo.maximum
func.func @main() -> tensor<2x2xi32> {
  %c = stablehlo.constant dense<[[1, 2], [7, 8]]> : tensor<2x2xi32>
  %c_0 = stablehlo.constant dense<[[5, 6], [3, 4]]> : tensor<2x2xi32>
  %0 = stablehlo.maximum %c, %c_0 : tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// ----- stablehlo.minimum
func.func @main() -> tensor<2x2xi32> {
  %c = stablehlo.constant dense<[[1, 2], [7, 8]]> : tensor<2x2xi32>
  %c_0 = stablehlo.constant dense<[[5, 6], [3, 4]]> : tensor<2x2xi32>
  %0 = stablehlo.minimum %c, %c_0 : tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// ----- stablehlo.multiply
func.func @main() -> tensor<2x2xi32> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %c_0 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %0 = stablehlo.multiply %c, %c_0 : tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// ----- stablehlo.negate
func.func @main() -> tensor<2xi32> {
  %c = stablehlo.constant dense<[0, -2]> : tensor<2xi32>
  %0 = stablehlo.negate %c : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// ----- stablehlo.not
func.func @main() -> tensor<2x2xi32> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %0 = stablehlo.not %c : tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// ----- stablehlo.optimization_barrier
func.func @main() -> (tensor<f32>, tensor<f32>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %0:2 = stablehlo.optimization_barrier %cst, %cst_0 : tensor<f32>, tensor<f32>
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}

// ----- stablehlo.or
func.func @main() -> tensor<2x2xi32> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %c_0 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %0 = stablehlo.or %c, %c_0 : tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// ----- stablehlo.outfeed
func.func private @writes(%arg0: tensor<2x2x2xi64>) -> tensor<2x2x2xi64> {
  %0 = stablehlo.after_all  : !stablehlo.token
  %1 = "stablehlo.outfeed"(%arg0, %0) <{outfeed_config = ""}> : (tensor<2x2x2xi64>, !stablehlo.token) -> !stablehlo.token
  return %arg0 : tensor<2x2x2xi64>
}
func.func @main() -> tensor<2x2x2xi64> {
  %c = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  %0 = "interpreter.run_parallel"(%c) <{programs = [[@writes]]}> : (tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
  return %0 : tensor<2x2x2xi64>
}

// ----- stablehlo.pad
func.func @main() -> (tensor<1xi32>, tensor<3xi32>, tensor<3xi32>) {
  %c = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %c_0 = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.pad %c, %c_0, low = [-1], high = [-2], interior = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.pad %c, %c_0, low = [-3], high = [2], interior = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>
  %2 = stablehlo.pad %c, %c_0, low = [2], high = [-3], interior = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>
  return %0, %1, %2 : tensor<1xi32>, tensor<3xi32>, tensor<3xi32>
}

// ----- stablehlo.partition_id
func.func private @id() -> tensor<ui32> {
  %0 = stablehlo.partition_id : tensor<ui32>
  return %0 : tensor<ui32>
}
func.func @main() -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>) {
  %0:4 = "interpreter.run_parallel"() <{programs = [[@id, @id], [@id, @id]]}> : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>
}

// ----- stablehlo.popcnt
func.func @main() -> tensor<4xi64> {
  %c = stablehlo.constant dense<[0, 1, 2, 127]> : tensor<4xi64>
  %0 = stablehlo.popcnt %c : tensor<4xi64>
  return %0 : tensor<4xi64>
}

// ----- stablehlo.power
func.func @main() -> tensor<5xf64> {
  %cst = stablehlo.constant dense<[-2.000000e+00, -0.000000e+00, 5.000000e+00, 3.000000e+00, 1.000000e+04]> : tensor<5xf64>
  %cst_0 = stablehlo.constant dense<[2.000000e+00, 2.000000e+00, 2.000000e+00, -1.000000e+00, 1.000000e+01]> : tensor<5xf64>
  %0 = stablehlo.power %cst, %cst_0 : tensor<5xf64>
  return %0 : tensor<5xf64>
}

// ----- stablehlo.real
func.func @main() -> tensor<2xbf16> {
  %cst = stablehlo.constant dense<[1.500000e+00, -2.000000e+00]> : tensor<2xbf16>
  %0 = stablehlo.real %cst : tensor<2xbf16>
  return %0 : tensor<2xbf16>
}

// ----- stablehlo.real_dynamic_slice
func.func @main() -> tensor<1x2xi64> {
  %c = stablehlo.constant dense<[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]> : tensor<2x5xi64>
  %c_0 = stablehlo.constant dense<1> : tensor<2xi64>
  %c_1 = stablehlo.constant dense<[2, 5]> : tensor<2xi64>
  %c_2 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = stablehlo.real_dynamic_slice %c, %c_0, %c_1, %c_2 : (tensor<2x5xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x2xi64>
  return %0 : tensor<1x2xi64>
}

// ----- stablehlo.recv
func.func private @first(%arg0: tensor<i64>, %arg1: tensor<2xf32>) {
  %0 = stablehlo.after_all  : !stablehlo.token
  %1 = "stablehlo.send"(%arg0, %arg1, %0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<i64>, tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
func.func private @second() -> (tensor<i64>, tensor<2xf32>) {
  %0 = stablehlo.after_all  : !stablehlo.token
  %1:3 = "stablehlo.recv"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> (tensor<i64>, tensor<2xf32>, !stablehlo.token)
  return %1#0, %1#1 : tensor<i64>, tensor<2xf32>
}
func.func @main() -> (tensor<i64>, tensor<2xf32>) {
  %c = stablehlo.constant dense<7> : tensor<i64>
  %cst = stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %0:2 = "interpreter.run_parallel"(%c, %cst) <{programs = [[@first], [@second]]}> : (tensor<i64>, tensor<2xf32>) -> (tensor<i64>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<i64>, tensor<2xf32>
}

// ----- stablehlo.reduce
func.func @main() -> (tensor<2xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %c = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %c_0 = stablehlo.constant dense<10> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.add across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  %1 = stablehlo.reduce(%c init: %c_0) applies stablehlo.multiply across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
  %2 = stablehlo.reduce(%c init: %c_0) applies stablehlo.minimum across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
  %3 = stablehlo.reduce(%c init: %c_0) applies stablehlo.maximum across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
  %4 = stablehlo.reduce(%c init: %c_0) applies stablehlo.xor across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  %5 = stablehlo.reduce(%c init: %c_0) applies stablehlo.or across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  %6 = stablehlo.reduce(%c init: %c_0) applies stablehlo.and across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}

// ----- stablehlo.reduce_precision
func.func @main() -> tensor<4xf32> {
  %cst = stablehlo.constant dense<[1.125000e+00, 1.375000e+00, 1.000000e+00, -1.125000e+00]> : tensor<4xf32>
  %0 = stablehlo.reduce_precision %cst, format = e8m2 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ----- stablehlo.reduce_scatter
func.func private @reduce_scatter(%arg0: tensor<2x4xi64>) -> tensor<2x2xi64> {
  %0 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
    %1 = stablehlo.add %arg1, %arg2 : tensor<i64>
    stablehlo.return %1 : tensor<i64>
  }) : (tensor<2x4xi64>) -> tensor<2x2xi64>
  return %0 : tensor<2x2xi64>
}
func.func @main() -> (tensor<2x2xi64>, tensor<2x2xi64>) {
  %c = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
  %c_0 = stablehlo.constant dense<[[9, 10, 11, 12], [13, 14, 15, 16]]> : tensor<2x4xi64>
  %0:2 = "interpreter.run_parallel"(%c, %c_0) <{programs = [[@reduce_scatter], [@reduce_scatter]]}> : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<2x2xi64>, tensor<2x2xi64>)
  return %0#0, %0#1 : tensor<2x2xi64>, tensor<2x2xi64>
}

// ----- stablehlo.reduce_window
func.func @main() -> tensor<3xi32> {
  %c = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %c_0 = stablehlo.constant dense<100> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%c, %c_0) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// ----- stablehlo.remainder
func.func @main() -> tensor<4xi64> {
  %c = stablehlo.constant dense<[17, -17, 17, -17]> : tensor<4xi64>
  %c_0 = stablehlo.constant dense<[3, 3, -3, -3]> : tensor<4xi64>
  %0 = stablehlo.remainder %c, %c_0 : tensor<4xi64>
  return %0 : tensor<4xi64>
}

// ----- stablehlo.replica_id
func.func private @id() -> tensor<ui32> {
  %0 = stablehlo.replica_id : tensor<ui32>
  return %0 : tensor<ui32>
}
func.func @main() -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>) {
  %0:4 = "interpreter.run_parallel"() <{programs = [[@id, @id], [@id, @id]]}> : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>
}

// ----- stablehlo.reshape
func.func @main() -> tensor<3x2xi32> {
  %c = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %0 = stablehlo.reshape %c : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// ----- stablehlo.return
func.func @main() -> tensor<2x2xi64> {
  %c = stablehlo.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>
  %c_0 = stablehlo.constant dense<[[4, 5], [6, 7]]> : tensor<2x2xi64>
  %0 = "stablehlo.map"(%c, %c_0) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<i64>
    stablehlo.return %1 : tensor<i64>
  }) : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
  return %0 : tensor<2x2xi64>
}

// ----- stablehlo.reverse
func.func @main() -> tensor<3x2xi32> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %0 = stablehlo.reverse %c, dims = [1] : tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// ----- stablehlo.rng
func.func @main() -> (tensor<i32>, tensor<i32>, tensor<f8E4M3FN>, tensor<f8E4M3FN>) {
  %c = stablehlo.constant dense<[100, 50]> : tensor<2xi64>
  %c_0 = stablehlo.constant dense<-3> : tensor<i32>
  %c_1 = stablehlo.constant dense<-1> : tensor<i32>
  %0 = stablehlo.rng %c_0, %c_1, %c, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<100x50xi32>
  %1 = stablehlo.reduce(%0 init: %c_1) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<100x50xi32>, tensor<i32>) -> tensor<i32>
  %2 = stablehlo.reduce(%0 init: %c_0) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<100x50xi32>, tensor<i32>) -> tensor<i32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f8E4M3FN>
  %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f8E4M3FN>
  %3 = stablehlo.rng %cst, %cst_2, %c, distribution = UNIFORM : (tensor<f8E4M3FN>, tensor<f8E4M3FN>, tensor<2xi64>) -> tensor<100x50xf8E4M3FN>
  %4 = stablehlo.reduce(%3 init: %cst_2) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<100x50xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
  %5 = stablehlo.reduce(%3 init: %cst) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<100x50xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
  return %1, %2, %4, %5 : tensor<i32>, tensor<i32>, tensor<f8E4M3FN>, tensor<f8E4M3FN>
}

// ----- stablehlo.rng_bit_generator
func.func @main() -> (tensor<2xui64>, tensor<2x2xui64>) {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %c, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>)
  return %output_state, %output : tensor<2xui64>, tensor<2x2xui64>
}

// ----- stablehlo.round_nearest_afz
func.func @main() -> tensor<5xf64> {
  %cst = stablehlo.constant dense<[-2.500000e+00, 4.000000e-01, 5.000000e-01, 6.000000e-01, 2.500000e+00]> : tensor<5xf64>
  %0 = stablehlo.round_nearest_afz %cst : tensor<5xf64>
  return %0 : tensor<5xf64>
}

// ----- stablehlo.round_nearest_even
func.func @main() -> tensor<5xf64> {
  %cst = stablehlo.constant dense<[-2.500000e+00, 4.000000e-01, 5.000000e-01, 6.000000e-01, 2.500000e+00]> : tensor<5xf64>
  %0 = stablehlo.round_nearest_even %cst : tensor<5xf64>
  return %0 : tensor<5xf64>
}

// ----- stablehlo.rsqrt
func.func @main() -> tensor<2x2xf32> {
  %cst = stablehlo.constant dense<[[1.000000e+00, 4.000000e+00], [9.000000e+00, 2.500000e+01]]> : tensor<2x2xf32>
  %0 = stablehlo.rsqrt %cst : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// ----- stablehlo.scatter
func.func @main() -> tensor<4xi32> {
  %c = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi32>
  %c_0 = stablehlo.constant dense<[[1], [3], [1], [-1], [4]]> : tensor<5x1xi32>
  %c_1 = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %0 = "stablehlo.scatter"(%c, %c_0, %c_1) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    stablehlo.return %arg1 : tensor<i32>
  }) : (tensor<4xi32>, tensor<5x1xi32>, tensor<5xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// ----- stablehlo.select
func.func @main() -> tensor<2x2xi32> {
  %c = stablehlo.constant dense<[[false, true], [true, false]]> : tensor<2x2xi1>
  %c_0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %c_1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %0 = stablehlo.select %c, %c_0, %c_1 : tensor<2x2xi1>, tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// ----- stablehlo.select_and_scatter
func.func @main() -> tensor<4x2xi64> {
  %c = stablehlo.constant dense<[[1, 5], [2, 5], [3, 6], [4, 4]]> : tensor<4x2xi64>
  %c_0 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  %c_1 = stablehlo.constant dense<0> : tensor<i64>
  %0 = "stablehlo.select_and_scatter"(%c, %c_0, %c_1) <{padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
    %1 = stablehlo.compare GE, %arg0, %arg1 : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<i64>
    stablehlo.return %1 : tensor<i64>
  }) : (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<4x2xi64>
  return %0 : tensor<4x2xi64>
}

// ----- stablehlo.send
func.func private @sender(%arg0: tensor<2xi64>) {
  %0 = stablehlo.after_all  : !stablehlo.token
  %1 = "stablehlo.send"(%arg0, %0) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
  return
}
func.func private @receiver() -> tensor<2xi64> {
  %0 = stablehlo.after_all  : !stablehlo.token
  %1:2 = "stablehlo.recv"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
  return %1#0 : tensor<2xi64>
}
func.func @main() -> tensor<2xi64> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = "interpreter.run_parallel"(%c) <{programs = [[@sender], [@receiver]]}> : (tensor<2xi64>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// ----- stablehlo.set_dimension_size
func.func @main() -> tensor<3xi64> {
  %c = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %c_0 = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.set_dimension_size %c, %c_0, dim = 0 : (tensor<3xi64>, tensor<i32>) -> tensor<3xi64>
  return %0 : tensor<3xi64>
}

// ----- stablehlo.shift_left
func.func @main() -> tensor<3xi64> {
  %c = stablehlo.constant dense<[-1, 0, 1]> : tensor<3xi64>
  %c_0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %0 = stablehlo.shift_left %c, %c_0 : tensor<3xi64>
  return %0 : tensor<3xi64>
}

// ----- stablehlo.shift_right_arithmetic
func.func @main() -> tensor<3xi64> {
  %c = stablehlo.constant dense<[-1, 0, 8]> : tensor<3xi64>
  %c_0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %0 = stablehlo.shift_right_arithmetic %c, %c_0 : tensor<3xi64>
  return %0 : tensor<3xi64>
}

// ----- stablehlo.shift_right_logical
func.func @main() -> tensor<3xi64> {
  %c = stablehlo.constant dense<[-1, 0, 8]> : tensor<3xi64>
  %c_0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %0 = stablehlo.shift_right_logical %c, %c_0 : tensor<3xi64>
  return %0 : tensor<3xi64>
}

// ----- stablehlo.sign
func.func @main() -> tensor<4xi64> {
  %cst = stablehlo.constant dense<[-1.000000e+00, -0.000000e+00, 0.000000e+00, 1.000000e+00]> : tensor<4xf64>
  %0 = stablehlo.sign %cst : tensor<4xf64>
  %1 = stablehlo.bitcast_convert %0 : (tensor<4xf64>) -> tensor<4xi64>
  return %1 : tensor<4xi64>
}

// ----- stablehlo.sine
func.func @main() -> tensor<2x2xf32> {
  %cst = stablehlo.constant dense<[[0.000000e+00, 1.57079637], [3.14159274, 4.71238899]]> : tensor<2x2xf32>
  %0 = stablehlo.sine %cst : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// ----- stablehlo.slice
func.func @main() -> tensor<2x2xi64> {
  %c = stablehlo.constant dense<[[0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]> : tensor<3x4xi64>
  %0 = stablehlo.slice %c [1:3, 2:4] : (tensor<3x4xi64>) -> tensor<2x2xi64>
  return %0 : tensor<2x2xi64>
}

// ----- stablehlo.sort
func.func @main() -> (tensor<2x3xi64>, tensor<2x3xi64>) {
  %c = stablehlo.constant dense<[[1, 2, 3], [3, 2, 1]]> : tensor<2x3xi64>
  %c_0 = stablehlo.constant dense<[[3, 2, 1], [1, 2, 3]]> : tensor<2x3xi64>
  %0:2 = "stablehlo.sort"(%c, %c_0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>, %arg2: tensor<i64>, %arg3: tensor<i64>):
    %1 = stablehlo.compare GT, %arg0, %arg1 : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2x3xi64>, tensor<2x3xi64>) -> (tensor<2x3xi64>, tensor<2x3xi64>)
  return %0#0, %0#1 : tensor<2x3xi64>, tensor<2x3xi64>
}

// ----- stablehlo.sqrt
func.func @main() -> tensor<2x2xf32> {
  %cst = stablehlo.constant dense<[[0.000000e+00, 1.000000e+00], [4.000000e+00, 9.000000e+00]]> : tensor<2x2xf32>
  %0 = stablehlo.sqrt %cst : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// ----- stablehlo.subtract
func.func @main() -> tensor<2x2xf32> {
  %cst = stablehlo.constant dense<[[6.000000e+00, 8.000000e+00], [1.000000e+01, 1.200000e+01]]> : tensor<2x2xf32>
  %cst_0 = stablehlo.constant dense<[[5.000000e+00, 6.000000e+00], [7.000000e+00, 8.000000e+00]]> : tensor<2x2xf32>
  %0 = stablehlo.subtract %cst, %cst_0 : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// ----- stablehlo.tan
func.func @main() -> tensor<2x2xf64> {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.78539816339744828], [3.1415926535897931, -0.78539816339744828]]> : tensor<2x2xf64>
  %0 = stablehlo.tan %cst : tensor<2x2xf64>
  return %0 : tensor<2x2xf64>
}

// ----- stablehlo.tanh
func.func @main() -> tensor<3xf32> {
  %cst = stablehlo.constant dense<[-1.000000e+00, 0.000000e+00, 1.000000e+00]> : tensor<3xf32>
  %0 = stablehlo.tanh %cst : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// ----- stablehlo.torch_index_select
func.func @main() -> tensor<2x2xi32> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %c_0 = stablehlo.constant dense<[2, 0]> : tensor<2xi64>
  %0 = "stablehlo.torch_index_select"(%c, %c_0) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<3x2xi32>, tensor<2xi64>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// ----- stablehlo.transpose
func.func @main() -> tensor<2x3x2xi32> {
  %c = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi32>
  %0 = stablehlo.transpose %c, dims = [2, 1, 0] : (tensor<2x3x2xi32>) -> tensor<2x3x2xi32>
  return %0 : tensor<2x3x2xi32>
}

// ----- stablehlo.triangular_solve
func.func @main() -> tensor<3x3xf32> {
  %cst = stablehlo.constant dense<[[1.000000e+00, 0.000000e+00, 0.000000e+00], [2.000000e+00, 4.000000e+00, 0.000000e+00], [3.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<3x3xf32>
  %cst_0 = stablehlo.constant dense<[[2.000000e+00, 0.000000e+00, 0.000000e+00], [4.000000e+00, 8.000000e+00, 0.000000e+00], [6.000000e+00, 1.000000e+01, 1.200000e+01]]> : tensor<3x3xf32>
  %0 = "stablehlo.triangular_solve"(%cst, %cst_0) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// ----- stablehlo.tuple
func.func @main() -> tensor<i64> {
  %cst = stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>
  %c = stablehlo.constant dense<3> : tensor<i64>
  %0 = stablehlo.tuple %c : tuple<tensor<i64>>
  %1 = stablehlo.tuple %cst, %0 : tuple<tensor<2xf64>, tuple<tensor<i64>>>
  %2 = stablehlo.get_tuple_element %1[1] : (tuple<tensor<2xf64>, tuple<tensor<i64>>>) -> tuple<tensor<i64>>
  %3 = stablehlo.get_tuple_element %2[0] : (tuple<tensor<i64>>) -> tensor<i64>
  return %3 : tensor<i64>
}

// ----- stablehlo.unary_einsum
func.func @main() -> (tensor<2xi32>, tensor<2x2xi32>) {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %0 = stablehlo.unary_einsum %c, config = "ab->a" : (tensor<2x2xi32>) -> tensor<2xi32>
  %1 = stablehlo.unary_einsum %c, config = "ab->ba" : (tensor<2x2xi32>) -> tensor<2x2xi32>
  return %0, %1 : tensor<2xi32>, tensor<2x2xi32>
}

// ----- stablehlo.uniform_dequantize
func.func @main() -> tensor<2xf32> {
  %cst = stablehlo.constant() <{value = dense<10> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32:0, {1.000000e-01:-30,5.000000e-01:-20}>>
  %0 = stablehlo.uniform_dequantize %cst : (tensor<2x!quant.uniform<i8:f32:0, {1.000000e-01:-30,5.000000e-01:-20}>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// ----- stablehlo.uniform_quantize
func.func @main() -> tensor<2xi8> {
  %cst = stablehlo.constant dense<[4.000000e+00, 1.500000e+01]> : tensor<2xf32>
  %0 = stablehlo.uniform_quantize %cst : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:0, {1.000000e-01:-30,5.000000e-01:-20}>>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32:0, {1.000000e-01:-30,5.000000e-01:-20}>>) -> tensor<2xi8>
  return %1 : tensor<2xi8>
}

// ----- stablehlo.while
func.func @main() -> (tensor<i64>, tensor<i64>) {
  %c = stablehlo.constant dense<1> : tensor<i64>
  %c_0 = stablehlo.constant dense<0> : tensor<i64>
  %c_1 = stablehlo.constant dense<1> : tensor<i64>
  %c_2 = stablehlo.constant dense<10> : tensor<i64>
  %0:2 = stablehlo.while(%iterArg = %c, %iterArg_3 = %c_0) : tensor<i64>, tensor<i64>
  cond {
    %1 = stablehlo.compare LT, %iterArg, %c_2 : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %iterArg_3, %c_1 : tensor<i64>
    %2 = stablehlo.add %iterArg, %c_1 : tensor<i64>
    stablehlo.return %2, %1 : tensor<i64>, tensor<i64>
  }
  return %0#0, %0#1 : tensor<i64>, tensor<i64>
}

// ----- stablehlo.xor
func.func @main() -> tensor<2x2xi32> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %c_0 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %0 = stablehlo.xor %c, %c_0 : tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}
