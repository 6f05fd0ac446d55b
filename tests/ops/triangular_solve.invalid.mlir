// triangular_solve_i1
// error@4:37: stablehlo.triangular_solve I1: a = tensor<3x3xi32>
func.func @main(%a: tensor<3x3xi32>, %b: tensor<3x2xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xi32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}
// -----
// triangular_solve_i2
// error@4:41: stablehlo.triangular_solve I2: b = tensor<3x2xi32>
func.func @main(%a: tensor<3x3xf32>, %b: tensor<3x2xi32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xi32>) -> tensor<3x2xi32>
  return
}
// -----
// triangular_solve_i3
// error@4:8: stablehlo.triangular_solve I3: expected the attribute left_side, a boolean
func.func @main(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}
// -----
// triangular_solve_i4
// error@4:8: stablehlo.triangular_solve I4: expected the attribute lower, a boolean
func.func @main(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}
// -----
// triangular_solve_i5
// error@4:8: stablehlo.triangular_solve I5: expected the attribute unit_diagonal, a boolean
func.func @main(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}
// -----
// triangular_solve_i6
// error@4:8: stablehlo.triangular_solve I6: expected the attribute transpose_a, a stablehlo transpose
func.func @main(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}
// -----
// triangular_solve_i6 invalid
// error@4:8: stablehlo.triangular_solve I6: transpose_a = TRANSPOSE_INVALID
func.func @main(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}
// -----
// triangular_solve_c1
// error@4:8: stablehlo.triangular_solve C1: a = f32, b = f64
func.func @main(%a: tensor<3x3xf32>, %b: tensor<3x2xf64>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf64>) -> tensor<3x2xf64>
  return
}
// -----
// triangular_solve_c2
// error@4:8: stablehlo.triangular_solve C2: a = 1, b = 1
func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}
// -----
// triangular_solve_c2 by different ranks
// error@4:8: stablehlo.triangular_solve C2: a = 2, b = 3
func.func @main(%a: tensor<3x3xf32>, %b: tensor<1x3x2xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
  return
}
// -----
// triangular_solve_c3
// error@4:8: stablehlo.triangular_solve C3: a = [3, 2], b = [2, 3], left_side = true
func.func @main(%a: tensor<3x2xf32>, %b: tensor<2x3xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
// -----
// triangular_solve_c3 of the right side
// error@4:8: stablehlo.triangular_solve C3: a = [3, 3], b = [3, 2], left_side = false
func.func @main(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}
// -----
// triangular_solve_c3 of the batch
// error@4:8: stablehlo.triangular_solve C3: a = [4, 3, 3], b = [5, 3, 2], left_side = true
func.func @main(%a: tensor<4x3x3xf32>, %b: tensor<5x3x2xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x3x3xf32>, tensor<5x3x2xf32>) -> tensor<5x3x2xf32>
  return
}
// -----
// triangular_solve_c4
// error@4:155: stablehlo.triangular_solve C4: type = tensor<3x2xf64>, expected = tensor<3x2xf32>
func.func @main(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf64>
  return
}
// -----
// triangular_solve_c4 by shape
// error@4:155: stablehlo.triangular_solve C4: type = tensor<2x3xf32>, expected = tensor<3x2xf32>
func.func @main(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>
  return
}
