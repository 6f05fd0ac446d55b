// partition_id_result
// error@4:37: stablehlo.partition_id: result = tensor<1xui32>
func.func @main() {
  %0 = "stablehlo.partition_id"() : () -> tensor<1xui32>
  return
}
