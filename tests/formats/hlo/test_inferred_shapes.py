"""Shapes that a text leaves out, with the layouts that XLA gives them."""

import pytest

from stablemate.formats.hlo.text.reader import read_text
from stablemate.formats.hlo.text.writer import PrintOptions, write_text
from tests.oracle.client import Oracle

PROGRAM = """HloModule m
add {{ x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT z = f32[] add(x, y) }}
less {{ lx = f32[] parameter(0)
  ly = f32[] parameter(1)
  ROOT lz = pred[] compare(lx, ly), direction=LT }}
same {{ ROOT sx = f32[4,6]{{0,1}} parameter(0) }}
ENTRY e {{
  p = f32[4,6]{{0,1}} parameter(0)
  r = f32[4,6]{{1,0}} parameter(1)
  t = f32[4,6]{{1,0:T(8,128)}} parameter(2)
  z = f32[2,4,6]{{0,2,1}} parameter(3)
  i = s32[4,6]{{0,1}} parameter(4)
  y = pred[4,6]{{0,1}} parameter(5)
  c = c64[4,6]{{0,1}} parameter(6)
  v = f32[6] parameter(7)
  q = s32[] parameter(8)
  f = f32[] parameter(9)
  d = s32[3,1] parameter(10)
  u = f32[3,6]{{0,1}} parameter(11)
  k = f32[4,4]{{0,1}} parameter(12)
  w = (s32[], f32[4,6]{{0,1}}) parameter(13)
  o = token[] after-all()
  a = f32[1,4,4,2]{{0,1,2,3}} parameter(14)
  l = f32[3,3,2,2]{{0,1,2,3}} parameter(15)
  b = f32[6,5]{{0,1}} parameter(16)
  h = bf16[4,6]{{0,1}} parameter(17)
  g = f16[4,6]{{1,0}} parameter(18)
  n = bf16[] parameter(19)
  m = f32[1,6] parameter(20)
  ROOT result = {0}
}}
"""

INSTRUCTIONS = """
abs(p)
abs(t)
is-finite(p)
add(p, r)
add(r, p)
add(t, p)
complex(p, r)
real(c)
not(i)
copy(p)
compare(p, r), direction=LT
clamp(f, p, f)
clamp(p, r, p)
select(y, r, r)
transpose(p), dimensions={1,0}
transpose(z), dimensions={2,0,1}
transpose(t), dimensions={1,0}
reverse(p), dimensions={0}
concatenate(p, r), dimensions={0}
pad(p, f), padding=1_1x0_0
broadcast(f), dimensions={}
dot(p, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
convolution(a, l), window={size=3x3}, dim_labels=b01f_01io->b01f
reduce(p, f), dimensions={1}, to_apply=add
reduce(z, f), dimensions={1}, to_apply=add
reduce-window(p, f), window={size=2x2}, to_apply=add
select-and-scatter(p, r, f), window={size=1x1}, select=less, scatter=add
map(p, r), dimensions={0,1}, to_apply=add
sort(p), dimensions={0}, to_apply=less
topk(p), k=2
fft(c), fft_type=FFT, fft_length={6}
gather(p, d), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, \
slice_sizes={1,6}
scatter(p, d, u), update_window_dims={1}, inserted_window_dims={0}, to_apply=add, \
scatter_dims_to_operand_dims={0}, index_vector_dim=1
batch-norm-training(p, v, v), epsilon=0.5, feature_index=1
batch-norm-inference(p, v, v, v, v), epsilon=0.5, feature_index=1
batch-norm-grad(p, v, v, v, r), epsilon=0.5, feature_index=1
cholesky(k)
triangular-solve(k, p), left_side=true, lower=true, transpose_a=ADJOINT
set-dimension-size(p, q), dimensions={1}
get-dimension-size(p), dimensions={1}
tuple(p, q)
get-tuple-element(w), index=1
call(r), to_apply=same
conditional(q, r), branch_computations={same}
add-dependency(p, o)
domain(p), domain={kind="sharding", entry={replicated}, exit={manual}}
add(p, h)
add(h, p)
add(h, g)
add(g, h)
multiply(p, f)
multiply(f, p)
maximum(h, f)
power(n, p)
atan2(p, m)
atan2(m, p)
and(i, q)
complex(p, f)
complex(f, p)
compare(q, i), direction=LT
compare(p, f), direction=LT
compare(h, p), direction=EQ
concatenate(p, h), dimensions={0}
pad(h, f), padding=1_1x0_0
clamp(f, h, n)
select(y, p, h)
"""


@pytest.mark.parametrize("instruction", INSTRUCTIONS.strip().splitlines())
def test_shapes_follow_as_in_xla(instruction: str, oracle: Oracle) -> None:
    text = PROGRAM.format(instruction)
    assert write_text(read_text(text), PrintOptions(reread=True)) == oracle.hlo_text(text)
