module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>) -> (tensor<2x4x4xf64> {jax.result_info = "result[0]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %1 = stablehlo.complex %arg0, %arg1 : tensor<2x4x4xcomplex<f32>>
    %2 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %3 = stablehlo.convert %arg1 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %4 = stablehlo.complex %2, %3 : tensor<2x4x4xcomplex<f64>>
    %5 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %6 = stablehlo.add %0, %5 : tensor<2x4x4xf64>
    %7 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %8 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %10 = stablehlo.add %7, %9 : tensor<4x4xi64>
    %11 = stablehlo.compare EQ, %10, %8, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %12 = stablehlo.convert %11 : (tensor<4x4xi1>) -> tensor<4x4xf64>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f64>
    %13 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
    %14 = stablehlo.multiply %13, %12 : tensor<4x4xf64>
    %15 = stablehlo.broadcast_in_dim %14, dims = [1, 2] : (tensor<4x4xf64>) -> tensor<1x4x4xf64>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<1x4x4xf64>) -> tensor<2x4x4xf64>
    %17 = stablehlo.add %6, %16 : tensor<2x4x4xf64>
    %18:5 = call @eigh(%17) : (tensor<2x4x4xf64>) -> (tensor<2x4xf64>, tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<4x2xi32>)
    %19 = stablehlo.abs %18#0 : tensor<2x4xf64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %20 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
    %21 = stablehlo.compare GE, %18#0, %20, FLOAT : (tensor<2x4xf64>, tensor<2x4xf64>) -> tensor<2x4xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %22 = stablehlo.reduce(%19 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x4xf64>, tensor<f64>) -> tensor<f64>
    %23 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %24 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %25 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %26 = stablehlo.add %23, %25 : tensor<4x4xi64>
    %27 = stablehlo.compare EQ, %26, %24, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %28 = stablehlo.convert %27 : (tensor<4x4xi1>) -> tensor<4x4xf64>
    %cst_3 = stablehlo.constant dense<8.000000e+00> : tensor<f64>
    %29 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
    %30 = stablehlo.multiply %29, %28 : tensor<4x4xf64>
    %31 = stablehlo.broadcast_in_dim %30, dims = [1, 2] : (tensor<4x4xf64>) -> tensor<1x4x4xf64>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<1x4x4xf64>) -> tensor<2x4x4xf64>
    %33 = stablehlo.add %0, %32 : tensor<2x4x4xf64>
    %34:6 = call @qr(%33) : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4x4xi1>, tensor<2x4x4xf64>, tensor<1x4x4xf64>)
    %35 = stablehlo.abs %34#1 : tensor<2x4x4xf64>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %36 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %37 = stablehlo.compare GE, %34#1, %36, FLOAT : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xi1>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %38 = stablehlo.reduce(%35 init: %cst_5) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x4x4xf64>, tensor<f64>) -> tensor<f64>
    %39 = stablehlo.add %22, %38 : tensor<f64>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %40 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %41 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %42 = stablehlo.select %37, %41, %40 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
    %43 = stablehlo.select %37, %40, %41 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
    %44 = stablehlo.negate %42 : tensor<2x4x4xf64>
    %45 = stablehlo.add %43, %44 : tensor<2x4x4xf64>
    %46 = call @qr_0(%34#1, %34#2, %34#3, %34#4, %34#5, %45) : (tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4x4xi1>, tensor<2x4x4xf64>, tensor<1x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %47 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %48 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
    %49 = stablehlo.select %21, %48, %47 : tensor<2x4xi1>, tensor<2x4xf64>
    %50 = stablehlo.select %21, %47, %48 : tensor<2x4xi1>, tensor<2x4xf64>
    %51 = stablehlo.negate %49 : tensor<2x4xf64>
    %52 = stablehlo.add %50, %51 : tensor<2x4xf64>
    %53 = call @eigh_1(%18#2, %18#1, %18#4, %52) : (tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<4x2xi32>, tensor<2x4xf64>) -> tensor<2x4x4xf64>
    %54 = stablehlo.add %46, %53 : tensor<2x4x4xf64>
    %55 = stablehlo.transpose %53, dims = [0, 2, 1] : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %56 = stablehlo.add %54, %55 : tensor<2x4x4xf64>
    return %56 : tensor<2x4x4xf64>
  }
  func.func private @eigh(%arg0: tensor<2x4x4xf64>) -> (tensor<2x4xf64>, tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<4x2xi32>) {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %1 = stablehlo.add %arg0, %0 : tensor<2x4x4xf64>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %3 = stablehlo.divide %1, %2 : tensor<2x4x4xf64>
    %4 = stablehlo.transpose %3, dims = [0, 2, 1] : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %5 = stablehlo.add %3, %4 : tensor<2x4x4xf64>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %7 = stablehlo.divide %5, %6 : tensor<2x4x4xf64>
    %8:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%7) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2xi32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %10 = stablehlo.compare EQ, %8#2, %9, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %14 = stablehlo.select %13, %8#0, %12 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
    %15 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_2 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
    %17 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %18 = stablehlo.select %17, %8#1, %16 : tensor<2x4xi1>, tensor<2x4xf64>
    %19 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %21 = stablehlo.add %19, %20 : tensor<4x4xi32>
    %22 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %23 = stablehlo.compare EQ, %21, %22, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %24 = stablehlo.convert %23 : (tensor<4x4xi1>) -> tensor<4x4xf64>
    %25 = stablehlo.broadcast_in_dim %18, dims = [0, 2] : (tensor<2x4xf64>) -> tensor<2x1x4xf64>
    %26 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<4x4xf64>) -> tensor<1x4x4xf64>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<1x4x4xf64>) -> tensor<2x4x4xf64>
    %28 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<2x1x4xf64>) -> tensor<2x4x4xf64>
    %29 = stablehlo.add %27, %28 : tensor<2x4x4xf64>
    %30 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<2x4xf64>) -> tensor<2x4x1xf64>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<2x4x1xf64>) -> tensor<2x4x4xf64>
    %32 = stablehlo.subtract %29, %31 : tensor<2x4x4xf64>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %33 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %34 = stablehlo.divide %33, %32 : tensor<2x4x4xf64>
    %35 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<4x4xf64>) -> tensor<1x4x4xf64>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2] : (tensor<1x4x4xf64>) -> tensor<2x4x4xf64>
    %37 = stablehlo.subtract %34, %36 : tensor<2x4x4xf64>
    %38 = stablehlo.transpose %14, dims = [0, 2, 1] : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %39 = stablehlo.iota dim = 0 : tensor<4xi32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %40 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %41 = stablehlo.compare LT, %39, %40, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_6 = stablehlo.constant dense<4> : tensor<i32>
    %42 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %43 = stablehlo.add %39, %42 : tensor<4xi32>
    %44 = stablehlo.select %41, %43, %39 : tensor<4xi1>, tensor<4xi32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %45 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %46 = stablehlo.compare LT, %39, %45, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_8 = stablehlo.constant dense<4> : tensor<i32>
    %47 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %48 = stablehlo.add %39, %47 : tensor<4xi32>
    %49 = stablehlo.select %46, %48, %39 : tensor<4xi1>, tensor<4xi32>
    %50 = stablehlo.broadcast_in_dim %44, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %51 = stablehlo.broadcast_in_dim %49, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %52 = stablehlo.concatenate %50, %51, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    return %18, %14, %38, %37, %52 : tensor<2x4xf64>, tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<4x2xi32>
  }
  func.func private @qr(%arg0: tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4x4xi1>, tensor<2x4x4xf64>, tensor<1x4x4xf64>) {
    %0:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4xf64>)
    %1 = stablehlo.custom_call @lapack_dorgqr_ffi(%0#0, %0#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xf64>, tensor<2x4xf64>) -> tensor<2x4x4xf64>
    %2 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %c = stablehlo.constant dense<-1> : tensor<i64>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %4 = stablehlo.add %2, %3 : tensor<4x4xi64>
    %5 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [1, 2] : (tensor<4x4xi1>) -> tensor<2x4x4xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %9 = stablehlo.select %7, %8, %0#0 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
    %10 = stablehlo.transpose %1, dims = [0, 2, 1] : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %11 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %c_0 = stablehlo.constant dense<-1> : tensor<i64>
    %12 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %13 = stablehlo.add %11, %12 : tensor<4x4xi64>
    %14 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %15 = stablehlo.compare GE, %13, %14, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %16 = stablehlo.broadcast_in_dim %15, dims = [1, 2] : (tensor<4x4xi1>) -> tensor<2x4x4xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %17 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %18 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %20 = stablehlo.add %18, %19 : tensor<4x4xi32>
    %21 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %22 = stablehlo.compare EQ, %20, %21, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %23 = stablehlo.convert %22 : (tensor<4x4xi1>) -> tensor<4x4xf64>
    %24 = stablehlo.broadcast_in_dim %23, dims = [1, 2] : (tensor<4x4xf64>) -> tensor<1x4x4xf64>
    return %1, %9, %10, %16, %17, %24 : tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4x4xi1>, tensor<2x4x4xf64>, tensor<1x4x4xf64>
  }
  func.func private @qr_0(%arg0: tensor<2x4x4xf64>, %arg1: tensor<2x4x4xf64>, %arg2: tensor<2x4x4xi1>, %arg3: tensor<2x4x4xf64>, %arg4: tensor<1x4x4xf64>, %arg5: tensor<2x4x4xf64>) -> tensor<2x4x4xf64> {
    %0 = stablehlo.dot_general %arg5, %arg0, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %1 = stablehlo.negate %0 : tensor<2x4x4xf64>
    %2 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1, 2] : (tensor<1x4x4xf64>) -> tensor<2x4x4xf64>
    %3 = stablehlo.multiply %2, %1 : tensor<2x4x4xf64>
    %4 = stablehlo.negate %3 : tensor<2x4x4xf64>
    %5 = stablehlo.add %0, %3 : tensor<2x4x4xf64>
    %6 = stablehlo.add %5, %4 : tensor<2x4x4xf64>
    %7 = stablehlo.negate %1 : tensor<2x4x4xf64>
    %8 = stablehlo.transpose %7, dims = [0, 2, 1] : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %9 = stablehlo.add %1, %8 : tensor<2x4x4xf64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %11 = stablehlo.select %arg2, %9, %10 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
    %12 = stablehlo.add %6, %11 : tensor<2x4x4xf64>
    %13 = stablehlo.dot_general %12, %arg1, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %14 = stablehlo.transpose %13, dims = [0, 2, 1] : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %15 = stablehlo.custom_call @lapack_dtrsm_ffi(%arg0, %14) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 84 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    return %15 : tensor<2x4x4xf64>
  }
  func.func private @eigh_1(%arg0: tensor<2x4x4xf64>, %arg1: tensor<2x4x4xf64>, %arg2: tensor<4x2xi32>, %arg3: tensor<2x4xf64>) -> tensor<2x4x4xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %1 = "stablehlo.scatter"(%0, %arg2, %arg3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>):
      %9 = stablehlo.add %arg4, %arg5 : tensor<f64>
      stablehlo.return %9 : tensor<f64>
    }) : (tensor<2x4x4xf64>, tensor<4x2xi32>, tensor<2x4xf64>) -> tensor<2x4x4xf64>
    %2 = stablehlo.dot_general %1, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [HIGHEST, HIGHEST] : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %3 = stablehlo.dot_general %2, %arg0, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %4 = stablehlo.transpose %3, dims = [0, 2, 1] : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %6 = stablehlo.divide %4, %5 : tensor<2x4x4xf64>
    %7 = stablehlo.transpose %6, dims = [0, 2, 1] : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %8 = stablehlo.add %6, %7 : tensor<2x4x4xf64>
    return %8 : tensor<2x4x4xf64>
  }
}
