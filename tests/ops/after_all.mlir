// Tokens join; without any there is still one.
func.func @after_all_example() {
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = stablehlo.after_all %0, %0 : !stablehlo.token
  %2 = stablehlo.after_all  : !stablehlo.token
  %3 = stablehlo.after_all %1, %2 : !stablehlo.token
  return
}
