// broadcast_add element types
// error@4:8: chlo.broadcast_add element types: lhs = f32, rhs = f64
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  %0 = chlo.broadcast_add %a, %b : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}
// -----
// broadcast_add result element type
// error@4:36: chlo.broadcast_add: type = tensor<2xf64>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  %0 = chlo.broadcast_add %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf64>
  return
}
// -----
// broadcast_add result shape
// error@4:36: chlo.broadcast_add: type = tensor<3x2xf32>, expected = tensor<2x3xf32>
func.func @main(%a: tensor<2x1xf32>, %b: tensor<1x3xf32>) {
  %0 = chlo.broadcast_add %a, %b : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<3x2xf32>
  return
}
// -----
// broadcast_add broadcast_dimensions number
// error@4:8: chlo.broadcast_add broadcast_dimensions: broadcast_dimensions = [0, 1], ranks = [1, 2]
func.func @main(%a: tensor<2xf32>, %b: tensor<2x3xf32>) {
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
// -----
// broadcast_add broadcast_dimensions range
// error@4:8: chlo.broadcast_add broadcast_dimensions: broadcast_dimensions = [2], ranks = [1, 2]
func.func @main(%a: tensor<2xf32>, %b: tensor<2x3xf32>) {
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 2>} : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
// -----
// broadcast_add broadcast_dimensions negative
// error@4:8: chlo.broadcast_add broadcast_dimensions: broadcast_dimensions = [-1], ranks = [1, 2]
func.func @main(%a: tensor<2xf32>, %b: tensor<2x3xf32>) {
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: -1>} : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
// -----
// broadcast_add broadcast_dimensions order
// error@4:8: chlo.broadcast_add broadcast_dimensions: broadcast_dimensions = [2, 1], ranks = [2, 3]
func.func @main(%a: tensor<3x2xf32>, %b: tensor<2x3x2xf32>) {
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 2, 1>} : (tensor<3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  return
}
// -----
// broadcast_and operand
// error@4:27: chlo.broadcast_and: lhs = tensor<2xf32>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  %0 = chlo.broadcast_and %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// broadcast_complex operand
// error@4:31: chlo.broadcast_complex: lhs = tensor<2xi32>
func.func @main(%a: tensor<2xi32>, %b: tensor<2xi32>) {
  %0 = chlo.broadcast_complex %a, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xcomplex<f32>>
  return
}
// -----
// broadcast_complex result
// error@4:40: chlo.broadcast_complex: type = tensor<2xcomplex<f64>>, expected = tensor<2xcomplex<f32>>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  %0 = chlo.broadcast_complex %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f64>>
  return
}
// -----
// broadcast_compare direction
// error@4:8: chlo.broadcast_compare: expected the attribute comparison_direction, a chlo comparison_direction
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  %0 = chlo.broadcast_compare %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return
}
// -----
// broadcast_compare direction of another dialect
// error@4:39: chlo.broadcast_compare: comparison_direction = #stablehlo<comparison_direction EQ>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  %0 = chlo.broadcast_compare %a, %b {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return
}
// -----
// broadcast_compare result
// error@4:96: chlo.broadcast_compare: result = tensor<2xf32>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  %0 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction EQ>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// broadcast_zeta operand
// error@4:28: chlo.broadcast_zeta: lhs = tensor<2xi32>
func.func @main(%a: tensor<2xi32>, %b: tensor<2xi32>) {
  %0 = chlo.broadcast_zeta %a, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return
}
// -----
// broadcast_select pred
// error@4:30: chlo.broadcast_select: pred = tensor<2xi32>
func.func @main(%p: tensor<2xi32>, %a: tensor<2xf32>, %b: tensor<2xf32>) {
  %0 = chlo.broadcast_select %p, %a, %b : (tensor<2xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// broadcast_select element types
// error@4:8: chlo.broadcast_select element types: on_true = f32, on_false = f64
func.func @main(%p: tensor<2xi1>, %a: tensor<2xf32>, %b: tensor<2xf64>) {
  %0 = chlo.broadcast_select %p, %a, %b : (tensor<2xi1>, tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}
// -----
// broadcast_select result
// error@4:43: chlo.broadcast_select: type = tensor<3xf32>, expected = tensor<2xf32>
func.func @main(%p: tensor<2xi1>, %a: tensor<2xf32>, %b: tensor<f32>) {
  %0 = chlo.broadcast_select %p, %a, %b : (tensor<2xi1>, tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
  return
}
