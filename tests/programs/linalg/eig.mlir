module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>) -> (tensor<2x4xcomplex<f32>> {jax.result_info = "result[0][0]"}, tensor<2x4x4xcomplex<f32>> {jax.result_info = "result[0][1]"}, tensor<2x4x4xcomplex<f32>> {jax.result_info = "result[0][2]"}, tensor<2x4xcomplex<f64>> {jax.result_info = "result[1][0]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[1][1]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[1][2]"}, tensor<2x4xcomplex<f32>> {jax.result_info = "result[2][0]"}, tensor<2x4x4xcomplex<f32>> {jax.result_info = "result[2][1]"}, tensor<2x4x4xcomplex<f32>> {jax.result_info = "result[2][2]"}, tensor<2x4xcomplex<f64>> {jax.result_info = "result[3][0]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[3][1]"}, tensor<2x4x4xcomplex<f64>> {jax.result_info = "result[3][2]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %1 = stablehlo.complex %arg0, %arg1 : tensor<2x4x4xcomplex<f32>>
    %2 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %3 = stablehlo.convert %arg1 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %4 = stablehlo.complex %2, %3 : tensor<2x4x4xcomplex<f64>>
    %5:5 = stablehlo.custom_call @lapack_sgeev_ffi(%arg0) {backend_config = "", mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l], [i, m], [i, n, o], [i, p, q], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4, p=4, q=4}, custom>} : (tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2xi32>)
    %6 = stablehlo.complex %5#0, %5#1 : tensor<2x4xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %8 = stablehlo.compare EQ, %5#4, %7, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<2x4xcomplex<f32>>
    %11 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %12 = stablehlo.select %11, %6, %10 : tensor<2x4xi1>, tensor<2x4xcomplex<f32>>
    %13 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_0 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %14 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %16 = stablehlo.select %15, %5#2, %14 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f32>>
    %17 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_1 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %18 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %19 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %20 = stablehlo.select %19, %5#3, %18 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f32>>
    %21:5 = stablehlo.custom_call @lapack_dgeev_ffi(%0) {backend_config = "", mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l], [i, m], [i, n, o], [i, p, q], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4, p=4, q=4}, custom>} : (tensor<2x4x4xf64>) -> (tensor<2x4xf64>, tensor<2x4xf64>, tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2xi32>)
    %22 = stablehlo.complex %21#0, %21#1 : tensor<2x4xcomplex<f64>>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %24 = stablehlo.compare EQ, %21#4, %23, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_3 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %26 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<complex<f64>>) -> tensor<2x4xcomplex<f64>>
    %27 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %28 = stablehlo.select %27, %22, %26 : tensor<2x4xi1>, tensor<2x4xcomplex<f64>>
    %29 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_4 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %30 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %31 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %32 = stablehlo.select %31, %21#2, %30 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f64>>
    %33 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_5 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %34 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %35 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %36 = stablehlo.select %35, %21#3, %34 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f64>>
    %37:4 = stablehlo.custom_call @lapack_cgeev_ffi(%1) {backend_config = "", mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l], [i, m, n], [i, o, p], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4, p=4}, custom>} : (tensor<2x4x4xcomplex<f32>>) -> (tensor<2x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2xi32>)
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %39 = stablehlo.compare EQ, %37#3, %38, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_7 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %41 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<complex<f32>>) -> tensor<2x4xcomplex<f32>>
    %42 = stablehlo.broadcast_in_dim %40, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %43 = stablehlo.select %42, %37#0, %41 : tensor<2x4xi1>, tensor<2x4xcomplex<f32>>
    %44 = stablehlo.broadcast_in_dim %39, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_8 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %45 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<complex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %46 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %47 = stablehlo.select %46, %37#1, %45 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f32>>
    %48 = stablehlo.broadcast_in_dim %39, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_9 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %49 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<complex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %50 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %51 = stablehlo.select %50, %37#2, %49 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f32>>
    %52:4 = stablehlo.custom_call @lapack_zgeev_ffi(%4) {backend_config = "", mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l], [i, m, n], [i, o, p], [i]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4, p=4}, custom>} : (tensor<2x4x4xcomplex<f64>>) -> (tensor<2x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2xi32>)
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %53 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %54 = stablehlo.compare EQ, %52#3, %53, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %cst_11 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %56 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<complex<f64>>) -> tensor<2x4xcomplex<f64>>
    %57 = stablehlo.broadcast_in_dim %55, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %58 = stablehlo.select %57, %52#0, %56 : tensor<2x4xi1>, tensor<2x4xcomplex<f64>>
    %59 = stablehlo.broadcast_in_dim %54, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_12 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %60 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %61 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %62 = stablehlo.select %61, %52#1, %60 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f64>>
    %63 = stablehlo.broadcast_in_dim %54, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_13 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %64 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %65 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %66 = stablehlo.select %65, %52#2, %64 : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<f64>>
    return %12, %16, %20, %28, %32, %36, %43, %47, %51, %58, %62, %66 : tensor<2x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>, tensor<2x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>
  }
}
