// Start, limit and stride are values.
func.func @real_dynamic_slice_strides() {
  %a = stablehlo.constant dense<[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]> : tensor<2x5xi64>
  %start = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %limit = stablehlo.constant dense<[2, 5]> : tensor<2xi64>
  %strides = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = stablehlo.real_dynamic_slice %a, %start, %limit, %strides : (tensor<2x5xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x2xi64>
  check.expect_eq_const %0, dense<[[6, 8]]> : tensor<1x2xi64>
  return
}

func.func @real_dynamic_slice_dynamic_result() {
  %a = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi64>
  %start = stablehlo.constant dense<2> : tensor<1xui8>
  %limit = stablehlo.constant dense<4> : tensor<1xui8>
  %strides = stablehlo.constant dense<1> : tensor<1xui8>
  %0 = stablehlo.real_dynamic_slice %a, %start, %limit, %strides : (tensor<5xi64>, tensor<1xui8>, tensor<1xui8>, tensor<1xui8>) -> tensor<?xi64>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?xi64>) -> tensor<i32>
  check.expect_eq_const %1, dense<2> : tensor<i32>
  return
}
