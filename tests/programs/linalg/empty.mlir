module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>) -> (tensor<2x0x0xf32> {jax.result_info = "result[0][0]"}, tensor<2x4x0xf32> {jax.result_info = "result[0][1].Q"}, tensor<2x0x0xf32> {jax.result_info = "result[0][1].R"}, tensor<0x4xf32> {jax.result_info = "result[0][2].eigenvalues"}, tensor<0x4x4xf32> {jax.result_info = "result[0][2].eigenvectors"}, tensor<2x0x4xf32> {jax.result_info = "result[0][3][0]"}, tensor<2x0xi32> {jax.result_info = "result[0][3][1]"}, tensor<2x0xi32> {jax.result_info = "result[0][3][2]"}, tensor<2x0x0xcomplex<f64>> {jax.result_info = "result[1][0]"}, tensor<2x4x0xcomplex<f64>> {jax.result_info = "result[1][1].Q"}, tensor<2x0x0xcomplex<f64>> {jax.result_info = "result[1][1].R"}, tensor<0x4xf64> {jax.result_info = "result[1][2].eigenvalues"}, tensor<0x4x4xcomplex<f64>> {jax.result_info = "result[1][2].eigenvectors"}, tensor<2x0x4xcomplex<f64>> {jax.result_info = "result[1][3][0]"}, tensor<2x0xi32> {jax.result_info = "result[1][3][1]"}, tensor<2x0xi32> {jax.result_info = "result[1][3][2]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %1 = stablehlo.complex %arg0, %arg1 : tensor<2x4x4xcomplex<f32>>
    %2 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %3 = stablehlo.convert %arg1 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %4 = stablehlo.complex %2, %3 : tensor<2x4x4xcomplex<f64>>
    %5 = stablehlo.slice %arg0 [0:2, 0:0, 0:0] : (tensor<2x4x4xf32>) -> tensor<2x0x0xf32>
    %6 = call @cholesky(%5) : (tensor<2x0x0xf32>) -> tensor<2x0x0xf32>
    %7 = stablehlo.slice %arg0 [0:2, 0:4, 0:0] : (tensor<2x4x4xf32>) -> tensor<2x4x0xf32>
    %8:2 = call @qr(%7) : (tensor<2x4x0xf32>) -> (tensor<2x4x0xf32>, tensor<2x0x0xf32>)
    %9 = stablehlo.slice %arg0 [0:0, 0:4, 0:4] : (tensor<2x4x4xf32>) -> tensor<0x4x4xf32>
    %10:2 = call @eigh(%9) : (tensor<0x4x4xf32>) -> (tensor<0x4xf32>, tensor<0x4x4xf32>)
    %11 = stablehlo.slice %arg0 [0:2, 0:0, 0:4] : (tensor<2x4x4xf32>) -> tensor<2x0x4xf32>
    %12:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%11) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=0, k=4, l=0, m=4, n=0}, custom>} : (tensor<2x0x4xf32>) -> (tensor<2x0x4xf32>, tensor<2x0xi32>, tensor<2xi32>)
    %c = stablehlo.constant dense<1> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x0xi32>
    %14 = stablehlo.subtract %12#1, %13 : tensor<2x0xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %16 = stablehlo.compare GE, %12#2, %15, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x0x4xf32>
    %19 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x0x4xi1>
    %20 = stablehlo.select %19, %12#0, %18 : tensor<2x0x4xi1>, tensor<2x0x4xf32>
    %21 = stablehlo.iota dim = 1 : tensor<2x0xi32>
    %22 = stablehlo.slice %4 [0:2, 0:0, 0:0] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x0x0xcomplex<f64>>
    %23 = call @cholesky_0(%22) : (tensor<2x0x0xcomplex<f64>>) -> tensor<2x0x0xcomplex<f64>>
    %24 = stablehlo.slice %4 [0:2, 0:4, 0:0] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x0xcomplex<f64>>
    %25:2 = call @qr_1(%24) : (tensor<2x4x0xcomplex<f64>>) -> (tensor<2x4x0xcomplex<f64>>, tensor<2x0x0xcomplex<f64>>)
    %26 = stablehlo.slice %4 [0:0, 0:4, 0:4] : (tensor<2x4x4xcomplex<f64>>) -> tensor<0x4x4xcomplex<f64>>
    %27:2 = call @eigh_2(%26) : (tensor<0x4x4xcomplex<f64>>) -> (tensor<0x4xf64>, tensor<0x4x4xcomplex<f64>>)
    %28 = stablehlo.slice %4 [0:2, 0:0, 0:4] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x0x4xcomplex<f64>>
    %29:3 = stablehlo.custom_call @lapack_zgetrf_ffi(%28) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=0, k=4, l=0, m=4, n=0}, custom>} : (tensor<2x0x4xcomplex<f64>>) -> (tensor<2x0x4xcomplex<f64>>, tensor<2x0xi32>, tensor<2xi32>)
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %30 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2x0xi32>
    %31 = stablehlo.subtract %29#1, %30 : tensor<2x0xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %32 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %33 = stablehlo.compare GE, %29#2, %32, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_3 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %35 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<complex<f64>>) -> tensor<2x0x4xcomplex<f64>>
    %36 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x0x4xi1>
    %37 = stablehlo.select %36, %29#0, %35 : tensor<2x0x4xi1>, tensor<2x0x4xcomplex<f64>>
    %38 = stablehlo.iota dim = 1 : tensor<2x0xi32>
    return %6, %8#0, %8#1, %10#0, %10#1, %20, %14, %21, %23, %25#0, %25#1, %27#0, %27#1, %37, %31, %38 : tensor<2x0x0xf32>, tensor<2x4x0xf32>, tensor<2x0x0xf32>, tensor<0x4xf32>, tensor<0x4x4xf32>, tensor<2x0x4xf32>, tensor<2x0xi32>, tensor<2x0xi32>, tensor<2x0x0xcomplex<f64>>, tensor<2x4x0xcomplex<f64>>, tensor<2x0x0xcomplex<f64>>, tensor<0x4xf64>, tensor<0x4x4xcomplex<f64>>, tensor<2x0x4xcomplex<f64>>, tensor<2x0xi32>, tensor<2x0xi32>
  }
  func.func private @cholesky(%arg0: tensor<2x0x0xf32>) -> tensor<2x0x0xf32> {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<2x0x0xf32>) -> tensor<2x0x0xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<2x0x0xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x0x0xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x0x0xf32>
    %4:2 = stablehlo.custom_call @lapack_spotrf_ffi(%3) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i]) {i=2, j=0, k=0, l=0, m=0}, custom>} : (tensor<2x0x0xf32>) -> (tensor<2x0x0xf32>, tensor<2xi32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %6 = stablehlo.compare EQ, %4#1, %5, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x0x0xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x0x0xi1>
    %10 = stablehlo.select %9, %4#0, %8 : tensor<2x0x0xi1>, tensor<2x0x0xf32>
    %11 = stablehlo.iota dim = 0 : tensor<0x0xi64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %12 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<0x0xi64>
    %13 = stablehlo.add %11, %12 : tensor<0x0xi64>
    %14 = stablehlo.iota dim = 1 : tensor<0x0xi64>
    %15 = stablehlo.compare GE, %13, %14, SIGNED : (tensor<0x0xi64>, tensor<0x0xi64>) -> tensor<0x0xi1>
    %16 = stablehlo.broadcast_in_dim %15, dims = [1, 2] : (tensor<0x0xi1>) -> tensor<2x0x0xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x0x0xf32>
    %18 = stablehlo.select %16, %10, %17 : tensor<2x0x0xi1>, tensor<2x0x0xf32>
    return %18 : tensor<2x0x0xf32>
  }
  func.func private @qr(%arg0: tensor<2x4x0xf32>) -> (tensor<2x4x0xf32>, tensor<2x0x0xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<4x0xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x0xi32>
    %2 = stablehlo.add %0, %1 : tensor<4x0xi32>
    %3 = stablehlo.iota dim = 1 : tensor<4x0xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<4x0xi32>, tensor<4x0xi32>) -> tensor<4x0xi1>
    %5 = stablehlo.convert %4 : (tensor<4x0xi1>) -> tensor<4x0xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<4x0xf32>) -> tensor<2x4x0xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x0x0xf32>
    return %6, %7 : tensor<2x4x0xf32>, tensor<2x0x0xf32>
  }
  func.func private @eigh(%arg0: tensor<0x4x4xf32>) -> (tensor<0x4xf32>, tensor<0x4x4xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<0x4x4xf32>) -> tensor<0x4x4xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<0x4x4xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<0x4x4xf32>
    %3 = stablehlo.divide %1, %2 : tensor<0x4x4xf32>
    %4:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%3) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=0, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<0x4x4xf32>) -> (tensor<0x4x4xf32>, tensor<0x4xf32>, tensor<0xi32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<0xi32>
    %6 = stablehlo.compare EQ, %4#2, %5, SIGNED : (tensor<0xi32>, tensor<0xi32>) -> tensor<0xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<0xi1>) -> tensor<0x1x1xi1>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<0x4x4xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<0x1x1xi1>) -> tensor<0x4x4xi1>
    %10 = stablehlo.select %9, %4#0, %8 : tensor<0x4x4xi1>, tensor<0x4x4xf32>
    %11 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<0xi1>) -> tensor<0x1xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<0x4xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<0x1xi1>) -> tensor<0x4xi1>
    %14 = stablehlo.select %13, %4#1, %12 : tensor<0x4xi1>, tensor<0x4xf32>
    return %14, %10 : tensor<0x4xf32>, tensor<0x4x4xf32>
  }
  func.func private @cholesky_0(%arg0: tensor<2x0x0xcomplex<f64>>) -> tensor<2x0x0xcomplex<f64>> {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<2x0x0xcomplex<f64>>) -> tensor<2x0x0xcomplex<f64>>
    %1 = stablehlo.real %0 : (tensor<2x0x0xcomplex<f64>>) -> tensor<2x0x0xf64>
    %2 = stablehlo.imag %0 : (tensor<2x0x0xcomplex<f64>>) -> tensor<2x0x0xf64>
    %3 = stablehlo.negate %2 : tensor<2x0x0xf64>
    %4 = stablehlo.complex %1, %3 : tensor<2x0x0xcomplex<f64>>
    %5 = stablehlo.add %arg0, %4 : tensor<2x0x0xcomplex<f64>>
    %cst = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f64>>) -> tensor<2x0x0xcomplex<f64>>
    %7 = stablehlo.divide %5, %6 : tensor<2x0x0xcomplex<f64>>
    %8:2 = stablehlo.custom_call @lapack_zpotrf_ffi(%7) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i]) {i=2, j=0, k=0, l=0, m=0}, custom>} : (tensor<2x0x0xcomplex<f64>>) -> (tensor<2x0x0xcomplex<f64>>, tensor<2xi32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %10 = stablehlo.compare EQ, %8#1, %9, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_0 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f64>>) -> tensor<2x0x0xcomplex<f64>>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x0x0xi1>
    %14 = stablehlo.select %13, %8#0, %12 : tensor<2x0x0xi1>, tensor<2x0x0xcomplex<f64>>
    %15 = stablehlo.iota dim = 0 : tensor<0x0xi64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %16 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<0x0xi64>
    %17 = stablehlo.add %15, %16 : tensor<0x0xi64>
    %18 = stablehlo.iota dim = 1 : tensor<0x0xi64>
    %19 = stablehlo.compare GE, %17, %18, SIGNED : (tensor<0x0xi64>, tensor<0x0xi64>) -> tensor<0x0xi1>
    %20 = stablehlo.broadcast_in_dim %19, dims = [1, 2] : (tensor<0x0xi1>) -> tensor<2x0x0xi1>
    %cst_2 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<complex<f64>>) -> tensor<2x0x0xcomplex<f64>>
    %22 = stablehlo.select %20, %14, %21 : tensor<2x0x0xi1>, tensor<2x0x0xcomplex<f64>>
    return %22 : tensor<2x0x0xcomplex<f64>>
  }
  func.func private @qr_1(%arg0: tensor<2x4x0xcomplex<f64>>) -> (tensor<2x4x0xcomplex<f64>>, tensor<2x0x0xcomplex<f64>>) {
    %0 = stablehlo.iota dim = 0 : tensor<4x0xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x0xi32>
    %2 = stablehlo.add %0, %1 : tensor<4x0xi32>
    %3 = stablehlo.iota dim = 1 : tensor<4x0xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<4x0xi32>, tensor<4x0xi32>) -> tensor<4x0xi1>
    %5 = stablehlo.convert %4 : (tensor<4x0xi1>) -> tensor<4x0xcomplex<f64>>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<4x0xcomplex<f64>>) -> tensor<2x4x0xcomplex<f64>>
    %cst = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f64>>) -> tensor<2x0x0xcomplex<f64>>
    return %6, %7 : tensor<2x4x0xcomplex<f64>>, tensor<2x0x0xcomplex<f64>>
  }
  func.func private @eigh_2(%arg0: tensor<0x4x4xcomplex<f64>>) -> (tensor<0x4xf64>, tensor<0x4x4xcomplex<f64>>) {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<0x4x4xcomplex<f64>>) -> tensor<0x4x4xcomplex<f64>>
    %1 = stablehlo.real %0 : (tensor<0x4x4xcomplex<f64>>) -> tensor<0x4x4xf64>
    %2 = stablehlo.imag %0 : (tensor<0x4x4xcomplex<f64>>) -> tensor<0x4x4xf64>
    %3 = stablehlo.negate %2 : tensor<0x4x4xf64>
    %4 = stablehlo.complex %1, %3 : tensor<0x4x4xcomplex<f64>>
    %5 = stablehlo.add %arg0, %4 : tensor<0x4x4xcomplex<f64>>
    %cst = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f64>>) -> tensor<0x4x4xcomplex<f64>>
    %7 = stablehlo.divide %5, %6 : tensor<0x4x4xcomplex<f64>>
    %8:3 = stablehlo.custom_call @lapack_zheevd_ffi(%7) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=0, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<0x4x4xcomplex<f64>>) -> (tensor<0x4x4xcomplex<f64>>, tensor<0x4xf64>, tensor<0xi32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<0xi32>
    %10 = stablehlo.compare EQ, %8#2, %9, SIGNED : (tensor<0xi32>, tensor<0xi32>) -> tensor<0xi1>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<0xi1>) -> tensor<0x1x1xi1>
    %cst_0 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f64>>) -> tensor<0x4x4xcomplex<f64>>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<0x1x1xi1>) -> tensor<0x4x4xi1>
    %14 = stablehlo.select %13, %8#0, %12 : tensor<0x4x4xi1>, tensor<0x4x4xcomplex<f64>>
    %15 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<0xi1>) -> tensor<0x1xi1>
    %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %16 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<0x4xf64>
    %17 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<0x1xi1>) -> tensor<0x4xi1>
    %18 = stablehlo.select %17, %8#1, %16 : tensor<0x4xi1>, tensor<0x4xf64>
    return %18, %14 : tensor<0x4xf64>, tensor<0x4x4xcomplex<f64>>
  }
}
