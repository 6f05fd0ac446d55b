// programs_is_a_grid
// error@5:3: interpreter.run_parallel programs: sizes = [1, 2]
func.func private @f()
func.func @main() {
  "interpreter.run_parallel"() <{programs = [[@f], [@f, @f]]}> : () -> ()
  return
}
// -----
// programs_are_there
// error@4:3: interpreter.run_parallel programs: sizes = []
func.func @main() {
  "interpreter.run_parallel"() <{programs = []}> : () -> ()
  return
}
// -----
// functions_exist
// error@5:3: interpreter.run_parallel functions: unknown = [@g]
func.func private @f()
func.func @main() {
  "interpreter.run_parallel"() <{programs = [[@f, @g]]}> : () -> ()
  return
}
// -----
// inputs
// error@5:3: interpreter.run_parallel inputs: inputs = 0, expected = 1
func.func private @f(tensor<f32>)
func.func @main() {
  "interpreter.run_parallel"() <{programs = [[@f]]}> : () -> ()
  return
}
// -----
// results
// error@5:3: interpreter.run_parallel results: results = 0, expected = 2
func.func private @f() -> tensor<f32>
func.func @main() {
  "interpreter.run_parallel"() <{programs = [[@f, @f]]}> : () -> ()
  return
}
// -----
// infeed_is_not_empty
// error@5:3: interpreter.run_parallel infeed: functions = 0, unfit = []
func.func private @f()
func.func @main() {
  "interpreter.run_parallel"() <{infeed = [], programs = [[@f]]}> : () -> ()
  return
}
// -----
// infeed_gives_one_tensor
// error@7:3: interpreter.run_parallel infeed: functions = 3, unfit = [@f, @g]
func.func private @f()
func.func private @h() -> tensor<f32>
func.func private @g() -> !stablehlo.token
func.func @main() {
  "interpreter.run_parallel"() <{infeed = [@f, @g, @h], programs = [[@f]]}> : () -> ()
  return
}
// -----
// probe_result
// error@4:53: interpreter.probe: type = tensor<2xf32>, expected = tensor<3xf32>
func.func @main(%x: tensor<3xf32>) {
  %0 = "interpreter.probe"(%x) <{probe_id = "a"}> : (tensor<3xf32>) -> tensor<2xf32>
  return
}
