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
