module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>) -> (tensor<4x4xcomplex<f32>> {jax.result_info = "result[0]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %1 = stablehlo.complex %arg0, %arg1 : tensor<2x4x4xcomplex<f32>>
    %2 = stablehlo.convert %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %3 = stablehlo.convert %arg1 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf64>
    %4 = stablehlo.complex %2, %3 : tensor<2x4x4xcomplex<f64>>
    %5 = stablehlo.slice %1 [0:1, 0:4, 0:4] : (tensor<2x4x4xcomplex<f32>>) -> tensor<1x4x4xcomplex<f32>>
    %6 = stablehlo.reshape %5 : (tensor<1x4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %7 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %8 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %10 = stablehlo.add %7, %9 : tensor<4x4xi64>
    %11 = stablehlo.compare EQ, %10, %8, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %12 = stablehlo.convert %11 : (tensor<4x4xi1>) -> tensor<4x4xcomplex<f32>>
    %cst = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %13 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<4x4xcomplex<f32>>
    %14 = stablehlo.multiply %13, %12 : tensor<4x4xcomplex<f32>>
    %15 = stablehlo.add %6, %14 : tensor<4x4xcomplex<f32>>
    %16 = stablehlo.slice %1 [1:2, 0:4, 0:4] : (tensor<2x4x4xcomplex<f32>>) -> tensor<1x4x4xcomplex<f32>>
    %17 = stablehlo.reshape %16 : (tensor<1x4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %18 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %19 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %20 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %21 = stablehlo.add %18, %20 : tensor<4x4xi64>
    %22 = stablehlo.compare EQ, %21, %19, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %23 = stablehlo.convert %22 : (tensor<4x4xi1>) -> tensor<4x4xcomplex<f32>>
    %cst_1 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %24 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f32>>) -> tensor<4x4xcomplex<f32>>
    %25 = stablehlo.multiply %24, %23 : tensor<4x4xcomplex<f32>>
    %26 = stablehlo.add %17, %25 : tensor<4x4xcomplex<f32>>
    %27 = stablehlo.slice %1 [0:1, 0:4, 0:4] : (tensor<2x4x4xcomplex<f32>>) -> tensor<1x4x4xcomplex<f32>>
    %28 = stablehlo.reshape %27 : (tensor<1x4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %29 = call @solve_sylvester(%15, %26, %28) : (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    return %29 : tensor<4x4xcomplex<f32>>
  }
  func.func private @solve_sylvester(%arg0: tensor<4x4xcomplex<f32>>, %arg1: tensor<4x4xcomplex<f32>>, %arg2: tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>> {
    %cst = stablehlo.constant dense<1.000000e-08> : tensor<f64>
    %0 = call @_solve_sylvester_2d(%arg0, %arg1, %arg2, %cst) : (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<f64>) -> tensor<4x4xcomplex<f32>>
    return %0 : tensor<4x4xcomplex<f32>>
  }
  func.func private @_solve_sylvester_2d(%arg0: tensor<4x4xcomplex<f32>>, %arg1: tensor<4x4xcomplex<f32>>, %arg2: tensor<4x4xcomplex<f32>>, %arg3: tensor<f64>) -> tensor<4x4xcomplex<f32>> {
    %0:2 = call @_schur(%arg0) : (tensor<4x4xcomplex<f32>>) -> (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>)
    %1 = stablehlo.real %arg1 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %2 = stablehlo.imag %arg1 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %3 = stablehlo.negate %2 : tensor<4x4xf32>
    %4 = stablehlo.complex %1, %3 : tensor<4x4xcomplex<f32>>
    %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %6:2 = call @_schur(%5) : (tensor<4x4xcomplex<f32>>) -> (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>)
    %7 = stablehlo.real %0#1 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %8 = stablehlo.imag %0#1 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %9 = stablehlo.negate %8 : tensor<4x4xf32>
    %10 = stablehlo.complex %7, %9 : tensor<4x4xcomplex<f32>>
    %11 = stablehlo.transpose %10, dims = [1, 0] : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %12 = stablehlo.dot_general %11, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %13 = stablehlo.dot_general %12, %6#1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %14 = stablehlo.real %6#0 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %15 = stablehlo.imag %6#0 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %16 = stablehlo.negate %15 : tensor<4x4xf32>
    %17 = stablehlo.complex %14, %16 : tensor<4x4xcomplex<f32>>
    %18 = stablehlo.transpose %17, dims = [1, 0] : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %19 = stablehlo.iota dim = 0 : tensor<16xi64>
    %c = stablehlo.constant dense<-1> : tensor<i64>
    %20 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<16xi64>
    %21 = stablehlo.multiply %20, %19 : tensor<16xi64>
    %c_0 = stablehlo.constant dense<15> : tensor<i64>
    %22 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i64>) -> tensor<16xi64>
    %23 = stablehlo.add %22, %21 : tensor<16xi64>
    %cst = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %24 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<16xcomplex<f32>>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %25:6 = stablehlo.while(%iterArg = %23, %iterArg_3 = %13, %iterArg_4 = %0#0, %iterArg_5 = %18, %iterArg_6 = %c_1, %iterArg_7 = %24) : tensor<16xi64>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<i64>, tensor<16xcomplex<f32>>
    cond {
      %c_8 = stablehlo.constant dense<16> : tensor<i64>
      %48 = stablehlo.compare LT, %iterArg_6, %c_8, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %48 : tensor<i1>
    } do {
      %48 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_6) : (tensor<16xi64>, tensor<i64>) -> tensor<i64>
      %49 = func.call @closed_call(%iterArg_3, %iterArg_4, %iterArg_5, %iterArg_7, %48) : (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<16xcomplex<f32>>, tensor<i64>) -> tensor<16xcomplex<f32>>
      %c_8 = stablehlo.constant dense<1> : tensor<i64>
      %50 = stablehlo.add %iterArg_6, %c_8 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_3, %iterArg_4, %iterArg_5, %50, %49 : tensor<16xi64>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<i64>, tensor<16xcomplex<f32>>
    }
    %26 = stablehlo.reshape %25#5 : (tensor<16xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %27 = stablehlo.dot_general %0#1, %26, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %28 = stablehlo.real %6#1 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %29 = stablehlo.imag %6#1 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %30 = stablehlo.negate %29 : tensor<4x4xf32>
    %31 = stablehlo.complex %28, %30 : tensor<4x4xcomplex<f32>>
    %32 = stablehlo.transpose %31, dims = [1, 0] : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %33 = stablehlo.dot_general %27, %32, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %34 = call @eigvals(%arg0) : (tensor<4x4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0] : (tensor<4xcomplex<f32>>) -> tensor<4x1xcomplex<f32>>
    %36 = call @eigvals(%arg1) : (tensor<4x4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %37 = stablehlo.broadcast_in_dim %36, dims = [1] : (tensor<4xcomplex<f32>>) -> tensor<1x4xcomplex<f32>>
    %38 = stablehlo.broadcast_in_dim %35, dims = [0, 1] : (tensor<4x1xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %39 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<1x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %40 = stablehlo.add %38, %39 : tensor<4x4xcomplex<f32>>
    %41 = stablehlo.abs %40 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %42 = stablehlo.convert %arg3 : (tensor<f64>) -> tensor<f32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %44 = stablehlo.compare LT, %41, %43, FLOAT : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xi1>
    %c_2 = stablehlo.constant dense<false> : tensor<i1>
    %45 = stablehlo.reduce(%44 init: %c_2) applies stablehlo.or across dimensions = [0, 1] : (tensor<4x4xi1>, tensor<i1>) -> tensor<i1>
    %46 = stablehlo.convert %45 : (tensor<i1>) -> tensor<i32>
    %47 = "stablehlo.case"(%46) ({
      stablehlo.return %33 : tensor<4x4xcomplex<f32>>
    }, {
      %cst_3 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
      %48 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<complex<f32>>) -> tensor<4x4xcomplex<f32>>
      %cst_4 = stablehlo.constant dense<(0x7FC00000,0.000000e+00)> : tensor<complex<f32>>
      %49 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<complex<f32>>) -> tensor<4x4xcomplex<f32>>
      %50 = stablehlo.multiply %48, %49 : tensor<4x4xcomplex<f32>>
      stablehlo.return %50 : tensor<4x4xcomplex<f32>>
    }) : (tensor<i32>) -> tensor<4x4xcomplex<f32>>
    return %47 : tensor<4x4xcomplex<f32>>
  }
  func.func private @_schur(%arg0: tensor<4x4xcomplex<f32>>) -> (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) {
    %0:5 = stablehlo.custom_call @lapack_cgees_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m, n], [o], [], []) {i=4, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<4x4xcomplex<f32>>) -> (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<i32>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<4x4xcomplex<f32>>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<4x4xi1>
    %6 = stablehlo.select %5, %0#0, %4 : tensor<4x4xi1>, tensor<4x4xcomplex<f32>>
    %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<4x4xcomplex<f32>>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<4x4xi1>
    %10 = stablehlo.select %9, %0#1, %8 : tensor<4x4xi1>, tensor<4x4xcomplex<f32>>
    return %6, %10 : tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<16xi64>, %arg1: tensor<i64>) -> tensor<i64> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<16xi64>, tensor<i64>) -> tensor<1xi64>
    %1 = stablehlo.reshape %0 : (tensor<1xi64>) -> tensor<i64>
    return %1 : tensor<i64>
  }
  func.func private @closed_call(%arg0: tensor<4x4xcomplex<f32>>, %arg1: tensor<4x4xcomplex<f32>>, %arg2: tensor<4x4xcomplex<f32>>, %arg3: tensor<16xcomplex<f32>>, %arg4: tensor<i64>) -> tensor<16xcomplex<f32>> {
    %c = stablehlo.constant dense<4> : tensor<i64>
    %0 = call @floor_divide(%arg4, %c) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %c_0 = stablehlo.constant dense<4> : tensor<i64>
    %1 = call @remainder(%arg4, %c_0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = stablehlo.reshape %arg3 : (tensor<16xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %3 = stablehlo.convert %0 : (tensor<i64>) -> tensor<i32>
    %4 = stablehlo.convert %1 : (tensor<i64>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare LT, %3, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<4> : tensor<i32>
    %6 = stablehlo.add %3, %c_2 : tensor<i32>
    %7 = stablehlo.select %5, %6, %3 : tensor<i1>, tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.compare LT, %4, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_4 = stablehlo.constant dense<4> : tensor<i32>
    %9 = stablehlo.add %4, %c_4 : tensor<i32>
    %10 = stablehlo.select %8, %9, %4 : tensor<i1>, tensor<i32>
    %11 = stablehlo.dynamic_slice %arg0, %7, %10, sizes = [1, 1] : (tensor<4x4xcomplex<f32>>, tensor<i32>, tensor<i32>) -> tensor<1x1xcomplex<f32>>
    %12 = stablehlo.reshape %11 : (tensor<1x1xcomplex<f32>>) -> tensor<complex<f32>>
    %13 = stablehlo.iota dim = 0 : tensor<4xi64>
    %14 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i64>) -> tensor<4xi64>
    %15 = stablehlo.compare GT, %13, %14, SIGNED : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    %16 = stablehlo.convert %0 : (tensor<i64>) -> tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.compare LT, %16, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<4> : tensor<i32>
    %18 = stablehlo.add %16, %c_6 : tensor<i32>
    %19 = stablehlo.select %17, %18, %16 : tensor<i1>, tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.compare LT, %c_7, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %c_10 = stablehlo.constant dense<4> : tensor<i32>
    %21 = stablehlo.add %c_9, %c_10 : tensor<i32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %22 = stablehlo.select %20, %21, %c_11 : tensor<i1>, tensor<i32>
    %23 = stablehlo.dynamic_slice %arg1, %19, %22, sizes = [1, 4] : (tensor<4x4xcomplex<f32>>, tensor<i32>, tensor<i32>) -> tensor<1x4xcomplex<f32>>
    %24 = stablehlo.reshape %23 : (tensor<1x4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %25 = stablehlo.convert %1 : (tensor<i64>) -> tensor<i32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %26 = stablehlo.compare LT, %c_12, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %c_15 = stablehlo.constant dense<4> : tensor<i32>
    %27 = stablehlo.add %c_14, %c_15 : tensor<i32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %28 = stablehlo.select %26, %27, %c_16 : tensor<i1>, tensor<i32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %29 = stablehlo.compare LT, %25, %c_17, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_18 = stablehlo.constant dense<4> : tensor<i32>
    %30 = stablehlo.add %25, %c_18 : tensor<i32>
    %31 = stablehlo.select %29, %30, %25 : tensor<i1>, tensor<i32>
    %32 = stablehlo.dynamic_slice %2, %28, %31, sizes = [4, 1] : (tensor<4x4xcomplex<f32>>, tensor<i32>, tensor<i32>) -> tensor<4x1xcomplex<f32>>
    %33 = stablehlo.reshape %32 : (tensor<4x1xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %34 = stablehlo.multiply %24, %33 : tensor<4xcomplex<f32>>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %35 = call @_where_0(%15, %34, %cst) : (tensor<4xi1>, tensor<4xcomplex<f32>>, tensor<f64>) -> tensor<4xcomplex<f32>>
    %cst_19 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %36 = stablehlo.reduce(%35 init: %cst_19) applies stablehlo.add across dimensions = [0] : (tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    %37 = stablehlo.iota dim = 0 : tensor<4xi64>
    %38 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i64>) -> tensor<4xi64>
    %39 = stablehlo.compare GT, %37, %38, SIGNED : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    %40 = stablehlo.convert %0 : (tensor<i64>) -> tensor<i32>
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %41 = stablehlo.compare LT, %40, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_21 = stablehlo.constant dense<4> : tensor<i32>
    %42 = stablehlo.add %40, %c_21 : tensor<i32>
    %43 = stablehlo.select %41, %42, %40 : tensor<i1>, tensor<i32>
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %44 = stablehlo.compare LT, %c_22, %c_23, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %c_25 = stablehlo.constant dense<4> : tensor<i32>
    %45 = stablehlo.add %c_24, %c_25 : tensor<i32>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %46 = stablehlo.select %44, %45, %c_26 : tensor<i1>, tensor<i32>
    %47 = stablehlo.dynamic_slice %2, %43, %46, sizes = [1, 4] : (tensor<4x4xcomplex<f32>>, tensor<i32>, tensor<i32>) -> tensor<1x4xcomplex<f32>>
    %48 = stablehlo.reshape %47 : (tensor<1x4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %49 = stablehlo.convert %1 : (tensor<i64>) -> tensor<i32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %c_28 = stablehlo.constant dense<0> : tensor<i32>
    %50 = stablehlo.compare LT, %c_27, %c_28, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_29 = stablehlo.constant dense<0> : tensor<i32>
    %c_30 = stablehlo.constant dense<4> : tensor<i32>
    %51 = stablehlo.add %c_29, %c_30 : tensor<i32>
    %c_31 = stablehlo.constant dense<0> : tensor<i32>
    %52 = stablehlo.select %50, %51, %c_31 : tensor<i1>, tensor<i32>
    %c_32 = stablehlo.constant dense<0> : tensor<i32>
    %53 = stablehlo.compare LT, %49, %c_32, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_33 = stablehlo.constant dense<4> : tensor<i32>
    %54 = stablehlo.add %49, %c_33 : tensor<i32>
    %55 = stablehlo.select %53, %54, %49 : tensor<i1>, tensor<i32>
    %56 = stablehlo.dynamic_slice %arg2, %52, %55, sizes = [4, 1] : (tensor<4x4xcomplex<f32>>, tensor<i32>, tensor<i32>) -> tensor<4x1xcomplex<f32>>
    %57 = stablehlo.reshape %56 : (tensor<4x1xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %58 = stablehlo.multiply %48, %57 : tensor<4xcomplex<f32>>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %59 = call @_where_0(%39, %58, %cst_34) : (tensor<4xi1>, tensor<4xcomplex<f32>>, tensor<f64>) -> tensor<4xcomplex<f32>>
    %cst_35 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %60 = stablehlo.reduce(%59 init: %cst_35) applies stablehlo.add across dimensions = [0] : (tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    %61 = stablehlo.add %36, %60 : tensor<complex<f32>>
    %62 = stablehlo.subtract %12, %61 : tensor<complex<f32>>
    %63 = stablehlo.convert %0 : (tensor<i64>) -> tensor<i32>
    %64 = stablehlo.convert %0 : (tensor<i64>) -> tensor<i32>
    %c_36 = stablehlo.constant dense<0> : tensor<i32>
    %65 = stablehlo.compare LT, %63, %c_36, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_37 = stablehlo.constant dense<4> : tensor<i32>
    %66 = stablehlo.add %63, %c_37 : tensor<i32>
    %67 = stablehlo.select %65, %66, %63 : tensor<i1>, tensor<i32>
    %c_38 = stablehlo.constant dense<0> : tensor<i32>
    %68 = stablehlo.compare LT, %64, %c_38, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_39 = stablehlo.constant dense<4> : tensor<i32>
    %69 = stablehlo.add %64, %c_39 : tensor<i32>
    %70 = stablehlo.select %68, %69, %64 : tensor<i1>, tensor<i32>
    %71 = stablehlo.dynamic_slice %arg1, %67, %70, sizes = [1, 1] : (tensor<4x4xcomplex<f32>>, tensor<i32>, tensor<i32>) -> tensor<1x1xcomplex<f32>>
    %72 = stablehlo.reshape %71 : (tensor<1x1xcomplex<f32>>) -> tensor<complex<f32>>
    %73 = stablehlo.convert %1 : (tensor<i64>) -> tensor<i32>
    %74 = stablehlo.convert %1 : (tensor<i64>) -> tensor<i32>
    %c_40 = stablehlo.constant dense<0> : tensor<i32>
    %75 = stablehlo.compare LT, %73, %c_40, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_41 = stablehlo.constant dense<4> : tensor<i32>
    %76 = stablehlo.add %73, %c_41 : tensor<i32>
    %77 = stablehlo.select %75, %76, %73 : tensor<i1>, tensor<i32>
    %c_42 = stablehlo.constant dense<0> : tensor<i32>
    %78 = stablehlo.compare LT, %74, %c_42, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_43 = stablehlo.constant dense<4> : tensor<i32>
    %79 = stablehlo.add %74, %c_43 : tensor<i32>
    %80 = stablehlo.select %78, %79, %74 : tensor<i1>, tensor<i32>
    %81 = stablehlo.dynamic_slice %arg2, %77, %80, sizes = [1, 1] : (tensor<4x4xcomplex<f32>>, tensor<i32>, tensor<i32>) -> tensor<1x1xcomplex<f32>>
    %82 = stablehlo.reshape %81 : (tensor<1x1xcomplex<f32>>) -> tensor<complex<f32>>
    %83 = stablehlo.add %72, %82 : tensor<complex<f32>>
    %84 = stablehlo.divide %62, %83 : tensor<complex<f32>>
    %c_44 = stablehlo.constant dense<4> : tensor<i64>
    %85 = stablehlo.multiply %0, %c_44 : tensor<i64>
    %86 = stablehlo.add %85, %1 : tensor<i64>
    %c_45 = stablehlo.constant dense<0> : tensor<i64>
    %87 = stablehlo.compare LT, %86, %c_45, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_46 = stablehlo.constant dense<16> : tensor<i64>
    %88 = stablehlo.add %86, %c_46 : tensor<i64>
    %89 = stablehlo.select %87, %88, %86 : tensor<i1>, tensor<i64>
    %90 = stablehlo.convert %89 : (tensor<i64>) -> tensor<i32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %92 = "stablehlo.scatter"(%arg3, %91, %84) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg5: tensor<complex<f32>>, %arg6: tensor<complex<f32>>):
      stablehlo.return %arg6 : tensor<complex<f32>>
    }) : (tensor<16xcomplex<f32>>, tensor<1xi32>, tensor<complex<f32>>) -> tensor<16xcomplex<f32>>
    return %92 : tensor<16xcomplex<f32>>
  }
  func.func private @floor_divide(%arg0: tensor<i64>, %arg1: tensor<i64>) -> tensor<i64> {
    %0 = stablehlo.convert %arg1 : tensor<i64>
    %1 = stablehlo.divide %arg0, %0 : tensor<i64>
    %2 = stablehlo.sign %arg0 : tensor<i64>
    %3 = stablehlo.sign %0 : tensor<i64>
    %4 = stablehlo.compare NE, %2, %3, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %5 = stablehlo.remainder %arg0, %0 : tensor<i64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %6 = stablehlo.compare NE, %5, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %7 = stablehlo.and %4, %6 : tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i64>
    %8 = stablehlo.subtract %1, %c_0 : tensor<i64>
    %9 = call @_where(%7, %8, %1) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    return %9 : tensor<i64>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i64>, %arg2: tensor<i64>) -> tensor<i64> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i64>
    return %0 : tensor<i64>
  }
  func.func private @remainder(%arg0: tensor<i64>, %arg1: tensor<i64>) -> tensor<i64> {
    %0 = stablehlo.convert %arg1 : tensor<i64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i64>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %3 = stablehlo.remainder %arg0, %2 : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %4 = stablehlo.compare NE, %3, %c_1, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %5 = stablehlo.compare LT, %3, %c_2, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<0> : tensor<i64>
    %6 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %7 = stablehlo.compare NE, %5, %6, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %8 = stablehlo.and %7, %4 : tensor<i1>
    %9 = stablehlo.add %3, %2 : tensor<i64>
    %10 = stablehlo.select %8, %9, %3 : tensor<i1>, tensor<i64>
    return %10 : tensor<i64>
  }
  func.func private @_where_0(%arg0: tensor<4xi1>, %arg1: tensor<4xcomplex<f32>>, %arg2: tensor<f64>) -> tensor<4xcomplex<f32>> {
    %0 = stablehlo.convert %arg2 : (tensor<f64>) -> tensor<complex<f32>>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<4xi1>, tensor<4xcomplex<f32>>
    return %2 : tensor<4xcomplex<f32>>
  }
  func.func private @eigvals(%arg0: tensor<4x4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
    %0:4 = stablehlo.custom_call @lapack_cgeev_ffi(%arg0) {backend_config = "", mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 78 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k], [l, m], [n, o], []) {i=4, j=4, k=4, l=4, m=4, n=4, o=4}, custom>} : (tensor<4x4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#3, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<4xi1>
    %6 = stablehlo.select %5, %0#0, %4 : tensor<4xi1>, tensor<4xcomplex<f32>>
    return %6 : tensor<4xcomplex<f32>>
  }
}
