// replica_id_result
// error@4:35: stablehlo.replica_id: result = tensor<i32>
func.func @main() {
  %0 = "stablehlo.replica_id"() : () -> tensor<i32>
  return
}
