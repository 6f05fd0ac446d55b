// cf.br
func.func @main(%a: i32, %c: i1, %t: tensor<2xf32>) -> i32 {
  cf.cond_br %c, ^bb1(%a : i32), ^bb2
^bb1(%x: i32):
  cf.br ^bb3(%x, %t : i32, tensor<2xf32>)
^bb2:
  cf.br ^bb1(%a : i32)
^bb3(%y: i32, %z: tensor<2xf32>):
  return %y : i32
}
// -----
// cf.cond_br, weights
func.func @main(%a: i32, %c: i1) -> i32 {
  cf.cond_br %c weights([1, 2]), ^bb1(%a : i32), ^bb2(%a, %a : i32, i32) {foo.bar = 1 : i64}
^bb1(%x: i32):
  return %x : i32
^bb2(%y: i32, %z: i32):
  return %z : i32
}
// -----
// cf.switch
func.func @main(%a: i32) -> i32 {
  cf.switch %a : i32, [
    default: ^bb1(%a : i32),
    42: ^bb2,
    -1: ^bb1(%a : i32)
  ]
^bb1(%x: i32):
  return %x : i32
^bb2:
  return %a : i32
}
// -----
// cf.assert
func.func @main(%c: i1) {
  cf.assert %c, "mismatched \22sizes\22"
  return
}
// -----
// scf.for
func.func @main(%a: index, %b: index, %s: index, %x: f32) -> f32 {
  %0 = scf.for %i = %a to %b step %s iter_args(%acc = %x) -> (f32) {
    %1 = arith.addf %acc, %x : f32
    scf.yield %1 : f32
  }
  scf.for %i = %a to %b step %s {
    %2 = arith.addi %i, %a : index
  }
  return %0 : f32
}
// -----
// scf.for, i32
func.func @main(%a: i32, %b: i32, %s: i32, %x: f32) -> f32 {
  %0:2 = scf.for %i = %a to %b step %s iter_args(%acc = %x, %k = %a) -> (f32, i32)  : i32 {
    scf.yield %acc, %i : f32, i32
  } {some.attr = 1 : i64}
  return %0#0 : f32
}
// -----
// scf.if
func.func @main(%c: i1, %x: f32) -> f32 {
  %0 = scf.if %c -> (f32) {
    scf.yield %x : f32
  } else {
    %1 = arith.mulf %x, %x : f32
    scf.yield %1 : f32
  }
  scf.if %c {
    func.call @g() : () -> ()
  }
  scf.if %c {
  } else {
    func.call @g() : () -> ()
  }
  return %0 : f32
}
func.func private @g()
// -----
// scf.while
func.func @main(%a: i32, %b: i32) -> i32 {
  %0 = scf.while (%x = %a) : (i32) -> i32 {
    %c = arith.cmpi slt, %x, %b : i32
    scf.condition(%c) %x : i32
  } do {
  ^bb0(%y: i32):
    %n = arith.addi %y, %y : i32
    scf.yield %n : i32
  }
  %1:2 = scf.while (%x = %a, %z = %b) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %x, %b : i32
    scf.condition(%c) %x, %z : i32, i32
  } do {
  ^bb0(%y: i32, %w: i32):
    scf.yield %w, %y : i32, i32
  } attributes {foo.bar = 1 : i64}
  return %0 : i32
}
// -----
// scf.while, none
func.func @main(%c: i1) {
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}
// -----
// scf.index_switch
func.func @main(%c: index, %x: f32) -> f32 {
  %0 = scf.index_switch %c -> f32 
  case 2 {
    scf.yield %x : f32
  }
  case 5 {
    scf.yield %x : f32
  }
  default {
    scf.yield %x : f32
  }
  return %0 : f32
}
// -----
// scf.execute_region
func.func @main(%x: f32) -> f32 {
  %0 = scf.execute_region -> f32 {
    scf.yield %x : f32
  }
  return %0 : f32
}
// -----
// memref
func.func @main(%a: index, %x: f32, %m: memref<4x?xf32>) -> f32 {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc(%a) {alignment = 64 : i64} : memref<?xf32>
  %2 = memref.alloca() : memref<4xf32>
  memref.store %x, %0[%a] : memref<4xf32>
  %3 = memref.load %0[%a] : memref<4xf32>
  %4 = memref.load %m[%a, %a] : memref<4x?xf32>
  memref.copy %0, %2 : memref<4xf32> to memref<4xf32>
  %c = arith.constant 0 : index
  %d = memref.dim %m, %c : memref<4x?xf32>
  %5 = memref.cast %1 : memref<?xf32> to memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  return %3 : f32
}
// -----
// memref2
memref.global "private" constant @w : memref<2xf32> = dense<[1.0, 2.0]> {alignment = 64 : i64}
memref.global "private" @u : memref<2xf32> = uninitialized
memref.global @e : memref<2xf32>
func.func @main(%a: index, %x: f32, %m: memref<4x8xf32>) -> memref<2xf32> {
  %0 = memref.get_global @w : memref<2xf32>
  %1 = memref.subview %m[0, 2] [2, 4] [1, 1] : memref<4x8xf32> to memref<2x4xf32, strided<[8, 1], offset: 2>>
  %2 = memref.subview %m[%a, 0] [%a, 4] [1, %a] : memref<4x8xf32> to memref<?x4xf32, strided<[8, ?], offset: ?>>
  %3 = memref.collapse_shape %m [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  %4 = memref.expand_shape %3 [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
  return %0 : memref<2xf32>
}
// -----
// math
func.func @main(%x: f32, %t: tensor<2xf32>, %a: i32) {
  %0 = math.exp %x : f32
  %1 = math.tanh %t : tensor<2xf32>
  %2 = math.powf %x, %x : f32
  %3 = math.fma %x, %x, %x : f32
  %4 = math.absi %a : i32
  %5 = math.absf %x fastmath<fast> : f32
  %6 = math.ctlz %a : i32
  %7 = math.fpowi %x, %a : f32, i32
  %8 = math.ipowi %a, %a : i32
  %9 = math.copysign %x, %x : f32
  %10 = math.atan2 %x, %x : f32
  %11 = math.rsqrt %x : f32
  %12 = math.erf %x : f32
  %13 = math.round %x : f32
  %14 = math.roundeven %x : f32
  %15 = math.log1p %x : f32
  %16 = math.isnan %x : f32
  %17 = math.ctpop %a : i32
  %18, %19 = math.sincos %x : f32
  return
}
// -----
// tensor
func.func @main(%t: tensor<?x4xf32>, %i: index, %x: f32, %s: tensor<2xindex>, %u: tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %0 = tensor.dim %t, %c0 : tensor<?x4xf32>
  %1 = tensor.extract %t[%i, %i] : tensor<?x4xf32>
  %2 = tensor.insert %x into %t[%i, %i] : tensor<?x4xf32>
  %3 = tensor.from_elements %i, %i : tensor<2xindex>
  %4 = tensor.empty(%i) : tensor<?x4xf32>
  %5 = tensor.empty() : tensor<2x4xf32>
  %6 = tensor.cast %t : tensor<?x4xf32> to tensor<2x4xf32>
  %7 = tensor.reshape %t(%s) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %8 = tensor.extract_slice %u[0, 0] [2, 4] [1, 1] : tensor<4x8xf32> to tensor<2x4xf32>
  %9 = tensor.extract_slice %u[%i, 0] [%i, 4] [1, %i] : tensor<4x8xf32> to tensor<?x4xf32>
  %10 = tensor.insert_slice %8 into %u[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x8xf32>
  %11 = tensor.collapse_shape %u [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %12 = tensor.expand_shape %11 [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
  %13 = tensor.splat %x : tensor<2xf32>
  %14 = tensor.rank %t : tensor<?x4xf32>
  %15 = tensor.bitcast %u : tensor<4x8xf32> to tensor<4x8xi32>
  %16 = tensor.generate %i {
  ^bb0(%j: index):
    tensor.yield %x : f32
  } : tensor<?xf32>
  %17 = tensor.pad %u low[1, %i] high[0, 0] {
  ^bb0(%j: index, %k: index):
    tensor.yield %x : f32
  } : tensor<4x8xf32> to tensor<5x?xf32>
  %18 = tensor.concat dim(0) %u, %u : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %19 = tensor.splat %x[%i] : tensor<?x2xf32>
  return
}
// -----
// complex
func.func @main(%x: f32, %z: complex<f32>) {
  %0 = complex.create %x, %x : complex<f32>
  %1 = complex.re %z : complex<f32>
  %2 = complex.im %z : complex<f32>
  %3 = complex.add %z, %z : complex<f32>
  %4 = complex.abs %z : complex<f32>
  %5 = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %6 = complex.eq %z, %z : complex<f32>
  %7 = complex.exp %z fastmath<fast> : complex<f32>
  return
}
// -----
// scf.parallel
func.func @main(%a: index, %b: index, %x: f32, %y: i32) -> (f32, i32) {
  %0:2 = scf.parallel (%i, %j) = (%a, %a) to (%b, %b) step (%a, %b) init (%x, %y) -> (f32, i32) {
    %1 = arith.addi %i, %j : index
    scf.reduce(%x, %y : f32, i32) {
    ^bb0(%l: f32, %r: f32):
      scf.reduce.return %l : f32
    }, {
    ^bb0(%l: i32, %r: i32):
      %2 = arith.addi %l, %r : i32
      scf.reduce.return %2 : i32
    } {foo.bar = 1 : i32}
  } {foo.bar}
  %3 = scf.parallel (%i) = (%a) to (%b) step (%a) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %r: f32):
      scf.reduce.return %r : f32
    }
  }
  return %3, %0#1 : f32, i32
}
// -----
// scf.parallel, without values
func.func @main(%a: index, %b: index) {
  scf.parallel (%i) = (%a) to (%b) step (%a) {
  }
  scf.parallel (%i, %j) = (%a, %b) to (%b, %b) step (%a, %a) {
    scf.reduce
  } {foo.bar = 1 : i64}
  return
}
// -----
// scf.forall
func.func @main(%a: index, %b: index, %x: tensor<8x4xf32>, %y: tensor<2x4xf32>, %z: tensor<2x?xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0:2 = scf.forall (%i, %j) in (4, %b) shared_outs(%o = %x, %p = %x) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
    %1 = arith.addi %i, %j : index
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%1, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x4xf32>
      tensor.parallel_insert_slice %z into %p[%i, %j] [2, %a] [1, %b] {foo.bar = 1 : i32} : tensor<2x?xf32> into tensor<8x4xf32>
    } {foo.bar = 2 : i32}
  } {foo.bar}
  %2 = scf.forall (%i) = (%a) to (8) step (2) shared_outs(%o = %x) -> (tensor<8x4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x4xf32>
    }
  }
  return %0#0, %2 : tensor<8x4xf32>, tensor<8x4xf32>
}
// -----
// scf.forall, without results
func.func @main(%a: index, %b: index) {
  scf.forall (%i) in (%a) {
  }
  scf.forall (%i, %j) = (0, 0) to (%a, 3) step (1, 1) {
    %0 = arith.addi %i, %j : index
  } {foo.bar = 1 : i64}
  scf.forall (%i) = (%b) to (%a) step (%b) {
    scf.forall.in_parallel {
    }
  }
  return
}

// -----
// memref3
func.func @main(%a: index, %m: memref<4xf32>, %s: memref<2xindex>, %b: memref<64xi8>, %u: memref<*xf32>) -> index {
  %0 = memref.rank %u : memref<*xf32>
  %1 = memref.rank %m {k = 1 : i64} : memref<4xf32>
  %2 = memref.memory_space_cast %m : memref<4xf32> to memref<4xf32, 1>
  %3 = memref.reshape %m(%s) : (memref<4xf32>, memref<2xindex>) -> memref<2x2xf32>
  %4 = memref.realloc %m : memref<4xf32> to memref<8xf32>
  %5 = memref.realloc %4(%a) {alignment = 64 : i64} : memref<8xf32> to memref<?xf32>
  %6 = memref.view %b[%a][] : memref<64xi8> to memref<4xf32>
  %7 = memref.view %b[%a][%0, %1] : memref<64xi8> to memref<?x?xf32>
  %8 = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
  return %8 : index
}
