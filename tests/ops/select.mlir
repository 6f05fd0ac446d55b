// The specification's example.
func.func @select_example() {
  %p = stablehlo.constant dense<[[false, true], [true, false]]> : tensor<2x2xi1>
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %b = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %0 = stablehlo.select %p, %a, %b : tensor<2x2xi1>, tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[5, 2], [3, 8]]> : tensor<2x2xi32>
  return
}

func.func @select_by_a_scalar() {
  %p = stablehlo.constant dense<true> : tensor<i1>
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %0 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<2xf32>
  check.expect_eq_const %0, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}

func.func @select_by_a_false_scalar() {
  %p = stablehlo.constant dense<false> : tensor<i1>
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi4>
  %b = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %0 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<2xi4>
  check.expect_eq_const %0, dense<[-8, 7]> : tensor<2xi4>
  return
}

func.func @select_complex() {
  %p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %a = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
  %b = stablehlo.constant dense<[(5.0, 6.0), (7.0, 8.0)]> : tensor<2xcomplex<f64>>
  %0 = stablehlo.select %p, %a, %b : tensor<2xi1>, tensor<2xcomplex<f64>>
  check.expect_eq_const %0, dense<[(1.0, 2.0), (7.0, 8.0)]> : tensor<2xcomplex<f64>>
  return
}

func.func @select_scalars() {
  %p = stablehlo.constant dense<true> : tensor<i1>
  %a = stablehlo.constant dense<false> : tensor<i1>
  %b = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<i1>
  check.expect_eq_const %0, dense<false> : tensor<i1>
  return
}

// 1 and 2.
func.func @select_quantized() {
  %p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %a = stablehlo.constant() <{value = dense<[2, 2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %b = stablehlo.constant() <{value = dense<[11, 11]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 2.500000e-01:3>>
  %0 = stablehlo.select %p, %a, %b : (tensor<2xi1>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:3>>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[2, 4]> : tensor<2xi8>
  return
}
