// mhlo.copy type 0
// error@4:8: mhlo.copy type: operand = tensor<4xf32>, result = tensor<3xf32>
func.func @main(%a: tensor<4xf32>) {
  %0 = "mhlo.copy"(%a) : (tensor<4xf32>) -> tensor<3xf32>
  return
}
// -----
// mhlo.fusion 1
// error@4:8: mhlo.fusion: fusion_kind = 3 : i64
func.func @main(%a: tensor<4xf32>) {
  %0 = "mhlo.fusion"(%a) ({
  ^bb0(%x: tensor<4xf32>):
  mhlo.return %x : tensor<4xf32>
  }) {fusion_kind = 3} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
// mhlo.add_dependency 2
// error@4:34: mhlo.add_dependency: token = tensor<4xf32>
func.func @main(%a: tensor<4xf32>) {
  %0 = "mhlo.add_dependency"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
// mhlo.add_dependency type 3
// error@4:8: mhlo.add_dependency type: operand = tensor<4xf32>, result = tensor<3xf32>
func.func @main(%a: tensor<4xf32>, %t: !mhlo.token) {
  %0 = "mhlo.add_dependency"(%a, %t) : (tensor<4xf32>, !mhlo.token) -> tensor<3xf32>
  return
}
// -----
// mhlo.domain 4
// error@4:8: mhlo.domain: expected the attribute exit_metadata, a string
func.func @main(%a: tensor<4xf32>) {
  %0 = "mhlo.domain"(%a) {kind = #mhlo<kind sharding>, entry_metadata = ""} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
// mhlo.domain type 5
// error@4:8: mhlo.domain type: operand = tensor<4xf32>, result = tensor<3xf32>
func.func @main(%a: tensor<4xf32>) {
  %0 = "mhlo.domain"(%a) {kind = #mhlo<kind sharding>, entry_metadata = "", exit_metadata=""} : (tensor<4xf32>) -> tensor<3xf32>
  return
}
// -----
// mhlo.trace 6
// error@4:3: mhlo.trace: expected the attribute tag, a string
func.func @main(%a: tensor<4xf32>) {
  "mhlo.trace"(%a) : (tensor<4xf32>) -> ()
  return
}
// -----
// mhlo.minimum_broadcast_shapes number 7
// error@4:8: mhlo.minimum_broadcast_shapes number: shapes = 2, results = 1
func.func @main(%s: tensor<2xindex>) {
  %6 = "mhlo.minimum_broadcast_shapes"(%s, %s) : (tensor<2xindex>, tensor<2xindex>) -> tensor<2xindex>
  return
}
// -----
// mhlo.xla.rng_get_and_update_state 8
// error@4:47: mhlo.xla.rng_get_and_update_state: delta = 1 : i32
func.func @main() {
  %8 = "mhlo.xla.rng_get_and_update_state"() {delta = 1 : i32} : () -> tensor<2xui64>
  return
}
// -----
// mhlo.xla.rng_get_and_update_state shape 9
// error@4:8: mhlo.xla.rng_get_and_update_state shape: shape = [3]
func.func @main() {
  %8 = "mhlo.xla.rng_get_and_update_state"() {delta = 1 : i64} : () -> tensor<3xui64>
  return
}
// -----
// mhlo.xla.rng_get_and_update_state 10
// error@4:66: mhlo.xla.rng_get_and_update_state: result = tensor<2xi64>
func.func @main() {
  %8 = "mhlo.xla.rng_get_and_update_state"() {delta = 1 : i64} : () -> tensor<2xi64>
  return
}
// -----
// mhlo.stochastic_convert shape 11
// error@4:8: mhlo.stochastic_convert shape: shapes = [[4], [4], [3]]
func.func @main(%a: tensor<4xf32>, %b: tensor<4xui32>) {
  %9 = "mhlo.stochastic_convert"(%a, %b) : (tensor<4xf32>, tensor<4xui32>) -> tensor<3xi8>
  return
}
// -----
// mhlo.stochastic_convert 12
// error@4:38: mhlo.stochastic_convert: random = tensor<4xf32>
func.func @main(%a: tensor<4xf32>) {
  %9 = "mhlo.stochastic_convert"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf16>
  return
}
// -----
// chlo.top_k k 13
// error@4:11: chlo.top_k k: k = 5, size = 4
func.func @main(%a: tensor<4xf32>) {
  %10:2 = "mhlo.topk"(%a) {k = 5 : i64} : (tensor<4xf32>) -> (tensor<5xf32>, tensor<5xi32>)
  return
}
// -----
// chlo.top_k 14
// error@4:43: chlo.top_k: type = tensor<3xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<4xf32>) {
  %10:2 = "mhlo.topk"(%a) {k = 2 : i64} : (tensor<4xf32>) -> (tensor<3xf32>, tensor<2xi32>)
  return
}
// -----
// chlo.top_k 15
// error@4:11: chlo.top_k: expected the attribute k, a 64-bit integer
func.func @main(%a: tensor<4xf32>) {
  %10:2 = "mhlo.topk"(%a) : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  return
}
// -----
// mhlo.async_start callee 16
// error@4:9: mhlo.async_start callee: called_computation = @g
func.func @main(%a: tensor<4xf32>) {
  %23 = "mhlo.async_start"(%a) {called_computation = @g, execution_thread = "main"} : (tensor<4xf32>) -> !mhlo.async_bundle<tensor<4xf32>, tensor<4xf32>>
  return
}
// -----
// mhlo.async_start thread 17
// error@4:9: mhlo.async_start thread: call = foo, callee = main
func.func @main(%a: tensor<4xf32>) {
  %23 = "mhlo.async_start"(%a) {called_computation = @f, execution_thread = "foo"} : (tensor<4xf32>) -> !mhlo.async_bundle<tensor<4xf32>, tensor<4xf32>>
  return
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {execution_thread = "main"} {
  return %x : tensor<4xf32>
}
// -----
// mhlo.async_start types 18
// error@4:9: mhlo.async_start types: bundle = !mhlo.async_bundle<tensor<4xf32>, tensor<3xf32>>, inputs = [tensor<4xf32>], callee = (tensor<4xf32>) -> tensor<4xf32>
func.func @main(%a: tensor<4xf32>) {
  %23 = "mhlo.async_start"(%a) {called_computation = @f, execution_thread = "main"} : (tensor<4xf32>) -> !mhlo.async_bundle<tensor<4xf32>, tensor<3xf32>>
  return
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {execution_thread = "main"} {
  return %x : tensor<4xf32>
}
// -----
// mhlo.async_start 19
// error@4:87: mhlo.async_start: result = tensor<4xf32>
func.func @main(%a: tensor<4xf32>) {
  %23 = "mhlo.async_start"(%a) {called_computation = @f, execution_thread = "main"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {execution_thread = "main"} {
  return %x : tensor<4xf32>
}
// -----
// mhlo.async_done types 20
// error@5:10: mhlo.async_done types: bundle = !mhlo.async_bundle<tensor<4xf32>, tensor<4xf32>>, results = [tensor<3xf32>]
func.func @main(%a: tensor<4xf32>) {
  %23 = "mhlo.async_start"(%a) {called_computation = @f, execution_thread = "main"} : (tensor<4xf32>) -> !mhlo.async_bundle<tensor<4xf32>, tensor<4xf32>>
   %25 = "mhlo.async_done"(%23) : (!mhlo.async_bundle<tensor<4xf32>, tensor<4xf32>>) -> tensor<3xf32>
  return
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {execution_thread = "main"} {
  return %x : tensor<4xf32>
}
// -----
// mhlo.async_done 21
// error@4:27: mhlo.async_done: bundle = !stablehlo.token
func.func @main(%t: !mhlo.token) {
  %23 = "mhlo.async_done"(%t) : (!mhlo.token) -> tensor<3xf32>
  return
}
// -----
// stablehlo.iota I1 22
// error@4:24: stablehlo.iota I1: iota_dimension = 0 : i32
func.func @main() {
  %23 = "mhlo.iota"() {iota_dimension = 0 : i32}: () -> tensor<4xi1>
  return
}
// -----
// stablehlo.add I2 23
// error@4:24: stablehlo.add I2: rhs = tensor<2xindex>
func.func @main(%a: tensor<4xf32>, %s: tensor<2xindex>) {
  %23 = "mhlo.add"(%a, %s) : (tensor<4xf32>, tensor<2xindex>) -> tensor<4xf32>
  return
}
// -----
// stablehlo.add I1 24
// error@4:20: stablehlo.add I1: lhs = !stablehlo.token
func.func @main(%t: !mhlo.token) {
  %23 = "mhlo.add"(%t, %t) : (!mhlo.token, !mhlo.token) -> !mhlo.token
  return
}
// -----
// stablehlo.concatenate I2 25
// error@4:8: stablehlo.concatenate I2: expected the attribute dimension, a 64-bit integer
func.func @main(%a: tensor<4xf32>) {
  %0 = "mhlo.concatenate"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}
// -----
// mhlo.all_to_all groups 26
// error@4:10: mhlo.all_to_all groups: groups = [[0, 1, 2]]
func.func @main(%a: tensor<4xf32>) {
  %0:2 = "mhlo.all_to_all"(%a, %a) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}
// -----
// mhlo.async_update type 27
// error@5:8: mhlo.async_update type: bundle = !mhlo.async_bundle<tensor<4xf32>, tensor<4xf32>>, result = !mhlo.async_bundle<tensor<4xf32>, tensor<3xf32>>
func.func @main(%a: tensor<4xf32>) {
  %0 = "mhlo.async_start"(%a) {called_computation = @f, execution_thread = "main"} : (tensor<4xf32>) -> !mhlo.async_bundle<tensor<4xf32>, tensor<4xf32>>
  %1 = "mhlo.async_update"(%0) : (!mhlo.async_bundle<tensor<4xf32>, tensor<4xf32>>) -> !mhlo.async_bundle<tensor<4xf32>, tensor<3xf32>>
  return
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {execution_thread = "main"} {
  return %x : tensor<4xf32>
}
