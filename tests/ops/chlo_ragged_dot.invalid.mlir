// ragged_dot precision_config
// error@4:8: chlo.ragged_dot precision_config: size = 3
func.func @main(%a: tensor<11x5xf32>, %b: tensor<3x5x7xf32>, %g: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{precision_config = [#chlo<precision HIGH>, #chlo<precision HIGH>, #chlo<precision HIGH>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}
// -----
// ragged_dot group_sizes element type
// error@4:34: chlo.ragged_dot: group_sizes = tensor<3xf32>
func.func @main(%a: tensor<11x5xf32>, %b: tensor<3x5x7xf32>, %g: tensor<3xf32>) {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xf32>) -> tensor<11x7xf32>
  return
}
// -----
// ragged_dot dimensions
// error@4:8: chlo.ragged_dot dimensions: batching = [[], []], contracting = [[], [1]]
func.func @main(%a: tensor<11x5xf32>, %b: tensor<3x5x7xf32>, %g: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}
// -----
// ragged_dot lhs dimensions
// error@4:8: chlo.ragged_dot lhs dimensions: dimensions = [2], rank = 2
func.func @main(%a: tensor<11x5xf32>, %b: tensor<3x5x7xf32>, %g: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}
// -----
// ragged_dot rhs dimensions
// error@4:8: chlo.ragged_dot rhs dimensions: dimensions = [1, 1], rank = 3
func.func @main(%a: tensor<11x5xf32>, %b: tensor<3x5x7xf32>, %g: tensor<5xi64>) {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [1]>}> : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<5xi64>) -> tensor<11x3x7xf32>
  return
}
// -----
// ragged_dot lhs_ragged_dimensions number
// error@4:8: chlo.ragged_dot lhs_ragged_dimensions: lhs_ragged_dimensions = [0, 1], rank = 2
func.func @main(%a: tensor<11x5xf32>, %b: tensor<3x5x7xf32>, %g: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0, 1], rhs_group_dimensions = [0]>}> : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}
// -----
// ragged_dot lhs_ragged_dimensions range
// error@4:8: chlo.ragged_dot lhs_ragged_dimensions: lhs_ragged_dimensions = [2], rank = 2
func.func @main(%a: tensor<11x5xf32>, %b: tensor<3x5x7xf32>, %g: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2], rhs_group_dimensions = [0]>}> : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}
// -----
// ragged_dot rhs_group_dimensions missing
// error@4:8: chlo.ragged_dot rhs_group_dimensions: rhs_group_dimensions = [], mode = non-contracting
func.func @main(%a: tensor<11x5xf32>, %b: tensor<3x5x7xf32>, %g: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}> : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}
// -----
// ragged_dot rhs_group_dimensions with contracting groups
// error@4:8: chlo.ragged_dot rhs_group_dimensions: rhs_group_dimensions = [1], mode = contracting
func.func @main(%a: tensor<11x5xf32>, %b: tensor<5x7xf32>, %g: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1], rhs_group_dimensions = [1]>}> : (tensor<11x5xf32>, tensor<5x7xf32>, tensor<3xi64>) -> tensor<3x11x7xf32>
  return
}
// -----
// ragged_dot sizes
// error@4:8: chlo.ragged_dot sizes: lhs = [5], rhs = [6]
func.func @main(%a: tensor<11x5xf32>, %b: tensor<3x6x7xf32>, %g: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<11x5xf32>, tensor<3x6x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}
// -----
// ragged_dot group_sizes
// error@4:8: chlo.ragged_dot group_sizes: group_sizes = [4], prefix = [], groups = [3]
func.func @main(%a: tensor<11x5xf32>, %b: tensor<3x5x7xf32>, %g: tensor<4xi64>) {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<4xi64>) -> tensor<11x7xf32>
  return
}
// -----
// ragged_dot group_sizes prefix
// error@4:8: chlo.ragged_dot group_sizes: group_sizes = [5, 3], prefix = [2], groups = [3]
func.func @main(%a: tensor<2x11x5xf32>, %b: tensor<3x2x5x7xf32>, %g: tensor<5x3xi64>) {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<5x3xi64>) -> tensor<2x11x7xf32>
  return
}
// -----
// ragged_dot group_sizes rank
// error@4:8: chlo.ragged_dot group_sizes: group_sizes = [], prefix = [2], groups = [3]
func.func @main(%a: tensor<2x11x5xf32>, %b: tensor<3x2x5x7xf32>, %g: tensor<i64>) {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<i64>) -> tensor<2x11x7xf32>
  return
}
// -----
// ragged_dot result
// error@4:189: chlo.ragged_dot: type = tensor<4x11x7xf32>, expected = tensor<3x11x7xf32>
func.func @main(%a: tensor<11x5xf32>, %b: tensor<5x7xf32>, %g: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> : (tensor<11x5xf32>, tensor<5x7xf32>, tensor<3xi64>) -> tensor<4x11x7xf32>
  return
}
