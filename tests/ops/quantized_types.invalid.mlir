// quantized element type: a storage type wider than the specification knows
// error@3:35: quantized element type storage_type: storage_type = i33
func.func private @f(%a: tensor<2x!quant.uniform<i33:f32, 0.5>>)
// -----
// quantized element type: a storage type that is a float
// error@3:35: quantized element type storage_type: storage_type = f32
func.func private @f(%a: tensor<2x!quant.uniform<f32:f32, 0.5>>)
// -----
// quantized element type C1: storage_min is an integer
// error@3:54: expected an integer, found '1.0'
func.func private @f(%a: tensor<2x!quant.uniform<i8<-1.0:127>:f32, 0.5>>)
// -----
// quantized element type C2: storage_max is an integer
// error@3:58: expected an integer, found '127.0'
func.func private @f(%a: tensor<2x!quant.uniform<i8<-128:127.0>:f32, 0.5>>)
// -----
// quantized element type C3: storage_min is too small
// error@3:53: quantized element type C3: storage_min = -129, storage_max = 127
func.func private @f(%a: tensor<2x!quant.uniform<i8<-129:127>:f32, 0.5>>)
// -----
// quantized element type C3: storage_max is too large
// error@3:55: quantized element type C3: storage_min = 0, storage_max = 16
func.func private @f(%a: tensor<2x!quant.uniform<u4<0:16>:f32, 0.5>>)
// -----
// quantized element type C3: one value only
// error@3:35: quantized element type C3: storage_min = 5, storage_max = 5
func.func private @f(%a: tensor<2x!quant.uniform<i8<5:5>:f32, 0.5:5>>)
// -----
// quantized element type C4: larger than the largest f16
// error@3:65: quantized element type C4: scales = [70000.0], expressed_type = f16
func.func private @f(%a: tensor<2x!quant.uniform<i8:f16, 70000.0>>)
// -----
// quantized element type C4: smaller than the smallest f32
// error@3:65: quantized element type C4: scales = [1e-46], expressed_type = f32
func.func private @f(%a: tensor<2x!quant.uniform<i8:f32, 1.0e-46>>)
// -----
// quantized element type C5: zero
// error@3:61: quantized element type C5: scales = [0.0]
func.func private @f(%a: tensor<2x!quant.uniform<i8:f32, 0.0>>)
// -----
// quantized element type C5: one of several is negative
// error@3:70: quantized element type C5: scales = [-0.5]
func.func private @f(%a: tensor<2x!quant.uniform<i8:f32:0, {0.5, -0.5}>>)
// -----
// quantized element type C6: infinite
// error@3:76: quantized element type C6: scales = [inf]
func.func private @f(%a: tensor<2x!quant.uniform<i8:f64, 0x7FF0000000000000>>)
// -----
// quantized element type C7: beyond the storage type
// error@3:21: quantized element type C7: zero_points = [128], storage_min = -128, storage_max = 127
func.func private @f(%a: tensor<2x!quant.uniform<i8:f32, 0.5:128>>)
// -----
// quantized element type C7: beyond the storage range
// error@3:21: quantized element type C7: zero_points = [-11], storage_min = -10, storage_max = 10
func.func private @f(%a: tensor<2x!quant.uniform<i8<-10:10>:f32, 0.5:-11>>)
// -----
// quantized element type C8: a zero point is an integer
// error@3:62: expected a zero point, found '1.0'
func.func private @f(%a: tensor<2x!quant.uniform<i8:f32, 0.5:1.0>>)
// -----
// quantized element type C9: every zero point stands with its scale
// error@3:66: expected a scale such as 1.0, found ':'
func.func private @f(%a: tensor<2x!quant.uniform<i8:f32:0, {0.5, :1}>>)
// -----
// quantized element type C10: several scales for a whole tensor
// error@3:35: quantized element type C10: braces belong to scales along a dimension
func.func private @f(%a: tensor<2x!quant.uniform<i8:f32, {0.5, 0.25}>>)
// -----
// quantized element type C10: a dimension, but one scale for a whole tensor
// error@3:35: quantized element type C10: braces belong to scales along a dimension
func.func private @f(%a: tensor<2x!quant.uniform<i8:f32:0, 0.5>>)
// -----
// quantized element type C11
// error@3:35: quantized element type C11: quantization_dimension = -1
func.func private @f(%a: tensor<2x!quant.uniform<i8:f32:-1, {0.5, 0.25}>>)
// -----
// quantized tensor type C12
// error@3:21: quantized tensor type C12: quantization_dimension = 1, rank = 1
func.func private @f(%a: tensor<2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>)
// -----
// quantized tensor type C12: of a scalar
// error@3:21: quantized tensor type C12: quantization_dimension = 0, rank = 0
func.func private @f(%a: tensor<!quant.uniform<i8:f32:0, {0.5}>>)
// -----
// quantized tensor type C13
// error@3:21: quantized tensor type C13: dim = 3, scales = 2
func.func private @f(%a: tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>)
// -----
// quantized tensor type C13: inside a tuple, on a line of its own
// error@3:21: quantized tensor type C13: dim = 4, scales = 2
func.func private @f(
  %a: tensor<2xf32>,
  %b: tuple<tensor<2xf32>, tensor<4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>>
)
// -----
// quantized element type blocks: size 0
// error@3:35: quantized element type blocks: blocks = [[0, 0]]
func.func private @f(%a: tensor<4x!quant.uniform<i8:f32:{0:0}, {0.5, 0.25}>>)
// -----
// quantized element type block dimensions: a dimension twice
// error@3:21: quantized element type block dimensions: blocks = [[0, 2], [0, 2]]
func.func private @f(%a: tensor<4x4x!quant.uniform<i8:f32:{0:2, 0:2}, {{0.5, 0.25}, {0.5, 0.25}}>>)
// -----
// quantized tensor type blocks: two blocks of three in four
// error@3:21: quantized tensor type blocks: shape = [4], blocks = [[0, 3]], scales = [2]
func.func private @f(%a: tensor<4x!quant.uniform<i8:f32:{0:3}, {0.5, 0.25}>>)
// -----
// quantized tensor type blocks: rank of the scales
// error@3:21: quantized tensor type blocks: shape = [4, 4], blocks = [[0, 2]], scales = [2]
func.func private @f(%a: tensor<4x4x!quant.uniform<i8:f32:{0:2}, {0.5, 0.25}>>)
// -----
// any quantized type: C3
// error@3:49: quantized element type C3: storage_min = -129, storage_max = 1
func.func private @f(%a: tensor<2x!quant.any<i8<-129:1>:f32>>)
// -----
// any quantized type: storage that is a float
// error@3:35: quantized element type storage_type: storage_type = f32
func.func private @f(%a: tensor<2x!quant.any<f32:f32>>)
// -----
// any quantized type: no operation takes it
// error@4:22: stablehlo.abs I1: operand = tensor<2x!quant.any<i8:f32>>
func.func @f(%a: tensor<2x!quant.any<i8:f32>>) {
  %0 = stablehlo.abs %a : tensor<2x!quant.any<i8:f32>>
  return
}
// -----
// calibrated type: the minimum is not smaller
// error@3:35: calibrated type: minimum = 1.0, maximum = 1.0
func.func private @f(%a: tensor<2x!quant.calibrated<f32<1.0:1.0>>>)
// -----
// calibrated type: of integers
// error@3:53: expected a floating-point type
func.func private @f(%a: tensor<2x!quant.calibrated<i8<0.0:1.0>>>)
// -----
// calibrated type: no operation takes it
// error@4:22: stablehlo.add I1: lhs = tensor<2x!quant.calibrated<f32<-1.000000e+00:1.000000e+00>>>
func.func @f(%a: tensor<2x!quant.calibrated<f32<-1.0:1.0>>>) {
  %0 = stablehlo.add %a, %a : tensor<2x!quant.calibrated<f32<-1.0:1.0>>>
  return
}
// -----
// vector type: of quantized elements
// error@3:26: vector type: element_type = !quant.uniform<i8:f32, 5.000000e-01>
func.func private @f(%a: vector<2x!quant.uniform<i8:f32, 0.5>>)
