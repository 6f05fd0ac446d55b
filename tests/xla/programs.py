"""Small HLO programs, one or more for each opcode; XLA runs all of them.

Each is the text of a module; arguments are drawn by the types of its parameters.
"""

from __future__ import annotations

from typing import Final

ADD: Final = """
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b) }
"""
MAX: Final = """
max { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] maximum(a, b) }
"""
LESS: Final = """
less { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=LT }
"""

UNARY_FLOAT: Final = (
    *("abs", "ceil", "floor", "round-nearest-afz", "round-nearest-even", "sign", "negate"),
    *("cbrt", "cosine", "sine", "tan", "tanh", "exponential", "exponential-minus-one"),
    *("logistic", "erf", "copy"),
)
UNARY_POSITIVE: Final = ("log", "log-plus-one", "rsqrt", "sqrt")
BINARY_FLOAT: Final = (
    *("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "atan2"),
)
BINARY_INTEGER: Final = (
    *("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "power"),
    *("and", "or", "xor", "shift-left", "shift-right-arithmetic", "shift-right-logical"),
)


def unary(opcode: str, element: str) -> str:
    """A program of one instruction of one operand."""
    shape = f"{element}[2,5]"
    return f"ENTRY e {{ x = {shape} parameter(0)\n ROOT r = {shape} {opcode}(x) }}"


def positive(opcode: str) -> str:
    """The same, of an operand that is made positive."""
    return (
        f"ENTRY e {{ x = f32[7] parameter(0)\n a = f32[7] abs(x)\n ROOT r = f32[7] {opcode}(a) }}"
    )


def binary(opcode: str, element: str) -> str:
    """A program of one instruction of two operands."""
    shape = f"{element}[3,4]"
    return (
        f"ENTRY e {{ x = {shape} parameter(0)\n y = {shape} parameter(1)\n"
        f" ROOT r = {shape} {opcode}(x, y) }}"
    )


TABLES: Final = {
    **{item: unary(item, "f32") for item in UNARY_FLOAT},
    **{item: positive(item) for item in UNARY_POSITIVE},
    **{f"{item} of floats": binary(item, "f32") for item in BINARY_FLOAT},
    **{f"{item} of integers": binary(item, "s32") for item in BINARY_INTEGER},
    **{f"{name} of integers": unary(name, "u32") for name in ("not", "popcnt")},
    "count-leading-zeros": unary("count-leading-zeros", "s16"),
    "not of booleans": unary("not", "pred"),
}

ELEMENTWISE: Final = {
    "power": """ENTRY e { x = f32[5] parameter(0)
      y = f32[5] parameter(1)
      a = f32[5] abs(x)
      ROOT r = f32[5] power(a, y) }""",
    "is-finite": """ENTRY e { x = f32[5] parameter(0)
      ROOT r = pred[5] is-finite(x) }""",
    "complex": """ENTRY e { x = f32[5] parameter(0)
      y = f32[5] parameter(1)
      z = c64[5] complex(x, y)
      re = f32[5] real(z)
      im = f32[5] imag(z)
      n = f32[5] abs(z)
      ROOT r = (f32[5], f32[5], f32[5], c64[5]) tuple(re, im, n, z) }""",
    "compare": """ENTRY e { x = f32[5] parameter(0)
      y = f32[5] parameter(1)
      a = pred[5] compare(x, y), direction=GE
      b = pred[5] compare(x, y), direction=LT, type=TOTALORDER
      c = pred[5] compare(x, x), direction=NE
      ROOT r = (pred[5], pred[5], pred[5]) tuple(a, b, c) }""",
    "compare unsigned": """ENTRY e { x = u8[5] parameter(0)
      y = u8[5] parameter(1)
      ROOT a = pred[5] compare(x, y), direction=GT }""",
    "clamp": """ENTRY e { x = f32[5] parameter(0)
      l = f32[] constant(-0.25)
      h = f32[5] constant({0, 0.5, 1, 2, 3})
      ROOT r = f32[5] clamp(l, x, h) }""",
    "select": """ENTRY e { p = pred[5] parameter(0)
      x = f32[5] parameter(1)
      y = f32[5] parameter(2)
      s = pred[] constant(false)
      a = f32[5] select(p, x, y)
      b = f32[5] select(s, x, y)
      ROOT r = (f32[5], f32[5]) tuple(a, b) }""",
    "convert": """ENTRY e { x = f32[5] parameter(0)
      a = s32[5] convert(x)
      b = f16[5] convert(x)
      c = pred[5] convert(x)
      d = u8[5] convert(x)
      ROOT r = (s32[5], f16[5], pred[5], u8[5]) tuple(a, b, c, d) }""",
    "bitcast-convert": """ENTRY e { x = f32[5] parameter(0)
      a = s32[5] bitcast-convert(x)
      b = u8[5,4] bitcast-convert(x)
      c = f32[5] bitcast-convert(b)
      ROOT r = (s32[5], u8[5,4], f32[5]) tuple(a, b, c) }""",
    "reduce-precision": """ENTRY e { x = f32[5] parameter(0)
      ROOT a = f32[5] reduce-precision(x), exponent_bits=5, mantissa_bits=3 }""",
}

SHAPING: Final = {
    "constant": """ENTRY e { a = f32[2,2] constant({{1, 2}, {3, nan}})
      b = s32[] constant(7)
      c = pred[3] constant({1, 0, 1})
      d = c64[2] constant({(1, 2), (3, -4)})
      e = bf16[0] constant({})
      ROOT r = (f32[2,2], s32[], pred[3], c64[2], bf16[0]) tuple(a, b, c, d, e) }""",
    "iota": """ENTRY e { a = s32[3,4] iota(), iota_dimension=1
      b = f32[3] iota(), iota_dimension=0
      ROOT r = (s32[3,4], f32[3]) tuple(a, b) }""",
    "broadcast": """ENTRY e { x = f32[3] parameter(0)
      s = f32[] constant(2.5)
      m = f32[2,3] parameter(1)
      a = f32[2,3] broadcast(x), dimensions={1}
      b = f32[2] broadcast(s), dimensions={}
      c = f32[3,4,2] broadcast(m), dimensions={2,0}
      ROOT r = (f32[2,3], f32[2], f32[3,4,2]) tuple(a, b, c) }""",
    "reshape": """ENTRY e { x = f32[2,6] parameter(0)
      a = f32[3,4] reshape(x)
      ROOT b = f32[2,2,3] reshape(a) }""",
    "transpose": """ENTRY e { x = f32[2,3,4] parameter(0)
      ROOT a = f32[4,2,3] transpose(x), dimensions={2,0,1} }""",
    "reverse": """ENTRY e { x = f32[2,3] parameter(0)
      ROOT a = f32[2,3] reverse(x), dimensions={1} }""",
    "concatenate": """ENTRY e { x = f32[2,3] parameter(0)
      y = f32[2,1] parameter(1)
      ROOT a = f32[2,7] concatenate(x, y, x), dimensions={1} }""",
    "slice": """ENTRY e { x = f32[7,4] parameter(0)
      ROOT a = f32[3,2] slice(x), slice={[1:6:2], [2:4]} }""",
    "pad": """ENTRY e { x = f32[3,4] parameter(0)
      v = f32[] constant(9)
      ROOT a = f32[8,2] pad(x, v), padding=1_2_1x-1_-1 }""",
    "dynamic-slice": """ENTRY e { x = f32[5,4] parameter(0)
      i = s32[] constant(4)
      j = s32[] constant(-3)
      ROOT a = f32[2,2] dynamic-slice(x, i, j), dynamic_slice_sizes={2,2} }""",
    "dynamic-update-slice": """ENTRY e { x = f32[5,4] parameter(0)
      u = f32[2,2] parameter(1)
      i = s32[] constant(1)
      j = s32[] constant(9)
      ROOT a = f32[5,4] dynamic-update-slice(x, u, i, j) }""",
    "gather": """ENTRY e { x = f32[3,5] parameter(0)
      i = s32[4,1] constant({{0}, {2}, {1}, {7}})
      ROOT a = f32[4,5] gather(x, i), offset_dims={1}, collapsed_slice_dims={0},
        start_index_map={0}, index_vector_dim=1, slice_sizes={1,5} }""",
    "gather with batches": """ENTRY e { x = f32[2,5] parameter(0)
      i = s32[2,3] constant({{0, 1, 4}, {2, 2, 3}})
      ROOT a = f32[2,3] gather(x, i), offset_dims={}, collapsed_slice_dims={1},
        start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={0},
        index_vector_dim=2, slice_sizes={1,1} }""",
    "scatter": ADD
    + """ENTRY e { x = f32[3,5] parameter(0)
      i = s32[2,1] constant({{2}, {9}})
      u = f32[2,5] parameter(1)
      ROOT a = f32[3,5] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0},
        scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add }""",
    "scatter of windows": ADD
    + """ENTRY e { x = f32[4,5] parameter(0)
      i = s8[6,2] constant({{0, 0}, {2, 3}, {-1, 1}, {3, 2}, {1, 4}, {2, -128}})
      u = f32[6,2,2] parameter(1)
      ROOT a = f32[4,5] scatter(x, i, u), update_window_dims={1,2}, inserted_window_dims={},
        scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, to_apply=add }""",
    "scatter of a window": ADD
    + """ENTRY e { x = f32[2,5] parameter(0)
      i = u32[2,3] constant({{0, 3, 4}, {2, 4294967295, 1}})
      u = f32[2,3,2] parameter(1)
      ROOT a = f32[2,5] scatter(x, i, u), update_window_dims={2}, inserted_window_dims={},
        input_batching_dims={0}, scatter_indices_batching_dims={0},
        scatter_dims_to_operand_dims={1}, index_vector_dim=2, to_apply=add }""",
    "variadic scatter": """
    both { a = f32[] parameter(0)
      b = s32[] parameter(1)
      c = f32[] parameter(2)
      d = s32[] parameter(3)
      s = f32[] add(a, c)
      m = s32[] maximum(b, d)
      ROOT r = (f32[], s32[]) tuple(s, m) }
    ENTRY e { x = f32[5] parameter(0)
      y = s32[5] parameter(1)
      i = s32[2,1] constant({{2}, {2}})
      u = f32[2] parameter(2)
      v = s32[2] parameter(3)
      ROOT a = (f32[5], s32[5]) scatter(x, y, i, u, v), update_window_dims={},
        inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1,
        to_apply=both }""",
    "sizes": """ENTRY e { x = f32[4,3] parameter(0)
      n = s32[] constant(2)
      d = f32[<=4,3] set-dimension-size(x, n), dimensions={0}
      k = s32[] get-dimension-size(d), dimensions={0}
      m = f32[<=4,3] negate(d)
      w = s32[] constant(4)
      s = f32[4,3] set-dimension-size(m, w), dimensions={0}
      t = f32[1,3] slice(s), slice={[0:1], [0:3]}
      ROOT r = (s32[], f32[1,3]) tuple(k, t) }""",
    "sizes that grow": """ENTRY e { x = f32[4,3] parameter(0)
      n = s32[] constant(1)
      d = f32[<=4,3] set-dimension-size(x, n), dimensions={0}
      m = s32[] constant(3)
      g = f32[<=4,3] set-dimension-size(d, m), dimensions={0}
      k = s32[] get-dimension-size(g), dimensions={0}
      w = s32[] constant(4)
      s = f32[4,3] set-dimension-size(g, w), dimensions={0}
      ROOT r = (s32[], f32[4,3]) tuple(k, s) }""",
}

REDUCING: Final = {
    "reduce": ADD
    + """ENTRY e { x = f32[3,5,2] parameter(0)
      z = f32[] constant(1)
      ROOT a = f32[5] reduce(x, z), dimensions={2,0}, to_apply=add }""",
    "variadic reduce": """
    pick { a = f32[] parameter(0)
      i = s32[] parameter(1)
      b = f32[] parameter(2)
      j = s32[] parameter(3)
      p = pred[] compare(a, b), direction=GE
      v = f32[] select(p, a, b)
      k = s32[] select(p, i, j)
      ROOT r = (f32[], s32[]) tuple(v, k) }
    ENTRY e { x = f32[3,5] parameter(0)
      i = s32[3,5] iota(), iota_dimension=1
      m = f32[] constant(-inf)
      z = s32[] constant(0)
      ROOT a = (f32[3], s32[3]) reduce(x, i, m, z), dimensions={1}, to_apply=pick }""",
    "reduce-window": MAX
    + """ENTRY e { x = f32[6,7] parameter(0)
      z = f32[] constant(-inf)
      ROOT a = f32[4,3] reduce-window(x, z), to_apply=max,
        window={size=2x3 stride=2x2 pad=1_1x0_0} }""",
    "dilated reduce-window": ADD
    + """ENTRY e { x = f32[6,7] parameter(0)
      z = f32[] constant(0)
      ROOT a = f32[10,3] reduce-window(x, z), to_apply=add,
        window={size=2x3 lhs_dilate=2x1 rhs_dilate=1x2} }""",
    "reduce-window of a first value that counts once": ADD
    + """ENTRY e { x = f32[6,7] parameter(0)
      z = f32[] parameter(1)
      a = f32[7,9] reduce-window(x, z), to_apply=add, window={size=2x1 pad=1_1x1_1}
      b = f32[6,13] reduce-window(x, z), to_apply=add, window={size=1x1 lhs_dilate=1x2}
      c = f32[5,8] reduce-window(x, z), to_apply=add,
        window={size=2x2 stride=1x2 pad=-1_1x1_-2 lhs_dilate=1x3 rhs_dilate=1x2}
      ROOT r = (f32[7,9], f32[6,13], f32[5,8]) tuple(a, b, c) }""",
    "reduce-window of constants that count once": """
    product { a = s32[] parameter(0)
      b = s32[] parameter(1)
      ROOT r = s32[] multiply(a, b) }
    ENTRY e { x = s32[4] parameter(0)
      z = s32[] constant(3)
      o = s32[] constant(1)
      a = s32[8] reduce-window(x, z), to_apply=product, window={size=1 pad=2_2}
      b = s32[6] reduce-window(x, o), to_apply=product, window={size=3 pad=2_2}
      ROOT r = (s32[8], s32[6]) tuple(a, b) }""",
    "reduce-window of pairs that count once": """
    sums { v = f32[] parameter(0)
      i = s32[] parameter(1)
      w = f32[] parameter(2)
      j = s32[] parameter(3)
      a = f32[] add(v, w)
      b = s32[] add(i, j)
      ROOT r = (f32[], s32[]) tuple(a, b) }
    ENTRY e { x = f32[2,4] parameter(0)
      i = s32[2,4] parameter(1)
      z = f32[] constant(10)
      k = s32[] constant(5)
      ROOT b = (f32[2,5], s32[2,5]) reduce-window(x, i, z, k), to_apply=sums,
        window={size=1x2 pad=0_0x1_1} }""",
    "select-and-scatter": ADD
    + """ge { a = f32[] parameter(0)
      b = f32[] parameter(1)
      ROOT r = pred[] compare(a, b), direction=GE }
    ENTRY e { x = f32[6,6] parameter(0)
      s = f32[3,3] parameter(1)
      z = f32[] constant(0)
      ROOT a = f32[6,6] select-and-scatter(x, s, z), select=ge, scatter=add,
        window={size=2x2 stride=2x2} }""",
    "map": """
    f { a = f32[] parameter(0)
      b = f32[] parameter(1)
      p = f32[] multiply(a, b)
      ROOT r = f32[] tanh(p) }
    ENTRY e { x = f32[2,3] parameter(0)
      y = f32[2,3] parameter(1)
      ROOT a = f32[2,3] map(x, y), dimensions={0,1}, to_apply=f }""",
    "sort": LESS
    + """ENTRY e { x = f32[3,5] parameter(0)
      ROOT a = f32[3,5] sort(x), dimensions={1}, to_apply=less }""",
    "variadic sort": """
    less { a = f32[] parameter(0)
      b = f32[] parameter(1)
      c = s32[] parameter(2)
      d = s32[] parameter(3)
      ROOT r = pred[] compare(a, b), direction=GT }
    ENTRY e { x = f32[5,3] parameter(0)
      i = s32[5,3] iota(), iota_dimension=0
      ROOT a = (f32[5,3], s32[5,3]) sort(x, i), dimensions={0}, is_stable=true, to_apply=less }""",
    "scan": """
    step { x = f32[] parameter(0)
      c = f32[] parameter(1)
      s = f32[] add(x, c)
      p = f32[] multiply(x, s)
      ROOT r = (f32[], f32[]) tuple(p, s) }
    ENTRY e { x = f32[4] parameter(0)
      z = f32[] constant(1)
      ROOT r = (f32[4], f32[]) scan(x, z), dimensions={0}, num_carries=1, to_apply=step }""",
    "topk": """ENTRY e { x = f32[3,8] parameter(0)
      ROOT a = (f32[3,3], s32[3,3]) topk(x), k=3, largest=true }""",
    "smallest topk": """ENTRY e { x = f32[3,8] parameter(0)
      ROOT a = (f32[3,3], s32[3,3]) topk(x), k=3, largest=false }""",
}

LINEAR: Final = {
    "dot": """ENTRY e { x = f32[3,4] parameter(0)
      y = f32[4,5] parameter(1)
      ROOT a = f32[3,5] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0},
        operand_precision={highest,default} }""",
    "dot with batches": """ENTRY e { x = f32[2,3,4] parameter(0)
      y = f32[5,4,2] parameter(1)
      ROOT a = f32[2,3,5] dot(x, y), lhs_batch_dims={0}, rhs_batch_dims={2},
        lhs_contracting_dims={2}, rhs_contracting_dims={1} }""",
    "dot of narrow numbers": """ENTRY e { x = bf16[3,4] parameter(0)
      y = bf16[4,5] parameter(1)
      a = f32[3,5] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
      s = s8[3,4] parameter(2)
      t = s8[4,5] parameter(3)
      b = s32[3,5] dot(s, t), lhs_contracting_dims={1}, rhs_contracting_dims={0}
      ROOT r = (f32[3,5], s32[3,5]) tuple(a, b) }""",
    "dot by an algorithm": """ENTRY e { x = f32[3,4] parameter(0)
      y = f32[4,5] parameter(1)
      ROOT a = f32[3,5] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0},
        algorithm=dot_f32_f32_f32 }""",
    "convolution": """ENTRY e { x = f32[2,6,5,3] parameter(0)
      w = f32[3,2,3,4] parameter(1)
      ROOT a = f32[2,3,6,4] convolution(x, w), dim_labels=b01f_01io->b01f,
        window={size=3x2 stride=2x1 pad=1_1x1_1 rhs_reversal=1x0} }""",
    "grouped convolution": """ENTRY e { x = f32[1,5,4] parameter(0)
      w = f32[3,2,6] parameter(1)
      ROOT a = f32[1,7,6] convolution(x, w), dim_labels=b0f_0io->b0f,
        window={size=3 pad=2_2 lhs_dilate=1 rhs_dilate=1}, feature_group_count=2 }""",
    "batched convolution": """ENTRY e { x = f32[4,5,3] parameter(0)
      w = f32[3,3,6] parameter(1)
      ROOT a = f32[2,7,6] convolution(x, w), dim_labels=b0f_0io->b0f,
        window={size=3 lhs_dilate=2}, batch_group_count=2 }""",
    "convolution without windows": """ENTRY e { x = f32[4,3] parameter(0)
      w = f32[3,6] parameter(1)
      ROOT a = f32[4,6] convolution(x, w), dim_labels=bf_io->bf }""",
    "cholesky": """ENTRY e { x = f32[3,3] parameter(0)
      t = f32[3,3] transpose(x), dimensions={1,0}
      p = f32[3,3] dot(x, t), lhs_contracting_dims={1}, rhs_contracting_dims={0}
      c = f32[3,3] constant({{3,0,0},{0,3,0},{0,0,3}})
      s = f32[3,3] add(p, c)
      k = f32[3,3] cholesky(s), lower=true
      i = s32[3,3] iota(), iota_dimension=0
      j = s32[3,3] iota(), iota_dimension=1
      m = pred[3,3] compare(i, j), direction=GE
      z = f32[3,3] constant({{0,0,0},{0,0,0},{0,0,0}})
      ROOT a = f32[3,3] select(m, k, z) }""",
    "triangular-solve": """ENTRY e { x = f32[3,3] parameter(0)
      c = f32[3,3] constant({{5,0,0},{0,5,0},{0,0,5}})
      s = f32[3,3] add(x, c)
      b = f32[2,3] parameter(1)
      ROOT a = f32[2,3] triangular-solve(s, b), lower=true, transpose_a=TRANSPOSE }""",
    "fft": """ENTRY e { x = f32[2,8] parameter(0)
      a = c64[2,5] fft(x), fft_type=RFFT, fft_length={8}
      b = f32[2,8] fft(a), fft_type=IRFFT, fft_length={8}
      c = c64[2,5] fft(a), fft_type=FFT, fft_length={2,5}
      d = c64[2,5] fft(c), fft_type=IFFT, fft_length={5}
      ROOT r = (c64[2,5], f32[2,8], c64[2,5], c64[2,5]) tuple(a, b, c, d) }""",
    "batch-norm-training": """ENTRY e { x = f32[4,3,2] parameter(0)
      s = f32[3] parameter(1)
      o = f32[3] parameter(2)
      ROOT a = (f32[4,3,2], f32[3], f32[3]) batch-norm-training(x, s, o), epsilon=0.01,
        feature_index=1 }""",
    "batch-norm-inference": """ENTRY e { x = f32[4,3] parameter(0)
      s = f32[3] parameter(1)
      o = f32[3] parameter(2)
      m = f32[3] parameter(3)
      w = f32[3] parameter(4)
      v = f32[3] abs(w)
      ROOT a = f32[4,3] batch-norm-inference(x, s, o, m, v), epsilon=0.01, feature_index=1 }""",
    "batch-norm-grad": """ENTRY e { x = f32[4,3] parameter(0)
      s = f32[3] parameter(1)
      m = f32[3] parameter(2)
      w = f32[3] parameter(3)
      v = f32[3] abs(w)
      g = f32[4,3] parameter(4)
      ROOT a = (f32[4,3], f32[3], f32[3]) batch-norm-grad(x, s, m, v, g), epsilon=0.01,
        feature_index=1 }""",
    "stochastic-convert": """ENTRY e { x = f32[9] parameter(0)
      s = f32[] constant(7)
      b = f32[9] broadcast(s), dimensions={}
      y = f32[9] multiply(x, b)
      u = u32[9] bitcast-convert(x)
      ROOT r = s8[9] stochastic-convert(y, u) }""",
    "rng-get-and-update-state": """ENTRY e {
      ROOT a = u64[2] rng-get-and-update-state(), delta=5 }""",
    "rng-bit-generator": """ENTRY e { s = u64[2] parameter(0)
      ROOT a = (u64[2], u32[5,3]) rng-bit-generator(s), algorithm=rng_three_fry }""",
}

CONTROL: Final = {
    "nested tuples": """ENTRY e { p = (f32[2], (s32[], f32[3])) parameter(0)
      q = (s32[], f32[3]) get-tuple-element(p), index=1
      x = f32[3] get-tuple-element(q), index=1
      y = f32[2] get-tuple-element(p), index=0
      n = f32[3] negate(x)
      t = (f32[3], f32[2]) tuple(n, y)
      u = () tuple()
      ROOT r = ((f32[3], f32[2]), (s32[], f32[3]), ()) tuple(t, q, u) }""",
    "call": """
    f { a = f32[3] parameter(0)
      b = f32[3] parameter(1)
      s = f32[3] subtract(a, b)
      ROOT r = (f32[3], f32[3]) tuple(s, a) }
    ENTRY e { x = f32[3] parameter(0)
      y = f32[3] parameter(1)
      c = (f32[3], f32[3]) call(x, y), to_apply=f
      s = f32[3] get-tuple-element(c), index=0
      d = (f32[3], f32[3]) call(s, y), to_apply=f
      ROOT r = ((f32[3], f32[3]), (f32[3], f32[3])) tuple(c, d) }""",
    "while": """
    cond { p = (s32[], f32[3]) parameter(0)
      i = s32[] get-tuple-element(p), index=0
      n = s32[] constant(5)
      ROOT r = pred[] compare(i, n), direction=LT }
    body { p = (s32[], f32[3]) parameter(0)
      i = s32[] get-tuple-element(p), index=0
      x = f32[3] get-tuple-element(p), index=1
      o = s32[] constant(1)
      j = s32[] add(i, o)
      s = f32[3] sine(x)
      ROOT r = (s32[], f32[3]) tuple(j, s) }
    ENTRY e { x = f32[3] parameter(0)
      z = s32[] constant(0)
      t = (s32[], f32[3]) tuple(z, x)
      ROOT w = (s32[], f32[3]) while(t), condition=cond, body=body }""",
    "while of an array": """
    cond { p = s32[] parameter(0)
      n = s32[] constant(100)
      ROOT r = pred[] compare(p, n), direction=LT }
    body { p = s32[] parameter(0)
      ROOT r = s32[] add(p, p) }
    ENTRY e { x = s32[] constant(3)
      ROOT w = s32[] while(x), condition=cond, body=body }""",
    "conditional by a predicate": """
    yes { p = (f32[3], f32[3]) parameter(0)
      a = f32[3] get-tuple-element(p), index=0
      ROOT r = f32[3] negate(a) }
    no { p = f32[3] parameter(0)
      ROOT r = f32[3] exponential(p) }
    ENTRY e { p = pred[] parameter(0)
      x = f32[3] parameter(1)
      y = f32[3] parameter(2)
      t = (f32[3], f32[3]) tuple(x, y)
      ROOT r = f32[3] conditional(p, t, y), true_computation=yes, false_computation=no }""",
    "conditional by an index": """
    zero { p = f32[] parameter(0)
      ROOT r = (f32[], f32[]) tuple(p, p) }
    one { p = f32[] parameter(0)
      n = f32[] negate(p)
      ROOT r = (f32[], f32[]) tuple(n, p) }
    two { p = () parameter(0)
      n = f32[] constant(8)
      ROOT r = (f32[], f32[]) tuple(n, n) }
    ENTRY e { x = f32[] parameter(0)
      u = () tuple()
      i = s32[] constant(7)
      j = s32[] constant(1)
      a = (f32[], f32[]) conditional(i, x, x, u), branch_computations={zero, one, two}
      b = (f32[], f32[]) conditional(j, x, x, u), branch_computations={zero, one, two}
      ROOT r = ((f32[], f32[]), (f32[], f32[])) tuple(a, b) }""",
    "result accuracy": """ENTRY e { x = f32[5] parameter(0)
      ROOT r = f32[5] tanh(x), result_accuracy={mode=highest} }""",
    "fusion": """
    fused { a = f32[3,4] parameter(0)
      b = f32[4] parameter(1)
      c = f32[3,4] broadcast(b), dimensions={1}
      ROOT d = f32[3,4] multiply(a, c) }
    ENTRY e { x = f32[3,4] parameter(0)
      y = f32[4] parameter(1)
      f = f32[3,4] fusion(x, y), kind=kLoop, calls=fused
      ROOT n = f32[3,4] negate(f) }""",
    "opt-barrier": """ENTRY e { x = f32[3] parameter(0)
      y = f32[2] parameter(1)
      t = (f32[3], f32[2]) tuple(x, y)
      ROOT b = (f32[3], f32[2]) opt-barrier(t) }""",
    "after-all": """ENTRY e { x = f32[3] parameter(0)
      t = token[] after-all()
      u = token[] after-all()
      v = token[] after-all(t, u)
      ROOT d = f32[3] negate(x) }""",
    "copy": """ENTRY e { x = f32[2,3]{1,0} parameter(0)
      c = f32[2,3]{0,1} copy(x)
      ROOT d = f32[2,3]{1,0} copy(c) }""",
}

PROGRAMS: Final = {
    **TABLES,
    **ELEMENTWISE,
    **SHAPING,
    **REDUCING,
    **LINEAR,
    **CONTROL,
}
