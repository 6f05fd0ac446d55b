// ----- shape.add
func.func @main() -> tensor<5xi64> {
  %c7 = shape.const_size 7
  %c-2 = arith.constant -2 : index
  %0 = shape.index_to_size %c-2
  %1 = shape.add %c7, %c-2 : !shape.size, index -> !shape.size
  %2 = shape.mul %c7, %0 : !shape.size, !shape.size -> !shape.size
  %3 = shape.div %c7, %0 : !shape.size, !shape.size -> !shape.size
  %4 = shape.max %c7, %0 : !shape.size, !shape.size -> !shape.size
  %5 = shape.min %c7, %0 : !shape.size, !shape.size -> !shape.size
  %6 = shape.size_to_index %1 : !shape.size
  %7 = shape.size_to_index %2 : !shape.size
  %8 = shape.size_to_index %3 : !shape.size
  %9 = shape.size_to_index %4 : !shape.size
  %10 = shape.size_to_index %5 : !shape.size
  %from_elements = tensor.from_elements %6, %7, %8, %9, %10 : tensor<5xindex>
  %11 = arith.index_cast %from_elements : tensor<5xindex> to tensor<5xi64>
  return %11 : tensor<5xi64>
}

// ----- shape.any
func.func @main() -> (tensor<4xi1>, tensor<1xi64>) {
  %0 = shape.const_shape [3] : !shape.shape
  %1 = shape.const_shape [2] : !shape.shape
  %2 = shape.broadcast %0, %1 : !shape.shape, !shape.shape -> !shape.shape
  %3 = shape.broadcast %1, %0 : !shape.shape, !shape.shape -> !shape.shape
  %4 = shape.concat %2, %0 : !shape.shape, !shape.shape -> !shape.shape
  %5 = shape.shape_eq %4, %3 : !shape.shape, !shape.shape
  %6 = shape.shape_eq %0, %2 : !shape.shape, !shape.shape
  %7 = shape.is_broadcastable %0, %1 : !shape.shape, !shape.shape
  %8 = shape.is_broadcastable %0, %0 : !shape.shape, !shape.shape
  %from_elements = tensor.from_elements %5, %6, %7, %8 : tensor<4xi1>
  %9 = shape.any %2, %0 : !shape.shape, !shape.shape -> !shape.shape
  %10 = shape.to_extent_tensor %9 : !shape.shape -> tensor<1xindex>
  %11 = arith.index_cast %10 : tensor<1xindex> to tensor<1xi64>
  return %from_elements, %11 : tensor<4xi1>, tensor<1xi64>
}

// ----- shape.assuming
func.func @main() -> tensor<2xi64> {
  %0 = shape.const_shape [3, 1] : tensor<2xindex>
  %1 = shape.const_shape [4] : tensor<1xindex>
  %2 = shape.const_shape [3, 1] : !shape.shape
  %true = arith.constant true
  %3 = shape.cstr_broadcastable %0, %1 : tensor<2xindex>, tensor<1xindex>
  %4 = shape.cstr_eq %0, %2 : tensor<2xindex>, !shape.shape
  %5 = shape.cstr_require %true, "never said"
  %6 = shape.const_witness true
  %7 = shape.assuming_all %3, %4, %5, %6
  %8:2 = shape.assuming %7 -> (i64, i64) {
    %c1_i64 = arith.constant 1 : i64
    %c2_i64 = arith.constant 2 : i64
    shape.assuming_yield %c1_i64, %c2_i64 : i64, i64
  }
  shape.assuming %7 {
  }
  %from_elements = tensor.from_elements %8#0, %8#1 : tensor<2xi64>
  return %from_elements : tensor<2xi64>
}

// ----- shape.assuming_all
func.func @main() -> tensor<2xi64> {
  %0 = shape.const_shape [3, 1] : tensor<2xindex>
  %1 = shape.const_shape [4] : tensor<1xindex>
  %2 = shape.const_shape [3, 1] : !shape.shape
  %true = arith.constant true
  %3 = shape.cstr_broadcastable %0, %1 : tensor<2xindex>, tensor<1xindex>
  %4 = shape.cstr_eq %0, %2 : tensor<2xindex>, !shape.shape
  %5 = shape.cstr_require %true, "never said"
  %6 = shape.const_witness true
  %7 = shape.assuming_all %3, %4, %5, %6
  %8:2 = shape.assuming %7 -> (i64, i64) {
    %c1_i64 = arith.constant 1 : i64
    %c2_i64 = arith.constant 2 : i64
    shape.assuming_yield %c1_i64, %c2_i64 : i64, i64
  }
  shape.assuming %7 {
  }
  %from_elements = tensor.from_elements %8#0, %8#1 : tensor<2xi64>
  return %from_elements : tensor<2xi64>
}

// ----- shape.assuming_yield
func.func @main() -> tensor<2xi64> {
  %0 = shape.const_shape [3, 1] : tensor<2xindex>
  %1 = shape.const_shape [4] : tensor<1xindex>
  %2 = shape.const_shape [3, 1] : !shape.shape
  %true = arith.constant true
  %3 = shape.cstr_broadcastable %0, %1 : tensor<2xindex>, tensor<1xindex>
  %4 = shape.cstr_eq %0, %2 : tensor<2xindex>, !shape.shape
  %5 = shape.cstr_require %true, "never said"
  %6 = shape.const_witness true
  %7 = shape.assuming_all %3, %4, %5, %6
  %8:2 = shape.assuming %7 -> (i64, i64) {
    %c1_i64 = arith.constant 1 : i64
    %c2_i64 = arith.constant 2 : i64
    shape.assuming_yield %c1_i64, %c2_i64 : i64, i64
  }
  shape.assuming %7 {
  }
  %from_elements = tensor.from_elements %8#0, %8#1 : tensor<2xi64>
  return %from_elements : tensor<2xi64>
}

// ----- shape.broadcast
func.func @main() -> (tensor<4xi1>, tensor<1xi64>) {
  %0 = shape.const_shape [3] : !shape.shape
  %1 = shape.const_shape [2] : !shape.shape
  %2 = shape.broadcast %0, %1 : !shape.shape, !shape.shape -> !shape.shape
  %3 = shape.broadcast %1, %0 : !shape.shape, !shape.shape -> !shape.shape
  %4 = shape.concat %2, %0 : !shape.shape, !shape.shape -> !shape.shape
  %5 = shape.shape_eq %4, %3 : !shape.shape, !shape.shape
  %6 = shape.shape_eq %0, %2 : !shape.shape, !shape.shape
  %7 = shape.is_broadcastable %0, %1 : !shape.shape, !shape.shape
  %8 = shape.is_broadcastable %0, %0 : !shape.shape, !shape.shape
  %from_elements = tensor.from_elements %5, %6, %7, %8 : tensor<4xi1>
  %9 = shape.any %2, %0 : !shape.shape, !shape.shape -> !shape.shape
  %10 = shape.to_extent_tensor %9 : !shape.shape -> tensor<1xindex>
  %11 = arith.index_cast %10 : tensor<1xindex> to tensor<1xi64>
  return %from_elements, %11 : tensor<4xi1>, tensor<1xi64>
}

// ----- shape.concat
func.func @main() -> tensor<4xi64> {
  %0 = shape.const_shape [1, 2] : tensor<2xindex>
  %1 = shape.const_shape [] : !shape.shape
  %c4 = arith.constant 4 : index
  %c5 = shape.const_size 5
  %2 = shape.from_extents %c4, %c5 : index, !shape.size
  %3 = shape.from_extent_tensor %0 : tensor<2xindex>
  %4 = shape.concat %1, %2 : !shape.shape, !shape.shape -> !shape.shape
  %5 = shape.concat %4, %3 : !shape.shape, !shape.shape -> !shape.shape
  %6 = shape.to_extent_tensor %5 : !shape.shape -> tensor<4xindex>
  %7 = arith.index_cast %6 : tensor<4xindex> to tensor<4xi64>
  return %7 : tensor<4xi64>
}

// ----- shape.const_shape
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

// ----- shape.const_size
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

// ----- shape.const_witness
func.func @main() -> tensor<2xi64> {
  %0 = shape.const_shape [3, 1] : tensor<2xindex>
  %1 = shape.const_shape [4] : tensor<1xindex>
  %2 = shape.const_shape [3, 1] : !shape.shape
  %true = arith.constant true
  %3 = shape.cstr_broadcastable %0, %1 : tensor<2xindex>, tensor<1xindex>
  %4 = shape.cstr_eq %0, %2 : tensor<2xindex>, !shape.shape
  %5 = shape.cstr_require %true, "never said"
  %6 = shape.const_witness true
  %7 = shape.assuming_all %3, %4, %5, %6
  %8:2 = shape.assuming %7 -> (i64, i64) {
    %c1_i64 = arith.constant 1 : i64
    %c2_i64 = arith.constant 2 : i64
    shape.assuming_yield %c1_i64, %c2_i64 : i64, i64
  }
  shape.assuming %7 {
  }
  %from_elements = tensor.from_elements %8#0, %8#1 : tensor<2xi64>
  return %from_elements : tensor<2xi64>
}

// ----- shape.cstr_broadcastable
func.func @main() -> tensor<2xi64> {
  %0 = shape.const_shape [3, 1] : tensor<2xindex>
  %1 = shape.const_shape [4] : tensor<1xindex>
  %2 = shape.const_shape [3, 1] : !shape.shape
  %true = arith.constant true
  %3 = shape.cstr_broadcastable %0, %1 : tensor<2xindex>, tensor<1xindex>
  %4 = shape.cstr_eq %0, %2 : tensor<2xindex>, !shape.shape
  %5 = shape.cstr_require %true, "never said"
  %6 = shape.const_witness true
  %7 = shape.assuming_all %3, %4, %5, %6
  %8:2 = shape.assuming %7 -> (i64, i64) {
    %c1_i64 = arith.constant 1 : i64
    %c2_i64 = arith.constant 2 : i64
    shape.assuming_yield %c1_i64, %c2_i64 : i64, i64
  }
  shape.assuming %7 {
  }
  %from_elements = tensor.from_elements %8#0, %8#1 : tensor<2xi64>
  return %from_elements : tensor<2xi64>
}

// ----- shape.cstr_eq
func.func @main() -> tensor<2xi64> {
  %0 = shape.const_shape [3, 1] : tensor<2xindex>
  %1 = shape.const_shape [4] : tensor<1xindex>
  %2 = shape.const_shape [3, 1] : !shape.shape
  %true = arith.constant true
  %3 = shape.cstr_broadcastable %0, %1 : tensor<2xindex>, tensor<1xindex>
  %4 = shape.cstr_eq %0, %2 : tensor<2xindex>, !shape.shape
  %5 = shape.cstr_require %true, "never said"
  %6 = shape.const_witness true
  %7 = shape.assuming_all %3, %4, %5, %6
  %8:2 = shape.assuming %7 -> (i64, i64) {
    %c1_i64 = arith.constant 1 : i64
    %c2_i64 = arith.constant 2 : i64
    shape.assuming_yield %c1_i64, %c2_i64 : i64, i64
  }
  shape.assuming %7 {
  }
  %from_elements = tensor.from_elements %8#0, %8#1 : tensor<2xi64>
  return %from_elements : tensor<2xi64>
}

// ----- shape.cstr_require
func.func @main() -> tensor<2xi64> {
  %0 = shape.const_shape [3, 1] : tensor<2xindex>
  %1 = shape.const_shape [4] : tensor<1xindex>
  %2 = shape.const_shape [3, 1] : !shape.shape
  %true = arith.constant true
  %3 = shape.cstr_broadcastable %0, %1 : tensor<2xindex>, tensor<1xindex>
  %4 = shape.cstr_eq %0, %2 : tensor<2xindex>, !shape.shape
  %5 = shape.cstr_require %true, "never said"
  %6 = shape.const_witness true
  %7 = shape.assuming_all %3, %4, %5, %6
  %8:2 = shape.assuming %7 -> (i64, i64) {
    %c1_i64 = arith.constant 1 : i64
    %c2_i64 = arith.constant 2 : i64
    shape.assuming_yield %c1_i64, %c2_i64 : i64, i64
  }
  shape.assuming %7 {
  }
  %from_elements = tensor.from_elements %8#0, %8#1 : tensor<2xi64>
  return %from_elements : tensor<2xi64>
}

// ----- shape.dim
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

// ----- shape.div
func.func @main() -> tensor<5xi64> {
  %c7 = shape.const_size 7
  %c-2 = arith.constant -2 : index
  %0 = shape.index_to_size %c-2
  %1 = shape.add %c7, %c-2 : !shape.size, index -> !shape.size
  %2 = shape.mul %c7, %0 : !shape.size, !shape.size -> !shape.size
  %3 = shape.div %c7, %0 : !shape.size, !shape.size -> !shape.size
  %4 = shape.max %c7, %0 : !shape.size, !shape.size -> !shape.size
  %5 = shape.min %c7, %0 : !shape.size, !shape.size -> !shape.size
  %6 = shape.size_to_index %1 : !shape.size
  %7 = shape.size_to_index %2 : !shape.size
  %8 = shape.size_to_index %3 : !shape.size
  %9 = shape.size_to_index %4 : !shape.size
  %10 = shape.size_to_index %5 : !shape.size
  %from_elements = tensor.from_elements %6, %7, %8, %9, %10 : tensor<5xindex>
  %11 = arith.index_cast %from_elements : tensor<5xindex> to tensor<5xi64>
  return %11 : tensor<5xi64>
}

// ----- shape.from_extent_tensor
func.func @main() -> tensor<4xi64> {
  %0 = shape.const_shape [1, 2] : tensor<2xindex>
  %1 = shape.const_shape [] : !shape.shape
  %c4 = arith.constant 4 : index
  %c5 = shape.const_size 5
  %2 = shape.from_extents %c4, %c5 : index, !shape.size
  %3 = shape.from_extent_tensor %0 : tensor<2xindex>
  %4 = shape.concat %1, %2 : !shape.shape, !shape.shape -> !shape.shape
  %5 = shape.concat %4, %3 : !shape.shape, !shape.shape -> !shape.shape
  %6 = shape.to_extent_tensor %5 : !shape.shape -> tensor<4xindex>
  %7 = arith.index_cast %6 : tensor<4xindex> to tensor<4xi64>
  return %7 : tensor<4xi64>
}

// ----- shape.from_extents
func.func @main() -> tensor<4xi64> {
  %0 = shape.const_shape [1, 2] : tensor<2xindex>
  %1 = shape.const_shape [] : !shape.shape
  %c4 = arith.constant 4 : index
  %c5 = shape.const_size 5
  %2 = shape.from_extents %c4, %c5 : index, !shape.size
  %3 = shape.from_extent_tensor %0 : tensor<2xindex>
  %4 = shape.concat %1, %2 : !shape.shape, !shape.shape -> !shape.shape
  %5 = shape.concat %4, %3 : !shape.shape, !shape.shape -> !shape.shape
  %6 = shape.to_extent_tensor %5 : !shape.shape -> tensor<4xindex>
  %7 = arith.index_cast %6 : tensor<4xindex> to tensor<4xi64>
  return %7 : tensor<4xi64>
}

// ----- shape.get_extent
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

// ----- shape.index_to_size
func.func @main() -> tensor<5xi64> {
  %c7 = shape.const_size 7
  %c-2 = arith.constant -2 : index
  %0 = shape.index_to_size %c-2
  %1 = shape.add %c7, %c-2 : !shape.size, index -> !shape.size
  %2 = shape.mul %c7, %0 : !shape.size, !shape.size -> !shape.size
  %3 = shape.div %c7, %0 : !shape.size, !shape.size -> !shape.size
  %4 = shape.max %c7, %0 : !shape.size, !shape.size -> !shape.size
  %5 = shape.min %c7, %0 : !shape.size, !shape.size -> !shape.size
  %6 = shape.size_to_index %1 : !shape.size
  %7 = shape.size_to_index %2 : !shape.size
  %8 = shape.size_to_index %3 : !shape.size
  %9 = shape.size_to_index %4 : !shape.size
  %10 = shape.size_to_index %5 : !shape.size
  %from_elements = tensor.from_elements %6, %7, %8, %9, %10 : tensor<5xindex>
  %11 = arith.index_cast %from_elements : tensor<5xindex> to tensor<5xi64>
  return %11 : tensor<5xi64>
}

// ----- shape.is_broadcastable
func.func @main() -> (tensor<4xi1>, tensor<1xi64>) {
  %0 = shape.const_shape [3] : !shape.shape
  %1 = shape.const_shape [2] : !shape.shape
  %2 = shape.broadcast %0, %1 : !shape.shape, !shape.shape -> !shape.shape
  %3 = shape.broadcast %1, %0 : !shape.shape, !shape.shape -> !shape.shape
  %4 = shape.concat %2, %0 : !shape.shape, !shape.shape -> !shape.shape
  %5 = shape.shape_eq %4, %3 : !shape.shape, !shape.shape
  %6 = shape.shape_eq %0, %2 : !shape.shape, !shape.shape
  %7 = shape.is_broadcastable %0, %1 : !shape.shape, !shape.shape
  %8 = shape.is_broadcastable %0, %0 : !shape.shape, !shape.shape
  %from_elements = tensor.from_elements %5, %6, %7, %8 : tensor<4xi1>
  %9 = shape.any %2, %0 : !shape.shape, !shape.shape -> !shape.shape
  %10 = shape.to_extent_tensor %9 : !shape.shape -> tensor<1xindex>
  %11 = arith.index_cast %10 : tensor<1xindex> to tensor<1xi64>
  return %from_elements, %11 : tensor<4xi1>, tensor<1xi64>
}

// ----- shape.max
func.func @main() -> tensor<5xi64> {
  %c7 = shape.const_size 7
  %c-2 = arith.constant -2 : index
  %0 = shape.index_to_size %c-2
  %1 = shape.add %c7, %c-2 : !shape.size, index -> !shape.size
  %2 = shape.mul %c7, %0 : !shape.size, !shape.size -> !shape.size
  %3 = shape.div %c7, %0 : !shape.size, !shape.size -> !shape.size
  %4 = shape.max %c7, %0 : !shape.size, !shape.size -> !shape.size
  %5 = shape.min %c7, %0 : !shape.size, !shape.size -> !shape.size
  %6 = shape.size_to_index %1 : !shape.size
  %7 = shape.size_to_index %2 : !shape.size
  %8 = shape.size_to_index %3 : !shape.size
  %9 = shape.size_to_index %4 : !shape.size
  %10 = shape.size_to_index %5 : !shape.size
  %from_elements = tensor.from_elements %6, %7, %8, %9, %10 : tensor<5xindex>
  %11 = arith.index_cast %from_elements : tensor<5xindex> to tensor<5xi64>
  return %11 : tensor<5xi64>
}

// ----- shape.min
func.func @main() -> tensor<5xi64> {
  %c7 = shape.const_size 7
  %c-2 = arith.constant -2 : index
  %0 = shape.index_to_size %c-2
  %1 = shape.add %c7, %c-2 : !shape.size, index -> !shape.size
  %2 = shape.mul %c7, %0 : !shape.size, !shape.size -> !shape.size
  %3 = shape.div %c7, %0 : !shape.size, !shape.size -> !shape.size
  %4 = shape.max %c7, %0 : !shape.size, !shape.size -> !shape.size
  %5 = shape.min %c7, %0 : !shape.size, !shape.size -> !shape.size
  %6 = shape.size_to_index %1 : !shape.size
  %7 = shape.size_to_index %2 : !shape.size
  %8 = shape.size_to_index %3 : !shape.size
  %9 = shape.size_to_index %4 : !shape.size
  %10 = shape.size_to_index %5 : !shape.size
  %from_elements = tensor.from_elements %6, %7, %8, %9, %10 : tensor<5xindex>
  %11 = arith.index_cast %from_elements : tensor<5xindex> to tensor<5xi64>
  return %11 : tensor<5xi64>
}

// ----- shape.mul
func.func @main() -> tensor<5xi64> {
  %c7 = shape.const_size 7
  %c-2 = arith.constant -2 : index
  %0 = shape.index_to_size %c-2
  %1 = shape.add %c7, %c-2 : !shape.size, index -> !shape.size
  %2 = shape.mul %c7, %0 : !shape.size, !shape.size -> !shape.size
  %3 = shape.div %c7, %0 : !shape.size, !shape.size -> !shape.size
  %4 = shape.max %c7, %0 : !shape.size, !shape.size -> !shape.size
  %5 = shape.min %c7, %0 : !shape.size, !shape.size -> !shape.size
  %6 = shape.size_to_index %1 : !shape.size
  %7 = shape.size_to_index %2 : !shape.size
  %8 = shape.size_to_index %3 : !shape.size
  %9 = shape.size_to_index %4 : !shape.size
  %10 = shape.size_to_index %5 : !shape.size
  %from_elements = tensor.from_elements %6, %7, %8, %9, %10 : tensor<5xindex>
  %11 = arith.index_cast %from_elements : tensor<5xindex> to tensor<5xi64>
  return %11 : tensor<5xi64>
}

// ----- shape.num_elements
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

// ----- shape.rank
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

// ----- shape.reduce
func.func @main() -> tensor<2xi64> {
  %0 = shape.const_shape [5, 6, 7] : tensor<3xindex>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %1:2 = shape.reduce(%0, %c0, %c1) : tensor<3xindex> -> (index, index) {
  ^bb0(%arg0: index, %arg1: index, %arg2: index, %arg3: index):
    %3 = arith.muli %arg0, %arg1 : index
    %4 = arith.addi %arg2, %3 : index
    %5 = arith.muli %arg3, %arg1 : index
    shape.yield %4, %5 : index, index
  }
  %from_elements = tensor.from_elements %1#0, %1#1 : tensor<2xindex>
  %2 = arith.index_cast %from_elements : tensor<2xindex> to tensor<2xi64>
  return %2 : tensor<2xi64>
}

// ----- shape.shape_eq
func.func @main() -> (tensor<4xi1>, tensor<1xi64>) {
  %0 = shape.const_shape [3] : !shape.shape
  %1 = shape.const_shape [2] : !shape.shape
  %2 = shape.broadcast %0, %1 : !shape.shape, !shape.shape -> !shape.shape
  %3 = shape.broadcast %1, %0 : !shape.shape, !shape.shape -> !shape.shape
  %4 = shape.concat %2, %0 : !shape.shape, !shape.shape -> !shape.shape
  %5 = shape.shape_eq %4, %3 : !shape.shape, !shape.shape
  %6 = shape.shape_eq %0, %2 : !shape.shape, !shape.shape
  %7 = shape.is_broadcastable %0, %1 : !shape.shape, !shape.shape
  %8 = shape.is_broadcastable %0, %0 : !shape.shape, !shape.shape
  %from_elements = tensor.from_elements %5, %6, %7, %8 : tensor<4xi1>
  %9 = shape.any %2, %0 : !shape.shape, !shape.shape -> !shape.shape
  %10 = shape.to_extent_tensor %9 : !shape.shape -> tensor<1xindex>
  %11 = arith.index_cast %10 : tensor<1xindex> to tensor<1xi64>
  return %from_elements, %11 : tensor<4xi1>, tensor<1xi64>
}

// ----- shape.shape_of
func.func @main() -> tensor<i64> {
  %c = stablehlo.constant dense<0> : tensor<i8>
  %0 = shape.shape_of %c : tensor<i8> -> tensor<0xindex>
  %1 = shape.num_elements %0 : tensor<0xindex> -> index
  %2 = arith.index_cast %1 : index to i64
  %from_elements = tensor.from_elements %2 : tensor<i64>
  return %from_elements : tensor<i64>
}

// ----- shape.size_to_index
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

// ----- shape.split_at
func.func @main() -> (tensor<2xi64>, tensor<2xi64>) {
  %0 = shape.const_shape [4, 5, 6] : tensor<3xindex>
  %c1 = arith.constant 1 : index
  %c-1 = arith.constant -1 : index
  %head, %tail = "shape.split_at"(%0, %c1) : (tensor<3xindex>, index) -> (tensor<1xindex>, tensor<2xindex>)
  %head_0, %tail_1 = "shape.split_at"(%0, %c-1) : (tensor<3xindex>, index) -> (tensor<2xindex>, tensor<1xindex>)
  %1 = arith.index_cast %tail : tensor<2xindex> to tensor<2xi64>
  %2 = arith.index_cast %head_0 : tensor<2xindex> to tensor<2xi64>
  return %1, %2 : tensor<2xi64>, tensor<2xi64>
}

// ----- shape.to_extent_tensor
func.func @main() -> tensor<4xi64> {
  %0 = shape.const_shape [1, 2] : tensor<2xindex>
  %1 = shape.const_shape [] : !shape.shape
  %c4 = arith.constant 4 : index
  %c5 = shape.const_size 5
  %2 = shape.from_extents %c4, %c5 : index, !shape.size
  %3 = shape.from_extent_tensor %0 : tensor<2xindex>
  %4 = shape.concat %1, %2 : !shape.shape, !shape.shape -> !shape.shape
  %5 = shape.concat %4, %3 : !shape.shape, !shape.shape -> !shape.shape
  %6 = shape.to_extent_tensor %5 : !shape.shape -> tensor<4xindex>
  %7 = arith.index_cast %6 : tensor<4xindex> to tensor<4xi64>
  return %7 : tensor<4xi64>
}

// ----- shape.value_as_shape
func.func @main() -> tensor<2xi64> {
  %c = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %0 = shape.value_as_shape %c : tensor<2xi32> -> tensor<2xindex>
  %1 = arith.index_cast %0 : tensor<2xindex> to tensor<2xi64>
  return %1 : tensor<2xi64>
}

// ----- shape.yield
func.func @main() -> tensor<2xi64> {
  %0 = shape.const_shape [5, 6, 7] : tensor<3xindex>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %1:2 = shape.reduce(%0, %c0, %c1) : tensor<3xindex> -> (index, index) {
  ^bb0(%arg0: index, %arg1: index, %arg2: index, %arg3: index):
    %3 = arith.muli %arg0, %arg1 : index
    %4 = arith.addi %arg2, %3 : index
    %5 = arith.muli %arg3, %arg1 : index
    shape.yield %4, %5 : index, index
  }
  %from_elements = tensor.from_elements %1#0, %1#1 : tensor<2xindex>
  %2 = arith.index_cast %from_elements : tensor<2xindex> to tensor<2xi64>
  return %2 : tensor<2xi64>
}
