// integer constant C1: too large
// error@3:42: integer constant C1: 256 is out of range for i8
func.func private @f() attributes {k.v = 256 : i8}
// -----
// integer constant C1: a negative one of an unsigned type
// error@3:42: integer constant C1: -1 is out of range for ui8
func.func private @f() attributes {k.v = -1 : ui8}
// -----
// integer constant C1: a fraction
// error@3:42: integer constant C1: expected an integer literal for i8
func.func private @f() attributes {k.v = 1.5 : i8}
// -----
// integer constant C1: as an element
// error@3:52: integer constant C1: -129 is out of range for i8
func.func private @f() attributes {k.v = dense<[1, -129]> : tensor<2xi8>}
// -----
// floating-point constant C1
// error@3:42: floating-point constant C1: expected a floating-point literal for f32
func.func private @f() attributes {k.v = 1 : f32}
// -----
// floating-point constant C2: nine digits for f32
// error@3:42: floating-point constant C2: this bit pattern has more than the 32 bits of f32
func.func private @f() attributes {k.v = 0x7F8000000 : f32}
// -----
// floating-point constant C2: six bits hold no 0x40
// error@3:48: floating-point constant C2: this bit pattern has more than the 6 bits of f6E2M3FN
func.func private @f() attributes {k.v = dense<0x40> : tensor<f6E2M3FN>}
// -----
// complex constant C1
// error@3:49: complex constant C1: expected a floating-point literal for f32
func.func private @f() attributes {k.v = dense<(1, 2.0)> : tensor<complex<f32>>}
// -----
// complex constant C2
// error@3:54: complex constant C2: this bit pattern has more than the 32 bits of f32
func.func private @f() attributes {k.v = dense<(1.0, 0x7F8000000)> : tensor<complex<f32>>}
// -----
// tensor constant C1: a float among integers
// error@3:52: tensor constant C1: expected an integer literal for i8
func.func private @f() attributes {k.v = dense<[1, 2.0]> : tensor<2xi8>}
// -----
// tensor constant C1: a word for a number
// error@3:48: tensor constant C1: expected an integer literal for i8
func.func private @f() attributes {k.v = dense<true> : tensor<i8>}
// -----
// tensor constant C1: a real number for a complex one
// error@3:48: tensor constant C1: expected (real, imaginary) for complex<f32>
func.func private @f() attributes {k.v = dense<1.0> : tensor<complex<f32>>}
// -----
// tensor constant C1: two numbers for a real one
// error@3:47: tensor constant C1: the literal has 2 numbers for 1 elements
func.func private @f() attributes {k.v = dense<(1.0, 2.0)> : tensor<f32>}
// -----
// tensor constant C1: a string for a number
// error@3:48: tensor constant C1: expected elements of type i8
func.func private @f() attributes {k.v = dense<"one"> : tensor<i8>}
// -----
// tensor constant C2: too few elements
// error@3:47: tensor constant C2: the literal has shape [2], its type [3]
func.func private @f() attributes {k.v = dense<[1, 2]> : tensor<3xi8>}
// -----
// tensor constant C2: too few dimensions
// error@3:47: tensor constant C2: the literal has shape [2], its type [2, 1]
func.func private @f() attributes {k.v = dense<[1, 2]> : tensor<2x1xi8>}
// -----
// tensor constant C2: uneven lists
// error@3:48: tensor constant C2: the lists of this literal have different shapes
func.func private @f() attributes {k.v = dense<[[1], [2, 3]]> : tensor<2x1xi8>}
// -----
// tensor constant C2: no element for two
// error@3:47: tensor constant C2: the literal has shape [0], its type [2]
func.func private @f() attributes {k.v = dense<> : tensor<2xi8>}
// -----
// tensor constant C2: a dynamic shape
// error@3:47: tensor constant C2: a literal needs a static shape
func.func private @f() attributes {k.v = dense<1> : tensor<?xi8>}
// -----
// quantized tensor constant C1: written in the storage type
// error@4:72: stablehlo.constant C1: type = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, expected = tensor<2xf32>
func.func @f() {
  %0 = "stablehlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}
// -----
// quantized tensor constant C2
// error@4:74: stablehlo.constant C1: type = tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>, expected = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @f() {
  %0 = "stablehlo.constant"() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5>>
  return
}
// -----
// tensor constant C1: a pair for three numbers
// error@3:47: tensor constant C1: the literal has 2 numbers for 3 elements
func.func private @f() attributes {k.v = dense<(1, 2)> : tensor<3xi32>}
