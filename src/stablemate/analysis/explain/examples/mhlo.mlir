// ----- mhlo.add_dependency
func.func @main() -> tensor<2xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = mhlo.add_dependency %c, %0 : (tensor<2xi32>, !stablehlo.token) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}

// ----- mhlo.all_to_all
func.func @main() -> (tensor<2xi32>, tensor<2xi32>) {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %c_0 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %0:2 = "interpreter.run_parallel"(%c, %c_0) <{programs = [[@exchange], [@exchange]]}> : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2xi32>, tensor<2xi32>
}
func.func private @exchange(%arg0: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<2xi32>
  %1:2 = "mhlo.all_to_all"(%arg0, %0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  return %1#1 : tensor<2xi32>
}

// ----- mhlo.async_done
func.func @main() -> tensor<2xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = "mhlo.async_start"(%c) <{called_computation = @double, execution_thread = "main"}> : (tensor<2xi32>) -> !mhlo.async_bundle<tensor<2xi32>, tensor<2xi32>>
  %1 = "mhlo.async_done"(%0) : (!mhlo.async_bundle<tensor<2xi32>, tensor<2xi32>>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}
func.func private @double(%arg0: tensor<2xi32>) -> tensor<2xi32> attributes {execution_thread = "main"} {
  %0 = stablehlo.add %arg0, %arg0 : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// ----- mhlo.async_start
func.func @main() -> tensor<2xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = "mhlo.async_start"(%c) <{called_computation = @square, execution_thread = "main"}> : (tensor<2xi32>) -> !mhlo.async_bundle<tensor<2xi32>, tensor<2xi32>>
  %1 = "mhlo.async_done"(%0) : (!mhlo.async_bundle<tensor<2xi32>, tensor<2xi32>>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}
func.func private @square(%arg0: tensor<2xi32>) -> tensor<2xi32> attributes {execution_thread = "main"} {
  %0 = stablehlo.multiply %arg0, %arg0 : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// ----- mhlo.async_update
func.func @main() -> tensor<2xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = "mhlo.async_start"(%c) <{called_computation = @negate, execution_thread = "main"}> : (tensor<2xi32>) -> !mhlo.async_bundle<tensor<2xi32>, tensor<2xi32>>
  %1 = "mhlo.async_update"(%0) : (!mhlo.async_bundle<tensor<2xi32>, tensor<2xi32>>) -> !mhlo.async_bundle<tensor<2xi32>, tensor<2xi32>>
  %2 = "mhlo.async_done"(%1) : (!mhlo.async_bundle<tensor<2xi32>, tensor<2xi32>>) -> tensor<2xi32>
  return %2 : tensor<2xi32>
}
func.func private @negate(%arg0: tensor<2xi32>) -> tensor<2xi32> attributes {execution_thread = "main"} {
  %0 = stablehlo.negate %arg0 : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// ----- mhlo.bitcast
func.func @main() -> tensor<3x2xi32> {
  %c = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %0 = mhlo.bitcast %c {result_layout = dense<[0, 1]> : tensor<2xindex>, source_layout = dense<[1, 0]> : tensor<2xindex>} : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// ----- mhlo.copy
func.func @main() -> tensor<2xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = mhlo.copy %c : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// ----- mhlo.domain
func.func @main() -> tensor<2xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = "mhlo.domain"(%c) <{entry_metadata = "", exit_metadata = "", kind = #mhlo<kind sharding>}> : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// ----- mhlo.fusion
func.func @main() -> tensor<2xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = "mhlo.fusion"(%c) <{fusion_kind = #mhlo<fusion_kind kLoop>}> ({
  ^bb0(%arg0: tensor<2xi32>):
    %1 = stablehlo.add %arg0, %arg0 : tensor<2xi32>
    stablehlo.return %1 : tensor<2xi32>
  }) : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// ----- mhlo.minimum_broadcast_shapes
func.func @main() -> (tensor<?xi64>, tensor<?xi64>) {
  %c = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %c_0 = stablehlo.constant dense<[4, 2, 3]> : tensor<3xi64>
  %0:2 = mhlo.minimum_broadcast_shapes %c, %c_0 : tensor<3xi64>, tensor<3xi64> -> tensor<?xi64>, tensor<?xi64>
  return %0#0, %0#1 : tensor<?xi64>, tensor<?xi64>
}

// ----- mhlo.stochastic_convert
func.func @main() -> tensor<3xi8> {
  %cst = stablehlo.constant dense<[1.500000e+00, 1.500000e+00, -2.250000e+00]> : tensor<3xf32>
  %c = stablehlo.constant dense<[0, 3000000000, 1]> : tensor<3xui32>
  %0 = "mhlo.stochastic_convert"(%cst, %c) : (tensor<3xf32>, tensor<3xui32>) -> tensor<3xi8>
  return %0 : tensor<3xi8>
}

// ----- mhlo.topk
func.func @main() -> (tensor<2xi32>, tensor<2xi32>) {
  %c = stablehlo.constant dense<[4, 1, 3, 1]> : tensor<4xi32>
  %values, %indices = mhlo.topk(%c, k = 2, largest = false) : tensor<4xi32> -> (tensor<2xi32>, tensor<2xi32>)
  return %values, %indices : tensor<2xi32>, tensor<2xi32>
}

// ----- mhlo.trace
func.func @main() -> tensor<2xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  mhlo.trace %c, "values" : tensor<2xi32>
  return %c : tensor<2xi32>
}

// ----- mhlo.xla.rng_get_and_update_state
func.func @main() -> (tensor<2xui64>, tensor<2xui64>) {
  %0 = mhlo.xla.rng_get_and_update_state {delta = 8 : i64}
  %1 = mhlo.xla.rng_get_and_update_state {delta = 8 : i64}
  return %0, %1 : tensor<2xui64>, tensor<2xui64>
}
