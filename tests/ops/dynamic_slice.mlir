// Starts are moved into the operand (the specification's example).
func.func @dynamic_slice_example() {
  %a = stablehlo.constant dense<[[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]]> : tensor<4x4xi32>
  %i = stablehlo.constant dense<-1> : tensor<i64>
  %j = stablehlo.constant dense<3> : tensor<i64>
  %0 = stablehlo.dynamic_slice %a, %i, %j, sizes = [2, 2] : (tensor<4x4xi32>, tensor<i64>, tensor<i64>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<1> : tensor<2x2xi32>
  return
}

func.func @dynamic_slice_inside() {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %i = stablehlo.constant dense<1> : tensor<i4>
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<4xi32>, tensor<i4>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[2, 3]> : tensor<2xi32>
  return
}

// An unsigned start has no sign bit.
func.func @dynamic_slice_large_unsigned_start() {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %i = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<4xi32>, tensor<ui64>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[3, 4]> : tensor<2xi32>
  return
}

func.func @dynamic_slice_whole_and_empty() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %i = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [2, 1] : (tensor<2x2xi32>, tensor<i32>, tensor<i32>) -> tensor<2x1xi32>
  check.expect_eq_const %0, dense<[[2], [4]]> : tensor<2x1xi32>
  %1 = stablehlo.dynamic_slice %a, %i, %i, sizes = [0, 2] : (tensor<2x2xi32>, tensor<i32>, tensor<i32>) -> tensor<0x2xi32>
  check.expect_eq_const %1, dense<> : tensor<0x2xi32>
  return
}

func.func @dynamic_slice_scalar() {
  %a = stablehlo.constant dense<5> : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, sizes = [] : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %0, dense<5> : tensor<i32>
  return
}
