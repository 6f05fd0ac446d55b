func.func @constant_like_float() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %0 = "chlo.constant_like"(%a) <{value = 2.500000e+00 : f32}> : (tensor<3xi32>) -> tensor<3xf32>
  check.expect_eq_const %0, dense<[2.5, 2.5, 2.5]> : tensor<3xf32>
  return
}

func.func @constant_like_infinity() {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = "chlo.constant_like"(%a) <{value = 0xFF800000 : f32}> : (tensor<f32>) -> tensor<f32>
  check.expect_eq_const %0, dense<0xFF800000> : tensor<f32>
  return
}

func.func @constant_like_integer() {
  %a = stablehlo.constant dense<0.0> : tensor<1x2xf32>
  %0 = "chlo.constant_like"(%a) <{value = -7 : i4}> : (tensor<1x2xf32>) -> tensor<1x2xi4>
  check.expect_eq_const %0, dense<[[-7, -7]]> : tensor<1x2xi4>
  return
}

func.func @constant_like_boolean() {
  %a = stablehlo.constant dense<0.0> : tensor<2xf32>
  %0 = "chlo.constant_like"(%a) <{value = true}> : (tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[true, true]> : tensor<2xi1>
  return
}

func.func @constant_like_complex() {
  %a = stablehlo.constant dense<0.0> : tensor<2xf32>
  %0 = "chlo.constant_like"(%a) <{value = #complex.number<:f32 1.000000e+00, -2.500000e+00> : complex<f32>}> : (tensor<2xf32>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %0, dense<[(1.0, -2.5), (1.0, -2.5)]> : tensor<2xcomplex<f32>>
  return
}

func.func @constant_like_dynamic() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %x = stablehlo.convert %a : (tensor<3xi32>) -> tensor<?xi32>
  %0 = "chlo.constant_like"(%x) <{value = 7 : i32}> : (tensor<?xi32>) -> tensor<?xi32>
  check.expect_eq_const %0, dense<[7, 7, 7]> : tensor<3xi32>
  return
}
