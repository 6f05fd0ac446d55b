// rng_i1
// error@4:24: stablehlo.rng I1: a = tensor<1xf32>
func.func @main(%a: tensor<1xf32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  %0 = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<1xf32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}
// -----
// rng_i2
// error@4:28: stablehlo.rng I2: b = tensor<complex<f32>>
func.func @main(%a: tensor<f32>, %b: tensor<complex<f32>>, %c: tensor<2xi64>) {
  %0 = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<complex<f32>>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}
// -----
// rng_i3
// error@4:32: stablehlo.rng I3: shape = tensor<?xi64>
func.func @main(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<?xi64>) {
  %0 = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<?xi64>) -> tensor<2x3xf32>
  return
}
// -----
// rng_i4
// error@4:8: stablehlo.rng I4: expected the attribute rng_distribution, a stablehlo rng_distribution
func.func @main(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  %0 = "stablehlo.rng"(%a, %b, %c) <{}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}
// -----
// rng_c1
// error@4:8: stablehlo.rng C1: a = f32, b = f64
func.func @main(%a: tensor<f32>, %b: tensor<f64>, %c: tensor<2xi64>) {
  %0 = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f64>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}
// -----
// rng_c1 of the result
// error@4:98: stablehlo.rng C1: type = tensor<2x3xf64>, expected = tensor<?x?xf32>
func.func @main(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  %0 = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf64>
  return
}
// -----
// rng_c2
// error@4:8: stablehlo.rng C2: rng_distribution = NORMAL, element_type = i32
func.func @main(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<2xi64>) {
  %0 = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<2x3xi32>
  return
}
// -----
// rng_c3
// error@4:98: stablehlo.rng C3: type = tensor<2xf32>, expected = tensor<?x?xf32>
func.func @main(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  %0 = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2xf32>
  return
}
// -----
// rng_i3 negative
// error@5:8: stablehlo.rng I3: shape = [-1]
func.func @main(%a: tensor<f32>) {
  %s = stablehlo.constant dense<-1> : tensor<1xi64>
  %0 = stablehlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
  return
}
// -----
// rng_c3 of a constant
// error@5:59: stablehlo.rng C3: type = tensor<3xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<f32>) {
  %s = stablehlo.constant dense<2> : tensor<1xi64>
  %0 = stablehlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
  return
}
