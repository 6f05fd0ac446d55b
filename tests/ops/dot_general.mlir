// The specification's example: one product of matrices per batch. The algorithm is for floats.
func.func @dot_general_example() {
  %lhs = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  %rhs = stablehlo.constant dense<[[[1, 0], [0, 1]], [[1, 0], [0, 1]]]> : tensor<2x2x2xi64>
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2x2xi64>, tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
  check.expect_eq_const %0, dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  return
}

// Dimensions in any order: the result has the batch, then what remains of lhs, then of rhs.
func.func @dot_general_dimensions() {
  %lhs = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]> : tensor<1x3x2xf32>
  %rhs = stablehlo.constant dense<[[1.0, 10.0], [2.0, 20.0]]> : tensor<2x2xf32>
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [2] x [1], contracting_dims = [] x [] : (tensor<1x3x2xf32>, tensor<2x2xf32>) -> tensor<2x1x3x2xf32>
  check.expect_eq_const %0, dense<[[[[1.0, 2.0], [3.0, 6.0], [5.0, 10.0]]], [[[20.0, 40.0], [40.0, 80.0], [60.0, 120.0]]]]> : tensor<2x1x3x2xf32>
  %1 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [2] x [0] : (tensor<1x3x2xf32>, tensor<2x2xf32>) -> tensor<1x3x2xf32>
  check.expect_eq_const %1, dense<[[[5.0, 50.0], [11.0, 110.0], [17.0, 170.0]]]> : tensor<1x3x2xf32>
  return
}

// Several contracting dimensions, paired in the order in which they are listed.
func.func @dot_general_several_contracting_dimensions() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %rhs = stablehlo.constant dense<[[1, 10], [100, 1000]]> : tensor<2x2xi32>
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0, 1] x [0, 1] : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<i32>
  check.expect_eq_const %0, dense<4321> : tensor<i32>
  %1 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0, 1] x [1, 0] : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<i32>
  check.expect_eq_const %1, dense<4231> : tensor<i32>
  return
}

// No contracting dimensions: the outer product; no dimensions at all: a product.
func.func @dot_general_outer_product() {
  %lhs = stablehlo.constant dense<[1.0, -0.0]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<[3.0, 0x7F800000]> : tensor<2xf32>
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [] x [] : (tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_almost_eq_const %0, dense<[[3.0, 0x7F800000], [-0.0, 0x7FC00000]]> : tensor<2x2xf32>
  %two = stablehlo.constant dense<2.0> : tensor<f64>
  %1 = stablehlo.dot_general %two, %two, contracting_dims = [] x [] : (tensor<f64>, tensor<f64>) -> tensor<f64>
  check.expect_eq_const %1, dense<4.0> : tensor<f64>
  return
}

// A sum of no products is zero; so is an empty result empty.
func.func @dot_general_empty() {
  %lhs = stablehlo.constant dense<> : tensor<2x0xf32>
  %rhs = stablehlo.constant dense<> : tensor<0x3xf32>
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %0, dense<0.0> : tensor<2x3xf32>
  %m = stablehlo.constant dense<1.0> : tensor<3x2xf32>
  %1 = stablehlo.dot_general %rhs, %m, contracting_dims = [1] x [0] : (tensor<0x3xf32>, tensor<3x2xf32>) -> tensor<0x2xf32>
  check.expect_eq_const %1, dense<> : tensor<0x2xf32>
  return
}

// Integers wrap in the type of the result, which may have more bits than the operands.
func.func @dot_general_integers() {
  %a = stablehlo.constant dense<[100, 100]> : tensor<2xi8>
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<2xi8>, tensor<2xi8>) -> tensor<i8>
  check.expect_eq_const %0, dense<32> : tensor<i8>
  %1 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<2xi8>, tensor<2xi8>) -> tensor<i32>
  check.expect_eq_const %1, dense<20000> : tensor<i32>
  %b = stablehlo.constant dense<[7, -8]> : tensor<2xi4>
  %2 = stablehlo.dot_general %b, %b, contracting_dims = [0] x [0] : (tensor<2xi4>, tensor<2xi4>) -> tensor<i4>
  check.expect_eq_const %2, dense<1> : tensor<i4>
  %c = stablehlo.constant dense<[18446744073709551615, 2]> : tensor<2xui64>
  %3 = stablehlo.dot_general %c, %c, contracting_dims = [0] x [0] : (tensor<2xui64>, tensor<2xui64>) -> tensor<ui64>
  check.expect_eq_const %3, dense<5> : tensor<ui64>
  %d = stablehlo.constant dense<[1000000007, 998244353]> : tensor<2xi64>
  %4 = stablehlo.dot_general %d, %d, contracting_dims = [0] x [0] : (tensor<2xi64>, tensor<2xi64>) -> tensor<i64>
  check.expect_eq_const %4, dense<1996491802296388658> : tensor<i64>
  return
}

// Booleans: the product is `and`, the sum `or`.
func.func @dot_general_booleans() {
  %lhs = stablehlo.constant dense<[[true, false], [true, true], [false, false]]> : tensor<3x2xi1>
  %rhs = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<3x2xi1>, tensor<2xi1>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[false, true, false]> : tensor<3xi1>
  return
}

// Narrow floats are added up in the type of the result.
func.func @dot_general_narrow_floats() {
  %a = stablehlo.constant dense<[256.0, 1.0, 1.0]> : tensor<3xbf16>
  %one = stablehlo.constant dense<1.0> : tensor<3xbf16>
  %0 = stablehlo.dot_general %a, %one, contracting_dims = [0] x [0] : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<f32>
  check.expect_eq_const %0, dense<258.0> : tensor<f32>
  %b = stablehlo.constant dense<[256.0, 1.0]> : tensor<2xbf16>
  %c = stablehlo.constant dense<1.0> : tensor<2xbf16>
  %1 = stablehlo.dot_general %b, %c, contracting_dims = [0] x [0] : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<f32>
  check.expect_eq_const %1, dense<257.0> : tensor<f32>
  %d = stablehlo.constant dense<[2048.0, 1.0, 1.0]> : tensor<3xf16>
  %e = stablehlo.constant dense<1.0> : tensor<3xf16>
  %2 = stablehlo.dot_general %d, %e, contracting_dims = [0] x [0] : (tensor<3xf16>, tensor<3xf16>) -> tensor<f32>
  check.expect_eq_const %2, dense<2050.0> : tensor<f32>
  return
}

// Two formats of 8 bits may be multiplied.
func.func @dot_general_mixed_floats() {
  %lhs = stablehlo.constant dense<[1.5, 2.0]> : tensor<2xf8E4M3FN>
  %rhs = stablehlo.constant dense<[3.0, 57344.0]> : tensor<2xf8E5M2>
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0] : (tensor<2xf8E4M3FN>, tensor<2xf8E5M2>) -> tensor<f32>
  check.expect_eq_const %0, dense<114692.5> : tensor<f32>
  return
}

// Complex numbers are not conjugated.
func.func @dot_general_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (0.0, 1.0)]> : tensor<2xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(3.0, 4.0), (0.0, 1.0)]> : tensor<2xcomplex<f32>>
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0] : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %0, dense<(-6.0, 10.0)> : tensor<complex<f32>>
  return
}

// Algorithms: operands rounded to bf16, or divided into components; 1 + 2^-9 is no bf16.
func.func @dot_general_bf16_algorithms() {
  %x = stablehlo.constant dense<[1.001953125]> : tensor<1xf32>
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
  check.expect_eq_const %0, dense<1.0> : tensor<f32>
  %1 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
  check.expect_eq_const %1, dense<1.00390625> : tensor<f32>
  %2 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 3, rhs_component_count = 3, num_primitive_operations = 6, allow_imprecise_accumulation = false> : (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
  check.expect_eq_const %2, dense<1.003910064697265625> : tensor<f32>
  %3 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = bf16, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
  check.expect_eq_const %3, dense<1.0> : tensor<f32>
  return
}

// TensorFloat32 keeps 10 bits behind the point, ties to even; infinity and NaN stay what they are.
func.func @dot_general_tf32() {
  %x = stablehlo.constant dense<[1.00048828125, 1.000732421875, 0x7F800000, 0x7F800001]> : tensor<4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %one, contracting_dims = [] x [], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  check.expect_almost_eq_const %0, dense<[1.0, 1.0009765625, 0x7F800000, 0x7FC00000]> : tensor<4xf32>, tolerance = 0.0
  %1 = stablehlo.dot_general %x, %one, contracting_dims = [] x [], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  check.expect_almost_eq_const %1, dense<[1.00048828125, 1.000732421875, 0x7F800000, 0x7FC00000]> : tensor<4xf32>, tolerance = 0.0
  return
}

// Quantized per tensor: (q - zero_point) * scale, multiplied and added up, quantized and clamped.
// Row 0: (-1 * 0.5) * (2 * 0.25) + (1 * 0.5) * (4 * 0.25) = 0.25, stored 0.25 / 0.125 + 1 = 3.
func.func @dot_general_quantized() {
  %lhs = stablehlo.constant() <{value = dense<[[2, 4], [127, 127]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>
  %rhs = stablehlo.constant() <{value = dense<[2, 4]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 1.250000e-01:1>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x!quant.uniform<i8:f32, 1.250000e-01:1>>) -> tensor<2xf32>
  check.expect_eq_const %1, dense<[0.25, 15.75]> : tensor<2xf32>
  return
}

// Hybrid: only rhs is quantized, here with a scale per column; it is dequantized first.
func.func @dot_general_hybrid() {
  %lhs = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %rhs = stablehlo.constant() <{value = dense<[[2, 4], [6, 8]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<1x2xf32>, tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>) -> tensor<1x2xf32>
  check.expect_eq_const %0, dense<[[7.0, 5.0]]> : tensor<1x2xf32>
  return
}
