// batch_norm_training_i1
// error@4:42: stablehlo.batch_norm_training I1: operand = tensor<2x3xi32>
func.func @main(%a: tensor<2x3xi32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xi32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
// batch_norm_training_i2
// error@4:46: stablehlo.batch_norm_training I2: scale = tensor<1x3xf32>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<1x3xf32>, %c: tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
// batch_norm_training_i3
// error@4:50: stablehlo.batch_norm_training I3: offset = tensor<1x3xf32>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<1x3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<1x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
// batch_norm_training_i4
// error@4:10: stablehlo.batch_norm_training I4: expected the attribute epsilon, a 32-bit float
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
// batch_norm_training_i5
// error@4:10: stablehlo.batch_norm_training I5: expected the attribute feature_index, a 64-bit integer
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 1.000000e-03 : f32}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
// batch_norm_training_c1
// error@4:10: stablehlo.batch_norm_training C1: feature_index = 2, rank = 2
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 1.000000e-03 : f32, feature_index = 2 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
// batch_norm_training_c1 negative
// error@4:10: stablehlo.batch_norm_training C1: feature_index = -1, rank = 2
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 1.000000e-03 : f32, feature_index = -1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
// batch_norm_training_c2
// error@4:10: stablehlo.batch_norm_training C2: element_types = [f32, f64, f32]
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf64>, %c: tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf64>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
// batch_norm_training_c2 of a result
// error@4:114: stablehlo.batch_norm_training C2: type = tensor<3xf64>, expected = tensor<3xf32>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf64>, tensor<3xf32>)
  return
}
// -----
// batch_norm_training_c3
// error@4:10: stablehlo.batch_norm_training C3: size = 2, dim = 3
func.func @main(%a: tensor<2x3xf32>, %b: tensor<2xf32>, %c: tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<2xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
// batch_norm_training_c4
// error@4:10: stablehlo.batch_norm_training C4: size = 2, dim = 3
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<2xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
// batch_norm_training_c5
// error@4:114: stablehlo.batch_norm_training C5: type = tensor<2xf32>, expected = tensor<3xf32>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<3xf32>)
  return
}
// -----
// batch_norm_training_c6
// error@4:114: stablehlo.batch_norm_training C6: type = tensor<2xf32>, expected = tensor<3xf32>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<2xf32>)
  return
}
// -----
// batch_norm_training_c7
// error@4:114: stablehlo.batch_norm_training C7: type = tensor<3x2xf32>, expected = tensor<2x3xf32>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3x2xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
// batch_norm_training_c4: scale of unknown size
// error@4:10: stablehlo.batch_norm_training C4: size = 2, dim = 3
func.func @main(%a: tensor<2x3xf32>, %s: tensor<?xf32>, %o: tensor<2xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %s, %o) <{epsilon = 1.0e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<?xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
