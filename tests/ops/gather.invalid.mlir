// gather_i1
// error@4:27: stablehlo.gather I1: operand = tensor<2x3x4x2xindex>
func.func @main(%a: tensor<2x3x4x2xindex>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xindex>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_i2
// error@4:31: stablehlo.gather I2: start_indices = tensor<2x2x3x2xf32>
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xf32>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xf32>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c1
// error@4:8: stablehlo.gather C1: rank = 4, offset_dims = 1, collapsed_slice_dims = 1, operand_batching_dims = 1
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c2
// error@4:8: stablehlo.gather C2: index_vector_dim = 5, rank = 4
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 5>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c3
// error@4:8: stablehlo.gather C3: start_index_map = 1, start_indices = 2
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c3 without the dimension
// error@4:8: stablehlo.gather C3: start_index_map = 2, start_indices = 1
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 4>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c4 sorted
// error@4:8: stablehlo.gather C4: offset_dims = [4, 3]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [4, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c4 unique
// error@4:8: stablehlo.gather C4: offset_dims = [3, 3]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c5
// error@4:8: stablehlo.gather C5: offset_dims = [3, 5], rank = 5
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 5], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c6
// error@4:8: stablehlo.gather C6: collapsed_slice_dims = [1], operand_batching_dims = [1]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [1], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c7
// error@4:8: stablehlo.gather C7: collapsed_slice_dims = [2, 1]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [2, 1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c8
// error@4:8: stablehlo.gather C8: collapsed_slice_dims = [4], rank = 4
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [4], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c9
// error@4:8: stablehlo.gather C9: slice_sizes = [1, 2, 2, 2], collapsed_slice_dims = [1]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 2, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c10
// error@4:8: stablehlo.gather C10: operand_batching_dims = [3, 0]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1], operand_batching_dims = [3, 0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c11
// error@4:8: stablehlo.gather C11: operand_batching_dims = [-1], rank = 4
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [-1], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c12
// error@4:8: stablehlo.gather C12: slice_sizes = [2, 1, 2, 2], operand_batching_dims = [0]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 2, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c13
// error@4:8: stablehlo.gather C13: start_indices_batching_dims = [1, 1]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1, 1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c14
// error@4:8: stablehlo.gather C14: start_indices_batching_dims = [4], rank = 4
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [4], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c15
// error@4:8: stablehlo.gather C15: index_vector_dim = 3, start_indices_batching_dims = [3]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [3], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c16
// error@4:8: stablehlo.gather C16: operand_batching_dims = [0], start_indices_batching_dims = [0, 1]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0, 1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c17
// error@4:8: stablehlo.gather C17: operand = [2], start_indices = [3]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c18
// error@4:8: stablehlo.gather C18: start_index_map = [2, 0], operand_batching_dims = [0]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c19
// error@4:8: stablehlo.gather C19: start_index_map = [2, 4], rank = 4
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 4], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c20
// error@4:8: stablehlo.gather C20: size = 3, rank = 4
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c21
// error@4:8: stablehlo.gather C21: slice_sizes = [1, 1, 5, 2], shape = [2, 3, 4, 2]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 5, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c21 negative
// error@4:8: stablehlo.gather C21: slice_sizes = [1, 1, -1, 2], shape = [2, 3, 4, 2]
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, -1, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  return
}
// -----
// gather_c22
// error@4:279: stablehlo.gather C22: type = tensor<2x2x3x2x1xi32>, expected = tensor<2x2x3x2x2xi32>
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x1xi32>
  return
}
// -----
// gather_c23
// error@4:279: stablehlo.gather C23: type = tensor<2x2x3x2x2xf32>, expected = tensor<2x2x3x2x2xi32>
func.func @main(%a: tensor<2x3x4x2xi32>, %i: tensor<2x2x3x2xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>}> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xf32>
  return
}
// -----
// gather_i3
// error@4:43: stablehlo.gather I3: dimension_numbers = 1 : i32
func.func @main(%arg0: tensor<4xi32>, %arg1: tensor<i32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = 1 : i32, slice_sizes = array<i64: 2>}> : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  return
}
// -----
// gather_i9
// error@4:124: stablehlo.gather I9: slice_sizes = 1 : i32
func.func @main(%arg0: tensor<4xi32>, %arg1: tensor<i32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map = [0]>, slice_sizes = 1 : i32}> : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  return
}
// -----
// gather_i10
// error@4:124: stablehlo.gather I10: indices_are_sorted = 1 : i32
func.func @main(%arg0: tensor<4xi32>, %arg1: tensor<i32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map = [0]>, indices_are_sorted = 1 : i32, slice_sizes = array<i64: 2>}> : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  return
}
// -----
// gather_i4: a number for a list
// error@4:117: expected '[', found '0'
func.func @main(%a: tensor<3x4xf32>, %b: tensor<2x1xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = 0, operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  return
}
// -----
// gather_i5: strings
// error@4:147: expected an integer, found '"a"'
func.func @main(%a: tensor<3x4xf32>, %b: tensor<2x1xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = ["a"], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  return
}
// -----
// gather_i6: strings
// error@4:181: expected an integer, found '"0"'
func.func @main(%a: tensor<3x4xf32>, %b: tensor<2x1xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = ["0"], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  return
}
// -----
// gather_i7: a fraction
// error@4:203: expected an integer, found '0.5'
func.func @main(%a: tensor<3x4xf32>, %b: tensor<2x1xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0.5], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  return
}
// -----
// gather_i8: a list for a number
// error@4:226: expected an integer, found '['
func.func @main(%a: tensor<3x4xf32>, %b: tensor<2x1xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = [1]>, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  return
}
