// Operations in older revisions, with uses on both sides.
func.func @main(%x: tensor<8xf32>, %t: !stablehlo.token) -> (tensor<8xf32>) {
  %2 = chlo.tan %x : tensor<8xf32> -> tensor<8xf32> loc("c")
  %a = "stablehlo.composite"(%2, %2, %x) {name="a.b", decomposition=@d} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("e")
  %b = stablehlo.add %2, %x : tensor<8xf32> loc("f")
  %c = stablehlo.add %a, %x : tensor<8xf32> loc("f")
  %e = chlo.tan %a : tensor<8xf32> -> tensor<8xf32> loc("h")
  %d = "stablehlo.composite"(%a, %2, %x) {name="a.b", decomposition=@d} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("e")
  return %a : tensor<8xf32> loc("g")
}
func.func private @d(%x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<8xf32>) -> tensor<8xf32> { return %x : tensor<8xf32> }
