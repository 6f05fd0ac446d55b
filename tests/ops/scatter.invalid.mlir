// scatter_c1
// error@4:10: stablehlo.scatter C1: shapes = [[3], [4]]
func.func @main(%x: tensor<3xi64>, %y: tensor<4xi64>, %i: tensor<1xi64>, %u: tensor<i64>) {
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>, %c: tensor<i64>, %d: tensor<i64>):
    stablehlo.return %a, %b : tensor<i64>, tensor<i64>
  }) : (tensor<3xi64>, tensor<4xi64>, tensor<1xi64>, tensor<i64>, tensor<i64>) -> (tensor<3xi64>, tensor<4xi64>)
  return
}
// -----
// scatter_c2
// error@4:8: stablehlo.scatter C2: rank = 3, update_window_dims = 2, inserted_window_dims = 0, input_batching_dims = 0
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c3
// error@4:10: stablehlo.scatter C3: shapes = [[], [1]]
func.func @main(%x: tensor<3xi64>, %i: tensor<1xi64>, %u: tensor<i64>, %v: tensor<1xi64>) {
  %0:2 = "stablehlo.scatter"(%x, %x, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>, %c: tensor<i64>, %d: tensor<i64>):
    stablehlo.return %a, %b : tensor<i64>, tensor<i64>
  }) : (tensor<3xi64>, tensor<3xi64>, tensor<1xi64>, tensor<i64>, tensor<1xi64>) -> (tensor<3xi64>, tensor<3xi64>)
  return
}
// -----
// scatter_c4: sizes of index vectors
// error@4:8: stablehlo.scatter C4: updates = [6, 2, 2], scatter_indices = [5, 2], inputs = [3, 4, 2]
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<6x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<6x2x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c4: windows larger than the inputs
// error@4:8: stablehlo.scatter C4: updates = [5, 5, 2], scatter_indices = [5, 2], inputs = [3, 4, 2]
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x5x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x5x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c4: rank
// error@4:8: stablehlo.scatter C4: updates = [5, 2, 2, 1], scatter_indices = [5, 2], inputs = [3, 4, 2]
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2x1xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2x1xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c5
// error@4:3: stablehlo.scatter C5: inputs = 0, updates = 0
func.func @main(%i: tensor<1xi64>) {
  "stablehlo.scatter"(%i) <{scatter_dimension_numbers = #stablehlo.scatter<>}> ({
  ^bb0:
    stablehlo.return
  }) : (tensor<1xi64>) -> ()
  return
}
// -----
// scatter_c6
// error@4:8: stablehlo.scatter C6: updates = [i32], inputs = [i64]
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi32>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c7: sorted
// error@4:8: stablehlo.scatter C7: update_window_dims = [2, 1]
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c7: unique
// error@4:8: stablehlo.scatter C7: update_window_dims = [1, 1]
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c8
// error@4:8: stablehlo.scatter C8: update_window_dims = [1, 3], rank = 3
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c9
// error@4:8: stablehlo.scatter C9: inserted_window_dims = [0], input_batching_dims = [0]
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c10
// error@4:8: stablehlo.scatter C10: inserted_window_dims = [1, 0]
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1, 0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c11
// error@4:8: stablehlo.scatter C11: inserted_window_dims = [3], rank = 3
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [3], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c12
// error@4:8: stablehlo.scatter C12: input_batching_dims = [1, 0]
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<4x3x1xi64>, %u: tensor<4x2x3xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], input_batching_dims = [1, 0], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<4x3x1xi64>, tensor<4x2x3xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c13
// error@4:8: stablehlo.scatter C13: input_batching_dims = [3], rank = 3
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], input_batching_dims = [3], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c14
// error@4:8: stablehlo.scatter C14: scatter_indices_batching_dims = [0, 0]
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<3x4x1xi64>, %u: tensor<3x2x4xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 0], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<3x4x1xi64>, tensor<3x2x4xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c15
// error@4:8: stablehlo.scatter C15: scatter_indices_batching_dims = [2], rank = 2
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], input_batching_dims = [0], scatter_indices_batching_dims = [2], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c16
// error@4:8: stablehlo.scatter C16: index_vector_dim = 1, scatter_indices_batching_dims = [1]
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c17
// error@4:8: stablehlo.scatter C17: input_batching_dims = [], scatter_indices_batching_dims = [0]
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1, scatter_indices_batching_dims = [0]>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c18
// error@4:8: stablehlo.scatter C18: inputs = [3], scatter_indices = [5]
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c19
// error@4:8: stablehlo.scatter C19: scatter_dims_to_operand_dims = 1, scatter_indices = 2
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c19: index vectors without a dimension
// error@4:8: stablehlo.scatter C19: scatter_dims_to_operand_dims = 2, scatter_indices = 1
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c20
// error@4:8: stablehlo.scatter C20: scatter_dims_to_operand_dims = [1, 1], input_batching_dims = []
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c21
// error@4:8: stablehlo.scatter C21: scatter_dims_to_operand_dims = [0, 3], rank = 3
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 3], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c22
// error@4:8: stablehlo.scatter C22: index_vector_dim = 3, rank = 2
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 3>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_c23
// error@4:8: stablehlo.scatter C23: update_computation = (tensor<i32>, tensor<i32>) -> tensor<i32>, element_types = [i64]
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x2xi32>
  return
}
// -----
// scatter_c24
// error@4:8: stablehlo.scatter C24: type = tensor<3x4x3xi64>, expected = tensor<3x4x2xi64>
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x3xi64>
  return
}
// -----
// scatter_c25
// error@4:8: stablehlo.scatter C25: type = tensor<3x4x2xi32>, expected = tensor<3x4x2xi64>
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, tensor<5x2x2xi64>) -> tensor<3x4x2xi32>
  return
}
// -----
// scatter_i2
// error@4:32: stablehlo.scatter I2: scatter_indices = tensor<5x2xf32>
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xf32>, %u: tensor<5x2x2xi64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<5x2xf32>, tensor<5x2x2xi64>) -> tensor<3x4x2xi64>
  return
}
// -----
// scatter_i1
// error@8:28: stablehlo.scatter I1: inputs = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(
  %arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>,
  %arg1: tensor<0xi32>,
  %arg2: tensor<i8>
) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<>}> ({
  ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
    %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%1) : (tensor<i32>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<0xi32>, tensor<i8>) -> tensor<i32>
  return
}
// -----
// scatter_i3
// error@8:42: stablehlo.scatter I3: updates = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(
  %arg0: tensor<i8>,
  %arg1: tensor<0xi32>,
  %arg2: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<>}> ({
  ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
    %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%1) : (tensor<i32>) -> ()
  }) : (tensor<i8>, tensor<0xi32>, tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<i32>
  return
}
// -----
// scatter_i4
// error@4:51: stablehlo.scatter I4: scatter_dimension_numbers = 1 : i32
func.func @main(%arg0: tensor<i8>, %arg1: tensor<0xi32>, %arg2: tensor<i8>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = 1 : i32}> ({
  ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
    %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%1) : (tensor<i32>) -> ()
  }) : (tensor<i8>, tensor<0xi32>, tensor<i8>) -> tensor<i32>
  return
}
// -----
// scatter_i10
// error@4:51: stablehlo.scatter I10: indices_are_sorted = 1 : i32
func.func @main(%arg0: tensor<i8>, %arg1: tensor<0xi32>, %arg2: tensor<i8>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = 1 : i32, scatter_dimension_numbers = #stablehlo.scatter<>}> ({
  ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
    %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%1) : (tensor<i32>) -> ()
  }) : (tensor<i8>, tensor<0xi32>, tensor<i8>) -> tensor<i32>
  return
}
// -----
// scatter_i11
// error@4:101: stablehlo.scatter I11: unique_indices = 1 : i32
func.func @main(%arg0: tensor<i8>, %arg1: tensor<0xi32>, %arg2: tensor<i8>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<>, unique_indices = 1 : i32}> ({
  ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
    %1 = "stablehlo.add"(%arg3, %arg4) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%1) : (tensor<i32>) -> ()
  }) : (tensor<i8>, tensor<0xi32>, tensor<i8>) -> tensor<i32>
  return
}
// -----
// scatter_i12
// error@4:8: stablehlo.scatter I12: update_computation has a block
func.func @main(%arg0: tensor<i8>, %arg1: tensor<0xi32>, %arg2: tensor<i8>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<>}> ({
  }) : (tensor<i8>, tensor<0xi32>, tensor<i8>) -> tensor<i32>
  return
}
// -----
// scatter_i5: a number for a list
// error@4:138: expected '[', found '0'
func.func @main(%a: tensor<3x4xf32>, %b: tensor<2x1xi32>, %c: tensor<2x4xf32>) {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = 0, input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }) : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}
// -----
// scatter_i6: strings
// error@4:166: expected an integer, found '"a"'
func.func @main(%a: tensor<3x4xf32>, %b: tensor<2x1xi32>, %c: tensor<2x4xf32>) {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = ["a"], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }) : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}
// -----
// scatter_i7: strings
// error@4:202: expected an integer, found '"0"'
func.func @main(%a: tensor<3x4xf32>, %b: tensor<2x1xi32>, %c: tensor<2x4xf32>) {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = ["0"], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }) : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}
// -----
// scatter_i8: a fraction
// error@4:237: expected an integer, found '0.5'
func.func @main(%a: tensor<3x4xf32>, %b: tensor<2x1xi32>, %c: tensor<2x4xf32>) {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0.5], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }) : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}
// -----
// scatter_i9: a list for a number
// error@4:260: expected an integer, found '['
func.func @main(%a: tensor<3x4xf32>, %b: tensor<2x1xi32>, %c: tensor<2x4xf32>) {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = [1]>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }) : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}
// -----
// scatter_c5: an update too many
// error@4:8: stablehlo.scatter: number = 4
func.func @main(%a: tensor<3xf32>, %b: tensor<2x1xi32>, %c: tensor<2xf32>) {
  %0 = "stablehlo.scatter"(%a, %b, %c, %c) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }) : (tensor<3xf32>, tensor<2x1xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}
// -----
// scatter_i2: booleans
// error@4:32: stablehlo.scatter I2: scatter_indices = tensor<2x1xi1>
func.func @main(%a: tensor<3xf32>, %b: tensor<2x1xi1>, %c: tensor<2xf32>) {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }) : (tensor<3xf32>, tensor<2x1xi1>, tensor<2xf32>) -> tensor<3xf32>
  return
}
// -----
// scatter_c5: a surplus update, which upstream ignores, beside another index_vector_dim
// error@4:8: stablehlo.scatter: number = 4
func.func @main(%a: tensor<3xf32>, %b: tensor<2x1xi32>, %c: tensor<2xf32>) {
  %0 = "stablehlo.scatter"(%a, %b, %c, %c) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 5>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }) : (tensor<3xf32>, tensor<2x1xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}
