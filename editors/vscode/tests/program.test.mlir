// SYNTAX TEST "source.mlir" "a program"
// a note
// <---------- comment.line.double-slash.mlir
func.func @main(%x: tensor<2x?xf32>) -> tensor<f8E4M3FN> {
// <---- entity.name.namespace.mlir
//   ^^^^ support.function.mlir
//        ^^^^^ entity.name.function.mlir
//              ^^ variable.other.mlir
//                  ^^^^^^ storage.type.mlir
//                         ^^^^ constant.numeric.dimension.mlir
//                             ^^^ storage.type.mlir
//                                             ^^^^^^^^ storage.type.mlir
  %0 = stablehlo.constant dense<-1.5e3> : tensor<2xi32>
//     ^^^^^^^^^ entity.name.namespace.mlir
//               ^^^^^^^^ support.function.mlir
//                        ^^^^^ constant.language.mlir
//                              ^^^^^^ constant.numeric.float.mlir
//                                                 ^^^ storage.type.mlir
  "stablehlo.add"(%0) : () -> !stablehlo.token
//^^^^^^^^^^^^^^^ string.quoted.double.mlir
//                            ^^^^^^^^^^^^^^^^ entity.name.type.mlir
  return %0 : tensor<2xi32>
//^^^^^^ keyword.control.mlir
}
