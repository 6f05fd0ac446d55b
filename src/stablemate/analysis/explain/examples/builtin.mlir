// ----- builtin.module
module @example {
  func.func @main() -> tensor<i32> {
    %c = stablehlo.constant dense<7> : tensor<i32>
    return %c : tensor<i32>
  }
}

// ----- builtin.unrealized_conversion_cast
func.func @main() -> tensor<i64> {
  %c = arith.constant 7 : index
  %0 = tensor.from_elements %c : tensor<index>
  %1 = builtin.unrealized_conversion_cast %0 : tensor<index> to tensor<i64>
  return %1 : tensor<i64>
}
