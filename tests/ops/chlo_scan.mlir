func.func @scan_sums() {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = chlo.scan(%a) inits (%zero) dimension=0 {
  ^bb0(%input: tensor<i32>, %carry: tensor<i32>):
    %1 = stablehlo.add %input, %carry : tensor<i32>
    stablehlo.return %1, %1 : tensor<i32>, tensor<i32>
  } : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  check.expect_eq_const %0#0, dense<[1, 3, 6, 10]> : tensor<4xi32>
  check.expect_eq_const %0#1, dense<10> : tensor<i32>
  return
}

func.func @scan_reverse() {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = chlo.scan(%a) inits (%zero) dimension=0 attributes {is_associative = true, is_reverse = true} {
  ^bb0(%input: tensor<i32>, %carry: tensor<i32>):
    %1 = stablehlo.add %input, %carry : tensor<i32>
    stablehlo.return %1, %1 : tensor<i32>, tensor<i32>
  } : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  check.expect_eq_const %0#0, dense<[10, 9, 7, 4]> : tensor<4xi32>
  check.expect_eq_const %0#1, dense<10> : tensor<i32>
  return
}

// Slices along the last dimension, two inputs and two outputs; the body has a region of its own.
func.func @scan_of_columns() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %b = stablehlo.constant dense<[[1, 0, 1], [1, 0, 0]]> : tensor<2x3xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = chlo.scan(%a, %b) inits (%init) dimension=1 {
  ^bb0(%x: tensor<2xi32>, %y: tensor<2xi32>, %carry: tensor<i32>):
    %1 = stablehlo.multiply %x, %y : tensor<2xi32>
    %2 = stablehlo.compare EQ, %1, %x : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
    %4 = stablehlo.add %3, %carry : tensor<i32>
    stablehlo.return %1, %2, %4 : tensor<2xi32>, tensor<2xi1>, tensor<i32>
  } : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<i32>) -> (tensor<2x3xi32>, tensor<2x3xi1>, tensor<i32>)
  check.expect_eq_const %0#0, dense<[[1, 0, 3], [4, 0, 0]]> : tensor<2x3xi32>
  check.expect_eq_const %0#1, dense<[[true, false, true], [true, false, false]]> : tensor<2x3xi1>
  check.expect_eq_const %0#2, dense<8> : tensor<i32>
  return
}

// Without inputs the size is stated.
func.func @scan_without_inputs() {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = chlo.scan() inits (%one) dimension=0 attributes {scan_dim_size = 5 : i64} {
  ^bb0(%carry: tensor<i32>):
    %1 = stablehlo.add %carry, %carry : tensor<i32>
    stablehlo.return %carry, %1 : tensor<i32>, tensor<i32>
  } : (tensor<i32>) -> (tensor<5xi32>, tensor<i32>)
  check.expect_eq_const %0#0, dense<[1, 2, 4, 8, 16]> : tensor<5xi32>
  check.expect_eq_const %0#1, dense<32> : tensor<i32>
  return
}

func.func @scan_without_carries() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = chlo.scan(%a) inits () dimension=0 {
  ^bb0(%input: tensor<f32>):
    %1 = chlo.square %input : tensor<f32> -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  } : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[1.0, 4.0]> : tensor<2xf32>
  return
}

func.func @scan_of_no_slices() {
  %a = stablehlo.constant dense<> : tensor<0x2xf32>
  %init = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0:2 = chlo.scan(%a) inits (%init) dimension=0 {
  ^bb0(%input: tensor<2xf32>, %carry: tensor<2xf32>):
    %1 = stablehlo.add %input, %carry : tensor<2xf32>
    stablehlo.return %1, %1 : tensor<2xf32>, tensor<2xf32>
  } : (tensor<0x2xf32>, tensor<2xf32>) -> (tensor<0x2xf32>, tensor<2xf32>)
  check.expect_eq_const %0#1, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}
