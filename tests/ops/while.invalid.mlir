// while_c1: types of the arguments
// error@4:8: stablehlo.while C1: cond = (tensor<i32>) -> tensor<i1>, operand = [tensor<i64>]
func.func @main(%x: tensor<i64>, %p: tensor<i1>) {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>):
    stablehlo.return %a : tensor<i64>
  }) : (tensor<i64>) -> tensor<i64>
  return
}
// -----
// while_c1: type of the result
// error@4:8: stablehlo.while C1: cond = (tensor<i64>) -> tensor<i64>, operand = [tensor<i64>]
func.func @main(%x: tensor<i64>) {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i64>):
    stablehlo.return %a : tensor<i64>
  }, {
  ^bb0(%a: tensor<i64>):
    stablehlo.return %a : tensor<i64>
  }) : (tensor<i64>) -> tensor<i64>
  return
}
// -----
// while_c2: types of the arguments
// error@4:8: stablehlo.while C2: body = (tensor<i64>, tensor<i64>) -> tensor<i64>, operand = [tensor<i64>]
func.func @main(%x: tensor<i64>, %p: tensor<i1>) {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i64>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %a : tensor<i64>
  }) : (tensor<i64>) -> tensor<i64>
  return
}
// -----
// while_c2: types of the results
// error@4:8: stablehlo.while C2: body = (tensor<i64>) -> tensor<i1>, operand = [tensor<i64>]
func.func @main(%x: tensor<i64>, %p: tensor<i1>) {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i64>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>):
    stablehlo.return %p : tensor<i1>
  }) : (tensor<i64>) -> tensor<i64>
  return
}
// -----
// while_c3
// error@4:8: stablehlo.while C3: type = tensor<i32>, expected = tensor<i64>
func.func @main(%x: tensor<i64>, %p: tensor<i1>) {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i64>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>):
    stablehlo.return %a : tensor<i64>
  }) : (tensor<i64>) -> tensor<i32>
  return
}
// -----
// while_i1
// error@4:26: stablehlo.while I1: operand = f32
func.func @main(%arg0: f32, %arg1: tensor<i1>) {
  %0 = "stablehlo.while"(%arg0) ({
  ^bb0(%arg3: tensor<2xf32>):
    "stablehlo.return"(%arg1) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg2: tensor<2xf32>):
    %1 = "stablehlo.negate"(%arg2) : (tensor<2xf32>) -> tensor<2xf32>
    "stablehlo.return"(%1) : (tensor<2xf32>) -> ()
  }) : (f32) -> tensor<2xf32>
  return
}
// -----
// while_i2
// error@4:8: stablehlo.while I2: cond has a block
func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<i1>) {
  %0 = "stablehlo.while"(%arg0) ({
  }, {
  ^bb0(%arg2: tensor<2xf32>):
    %1 = "stablehlo.negate"(%arg2) : (tensor<2xf32>) -> tensor<2xf32>
    "stablehlo.return"(%1) : (tensor<2xf32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// while_i3
// error@4:8: stablehlo.while I3: body has a block
func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<i1>) {
  %0 = "stablehlo.while"(%arg0) ({
  ^bb0(%arg2: tensor<2xf32>):
    "stablehlo.return"(%arg1) : (tensor<i1>) -> ()
  }, {
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// while_c1: quantization parameters
// error@4:8: stablehlo.while C1: cond = (tensor<!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<i1>, operand = [tensor<!quant.uniform<i8:f32, 5.000000e-01>>]
func.func @main(%a: tensor<!quant.uniform<i8:f32, 5.000000e-01>>, %c: tensor<i1>) {
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 2.500000e-01>>):
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 5.000000e-01>>):
    "stablehlo.return"(%x) : (tensor<!quant.uniform<i8:f32, 5.000000e-01>>) -> ()
  }) : (tensor<!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// while_c3: quantization parameters
// error@4:8: stablehlo.while C3: type = tensor<!quant.uniform<i8:f32, 2.500000e-01>>, expected = tensor<!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a: tensor<!quant.uniform<i8:f32, 5.000000e-01>>, %c: tensor<i1>) {
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 5.000000e-01>>):
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 5.000000e-01>>):
    "stablehlo.return"(%x) : (tensor<!quant.uniform<i8:f32, 5.000000e-01>>) -> ()
  }) : (tensor<!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<!quant.uniform<i8:f32, 2.500000e-01>>
  return
}
