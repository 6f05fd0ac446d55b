// The specification's example.
func.func @complex_example() {
  %a = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf64>
  %b = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf64>
  %0 = stablehlo.complex %a, %b : tensor<2xcomplex<f64>>
  check.expect_eq_const %0, dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
  return
}

// An infinite part and a zero are not mixed by arithmetic.
func.func @complex_keeps_parts() {
  %a = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %b = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.complex %a, %b : tensor<complex<f32>>
  %1 = stablehlo.imag %0 : (tensor<complex<f32>>) -> tensor<f32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<f32>) -> tensor<i32>
  check.expect_eq_const %2, dense<-2147483648> : tensor<i32>
  return
}
