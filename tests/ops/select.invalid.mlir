// select_i1
// error@4:25: stablehlo.select I1: pred = tensor<2xi8>
func.func @main(%a: tensor<2xi8>, %b: tensor<2xf32>, %c: tensor<2xf32>) {
  %0 = stablehlo.select %a, %b, %c : (tensor<2xi8>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// select_i2
// error@4:29: stablehlo.select I2: on_true = tensor<2xindex>
func.func @main(%a: tensor<2xi1>, %b: tensor<2xindex>, %c: tensor<2xf32>) {
  %0 = stablehlo.select %a, %b, %c : (tensor<2xi1>, tensor<2xindex>, tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// select_i3
// error@4:33: stablehlo.select I3: on_false = tensor<2xindex>
func.func @main(%a: tensor<2xi1>, %b: tensor<2xf32>, %c: tensor<2xindex>) {
  %0 = stablehlo.select %a, %b, %c : (tensor<2xi1>, tensor<2xf32>, tensor<2xindex>) -> tensor<2xf32>
  return
}
// -----
// select_c1
// error@4:8: stablehlo.select C1: pred = [3], on_true = [2]
func.func @main(%a: tensor<3xi1>, %b: tensor<2xf32>, %c: tensor<2xf32>) {
  %0 = stablehlo.select %a, %b, %c : (tensor<3xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// select_c2
// error@4:8: stablehlo.select C2: on_true = tensor<2xf32>, on_false = tensor<2xf64>
func.func @main(%a: tensor<2xi1>, %b: tensor<2xf32>, %c: tensor<2xf64>) {
  %0 = stablehlo.select %a, %b, %c : (tensor<2xi1>, tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}
// -----
// select_c2 result
// error@4:38: stablehlo.select C2: type = tensor<3xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<i1>, %b: tensor<2xf32>, %c: tensor<?xf32>) {
  %0 = stablehlo.select %a, %b, %c : (tensor<i1>, tensor<2xf32>, tensor<?xf32>) -> tensor<3xf32>
  return
}
