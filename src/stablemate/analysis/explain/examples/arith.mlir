// ----- arith.addf
func.func @main() -> tensor<4xf16> {
  %cst = arith.constant 1.000000e+00 : f16
  %cst_0 = arith.constant 4.882810e-04 : f16
  %cst_1 = arith.constant 3.000000e+00 : f16
  %0 = arith.addf %cst, %cst_0 : f16
  %1 = arith.divf %cst, %cst_1 fastmath<nnan,arcp> : f16
  %2 = arith.subf %cst, %cst_1 fastmath<fast> : f16
  %3 = arith.mulf %cst_1, %cst_1 : f16
  %from_elements = tensor.from_elements %0, %1, %2, %3 : tensor<4xf16>
  return %from_elements : tensor<4xf16>
}

// ----- arith.addi
func.func @main() -> tensor<3xi8> {
  %c127_i8 = arith.constant 127 : i8
  %c1_i8 = arith.constant 1 : i8
  %c-128_i8 = arith.constant -128 : i8
  %c100_i8 = arith.constant 100 : i8
  %c3_i8 = arith.constant 3 : i8
  %0 = arith.addi %c127_i8, %c1_i8 : i8
  %1 = arith.subi %c-128_i8, %c1_i8 overflow<nsw> : i8
  %2 = arith.muli %c100_i8, %c3_i8 overflow<nsw, nuw> : i8
  %from_elements = tensor.from_elements %0, %1, %2 : tensor<3xi8>
  return %from_elements : tensor<3xi8>
}

// ----- arith.addui_extended
func.func @main() -> (tensor<2xi8>, tensor<2xi1>) {
  %c-1_i8 = arith.constant -1 : i8
  %c1_i8 = arith.constant 1 : i8
  %c0_i8 = arith.constant 0 : i8
  %sum, %overflow = arith.addui_extended %c-1_i8, %c1_i8 : i8, i1
  %diff, %borrow = arith.subui_extended %c0_i8, %c1_i8 : i8, i1
  %from_elements = tensor.from_elements %sum, %diff : tensor<2xi8>
  %from_elements_0 = tensor.from_elements %overflow, %borrow : tensor<2xi1>
  return %from_elements, %from_elements_0 : tensor<2xi8>, tensor<2xi1>
}

// ----- arith.andi
func.func @main() -> tensor<3xi16> {
  %c12_i16 = arith.constant 12 : i16
  %c10_i16 = arith.constant 10 : i16
  %0 = arith.andi %c12_i16, %c10_i16 : i16
  %1 = arith.ori %c12_i16, %c10_i16 : i16
  %2 = arith.xori %c12_i16, %c10_i16 : i16
  %from_elements = tensor.from_elements %0, %1, %2 : tensor<3xi16>
  return %from_elements : tensor<3xi16>
}

// ----- arith.bitcast
func.func @main() -> tensor<4xi32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant -0.000000e+00 : f32
  %cst_1 = arith.constant -1.401300e-45 : f32
  %0 = arith.maximumf %cst_0, %cst : f32
  %1 = arith.minimumf %cst, %cst_0 : f32
  %2 = arith.negf %cst : f32
  %3 = arith.flush_denormals %cst_1 : f32
  %from_elements = tensor.from_elements %0, %1, %2, %3 : tensor<4xf32>
  %4 = arith.bitcast %from_elements : tensor<4xf32> to tensor<4xi32>
  return %4 : tensor<4xi32>
}

// ----- arith.ceildivsi
func.func @main() -> tensor<5xi32> {
  %c-7_i32 = arith.constant -7 : i32
  %c2_i32 = arith.constant 2 : i32
  %0 = arith.divsi %c-7_i32, %c2_i32 : i32
  %1 = arith.floordivsi %c-7_i32, %c2_i32 : i32
  %2 = arith.ceildivsi %c-7_i32, %c2_i32 : i32
  %3 = arith.remsi %c-7_i32, %c2_i32 : i32
  %4 = arith.divsi %c2_i32, %c2_i32 exact : i32
  %from_elements = tensor.from_elements %0, %1, %2, %3, %4 : tensor<5xi32>
  return %from_elements : tensor<5xi32>
}

// ----- arith.ceildivui
func.func @main() -> tensor<3xi8> {
  %c-7_i8 = arith.constant -7 : i8
  %c2_i8 = arith.constant 2 : i8
  %0 = arith.divui %c-7_i8, %c2_i8 : i8
  %1 = arith.ceildivui %c-7_i8, %c2_i8 : i8
  %2 = arith.remui %c-7_i8, %c2_i8 : i8
  %from_elements = tensor.from_elements %0, %1, %2 : tensor<3xi8>
  return %from_elements : tensor<3xi8>
}

// ----- arith.cmpf
func.func @main() -> (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) {
  %cst = arith.constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  %cst_0 = arith.constant dense<2.000000e+00> : tensor<2xf32>
  %0 = arith.cmpf olt, %cst, %cst_0 : tensor<2xf32>
  %1 = arith.cmpf ult, %cst, %cst_0 fastmath<nnan> : tensor<2xf32>
  %2 = arith.cmpf one, %cst, %cst_0 : tensor<2xf32>
  %3 = arith.cmpf une, %cst, %cst_0 : tensor<2xf32>
  %4 = arith.cmpf ord, %cst, %cst_0 : tensor<2xf32>
  %5 = arith.cmpf uno, %cst, %cst_0 : tensor<2xf32>
  %6 = arith.cmpf false, %cst, %cst_0 : tensor<2xf32>
  %7 = arith.cmpf true, %cst, %cst_0 : tensor<2xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>
}

// ----- arith.cmpi
func.func @main() -> tensor<5xi1> {
  %c-1_i8 = arith.constant -1 : i8
  %c1_i8 = arith.constant 1 : i8
  %0 = arith.cmpi slt, %c-1_i8, %c1_i8 : i8
  %1 = arith.cmpi ult, %c-1_i8, %c1_i8 : i8
  %2 = arith.cmpi uge, %c-1_i8, %c1_i8 : i8
  %3 = arith.cmpi eq, %c-1_i8, %c1_i8 : i8
  %4 = arith.cmpi ne, %c-1_i8, %c1_i8 : i8
  %from_elements = tensor.from_elements %0, %1, %2, %3, %4 : tensor<5xi1>
  return %from_elements : tensor<5xi1>
}

// ----- arith.constant
func.func @main() -> (tensor<2xi32>, tensor<i8>) {
  %c-1_i8 = arith.constant -1 : i8
  %c300_i32 = arith.constant 300 : i32
  %0 = arith.extsi %c-1_i8 : i8 to i32
  %1 = arith.extui %c-1_i8 : i8 to i32
  %2 = arith.trunci %c300_i32 overflow<nuw> : i32 to i8
  %from_elements = tensor.from_elements %0, %1 : tensor<2xi32>
  %from_elements_0 = tensor.from_elements %2 : tensor<i8>
  return %from_elements, %from_elements_0 : tensor<2xi32>, tensor<i8>
}

// ----- arith.convertf
func.func @main() -> (tensor<3xf16>, tensor<f32>) {
  %cst = arith.constant 2.049000e+03 : f32
  %cst_0 = arith.constant 1.500000e+00 : bf16
  %0 = arith.truncf %cst : f32 to f16
  %1 = arith.extf %cst_0 fastmath<contract> : bf16 to f32
  %2 = arith.convertf %cst_0 : bf16 to f16
  %3 = arith.truncf %cst to_nearest_even : f32 to f16
  %from_elements = tensor.from_elements %0, %2, %3 : tensor<3xf16>
  %from_elements_1 = tensor.from_elements %1 : tensor<f32>
  return %from_elements, %from_elements_1 : tensor<3xf16>, tensor<f32>
}

// ----- arith.divf
func.func @main() -> tensor<4xf16> {
  %cst = arith.constant 1.000000e+00 : f16
  %cst_0 = arith.constant 4.882810e-04 : f16
  %cst_1 = arith.constant 3.000000e+00 : f16
  %0 = arith.addf %cst, %cst_0 : f16
  %1 = arith.divf %cst, %cst_1 fastmath<nnan,arcp> : f16
  %2 = arith.subf %cst, %cst_1 fastmath<fast> : f16
  %3 = arith.mulf %cst_1, %cst_1 : f16
  %from_elements = tensor.from_elements %0, %1, %2, %3 : tensor<4xf16>
  return %from_elements : tensor<4xf16>
}

// ----- arith.divsi
func.func @main() -> tensor<5xi32> {
  %c-7_i32 = arith.constant -7 : i32
  %c2_i32 = arith.constant 2 : i32
  %0 = arith.divsi %c-7_i32, %c2_i32 : i32
  %1 = arith.floordivsi %c-7_i32, %c2_i32 : i32
  %2 = arith.ceildivsi %c-7_i32, %c2_i32 : i32
  %3 = arith.remsi %c-7_i32, %c2_i32 : i32
  %4 = arith.divsi %c2_i32, %c2_i32 exact : i32
  %from_elements = tensor.from_elements %0, %1, %2, %3, %4 : tensor<5xi32>
  return %from_elements : tensor<5xi32>
}

// ----- arith.divui
func.func @main() -> tensor<3xi8> {
  %c-7_i8 = arith.constant -7 : i8
  %c2_i8 = arith.constant 2 : i8
  %0 = arith.divui %c-7_i8, %c2_i8 : i8
  %1 = arith.ceildivui %c-7_i8, %c2_i8 : i8
  %2 = arith.remui %c-7_i8, %c2_i8 : i8
  %from_elements = tensor.from_elements %0, %1, %2 : tensor<3xi8>
  return %from_elements : tensor<3xi8>
}

// ----- arith.extf
func.func @main() -> (tensor<3xf16>, tensor<f32>) {
  %cst = arith.constant 2.049000e+03 : f32
  %cst_0 = arith.constant 1.500000e+00 : bf16
  %0 = arith.truncf %cst : f32 to f16
  %1 = arith.extf %cst_0 fastmath<contract> : bf16 to f32
  %2 = arith.convertf %cst_0 : bf16 to f16
  %3 = arith.truncf %cst to_nearest_even : f32 to f16
  %from_elements = tensor.from_elements %0, %2, %3 : tensor<3xf16>
  %from_elements_1 = tensor.from_elements %1 : tensor<f32>
  return %from_elements, %from_elements_1 : tensor<3xf16>, tensor<f32>
}

// ----- arith.extsi
func.func @main() -> (tensor<2xi32>, tensor<i8>) {
  %c-1_i8 = arith.constant -1 : i8
  %c300_i32 = arith.constant 300 : i32
  %0 = arith.extsi %c-1_i8 : i8 to i32
  %1 = arith.extui %c-1_i8 : i8 to i32
  %2 = arith.trunci %c300_i32 overflow<nuw> : i32 to i8
  %from_elements = tensor.from_elements %0, %1 : tensor<2xi32>
  %from_elements_0 = tensor.from_elements %2 : tensor<i8>
  return %from_elements, %from_elements_0 : tensor<2xi32>, tensor<i8>
}

// ----- arith.extui
func.func @main() -> (tensor<2xi32>, tensor<i8>) {
  %c-1_i8 = arith.constant -1 : i8
  %c300_i32 = arith.constant 300 : i32
  %0 = arith.extsi %c-1_i8 : i8 to i32
  %1 = arith.extui %c-1_i8 : i8 to i32
  %2 = arith.trunci %c300_i32 overflow<nuw> : i32 to i8
  %from_elements = tensor.from_elements %0, %1 : tensor<2xi32>
  %from_elements_0 = tensor.from_elements %2 : tensor<i8>
  return %from_elements, %from_elements_0 : tensor<2xi32>, tensor<i8>
}

// ----- arith.floordivsi
func.func @main() -> tensor<5xi32> {
  %c-7_i32 = arith.constant -7 : i32
  %c2_i32 = arith.constant 2 : i32
  %0 = arith.divsi %c-7_i32, %c2_i32 : i32
  %1 = arith.floordivsi %c-7_i32, %c2_i32 : i32
  %2 = arith.ceildivsi %c-7_i32, %c2_i32 : i32
  %3 = arith.remsi %c-7_i32, %c2_i32 : i32
  %4 = arith.divsi %c2_i32, %c2_i32 exact : i32
  %from_elements = tensor.from_elements %0, %1, %2, %3, %4 : tensor<5xi32>
  return %from_elements : tensor<5xi32>
}

// ----- arith.flush_denormals
func.func @main() -> tensor<4xi32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant -0.000000e+00 : f32
  %cst_1 = arith.constant -1.401300e-45 : f32
  %0 = arith.maximumf %cst_0, %cst : f32
  %1 = arith.minimumf %cst, %cst_0 : f32
  %2 = arith.negf %cst : f32
  %3 = arith.flush_denormals %cst_1 : f32
  %from_elements = tensor.from_elements %0, %1, %2, %3 : tensor<4xf32>
  %4 = arith.bitcast %from_elements : tensor<4xf32> to tensor<4xi32>
  return %4 : tensor<4xi32>
}

// ----- arith.fptosi
func.func @main() -> (tensor<2xf32>, tensor<2xi8>) {
  %c16777217_i32 = arith.constant 16777217 : i32
  %c-1_i8 = arith.constant -1 : i8
  %cst = arith.constant -2.700000e+00 : f32
  %cst_0 = arith.constant 2.007000e+02 : f32
  %0 = arith.sitofp %c16777217_i32 : i32 to f32
  %1 = arith.uitofp %c-1_i8 nneg : i8 to f32
  %2 = arith.fptosi %cst : f32 to i8
  %3 = arith.fptoui %cst_0 : f32 to i8
  %from_elements = tensor.from_elements %0, %1 : tensor<2xf32>
  %from_elements_1 = tensor.from_elements %2, %3 : tensor<2xi8>
  return %from_elements, %from_elements_1 : tensor<2xf32>, tensor<2xi8>
}

// ----- arith.fptoui
func.func @main() -> (tensor<2xf32>, tensor<2xi8>) {
  %c16777217_i32 = arith.constant 16777217 : i32
  %c-1_i8 = arith.constant -1 : i8
  %cst = arith.constant -2.700000e+00 : f32
  %cst_0 = arith.constant 2.007000e+02 : f32
  %0 = arith.sitofp %c16777217_i32 : i32 to f32
  %1 = arith.uitofp %c-1_i8 nneg : i8 to f32
  %2 = arith.fptosi %cst : f32 to i8
  %3 = arith.fptoui %cst_0 : f32 to i8
  %from_elements = tensor.from_elements %0, %1 : tensor<2xf32>
  %from_elements_1 = tensor.from_elements %2, %3 : tensor<2xi8>
  return %from_elements, %from_elements_1 : tensor<2xf32>, tensor<2xi8>
}

// ----- arith.index_cast
func.func @main() -> tensor<6xi64> {
  %c = stablehlo.constant dense<0> : tensor<4x5xi8>
  %0 = shape.const_shape [2, 3, 4] : tensor<3xindex>
  %1 = shape.const_shape [2, 3] : !shape.shape
  %c1 = arith.constant 1 : index
  %c0 = shape.const_size 0
  %2 = shape.num_elements %0 : tensor<3xindex> -> index
  %3 = shape.num_elements %1 : !shape.shape -> !shape.size
  %4 = shape.size_to_index %3 : !shape.size
  %5 = shape.get_extent %0, %c1 : tensor<3xindex>, index -> index
  %6 = shape.get_extent %1, %c0 : !shape.shape, !shape.size -> !shape.size
  %7 = shape.size_to_index %6 : !shape.size
  %8 = shape.dim %c, %c1 : tensor<4x5xi8>, index -> index
  %9 = shape.rank %0 : tensor<3xindex> -> index
  %from_elements = tensor.from_elements %2, %4, %5, %7, %8, %9 : tensor<6xindex>
  %10 = arith.index_cast %from_elements : tensor<6xindex> to tensor<6xi64>
  return %10 : tensor<6xi64>
}

// ----- arith.index_castui
func.func @main() -> tensor<2xi64> {
  %c-1_i32 = arith.constant -1 : i32
  %0 = arith.index_cast %c-1_i32 : i32 to index
  %1 = arith.index_castui %c-1_i32 : i32 to index
  %2 = arith.index_cast %0 : index to i64
  %3 = arith.index_castui %1 : index to i64
  %from_elements = tensor.from_elements %2, %3 : tensor<2xi64>
  return %from_elements : tensor<2xi64>
}

// ----- arith.maximumf
func.func @main() -> tensor<4xi32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant -0.000000e+00 : f32
  %cst_1 = arith.constant -1.401300e-45 : f32
  %0 = arith.maximumf %cst_0, %cst : f32
  %1 = arith.minimumf %cst, %cst_0 : f32
  %2 = arith.negf %cst : f32
  %3 = arith.flush_denormals %cst_1 : f32
  %from_elements = tensor.from_elements %0, %1, %2, %3 : tensor<4xf32>
  %4 = arith.bitcast %from_elements : tensor<4xf32> to tensor<4xi32>
  return %4 : tensor<4xi32>
}

// ----- arith.maxnumf
func.func @main() -> (tensor<2xi32>, tensor<2xf32>) {
  %cst = arith.constant 1.000000e+00 : f32
  %cst_0 = arith.constant 0x7FC00000 : f32
  %0 = arith.maximumf %cst, %cst_0 : f32
  %1 = arith.minimumf %cst, %cst_0 : f32
  %2 = arith.maxnumf %cst_0, %cst : f32
  %3 = arith.minnumf %cst, %cst_0 : f32
  %4 = arith.bitcast %0 : f32 to i32
  %5 = arith.bitcast %1 : f32 to i32
  %from_elements = tensor.from_elements %4, %5 : tensor<2xi32>
  %from_elements_1 = tensor.from_elements %2, %3 : tensor<2xf32>
  return %from_elements, %from_elements_1 : tensor<2xi32>, tensor<2xf32>
}

// ----- arith.maxsi
func.func @main() -> tensor<4xi64> {
  %c-1_i64 = arith.constant -1 : i64
  %c5_i64 = arith.constant 5 : i64
  %0 = arith.maxsi %c-1_i64, %c5_i64 : i64
  %1 = arith.maxui %c-1_i64, %c5_i64 : i64
  %2 = arith.minsi %c-1_i64, %c5_i64 : i64
  %3 = arith.minui %c-1_i64, %c5_i64 : i64
  %from_elements = tensor.from_elements %0, %1, %2, %3 : tensor<4xi64>
  return %from_elements : tensor<4xi64>
}

// ----- arith.maxui
func.func @main() -> tensor<4xi64> {
  %c-1_i64 = arith.constant -1 : i64
  %c5_i64 = arith.constant 5 : i64
  %0 = arith.maxsi %c-1_i64, %c5_i64 : i64
  %1 = arith.maxui %c-1_i64, %c5_i64 : i64
  %2 = arith.minsi %c-1_i64, %c5_i64 : i64
  %3 = arith.minui %c-1_i64, %c5_i64 : i64
  %from_elements = tensor.from_elements %0, %1, %2, %3 : tensor<4xi64>
  return %from_elements : tensor<4xi64>
}

// ----- arith.minimumf
func.func @main() -> tensor<4xi32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant -0.000000e+00 : f32
  %cst_1 = arith.constant -1.401300e-45 : f32
  %0 = arith.maximumf %cst_0, %cst : f32
  %1 = arith.minimumf %cst, %cst_0 : f32
  %2 = arith.negf %cst : f32
  %3 = arith.flush_denormals %cst_1 : f32
  %from_elements = tensor.from_elements %0, %1, %2, %3 : tensor<4xf32>
  %4 = arith.bitcast %from_elements : tensor<4xf32> to tensor<4xi32>
  return %4 : tensor<4xi32>
}

// ----- arith.minnumf
func.func @main() -> (tensor<2xi32>, tensor<2xf32>) {
  %cst = arith.constant 1.000000e+00 : f32
  %cst_0 = arith.constant 0x7FC00000 : f32
  %0 = arith.maximumf %cst, %cst_0 : f32
  %1 = arith.minimumf %cst, %cst_0 : f32
  %2 = arith.maxnumf %cst_0, %cst : f32
  %3 = arith.minnumf %cst, %cst_0 : f32
  %4 = arith.bitcast %0 : f32 to i32
  %5 = arith.bitcast %1 : f32 to i32
  %from_elements = tensor.from_elements %4, %5 : tensor<2xi32>
  %from_elements_1 = tensor.from_elements %2, %3 : tensor<2xf32>
  return %from_elements, %from_elements_1 : tensor<2xi32>, tensor<2xf32>
}

// ----- arith.minsi
func.func @main() -> tensor<4xi64> {
  %c-1_i64 = arith.constant -1 : i64
  %c5_i64 = arith.constant 5 : i64
  %0 = arith.maxsi %c-1_i64, %c5_i64 : i64
  %1 = arith.maxui %c-1_i64, %c5_i64 : i64
  %2 = arith.minsi %c-1_i64, %c5_i64 : i64
  %3 = arith.minui %c-1_i64, %c5_i64 : i64
  %from_elements = tensor.from_elements %0, %1, %2, %3 : tensor<4xi64>
  return %from_elements : tensor<4xi64>
}

// ----- arith.minui
func.func @main() -> tensor<4xi64> {
  %c-1_i64 = arith.constant -1 : i64
  %c5_i64 = arith.constant 5 : i64
  %0 = arith.maxsi %c-1_i64, %c5_i64 : i64
  %1 = arith.maxui %c-1_i64, %c5_i64 : i64
  %2 = arith.minsi %c-1_i64, %c5_i64 : i64
  %3 = arith.minui %c-1_i64, %c5_i64 : i64
  %from_elements = tensor.from_elements %0, %1, %2, %3 : tensor<4xi64>
  return %from_elements : tensor<4xi64>
}

// ----- arith.mulf
func.func @main() -> tensor<4xf16> {
  %cst = arith.constant 1.000000e+00 : f16
  %cst_0 = arith.constant 4.882810e-04 : f16
  %cst_1 = arith.constant 3.000000e+00 : f16
  %0 = arith.addf %cst, %cst_0 : f16
  %1 = arith.divf %cst, %cst_1 fastmath<nnan,arcp> : f16
  %2 = arith.subf %cst, %cst_1 fastmath<fast> : f16
  %3 = arith.mulf %cst_1, %cst_1 : f16
  %from_elements = tensor.from_elements %0, %1, %2, %3 : tensor<4xf16>
  return %from_elements : tensor<4xf16>
}

// ----- arith.muli
func.func @main() -> tensor<3xi8> {
  %c127_i8 = arith.constant 127 : i8
  %c1_i8 = arith.constant 1 : i8
  %c-128_i8 = arith.constant -128 : i8
  %c100_i8 = arith.constant 100 : i8
  %c3_i8 = arith.constant 3 : i8
  %0 = arith.addi %c127_i8, %c1_i8 : i8
  %1 = arith.subi %c-128_i8, %c1_i8 overflow<nsw> : i8
  %2 = arith.muli %c100_i8, %c3_i8 overflow<nsw, nuw> : i8
  %from_elements = tensor.from_elements %0, %1, %2 : tensor<3xi8>
  return %from_elements : tensor<3xi8>
}

// ----- arith.mulsi_extended
func.func @main() -> tensor<4xi8> {
  %c-2_i8 = arith.constant -2 : i8
  %c3_i8 = arith.constant 3 : i8
  %low, %high = arith.mulsi_extended %c-2_i8, %c3_i8 : i8
  %low_0, %high_1 = arith.mului_extended %c-2_i8, %c3_i8 : i8
  %from_elements = tensor.from_elements %low, %high, %low_0, %high_1 : tensor<4xi8>
  return %from_elements : tensor<4xi8>
}

// ----- arith.mului_extended
func.func @main() -> tensor<4xi8> {
  %c-2_i8 = arith.constant -2 : i8
  %c3_i8 = arith.constant 3 : i8
  %low, %high = arith.mulsi_extended %c-2_i8, %c3_i8 : i8
  %low_0, %high_1 = arith.mului_extended %c-2_i8, %c3_i8 : i8
  %from_elements = tensor.from_elements %low, %high, %low_0, %high_1 : tensor<4xi8>
  return %from_elements : tensor<4xi8>
}

// ----- arith.negf
func.func @main() -> tensor<4xi32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant -0.000000e+00 : f32
  %cst_1 = arith.constant -1.401300e-45 : f32
  %0 = arith.maximumf %cst_0, %cst : f32
  %1 = arith.minimumf %cst, %cst_0 : f32
  %2 = arith.negf %cst : f32
  %3 = arith.flush_denormals %cst_1 : f32
  %from_elements = tensor.from_elements %0, %1, %2, %3 : tensor<4xf32>
  %4 = arith.bitcast %from_elements : tensor<4xf32> to tensor<4xi32>
  return %4 : tensor<4xi32>
}

// ----- arith.ori
func.func @main() -> tensor<3xi16> {
  %c12_i16 = arith.constant 12 : i16
  %c10_i16 = arith.constant 10 : i16
  %0 = arith.andi %c12_i16, %c10_i16 : i16
  %1 = arith.ori %c12_i16, %c10_i16 : i16
  %2 = arith.xori %c12_i16, %c10_i16 : i16
  %from_elements = tensor.from_elements %0, %1, %2 : tensor<3xi16>
  return %from_elements : tensor<3xi16>
}

// ----- arith.remf
func.func @main() -> tensor<f32> {
  %cst = arith.constant -5.500000e+00 : f32
  %cst_0 = arith.constant 2.000000e+00 : f32
  %0 = arith.remf %cst, %cst_0 : f32
  %from_elements = tensor.from_elements %0 : tensor<f32>
  return %from_elements : tensor<f32>
}

// ----- arith.remsi
func.func @main() -> tensor<5xi32> {
  %c-7_i32 = arith.constant -7 : i32
  %c2_i32 = arith.constant 2 : i32
  %0 = arith.divsi %c-7_i32, %c2_i32 : i32
  %1 = arith.floordivsi %c-7_i32, %c2_i32 : i32
  %2 = arith.ceildivsi %c-7_i32, %c2_i32 : i32
  %3 = arith.remsi %c-7_i32, %c2_i32 : i32
  %4 = arith.divsi %c2_i32, %c2_i32 exact : i32
  %from_elements = tensor.from_elements %0, %1, %2, %3, %4 : tensor<5xi32>
  return %from_elements : tensor<5xi32>
}

// ----- arith.remui
func.func @main() -> tensor<3xi8> {
  %c-7_i8 = arith.constant -7 : i8
  %c2_i8 = arith.constant 2 : i8
  %0 = arith.divui %c-7_i8, %c2_i8 : i8
  %1 = arith.ceildivui %c-7_i8, %c2_i8 : i8
  %2 = arith.remui %c-7_i8, %c2_i8 : i8
  %from_elements = tensor.from_elements %0, %1, %2 : tensor<3xi8>
  return %from_elements : tensor<3xi8>
}

// ----- arith.select
func.func @main() -> (tensor<2xi32>, tensor<2xi32>, tensor<i32>) {
  %false = arith.constant false
  %cst = arith.constant dense<[true, false]> : tensor<2xi1>
  %cst_0 = arith.constant dense<[1, 2]> : tensor<2xi32>
  %cst_1 = arith.constant dense<[3, 4]> : tensor<2xi32>
  %c5_i32 = arith.constant 5 : i32
  %c6_i32 = arith.constant 6 : i32
  %0 = arith.select %false, %cst_0, %cst_1 : tensor<2xi32>
  %1 = arith.select %cst, %cst_0, %cst_1 : tensor<2xi1>, tensor<2xi32>
  %2 = arith.select %false, %c5_i32, %c6_i32 : i32
  %from_elements = tensor.from_elements %2 : tensor<i32>
  return %0, %1, %from_elements : tensor<2xi32>, tensor<2xi32>, tensor<i32>
}

// ----- arith.shli
func.func @main() -> tensor<6xi8> {
  %c-16_i8 = arith.constant -16 : i8
  %c3_i8 = arith.constant 3 : i8
  %c8_i8 = arith.constant 8 : i8
  %0 = arith.shli %c-16_i8, %c3_i8 : i8
  %1 = arith.shrui %c-16_i8, %c3_i8 exact : i8
  %2 = arith.shrsi %c-16_i8, %c3_i8 : i8
  %3 = arith.shli %c-16_i8, %c8_i8 : i8
  %4 = arith.shrui %c-16_i8, %c8_i8 : i8
  %5 = arith.shrsi %c-16_i8, %c8_i8 : i8
  %from_elements = tensor.from_elements %0, %1, %2, %3, %4, %5 : tensor<6xi8>
  return %from_elements : tensor<6xi8>
}

// ----- arith.shrsi
func.func @main() -> tensor<6xi8> {
  %c-16_i8 = arith.constant -16 : i8
  %c3_i8 = arith.constant 3 : i8
  %c8_i8 = arith.constant 8 : i8
  %0 = arith.shli %c-16_i8, %c3_i8 : i8
  %1 = arith.shrui %c-16_i8, %c3_i8 exact : i8
  %2 = arith.shrsi %c-16_i8, %c3_i8 : i8
  %3 = arith.shli %c-16_i8, %c8_i8 : i8
  %4 = arith.shrui %c-16_i8, %c8_i8 : i8
  %5 = arith.shrsi %c-16_i8, %c8_i8 : i8
  %from_elements = tensor.from_elements %0, %1, %2, %3, %4, %5 : tensor<6xi8>
  return %from_elements : tensor<6xi8>
}

// ----- arith.shrui
func.func @main() -> tensor<6xi8> {
  %c-16_i8 = arith.constant -16 : i8
  %c3_i8 = arith.constant 3 : i8
  %c8_i8 = arith.constant 8 : i8
  %0 = arith.shli %c-16_i8, %c3_i8 : i8
  %1 = arith.shrui %c-16_i8, %c3_i8 exact : i8
  %2 = arith.shrsi %c-16_i8, %c3_i8 : i8
  %3 = arith.shli %c-16_i8, %c8_i8 : i8
  %4 = arith.shrui %c-16_i8, %c8_i8 : i8
  %5 = arith.shrsi %c-16_i8, %c8_i8 : i8
  %from_elements = tensor.from_elements %0, %1, %2, %3, %4, %5 : tensor<6xi8>
  return %from_elements : tensor<6xi8>
}

// ----- arith.sitofp
func.func @main() -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi1>, tensor<2xf32>) {
  %cst = arith.constant dense<[true, false]> : tensor<2xi1>
  %cst_0 = arith.constant dense<[2, 3]> : tensor<2xi8>
  %0 = arith.extsi %cst : tensor<2xi1> to tensor<2xi8>
  %1 = arith.extui %cst : tensor<2xi1> to tensor<2xi8>
  %2 = arith.trunci %cst_0 : tensor<2xi8> to tensor<2xi1>
  %3 = arith.sitofp %cst : tensor<2xi1> to tensor<2xf32>
  return %0, %1, %2, %3 : tensor<2xi8>, tensor<2xi8>, tensor<2xi1>, tensor<2xf32>
}

// ----- arith.subf
func.func @main() -> tensor<4xf16> {
  %cst = arith.constant 1.000000e+00 : f16
  %cst_0 = arith.constant 4.882810e-04 : f16
  %cst_1 = arith.constant 3.000000e+00 : f16
  %0 = arith.addf %cst, %cst_0 : f16
  %1 = arith.divf %cst, %cst_1 fastmath<nnan,arcp> : f16
  %2 = arith.subf %cst, %cst_1 fastmath<fast> : f16
  %3 = arith.mulf %cst_1, %cst_1 : f16
  %from_elements = tensor.from_elements %0, %1, %2, %3 : tensor<4xf16>
  return %from_elements : tensor<4xf16>
}

// ----- arith.subi
func.func @main() -> tensor<3xi8> {
  %c127_i8 = arith.constant 127 : i8
  %c1_i8 = arith.constant 1 : i8
  %c-128_i8 = arith.constant -128 : i8
  %c100_i8 = arith.constant 100 : i8
  %c3_i8 = arith.constant 3 : i8
  %0 = arith.addi %c127_i8, %c1_i8 : i8
  %1 = arith.subi %c-128_i8, %c1_i8 overflow<nsw> : i8
  %2 = arith.muli %c100_i8, %c3_i8 overflow<nsw, nuw> : i8
  %from_elements = tensor.from_elements %0, %1, %2 : tensor<3xi8>
  return %from_elements : tensor<3xi8>
}

// ----- arith.subui_extended
func.func @main() -> (tensor<2xi8>, tensor<2xi1>) {
  %c-1_i8 = arith.constant -1 : i8
  %c1_i8 = arith.constant 1 : i8
  %c0_i8 = arith.constant 0 : i8
  %sum, %overflow = arith.addui_extended %c-1_i8, %c1_i8 : i8, i1
  %diff, %borrow = arith.subui_extended %c0_i8, %c1_i8 : i8, i1
  %from_elements = tensor.from_elements %sum, %diff : tensor<2xi8>
  %from_elements_0 = tensor.from_elements %overflow, %borrow : tensor<2xi1>
  return %from_elements, %from_elements_0 : tensor<2xi8>, tensor<2xi1>
}

// ----- arith.truncf
func.func @main() -> (tensor<3xf16>, tensor<f32>) {
  %cst = arith.constant 2.049000e+03 : f32
  %cst_0 = arith.constant 1.500000e+00 : bf16
  %0 = arith.truncf %cst : f32 to f16
  %1 = arith.extf %cst_0 fastmath<contract> : bf16 to f32
  %2 = arith.convertf %cst_0 : bf16 to f16
  %3 = arith.truncf %cst to_nearest_even : f32 to f16
  %from_elements = tensor.from_elements %0, %2, %3 : tensor<3xf16>
  %from_elements_1 = tensor.from_elements %1 : tensor<f32>
  return %from_elements, %from_elements_1 : tensor<3xf16>, tensor<f32>
}

// ----- arith.trunci
func.func @main() -> (tensor<2xi32>, tensor<i8>) {
  %c-1_i8 = arith.constant -1 : i8
  %c300_i32 = arith.constant 300 : i32
  %0 = arith.extsi %c-1_i8 : i8 to i32
  %1 = arith.extui %c-1_i8 : i8 to i32
  %2 = arith.trunci %c300_i32 overflow<nuw> : i32 to i8
  %from_elements = tensor.from_elements %0, %1 : tensor<2xi32>
  %from_elements_0 = tensor.from_elements %2 : tensor<i8>
  return %from_elements, %from_elements_0 : tensor<2xi32>, tensor<i8>
}

// ----- arith.uitofp
func.func @main() -> (tensor<2xf32>, tensor<2xi8>) {
  %c16777217_i32 = arith.constant 16777217 : i32
  %c-1_i8 = arith.constant -1 : i8
  %cst = arith.constant -2.700000e+00 : f32
  %cst_0 = arith.constant 2.007000e+02 : f32
  %0 = arith.sitofp %c16777217_i32 : i32 to f32
  %1 = arith.uitofp %c-1_i8 nneg : i8 to f32
  %2 = arith.fptosi %cst : f32 to i8
  %3 = arith.fptoui %cst_0 : f32 to i8
  %from_elements = tensor.from_elements %0, %1 : tensor<2xf32>
  %from_elements_1 = tensor.from_elements %2, %3 : tensor<2xi8>
  return %from_elements, %from_elements_1 : tensor<2xf32>, tensor<2xi8>
}

// ----- arith.xori
func.func @main() -> tensor<3xi16> {
  %c12_i16 = arith.constant 12 : i16
  %c10_i16 = arith.constant 10 : i16
  %0 = arith.andi %c12_i16, %c10_i16 : i16
  %1 = arith.ori %c12_i16, %c10_i16 : i16
  %2 = arith.xori %c12_i16, %c10_i16 : i16
  %from_elements = tensor.from_elements %0, %1, %2 : tensor<3xi16>
  return %from_elements : tensor<3xi16>
}
