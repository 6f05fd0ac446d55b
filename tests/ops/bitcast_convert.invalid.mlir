// bitcast_convert_i1
// error@4:34: stablehlo.bitcast_convert I1: operand = tensor<2xindex>
func.func @main(%a: tensor<2xindex>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<2xindex>) -> tensor<2xi64>
  return
}
// -----
// bitcast_convert_c1
// error@4:8: stablehlo.bitcast_convert C1: operand = tensor<2xf32>, result = tensor<3xi32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<3xi32>
  return
}
// -----
// bitcast_convert_c1 smaller
// error@4:8: stablehlo.bitcast_convert C1: operand = tensor<2xf32>, result = tensor<2x3xi16>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2x3xi16>
  return
}
// -----
// bitcast_convert_c1 larger
// error@4:8: stablehlo.bitcast_convert C1: operand = tensor<2x3xi16>, result = tensor<2xf32>
func.func @main(%a: tensor<2x3xi16>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<2x3xi16>) -> tensor<2xf32>
  return
}
// -----
// bitcast_convert_c1 rank
// error@4:8: stablehlo.bitcast_convert C1: operand = tensor<2xi8>, result = tensor<2xi16>
func.func @main(%a: tensor<2xi8>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<2xi8>) -> tensor<2xi16>
  return
}
// -----
// bitcast_convert_c1 scalar
// error@4:8: stablehlo.bitcast_convert C1: operand = tensor<i8>, result = tensor<i16>
func.func @main(%a: tensor<i8>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<i8>) -> tensor<i16>
  return
}
// -----
// bitcast_convert_c2
// error@4:8: stablehlo.bitcast_convert C2: operand = complex<f32>, result = f64
func.func @main(%a: tensor<2xcomplex<f32>>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<2xcomplex<f32>>) -> tensor<2xf64>
  return
}
// -----
// bitcast_convert_c1: a dimension too many
// error@4:8: stablehlo.bitcast_convert C1: operand = tensor<2x3xf32>, result = tensor<2xi32>
func.func @main(%a: tensor<2x3xf32>) {
  %0 = "stablehlo.bitcast_convert"(%a) : (tensor<2x3xf32>) -> tensor<2xi32>
  return
}
