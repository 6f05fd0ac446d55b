// arith_addi_operand
// error@4:19: arith.addi: lhs = f32
func.func @main(%a: f32) -> f32 {
  %0 = arith.addi %a, %a : f32
  return %0 : f32
}
// -----
// arith_addi_types
// error@4:8: arith.addi types: operands = [tensor<4xi32>, tensor<3xi32>]
func.func @main(%a: tensor<4xi32>, %b: tensor<3xi32>) {
  %0 = "arith.addi"(%a, %b) : (tensor<4xi32>, tensor<3xi32>) -> tensor<4xi32>
  return
}
// -----
// arith_addi_result
// error@4:31: arith.addi types: type = tensor<?xi64>, expected = tensor<4xi32>
func.func @main(%a: tensor<4xi32>) {
  %0 = "arith.addi"(%a, %a) : (tensor<4xi32>, tensor<4xi32>) -> tensor<?xi64>
  return
}
// -----
// arith_addi_overflow
// error@4:31: arith.addi: overflowFlags = 1 : i32
func.func @main(%a: i32) {
  %0 = "arith.addi"(%a, %a) <{overflowFlags = 1 : i32}> : (i32, i32) -> i32
  return
}
// -----
// arith_addi_unknown_flag
// error@4:35: expected a flag, one of none, nsw, nuw
func.func @main(%a: i32) {
  %0 = arith.addi %a, %a overflow<nsv> : i32
  return
}
// -----
// arith_addf_fastmath
// error@4:31: arith.addf: fastmath = true
func.func @main(%a: f32) {
  %0 = "arith.addf"(%a, %a) <{fastmath = true}> : (f32, f32) -> f32
  return
}
// -----
// arith_negf_operand
// error@4:19: arith.negf: operand = i32
func.func @main(%a: i32) {
  %0 = arith.negf %a : i32
  return
}
// -----
// arith_addui_extended_types
// error@4:40: arith.addui_extended types: type = tensor<2xi1>, expected = tensor<4xi1>
func.func @main(%a: tensor<4xi8>) {
  %0:2 = arith.addui_extended %a, %a : tensor<4xi8>, tensor<2xi1>
  return
}
// -----
// arith_cmpi_types
// error@4:8: arith.cmpi types: operands = [i32, i64]
func.func @main(%a: i32, %b: i64) {
  %0 = "arith.cmpi"(%a, %b) <{predicate = 0 : i64}> : (i32, i64) -> i1
  return
}
// -----
// arith_cmpi_predicate
// error@4:31: arith.cmpi: predicate = 10 : i64
func.func @main(%a: i32) {
  %0 = "arith.cmpi"(%a, %a) <{predicate = 10 : i64}> : (i32, i32) -> i1
  return
}
// -----
// arith_cmpf_result
// error@4:55: arith.cmpf types: result = i32
func.func @main(%a: f32) {
  %0 = "arith.cmpf"(%a, %a) <{predicate = 0 : i64}> : (f32, f32) -> i32
  return
}
// -----
// arith_select_types
// error@4:8: arith.select types: true_value = i32, false_value = i64
func.func @main(%p: i1, %a: i32, %b: i64) {
  %0 = "arith.select"(%p, %a, %b) : (i1, i32, i64) -> i32
  return
}
// -----
// arith_select_condition
// error@4:8: arith.select condition: condition = tensor<3xi1>, result = tensor<4xi8>
func.func @main(%p: tensor<3xi1>, %a: tensor<4xi8>) {
  %0 = arith.select %p, %a, %a : tensor<3xi1>, tensor<4xi8>
  return
}
// -----
// arith_select_result
// error@4:8: arith.select types: true_value = tensor<4xi8>, result = tensor<?xi8>
func.func @main(%p: i1, %a: tensor<4xi8>) {
  %0 = "arith.select"(%p, %a, %a) : (i1, tensor<4xi8>, tensor<4xi8>) -> tensor<?xi8>
  return
}
// -----
// arith_cast_shape
// error@4:8: arith.sitofp shape: operand = tensor<4xi32>, result = tensor<?xf32>
func.func @main(%a: tensor<4xi32>) {
  %0 = arith.sitofp %a : tensor<4xi32> to tensor<?xf32>
  return
}
// -----
// arith_extsi_elements
// error@4:8: arith.extsi element types: operand = i32, result = i16
func.func @main(%a: i32) {
  %0 = arith.extsi %a : i32 to i16
  return
}
// -----
// arith_index_cast_elements
// error@4:8: arith.index_cast element types: operand = i32, result = i64
func.func @main(%a: i32) {
  %0 = arith.index_cast %a : i32 to i64
  return
}
// -----
// arith_bitcast_elements
// error@4:8: arith.bitcast element types: operand = f32, result = i16
func.func @main(%a: f32) {
  %0 = arith.bitcast %a : f32 to i16
  return
}
// -----
// arith_fptoui_result
// error@4:26: arith.fptoui element types: result = ui8
func.func @main(%a: f32) {
  %0 = arith.fptoui %a : f32 to ui8
  return
}
// -----
// arith_constant_type
// error@4:8: arith.constant type: literal = tensor<2xi8>, result = tensor<?xi8>
func.func @main() {
  %0 = "arith.constant"() <{value = dense<1> : tensor<2xi8>}> : () -> tensor<?xi8>
  return
}
// -----
// arith_constant_sign
// error@4:8: arith.constant type: literal = ui32, result = ui32
func.func @main() {
  %0 = arith.constant 1 : ui32
  return
}
// -----
// arith_constant_literal
// error@4:23: expected a number or elements with their type
func.func @main() {
  %0 = arith.constant unit
  return
}
// -----
// arith.addi: a static and a dynamic size
// error@4:8: arith.addi types: operands = [tensor<2xi32>, tensor<?xi32>]
func.func @main(%a: tensor<2xi32>, %b: tensor<?xi32>) {
  %0 = "arith.addi"(%a, %b) : (tensor<2xi32>, tensor<?xi32>) -> tensor<2xi32>
  return
}
