// dot_general_i1
// error@4:32: stablehlo.dot_general I1: lhs = tensor<2x3xindex>
func.func @main(%a: tensor<2x3xindex>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xindex>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_i1 quantized per axis
// error@4:32: stablehlo.dot_general I1: lhs = tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(%a: tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %b: tensor<3x4x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<3x4x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x4x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// dot_general_i2
// error@4:36: stablehlo.dot_general I2: rhs = tensor<3x4xindex>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xindex>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xindex>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_i3
// error@4:8: stablehlo.dot_general I3: expected the attribute dot_dimension_numbers, dot dimension numbers
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_i7
// error@4:42: stablehlo.dot_general I7: precision_config = [1]
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{precision_config = [1 : i64], dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_c1
// error@4:8: stablehlo.dot_general C1: lhs_batching_dimensions = [0], rhs_batching_dimensions = []
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_c2
// error@4:8: stablehlo.dot_general C2: lhs_contracting_dimensions = [1, 0], rhs_contracting_dimensions = [0]
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 0], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_c3
// error@4:8: stablehlo.dot_general C3: dimensions = [1, 1]
func.func @main(%a: tensor<2x3x2xf32>, %b: tensor<3x2x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<2x3x2xf32>, tensor<3x2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_c4
// error@4:8: stablehlo.dot_general C4: dimensions = [0, 0]
func.func @main(%a: tensor<2x3x2xf32>, %b: tensor<3x2x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<2x3x2xf32>, tensor<3x2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_c5
// error@4:8: stablehlo.dot_general C5: lhs_batching_dimensions = [2], rank = 2
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [2], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_c6
// error@4:8: stablehlo.dot_general C6: lhs_contracting_dimensions = [-1], rank = 2
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [-1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_c7
// error@4:8: stablehlo.dot_general C7: rhs_batching_dimensions = [2], rank = 2
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_c8
// error@4:8: stablehlo.dot_general C8: rhs_contracting_dimensions = [2], rank = 2
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_c9
// error@4:8: stablehlo.dot_general C9: lhs = [2], rhs = [4]
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_c10
// error@4:8: stablehlo.dot_general C10: lhs = [3], rhs = [4]
func.func @main(%a: tensor<2x3xf32>, %b: tensor<4x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_c11
// error@4:8: stablehlo.dot_general C11: size = 3
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>], dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_c12
// error@4:153: stablehlo.dot_general C12: type = tensor<2x5xf32>, expected = tensor<2x4xf32>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x5xf32>
  return
}
// -----
// dot_general_c12 of another rank
// error@4:153: stablehlo.dot_general C12: type = tensor<2xf32>, expected = tensor<2x4xf32>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2xf32>
  return
}
// -----
// dot_general_c13
// error@4:8: stablehlo.dot_general C13: lhs = f32, rhs = f64
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf64>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf64>) -> tensor<2x4xf64>
  return
}
// -----
// dot_general_c14
// error@4:8: stablehlo.dot_general C14: lhs = f32, rhs = !quant.uniform<i8:f32, 5.000000e-01>, result = !quant.uniform<i8:f32, 5.000000e-01>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x4x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// dot_general_c14 without a quantized rhs
// error@4:8: stablehlo.dot_general C14: lhs = !quant.uniform<i8:f32, 5.000000e-01>, rhs = f32, result = !quant.uniform<i8:f32, 5.000000e-01>
func.func @main(%a: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x4xf32>) -> tensor<2x4x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// dot_general_c15
// error@4:8: stablehlo.dot_general C15: zero_points = [1]
func.func @main(%a: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<3x4x!quant.uniform<i8:f32, 5.000000e-01:1>>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x4x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> tensor<2x4x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// dot_general_c16
// error@4:8: stablehlo.dot_general C16: quantization_dimension = 0, rhs_contracting_dimensions = [0]
func.func @main(%a: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<3x4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01,1.000000e+00}>>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01,1.000000e+00}>>) -> tensor<2x4x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// dot_general_c17
// error@4:8: stablehlo.dot_general C17: lhs = i8, rhs = i16
func.func @main(%a: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<3x4x!quant.uniform<i16:f32, 5.000000e-01>>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x4x!quant.uniform<i16:f32, 5.000000e-01>>) -> tensor<2x4x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// dot_general_c18
// error@4:8: stablehlo.dot_general C18: lhs = f32, rhs = f64, result = f32
func.func @main(%a: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<3x4x!quant.uniform<i8:f64, 5.000000e-01>>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x4x!quant.uniform<i8:f64, 5.000000e-01>>) -> tensor<2x4x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// dot_general_c19
// error@4:8: stablehlo.dot_general C19: rhs = !quant.uniform<i8:f32, 5.000000e-01>, result = !quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>
func.func @main(%a: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>
  return
}
// -----
// dot_general_c20
// error@4:8: stablehlo.dot_general C20: lhs = f64, rhs = !quant.uniform<i8:f32, 5.000000e-01>, result = f64
func.func @main(%a: tensor<2x3xf64>, %b: tensor<3x4x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf64>, tensor<3x4x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x4xf64>
  return
}
// -----
// dot_general_c21
// error@4:8: stablehlo.dot_general C21: precision_config = [DEFAULT, HIGH]
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>], dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_c22
// error@4:8: stablehlo.dot_general C22: lhs_component_count = 0
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_c23
// error@4:8: stablehlo.dot_general C23: rhs_component_count = 0
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 0, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_c24
// error@4:8: stablehlo.dot_general C24: num_primitive_operations = 0
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 0, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_i8
// error@4:8: stablehlo.dot_general I8: algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 2, allow_imprecise_accumulation = false>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 2, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_i8 two types
// error@4:8: stablehlo.dot_general I8: algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = f16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = f16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_i4: a number for a list
// error@4:107: expected '[', found '0'
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<rhs_batching_dimensions = 0, lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_i5: strings
// error@4:111: expected an integer, found '"a"'
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = ["a"], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_i6: a fraction
// error@4:145: expected an integer, found '0.5'
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0.5]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_i9: a string for a type
// error@4:126: expected a type, found '"f32"'
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = "f32", accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_i10: no type
// error@4:151: expected a type, found 'f33'
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f33, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_i11: a fraction
// error@4:178: expected an integer, found '1.0'
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1.0, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_i12: a string
// error@4:203: expected an integer, found '"a"'
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = "a", num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_i13: a list
// error@4:233: expected an integer, found '['
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = [1], allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_i14: a string
// error@4:267: expected a boolean, one of true, false
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = "true">, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// dot_general_c17: signed and unsigned
// error@4:8: stablehlo.dot_general C17: lhs = ui8, rhs = i8
func.func @main(%a: tensor<2x!quant.uniform<ui8:f32, 5.000000e-01>>, %b: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<2x!quant.uniform<ui8:f32, 5.000000e-01>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// dot_general_c12: a size beyond a bound
// error@4:153: stablehlo.dot_general C12: type = tensor<3xf32>, expected = tensor<?xf32, #stablehlo.bounds<2>>
func.func @main(%a: tensor<?x2xf32, #stablehlo.bounds<2, ?>>, %b: tensor<2xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<?x2xf32, #stablehlo.bounds<2, ?>>, tensor<2xf32>) -> tensor<3xf32>
  return
}
