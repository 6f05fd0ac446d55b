module @jit_step attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=64, "model"=16]> {stablehlo.mesh = {axes = [{name = "data", size = 64 : i64}, {name = "model", size = 16 : i64}]}}
  func.func public @main(%arg0: tensor<24x8192x2048xbf16>, %arg1: tensor<32768x2048xbf16>, %arg2: tensor<24x16x128x2048xbf16>, %arg3: tensor<24x2048x3x16x128xbf16>, %arg4: tensor<24x2048x8192xbf16>, %arg5: tensor<512x1024xi32>) -> (tensor<24x8192x2048xbf16> {jax.result_info = "result[0]['down']"}, tensor<32768x2048xbf16> {jax.result_info = "result[0]['embed']"}, tensor<24x16x128x2048xbf16> {jax.result_info = "result[0]['out']"}, tensor<24x2048x3x16x128xbf16> {jax.result_info = "result[0]['qkv']"}, tensor<24x2048x8192xbf16> {jax.result_info = "result[0]['up']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0:6 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) in_shardings=[<@mesh, [{}, {"model"}, {}]>, <@mesh, [{"model"}, {}]>, <@mesh, [{}, {"model"}, {}, {}]>, <@mesh, [{}, {}, {}, {"model"}, {}]>, <@mesh, [{}, {}, {"model"}]>, <@mesh, [{"data"}, {}]>] out_shardings=[<@mesh, [{}, {"model"}, {}]>, <@mesh, [{"model"}, {}]>, <@mesh, [{}, {"model"}, {}, {}]>, <@mesh, [{}, {}, {}, {"model"}, {}]>, <@mesh, [{}, {}, {"model"}]>, <@mesh, []>] manual_axes={"data", "model"} (%arg6: tensor<24x512x2048xbf16>, %arg7: tensor<2048x2048xbf16>, %arg8: tensor<24x1x128x2048xbf16>, %arg9: tensor<24x2048x3x1x128xbf16>, %arg10: tensor<24x2048x512xbf16>, %arg11: tensor<8x1024xi32>) {
      %cst = stablehlo.constant dense<9.994500e-04> : tensor<bf16>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %cst_1 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
      %cst_2 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %cst_3 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %c = stablehlo.constant dense<1> : tensor<i32>
      %c_6 = stablehlo.constant dense<24> : tensor<i32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %cst_9 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
      %c_10 = stablehlo.constant dense<true> : tensor<i1>
      %cst_11 = stablehlo.constant dense<11.3137083> : tensor<f32>
      %cst_12 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
      %cst_13 = stablehlo.constant dense<2.048000e+03> : tensor<f32>
      %c_14 = stablehlo.constant dense<0> : tensor<i32>
      %c_15 = stablehlo.constant dense<2048> : tensor<i32>
      %c_16 = stablehlo.constant dense<1> : tensor<ui32>
      %c_17 = stablehlo.constant dense<16> : tensor<ui32>
      %1 = stablehlo.partition_id : tensor<ui32>
      %2 = stablehlo.divide %1, %c_16 : tensor<ui32>
      %3 = stablehlo.remainder %2, %c_17 : tensor<ui32>
      %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
      %5 = stablehlo.multiply %4, %c_15 : tensor<i32>
      %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i32>) -> tensor<8x1024xi32>
      %7 = stablehlo.subtract %arg11, %6 : tensor<8x1024xi32>
      %8 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<8x1024xi32>
      %9 = stablehlo.compare GE, %7, %8, SIGNED : (tensor<8x1024xi32>, tensor<8x1024xi32>) -> tensor<8x1024xi1>
      %10 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<8x1024xi32>
      %11 = stablehlo.compare LT, %7, %10, SIGNED : (tensor<8x1024xi32>, tensor<8x1024xi32>) -> tensor<8x1024xi1>
      %12 = stablehlo.and %9, %11 : tensor<8x1024xi1>
      %13 = func.call @_where(%12, %7, %c_14) : (tensor<8x1024xi1>, tensor<8x1024xi32>, tensor<i32>) -> tensor<8x1024xi32>
      %14 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<8x1024xi32>
      %15 = stablehlo.compare LT, %13, %14, SIGNED : (tensor<8x1024xi32>, tensor<8x1024xi32>) -> tensor<8x1024xi1>
      %16 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<8x1024xi32>
      %17 = stablehlo.add %13, %16 : tensor<8x1024xi32>
      %18 = stablehlo.select %15, %17, %13 : tensor<8x1024xi1>, tensor<8x1024xi32>
      %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<8x1024xi32>) -> tensor<8x1024x1xi32>
      %20 = "stablehlo.gather"(%arg7, %19) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2048>}> : (tensor<2048x2048xbf16>, tensor<8x1024x1xi32>) -> tensor<8x1024x2048xbf16>
      %21 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<8x1024xi1>) -> tensor<8x1024x1xi1>
      %22:2 = func.call @_where_0(%21, %20, %c_14) : (tensor<8x1024x1xi1>, tensor<8x1024x2048xbf16>, tensor<i32>) -> (tensor<8x1024x2048xbf16>, tensor<8x1024x2048xi1>)
      %23 = "stablehlo.all_reduce"(%22#0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "model">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %126 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %126 : tensor<bf16>
      }) : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xbf16>
      %24 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i1>) -> tensor<1024x1024xi1>
      %25 = func.call @tril(%24) : (tensor<1024x1024xi1>) -> tensor<1024x1024xi1>
      %26:2 = func.call @_where_1(%25, %cst_9) : (tensor<1024x1024xi1>, tensor<f32>) -> (tensor<8x1x1024x1024xi1>, tensor<8x1x1024x1024xf32>)
      %27 = func.call @relu() : () -> tensor<bf16>
      %28 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<24x8x1024x2048xbf16>
      %29:16 = stablehlo.while(%iterArg = %arg6, %iterArg_18 = %arg8, %iterArg_19 = %arg9, %iterArg_20 = %arg10, %iterArg_21 = %cst_13, %iterArg_22 = %cst_12, %iterArg_23 = %cst_8, %iterArg_24 = %cst_11, %iterArg_25 = %26#0, %iterArg_26 = %26#1, %iterArg_27 = %cst_13, %iterArg_28 = %cst_12, %iterArg_29 = %27, %iterArg_30 = %c_14, %iterArg_31 = %23, %iterArg_32 = %28) : tensor<24x512x2048xbf16>, tensor<24x1x128x2048xbf16>, tensor<24x2048x3x1x128xbf16>, tensor<24x2048x512xbf16>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<8x1x1024x1024xi1>, tensor<8x1x1024x1024xf32>, tensor<f32>, tensor<f32>, tensor<bf16>, tensor<i32>, tensor<8x1024x2048xbf16>, tensor<24x8x1024x2048xbf16>
      cond {
        %126 = stablehlo.compare LT, %iterArg_30, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %126 : tensor<i1>
      } do {
        %126 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_30) : (tensor<24x512x2048xbf16>, tensor<i32>) -> tensor<512x2048xbf16>
        %127 = func.call @dynamic_index_in_dim_2(%iterArg_18, %iterArg_30) : (tensor<24x1x128x2048xbf16>, tensor<i32>) -> tensor<1x128x2048xbf16>
        %128 = func.call @dynamic_index_in_dim_3(%iterArg_19, %iterArg_30) : (tensor<24x2048x3x1x128xbf16>, tensor<i32>) -> tensor<2048x3x1x128xbf16>
        %129 = func.call @dynamic_index_in_dim_4(%iterArg_20, %iterArg_30) : (tensor<24x2048x512xbf16>, tensor<i32>) -> tensor<2048x512xbf16>
        %130:2 = func.call @closed_call(%iterArg_21, %iterArg_22, %iterArg_23, %iterArg_24, %iterArg_25, %iterArg_26, %iterArg_27, %iterArg_28, %iterArg_29, %iterArg_31, %126, %127, %128, %129) : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<8x1x1024x1024xi1>, tensor<8x1x1024x1024xf32>, tensor<f32>, tensor<f32>, tensor<bf16>, tensor<8x1024x2048xbf16>, tensor<512x2048xbf16>, tensor<1x128x2048xbf16>, tensor<2048x3x1x128xbf16>, tensor<2048x512xbf16>) -> (tensor<8x1024x2048xbf16>, tensor<8x1024x2048xbf16>)
        %131 = func.call @dynamic_update_index_in_dim(%iterArg_32, %130#1, %iterArg_30) : (tensor<24x8x1024x2048xbf16>, tensor<8x1024x2048xbf16>, tensor<i32>) -> tensor<24x8x1024x2048xbf16>
        %132 = stablehlo.add %iterArg_30, %c : tensor<i32>
        stablehlo.return %iterArg, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %iterArg_22, %iterArg_23, %iterArg_24, %iterArg_25, %iterArg_26, %iterArg_27, %iterArg_28, %iterArg_29, %132, %130#0, %131 : tensor<24x512x2048xbf16>, tensor<24x1x128x2048xbf16>, tensor<24x2048x3x1x128xbf16>, tensor<24x2048x512xbf16>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<8x1x1024x1024xi1>, tensor<8x1x1024x1024xf32>, tensor<f32>, tensor<f32>, tensor<bf16>, tensor<i32>, tensor<8x1024x2048xbf16>, tensor<24x8x1024x2048xbf16>
      }
      %30 = stablehlo.convert %29#14 : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xf32>
      %31 = stablehlo.multiply %30, %30 : tensor<8x1024x2048xf32>
      %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x1024x2048xf32>
      %33 = stablehlo.multiply %32, %30 : tensor<8x1024x2048xf32>
      %34 = stablehlo.reduce(%31 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<8x1024x2048xf32>, tensor<f32>) -> tensor<8x1024xf32>
      %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1] : (tensor<8x1024xf32>) -> tensor<8x1024x1xf32>
      %36 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x1024x1xf32>
      %37 = stablehlo.divide %35, %36 : tensor<8x1024x1xf32>
      %38 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x1024x1xf32>
      %39 = stablehlo.add %37, %38 : tensor<8x1024x1xf32>
      %40 = stablehlo.rsqrt %39 : tensor<8x1024x1xf32>
      %41 = stablehlo.divide %40, %39 : tensor<8x1024x1xf32>
      %42 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x1024x1xf32>
      %43 = stablehlo.multiply %42, %41 : tensor<8x1024x1xf32>
      %44 = stablehlo.convert %29#14 : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xf32>
      %45 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2] : (tensor<8x1024x1xf32>) -> tensor<8x1024x2048xf32>
      %46 = stablehlo.multiply %44, %45 : tensor<8x1024x2048xf32>
      %47 = stablehlo.convert %46 : (tensor<8x1024x2048xf32>) -> tensor<8x1024x2048xbf16>
      %48 = stablehlo.transpose %arg7, dims = [1, 0] : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
      %49 = stablehlo.dot_general %47, %48, contracting_dims = [2] x [0] : (tensor<8x1024x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<8x1024x2048xbf16>
      %50 = stablehlo.convert %49 : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xf32>
      %51 = stablehlo.exponential %50 : tensor<8x1024x2048xf32>
      %52 = stablehlo.reduce(%51 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<8x1024x2048xf32>, tensor<f32>) -> tensor<8x1024xf32>
      %53 = "stablehlo.all_reduce"(%52) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "model">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
        %126 = stablehlo.add %arg12, %arg13 : tensor<f32>
        stablehlo.return %126 : tensor<f32>
      }) : (tensor<8x1024xf32>) -> tensor<8x1024xf32>
      %54 = func.call @_roll_static(%7) : (tensor<8x1024xi32>) -> tensor<8x1024xi32>
      %55 = func.call @_roll_static_7(%12) : (tensor<8x1024xi1>) -> tensor<8x1024xi1>
      %56 = func.call @_where(%55, %54, %c_14) : (tensor<8x1024xi1>, tensor<8x1024xi32>, tensor<i32>) -> tensor<8x1024xi32>
      %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1] : (tensor<8x1024xi32>) -> tensor<8x1024x1xi32>
      %58:2 = func.call @take_along_axis(%50, %57) : (tensor<8x1024x2048xf32>, tensor<8x1024x1xi32>) -> (tensor<8x1024x1xf32>, tensor<8x1024x1x1xi32>)
      %59 = stablehlo.reshape %58#0 : (tensor<8x1024x1xf32>) -> tensor<8x1024xf32>
      %60 = func.call @_where_8(%55, %59, %c_14) : (tensor<8x1024xi1>, tensor<8x1024xf32>, tensor<i32>) -> tensor<8x1024xf32>
      %61 = "stablehlo.all_reduce"(%60) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "model">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
        %126 = stablehlo.add %arg12, %arg13 : tensor<f32>
        stablehlo.return %126 : tensor<f32>
      }) : (tensor<8x1024xf32>) -> tensor<8x1024xf32>
      %62 = stablehlo.log %53 : tensor<8x1024xf32>
      %63 = stablehlo.subtract %62, %61 : tensor<8x1024xf32>
      %64 = stablehlo.reduce(%63 init: %cst_4) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x1024xf32>, tensor<f32>) -> tensor<f32>
      %65 = stablehlo.divide %64, %cst_2 : tensor<f32>
      %66 = "stablehlo.all_reduce"(%65) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "data">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
        %126 = stablehlo.add %arg12, %arg13 : tensor<f32>
        stablehlo.return %126 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %67 = stablehlo.divide %66, %cst_1 : tensor<f32>
      %68 = stablehlo.divide %cst_0, %cst_1 : tensor<f32>
      %69 = stablehlo.divide %68, %cst_2 : tensor<f32>
      %70 = stablehlo.broadcast_in_dim %69, dims = [] : (tensor<f32>) -> tensor<8x1024xf32>
      %71 = stablehlo.negate %70 : tensor<8x1024xf32>
      %72 = stablehlo.divide %70, %53 : tensor<8x1024xf32>
      %73 = func.call @_where_9(%55, %71) : (tensor<8x1024xi1>, tensor<8x1024xf32>) -> tensor<8x1024xf32>
      %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1] : (tensor<8x1024xf32>) -> tensor<8x1024x1xf32>
      %75 = func.call @take_along_axis_10(%58#1, %74) : (tensor<8x1024x1x1xi32>, tensor<8x1024x1xf32>) -> tensor<8x1024x2048xf32>
      %76 = stablehlo.broadcast_in_dim %72, dims = [0, 1] : (tensor<8x1024xf32>) -> tensor<8x1024x2048xf32>
      %77 = stablehlo.multiply %76, %51 : tensor<8x1024x2048xf32>
      %78 = stablehlo.add %75, %77 : tensor<8x1024x2048xf32>
      %79 = stablehlo.convert %78 : (tensor<8x1024x2048xf32>) -> tensor<8x1024x2048xbf16>
      %80 = stablehlo.dot_general %79, %47, contracting_dims = [0, 1] x [0, 1] : (tensor<8x1024x2048xbf16>, tensor<8x1024x2048xbf16>) -> tensor<2048x2048xbf16>
      %81 = stablehlo.transpose %80, dims = [1, 0] : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
      %82 = stablehlo.dot_general %79, %48, contracting_dims = [2] x [1] : (tensor<8x1024x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<8x1024x2048xbf16>
      %83 = "stablehlo.all_reduce"(%81) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "data">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %126 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %126 : tensor<bf16>
      }) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
      %84 = "stablehlo.all_reduce"(%82) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "model">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %126 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %126 : tensor<bf16>
      }) : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xbf16>
      %85 = stablehlo.transpose %83, dims = [1, 0] : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
      %86 = stablehlo.convert %84 : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xf32>
      %87 = stablehlo.multiply %44, %86 : tensor<8x1024x2048xf32>
      %88 = stablehlo.reduce(%87 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<8x1024x2048xf32>, tensor<f32>) -> tensor<8x1024xf32>
      %89 = stablehlo.reshape %88 : (tensor<8x1024xf32>) -> tensor<8x1024x1xf32>
      %90 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2] : (tensor<8x1024x1xf32>) -> tensor<8x1024x2048xf32>
      %91 = stablehlo.multiply %86, %90 : tensor<8x1024x2048xf32>
      %92 = stablehlo.convert %91 : (tensor<8x1024x2048xf32>) -> tensor<8x1024x2048xbf16>
      %93 = stablehlo.multiply %89, %43 : tensor<8x1024x1xf32>
      %94 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x1024x1xf32>
      %95 = stablehlo.divide %93, %94 : tensor<8x1024x1xf32>
      %96 = stablehlo.reduce(%95 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<8x1024x1xf32>, tensor<f32>) -> tensor<8x1024xf32>
      %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1] : (tensor<8x1024xf32>) -> tensor<8x1024x2048xf32>
      %98 = stablehlo.multiply %97, %33 : tensor<8x1024x2048xf32>
      %99 = stablehlo.convert %98 : (tensor<8x1024x2048xf32>) -> tensor<8x1024x2048xbf16>
      %100 = stablehlo.add %92, %99 : tensor<8x1024x2048xbf16>
      %101 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<24x512x2048xbf16>
      %102 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<24x1x128x2048xbf16>
      %103 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<24x2048x3x1x128xbf16>
      %104 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<24x2048x512xbf16>
      %105:11 = stablehlo.while(%iterArg = %29#15, %iterArg_18 = %arg6, %iterArg_19 = %arg8, %iterArg_20 = %arg9, %iterArg_21 = %arg10, %iterArg_22 = %c_14, %iterArg_23 = %100, %iterArg_24 = %101, %iterArg_25 = %102, %iterArg_26 = %103, %iterArg_27 = %104) : tensor<24x8x1024x2048xbf16>, tensor<24x512x2048xbf16>, tensor<24x1x128x2048xbf16>, tensor<24x2048x3x1x128xbf16>, tensor<24x2048x512xbf16>, tensor<i32>, tensor<8x1024x2048xbf16>, tensor<24x512x2048xbf16>, tensor<24x1x128x2048xbf16>, tensor<24x2048x3x1x128xbf16>, tensor<24x2048x512xbf16>
      cond {
        %126 = stablehlo.compare LT, %iterArg_22, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %126 : tensor<i1>
      } do {
        %126 = stablehlo.subtract %c_6, %iterArg_22 : tensor<i32>
        %127 = stablehlo.subtract %126, %c : tensor<i32>
        %128 = func.call @dynamic_index_in_dim_11(%iterArg, %127) : (tensor<24x8x1024x2048xbf16>, tensor<i32>) -> tensor<8x1024x2048xbf16>
        %129 = func.call @dynamic_index_in_dim(%iterArg_18, %127) : (tensor<24x512x2048xbf16>, tensor<i32>) -> tensor<512x2048xbf16>
        %130 = func.call @dynamic_index_in_dim_2(%iterArg_19, %127) : (tensor<24x1x128x2048xbf16>, tensor<i32>) -> tensor<1x128x2048xbf16>
        %131 = func.call @dynamic_index_in_dim_3(%iterArg_20, %127) : (tensor<24x2048x3x1x128xbf16>, tensor<i32>) -> tensor<2048x3x1x128xbf16>
        %132 = func.call @dynamic_index_in_dim_4(%iterArg_21, %127) : (tensor<24x2048x512xbf16>, tensor<i32>) -> tensor<2048x512xbf16>
        %133:5 = func.call @closed_call_12(%iterArg_23, %128, %129, %130, %131, %132) : (tensor<8x1024x2048xbf16>, tensor<8x1024x2048xbf16>, tensor<512x2048xbf16>, tensor<1x128x2048xbf16>, tensor<2048x3x1x128xbf16>, tensor<2048x512xbf16>) -> (tensor<8x1024x2048xbf16>, tensor<512x2048xbf16>, tensor<1x128x2048xbf16>, tensor<2048x3x1x128xbf16>, tensor<2048x512xbf16>)
        %134 = func.call @dynamic_update_index_in_dim_17(%iterArg_24, %133#1, %127) : (tensor<24x512x2048xbf16>, tensor<512x2048xbf16>, tensor<i32>) -> tensor<24x512x2048xbf16>
        %135 = func.call @dynamic_update_index_in_dim_18(%iterArg_25, %133#2, %127) : (tensor<24x1x128x2048xbf16>, tensor<1x128x2048xbf16>, tensor<i32>) -> tensor<24x1x128x2048xbf16>
        %136 = func.call @dynamic_update_index_in_dim_19(%iterArg_26, %133#3, %127) : (tensor<24x2048x3x1x128xbf16>, tensor<2048x3x1x128xbf16>, tensor<i32>) -> tensor<24x2048x3x1x128xbf16>
        %137 = func.call @dynamic_update_index_in_dim_20(%iterArg_27, %133#4, %127) : (tensor<24x2048x512xbf16>, tensor<2048x512xbf16>, tensor<i32>) -> tensor<24x2048x512xbf16>
        %138 = stablehlo.add %iterArg_22, %c : tensor<i32>
        stablehlo.return %iterArg, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %138, %133#0, %134, %135, %136, %137 : tensor<24x8x1024x2048xbf16>, tensor<24x512x2048xbf16>, tensor<24x1x128x2048xbf16>, tensor<24x2048x3x1x128xbf16>, tensor<24x2048x512xbf16>, tensor<i32>, tensor<8x1024x2048xbf16>, tensor<24x512x2048xbf16>, tensor<24x1x128x2048xbf16>, tensor<24x2048x3x1x128xbf16>, tensor<24x2048x512xbf16>
      }
      %106 = func.call @_where_21(%22#1, %105#6) : (tensor<8x1024x2048xi1>, tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xbf16>
      %107 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<2048x2048xbf16>
      %108 = "stablehlo.scatter"(%107, %19, %106) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %126 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %126 : tensor<bf16>
      }) : (tensor<2048x2048xbf16>, tensor<8x1024x1xi32>, tensor<8x1024x2048xbf16>) -> tensor<2048x2048xbf16>
      %109 = "stablehlo.all_reduce"(%108) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "data">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %126 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %126 : tensor<bf16>
      }) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
      %110 = stablehlo.add %85, %109 : tensor<2048x2048xbf16>
      %111 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<24x512x2048xbf16>
      %112 = stablehlo.multiply %111, %105#7 : tensor<24x512x2048xbf16>
      %113 = stablehlo.subtract %arg6, %112 : tensor<24x512x2048xbf16>
      %114 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2048x2048xbf16>
      %115 = stablehlo.multiply %114, %110 : tensor<2048x2048xbf16>
      %116 = stablehlo.subtract %arg7, %115 : tensor<2048x2048xbf16>
      %117 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<24x1x128x2048xbf16>
      %118 = stablehlo.multiply %117, %105#8 : tensor<24x1x128x2048xbf16>
      %119 = stablehlo.subtract %arg8, %118 : tensor<24x1x128x2048xbf16>
      %120 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<24x2048x3x1x128xbf16>
      %121 = stablehlo.multiply %120, %105#9 : tensor<24x2048x3x1x128xbf16>
      %122 = stablehlo.subtract %arg9, %121 : tensor<24x2048x3x1x128xbf16>
      %123 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<24x2048x512xbf16>
      %124 = stablehlo.multiply %123, %105#10 : tensor<24x2048x512xbf16>
      %125 = stablehlo.subtract %arg10, %124 : tensor<24x2048x512xbf16>
      sdy.return %113, %116, %119, %122, %125, %67 : tensor<24x512x2048xbf16>, tensor<2048x2048xbf16>, tensor<24x1x128x2048xbf16>, tensor<24x2048x3x1x128xbf16>, tensor<24x2048x512xbf16>, tensor<f32>
    } : (tensor<24x8192x2048xbf16>, tensor<32768x2048xbf16>, tensor<24x16x128x2048xbf16>, tensor<24x2048x3x16x128xbf16>, tensor<24x2048x8192xbf16>, tensor<512x1024xi32>) -> (tensor<24x8192x2048xbf16>, tensor<32768x2048xbf16>, tensor<24x16x128x2048xbf16>, tensor<24x2048x3x16x128xbf16>, tensor<24x2048x8192xbf16>, tensor<f32>)
    return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5 : tensor<24x8192x2048xbf16>, tensor<32768x2048xbf16>, tensor<24x16x128x2048xbf16>, tensor<24x2048x3x16x128xbf16>, tensor<24x2048x8192xbf16>, tensor<f32>
  }
  func.func private @_where(%arg0: tensor<8x1024xi1>, %arg1: tensor<8x1024xi32>, %arg2: tensor<i32>) -> tensor<8x1024xi32> {
    %0 = stablehlo.convert %arg2 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<8x1024xi32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<8x1024xi1>, tensor<8x1024xi32>
    return %2 : tensor<8x1024xi32>
  }
  func.func private @_where_0(%arg0: tensor<8x1024x1xi1>, %arg1: tensor<8x1024x2048xbf16>, %arg2: tensor<i32>) -> (tensor<8x1024x2048xbf16>, tensor<8x1024x2048xi1>) {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<8x1024x1xi1>) -> tensor<8x1024x2048xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<8x1024x2048xbf16>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<8x1024x2048xi1>, tensor<8x1024x2048xbf16>
    return %3, %1 : tensor<8x1024x2048xbf16>, tensor<8x1024x2048xi1>
  }
  func.func private @tril(%arg0: tensor<1024x1024xi1>) -> tensor<1024x1024xi1> {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.iota dim = 0 : tensor<1024x1024xi32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1024x1024xi32>
    %2 = stablehlo.add %0, %1 : tensor<1024x1024xi32>
    %3 = stablehlo.iota dim = 1 : tensor<1024x1024xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<1024x1024xi32>, tensor<1024x1024xi32>) -> tensor<1024x1024xi1>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<1024x1024xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<1024x1024xi1>, tensor<1024x1024xi1>
    return %6 : tensor<1024x1024xi1>
  }
  func.func private @_where_1(%arg0: tensor<1024x1024xi1>, %arg1: tensor<f32>) -> (tensor<8x1x1024x1024xi1>, tensor<8x1x1024x1024xf32>) {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<1024x1024xi1>) -> tensor<8x1x1024x1024xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x1x1024x1024xf32>
    return %1, %2 : tensor<8x1x1024x1024xi1>, tensor<8x1x1024x1024xf32>
  }
  func.func private @relu() -> tensor<bf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    return %cst : tensor<bf16>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<24x512x2048xbf16>, %arg1: tensor<i32>) -> tensor<512x2048xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c, sizes = [1, 512, 2048] : (tensor<24x512x2048xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x2048xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x512x2048xbf16>) -> tensor<512x2048xbf16>
    return %1 : tensor<512x2048xbf16>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<24x1x128x2048xbf16>, %arg1: tensor<i32>) -> tensor<1x128x2048xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c, %c, sizes = [1, 1, 128, 2048] : (tensor<24x1x128x2048xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x128x2048xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x1x128x2048xbf16>) -> tensor<1x128x2048xbf16>
    return %1 : tensor<1x128x2048xbf16>
  }
  func.func private @dynamic_index_in_dim_3(%arg0: tensor<24x2048x3x1x128xbf16>, %arg1: tensor<i32>) -> tensor<2048x3x1x128xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c, %c, %c, sizes = [1, 2048, 3, 1, 128] : (tensor<24x2048x3x1x128xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2048x3x1x128xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x2048x3x1x128xbf16>) -> tensor<2048x3x1x128xbf16>
    return %1 : tensor<2048x3x1x128xbf16>
  }
  func.func private @dynamic_index_in_dim_4(%arg0: tensor<24x2048x512xbf16>, %arg1: tensor<i32>) -> tensor<2048x512xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c, sizes = [1, 2048, 512] : (tensor<24x2048x512xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2048x512xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x2048x512xbf16>) -> tensor<2048x512xbf16>
    return %1 : tensor<2048x512xbf16>
  }
  func.func private @closed_call(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<8x1x1024x1024xi1>, %arg5: tensor<8x1x1024x1024xf32>, %arg6: tensor<f32>, %arg7: tensor<f32>, %arg8: tensor<bf16>, %arg9: tensor<8x1024x2048xbf16>, %arg10: tensor<512x2048xbf16>, %arg11: tensor<1x128x2048xbf16>, %arg12: tensor<2048x3x1x128xbf16>, %arg13: tensor<2048x512xbf16>) -> (tensor<8x1024x2048xbf16>, tensor<8x1024x2048xbf16>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.convert %arg9 : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<8x1024x2048xf32>
    %2 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<8x1024x2048xf32>, tensor<f32>) -> tensor<8x1024xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<8x1024xf32>) -> tensor<8x1024x1xf32>
    %4 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<8x1024x1xf32>
    %5 = stablehlo.divide %3, %4 : tensor<8x1024x1xf32>
    %6 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8x1024x1xf32>
    %7 = stablehlo.add %5, %6 : tensor<8x1024x1xf32>
    %8 = stablehlo.rsqrt %7 : tensor<8x1024x1xf32>
    %9 = stablehlo.convert %arg9 : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<8x1024x1xf32>) -> tensor<8x1024x2048xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<8x1024x2048xf32>
    %12 = stablehlo.convert %11 : (tensor<8x1024x2048xf32>) -> tensor<8x1024x2048xbf16>
    %13 = stablehlo.dot_general %arg12, %12, contracting_dims = [0] x [2] : (tensor<2048x3x1x128xbf16>, tensor<8x1024x2048xbf16>) -> tensor<3x1x128x8x1024xbf16>
    %14 = stablehlo.transpose %13, dims = [0, 3, 1, 4, 2] : (tensor<3x1x128x8x1024xbf16>) -> tensor<3x8x1x1024x128xbf16>
    %15 = stablehlo.slice %14 [0:1, 0:8, 0:1, 0:1024, 0:128] : (tensor<3x8x1x1024x128xbf16>) -> tensor<1x8x1x1024x128xbf16>
    %16 = stablehlo.reshape %15 : (tensor<1x8x1x1024x128xbf16>) -> tensor<8x1x1024x128xbf16>
    %17 = stablehlo.slice %14 [1:2, 0:8, 0:1, 0:1024, 0:128] : (tensor<3x8x1x1024x128xbf16>) -> tensor<1x8x1x1024x128xbf16>
    %18 = stablehlo.reshape %17 : (tensor<1x8x1x1024x128xbf16>) -> tensor<8x1x1024x128xbf16>
    %19 = stablehlo.slice %14 [2:3, 0:8, 0:1, 0:1024, 0:128] : (tensor<3x8x1x1024x128xbf16>) -> tensor<1x8x1x1024x128xbf16>
    %20 = stablehlo.reshape %19 : (tensor<1x8x1x1024x128xbf16>) -> tensor<8x1x1024x128xbf16>
    %21 = stablehlo.dot_general %16, %18, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<8x1x1024x128xbf16>, tensor<8x1x1024x128xbf16>) -> tensor<8x1x1024x1024xbf16>
    %22 = stablehlo.convert %21 : (tensor<8x1x1024x1024xbf16>) -> tensor<8x1x1024x1024xf32>
    %23 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<8x1x1024x1024xf32>
    %24 = stablehlo.divide %22, %23 : tensor<8x1x1024x1024xf32>
    %25 = call @_where_5(%24, %arg4, %arg5) : (tensor<8x1x1024x1024xf32>, tensor<8x1x1024x1024xi1>, tensor<8x1x1024x1024xf32>) -> tensor<8x1x1024x1024xf32>
    %26 = stablehlo.reduce(%25 init: %cst) applies stablehlo.maximum across dimensions = [3] : (tensor<8x1x1024x1024xf32>, tensor<f32>) -> tensor<8x1x1024xf32>
    %27 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<8x1x1024xf32>
    %28 = stablehlo.maximum %27, %26 : tensor<8x1x1024xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<8x1x1024xf32>) -> tensor<8x1x1024x1xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3] : (tensor<8x1x1024x1xf32>) -> tensor<8x1x1024x1024xf32>
    %31 = stablehlo.subtract %25, %30 : tensor<8x1x1024x1024xf32>
    %32 = stablehlo.exponential %31 : tensor<8x1x1024x1024xf32>
    %33 = stablehlo.reduce(%32 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<8x1x1024x1024xf32>, tensor<f32>) -> tensor<8x1x1024xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<8x1x1024xf32>) -> tensor<8x1x1024x1xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2, 3] : (tensor<8x1x1024x1xf32>) -> tensor<8x1x1024x1024xf32>
    %36 = stablehlo.divide %32, %35 : tensor<8x1x1024x1024xf32>
    %37 = stablehlo.convert %36 : (tensor<8x1x1024x1024xf32>) -> tensor<8x1x1024x1024xbf16>
    %38 = stablehlo.dot_general %20, %37, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3] : (tensor<8x1x1024x128xbf16>, tensor<8x1x1024x1024xbf16>) -> tensor<8x1x128x1024xbf16>
    %39 = stablehlo.dot_general %38, %arg11, contracting_dims = [1, 2] x [0, 1] : (tensor<8x1x128x1024xbf16>, tensor<1x128x2048xbf16>) -> tensor<8x1024x2048xbf16>
    %40 = "stablehlo.all_reduce"(%39) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "model">]>, use_global_device_ids}> ({
    ^bb0(%arg14: tensor<bf16>, %arg15: tensor<bf16>):
      %60 = stablehlo.add %arg14, %arg15 : tensor<bf16>
      stablehlo.return %60 : tensor<bf16>
    }) : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xbf16>
    %41 = stablehlo.add %arg9, %40 : tensor<8x1024x2048xbf16>
    %42 = stablehlo.convert %41 : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xf32>
    %43 = stablehlo.multiply %42, %42 : tensor<8x1024x2048xf32>
    %44 = stablehlo.reduce(%43 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<8x1024x2048xf32>, tensor<f32>) -> tensor<8x1024xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1] : (tensor<8x1024xf32>) -> tensor<8x1024x1xf32>
    %46 = stablehlo.broadcast_in_dim %arg6, dims = [] : (tensor<f32>) -> tensor<8x1024x1xf32>
    %47 = stablehlo.divide %45, %46 : tensor<8x1024x1xf32>
    %48 = stablehlo.broadcast_in_dim %arg7, dims = [] : (tensor<f32>) -> tensor<8x1024x1xf32>
    %49 = stablehlo.add %47, %48 : tensor<8x1024x1xf32>
    %50 = stablehlo.rsqrt %49 : tensor<8x1024x1xf32>
    %51 = stablehlo.convert %41 : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xf32>
    %52 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<8x1024x1xf32>) -> tensor<8x1024x2048xf32>
    %53 = stablehlo.multiply %51, %52 : tensor<8x1024x2048xf32>
    %54 = stablehlo.convert %53 : (tensor<8x1024x2048xf32>) -> tensor<8x1024x2048xbf16>
    %55 = stablehlo.dot_general %54, %arg13, contracting_dims = [2] x [0] : (tensor<8x1024x2048xbf16>, tensor<2048x512xbf16>) -> tensor<8x1024x512xbf16>
    %56 = call @relu_6(%55, %arg8) : (tensor<8x1024x512xbf16>, tensor<bf16>) -> tensor<8x1024x512xbf16>
    %57 = stablehlo.dot_general %56, %arg10, contracting_dims = [2] x [0] : (tensor<8x1024x512xbf16>, tensor<512x2048xbf16>) -> tensor<8x1024x2048xbf16>
    %58 = "stablehlo.all_reduce"(%57) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "model">]>, use_global_device_ids}> ({
    ^bb0(%arg14: tensor<bf16>, %arg15: tensor<bf16>):
      %60 = stablehlo.add %arg14, %arg15 : tensor<bf16>
      stablehlo.return %60 : tensor<bf16>
    }) : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xbf16>
    %59 = stablehlo.add %41, %58 : tensor<8x1024x2048xbf16>
    return %59, %arg9 : tensor<8x1024x2048xbf16>, tensor<8x1024x2048xbf16>
  }
  func.func private @_where_5(%arg0: tensor<8x1x1024x1024xf32>, %arg1: tensor<8x1x1024x1024xi1>, %arg2: tensor<8x1x1024x1024xf32>) -> tensor<8x1x1024x1024xf32> {
    %0 = stablehlo.select %arg1, %arg0, %arg2 : tensor<8x1x1024x1024xi1>, tensor<8x1x1024x1024xf32>
    return %0 : tensor<8x1x1024x1024xf32>
  }
  func.func private @relu_6(%arg0: tensor<8x1024x512xbf16>, %arg1: tensor<bf16>) -> tensor<8x1024x512xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<bf16>) -> tensor<8x1024x512xbf16>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x1024x512xbf16>
    return %1 : tensor<8x1024x512xbf16>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<24x8x1024x2048xbf16>, %arg1: tensor<8x1024x2048xbf16>, %arg2: tensor<i32>) -> tensor<24x8x1024x2048xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<8x1024x2048xbf16>) -> tensor<1x8x1024x2048xbf16>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c, %c : (tensor<24x8x1024x2048xbf16>, tensor<1x8x1024x2048xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<24x8x1024x2048xbf16>
    return %1 : tensor<24x8x1024x2048xbf16>
  }
  func.func private @_roll_static(%arg0: tensor<8x1024xi32>) -> tensor<8x1024xi32> {
    %0 = stablehlo.slice %arg0 [0:8, 1:1024] : (tensor<8x1024xi32>) -> tensor<8x1023xi32>
    %1 = stablehlo.slice %arg0 [0:8, 0:1] : (tensor<8x1024xi32>) -> tensor<8x1xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<8x1023xi32>, tensor<8x1xi32>) -> tensor<8x1024xi32>
    return %2 : tensor<8x1024xi32>
  }
  func.func private @_roll_static_7(%arg0: tensor<8x1024xi1>) -> tensor<8x1024xi1> {
    %0 = stablehlo.slice %arg0 [0:8, 1:1024] : (tensor<8x1024xi1>) -> tensor<8x1023xi1>
    %1 = stablehlo.slice %arg0 [0:8, 0:1] : (tensor<8x1024xi1>) -> tensor<8x1xi1>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<8x1023xi1>, tensor<8x1xi1>) -> tensor<8x1024xi1>
    return %2 : tensor<8x1024xi1>
  }
  func.func private @take_along_axis(%arg0: tensor<8x1024x2048xf32>, %arg1: tensor<8x1024x1xi32>) -> (tensor<8x1024x1xf32>, tensor<8x1024x1x1xi32>) {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %c_0 = stablehlo.constant dense<2047> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<2048> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8x1024x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<8x1024x1xi32>, tensor<8x1024x1xi32>) -> tensor<8x1024x1xi1>
    %2 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<8x1024x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<8x1024x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<8x1024x1xi1>, tensor<8x1024x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<8x1024x1xi32>) -> tensor<8x1024x1x1xi32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8x1024x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<8x1024x1x1xi32>, tensor<8x1024x1x1xi32>) -> tensor<8x1024x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<8x1024x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<8x1024x1x1xi32>, tensor<8x1024x1x1xi32>) -> tensor<8x1024x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<8x1024x1x1xi1>
    %12 = stablehlo.reduce(%11 init: %c) applies stablehlo.and across dimensions = [3] : (tensor<8x1024x1x1xi1>, tensor<i1>) -> tensor<8x1024x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<8x1024x2048xf32>, tensor<8x1024x1x1xi32>) -> tensor<8x1024x1xf32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x1024x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<8x1024x1xi1>, tensor<8x1024x1xf32>
    return %15, %5 : tensor<8x1024x1xf32>, tensor<8x1024x1x1xi32>
  }
  func.func private @_where_8(%arg0: tensor<8x1024xi1>, %arg1: tensor<8x1024xf32>, %arg2: tensor<i32>) -> tensor<8x1024xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x1024xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<8x1024xi1>, tensor<8x1024xf32>
    return %2 : tensor<8x1024xf32>
  }
  func.func private @_where_9(%arg0: tensor<8x1024xi1>, %arg1: tensor<8x1024xf32>) -> tensor<8x1024xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x1024xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<8x1024xi1>, tensor<8x1024xf32>
    return %1 : tensor<8x1024xf32>
  }
  func.func private @take_along_axis_10(%arg0: tensor<8x1024x1x1xi32>, %arg1: tensor<8x1024x1xf32>) -> tensor<8x1024x2048xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x1024x2048xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8x1024x2048xf32>, tensor<8x1024x1x1xi32>, tensor<8x1024x1xf32>) -> tensor<8x1024x2048xf32>
    return %1 : tensor<8x1024x2048xf32>
  }
  func.func private @dynamic_index_in_dim_11(%arg0: tensor<24x8x1024x2048xbf16>, %arg1: tensor<i32>) -> tensor<8x1024x2048xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c, %c, sizes = [1, 8, 1024, 2048] : (tensor<24x8x1024x2048xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x1024x2048xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x8x1024x2048xbf16>) -> tensor<8x1024x2048xbf16>
    return %1 : tensor<8x1024x2048xbf16>
  }
  func.func private @closed_call_12(%arg0: tensor<8x1024x2048xbf16>, %arg1: tensor<8x1024x2048xbf16>, %arg2: tensor<512x2048xbf16>, %arg3: tensor<1x128x2048xbf16>, %arg4: tensor<2048x3x1x128xbf16>, %arg5: tensor<2048x512xbf16>) -> (tensor<8x1024x2048xbf16>, tensor<512x2048xbf16>, tensor<1x128x2048xbf16>, tensor<2048x3x1x128xbf16>, tensor<2048x512xbf16>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %cst_3 = stablehlo.constant dense<11.3137083> : tensor<f32>
    %cst_4 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %cst_5 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %cst_6 = stablehlo.constant dense<2.048000e+03> : tensor<f32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_8 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0:6 = stablehlo.optimization_barrier %arg1, %arg2, %arg3, %arg4, %arg5, %arg0 : tensor<8x1024x2048xbf16>, tensor<512x2048xbf16>, tensor<1x128x2048xbf16>, tensor<2048x3x1x128xbf16>, tensor<2048x512xbf16>, tensor<8x1024x2048xbf16>
    %1 = stablehlo.convert %0#0 : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xf32>
    %2 = stablehlo.multiply %1, %1 : tensor<8x1024x2048xf32>
    %3 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x1024x2048xf32>
    %4 = stablehlo.multiply %3, %1 : tensor<8x1024x2048xf32>
    %5 = stablehlo.reduce(%2 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<8x1024x2048xf32>, tensor<f32>) -> tensor<8x1024xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<8x1024xf32>) -> tensor<8x1024x1xf32>
    %7 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x1024x1xf32>
    %8 = stablehlo.divide %6, %7 : tensor<8x1024x1xf32>
    %9 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x1024x1xf32>
    %10 = stablehlo.add %8, %9 : tensor<8x1024x1xf32>
    %11 = stablehlo.rsqrt %10 : tensor<8x1024x1xf32>
    %12 = stablehlo.divide %11, %10 : tensor<8x1024x1xf32>
    %13 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x1024x1xf32>
    %14 = stablehlo.multiply %13, %12 : tensor<8x1024x1xf32>
    %15 = stablehlo.convert %0#0 : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xf32>
    %16 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<8x1024x1xf32>) -> tensor<8x1024x2048xf32>
    %17 = stablehlo.multiply %15, %16 : tensor<8x1024x2048xf32>
    %18 = stablehlo.convert %17 : (tensor<8x1024x2048xf32>) -> tensor<8x1024x2048xbf16>
    %19 = stablehlo.dot_general %0#3, %18, contracting_dims = [0] x [2] : (tensor<2048x3x1x128xbf16>, tensor<8x1024x2048xbf16>) -> tensor<3x1x128x8x1024xbf16>
    %20 = stablehlo.transpose %19, dims = [0, 3, 1, 4, 2] : (tensor<3x1x128x8x1024xbf16>) -> tensor<3x8x1x1024x128xbf16>
    %21 = stablehlo.slice %20 [0:1, 0:8, 0:1, 0:1024, 0:128] : (tensor<3x8x1x1024x128xbf16>) -> tensor<1x8x1x1024x128xbf16>
    %22 = stablehlo.reshape %21 : (tensor<1x8x1x1024x128xbf16>) -> tensor<8x1x1024x128xbf16>
    %23 = stablehlo.slice %20 [1:2, 0:8, 0:1, 0:1024, 0:128] : (tensor<3x8x1x1024x128xbf16>) -> tensor<1x8x1x1024x128xbf16>
    %24 = stablehlo.reshape %23 : (tensor<1x8x1x1024x128xbf16>) -> tensor<8x1x1024x128xbf16>
    %25 = stablehlo.slice %20 [2:3, 0:8, 0:1, 0:1024, 0:128] : (tensor<3x8x1x1024x128xbf16>) -> tensor<1x8x1x1024x128xbf16>
    %26 = stablehlo.reshape %25 : (tensor<1x8x1x1024x128xbf16>) -> tensor<8x1x1024x128xbf16>
    %27 = stablehlo.dot_general %22, %24, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<8x1x1024x128xbf16>, tensor<8x1x1024x128xbf16>) -> tensor<8x1x1024x1024xbf16>
    %28 = stablehlo.convert %27 : (tensor<8x1x1024x1024xbf16>) -> tensor<8x1x1024x1024xf32>
    %29 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x1x1024x1024xf32>
    %30 = stablehlo.divide %28, %29 : tensor<8x1x1024x1024xf32>
    %31 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<1024x1024xi1>
    %32 = call @tril_13(%31) : (tensor<1024x1024xi1>) -> tensor<1024x1024xi1>
    %33:2 = call @_where_14(%32, %30, %cst_2) : (tensor<1024x1024xi1>, tensor<8x1x1024x1024xf32>, tensor<f32>) -> (tensor<8x1x1024x1024xf32>, tensor<8x1x1024x1024xi1>)
    %34 = stablehlo.reduce(%33#0 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<8x1x1024x1024xf32>, tensor<f32>) -> tensor<8x1x1024xf32>
    %35 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x1x1024xf32>
    %36 = stablehlo.maximum %35, %34 : tensor<8x1x1024xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2] : (tensor<8x1x1024xf32>) -> tensor<8x1x1024x1xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<8x1x1024x1xf32>) -> tensor<8x1x1024x1024xf32>
    %39 = stablehlo.subtract %33#0, %38 : tensor<8x1x1024x1024xf32>
    %40 = stablehlo.exponential %39 : tensor<8x1x1024x1024xf32>
    %41 = stablehlo.reduce(%40 init: %cst_7) applies stablehlo.add across dimensions = [3] : (tensor<8x1x1024x1024xf32>, tensor<f32>) -> tensor<8x1x1024xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2] : (tensor<8x1x1024xf32>) -> tensor<8x1x1024x1xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<8x1x1024x1xf32>) -> tensor<8x1x1024x1024xf32>
    %44 = stablehlo.divide %40, %43 : tensor<8x1x1024x1024xf32>
    %45 = stablehlo.multiply %42, %42 : tensor<8x1x1024x1xf32>
    %46 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x1x1024x1xf32>
    %47 = stablehlo.divide %46, %45 : tensor<8x1x1024x1xf32>
    %48 = stablehlo.convert %44 : (tensor<8x1x1024x1024xf32>) -> tensor<8x1x1024x1024xbf16>
    %49 = stablehlo.dot_general %26, %48, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3] : (tensor<8x1x1024x128xbf16>, tensor<8x1x1024x1024xbf16>) -> tensor<8x1x128x1024xbf16>
    %50 = stablehlo.dot_general %49, %0#2, contracting_dims = [1, 2] x [0, 1] : (tensor<8x1x128x1024xbf16>, tensor<1x128x2048xbf16>) -> tensor<8x1024x2048xbf16>
    %51 = "stablehlo.all_reduce"(%50) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "model">]>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %160 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %160 : tensor<bf16>
    }) : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xbf16>
    %52 = stablehlo.add %0#0, %51 : tensor<8x1024x2048xbf16>
    %53 = stablehlo.convert %52 : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xf32>
    %54 = stablehlo.multiply %53, %53 : tensor<8x1024x2048xf32>
    %55 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x1024x2048xf32>
    %56 = stablehlo.multiply %55, %53 : tensor<8x1024x2048xf32>
    %57 = stablehlo.reduce(%54 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<8x1024x2048xf32>, tensor<f32>) -> tensor<8x1024xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1] : (tensor<8x1024xf32>) -> tensor<8x1024x1xf32>
    %59 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x1024x1xf32>
    %60 = stablehlo.divide %58, %59 : tensor<8x1024x1xf32>
    %61 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x1024x1xf32>
    %62 = stablehlo.add %60, %61 : tensor<8x1024x1xf32>
    %63 = stablehlo.rsqrt %62 : tensor<8x1024x1xf32>
    %64 = stablehlo.divide %63, %62 : tensor<8x1024x1xf32>
    %65 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x1024x1xf32>
    %66 = stablehlo.multiply %65, %64 : tensor<8x1024x1xf32>
    %67 = stablehlo.convert %52 : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xf32>
    %68 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2] : (tensor<8x1024x1xf32>) -> tensor<8x1024x2048xf32>
    %69 = stablehlo.multiply %67, %68 : tensor<8x1024x2048xf32>
    %70 = stablehlo.convert %69 : (tensor<8x1024x2048xf32>) -> tensor<8x1024x2048xbf16>
    %71 = stablehlo.dot_general %70, %0#4, contracting_dims = [2] x [0] : (tensor<8x1024x2048xbf16>, tensor<2048x512xbf16>) -> tensor<8x1024x512xbf16>
    %72 = call @relu_15(%71) : (tensor<8x1024x512xbf16>) -> tensor<8x1024x512xbf16>
    %73 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<8x1024x512xbf16>
    %74 = stablehlo.compare GT, %71, %73, FLOAT : (tensor<8x1024x512xbf16>, tensor<8x1024x512xbf16>) -> tensor<8x1024x512xi1>
    %75 = stablehlo.dot_general %0#5, %72, contracting_dims = [0, 1] x [0, 1] : (tensor<8x1024x2048xbf16>, tensor<8x1024x512xbf16>) -> tensor<2048x512xbf16>
    %76 = stablehlo.transpose %75, dims = [1, 0] : (tensor<2048x512xbf16>) -> tensor<512x2048xbf16>
    %77 = stablehlo.dot_general %0#5, %0#1, contracting_dims = [2] x [1] : (tensor<8x1024x2048xbf16>, tensor<512x2048xbf16>) -> tensor<8x1024x512xbf16>
    %78 = "stablehlo.all_reduce"(%76) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "data">]>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %160 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %160 : tensor<bf16>
    }) : (tensor<512x2048xbf16>) -> tensor<512x2048xbf16>
    %79 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<8x1024x512xbf16>
    %80 = stablehlo.select %74, %77, %79 : tensor<8x1024x512xi1>, tensor<8x1024x512xbf16>
    %81 = stablehlo.dot_general %80, %70, contracting_dims = [0, 1] x [0, 1] : (tensor<8x1024x512xbf16>, tensor<8x1024x2048xbf16>) -> tensor<512x2048xbf16>
    %82 = stablehlo.transpose %81, dims = [1, 0] : (tensor<512x2048xbf16>) -> tensor<2048x512xbf16>
    %83 = stablehlo.dot_general %80, %0#4, contracting_dims = [2] x [1] : (tensor<8x1024x512xbf16>, tensor<2048x512xbf16>) -> tensor<8x1024x2048xbf16>
    %84 = "stablehlo.all_reduce"(%82) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "data">]>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %160 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %160 : tensor<bf16>
    }) : (tensor<2048x512xbf16>) -> tensor<2048x512xbf16>
    %85 = "stablehlo.all_reduce"(%83) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "model">]>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %160 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %160 : tensor<bf16>
    }) : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xbf16>
    %86 = stablehlo.convert %85 : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xf32>
    %87 = stablehlo.multiply %67, %86 : tensor<8x1024x2048xf32>
    %88 = stablehlo.reduce(%87 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<8x1024x2048xf32>, tensor<f32>) -> tensor<8x1024xf32>
    %89 = stablehlo.reshape %88 : (tensor<8x1024xf32>) -> tensor<8x1024x1xf32>
    %90 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2] : (tensor<8x1024x1xf32>) -> tensor<8x1024x2048xf32>
    %91 = stablehlo.multiply %86, %90 : tensor<8x1024x2048xf32>
    %92 = stablehlo.convert %91 : (tensor<8x1024x2048xf32>) -> tensor<8x1024x2048xbf16>
    %93 = stablehlo.add %0#5, %92 : tensor<8x1024x2048xbf16>
    %94 = stablehlo.multiply %89, %66 : tensor<8x1024x1xf32>
    %95 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x1024x1xf32>
    %96 = stablehlo.divide %94, %95 : tensor<8x1024x1xf32>
    %97 = stablehlo.reduce(%96 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<8x1024x1xf32>, tensor<f32>) -> tensor<8x1024xf32>
    %98 = stablehlo.broadcast_in_dim %97, dims = [0, 1] : (tensor<8x1024xf32>) -> tensor<8x1024x2048xf32>
    %99 = stablehlo.multiply %98, %56 : tensor<8x1024x2048xf32>
    %100 = stablehlo.convert %99 : (tensor<8x1024x2048xf32>) -> tensor<8x1024x2048xbf16>
    %101 = stablehlo.add %93, %100 : tensor<8x1024x2048xbf16>
    %102 = stablehlo.dot_general %101, %49, contracting_dims = [0, 1] x [0, 3] : (tensor<8x1024x2048xbf16>, tensor<8x1x128x1024xbf16>) -> tensor<2048x1x128xbf16>
    %103 = stablehlo.transpose %102, dims = [1, 2, 0] : (tensor<2048x1x128xbf16>) -> tensor<1x128x2048xbf16>
    %104 = stablehlo.dot_general %101, %0#2, contracting_dims = [2] x [2] : (tensor<8x1024x2048xbf16>, tensor<1x128x2048xbf16>) -> tensor<8x1024x1x128xbf16>
    %105 = stablehlo.transpose %104, dims = [0, 2, 3, 1] : (tensor<8x1024x1x128xbf16>) -> tensor<8x1x128x1024xbf16>
    %106 = "stablehlo.all_reduce"(%103) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "data">]>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %160 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %160 : tensor<bf16>
    }) : (tensor<1x128x2048xbf16>) -> tensor<1x128x2048xbf16>
    %107 = stablehlo.dot_general %105, %26, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3] : (tensor<8x1x128x1024xbf16>, tensor<8x1x1024x128xbf16>) -> tensor<8x1x1024x1024xbf16>
    %108 = stablehlo.dot_general %105, %48, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<8x1x128x1024xbf16>, tensor<8x1x1024x1024xbf16>) -> tensor<8x1x128x1024xbf16>
    %109 = stablehlo.transpose %108, dims = [0, 1, 3, 2] : (tensor<8x1x128x1024xbf16>) -> tensor<8x1x1024x128xbf16>
    %110 = stablehlo.convert %107 : (tensor<8x1x1024x1024xbf16>) -> tensor<8x1x1024x1024xf32>
    %111 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2, 3] : (tensor<8x1x1024x1xf32>) -> tensor<8x1x1024x1024xf32>
    %112 = stablehlo.multiply %110, %111 : tensor<8x1x1024x1024xf32>
    %113 = stablehlo.multiply %112, %40 : tensor<8x1x1024x1024xf32>
    %114 = stablehlo.reduce(%113 init: %cst_7) applies stablehlo.add across dimensions = [3] : (tensor<8x1x1024x1024xf32>, tensor<f32>) -> tensor<8x1x1024xf32>
    %115 = stablehlo.reshape %114 : (tensor<8x1x1024xf32>) -> tensor<8x1x1024x1xf32>
    %116 = stablehlo.negate %115 : tensor<8x1x1024x1xf32>
    %117 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<8x1x1024x1xf32>) -> tensor<8x1x1024x1024xf32>
    %118 = stablehlo.divide %110, %117 : tensor<8x1x1024x1024xf32>
    %119 = stablehlo.reduce(%116 init: %cst_7) applies stablehlo.add across dimensions = [1, 3] : (tensor<8x1x1024x1xf32>, tensor<f32>) -> tensor<8x1024xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 2] : (tensor<8x1024xf32>) -> tensor<8x1x1024xf32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2] : (tensor<8x1x1024xf32>) -> tensor<8x1x1024x1024xf32>
    %122 = stablehlo.add %118, %121 : tensor<8x1x1024x1024xf32>
    %123 = stablehlo.multiply %122, %40 : tensor<8x1x1024x1024xf32>
    %124 = call @_where_16(%33#1, %123) : (tensor<8x1x1024x1024xi1>, tensor<8x1x1024x1024xf32>) -> tensor<8x1x1024x1024xf32>
    %125 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x1x1024x1024xf32>
    %126 = stablehlo.divide %124, %125 : tensor<8x1x1024x1024xf32>
    %127 = stablehlo.convert %126 : (tensor<8x1x1024x1024xf32>) -> tensor<8x1x1024x1024xbf16>
    %128 = stablehlo.dot_general %127, %22, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<8x1x1024x1024xbf16>, tensor<8x1x1024x128xbf16>) -> tensor<8x1x1024x128xbf16>
    %129 = stablehlo.dot_general %127, %24, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<8x1x1024x1024xbf16>, tensor<8x1x1024x128xbf16>) -> tensor<8x1x1024x128xbf16>
    %130 = stablehlo.broadcast_in_dim %109, dims = [1, 2, 3, 4] : (tensor<8x1x1024x128xbf16>) -> tensor<1x8x1x1024x128xbf16>
    %131 = stablehlo.pad %130, %cst, low = [2, 0, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x8x1x1024x128xbf16>, tensor<bf16>) -> tensor<3x8x1x1024x128xbf16>
    %132 = stablehlo.broadcast_in_dim %128, dims = [1, 2, 3, 4] : (tensor<8x1x1024x128xbf16>) -> tensor<1x8x1x1024x128xbf16>
    %133 = stablehlo.pad %132, %cst, low = [1, 0, 0, 0, 0], high = [1, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x8x1x1024x128xbf16>, tensor<bf16>) -> tensor<3x8x1x1024x128xbf16>
    %134 = stablehlo.add %131, %133 : tensor<3x8x1x1024x128xbf16>
    %135 = stablehlo.broadcast_in_dim %129, dims = [1, 2, 3, 4] : (tensor<8x1x1024x128xbf16>) -> tensor<1x8x1x1024x128xbf16>
    %136 = stablehlo.pad %135, %cst, low = [0, 0, 0, 0, 0], high = [2, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x8x1x1024x128xbf16>, tensor<bf16>) -> tensor<3x8x1x1024x128xbf16>
    %137 = stablehlo.add %134, %136 : tensor<3x8x1x1024x128xbf16>
    %138 = stablehlo.transpose %137, dims = [0, 2, 4, 1, 3] : (tensor<3x8x1x1024x128xbf16>) -> tensor<3x1x128x8x1024xbf16>
    %139 = stablehlo.dot_general %138, %0#3, contracting_dims = [0, 1, 2] x [1, 2, 3] : (tensor<3x1x128x8x1024xbf16>, tensor<2048x3x1x128xbf16>) -> tensor<8x1024x2048xbf16>
    %140 = stablehlo.dot_general %138, %18, contracting_dims = [3, 4] x [0, 1] : (tensor<3x1x128x8x1024xbf16>, tensor<8x1024x2048xbf16>) -> tensor<3x1x128x2048xbf16>
    %141 = stablehlo.transpose %140, dims = [3, 0, 1, 2] : (tensor<3x1x128x2048xbf16>) -> tensor<2048x3x1x128xbf16>
    %142 = "stablehlo.all_reduce"(%139) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "model">]>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %160 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %160 : tensor<bf16>
    }) : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xbf16>
    %143 = "stablehlo.all_reduce"(%141) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "data">]>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %160 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %160 : tensor<bf16>
    }) : (tensor<2048x3x1x128xbf16>) -> tensor<2048x3x1x128xbf16>
    %144 = stablehlo.convert %142 : (tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xf32>
    %145 = stablehlo.multiply %15, %144 : tensor<8x1024x2048xf32>
    %146 = stablehlo.reduce(%145 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<8x1024x2048xf32>, tensor<f32>) -> tensor<8x1024xf32>
    %147 = stablehlo.reshape %146 : (tensor<8x1024xf32>) -> tensor<8x1024x1xf32>
    %148 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<8x1024x1xf32>) -> tensor<8x1024x2048xf32>
    %149 = stablehlo.multiply %144, %148 : tensor<8x1024x2048xf32>
    %150 = stablehlo.convert %149 : (tensor<8x1024x2048xf32>) -> tensor<8x1024x2048xbf16>
    %151 = stablehlo.add %101, %150 : tensor<8x1024x2048xbf16>
    %152 = stablehlo.multiply %147, %14 : tensor<8x1024x1xf32>
    %153 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x1024x1xf32>
    %154 = stablehlo.divide %152, %153 : tensor<8x1024x1xf32>
    %155 = stablehlo.reduce(%154 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<8x1024x1xf32>, tensor<f32>) -> tensor<8x1024xf32>
    %156 = stablehlo.broadcast_in_dim %155, dims = [0, 1] : (tensor<8x1024xf32>) -> tensor<8x1024x2048xf32>
    %157 = stablehlo.multiply %156, %4 : tensor<8x1024x2048xf32>
    %158 = stablehlo.convert %157 : (tensor<8x1024x2048xf32>) -> tensor<8x1024x2048xbf16>
    %159 = stablehlo.add %151, %158 : tensor<8x1024x2048xbf16>
    return %159, %78, %106, %143, %84 : tensor<8x1024x2048xbf16>, tensor<512x2048xbf16>, tensor<1x128x2048xbf16>, tensor<2048x3x1x128xbf16>, tensor<2048x512xbf16>
  }
  func.func private @tril_13(%arg0: tensor<1024x1024xi1>) -> tensor<1024x1024xi1> {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.iota dim = 0 : tensor<1024x1024xi32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1024x1024xi32>
    %2 = stablehlo.add %0, %1 : tensor<1024x1024xi32>
    %3 = stablehlo.iota dim = 1 : tensor<1024x1024xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<1024x1024xi32>, tensor<1024x1024xi32>) -> tensor<1024x1024xi1>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<1024x1024xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<1024x1024xi1>, tensor<1024x1024xi1>
    return %6 : tensor<1024x1024xi1>
  }
  func.func private @_where_14(%arg0: tensor<1024x1024xi1>, %arg1: tensor<8x1x1024x1024xf32>, %arg2: tensor<f32>) -> (tensor<8x1x1024x1024xf32>, tensor<8x1x1024x1024xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<1024x1024xi1>) -> tensor<8x1x1024x1024xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x1x1024x1024xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<8x1x1024x1024xi1>, tensor<8x1x1024x1024xf32>
    return %3, %1 : tensor<8x1x1024x1024xf32>, tensor<8x1x1024x1024xi1>
  }
  func.func private @relu_15(%arg0: tensor<8x1024x512xbf16>) -> tensor<8x1024x512xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<8x1024x512xbf16>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x1024x512xbf16>
    return %1 : tensor<8x1024x512xbf16>
  }
  func.func private @_where_16(%arg0: tensor<8x1x1024x1024xi1>, %arg1: tensor<8x1x1024x1024xf32>) -> tensor<8x1x1024x1024xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x1x1024x1024xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<8x1x1024x1024xi1>, tensor<8x1x1024x1024xf32>
    return %1 : tensor<8x1x1024x1024xf32>
  }
  func.func private @dynamic_update_index_in_dim_17(%arg0: tensor<24x512x2048xbf16>, %arg1: tensor<512x2048xbf16>, %arg2: tensor<i32>) -> tensor<24x512x2048xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<512x2048xbf16>) -> tensor<1x512x2048xbf16>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c : (tensor<24x512x2048xbf16>, tensor<1x512x2048xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<24x512x2048xbf16>
    return %1 : tensor<24x512x2048xbf16>
  }
  func.func private @dynamic_update_index_in_dim_18(%arg0: tensor<24x1x128x2048xbf16>, %arg1: tensor<1x128x2048xbf16>, %arg2: tensor<i32>) -> tensor<24x1x128x2048xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<1x128x2048xbf16>) -> tensor<1x1x128x2048xbf16>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c, %c : (tensor<24x1x128x2048xbf16>, tensor<1x1x128x2048xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<24x1x128x2048xbf16>
    return %1 : tensor<24x1x128x2048xbf16>
  }
  func.func private @dynamic_update_index_in_dim_19(%arg0: tensor<24x2048x3x1x128xbf16>, %arg1: tensor<2048x3x1x128xbf16>, %arg2: tensor<i32>) -> tensor<24x2048x3x1x128xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2048x3x1x128xbf16>) -> tensor<1x2048x3x1x128xbf16>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c, %c, %c : (tensor<24x2048x3x1x128xbf16>, tensor<1x2048x3x1x128xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<24x2048x3x1x128xbf16>
    return %1 : tensor<24x2048x3x1x128xbf16>
  }
  func.func private @dynamic_update_index_in_dim_20(%arg0: tensor<24x2048x512xbf16>, %arg1: tensor<2048x512xbf16>, %arg2: tensor<i32>) -> tensor<24x2048x512xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2048x512xbf16>) -> tensor<1x2048x512xbf16>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c : (tensor<24x2048x512xbf16>, tensor<1x2048x512xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<24x2048x512xbf16>
    return %1 : tensor<24x2048x512xbf16>
  }
  func.func private @_where_21(%arg0: tensor<8x1024x2048xi1>, %arg1: tensor<8x1024x2048xbf16>) -> tensor<8x1024x2048xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<8x1024x2048xbf16>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<8x1024x2048xi1>, tensor<8x1024x2048xbf16>
    return %1 : tensor<8x1024x2048xbf16>
  }
}
