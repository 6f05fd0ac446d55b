// tensor_empty_sizes
// error@4:8: tensor.empty dynamicSizes: sizes = 1, result = tensor<?x?xf32>
func.func @main(%i: index) {
  %0 = tensor.empty(%i) : tensor<?x?xf32>
  return
}
// -----
// tensor_dim_rank
// error@4:19: tensor.dim: source = tensor<f32>
func.func @main(%t: tensor<f32>, %i: index) {
  %0 = tensor.dim %t, %i : tensor<f32>
  return
}
// -----
// tensor_dim_index
// error@4:25: tensor.dim: index = i32
func.func @main(%t: tensor<?xf32>, %i: i32) {
  %0 = "tensor.dim"(%t, %i) : (tensor<?xf32>, i32) -> index
  return
}
// -----
// tensor_dim_result
// error@4:31: tensor.dim: result = i64
func.func @main(%t: tensor<?xf32>, %i: index) {
  %0 = "tensor.dim"(%t, %i) : (tensor<?xf32>, index) -> i64
  return
}
// -----
// tensor_rank_operand
// error@4:22: tensor.rank: tensor = i32
func.func @main(%t: i32) {
  %0 = "tensor.rank"(%t) : (i32) -> index
  return
}
// -----
// tensor_extract_indices
// error@4:8: tensor.extract indices: indices = 1, tensor = tensor<2x3xf32>
func.func @main(%t: tensor<2x3xf32>, %i: index) {
  %0 = tensor.extract %t[%i] : tensor<2x3xf32>
  return
}
// -----
// tensor_extract_result
// error@4:31: tensor.extract element type: type = f64, expected = f32
func.func @main(%t: tensor<f32>) {
  %0 = "tensor.extract"(%t) : (tensor<f32>) -> f64
  return
}
// -----
// tensor_from_elements_number
// error@4:8: tensor.from_elements elements: elements = 1, result = tensor<2xi32>
func.func @main(%a: i32) {
  %0 = tensor.from_elements %a : tensor<2xi32>
  return
}
// -----
// tensor_from_elements_type
// error@4:8: tensor.from_elements element type: elements = [i32], element_type = i64
func.func @main(%a: i32) {
  %0 = tensor.from_elements %a : tensor<1xi64>
  return
}
// -----
// tensor_from_elements_result
// error@4:34: tensor.from_elements: result = tensor<?xi32>
func.func @main(%a: i32) {
  %0 = tensor.from_elements %a : tensor<?xi32>
  return
}
// -----
// tensor_cast_shape
// error@4:8: tensor.cast types: source = tensor<2x3xf32>, result = tensor<?x4xf32>
func.func @main(%t: tensor<2x3xf32>) {
  %0 = tensor.cast %t : tensor<2x3xf32> to tensor<?x4xf32>
  return
}
// -----
// tensor_cast_element_type
// error@4:8: tensor.cast types: source = tensor<2xf32>, result = tensor<2xf64>
func.func @main(%t: tensor<2xf32>) {
  %0 = tensor.cast %t : tensor<2xf32> to tensor<2xf64>
  return
}
