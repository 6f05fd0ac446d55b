// tensor type bounds: a static dimension has none
// error@3:26: tensor type bounds: type = tensor<4xf32, #stablehlo.bounds<4>>
func.func private @f(%a: tensor<4xf32, #stablehlo.bounds<4>>)
// -----
// tensor type bounds: one per dimension
// error@3:26: tensor type bounds: type = tensor<?x?xf32, #stablehlo.bounds<4>>
func.func private @f(%a: tensor<?x?xf32, #stablehlo.bounds<4>>)
// -----
// tensor type bounds: none is negative
// error@3:21: tensor type bound sizes: bounds = [-2]
func.func private @f(%a: tensor<?xf32, #stablehlo.bounds<-2>>)
// -----
// tensor type: negative size
// error@3:33: expected a type, found '-'
func.func private @f(%a: tensor<-1xf32>)
// -----
// tensor type: tensors have no tensors as elements
// error@3:35: element type: expected an element type
func.func private @f(%a: tensor<2xtensor<2xf32>>)
// -----
// complex type: of numbers only
// error@3:43: expected an integer or floating-point type
func.func private @f(%a: tensor<2xcomplex<index>>)
// -----
// future type: of a token
// error@3:26: future type: types = [!stablehlo.token]
func.func private @f(%a: !stablehlo.future<!stablehlo.token>)
// -----
// future type: of a future
// error@3:26: future type: types = [!stablehlo.future<tensor<2xf32>>]
func.func private @f(%a: !stablehlo.future<!stablehlo.future<tensor<2xf32>>>)
// -----
// future type: of nothing
// error@3:26: future type: types = []
func.func private @f(%a: !stablehlo.future<>)
// -----
// buffer type: of quantized elements
// error@3:26: buffer type: element_type = !quant.uniform<i8:f32, 5.000000e-01>
func.func private @f(%a: memref<2x!quant.uniform<i8:f32, 0.5>>)
// -----
// buffer type: of tokens
// error@3:26: buffer type: element_type = !stablehlo.token
func.func private @f(%a: memref<2x!stablehlo.token>)
// -----
// vector type: an empty one
// error@3:26: vector type: shape = [0]
func.func private @f(%a: vector<0xf32>)
// -----
// types of operations that compute with them: i3 is no integer type
// error@4:22: stablehlo.add I1: lhs = tensor<2xi3>
func.func @f(%a: tensor<2xi3>) {
  %0 = stablehlo.add %a, %a : tensor<2xi3>
  return
}
// -----
// types of operations that compute with them: complex numbers have parts of f32 or f64
// error@4:22: stablehlo.add I1: lhs = tensor<2xcomplex<f16>>
func.func @f(%a: tensor<2xcomplex<f16>>) {
  %0 = stablehlo.add %a, %a : tensor<2xcomplex<f16>>
  return
}
// -----
// types of operations that compute with them: shapes are ranked
// error@4:22: stablehlo.add I1: lhs = tensor<*xf32>
func.func @f(%a: tensor<*xf32>) {
  %0 = stablehlo.add %a, %a : tensor<*xf32>
  return
}
// -----
// types of operations that compute with them: tf32 describes algorithms, not values
// error@4:22: stablehlo.add I1: lhs = tensor<2xtf32>
func.func @f(%a: tensor<2xtf32>) {
  %0 = stablehlo.add %a, %a : tensor<2xtf32>
  return
}
