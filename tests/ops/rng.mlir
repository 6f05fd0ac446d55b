// Uniform integers and floats lie in [a, b), and so do floats of few bits, where rounding could
// arrive at b.
func.func @rng_uniform() {
  %shape = stablehlo.constant dense<[100, 50]> : tensor<2xi64>
  %a = stablehlo.constant dense<-3> : tensor<i32>
  %b = stablehlo.constant dense<-1> : tensor<i32>
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<100x50xi32>
  %low = stablehlo.reduce(%0 init: %b) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<100x50xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %low, dense<-3> : tensor<i32>
  %high = stablehlo.reduce(%0 init: %a) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<100x50xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %high, dense<-2> : tensor<i32>
  %c = stablehlo.constant dense<1.0> : tensor<f8E4M3FN>
  %d = stablehlo.constant dense<2.0> : tensor<f8E4M3FN>
  %1 = stablehlo.rng %c, %d, %shape, distribution = UNIFORM : (tensor<f8E4M3FN>, tensor<f8E4M3FN>, tensor<2xi64>) -> tensor<100x50xf8E4M3FN>
  %first = stablehlo.reduce(%1 init: %d) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<100x50xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
  check.expect_eq_const %first, dense<1.0> : tensor<f8E4M3FN>
  %last = stablehlo.reduce(%1 init: %c) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<100x50xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
  check.expect_eq_const %last, dense<1.875> : tensor<f8E4M3FN>
  return
}

// Mean and variance of 10000 normal numbers; a shape that is computed.
func.func @rng_normal() {
  %half = stablehlo.constant dense<5000> : tensor<1xi64>
  %shape = stablehlo.add %half, %half : tensor<1xi64>
  %a = stablehlo.constant dense<3.0> : tensor<f32>
  %b = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.rng %a, %b, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<10000xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<10000.0> : tensor<f32>
  %sum = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10000xf32>, tensor<f32>) -> tensor<f32>
  %mean = stablehlo.divide %sum, %n : tensor<f32>
  check.expect_almost_eq_const %mean, dense<3.0> : tensor<f32>, tolerance = 1.000000e-01
  %squares = stablehlo.multiply %0, %0 : tensor<10000xf32>
  %sum_of_squares = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10000xf32>, tensor<f32>) -> tensor<f32>
  %mean_square = stablehlo.divide %sum_of_squares, %n : tensor<f32>
  check.expect_almost_eq_const %mean_square, dense<13.0> : tensor<f32>, tolerance = 5.000000e-01
  return
}
