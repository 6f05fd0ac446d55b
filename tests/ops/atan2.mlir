// The specification's example.
func.func @atan2_example() {
  %a = stablehlo.constant dense<[0.0, 1.0, -1.0]> : tensor<3xf64>
  %b = stablehlo.constant dense<[0.0, 0.0, 0.0]> : tensor<3xf64>
  %0 = stablehlo.atan2 %a, %b : tensor<3xf64>
  check.expect_almost_eq_const %0, dense<[0.0, 1.57079637, -1.57079637]> : tensor<3xf64>, tolerance = 1.0e-07
  return
}

func.func @atan2_quadrants() {
  %a = stablehlo.constant dense<[1.0, 1.0, -1.0, -1.0]> : tensor<4xf32>
  %b = stablehlo.constant dense<[1.0, -1.0, -1.0, 1.0]> : tensor<4xf32>
  %0 = stablehlo.atan2 %a, %b : tensor<4xf32>
  check.expect_almost_eq_const %0, dense<[0.785398163, 2.35619449, -2.35619449, -0.785398163]> : tensor<4xf32>, tolerance = 1.0e-06
  return
}

// On both sides of the branch cut.
func.func @atan2_zeros() {
  %a = stablehlo.constant dense<[0.0, -0.0, 0.0]> : tensor<3xf32>
  %b = stablehlo.constant dense<[-1.0, -1.0, 1.0]> : tensor<3xf32>
  %0 = stablehlo.atan2 %a, %b : tensor<3xf32>
  check.expect_eq_const %0, dense<[3.14159274, -3.14159274, 0.0]> : tensor<3xf32>
  return
}

func.func @atan2_complex() {
  %a = stablehlo.constant dense<[(1.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f64>>
  %b = stablehlo.constant dense<[(1.0, 0.0), (-1.0, 0.0)]> : tensor<2xcomplex<f64>>
  %0 = stablehlo.atan2 %a, %b : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %0, dense<[(0.7853981633974483, 0.0), (2.356194490192345, 0.0)]> : tensor<2xcomplex<f64>>, tolerance = 1.0e-12
  return
}

// Squares of -2i and -4i lie on the lower side of the branch cut of the root: atan(1 / 2).
func.func @atan2_complex_below_the_cut() {
  %a = stablehlo.constant dense<(0.0, -2.0)> : tensor<complex<f64>>
  %b = stablehlo.constant dense<(0.0, -4.0)> : tensor<complex<f64>>
  %0 = stablehlo.atan2 %a, %b : tensor<complex<f64>>
  check.expect_almost_eq_const %0, dense<(0.4636476090008061, 0.0)> : tensor<complex<f64>>, tolerance = 1.0e-12
  return
}

// pi / 2 and pi.
func.func @atan2_quantized() {
  %a = stablehlo.constant() <{value = dense<[2, 0]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %b = stablehlo.constant() <{value = dense<[0, -2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.atan2 %a, %b : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[3, 6]> : tensor<2xi8>
  return
}

// (y + ix) / sqrt(x^2 + y^2) is (0 - 4.5i) / (0 + 2.598i) = -1.732 - 0i, below the cut of the angle;
// (-0 - 2.5i) / (0 + 2.958i) = -0.845 + 0i is above.
func.func @atan2_complex_on_the_cut() {
  %x = stablehlo.constant dense<[(-1.5, -0.0), (0.5, 0.0)]> : tensor<2xcomplex<f64>>
  %y = stablehlo.constant dense<[(0.0, -3.0), (-0.0, -3.0)]> : tensor<2xcomplex<f64>>
  %0 = stablehlo.atan2 %x, %y : tensor<2xcomplex<f64>>
  %1 = stablehlo.real %0 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  check.expect_almost_eq_const %1, dense<[-3.141592653589793, -3.141592653589793]> : tensor<2xf64>
  %2 = stablehlo.convert %x : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f32>>
  %3 = stablehlo.convert %y : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f32>>
  %4 = stablehlo.atan2 %2, %3 : tensor<2xcomplex<f32>>
  %5 = stablehlo.real %4 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_almost_eq_const %5, dense<[-3.14159265, -3.14159265]> : tensor<2xf32>
  return
}
