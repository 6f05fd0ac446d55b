// The specification's example.
func.func @pad_example() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %p = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.pad %a, %p, low = [0, 1], high = [2, 1], interior = [1, 2] : (tensor<2x3xi32>, tensor<i32>) -> tensor<5x9xi32>
  check.expect_eq_const %0, dense<[[0, 1, 0, 0, 2, 0, 0, 3, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 4, 0, 0, 5, 0, 0, 6, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<5x9xi32>
  return
}

// Negative padding takes elements away.
func.func @pad_negative() {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %p = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.pad %a, %p, low = [-1], high = [-2], interior = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
  check.expect_eq_const %0, dense<2> : tensor<1xi32>
  %1 = stablehlo.pad %a, %p, low = [-3], high = [2], interior = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %1, dense<[4, 9, 9]> : tensor<3xi32>
  %2 = stablehlo.pad %a, %p, low = [2], high = [-3], interior = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %2, dense<[9, 9, 1]> : tensor<3xi32>
  return
}

// Interior padding comes first, so that negative padding takes it away too.
func.func @pad_negative_with_interior() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %p = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.pad %a, %p, low = [-1], high = [-1], interior = [1] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %0, dense<[9, 2, 9]> : tensor<3xi32>
  %1 = stablehlo.pad %a, %p, low = [-2], high = [1], interior = [1] : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %1, dense<[2, 9, 3, 9]> : tensor<4xi32>
  %2 = stablehlo.pad %a, %p, low = [-1], high = [-4], interior = [2] : (tensor<3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %2, dense<9> : tensor<2xi32>
  return
}

// More than the operand may go on one side if there is enough on the other.
func.func @pad_all_elements_away() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %p = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.pad %a, %p, low = [-5], high = [5], interior = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<9> : tensor<2xi32>
  %1 = stablehlo.pad %a, %p, low = [-1], high = [-1], interior = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<0xi32>
  check.expect_eq_const %1, dense<> : tensor<0xi32>
  return
}

func.func @pad_nothing() {
  %a = stablehlo.constant dense<> : tensor<0xbf16>
  %p = stablehlo.constant dense<-0.0> : tensor<bf16>
  %0 = stablehlo.pad %a, %p, low = [1], high = [1], interior = [3] : (tensor<0xbf16>, tensor<bf16>) -> tensor<2xbf16>
  check.expect_eq_const %0, dense<-0.0> : tensor<2xbf16>
  return
}

func.func @pad_scalar() {
  %a = stablehlo.constant dense<1> : tensor<i32>
  %p = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.pad %a, %p, low = [], high = [], interior = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %0, dense<1> : tensor<i32>
  return
}

// Padding follows the elements that are there, not the bound.
func.func @pad_bounded() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %p = stablehlo.constant dense<9> : tensor<i32>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<3xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<3>>
  %1 = stablehlo.pad %0, %p, low = [1], high = [0], interior = [1] : (tensor<?xi32, #stablehlo.bounds<3>>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<6>>
  %2 = stablehlo.get_dimension_size %1, dim = 0 : (tensor<?xi32, #stablehlo.bounds<6>>) -> tensor<i32>
  check.expect_eq_const %2, dense<4> : tensor<i32>
  %3 = stablehlo.slice %1 [0:4] : (tensor<?xi32, #stablehlo.bounds<6>>) -> tensor<4xi32>
  check.expect_eq_const %3, dense<[9, 1, 9, 2]> : tensor<4xi32>
  return
}
