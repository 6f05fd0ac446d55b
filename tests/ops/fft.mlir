// The specification's example, and its inverse.
func.func @fft_example() {
  %x = stablehlo.constant dense<[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  %0 = stablehlo.fft %x, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %0, dense<(1.0, 0.0)> : tensor<4xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IFFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  return
}

// The sign of the exponent: an impulse at 1 turns clockwise, in the inverse counterclockwise.
func.func @fft_direction() {
  %x = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0.0), (0.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f64>>
  %0 = stablehlo.fft %x, type = FFT, length = [4] : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %0, dense<[(1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (0.0, 1.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.fft %x, type = IFFT, length = [4] : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(0.25, 0.0), (0.0, 0.25), (-0.25, 0.0), (0.0, -0.25)]> : tensor<4xcomplex<f64>>
  return
}

// Real transforms of even and odd lengths, and back.
func.func @fft_real() {
  %x = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 0.0, 0.0]]> : tensor<2x4xf32>
  %0 = stablehlo.fft %x, type = RFFT, length = [4] : (tensor<2x4xf32>) -> tensor<2x3xcomplex<f32>>
  check.expect_almost_eq_const %0, dense<[[(10.0, 0.0), (-2.0, 2.0), (-2.0, 0.0)], [(1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)]]> : tensor<2x3xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IRFFT, length = [4] : (tensor<2x3xcomplex<f32>>) -> tensor<2x4xf32>
  check.expect_almost_eq_const %1, dense<[[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 0.0, 0.0]]> : tensor<2x4xf32>
  %y = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %2 = stablehlo.fft %y, type = RFFT, length = [3] : (tensor<3xf64>) -> tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %2, dense<[(6.0, 0.0), (-1.5, 0.86602540378443865)]> : tensor<2xcomplex<f64>>
  %3 = stablehlo.fft %2, type = IRFFT, length = [3] : (tensor<2xcomplex<f64>>) -> tensor<3xf64>
  check.expect_almost_eq_const %3, dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  return
}

// Two of three dimensions.
func.func @fft_two_dimensions() {
  %x = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[1.0, 0.0], [0.0, 0.0]]]> : tensor<2x2x2xf32>
  %0 = stablehlo.fft %x, type = RFFT, length = [2, 2] : (tensor<2x2x2xf32>) -> tensor<2x2x2xcomplex<f32>>
  check.expect_almost_eq_const %0, dense<[[[(10.0, 0.0), (-2.0, 0.0)], [(-4.0, 0.0), (0.0, 0.0)]], [[(1.0, 0.0), (1.0, 0.0)], [(1.0, 0.0), (1.0, 0.0)]]]> : tensor<2x2x2xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IRFFT, length = [2, 2] : (tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xf32>
  check.expect_almost_eq_const %1, dense<[[[1.0, 2.0], [3.0, 4.0]], [[1.0, 0.0], [0.0, 0.0]]]> : tensor<2x2x2xf32>
  return
}

// Nothing to transform: a dimension of size 0, or an empty batch.
func.func @fft_empty() {
  %x = stablehlo.constant dense<> : tensor<2x0xf32>
  %0 = stablehlo.fft %x, type = RFFT, length = [0] : (tensor<2x0xf32>) -> tensor<2x0xcomplex<f32>>
  check.expect_eq_const %0, dense<> : tensor<2x0xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IRFFT, length = [0] : (tensor<2x0xcomplex<f32>>) -> tensor<2x0xf32>
  check.expect_eq_const %1, dense<> : tensor<2x0xf32>
  %y = stablehlo.constant dense<> : tensor<0x4xf32>
  %2 = stablehlo.fft %y, type = RFFT, length = [4] : (tensor<0x4xf32>) -> tensor<0x3xcomplex<f32>>
  check.expect_eq_const %2, dense<> : tensor<0x3xcomplex<f32>>
  return
}
