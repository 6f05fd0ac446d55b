// Starts are moved into the operand (the specification's example).
func.func @dynamic_update_slice_example() {
  %a = stablehlo.constant dense<[[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1], [1, 1, 1, 1]]> : tensor<4x4xi32>
  %u = stablehlo.constant dense<1> : tensor<2x2xi32>
  %i = stablehlo.constant dense<-1> : tensor<i64>
  %j = stablehlo.constant dense<3> : tensor<i64>
  %0 = stablehlo.dynamic_update_slice %a, %u, %i, %j : (tensor<4x4xi32>, tensor<2x2xi32>, tensor<i64>, tensor<i64>) -> tensor<4x4xi32>
  check.expect_eq_const %0, dense<1> : tensor<4x4xi32>
  return
}

// The operand stays as it was.
func.func @dynamic_update_slice_operand_is_kept() {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %b = stablehlo.reshape %a : (tensor<4xi32>) -> tensor<2x2xi32>
  %u = stablehlo.constant dense<9> : tensor<1x2xi32>
  %i = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %b, %u, %i, %i : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<i32>, tensor<i32>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[1, 2], [9, 9]]> : tensor<2x2xi32>
  check.expect_eq_const %b, dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  return
}

// An update of the operand's size leaves nothing of it, one without elements all.
func.func @dynamic_update_slice_all_or_nothing() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %u = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %e = stablehlo.constant dense<> : tensor<0xi32>
  %i = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<2xi32>, tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[3, 4]> : tensor<2xi32>
  %1 = stablehlo.dynamic_update_slice %a, %e, %i : (tensor<2xi32>, tensor<0xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %1, dense<[1, 2]> : tensor<2xi32>
  return
}

func.func @dynamic_update_slice_scalar() {
  %a = stablehlo.constant dense<1> : tensor<i32>
  %u = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %a, %u : (tensor<i32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %0, dense<2> : tensor<i32>
  return
}

// A broadcast operand, of which the interpreter holds one row.
func.func @dynamic_update_slice_of_broadcast() {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %a = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<i32>) -> tensor<9000xi32>
  %u = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
  %i = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<9000xi32>, tensor<2xi32>, tensor<i32>) -> tensor<9000xi32>
  %1 = stablehlo.slice %0 [1:5] : (tensor<9000xi32>) -> tensor<4xi32>
  check.expect_eq_const %1, dense<[0, 5, 6, 0]> : tensor<4xi32>
  return
}
