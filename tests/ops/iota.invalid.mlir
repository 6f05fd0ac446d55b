// iota_c1
// error@4:8: stablehlo.iota C1: iota_dimension = 2, rank = 2
func.func @main() {
  %0 = stablehlo.iota dim = 2 : tensor<2x2xi32>
  return
}
// -----
// iota_c1 negative
// error@4:8: stablehlo.iota C1: iota_dimension = -1, rank = 2
func.func @main() {
  %0 = stablehlo.iota dim = -1 : tensor<2x2xi32>
  return
}
// -----
// iota_c1 scalar
// error@4:8: stablehlo.iota C1: iota_dimension = 0, rank = 0
func.func @main() {
  %0 = stablehlo.iota dim = 0 : tensor<i32>
  return
}
// -----
// iota_result
// error@4:33: stablehlo.iota: output = tensor<2xi1>
func.func @main() {
  %0 = stablehlo.iota dim = 0 : tensor<2xi1>
  return
}
// -----
// iota_dynamic result
// error@4:33: stablehlo.iota: output = tensor<?xi32>
func.func @main() {
  %0 = stablehlo.iota dim = 0 : tensor<?xi32>
  return
}
// -----
// iota_i1
// error@4:29: stablehlo.iota I1: iota_dimension = 1 : i32
func.func @main() {
  %0 = "stablehlo.iota"() <{iota_dimension = 1 : i32}> : () -> tensor<6xi2>
  return
}
