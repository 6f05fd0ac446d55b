// Floats beyond an integer type give its nearest value, NaN gives 0.
func.func @convert_float_to_integer() {
  %v = stablehlo.constant dense<[1.0e+10, -1.0e+10, 0x7FC00000, 0x7F800000, 0xFF800000, 300.7, -1.5]> : tensor<7xf32>
  %0 = stablehlo.convert %v : (tensor<7xf32>) -> tensor<7xi8>
  check.expect_eq_const %0, dense<[127, -128, 0, 127, -128, 127, -1]> : tensor<7xi8>
  %1 = stablehlo.convert %v : (tensor<7xf32>) -> tensor<7xui8>
  check.expect_eq_const %1, dense<[255, 0, 0, 255, 0, 255, 0]> : tensor<7xui8>
  %2 = stablehlo.convert %v : (tensor<7xf32>) -> tensor<7xi32>
  check.expect_eq_const %2, dense<[2147483647, -2147483648, 0, 2147483647, -2147483648, 300, -1]> : tensor<7xi32>
  return
}
// Integers beyond an integer type keep their low bits.
func.func @convert_integer_to_integer() {
  %v = stablehlo.constant dense<[300, -300, 70000]> : tensor<3xi64>
  %0 = stablehlo.convert %v : (tensor<3xi64>) -> tensor<3xi8>
  check.expect_eq_const %0, dense<[44, -44, 112]> : tensor<3xi8>
  %1 = stablehlo.convert %v : (tensor<3xi64>) -> tensor<3xui8>
  check.expect_eq_const %1, dense<[44, 212, 112]> : tensor<3xui8>
  %2 = stablehlo.convert %v : (tensor<3xi64>) -> tensor<3xi4>
  check.expect_eq_const %2, dense<[-4, 4, 0]> : tensor<3xi4>
  return
}
// Values between two floats become the nearer one, the even one of two equally near, in one step.
func.func @convert_rounds_once() {
  // 1 + 2^-8 lies between two bf16; what is added decides, unless it is rounded away first.
  %a = stablehlo.constant dense<[1.0039062509313226, 1.00390625]> : tensor<2xf64>
  %0 = stablehlo.convert %a : (tensor<2xf64>) -> tensor<2xbf16>
  check.expect_eq_const %0, dense<[1.0078125, 1.0]> : tensor<2xbf16>
  // 2^24 + 2^16 + 1
  %b = stablehlo.constant dense<16842753> : tensor<i32>
  %1 = stablehlo.convert %b : (tensor<i32>) -> tensor<bf16>
  check.expect_eq_const %1, dense<1.6908288e+07> : tensor<bf16>
  return
}
// Beyond the largest value: infinity; NaN where there is none; the largest value where there is no NaN.
func.func @convert_float_overflow() {
  %v = stablehlo.constant dense<[1.0e+05, -1.0e+05]> : tensor<2xf32>
  %0 = stablehlo.convert %v : (tensor<2xf32>) -> tensor<2xf16>
  check.expect_eq_const %0, dense<[0x7C00, 0xFC00]> : tensor<2xf16>
  %1 = stablehlo.convert %v : (tensor<2xf32>) -> tensor<2xf8E5M2>
  check.expect_eq_const %1, dense<[0x7C, 0xFC]> : tensor<2xf8E5M2>
  %2 = stablehlo.convert %v : (tensor<2xf32>) -> tensor<2xf8E4M3FN>
  %nan = stablehlo.bitcast_convert %2 : (tensor<2xf8E4M3FN>) -> tensor<2xui8>
  check.expect_eq_const %nan, dense<[127, 255]> : tensor<2xui8>
  %3 = stablehlo.convert %v : (tensor<2xf32>) -> tensor<2xf4E2M1FN>
  check.expect_eq_const %3, dense<[6.0, -6.0]> : tensor<2xf4E2M1FN>
  return
}
// f8E8M0FNU has powers of two and NaN; f4E2M1FN has no NaN and stores a negative zero for it.
func.func @convert_to_narrow_formats() {
  %v = stablehlo.constant dense<[0.0, -1.0, 3.0]> : tensor<3xf32>
  %0 = stablehlo.convert %v : (tensor<3xf32>) -> tensor<3xf8E8M0FNU>
  %bits = stablehlo.bitcast_convert %0 : (tensor<3xf8E8M0FNU>) -> tensor<3xui8>
  check.expect_eq_const %bits, dense<[255, 255, 129]> : tensor<3xui8>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %1 = stablehlo.convert %nan : (tensor<f32>) -> tensor<f4E2M1FN>
  %2 = stablehlo.bitcast_convert %1 : (tensor<f4E2M1FN>) -> tensor<ui4>
  check.expect_eq_const %2, dense<8> : tensor<ui4>
  return
}
// Integers keep the low bits of what does not fit.
func.func @integer_overflow() {
  %a = stablehlo.constant dense<[2147483647, -2147483648]> : tensor<2xi32>
  %b = stablehlo.constant dense<[1, -1]> : tensor<2xi32>
  %0 = stablehlo.add %a, %b : tensor<2xi32>
  check.expect_eq_const %0, dense<[-2147483648, 2147483647]> : tensor<2xi32>
  %1 = stablehlo.subtract %b, %a : tensor<2xi32>
  check.expect_eq_const %1, dense<[-2147483646, 2147483647]> : tensor<2xi32>
  %2 = stablehlo.multiply %a, %a : tensor<2xi32>
  check.expect_eq_const %2, dense<[1, 0]> : tensor<2xi32>
  %3 = stablehlo.negate %a : tensor<2xi32>
  check.expect_eq_const %3, dense<[-2147483647, -2147483648]> : tensor<2xi32>
  %4 = stablehlo.abs %a : tensor<2xi32>
  check.expect_eq_const %4, dense<[2147483647, -2147483648]> : tensor<2xi32>
  return
}
// A quotient by zero has all bits set, the remainder is the dividend; the smallest value by -1 is itself.
func.func @integer_division() {
  %a = stablehlo.constant dense<[7, -7, 0, -2147483648]> : tensor<4xi32>
  %b = stablehlo.constant dense<[0, 0, 0, -1]> : tensor<4xi32>
  %0 = stablehlo.divide %a, %b : tensor<4xi32>
  check.expect_eq_const %0, dense<[-1, -1, -1, -2147483648]> : tensor<4xi32>
  %1 = stablehlo.remainder %a, %b : tensor<4xi32>
  check.expect_eq_const %1, dense<[7, -7, 0, 0]> : tensor<4xi32>
  %c = stablehlo.constant dense<[7, 0]> : tensor<2xui8>
  %d = stablehlo.constant dense<0> : tensor<2xui8>
  %2 = stablehlo.divide %c, %d : tensor<2xui8>
  check.expect_eq_const %2, dense<255> : tensor<2xui8>
  return
}
// A negative exponent gives the reciprocal, rounded towards zero; of zero too.
func.func @integer_power_of_negative_exponent() {
  %a = stablehlo.constant dense<[2, 0, 1, -1, -1]> : tensor<5xi32>
  %b = stablehlo.constant dense<[-1, -1, -5, -3, -2]> : tensor<5xi32>
  %0 = stablehlo.power %a, %b : tensor<5xi32>
  check.expect_eq_const %0, dense<[0, 0, 1, -1, 1]> : tensor<5xi32>
  return
}
// Powers keep the low bits: 2^64 has none of them, 3^70 = ...F9E83BD9 in hexadecimal.
func.func @integer_power_of_large_exponent() {
  %a = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %b = stablehlo.constant dense<[64, 70]> : tensor<2xi32>
  %0 = stablehlo.power %a, %b : tensor<2xi32>
  check.expect_eq_const %0, dense<[0, -102221863]> : tensor<2xi32>
  return
}
// Amounts from the width on, and negative ones, shift every bit out.
func.func @shift_amounts() {
  %a = stablehlo.constant dense<[1, -8, -8]> : tensor<3xi32>
  %b = stablehlo.constant dense<[32, 33, -1]> : tensor<3xi32>
  %0 = stablehlo.shift_left %a, %b : tensor<3xi32>
  check.expect_eq_const %0, dense<0> : tensor<3xi32>
  %1 = stablehlo.shift_right_logical %a, %b : tensor<3xi32>
  check.expect_eq_const %1, dense<0> : tensor<3xi32>
  %2 = stablehlo.shift_right_arithmetic %a, %b : tensor<3xi32>
  check.expect_eq_const %2, dense<[0, -1, -1]> : tensor<3xi32>
  return
}
// Complex numbers are ordered by real parts, then by imaginary parts.
func.func @complex_order() {
  %a = stablehlo.constant dense<[(1.0, 2.0), (1.0, 1.0), (2.0, 0.0)]> : tensor<3xcomplex<f32>>
  %b = stablehlo.constant dense<[(1.0, 1.0), (2.0, 0.0), (1.0, 5.0)]> : tensor<3xcomplex<f32>>
  %0 = stablehlo.maximum %a, %b : tensor<3xcomplex<f32>>
  check.expect_eq_const %0, dense<[(1.0, 2.0), (2.0, 0.0), (2.0, 0.0)]> : tensor<3xcomplex<f32>>
  %1 = stablehlo.minimum %a, %b : tensor<3xcomplex<f32>>
  check.expect_eq_const %1, dense<[(1.0, 1.0), (1.0, 1.0), (1.0, 5.0)]> : tensor<3xcomplex<f32>>
  %2 = stablehlo.compare LE, %a, %b, FLOAT : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  check.expect_eq_const %2, dense<[false, true, false]> : tensor<3xi1>
  return
}
// Annex G of C11: infinities survive NaN, the sign of a zero chooses the side of a branch cut.
func.func @complex_special_values() {
  %a = stablehlo.constant dense<[(0x7F800000, 1.0), (0xFF800000, 1.0)]> : tensor<2xcomplex<f32>>
  %0 = stablehlo.exponential %a : tensor<2xcomplex<f32>>
  check.expect_eq_const %0, dense<[(0x7F800000, 0x7F800000), (0.0, 0.0)]> : tensor<2xcomplex<f32>>
  %b = stablehlo.constant dense<(0x7F800000, 0x7FC00000)> : tensor<complex<f32>>
  %1 = stablehlo.abs %b : (tensor<complex<f32>>) -> tensor<f32>
  check.expect_eq_const %1, dense<0x7F800000> : tensor<f32>
  %c = stablehlo.constant dense<[(-1.0, 0.0), (-1.0, -0.0)]> : tensor<2xcomplex<f32>>
  %2 = stablehlo.sqrt %c : tensor<2xcomplex<f32>>
  check.expect_eq_const %2, dense<[(0.0, 1.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  return
}
// Annex G of C11: the real part does not depend on the angle, but for its sign.
func.func @complex_exponential_of_infinities() {
  %a = stablehlo.constant dense<[(0x7F800000, 0x7F800000), (0x7F800000, 0xFF800000), (0x7F800000, 0x7FC00000), (0xFF800000, 0x7F800000), (0xFF800000, 0xFF800000), (0xFF800000, 0x7FC00000)]> : tensor<6xcomplex<f32>>
  %0 = stablehlo.exponential %a : tensor<6xcomplex<f32>>
  %1 = stablehlo.real %0 : (tensor<6xcomplex<f32>>) -> tensor<6xf32>
  check.expect_eq_const %1, dense<[0x7F800000, 0x7F800000, 0x7F800000, 0.0, 0.0, 0.0]> : tensor<6xf32>
  return
}
// In the total order equal means equal bits: zeros differ, NaN is itself.
func.func @total_order_equality() {
  %a = stablehlo.constant dense<[-0.0, 0.0, 0x7FC00000, 0xFFC00000]> : tensor<4xf32>
  %b = stablehlo.constant dense<[0.0, 0.0, 0x7FC00000, 0x7FC00000]> : tensor<4xf32>
  %0 = stablehlo.compare EQ, %a, %b, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[false, true, true, false]> : tensor<4xi1>
  %1 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %1, dense<[true, false, false, true]> : tensor<4xi1>
  return
}
// Three NaNs of either sign, 7D to 7F and FD to FF.
func.func @total_order_of_nans_of_bytes() {
  %a = stablehlo.constant dense<[0x7D, 0x7E, 0xFF, 0xFD]> : tensor<4xf8E5M2>
  %b = stablehlo.constant dense<[0x7F, 0x7E, 0xFD, 0x7D]> : tensor<4xf8E5M2>
  %0 = stablehlo.compare EQ, %a, %b, TOTALORDER : (tensor<4xf8E5M2>, tensor<4xf8E5M2>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[true, true, true, false]> : tensor<4xi1>
  %1 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<4xf8E5M2>, tensor<4xf8E5M2>) -> tensor<4xi1>
  check.expect_eq_const %1, dense<[false, false, false, true]> : tensor<4xi1>
  return
}
// Numbers beyond the type wrap.
func.func @iota_beyond_the_type() {
  %0 = stablehlo.iota dim = 0 : tensor<130xi8>
  %1 = stablehlo.slice %0 [127:130] : (tensor<130xi8>) -> tensor<3xi8>
  check.expect_eq_const %1, dense<[127, -128, -127]> : tensor<3xi8>
  return
}
// NaN is stored as 0, whatever the zero point; infinities as the ends of the range.
func.func @quantize_special_values() {
  %a = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.25, 0.75]> : tensor<5xf32>
  %0 = stablehlo.uniform_quantize %a : (tensor<5xf32>) -> tensor<5x!quant.uniform<i8:f32, 5.000000e-01:1>>
  %1 = stablehlo.bitcast_convert %0 : (tensor<5x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> tensor<5xi8>
  check.expect_eq_const %1, dense<[0, 127, -128, 2, 2]> : tensor<5xi8>
  return
}
// Quantized operations compute with what is stored for, in the expressed type, and quantize the result.
func.func @quantized_arithmetic() {
  %a = stablehlo.constant() <{value = dense<[3, 127]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  // 1.5 * 1.5 = 2.25 is 4.5 steps, and 4 is even; 63.5 * 63.5 is beyond the range.
  %0 = stablehlo.multiply %a, %a : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xi8>
  check.expect_eq_const %1, dense<[4, 127]> : tensor<2xi8>
  return
}
// Every precision is the full one: 1 + 2^-12 squared keeps 2^-11, which bf16 would lose.
func.func @precision_config_default() {
  %a = stablehlo.constant dense<[1.000244140625]> : tensor<1xf32>
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
  check.expect_eq_const %0, dense<1.00048828> : tensor<f32>
  return
}
// The least significant part comes first, of bytes and of half bytes.
func.func @order_of_bits() {
  %a = stablehlo.constant dense<[16909060, -1]> : tensor<2xi32>
  %0 = stablehlo.bitcast_convert %a : (tensor<2xi32>) -> tensor<2x4xi8>
  check.expect_eq_const %0, dense<[[4, 3, 2, 1], [-1, -1, -1, -1]]> : tensor<2x4xi8>
  %b = stablehlo.constant dense<[18]> : tensor<1xi8>
  %1 = stablehlo.bitcast_convert %b : (tensor<1xi8>) -> tensor<1x2xi4>
  check.expect_eq_const %1, dense<[[2, 1]]> : tensor<1x2xi4>
  return
}
// The initial value, then one element after another: ((((100 - 1) - 2) - 4) - 8) - 16.
func.func @reduce_order() {
  %a = stablehlo.constant dense<[1.0, 2.0, 4.0, 8.0, 16.0]> : tensor<5xf32>
  %i = stablehlo.constant dense<1.0e+02> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %i) across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>)  {
    %1 = stablehlo.subtract %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  check.expect_eq_const %0, dense<6.9e+01> : tensor<f32>
  return
}
// The initial value, then one element of a window after another: ((100 - 1) - 2) - 4.
func.func @reduce_window_order() {
  %a = stablehlo.constant dense<[1.0, 2.0, 4.0, 8.0]> : tensor<4xf32>
  %i = stablehlo.constant dense<1.0e+02> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.subtract %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[9.3e+01, 8.6e+01]> : tensor<2xf32>
  return
}
func.func private @difference(%x: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[3, 1, 0, 2]]> : tensor<1x4xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.subtract %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
// Members of a group one after another, in the order of the group: ((8 - 2) - 1) - 4.
func.func @all_reduce_order() {
  %a = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.constant dense<2> : tensor<i32>
  %c = stablehlo.constant dense<4> : tensor<i32>
  %d = stablehlo.constant dense<8> : tensor<i32>
  %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) <{programs = [[@difference], [@difference], [@difference], [@difference]]}> : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %r#0, dense<1> : tensor<i32>
  check.expect_eq_const %r#3, dense<1> : tensor<i32>
  return
}
// Updates in the order of their indices: of two for one place the later stays.
func.func @scatter_order() {
  %a = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %i = stablehlo.constant dense<[[3], [0], [3], [7]]> : tensor<4x1xi32>
  %u = stablehlo.constant dense<[1.0e+01, 2.0e+01, 3.0e+01, 4.0e+01]> : tensor<4xf32>
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<4xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const %0, dense<[2.0e+01, 2.0, 3.0, 3.0e+01]> : tensor<4xf32>
  return
}
// What is promised of indices is not relied upon: these are neither sorted nor unique.
func.func @wrong_promises_about_indices() {
  %a = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %i = stablehlo.constant dense<[[3], [0], [3], [7]]> : tensor<4x1xi32>
  %u = stablehlo.constant dense<[1.0e+01, 2.0e+01, 3.0e+01, 4.0e+01]> : tensor<4xf32>
  %0 = "stablehlo.scatter"(%a, %i, %u) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const %0, dense<[2.1e+01, 2.0, 3.0, 4.4e+01]> : tensor<4xf32>
  %2 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  check.expect_eq_const %2, dense<[4.0, 1.0, 4.0, 4.0]> : tensor<4xf32>
  return
}
// Equal elements stay in order, also where a stable sort is not asked for.
func.func @sort_of_equal_elements() {
  %a = stablehlo.constant dense<[2.0, 1.0, 2.0, 1.0]> : tensor<4xf32>
  %b = stablehlo.iota dim = 0 : tensor<4xi32>
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<i32>, %w: tensor<i32>):
    %1 = stablehlo.compare LT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  check.expect_eq_const %0#0, dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>
  check.expect_eq_const %0#1, dense<[1, 3, 0, 2]> : tensor<4xi32>
  return
}
// A comparator that is no order still gives the elements, each once: here the last comes first.
func.func @sort_without_an_order() {
  %a = stablehlo.iota dim = 0 : tensor<6xi32>
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<6xi32>) -> tensor<6xi32>
  check.expect_eq_const %0, dense<[5, 4, 3, 2, 1, 0]> : tensor<6xi32>
  return
}
// Only one triangle is read, the other one of the result is zero.
func.func @cholesky_other_triangle() {
  %a = stablehlo.constant dense<[[4.0, 9.9e+01], [2.0, 5.0]]> : tensor<2x2xf32>
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[2.0, 0.0], [1.0, 2.0]]> : tensor<2x2xf32>
  return
}
// A matrix that is not positive definite gives NaN; others of the batch do not feel it.
func.func @cholesky_not_positive_definite() {
  %a = stablehlo.constant dense<[[[1.0, 2.0], [2.0, 1.0]], [[4.0, 2.0], [2.0, 5.0]]]> : tensor<2x2x2xf32>
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x2x2xf32>
  %1 = stablehlo.compare EQ, %0, %0, FLOAT : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xi1>
  check.expect_eq_const %1, dense<[[[false, false], [false, false]], [[true, true], [true, true]]]> : tensor<2x2x2xi1>
  %2 = stablehlo.slice %0 [1:2, 0:2, 0:2] : (tensor<2x2x2xf32>) -> tensor<1x2x2xf32>
  check.expect_eq_const %2, dense<[[[2.0, 0.0], [1.0, 2.0]]]> : tensor<1x2x2xf32>
  return
}
// Neither the other triangle nor a unit diagonal is read.
func.func @triangular_solve_unread_elements() {
  %a = stablehlo.constant dense<[[2.0, 0x7FC00000], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[2.0, 4.0], [1.0e+01, 2.0e+01]]> : tensor<2x2xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[1.0, 2.0], [1.75, 3.5]]> : tensor<2x2xf32>
  %1 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %1, dense<[[2.0, 4.0], [4.0, 8.0]]> : tensor<2x2xf32>
  return
}
// A zero on the diagonal divides, as IEEE 754 has it.
func.func @triangular_solve_singular() {
  %a = stablehlo.constant dense<[[0.0, 0.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[2.0], [1.0e+01]]> : tensor<2x1xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_eq_const %0, dense<[[0x7F800000], [0xFF800000]]> : tensor<2x1xf32>
  return
}
// An empty interval has its lower end.
func.func @rng_empty_interval() {
  %five = stablehlo.constant dense<5.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %shape = stablehlo.constant dense<3> : tensor<1xi64>
  %0 = stablehlo.rng %five, %one, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
  check.expect_eq_const %0, dense<5.0> : tensor<3xf32>
  %a = stablehlo.constant dense<5> : tensor<i32>
  %1 = stablehlo.rng %a, %a, %shape, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<3xi32>
  check.expect_eq_const %1, dense<5> : tensor<3xi32>
  return
}
// Every rng draws on: it has other numbers than the one before.
func.func @rng_draws_on() {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %shape = stablehlo.constant dense<3> : tensor<1xi64>
  %0 = stablehlo.rng %zero, %one, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
  %1 = stablehlo.rng %zero, %one, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
  %2 = stablehlo.compare NE, %0, %1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %2, dense<true> : tensor<3xi1>
  return
}
// DEFAULT is Philox; the bits are XLA's.
func.func @rng_bit_generator_default() {
  %s = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  check.expect_eq_const %0, dense<[1, 3]> : tensor<2xui64>
  check.expect_eq_const %1, dense<[2100602697, 2847456232, 2074354647]> : tensor<3xui32>
  %2, %3 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  check.expect_eq %1, %3 : tensor<3xui32>
  return
}
// The variant of Threefry is XLA's: its bits.
func.func @rng_bit_generator_threefry() {
  %s = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  check.expect_eq_const %0, dense<[1, 4]> : tensor<2xui64>
  check.expect_eq_const %1, dense<[43444564, 2150618427, 3979645651]> : tensor<3xui32>
  return
}
// A window of padding alone selects nothing: its source value is dropped.
func.func @select_and_scatter_empty_window() {
  %a = stablehlo.constant dense<[1.0, 5.0, 3.0]> : tensor<3xf32>
  %s = stablehlo.constant dense<[1.0e+01, 2.0e+01]> : tensor<2xf32>
  %i = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) <{padding = dense<[[2, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 2>, window_strides = array<i64: 3>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3xf32>, tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %0, dense<[1.0, 2.1e+01, 1.0]> : tensor<3xf32>
  return
}
func.func private @nobody_sends(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// Without pairs nothing arrives: zeros everywhere.
func.func @collective_permute_without_pairs() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r:2 = "interpreter.run_parallel"(%a, %a) <{programs = [[@nobody_sends], [@nobody_sends]]}> : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %r#0, dense<0.0> : tensor<2xf32>
  check.expect_eq_const %r#1, dense<0.0> : tensor<2xf32>
  return
}
// Both parts of the quotient lose their fractions: 7+4i - 3 (2+i) = 1+i.
func.func @complex_remainder() {
  %a = stablehlo.constant dense<[(7.0, 4.0), (1.0, 2.0), (-5.0, 3.0)]> : tensor<3xcomplex<f32>>
  %b = stablehlo.constant dense<[(2.0, 1.0), (4.0, 0.0), (0.0, 2.0)]> : tensor<3xcomplex<f32>>
  %0 = stablehlo.remainder %a, %b : tensor<3xcomplex<f32>>
  check.expect_eq_const %0, dense<[(1.0, 1.0), (1.0, 2.0), (-1.0, 1.0)]> : tensor<3xcomplex<f32>>
  return
}

// Halfway between 8 and 16, and between 4 and 8; 448 = 1.75 * 2**8, but four bits reach to 2**7.
func.func @reduce_precision_of_other_formats() {
  %a = stablehlo.constant dense<[12.0, 6.0]> : tensor<2xf8E5M2FNUZ>
  %0 = stablehlo.reduce_precision %a, format = e5m0 : tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %0, dense<[8.0, 8.0]> : tensor<2xf8E5M2FNUZ>
  %b = stablehlo.constant dense<[240.0, 448.0]> : tensor<2xf8E4M3FN>
  %1 = stablehlo.reduce_precision %b, format = e4m3 : tensor<2xf8E4M3FN>
  %2 = stablehlo.is_finite %1 : (tensor<2xf8E4M3FN>) -> tensor<2xi1>
  check.expect_eq_const %2, dense<[true, false]> : tensor<2xi1>
  return
}

// The mantissa is truncated, and no bit of it is left to say that this is no number.
func.func @reduce_precision_of_nan_to_no_mantissa() {
  %a = stablehlo.constant dense<[0x7FC00000, 0xFFC00000]> : tensor<2xf32>
  %0 = stablehlo.reduce_precision %a, format = e5m0 : tensor<2xf32>
  check.expect_eq_const %0, dense<0x7F800000> : tensor<2xf32>
  return
}

// Of a window that is partly outside, what is inside is updated.
func.func @scatter_of_a_window_partly_outside() {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %i = stablehlo.constant dense<[[-1], [3]]> : tensor<2x1xi32>
  %u = stablehlo.constant dense<[[10, 20], [30, 40]]> : tensor<2x2xi32>
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>, tensor<2x1xi32>, tensor<2x2xi32>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[21, 2, 3, 34]> : tensor<4xi32>
  return
}

// One plus 2^-9 is no bf16: the operands are rounded to 1.
func.func @dot_general_algorithm() {
  %a = stablehlo.constant dense<[[1.001953125, 0.0], [0.0, 1.0]]> : tensor<2x2xf32>
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf32>
  return
}
