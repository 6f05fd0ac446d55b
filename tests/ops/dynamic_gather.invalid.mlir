// dynamic_gather_i1
// error@4:35: stablehlo.dynamic_gather I1: operand = tensor<2x3x4x2xindex>
func.func @main(%a: tensor<2x3x4x2xindex>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xindex>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather_i2
// error@4:39: stablehlo.dynamic_gather I2: start_indices = tensor<2x2x3x2xf32>
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xf32>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xf32>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather_i3
// error@4:43: stablehlo.dynamic_gather I3: slice_sizes = tensor<4xindex>
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xindex>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xindex>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather_i3 dynamic
// error@4:43: stablehlo.dynamic_gather I3: slice_sizes = tensor<?xi64>
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<?xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<?xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather_c1
// error@4:8: stablehlo.dynamic_gather C1: rank = 4, offset_dims = 1, collapsed_slice_dims = 1, operand_batching_dims = 1
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather_c2
// error@4:8: stablehlo.dynamic_gather C2: index_vector_dim = 5, rank = 4
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 5>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather_c3
// error@4:8: stablehlo.dynamic_gather C3: start_index_map = 1, start_indices = 2
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather_c4
// error@4:8: stablehlo.dynamic_gather C4: offset_dims = [4, 3]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [4, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather_c5
// error@4:8: stablehlo.dynamic_gather C5: offset_dims = [3, 5], rank = 5
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 5], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather_c6
// error@4:8: stablehlo.dynamic_gather C6: collapsed_slice_dims = [2, 1], operand_batching_dims = [0]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [2, 1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather_c7
// error@4:8: stablehlo.dynamic_gather C7: collapsed_slice_dims = [4], rank = 4
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [4], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather_c8
// error@5:8: stablehlo.dynamic_gather C8: slice_sizes = [1, 2, 2, 2], collapsed_slice_dims = [1]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %s = stablehlo.constant dense<[1, 2, 2, 2]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather_c9
// error@4:8: stablehlo.dynamic_gather C9: start_index_map = [2, 2], operand_batching_dims = [0]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 2], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather_c10
// error@4:8: stablehlo.dynamic_gather C10: start_index_map = [2, 4], rank = 4
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 4], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather_c11
// error@4:8: stablehlo.dynamic_gather C11: size = 3, rank = 4
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<3xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<3xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather_c12
// error@5:8: stablehlo.dynamic_gather C12: slice_sizes = [1, 1, 5, 2], shape = [2, 3, 4, 2]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %s = stablehlo.constant dense<[1, 1, 5, 2]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather_c13
// error@4:253: stablehlo.dynamic_gather C13: type = tensor<2x2x4x?x?xi32>, expected = tensor<2x2x3x?x?xi32>
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x4x?x?xi32>
  return
}
// -----
// dynamic_gather_c13 constant sizes
// error@5:253: stablehlo.dynamic_gather C13: type = tensor<2x2x3x2x1xi32>, expected = tensor<2x2x3x2x2xi32>
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %s = stablehlo.constant dense<[1, 1, 2, 2]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x2x1xi32>
  return
}
// -----
// dynamic_gather_c14
// error@4:253: stablehlo.dynamic_gather C14: type = tensor<2x2x3x?x?xf32>, expected = tensor<2x2x3x?x?xi32>
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xf32>
  return
}
// -----
// dynamic_gather batching: gather_c10
// error@4:8: stablehlo.dynamic_gather C10 of gather: operand_batching_dims = [3, 0]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1], operand_batching_dims = [3, 0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather batching: gather_c11
// error@4:8: stablehlo.dynamic_gather C11 of gather: operand_batching_dims = [-1], rank = 4
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [-1], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather batching: gather_c12
// error@5:8: stablehlo.dynamic_gather C12 of gather: slice_sizes = [2, 1, 2, 2], operand_batching_dims = [0]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %s = stablehlo.constant dense<[2, 1, 2, 2]> : tensor<4xi64>
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather batching: gather_c13
// error@4:8: stablehlo.dynamic_gather C13 of gather: start_indices_batching_dims = [1, 1]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1, 1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather batching: gather_c14
// error@4:8: stablehlo.dynamic_gather C14 of gather: start_indices_batching_dims = [4], rank = 4
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [4], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather batching: gather_c15
// error@4:8: stablehlo.dynamic_gather C15 of gather: index_vector_dim = 3, start_indices_batching_dims = [3]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [3], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather batching: gather_c16
// error@4:8: stablehlo.dynamic_gather C16 of gather: operand_batching_dims = [0], start_indices_batching_dims = [0, 1]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0, 1], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather batching: gather_c17
// error@4:8: stablehlo.dynamic_gather C17 of gather: operand = [2], start_indices = [3]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>, %s: tensor<4xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [2, 1], index_vector_dim = 3>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>, tensor<4xi64>) -> tensor<2x2x3x?x?xi32>
  return
}
// -----
// dynamic_gather_i4
// error@4:58: stablehlo.dynamic_gather I4: dimension_numbers = 1 : i32
func.func @main(%arg0: tensor<2x3xi64>, %arg1: tensor<2x1xi32>, %arg2: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %arg2) <{dimension_numbers = 1 : i32}> : (tensor<2x3xi64>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x?xi64>
  return
}
// -----
// dynamic_gather_i8
// error@4:225: stablehlo.dynamic_gather I8: indices_are_sorted = 1 : i32
func.func @main(%arg0: tensor<2x3xi64>, %arg1: tensor<2x1xi32>, %arg2: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %arg2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = 1 : i32}> : (tensor<2x3xi64>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x?xi64>
  return
}
// -----
// dynamic_gather_i5: a number for a list
// error@4:129: expected '[', found '0'
func.func @main(%a: tensor<3x4xf32>, %b: tensor<2x1xi32>, %c: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_gather"(%a, %b, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = 0, operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>}> : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x4xf32>
  return
}
// -----
// dynamic_gather_i6: a fraction
// error@4:215: expected an integer, found '0.5'
func.func @main(%a: tensor<3x4xf32>, %b: tensor<2x1xi32>, %c: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_gather"(%a, %b, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0.5], index_vector_dim = 1>}> : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x4xf32>
  return
}
// -----
// dynamic_gather_i7: a list for a number
// error@4:238: expected an integer, found '['
func.func @main(%a: tensor<3x4xf32>, %b: tensor<2x1xi32>, %c: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_gather"(%a, %b, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = [1]>}> : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x4xf32>
  return
}
