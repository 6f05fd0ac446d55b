// add_i1
// error@4:22: stablehlo.add I1: lhs = tensor<2xindex>
func.func @main(%a: tensor<2xindex>, %b: tensor<2xf32>) {
  %0 = stablehlo.add %a, %b : (tensor<2xindex>, tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// add_i2
// error@4:26: stablehlo.add I2: rhs = tensor<2xindex>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xindex>) {
  %0 = stablehlo.add %a, %b : (tensor<2xf32>, tensor<2xindex>) -> tensor<2xf32>
  return
}
// -----
// add_c1
// error@4:8: stablehlo.add C1: lhs = tensor<2xf32>, rhs = tensor<2xf64>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  %0 = stablehlo.add %a, %b : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}
// -----
// add_c1 shape
// error@4:8: stablehlo.add C1: lhs = tensor<2xf32>, rhs = tensor<3xf32>
func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  %0 = stablehlo.add %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}
// -----
// add_c1 result
// error@4:31: stablehlo.add C1: type = tensor<2xf64>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  %0 = stablehlo.add %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf64>
  return
}
// -----
// add_c1 quantized shape
// error@4:8: stablehlo.add C1: lhs = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, rhs = tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = stablehlo.add %a, %b : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// add_c2
// error@4:8: stablehlo.add C2: lhs = !quant.uniform<i8:f32, 5.000000e-01>, rhs = f32, result = !quant.uniform<i8:f32, 5.000000e-01>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<2xf32>) {
  %0 = stablehlo.add %a, %b : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// add_c3
// error@4:8: stablehlo.add C3: lhs = !quant.uniform<i8:f32, 5.000000e-01>, rhs = !quant.uniform<i8:f32, 5.000000e-01>, result = !quant.uniform<i16:f32, 5.000000e-01>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = stablehlo.add %a, %b : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x!quant.uniform<i16:f32, 5.000000e-01>>
  return
}
// -----
// add_c4
// error@4:8: stablehlo.add C4: lhs = !quant.uniform<i8:f32, 5.000000e-01>, rhs = !quant.uniform<i8:f64, 5.000000e-01>, result = !quant.uniform<i8:f32, 5.000000e-01>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<2x!quant.uniform<i8:f64, 5.000000e-01>>) {
  %0 = stablehlo.add %a, %b : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x!quant.uniform<i8:f64, 5.000000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// add_c5
// error@4:8: stablehlo.add C5: lhs = !quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>, rhs = !quant.uniform<i8:f32, 5.000000e-01>, result = !quant.uniform<i8:f32, 5.000000e-01>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %b: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = stablehlo.add %a, %b : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// add_c6
// error@4:8: stablehlo.add C6: operand = 0, result = 1
func.func @main(%a: tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %b: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = stablehlo.add %a, %b : (tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>
  return
}
// -----
// add_c7
// error@4:8: stablehlo.add C7: operand = 1, result = 0
func.func @main(%a: tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %b: tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>) {
  %0 = stablehlo.add %a, %b : (tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
  return
}
// -----
// add_c3: signed and unsigned
// error@4:8: stablehlo.add C3: lhs = !quant.uniform<i8:f32, 5.000000e-01>, rhs = !quant.uniform<ui8:f32, 5.000000e-01>, result = !quant.uniform<i8:f32, 5.000000e-01>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<2x!quant.uniform<ui8:f32, 5.000000e-01>>) {
  %0 = "stablehlo.add"(%a, %b) : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x!quant.uniform<ui8:f32, 5.000000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// add_c1: the result stores unsigned numbers
// error@4:34: stablehlo.add C1: type = tensor<2x!quant.uniform<u8:f32, 5.000000e-01>>, expected = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = "stablehlo.add"(%a, %b) : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x!quant.uniform<u8:f32, 5.000000e-01>>
  return
}
// -----
// add_c1: the result stores signed numbers
// error@4:34: stablehlo.add C1: type = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, expected = tensor<2x!quant.uniform<u8:f32, 5.000000e-01>>
func.func @main(%a: tensor<2x!quant.uniform<u8:f32, 5.000000e-01>>, %b: tensor<2x!quant.uniform<u8:f32, 5.000000e-01>>) {
  %0 = "stablehlo.add"(%a, %b) : (tensor<2x!quant.uniform<u8:f32, 5.000000e-01>>, tensor<2x!quant.uniform<u8:f32, 5.000000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// add_c1: the result stores unsigned numbers, per axis
// error@4:34: stablehlo.add C1: type = tensor<2x!quant.uniform<u8:f32:0, {5.000000e-01,2.500000e-01}>>, expected = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %b: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) {
  %0 = "stablehlo.add"(%a, %b) : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2x!quant.uniform<u8:f32:0, {5.000000e-01,2.500000e-01}>>
  return
}
