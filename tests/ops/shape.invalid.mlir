// shape_of_extents
// error@4:8: shape.shape_of result: arg = tensor<2x3xf32>, result = tensor<3xindex>
func.func @main(%t: tensor<2x3xf32>) {
  %0 = shape.shape_of %t : tensor<2x3xf32> -> tensor<3xindex>
  return
}
// -----
// shape_of_result
// error@4:28: shape.shape_of: result = tensor<2xi32>
func.func @main(%t: tensor<2x3xf32>) {
  %0 = shape.shape_of %t : tensor<2x3xf32> -> tensor<2xi32>
  return
}
// -----
// shape_const_shape_result
// error@4:8: shape.const_shape result: literal = tensor<2xindex>, result = tensor<?xindex>
func.func @main() {
  %0 = shape.const_shape [1, 2] : tensor<?xindex>
  return
}
// -----
// shape_broadcast_errors
// error@4:8: shape.broadcast errors: operands = [tensor<2xindex>, !shape.shape], result = tensor<?xindex>
func.func @main(%s: tensor<2xindex>, %t: !shape.shape) {
  %0 = shape.broadcast %s, %t : tensor<2xindex>, !shape.shape -> tensor<?xindex>
  return
}
// -----
// shape_num_elements_errors
// error@4:8: shape.num_elements errors: operands = [!shape.shape], result = index
func.func @main(%s: !shape.shape) {
  %0 = shape.num_elements %s : !shape.shape -> index
  return
}
// -----
// shape_rank_errors
// error@4:8: shape.rank errors: operands = [!shape.shape], result = index
func.func @main(%s: !shape.shape) {
  %0 = shape.rank %s : !shape.shape -> index
  return
}
// -----
// shape_get_extent_errors
// error@4:8: shape.get_extent errors: operands = [tensor<2xindex>, !shape.size], result = index
func.func @main(%s: tensor<2xindex>, %i: !shape.size) {
  %0 = shape.get_extent %s, %i : tensor<2xindex>, !shape.size -> index
  return
}
// -----
// shape_mul_errors
// error@4:8: shape.mul errors: operands = [index, !shape.size], result = index
func.func @main(%i: index, %s: !shape.size) {
  %0 = shape.mul %i, %s : index, !shape.size -> index
  return
}
// -----
// shape_min_result
// error@4:27: shape.min: type = !shape.shape, expected = !shape.size
func.func @main(%s: !shape.shape, %i: !shape.size) {
  %0 = shape.min %s, %i : !shape.shape, !shape.size -> !shape.shape
  return
}
// -----
// shape_cstr_broadcastable_shapes
// error@4:8: shape.cstr_broadcastable shapes: shapes = 1
func.func @main(%s: tensor<2xindex>) {
  %0 = shape.cstr_broadcastable %s : tensor<2xindex>
  return
}
// -----
// shape_cstr_eq_operand
// error@4:22: shape.cstr_eq: shapes = tensor<2xi32>
func.func @main(%s: tensor<2xi32>) {
  %0 = shape.cstr_eq %s : tensor<2xi32>
  return
}
// -----
// shape_cstr_require_operand
// error@4:27: shape.cstr_require: pred = i32
func.func @main(%p: i32) {
  %0 = shape.cstr_require %p, "message"
  return
}
// -----
// shape_assuming_all_inputs
// error@4:8: shape.assuming_all inputs: inputs = 0
func.func @main() {
  %0 = "shape.assuming_all"() : () -> !shape.witness
  return
}
// -----
// shape_assuming_results
// error@4:8: shape.assuming results: returned = [i32], results = [i64]
func.func @main(%w: !shape.witness, %a: i32) {
  %0 = shape.assuming %w -> (i64) {
    shape.assuming_yield %a : i32
  }
  return
}
// -----
// shape_assuming_results exactly
// error@4:8: shape.assuming results: returned = [tensor<?xi32>], results = [tensor<4xi32>]
func.func @main(%w: !shape.witness, %a: tensor<?xi32>) {
  %0 = shape.assuming %w -> (tensor<4xi32>) {
    shape.assuming_yield %a : tensor<?xi32>
  }
  return
}
// -----
// shape_assuming_yield_parent
// error@4:3: shape.assuming_yield parent: parent = func.func
func.func @main() {
  "shape.assuming_yield"() : () -> ()
}
// -----
// shape_reduce_arguments
// error@4:8: shape.reduce region: region = [index, i32, index], expected = [index, index, index]
func.func @main(%s: tensor<2xindex>, %i: index) {
  %0 = shape.reduce(%s, %i) : tensor<2xindex> -> index {
  ^bb0(%a: index, %b: i32, %c: index):
    shape.yield %c : index
  }
  return
}
// -----
// shape_reduce_yield_types
// error@6:5: shape.yield values: values = [i32], results = [index]
func.func @main(%s: tensor<2xindex>, %i: index, %w: i32) {
  %0 = shape.reduce(%s, %i) : tensor<2xindex> -> index {
  ^bb0(%a: index, %b: index, %c: index):
    shape.yield %w : i32
  }
  return
}
// -----
// shape_reduce_yield
// error@6:5: shape.yield values: values = [index, index], results = [index]
func.func @main(%s: tensor<2xindex>, %i: index) {
  %0 = shape.reduce(%s, %i) : tensor<2xindex> -> index {
  ^bb0(%a: index, %b: index, %c: index):
    shape.yield %c, %c : index, index
  }
  return
}
// -----
// shape_reduce_results
// error@4:10: shape.reduce results: results = 2, initVals = 1
func.func @main(%s: tensor<2xindex>, %i: index) {
  %0:2 = "shape.reduce"(%s, %i) ({
  ^bb0(%a: index, %b: index, %c: index):
    "shape.yield"(%c, %c) : (index, index) -> ()
  }) : (tensor<2xindex>, index) -> (index, index)
  return
}
// -----
// shape_yield_parent
// error@4:3: shape.yield parent: parent = func.func
func.func @main() {
  "shape.yield"() : () -> ()
}
// -----
// shape_assuming_region
// error@4:8: shape.assuming doRegion: terminator = stablehlo.return
func.func @main(%w: !shape.witness, %a: tensor<2xf32>) {
  %0 = "shape.assuming"(%w) ({
    "stablehlo.return"(%a) : (tensor<2xf32>) -> ()
  }) : (!shape.witness) -> tensor<2xf32>
  return
}
// -----
// shape_to_extent_tensor result
// error@4:39: shape.to_extent_tensor: result = tensor<2xi32>
func.func @main(%s: !shape.shape) {
  %0 = "shape.to_extent_tensor"(%s) : (!shape.shape) -> tensor<2xi32>
  return
}
