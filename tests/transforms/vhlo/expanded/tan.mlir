// tan as a quotient, of complex numbers too.
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf64>, %z: tensor<2xcomplex<f32>>, %q: tensor<?xf32>) -> (tensor<2xf32>, tensor<2xf64>, tensor<2xcomplex<f32>>, tensor<?xf32>) {
 %0 = stablehlo.tan %x : tensor<2xf32>
 %1 = stablehlo.tan %y : tensor<2xf64>
 %2 = stablehlo.tan %z : tensor<2xcomplex<f32>>
 %3 = stablehlo.tan %q : tensor<?xf32>
 return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf64>, tensor<2xcomplex<f32>>, tensor<?xf32> }
