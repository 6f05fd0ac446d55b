// -1 < 1 with signs, 255 > 1 without.
func.func @compare_integers() {
  %a = arith.constant -1 : i8
  %b = arith.constant 1 : i8
  %0 = arith.cmpi slt, %a, %b : i8
  %1 = arith.cmpi ult, %a, %b : i8
  %2 = arith.cmpi uge, %a, %b : i8
  %3 = arith.cmpi eq, %a, %b : i8
  %4 = arith.cmpi ne, %a, %b : i8
  %5 = tensor.from_elements %0, %1, %2, %3, %4 : tensor<5xi1>
  check.expect_eq_const %5, dense<[true, false, true, false, true]> : tensor<5xi1>
  return
}

// true is -1 with a sign.
func.func @compare_booleans() {
  %a = arith.constant dense<[true, false]> : tensor<2xi1>
  %b = arith.constant dense<[false, false]> : tensor<2xi1>
  %0 = arith.cmpi slt, %a, %b : tensor<2xi1>
  %1 = arith.cmpi ugt, %a, %b : tensor<2xi1>
  check.expect_eq_const %0, dense<[true, false]> : tensor<2xi1>
  check.expect_eq_const %1, dense<[true, false]> : tensor<2xi1>
  return
}

// Of a NaN ordered relations are false, unordered ones true.
func.func @compare_floats() {
  %a = arith.constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  %b = arith.constant dense<2.000000e+00> : tensor<2xf32>
  %0 = arith.cmpf olt, %a, %b : tensor<2xf32>
  %1 = arith.cmpf ult, %a, %b fastmath<nnan> : tensor<2xf32>
  %2 = arith.cmpf one, %a, %b : tensor<2xf32>
  %3 = arith.cmpf une, %a, %b : tensor<2xf32>
  %4 = arith.cmpf ord, %a, %b : tensor<2xf32>
  %5 = arith.cmpf uno, %a, %b : tensor<2xf32>
  %6 = arith.cmpf false, %a, %b : tensor<2xf32>
  %7 = arith.cmpf true, %a, %b : tensor<2xf32>
  check.expect_eq_const %0, dense<[true, false]> : tensor<2xi1>
  check.expect_eq_const %1, dense<[true, true]> : tensor<2xi1>
  check.expect_eq_const %2, dense<[true, false]> : tensor<2xi1>
  check.expect_eq_const %3, dense<[true, true]> : tensor<2xi1>
  check.expect_eq_const %4, dense<[true, false]> : tensor<2xi1>
  check.expect_eq_const %5, dense<[false, true]> : tensor<2xi1>
  check.expect_eq_const %6, dense<[false, false]> : tensor<2xi1>
  check.expect_eq_const %7, dense<[true, true]> : tensor<2xi1>
  return
}

// One condition for a scalar or a whole tensor, or one for each element.
func.func @select_values() {
  %p = arith.constant false
  %q = arith.constant dense<[true, false]> : tensor<2xi1>
  %a = arith.constant dense<[1, 2]> : tensor<2xi32>
  %b = arith.constant dense<[3, 4]> : tensor<2xi32>
  %c = arith.constant 5 : i32
  %d = arith.constant 6 : i32
  %0 = arith.select %p, %a, %b : tensor<2xi32>
  %1 = arith.select %q, %a, %b : tensor<2xi1>, tensor<2xi32>
  %2 = arith.select %p, %c, %d : i32
  %3 = tensor.from_elements %2 : tensor<i32>
  check.expect_eq_const %0, dense<[3, 4]> : tensor<2xi32>
  check.expect_eq_const %1, dense<[1, 4]> : tensor<2xi32>
  check.expect_eq_const %3, dense<6> : tensor<i32>
  return
}
