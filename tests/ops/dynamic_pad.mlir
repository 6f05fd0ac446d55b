// The specification's example.
func.func @dynamic_pad_example() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %p = stablehlo.constant dense<0> : tensor<i64>
  %low = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %high = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %interior = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = stablehlo.dynamic_pad %a, %p, %low, %high, %interior : (tensor<2x3xi64>, tensor<i64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x9xi64>
  check.expect_eq_const %0, dense<[[0, 1, 0, 0, 2, 0, 0, 3, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 4, 0, 0, 5, 0, 0, 6, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<5x9xi64>
  return
}

func.func @dynamic_pad_negative_to_dynamic() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %p = stablehlo.constant dense<9> : tensor<i64>
  %low = stablehlo.constant dense<-1> : tensor<1xi32>
  %high = stablehlo.constant dense<2> : tensor<1xi32>
  %interior = stablehlo.constant dense<0> : tensor<1xi32>
  %0 = stablehlo.dynamic_pad %a, %p, %low, %high, %interior : (tensor<3xi64>, tensor<i64>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi64>
  %1 = stablehlo.slice %0 [0:4] : (tensor<?xi64>) -> tensor<4xi64>
  check.expect_eq_const %1, dense<[2, 3, 9, 9]> : tensor<4xi64>
  return
}
