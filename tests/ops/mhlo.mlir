// What StableHLO or CHLO has is read as that: (1 + 2)^2, in the pretty and the generic form.
func.func @counterparts() {
  %a = mhlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = mhlo.add %a, %a : tensor<2xi32>
  %1 = "mhlo.concatenate"(%0, %a) {dimension = 0 : i64} : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
  check.expect_eq_const %1, dense<[2, 4, 1, 2]> : tensor<4xi32>
  return
}

// Lists of integers are literals in MHLO.
func.func @lists_as_literals() {
  %a = mhlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %0 = "mhlo.transpose"(%a) <{permutation = dense<[1, 0]> : tensor<2xi64>}> : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %1 = "mhlo.slice"(%0) {start_indices = dense<[1, 0]> : tensor<2xi64>, limit_indices = dense<[3, 2]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} : (tensor<3x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %1, dense<[[2, 5], [3, 6]]> : tensor<2x2xi32>
  return
}

// The short form of a reduction names an operation of MHLO: 1 + 2 + 3 and 4 + 5 + 6.
func.func @short_reduction() {
  %a = mhlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %zero = mhlo.constant dense<0> : tensor<i32>
  %0 = mhlo.reduce(%a init: %zero) applies mhlo.add across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[6, 15]> : tensor<2xi32>
  return
}

// Regions end with mhlo.return; the largest of 3 and 2, of 1 and 5.
func.func @regions() {
  %a = mhlo.constant dense<[[3, 2], [1, 5]]> : tensor<2x2xi32>
  %least = mhlo.constant dense<0> : tensor<i32>
  %0 = "mhlo.reduce"(%a, %least) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = mhlo.maximum %x, %y : tensor<i32>
    "mhlo.return"(%1) : (tensor<i32>) -> ()
  }) {dimensions = dense<1> : tensor<1xi64>} : (tensor<2x2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[3, 5]> : tensor<2xi32>
  return
}

// [1 2] [3 4]^T = 11, its numbers as a structure, as MLIR wrote it until 2022, and as a dictionary.
#numbers = #mhlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>
func.func @dimension_numbers() {
  %a = mhlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = mhlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %0 = "mhlo.dot_general"(%a, %b) {dot_dimension_numbers = #numbers, precision_config = [#mhlo<precision HIGHEST>, #mhlo<"precision DEFAULT">]} : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  %1 = "mhlo.dot_general"(%a, %b) {dot_dimension_numbers = {lhs_batching_dimensions = dense<> : tensor<0xi64>, lhs_contracting_dimensions = dense<0> : tensor<1xi64>, rhs_batching_dimensions = dense<> : tensor<0xi64>, rhs_contracting_dimensions = dense<0> : tensor<1xi64>}, precision_config = ["HIGHEST", "DEFAULT"]} : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  %2 = "mhlo.compare"(%0, %1) {comparison_direction = "EQ"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
  check.expect_eq_const %0, dense<11.0> : tensor<f32>
  check.expect_eq_const %2, dense<true> : tensor<i1>
  return
}

// Row 1, then row 0, of a gather whose numbers are a dictionary.
func.func @gather_of_old_producers() {
  %a = mhlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %i = mhlo.constant dense<[[1], [0]]> : tensor<2x1xi32>
  %0 = "mhlo.gather"(%a, %i) {dimension_numbers = {collapsed_slice_dims = dense<0> : tensor<1xi64>, index_vector_dim = 1 : i64, offset_dims = dense<1> : tensor<1xi64>, start_index_map = dense<0> : tensor<1xi64>}, indices_are_sorted = false, slice_sizes = dense<[1, 2]> : tensor<2xi64>} : (tensor<2x2xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[3, 4], [1, 2]]> : tensor<2x2xi32>
  return
}

func.func @functions_of_chlo() {
  %a = mhlo.constant dense<0.0> : tensor<f32>
  %b = mhlo.constant dense<[0x7FFFFFFF, 2]> : tensor<2xi32>
  %c = mhlo.constant dense<4> : tensor<2xi32>
  %0 = mhlo.erf %a : tensor<f32>
  %1 = mhlo.cosh %a : tensor<f32>
  %2 = mhlo.tan %a : tensor<f32>
  %3 = mhlo.mulhi %b, %c : tensor<2xi32>
  check.expect_eq_const %0, dense<0.0> : tensor<f32>
  check.expect_eq_const %1, dense<1.0> : tensor<f32>
  check.expect_eq_const %2, dense<0.0> : tensor<f32>
  check.expect_eq_const %3, dense<[1, 0]> : tensor<2xi32>
  return
}

func.func @topk_of_the_largest() {
  %a = mhlo.constant dense<[3.0, 1.0, 4.0]> : tensor<3xf32>
  %values, %indices = mhlo.topk(%a, k = 2) : tensor<3xf32> -> (tensor<2xf32>, tensor<2xi32>)
  check.expect_eq_const %values, dense<[4.0, 3.0]> : tensor<2xf32>
  check.expect_eq_const %indices, dense<[2, 0]> : tensor<2xi32>
  return
}

// Of equal elements the first comes first; -0.0 is less than 0.0.
func.func @topk_of_the_smallest() {
  %a = mhlo.constant dense<[[0.0, 5.0, -0.0], [2.0, 1.0, 1.0]]> : tensor<2x3xf32>
  %values, %indices = mhlo.topk(%a, k = 2, largest = false) : tensor<2x3xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %values, dense<[[-0.0, 0.0], [1.0, 1.0]]> : tensor<2x2xf32>
  check.expect_eq_const %indices, dense<[[2, 0], [1, 2]]> : tensor<2x2xi32>
  return
}

// Tokens and bounds have names of their own in MHLO.
func.func @tokens() {
  %a = mhlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = mhlo.create_token : !mhlo.token
  %1 = "mhlo.after_all"(%0, %0) : (!mhlo.token, !mhlo.token) -> !mhlo.token
  %2 = mhlo.add_dependency %a, %1 : (tensor<2xi32>, !mhlo.token) -> tensor<2xi32>
  check.expect_eq_const %2, dense<[1, 2]> : tensor<2xi32>
  return
}

func.func @bounds() {
  %a = mhlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %n = mhlo.constant dense<2> : tensor<i32>
  %0 = "mhlo.set_dimension_size"(%a, %n) {dimension = 0 : i64} : (tensor<3xi32>, tensor<i32>) -> tensor<?xi32, #mhlo.type_extensions<bounds = [3]>>
  %1 = "mhlo.get_dimension_size"(%0) {dimension = 0 : i64} : (tensor<?xi32, #mhlo.type_extensions<bounds = [3]>>) -> tensor<i32>
  check.expect_eq_const %1, dense<2> : tensor<i32>
  return
}

func.func @values_that_are_handed_on() {
  %a = mhlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = mhlo.copy %a {cross_program_prefetch_index = 0 : i32} : tensor<2xi32>
  %1 = "mhlo.domain"(%0) {kind = #mhlo<kind sharding>, entry_metadata = "\08\01", exit_metadata = ""} : (tensor<2xi32>) -> tensor<2xi32>
  mhlo.trace %1, "values" : tensor<2xi32>
  check.expect_eq_const %1, dense<[1, 2]> : tensor<2xi32>
  return
}

// The bits of 1.0 and 2.0, two words each, low half first; then rows as columns by the layouts.
func.func @bitcast() {
  %a = mhlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = mhlo.bitcast %a : (tensor<2xf32>) -> tensor<2x2xui16>
  %1 = mhlo.bitcast %0 : (tensor<2x2xui16>) -> tensor<2xi32>
  %b = mhlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %2 = "mhlo.bitcast"(%b) {source_layout = dense<[1, 0]> : tensor<2xindex>, result_layout = dense<[0, 1]> : tensor<2xindex>} : (tensor<2x3xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %0, dense<[[0, 16256], [0, 16384]]> : tensor<2x2xui16>
  check.expect_eq_const %1, dense<[1065353216, 1073741824]> : tensor<2xi32>
  check.expect_eq_const %2, dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
  return
}

// A fusion inside a fusion, which uses a value from outside: (2 a, 2 a + a).
func.func @fusion() {
  %a = mhlo.constant dense<[1, 2]> : tensor<2xi32>
  %0:2 = "mhlo.fusion"(%a) ({
  ^bb0(%x: tensor<2xi32>):
    %1 = mhlo.add %x, %x : tensor<2xi32>
    %2 = "mhlo.fusion"(%1) ({
    ^bb0(%y: tensor<2xi32>):
      %3 = mhlo.add %y, %a : tensor<2xi32>
      mhlo.return %3 : tensor<2xi32>
    }) : (tensor<2xi32>) -> tensor<2xi32>
    mhlo.return %1, %2 : tensor<2xi32>, tensor<2xi32>
  }) {fusion_kind = #mhlo<fusion_kind kLoop>} : (tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %0#0, dense<[2, 4]> : tensor<2xi32>
  check.expect_eq_const %0#1, dense<[3, 6]> : tensor<2xi32>
  return
}

func.func private @sum_and_product(%a: tensor<2xi32>, %b: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) attributes {execution_thread = "main"} {
  %0 = mhlo.add %a, %b : tensor<2xi32>
  %1 = mhlo.multiply %a, %b : tensor<2xi32>
  return %0, %1 : tensor<2xi32>, tensor<2xi32>
}

func.func @asynchronous_call() {
  %a = mhlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = "mhlo.async_start"(%a, %a) {called_computation = @sum_and_product, execution_thread = "main"} : (tensor<2xi32>, tensor<2xi32>) -> !mhlo.async_bundle<tuple<tensor<2xi32>, tensor<2xi32>>, tuple<tensor<2xi32>, tensor<2xi32>>, tensor<i32>>
  %1 = "mhlo.async_update"(%0) : (!mhlo.async_bundle<tuple<tensor<2xi32>, tensor<2xi32>>, tuple<tensor<2xi32>, tensor<2xi32>>, tensor<i32>>) -> !mhlo.async_bundle<tuple<tensor<2xi32>, tensor<2xi32>>, tuple<tensor<2xi32>, tensor<2xi32>>, tensor<i32>>
  %2:2 = "mhlo.async_done"(%1) : (!mhlo.async_bundle<tuple<tensor<2xi32>, tensor<2xi32>>, tuple<tensor<2xi32>, tensor<2xi32>>, tensor<i32>>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %2#0, dense<[2, 4]> : tensor<2xi32>
  check.expect_eq_const %2#1, dense<[1, 4]> : tensor<2xi32>
  return
}

// [1, 2, 3] and [4, 2, 3] broadcast as [6] and [4, 6]; [1, 1] and [3, 1] as [] and [3].
func.func @minimum_broadcast_shapes() {
  %a = mhlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %b = mhlo.constant dense<[4, 2, 3]> : tensor<3xi64>
  %0:2 = mhlo.minimum_broadcast_shapes %a, %b : tensor<3xi64>, tensor<3xi64> -> tensor<1xi64>, tensor<2xi64>
  check.expect_eq_const %0#0, dense<6> : tensor<1xi64>
  check.expect_eq_const %0#1, dense<[4, 6]> : tensor<2xi64>
  %c = mhlo.constant dense<1> : tensor<2xi64>
  %d = mhlo.constant dense<[3, 1]> : tensor<2xi64>
  %1:2 = mhlo.minimum_broadcast_shapes %c, %d : tensor<2xi64>, tensor<2xi64> -> tensor<0xi64>, tensor<1xi64>
  check.expect_eq_const %1#1, dense<3> : tensor<1xi64>
  return
}

// XLA's first state is 0x7012395; each use advances it.
func.func @rng_get_and_update_state() {
  %0 = mhlo.xla.rng_get_and_update_state {delta = 8 : i64}
  %1 = "mhlo.xla.rng_get_and_update_state"() {delta = 1 : i64} : () -> tensor<2xui64>
  check.expect_eq_const %0, dense<[117515157, 0]> : tensor<2xui64>
  check.expect_eq_const %1, dense<[117515165, 0]> : tensor<2xui64>
  return
}

// A fraction of 0.5 is 2^31 of 2^32: less random bits round up; 0.25 rounds away from zero.
func.func @stochastic_convert() {
  %a = mhlo.constant dense<[1.5, 1.5, -2.25, 0x7FC00000]> : tensor<4xf32>
  %b = mhlo.constant dense<[2147483647, 2147483648, 1, 1]> : tensor<4xui32>
  %0 = "mhlo.stochastic_convert"(%a, %b) : (tensor<4xf32>, tensor<4xui32>) -> tensor<4xi8>
  check.expect_eq_const %0, dense<[2, 1, -3, 0]> : tensor<4xi8>
  return
}

func.func private @exchange(%a: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %0 = mhlo.add %a, %a : tensor<2xi32>
  %1:2 = "mhlo.all_to_all"(%a, %0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  return %1#0, %1#1 : tensor<2xi32>, tensor<2xi32>
}

// Process 0 gets its own first operand and that of process 1, process 1 the second ones.
func.func @all_to_all_of_several_tensors() {
  %a = mhlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = mhlo.constant dense<[3, 4]> : tensor<2xi32>
  %0:4 = "interpreter.run_parallel"(%a, %b) {programs = [[@exchange], [@exchange]]} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %0#0, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %0#1, dense<[3, 4]> : tensor<2xi32>
  check.expect_eq_const %0#2, dense<[2, 4]> : tensor<2xi32>
  check.expect_eq_const %0#3, dense<[6, 8]> : tensor<2xi32>
  return
}

// Operations of old producers: their names hold hyphens, or the distribution; of 2 and 2, all are 2.
func.func @names_of_old_producers() {
  %a = "mhlo.constant"() {value = dense<[1, 2, 3]> : tensor<3xi32>} : () -> tensor<3xi32>
  %i = "mhlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %0 = "mhlo.dynamic-slice"(%a, %i) {slice_sizes = dense<2> : tensor<1xi64>} : (tensor<3xi32>, tensor<i32>) -> tensor<2xi32>
  %1 = "mhlo.dynamic-update-slice"(%a, %0, %i) : (tensor<3xi32>, tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
  %b = "mhlo.constant"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %n = "mhlo.constant"() {value = dense<3> : tensor<1xi64>} : () -> tensor<1xi64>
  %2 = "mhlo.rng_uniform"(%b, %b, %n) : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
  check.expect_eq_const %0, dense<[2, 3]> : tensor<2xi32>
  check.expect_eq_const %1, dense<[1, 2, 3]> : tensor<3xi32>
  check.expect_eq_const %2, dense<2.0> : tensor<3xf32>
  return
}

// A convolution whose numbers are a dictionary: 1 * 1 + 2 * 2 and 2 * 1 + 3 * 2.
func.func @convolution_of_old_producers() {
  %a = mhlo.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
  %b = mhlo.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %0 = "mhlo.convolution"(%a, %b) {batch_group_count = 1 : i64, dimension_numbers = {input_batch_dimension = 0 : i64, input_feature_dimension = 2 : i64, input_spatial_dimensions = dense<1> : tensor<1xi64>, kernel_input_feature_dimension = 1 : i64, kernel_output_feature_dimension = 2 : i64, kernel_spatial_dimensions = dense<0> : tensor<1xi64>, output_batch_dimension = 0 : i64, output_feature_dimension = 2 : i64, output_spatial_dimensions = dense<1> : tensor<1xi64>}, feature_group_count = 1 : i64, lhs_dilation = dense<1> : tensor<1xi64>, padding = dense<0> : tensor<1x2xi64>, precision_config = ["DEFAULT", "DEFAULT"], rhs_dilation = dense<1> : tensor<1xi64>, window_strides = dense<1> : tensor<1xi64>} : (tensor<1x3x1xf32>, tensor<2x1x1xf32>) -> tensor<1x2x1xf32>
  check.expect_eq_const %0, dense<[[[5.0], [8.0]]]> : tensor<1x2x1xf32>
  return
}
