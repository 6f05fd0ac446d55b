// Annotations leave values as they are.
func.func @custom_call_annotations() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{replicated}"} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<2xf32>) -> tensor<2xf32>
  %2 = stablehlo.custom_call @annotate_device_placement(%1) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}

// A buffer is made of a value, and gives it back (the specification's example).
func.func @custom_call_buffers() {
  %init_value = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %uninitialized_buffer = stablehlo.custom_call @CreateBuffer() {api_version = 4 : i32} : () -> memref<4xf64>
  %initialized_buffer = stablehlo.custom_call @Pin(%init_value) {api_version = 4 : i32} : (tensor<4xf64>) -> memref<4xf64>
  %0 = stablehlo.custom_call @Unpin(%initialized_buffer) {api_version = 4 : i32} : (memref<4xf64>) -> tensor<4xf64>
  check.expect_eq_const %0, dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  return
}

// Checks as calls: within 3 units in the last place, within 1e-3, equal, and an answer.
func.func @custom_call_checks() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1.0, 2.000000715]> : tensor<2xf32>
  %c = stablehlo.constant dense<[1.0005, 2.0]> : tensor<2xf32>
  stablehlo.custom_call @check.expect_eq(%a, %a) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  stablehlo.custom_call @check.expect_close(%b, %a) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  stablehlo.custom_call @check.expect_almost_eq(%c, %a) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  %0 = stablehlo.custom_call @check.eq(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  %1 = stablehlo.custom_call @check.eq(%a, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  check.expect_eq_const %0, dense<true> : tensor<i1>
  check.expect_eq_const %1, dense<false> : tensor<i1>
  return
}

// The largest elements, of equal ones the first, with their indices.
func.func @custom_call_topk() {
  %a = stablehlo.constant dense<[[3, 1, 2, 3], [0, 7, -1, 5]]> : tensor<2x4xi32>
  %0:2 = stablehlo.custom_call @mhlo.topk(%a) {mhlo.attributes = {k = 2 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<2x4xi32>) -> (tensor<2x2xi32>, tensor<2x2xi32>)
  check.expect_eq_const %0#0, dense<[[3, 3], [7, 5]]> : tensor<2x2xi32>
  check.expect_eq_const %0#1, dense<[[0, 3], [1, 3]]> : tensor<2x2xi32>
  return
}

// A function of MHLO.
func.func @custom_call_erf() {
  %a = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf64>
  %0 = stablehlo.custom_call @mhlo.erf(%a) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2xf64>) -> tensor<2xf64>
  check.expect_almost_eq_const %0, dense<[0.0, 0.8427007929497149]> : tensor<2xf64>, tolerance = 1.0e-15
  return
}

// LAPACK: the triangle that is not asked for stays; info is the order of the minor that is not positive.
func.func @custom_call_potrf() {
  %a = stablehlo.constant dense<[[[4.0, 7.0], [2.0, 5.0]], [[1.0, 7.0], [2.0, 3.0]]]> : tensor<2x2x2xf32>
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<2xi32>)
  %1 = stablehlo.slice %0#0 [0:1, 0:2, 0:2] : (tensor<2x2x2xf32>) -> tensor<1x2x2xf32>
  check.expect_eq_const %1, dense<[[[2.0, 7.0], [1.0, 2.0]]]> : tensor<1x2x2xf32>
  check.expect_eq_const %0#1, dense<[0, 2]> : tensor<2xi32>
  return
}

// LAPACK: a system with a triangular matrix of ones on the diagonal, from the right.
func.func @custom_call_trsm() {
  %a = stablehlo.constant dense<[[9.0, 3.0], [8.0, 9.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant dense<[[1.0, 5.0]]> : tensor<1x2xf64>
  %0 = stablehlo.custom_call @lapack_dtrsm_ffi(%a, %b) {api_version = 4 : i32, backend_config = {diag = 85 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}} : (tensor<2x2xf64>, tensor<1x2xf64>) -> tensor<1x2xf64>
  check.expect_eq_const %0, dense<[[1.0, 2.0]]> : tensor<1x2xf64>
  return
}

// XLA's TopK gives a tuple; k is the size of its elements.
func.func @custom_call_topk_of_a_tuple() {
  %a = stablehlo.constant dense<[[1.0, 5.0, 3.0, 5.0], [0.0, -1.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %0 = stablehlo.custom_call @TopK(%a) : (tensor<2x4xf32>) -> tuple<tensor<2x2xf32>, tensor<2x2xi32>>
  %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<2x2xf32>, tensor<2x2xi32>>) -> tensor<2x2xf32>
  %2 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<2x2xf32>, tensor<2x2xi32>>) -> tensor<2x2xi32>
  check.expect_eq_const %1, dense<[[5.0, 5.0], [8.0, 7.0]]> : tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[1, 3], [3, 2]]> : tensor<2x2xi32>
  return
}

func.func private @greater_pair(%a: tensor<bf16>, %b: tensor<bf16>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
  return %0 : tensor<i1>
}

// The same with a comparator of elements and places, as XLA's rewriter writes it.
func.func @custom_call_topk_with_a_comparator() {
  %a = stablehlo.constant dense<[1.0, 5.0, 3.0, 5.0]> : tensor<4xbf16>
  %0 = stablehlo.custom_call @TopK(%a) {called_computations = [@greater_pair]} : (tensor<4xbf16>) -> tuple<tensor<3xbf16>, tensor<3xi32>>
  %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<3xbf16>, tensor<3xi32>>) -> tensor<3xbf16>
  %2 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<3xbf16>, tensor<3xi32>>) -> tensor<3xi32>
  check.expect_eq_const %1, dense<[5.0, 5.0, 3.0]> : tensor<3xbf16>
  check.expect_eq_const %2, dense<[1, 3, 2]> : tensor<3xi32>
  return
}

// A target that hands on its operand hands on a tuple too.
func.func @custom_call_sharding_of_a_tuple() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.tuple %a, %a : tuple<tensor<2xi32>, tensor<2xi32>>
  %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{replicated}"} : (tuple<tensor<2xi32>, tensor<2xi32>>) -> tuple<tensor<2xi32>, tensor<2xi32>>
  %2 = stablehlo.get_tuple_element %1[1] : (tuple<tensor<2xi32>, tensor<2xi32>>) -> tensor<2xi32>
  check.expect_eq_const %2, dense<[1, 2]> : tensor<2xi32>
  return
}
