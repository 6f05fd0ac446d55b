// create_token: the result is a token
// error@4:37: stablehlo.create_token: output = tensor<f32>
func.func @main() {
  %0 = "stablehlo.create_token"() : () -> tensor<f32>
  return
}
// -----
// create_token: one result
// error@4:10: stablehlo.create_token: number = 2
func.func @main() {
  %0:2 = "stablehlo.create_token"() : () -> (!stablehlo.token, !stablehlo.token)
  return
}
