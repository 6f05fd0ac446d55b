// rng_bit_generator_i1
// error@4:10: stablehlo.rng_bit_generator I1: expected the attribute rng_algorithm, a stablehlo rng_algorithm
func.func @main(%a: tensor<2xui64>) {
  %0:2 = "stablehlo.rng_bit_generator"(%a) <{}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}
// -----
// rng_bit_generator_i2
// error@5:40: stablehlo.rng_bit_generator I2: initial_state = tensor<2xi64>
// error@5:102: stablehlo.rng_bit_generator C1: output_state = tensor<2xi64>
func.func @main(%a: tensor<2xi64>) {
  %0:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xi64>) -> (tensor<2xi64>, tensor<4xui32>)
  return
}
// -----
// rng_bit_generator_i2 of another rank
// error@5:40: stablehlo.rng_bit_generator I2: initial_state = tensor<2x1xui64>
// error@5:102: stablehlo.rng_bit_generator C1: output_state = tensor<2x1xui64>
func.func @main(%a: tensor<2x1xui64>) {
  %0:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2x1xui64>) -> (tensor<2x1xui64>, tensor<4xui32>)
  return
}
// -----
// rng_bit_generator_c1
// error@4:102: stablehlo.rng_bit_generator C1: type = tensor<3xui64>, expected = tensor<2xui64>
func.func @main(%a: tensor<2xui64>) {
  %0:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}
// -----
// rng_bit_generator_c2
// error@4:10: stablehlo.rng_bit_generator C2: size = 3, rng_algorithm = THREE_FRY
func.func @main(%a: tensor<3xui64>) {
  %0:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}
// -----
// rng_bit_generator_c2 of Philox
// error@4:10: stablehlo.rng_bit_generator C2: size = 4, rng_algorithm = PHILOX
func.func @main(%a: tensor<4xui64>) {
  %0:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<4xui64>) -> (tensor<4xui64>, tensor<4xui32>)
  return
}
// -----
// rng_bit_generator_without a static output
// error@4:102: stablehlo.rng_bit_generator: output = tensor<?xui32>
func.func @main(%a: tensor<2xui64>) {
  %0:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<?xui32>)
  return
}
// -----
// rng_bit_generator_of booleans
// error@4:102: stablehlo.rng_bit_generator: output = tensor<4xi1>
func.func @main(%a: tensor<2xui64>) {
  %0:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xi1>)
  return
}
// -----
// rng_bit_generator_c1: another element type
// error@5:99: stablehlo.rng_bit_generator C1: output_state = tensor<2xui32>
// error@5:99: stablehlo.rng_bit_generator C1: type = tensor<2xui32>, expected = tensor<2xui64>
func.func @main(%s: tensor<2xui64>) {
  %0:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui32>, tensor<4xui64>)
  return
}
