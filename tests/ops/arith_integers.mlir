// Sums, differences and products wrap: 127 + 1 = -128, -128 - 1 = 127, 100 * 3 = 300 = 44 mod 256.
func.func @integer_wraps() {
  %a = arith.constant 127 : i8
  %b = arith.constant 1 : i8
  %c = arith.constant -128 : i8
  %d = arith.constant 100 : i8
  %e = arith.constant 3 : i8
  %0 = arith.addi %a, %b : i8
  %1 = arith.subi %c, %b overflow<nsw> : i8
  %2 = arith.muli %d, %e overflow<nsw, nuw> : i8
  %3 = tensor.from_elements %0, %1, %2 : tensor<3xi8>
  check.expect_eq_const %3, dense<[-128, 127, 44]> : tensor<3xi8>
  return
}

// Signed: -7 / 2 is -3 without its fraction, -4 rounded down, -3 rounded up; the rest is -1.
func.func @integer_signed_division() {
  %a = arith.constant -7 : i32
  %b = arith.constant 2 : i32
  %0 = arith.divsi %a, %b : i32
  %1 = arith.floordivsi %a, %b : i32
  %2 = arith.ceildivsi %a, %b : i32
  %3 = arith.remsi %a, %b : i32
  %4 = arith.divsi %b, %b exact : i32
  %5 = tensor.from_elements %0, %1, %2, %3, %4 : tensor<5xi32>
  check.expect_eq_const %5, dense<[-3, -4, -3, -1, 1]> : tensor<5xi32>
  return
}

// Unsigned: -7 is 249 in 8 bits; 249 / 2 = 124, rounded up 125, the rest is 1.
func.func @integer_unsigned_division() {
  %a = arith.constant -7 : i8
  %b = arith.constant 2 : i8
  %0 = arith.divui %a, %b : i8
  %1 = arith.ceildivui %a, %b : i8
  %2 = arith.remui %a, %b : i8
  %3 = tensor.from_elements %0, %1, %2 : tensor<3xi8>
  check.expect_eq_const %3, dense<[124, 125, 1]> : tensor<3xi8>
  return
}

// The one signed quotient that does not fit wraps.
func.func @integer_quotient_wraps() {
  %a = arith.constant -128 : i8
  %b = arith.constant -1 : i8
  %0 = arith.divsi %a, %b : i8
  %1 = tensor.from_elements %0 : tensor<i8>
  check.expect_eq_const %1, dense<-128> : tensor<i8>
  return
}

// Bits of 12 = 1100 and 10 = 1010.
func.func @integer_bits() {
  %a = arith.constant 12 : i16
  %b = arith.constant 10 : i16
  %0 = arith.andi %a, %b : i16
  %1 = arith.ori %a, %b : i16
  %2 = arith.xori %a, %b : i16
  %3 = tensor.from_elements %0, %1, %2 : tensor<3xi16>
  check.expect_eq_const %3, dense<[8, 14, 6]> : tensor<3xi16>
  return
}

// -16 = 0xF0: shifted up by 3 0x80, down by 3 with zeros 0x1E, with the sign 0xFE; by 8 all is lost.
func.func @integer_shifts() {
  %a = arith.constant -16 : i8
  %b = arith.constant 3 : i8
  %c = arith.constant 8 : i8
  %0 = arith.shli %a, %b : i8
  %1 = arith.shrui %a, %b exact : i8
  %2 = arith.shrsi %a, %b : i8
  %3 = arith.shli %a, %c : i8
  %4 = arith.shrui %a, %c : i8
  %5 = arith.shrsi %a, %c : i8
  %6 = tensor.from_elements %0, %1, %2, %3, %4, %5 : tensor<6xi8>
  check.expect_eq_const %6, dense<[-128, 30, -2, 0, 0, -1]> : tensor<6xi8>
  return
}

// -1 is the smallest but for the sign the largest.
func.func @integer_extrema() {
  %a = arith.constant -1 : i64
  %b = arith.constant 5 : i64
  %0 = arith.maxsi %a, %b : i64
  %1 = arith.maxui %a, %b : i64
  %2 = arith.minsi %a, %b : i64
  %3 = arith.minui %a, %b : i64
  %4 = tensor.from_elements %0, %1, %2, %3 : tensor<4xi64>
  check.expect_eq_const %4, dense<[5, -1, -1, 5]> : tensor<4xi64>
  return
}

// 255 + 1 wraps; 0 - 1 borrows.
func.func @integer_carry() {
  %a = arith.constant -1 : i8
  %b = arith.constant 1 : i8
  %c = arith.constant 0 : i8
  %sum, %overflow = arith.addui_extended %a, %b : i8, i1
  %diff, %borrow = arith.subui_extended %c, %b : i8, i1
  %0 = tensor.from_elements %sum, %diff : tensor<2xi8>
  %1 = tensor.from_elements %overflow, %borrow : tensor<2xi1>
  check.expect_eq_const %0, dense<[0, -1]> : tensor<2xi8>
  check.expect_eq_const %1, dense<[true, true]> : tensor<2xi1>
  return
}

// -2 * 3 = -6, in 16 bits 0xFFFA; 254 * 3 = 762 = 0x02FA.
func.func @integer_halves_of_products() {
  %a = arith.constant -2 : i8
  %b = arith.constant 3 : i8
  %low, %high = arith.mulsi_extended %a, %b : i8
  %low_0, %high_1 = arith.mului_extended %a, %b : i8
  %0 = tensor.from_elements %low, %high, %low_0, %high_1 : tensor<4xi8>
  check.expect_eq_const %0, dense<[-6, -1, -6, 2]> : tensor<4xi8>
  return
}

// (2^63) * (2^63) = 2^126 without signs, and the same with them; (2^64 - 1)^2 = 2^128 - 2^65 + 1.
func.func @integer_halves_of_long_products() {
  %a = arith.constant -9223372036854775808 : i64
  %b = arith.constant -1 : i64
  %low, %high = arith.mulsi_extended %a, %a : i64
  %low_0, %high_1 = arith.mului_extended %a, %a : i64
  %low_2, %high_3 = arith.mului_extended %b, %b : i64
  %low_4, %high_5 = arith.mulsi_extended %b, %b : i64
  %0 = tensor.from_elements %low, %high, %low_0, %high_1, %low_2, %high_3, %low_4, %high_5 : tensor<8xi64>
  check.expect_eq_const %0, dense<[0, 4611686018427387904, 0, 4611686018427387904, 1, -2, 1, 0]> : tensor<8xi64>
  return
}

// Element by element, on booleans modulo 2.
func.func @integer_tensors() {
  %a = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %b = arith.constant dense<10> : tensor<3xi32>
  %c = arith.constant dense<[false, true]> : tensor<2xi1>
  %d = arith.constant dense<true> : tensor<2xi1>
  %0 = arith.addi %a, %b : tensor<3xi32>
  %1 = arith.addi %c, %d : tensor<2xi1>
  check.expect_eq_const %0, dense<[11, 12, 13]> : tensor<3xi32>
  check.expect_eq_const %1, dense<[true, false]> : tensor<2xi1>
  return
}

// An index has 64 bits.
func.func @integer_index() {
  %a = arith.constant 4294967296 : index
  %0 = arith.muli %a, %a : index
  %1 = arith.addi %0, %a : index
  %2 = arith.index_cast %1 : index to i64
  %3 = tensor.from_elements %2 : tensor<1xi64>
  check.expect_eq_const %3, dense<4294967296> : tensor<1xi64>
  return
}
