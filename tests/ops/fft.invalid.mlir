// fft_i1
// error@4:24: stablehlo.fft I1: operand = tensor<4xi32>
func.func @main(%a: tensor<4xi32>) {
  %0 = "stablehlo.fft"(%a) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<4xi32>) -> tensor<4xi32>
  return
}
// -----
// fft_i2
// error@4:8: stablehlo.fft I2: expected the attribute fft_type, a stablehlo fft_type
func.func @main(%a: tensor<4xcomplex<f32>>) {
  %0 = "stablehlo.fft"(%a) <{fft_length = array<i64: 4>}> : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}
// -----
// fft_i3
// error@4:8: stablehlo.fft I3: expected the attribute fft_length, an array of i64
func.func @main(%a: tensor<4xcomplex<f32>>) {
  %0 = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type FFT>}> : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}
// -----
// fft_c1
// error@4:8: stablehlo.fft C1: size = 2, rank = 1
func.func @main(%a: tensor<4xcomplex<f32>>) {
  %0 = "stablehlo.fft"(%a) <{fft_length = array<i64: 1, 4>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}
// -----
// fft_c2
// error@4:8: stablehlo.fft C2: fft_type = FFT, element_type = f32
func.func @main(%a: tensor<4xf32>) {
  %0 = "stablehlo.fft"(%a) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
// fft_c2 of a real transform
// error@4:8: stablehlo.fft C2: fft_type = RFFT, element_type = bf16
func.func @main(%a: tensor<4xbf16>) {
  %0 = "stablehlo.fft"(%a) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<4xbf16>) -> tensor<3xcomplex<f32>>
  return
}
// -----
// fft_c2 of its inverse
// error@4:8: stablehlo.fft C2: fft_type = IRFFT, element_type = f32
func.func @main(%a: tensor<3xf32>) {
  %0 = "stablehlo.fft"(%a) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<3xf32>) -> tensor<4xf32>
  return
}
// -----
// fft_c2 of the result
// error@4:99: stablehlo.fft C2: type = tensor<3xcomplex<f64>>, expected = tensor<3xcomplex<f32>>
func.func @main(%a: tensor<4xf32>) {
  %0 = "stablehlo.fft"(%a) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<4xf32>) -> tensor<3xcomplex<f64>>
  return
}
// -----
// fft_c3
// error@4:8: stablehlo.fft C3: size = 0
func.func @main(%a: tensor<4xcomplex<f32>>) {
  %0 = "stablehlo.fft"(%a) <{fft_length = array<i64>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}
// -----
// fft_c3 of four
// error@4:8: stablehlo.fft C3: size = 4
func.func @main(%a: tensor<1x1x1x4xcomplex<f32>>) {
  %0 = "stablehlo.fft"(%a) <{fft_length = array<i64: 1, 1, 1, 4>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<1x1x1x4xcomplex<f32>>) -> tensor<1x1x1x4xcomplex<f32>>
  return
}
// -----
// fft_c4
// error@4:8: stablehlo.fft C4: shape = [2, 4], fft_length = [3, 4]
func.func @main(%a: tensor<2x4xf32>) {
  %0 = "stablehlo.fft"(%a) <{fft_length = array<i64: 3, 4>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<2x4xf32>) -> tensor<2x3xcomplex<f32>>
  return
}
// -----
// fft_c4 of complex numbers
// error@4:8: stablehlo.fft C4: shape = [3], fft_length = [4]
func.func @main(%a: tensor<3xcomplex<f32>>) {
  %0 = "stablehlo.fft"(%a) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  return
}
// -----
// fft_c4 of the inverse
// error@4:8: stablehlo.fft C4: shape = [2, 3], fft_length = [3, 4]
func.func @main(%a: tensor<2x3xcomplex<f32>>) {
  %0 = "stablehlo.fft"(%a) <{fft_length = array<i64: 3, 4>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<2x3xcomplex<f32>>) -> tensor<2x4xf32>
  return
}
// -----
// fft_c5
// error@4:8: stablehlo.fft C5: size = 3, fft_length = 6
func.func @main(%a: tensor<3xcomplex<f32>>) {
  %0 = "stablehlo.fft"(%a) <{fft_length = array<i64: 6>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<3xcomplex<f32>>) -> tensor<6xf32>
  return
}
// -----
// fft_c5 of the result
// error@4:98: stablehlo.fft C5: type = tensor<3xcomplex<f32>>, expected = tensor<4xcomplex<f32>>
func.func @main(%a: tensor<4xcomplex<f32>>) {
  %0 = "stablehlo.fft"(%a) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<4xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  return
}
// -----
// fft_c5 of a real transform
// error@4:99: stablehlo.fft C5: type = tensor<4xcomplex<f32>>, expected = tensor<3xcomplex<f32>>
func.func @main(%a: tensor<4xf32>) {
  %0 = "stablehlo.fft"(%a) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return
}
