// custom_call_i4: a dictionary for an older version
// error@4:3: stablehlo.custom_call I4: backend_config = {a = 1 : i32}, api_version = 1
func.func @main(%a0: tensor<2xf32>) {
  stablehlo.custom_call @foo(%a0) {backend_config = {a = 1 : i32}} : (tensor<2xf32>) -> ()
  return
}
// -----
// custom_call_i4: a string for a newer version
// error@4:3: stablehlo.custom_call I4: backend_config = "x", api_version = 4
func.func @main(%a0: tensor<2xf32>) {
  stablehlo.custom_call @foo(%a0) {api_version = 4 : i32, backend_config = "x"} : (tensor<2xf32>) -> ()
  return
}
// -----
// custom_call_i5
// error@4:3: stablehlo.custom_call I5: api_version = 9
func.func @main(%a0: tensor<2xf32>) {
  stablehlo.custom_call @foo(%a0) {api_version = 9 : i32} : (tensor<2xf32>) -> ()
  return
}
// -----
// custom_call_layouts
// error@4:3: stablehlo.custom_call layouts: operand_layouts = [[0]], result_layouts = None
func.func @main(%a0: tensor<2xf32>) {
  stablehlo.custom_call @foo(%a0) {operand_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2xf32>) -> ()
  return
}
// -----
// custom_call_operand_layouts: number
// error@4:3: stablehlo.custom_call operand_layouts: layouts = 0, values = 1
func.func @main(%a0: tensor<2xf32>) {
  stablehlo.custom_call @foo(%a0) {operand_layouts = [], result_layouts = []} : (tensor<2xf32>) -> ()
  return
}
// -----
// custom_call_operand_layouts: permutation
// error@4:3: stablehlo.custom_call operand_layouts: layout = [0, 2], type = tensor<2x2xf32>
func.func @main(%a0: tensor<2x2xf32>) {
  stablehlo.custom_call @foo(%a0) {operand_layouts = [dense<[0, 2]> : tensor<2xindex>], result_layouts = []} : (tensor<2x2xf32>) -> ()
  return
}
// -----
// custom_call_operand_layouts: of a token
// error@4:3: stablehlo.custom_call operand_layouts: layout = [0], type = !stablehlo.token
func.func @main(%a0: !stablehlo.token) {
  stablehlo.custom_call @foo(%a0) {operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = []} : (!stablehlo.token) -> ()
  return
}
// -----
// custom_call_operand_layouts: of a tuple
// error@4:3: stablehlo.custom_call operand_layouts: layout = [0], type = tuple<tensor<2xf32>>
func.func @main(%a0: tuple<tensor<2xf32>>) {
  stablehlo.custom_call @foo(%a0) {operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = []} : (tuple<tensor<2xf32>>) -> ()
  return
}
// -----
// custom_call_operand_layouts: not of indices
// error@4:36: stablehlo.custom_call: operand_layouts = [dense<0> : tensor<1xi64>]
func.func @main(%a0: tensor<2xf32>) {
  stablehlo.custom_call @foo(%a0) {operand_layouts = [dense<0> : tensor<1xi64>], result_layouts = []} : (tensor<2xf32>) -> ()
  return
}
// -----
// custom_call_result_layouts: of a nested tuple
// error@4:8: stablehlo.custom_call result_layouts: layout = [0], type = tuple<tensor<2xf32>>
func.func @main() {
  %0 = stablehlo.custom_call @foo() {operand_layouts = [], result_layouts = [dense<0> : tensor<1xindex>]} : () -> tuple<tuple<tensor<2xf32>>>
  return
}
// -----
// custom_call_i7: operand index
// error@4:8: stablehlo.custom_call I7: operand = None, result = tensor<2xf32>, alias = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>
func.func @main(%a0: tensor<2xf32>) {
  %0 = stablehlo.custom_call @foo(%a0) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// custom_call_i7: output tuple index
// error@4:8: stablehlo.custom_call I7: operand = tensor<2xf32>, result = None, alias = #stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>
func.func @main(%a0: tensor<2xf32>) {
  %0 = stablehlo.custom_call @foo(%a0) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// custom_call_i7: types
// error@4:10: stablehlo.custom_call I7: operand = tensor<2xf32>, result = tuple<tensor<2xf32>, tensor<2xf32>>, alias = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>
func.func @main(%a0: tensor<2xf32>) {
  %0:2 = stablehlo.custom_call @foo(%a0) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}
// -----
// custom_call_buffers: CreateBuffer
// error@4:8: stablehlo.custom_call buffers: target = CreateBuffer, operands = [tensor<2xf32>], results = [memref<2xf32>]
func.func @main(%a0: tensor<2xf32>) {
  %0 = stablehlo.custom_call @CreateBuffer(%a0) : (tensor<2xf32>) -> memref<2xf32>
  return
}
// -----
// custom_call_buffers: Pin
// error@4:8: stablehlo.custom_call buffers: target = Pin, operands = [tensor<2xf32>], results = [memref<3xf32>]
func.func @main(%a0: tensor<2xf32>) {
  %0 = stablehlo.custom_call @Pin(%a0) : (tensor<2xf32>) -> memref<3xf32>
  return
}
// -----
// custom_call_buffers: Pin of unknown rank
// error@5:35: stablehlo.custom_call I1: inputs = tensor<*xf32>
// error@5:8: stablehlo.custom_call buffers: target = Pin, operands = [tensor<*xf32>], results = [memref<3xf32>]
func.func @main(%a0: tensor<*xf32>) {
  %0 = stablehlo.custom_call @Pin(%a0) : (tensor<*xf32>) -> memref<3xf32>
  return
}
// -----
// custom_call_buffers: Unpin
// error@4:8: stablehlo.custom_call buffers: target = Unpin, operands = [tensor<2xf32>], results = [tensor<2xf32>]
func.func @main(%a0: tensor<2xf32>) {
  %0 = stablehlo.custom_call @Unpin(%a0) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// custom_call_buffer aliases: a result without
// error@4:8: stablehlo.custom_call buffer aliases: result = [], aliases = 0
func.func @main() {
  %0 = stablehlo.custom_call @foo() : () -> memref<2xf32>
  return
}
// -----
// custom_call_buffer aliases: an operand twice
// error@4:10: stablehlo.custom_call buffer aliases: operand = 0, path = [], aliases = 2
func.func @main(%a0: memref<2xf32>) {
  %0:2 = stablehlo.custom_call @foo(%a0) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]} : (memref<2xf32>) -> (memref<2xf32>, memref<2xf32>)
  return
}
// -----
// custom_call_i1
// error@4:32: stablehlo.custom_call I1: inputs = f32
func.func @main(%arg0: f32) {
  %0 = "stablehlo.custom_call"(%arg0) <{call_target_name = "Sharding"}> {mhlo.sharding = "{replicated}"} : (f32) -> tensor<2xf32>
  return
}
// -----
// custom_call_i2
// error@4:59: stablehlo.custom_call I2: call_target_name = 1 : i32
func.func @main() {
  %0 = "stablehlo.custom_call"() <{api_version = 4 : i32, call_target_name = 1 : i32}> : () -> memref<4xf64>
  return
}
// -----
// custom_call_i3
// error@4:94: stablehlo.custom_call I3: has_side_effect = 1 : i32
func.func @main() {
  %0 = "stablehlo.custom_call"() <{api_version = 4 : i32, call_target_name = "CreateBuffer", has_side_effect = 1 : i32}> : () -> memref<4xf64>
  return
}
// -----
// custom_call_i6
// error@4:94: stablehlo.custom_call I6: called_computations = 1 : i32
func.func @main() {
  %0 = "stablehlo.custom_call"() <{api_version = 4 : i32, call_target_name = "CreateBuffer", called_computations = 1 : i32}> : () -> memref<4xf64>
  return
}
// -----
// custom_call_i1: an unranked tensor
// error@4:32: stablehlo.custom_call I1: inputs = tensor<*xf32>
func.func @main(%a: tensor<*xf32>) {
  %0 = "stablehlo.custom_call"(%a) <{call_target_name = "foo"}> : (tensor<*xf32>) -> tensor<2xf32>
  return
}
// -----
// custom_call_i1: a tensor of unknown rank whose elements no operation takes
// error@4:27: stablehlo.custom_call I1: inputs = tuple<tensor<*xindex>>
func.func @main(%a: tuple<tensor<*xindex>>) {
  "stablehlo.custom_call"(%a) <{call_target_name = "foo"}> : (tuple<tensor<*xindex>>) -> ()
  return
}
