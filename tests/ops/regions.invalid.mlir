// regions: more than one block
// error@4:3: stablehlo.if I2: blocks = 2
func.func @f(%p: tensor<i1>) {
  "stablehlo.if"(%p) ({
    "stablehlo.return"() : () -> ()
  ^bb1:
    "stablehlo.return"() : () -> ()
  }, {
    "stablehlo.return"() : () -> ()
  }) : (tensor<i1>) -> ()
  return
}
// -----
// regions: no operation jumps
// error@4:3: func.return: number = 1
func.func @f() {
  "func.return"()[^bb1] : () -> ()
^bb1:
  return
}
// -----
// regions: nor those that end no block
// error@5:8: stablehlo.abs: a terminator is the last operation of its block
// error@5:8: stablehlo.abs: number = 1
func.func @f(%a: tensor<f32>) {
  %0 = "stablehlo.abs"(%a)[^bb1] : (tensor<f32>) -> tensor<f32>
  return
^bb1:
  return
}
// -----
// properties: of an operation without attributes
// error@4:29: stablehlo.abs has no properties
func.func @f(%a: tensor<f32>) {
  %0 = "stablehlo.abs"(%a) <{foo = 1 : i32}> : (tensor<f32>) -> tensor<f32>
  return
}
