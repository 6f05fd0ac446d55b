// All spellings of quantized types, and what is declared and never computed with.
func.func private @signed(tensor<2x!quant.uniform<i2:f32, 0.5>>, tensor<2x!quant.uniform<i4:f16, 0.5:-8>>, tensor<2x!quant.uniform<i8:bf16, 0.1:127>>, tensor<2x!quant.uniform<i16:f32, 3.14159274:-32768>>, tensor<2x!quant.uniform<i32:f64, 1.0e-300>>, tensor<2x!quant.uniform<si8:f32, 0.5>>)

func.func private @unsigned(tensor<2x!quant.uniform<u2:f32, 0.5>>, tensor<2x!quant.uniform<u4:f32, 0.5:15>>, tensor<2x!quant.uniform<u8:f32, 0.5:255>>, tensor<2x!quant.uniform<u16:f32, 0.5:65535>>, tensor<2x!quant.uniform<u32:f64, 0.5:7>>)

func.func private @unsigned_by_type(tensor<2x!quant.uniform<ui2:f32, 0.5>>, tensor<2x!quant.uniform<ui4:f32, 0.5:15>>, tensor<2x!quant.uniform<ui8:f32, 0.5:255>>, tensor<2x!quant.uniform<ui16:f32, 0.5:65535>>, tensor<2x!quant.uniform<ui32:f64, 0.5:7>>)

// A range that is the whole type is not printed.
func.func private @ranges(tensor<2x!quant.uniform<i8<-128:127>:f32, 0.5>>, tensor<2x!quant.uniform<i8<-127:127>:f32, 0.5>>, tensor<2x!quant.uniform<u8<0:255>:f32, 0.5>>, tensor<2x!quant.uniform<u8<1:255>:f32, 0.5:1>>, tensor<2x!quant.uniform<ui8<0:254>:f32, 0.5>>)

func.func private @narrow_floats(tensor<2x!quant.uniform<i8:f8E4M3FN, 0.5>>, tensor<2x!quant.uniform<i8:f8E5M2, 0.5>>, tensor<2x!quant.uniform<f8E5M2:f32, 0.5>>, tensor<2x!quant.uniform<f8E4M3FN:f32, 0.5>>)

func.func private @granularities(tensor<2x3x!quant.uniform<i8:f32:1, {0.5:1, 0.25, 2.0:-3}>>, tensor<?x?x!quant.uniform<i8:f32:0, {0.5, 0.5}>>, tensor<2x4x!quant.uniform<u8:f32:{1:2}, {{0.5:1, 0.25}}>>, tensor<2x4x!quant.uniform<i4:f32:{0:1, 1:2}, {{0.5, 0.25}, {1.0:3, 2.0}}>>)

func.func private @any(tensor<2x!quant.any<i8:f32>>, tensor<2x!quant.any<u8>>, tensor<2x!quant.any<ui4<1:15>:f16>>, !quant.any<i8<-16:15>>)

func.func private @calibrated(tensor<2x!quant.calibrated<f32<-0.998:1.2321>>>, !quant.calibrated<f16<-1.0:2.5>>)

// Both spellings of unsigned storage hold the same values: 100 / 0.5 + 3 = 203.
func.func @unsigned_storage() {
  %0 = stablehlo.constant dense<100.0> : tensor<f32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<f32>) -> tensor<!quant.uniform<u8:f32, 0.5:3>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<!quant.uniform<u8:f32, 0.5:3>>) -> tensor<ui8>
  check.expect_eq_const %2, dense<203> : tensor<ui8>
  %3 = stablehlo.uniform_quantize %0 : (tensor<f32>) -> tensor<!quant.uniform<ui8:f32, 0.5:3>>
  %4 = stablehlo.bitcast_convert %3 : (tensor<!quant.uniform<ui8:f32, 0.5:3>>) -> tensor<ui8>
  check.expect_eq_const %4, dense<203> : tensor<ui8>
  return
}
