// The specification's example, which is Threefry as XLA has it.
func.func @rng_bit_generator_example() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>)
  check.expect_eq_const %0#0, dense<[1, 6]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[[9236835810183407956, 16087790271692313299], [18212823393184779219, 2658481902456610144]]> : tensor<2x2xui64>
  return
}

// Fewer bits are cut off from words of 32, two of which come from one counter; from here on the
// values are those of XLA on a CPU.
func.func @rng_bit_generator_narrow() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  check.expect_eq_const %0#0, dense<[1, 5]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[43444564, 2150618427, 3979645651, 3745730563, 1672743891]> : tensor<5xui32>
  %1:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui16>)
  check.expect_eq_const %1#1, dense<[59732, 54587, 37587, 20483, 3027]> : tensor<5xui16>
  %2:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui8>)
  check.expect_eq_const %2#1, dense<[84, 59, 211, 3, 211]> : tensor<5xui8>
  %3:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui4>)
  check.expect_eq_const %3#1, dense<[4, 11, 3, 3, 3]> : tensor<5xui4>
  return
}

// The first even dimension is halved, or, if there is none, the largest one.
func.func @rng_bit_generator_halves() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui32>)
  check.expect_eq_const %0#0, dense<[1, 8]> : tensor<2xui64>
  %1 = stablehlo.slice %0#1 [0:2, 0:3] : (tensor<3x3xui32>) -> tensor<2x3xui32>
  check.expect_eq_const %1, dense<[[43444564, 3979645651, 1672743891], [2150618427, 3745730563, 4240503393]]> : tensor<2x3xui32>
  %2:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
  check.expect_eq_const %2#0, dense<[1, 8]> : tensor<2xui64>
  %3 = stablehlo.slice %2#1 [0:2, 0:4] : (tensor<3x4xui32>) -> tensor<2x4xui32>
  check.expect_eq_const %3, dense<[[43444564, 2150618427, 3979645651, 3745730563], [1672743891, 4240503393, 2109414752, 618976052]]> : tensor<2x4xui32>
  return
}

// A scalar takes one counter, an empty tensor none.
func.func @rng_bit_generator_few() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
  check.expect_eq_const %0#0, dense<[1, 3]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<43444564> : tensor<ui32>
  %1:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x0xui32>)
  check.expect_eq_const %1#0, dense<[1, 2]> : tensor<2xui64>
  check.expect_eq_const %1#1, dense<> : tensor<2x0xui32>
  return
}

// Philox with a counter of two words, into which the first one overflows; DEFAULT is Philox.
func.func @rng_bit_generator_philox() {
  %state = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui32>)
  check.expect_eq_const %0#0, dense<[1, 4, 3]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[4031113034, 1366700262, 495645701, 3051723414, 89414891]> : tensor<5xui32>
  %1:2 = stablehlo.rng_bit_generator %state, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui64>)
  check.expect_eq_const %1#0, dense<[1, 5, 3]> : tensor<3xui64>
  check.expect_eq_const %1#1, dense<[5869932932755744586, 13107052260063114245, 8234580641674714347, 2641225993340350124, 1962472297844690804]> : tensor<5xui64>
  %full = stablehlo.constant dense<[1, 18446744073709551615, 0]> : tensor<3xui64>
  %2:2 = stablehlo.rng_bit_generator %full, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  check.expect_eq_const %2#0, dense<[1, 0, 1]> : tensor<3xui64>
  check.expect_eq_const %2#1, dense<[3445646411, 2301121763, 3464890863, 494835421]> : tensor<4xui32>
  return
}

// Philox with a counter of one word: the key stands for the second one.
func.func @rng_bit_generator_philox_short_state() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  check.expect_eq_const %0#0, dense<[1, 3]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[2100602697, 2847456232, 2074354647, 800269529]> : tensor<4xui32>
  return
}

// Other types have the same bits: 43444564 is 0x0296E954, 2150618427 is 0x802FD53B.
func.func @rng_bit_generator_types() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xf32>)
  check.expect_eq_const %0#1, dense<[0x0296E954, 0x802FD53B]> : tensor<2xf32>
  %1:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xi32>)
  check.expect_eq_const %1#1, dense<[43444564, -2144348869]> : tensor<2xi32>
  %2:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xbf16>)
  check.expect_eq_const %2#1, dense<[0xE954, 0xD53B]> : tensor<2xbf16>
  %3:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xi4>)
  check.expect_eq_const %3#1, dense<[4, -5]> : tensor<2xi4>
  return
}
