// ----- tensor.cast
func.func @main() -> (tensor<2xi64>, tensor<2xi64>) {
  %c = stablehlo.constant dense<0> : tensor<2x3xi8>
  %cast = tensor.cast %c : tensor<2x3xi8> to tensor<?x?xi8>
  %0 = shape.shape_of %cast : tensor<?x?xi8> -> tensor<2xindex>
  %1 = shape.shape_of %c : tensor<2x3xi8> -> !shape.shape
  %2 = shape.to_extent_tensor %1 : !shape.shape -> tensor<2xindex>
  %3 = arith.index_cast %0 : tensor<2xindex> to tensor<2xi64>
  %4 = arith.index_cast %2 : tensor<2xindex> to tensor<2xi64>
  return %3, %4 : tensor<2xi64>, tensor<2xi64>
}

// ----- tensor.dim
func.func @main() -> tensor<3xi64> {
  %c = stablehlo.constant dense<0> : tensor<2x3xi8>
  %cast = tensor.cast %c : tensor<2x3xi8> to tensor<?x3xi8>
  %cast_0 = tensor.cast %cast : tensor<?x3xi8> to tensor<*xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %cast, %c0 : tensor<?x3xi8>
  %dim_1 = tensor.dim %cast_0, %c1 : tensor<*xi8>
  %rank = tensor.rank %cast_0 : tensor<*xi8>
  %from_elements = tensor.from_elements %dim, %dim_1, %rank : tensor<3xindex>
  %0 = arith.index_cast %from_elements : tensor<3xindex> to tensor<3xi64>
  return %0 : tensor<3xi64>
}

// ----- tensor.empty
func.func @main() -> (tensor<i32>, tensor<i32>) {
  %c3 = arith.constant 3 : index
  %0 = tensor.empty(%c3) : tensor<2x?xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %2 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<2x?xf32>) -> tensor<i32>
  %3 = stablehlo.get_dimension_size %1, dim = 0 : (tensor<4xf32>) -> tensor<i32>
  return %2, %3 : tensor<i32>, tensor<i32>
}

// ----- tensor.extract
func.func @main() -> tensor<2xi8> {
  %c = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %c_0 = stablehlo.constant dense<7> : tensor<i8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %extracted = tensor.extract %c[%c1, %c0] : tensor<2x3xi8>
  %extracted_1 = tensor.extract %c_0[] : tensor<i8>
  %from_elements = tensor.from_elements %extracted, %extracted_1 : tensor<2xi8>
  return %from_elements : tensor<2xi8>
}

// ----- tensor.from_elements
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

// ----- tensor.rank
func.func @main() -> tensor<3xi64> {
  %c = stablehlo.constant dense<0> : tensor<2x3xi8>
  %cast = tensor.cast %c : tensor<2x3xi8> to tensor<?x3xi8>
  %cast_0 = tensor.cast %cast : tensor<?x3xi8> to tensor<*xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %cast, %c0 : tensor<?x3xi8>
  %dim_1 = tensor.dim %cast_0, %c1 : tensor<*xi8>
  %rank = tensor.rank %cast_0 : tensor<*xi8>
  %from_elements = tensor.from_elements %dim, %dim_1, %rank : tensor<3xindex>
  %0 = arith.index_cast %from_elements : tensor<3xindex> to tensor<3xi64>
  return %0 : tensor<3xi64>
}
