// reduce_precision_i1
// error@4:35: stablehlo.reduce_precision I1: operand = tensor<2xi32>
func.func @main(%a: tensor<2xi32>) {
  %0 = stablehlo.reduce_precision %a, format = e5m10 : tensor<2xi32>
  return
}
// -----
// reduce_precision_c1
// error@4:56: stablehlo.reduce_precision C1: type = tensor<2xf64>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.reduce_precision %a, format = e5m10 : (tensor<2xf32>) -> tensor<2xf64>
  return
}
// -----
// reduce_precision_c2
// error@4:8: stablehlo.reduce_precision C2: exponent_bits = 0
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.reduce_precision %a, format = e0m10 : tensor<2xf32>
  return
}
// -----
// reduce_precision_c3
// error@4:8: stablehlo.reduce_precision C3: mantissa_bits = -1
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.reduce_precision"(%a) <{exponent_bits = 5 : i32, mantissa_bits = -1 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// reduce_precision_i2
// error@4:46: stablehlo.reduce_precision I2: exponent_bits = 1 : i64
func.func @main(%arg0: tensor<f64>) {
  %0 = "stablehlo.reduce_precision"(%arg0) <{exponent_bits = 1 : i64, mantissa_bits = 10 : i32}> : (tensor<f64>) -> tensor<f64>
  return
}
// -----
// reduce_precision_i3
// error@4:71: stablehlo.reduce_precision I3: mantissa_bits = 1 : i64
func.func @main(%arg0: tensor<f64>) {
  %0 = "stablehlo.reduce_precision"(%arg0) <{exponent_bits = 5 : i32, mantissa_bits = 1 : i64}> : (tensor<f64>) -> tensor<f64>
  return
}
