// func_call: no such function
// error@4:3: func.call callee: callee = @g
func.func @f() {
  call @g() : () -> ()
  return
}
// -----
// func_call: a symbol that is no function
// error@5:3: func.call callee: callee = @m
module @m {}
func.func @f() {
  call @m() : () -> ()
  return
}
// -----
// func_call: a function of an inner module
// error@7:3: func.call callee: callee = @g
module @m {
  func.func @g() { return }
}
func.func @f() {
  call @g() : () -> ()
  return
}
// -----
// func_call: types are the callee's, also where sizes are free
// error@4:3: func.call type: call = (tensor<2xf32>) -> (), callee = (tensor<?xf32>) -> ()
func.func @f(%a: tensor<2xf32>) {
  call @g(%a) : (tensor<2xf32>) -> ()
  return
}
func.func private @g(%a: tensor<?xf32>) { return }
// -----
// func_call: number of results
// error@4:3: func.call type: call = () -> (), callee = () -> tensor<3xf32>
func.func @f() {
  call @g() : () -> ()
  return
}
func.func private @g() -> tensor<3xf32>
// -----
// func_return: number
// error@4:3: func.return results: operands = [], results = [tensor<2xf32>]
func.func @f() -> tensor<2xf32> {
  return
}
// -----
// func_return: type
// error@4:3: func.return results: operands = [tensor<?xf32>], results = [tensor<2xf32>]
func.func @f(%a: tensor<?xf32>) -> tensor<2xf32> {
  return %a : tensor<?xf32>
}
// -----
// func_return: outside a function
// error@5:5: func.return results: parent = stablehlo.if
func.func @f(%p: tensor<i1>) {
  "stablehlo.if"(%p) ({
    "func.return"() : () -> ()
  }, {
    "stablehlo.return"() : () -> ()
  }) : (tensor<i1>) -> ()
  return
}
// -----
// func_func: a public declaration
// error@3:1: func.func visibility: sym_visibility = public, declaration = true
func.func @f()
// -----
// func_func: visibility
// error@3:1: func.func visibility: sym_visibility = hidden, declaration = false
"func.func"() <{sym_name = "f", function_type = () -> (), sym_visibility = "hidden"}> ({
  "func.return"() : () -> ()
}) : () -> ()
// -----
// func_func: arguments of the entry block
// error@3:1: func.func arguments: arguments = [tensor<3xf32>], inputs = [tensor<2xf32>]
"func.func"() <{sym_name = "f", function_type = (tensor<2xf32>) -> ()}> ({
^bb0(%x: tensor<3xf32>):
  "func.return"() : () -> ()
}) : () -> ()
// -----
// func_func: number of argument attributes
// error@3:1: func.func attributes of arguments and results: arg_attrs = [], res_attrs = None
"func.func"() <{sym_name = "f", function_type = (tensor<2xf32>) -> (), arg_attrs = []}> ({
^bb0(%x: tensor<2xf32>):
  "func.return"() : () -> ()
}) : () -> ()
// -----
// func_func: names of argument and result attributes
// error@3:1: func.func attributes of arguments and results: attributes = [bar, foo]
func.func @f(%a: tensor<2xf32> {foo = 1 : i32, my.foo}) -> (tensor<2xf32> {bar}) {
  return %a : tensor<2xf32>
}
// -----
// func_func: in a function
// error@4:3: func.func parent: parent = func.func
func.func @f() {
  func.func @g() { return }
  return
}
// -----
// func_constant: no such function
// error@4:8: func.constant value: value = @g, result = () -> ()
func.func @f() {
  %0 = func.constant @g : () -> ()
  return
}
// -----
// func_constant: a function of another type
// error@4:8: func.constant value: value = @f, result = (tensor<f32>) -> ()
func.func @f() {
  %0 = func.constant @f : (tensor<f32>) -> ()
  return
}
// -----
// func_call_indirect: operands of other types than the function's
// error@5:8: func.call_indirect type: call = (tensor<f32>) -> tensor<f32>, callee = () -> ()
func.func @f(%a: tensor<f32>) {
  %0 = func.constant @g : () -> ()
  %1 = "func.call_indirect"(%0, %a) : (() -> (), tensor<f32>) -> tensor<f32>
  return
}
func.func @g() { return }
