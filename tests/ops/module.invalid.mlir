// module: a symbol twice
// error@6:3: builtin.module symbols: symbols = [f]
module {
  func.func @f() { return }
  func.func @g() { return }
  func.func @f() { return }
}
// -----
// module: names of attributes
// error@3:1: builtin.module discardable attributes: attributes = [foo]
module attributes {foo = 1 : i32, my.bar} {}
// -----
// module: the body takes nothing
// error@3:1: builtin.module arguments: arguments = 1
"builtin.module"() ({
^bb0(%a: tensor<f32>):
}) : () -> ()
