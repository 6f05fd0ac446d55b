"""Instructions of every opcode, with attributes of every kind, as HLO text.

A row is an instruction without its name; behind ``|`` stand attributes to be tried one after
another, each one apart. They stand in ``PROGRAM``, whose parameters they use.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

PROGRAM: Final = """HloModule m

add {{
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT z = f32[] add(x, y)
}}

greater {{
  gx = f32[] parameter(0)
  gy = f32[] parameter(1)
  ROOT gz = pred[] compare(gx, gy), direction=GT
}}

same {{
  ROOT sx = f32[4,6] parameter(0)
}}

pair {{
  ROOT px = (s32[], f32[4,6]) parameter(0)
}}

on {{
  ox = (s32[], f32[4,6]) parameter(0)
  ROOT oy = pred[] constant(true)
}}

twice {{
  tx = f32[4,6] parameter(0)
  ty = f32[4,6] negate(tx)
  ROOT tz = f32[4,6] negate(ty)
}}

step {{
  cx = f32[6] parameter(0)
  cy = f32[6] parameter(1)
  ROOT ct = (f32[6], f32[6]) tuple(cx, cy)
}}

ENTRY e {{
  p = f32[4,6] parameter(0)
  q = s32[] parameter(1)
  b = f32[6,5] parameter(2)
  f = f32[] parameter(3)
  v = f32[6] parameter(4)
  i = s32[4,6] parameter(5)
  c = c64[4,6] parameter(6)
  n = pred[] parameter(7)
  m = pred[4,6] parameter(8)
  w = (s32[], f32[4,6]) parameter(9)
  d = s32[3,1] parameter(10)
  s = f32[3,6] parameter(11)
  k = u64[2] parameter(12)
  u = u32[4,6] parameter(13)
  a = f32[1,4,4,2] parameter(14)
  l = f32[3,3,2,2] parameter(15)
  t = token[] after-all()
  rc = (f32[4,6], u32[], token[]) recv(t), channel_id=1
  sd = (f32[4,6], u32[], token[]) send(p, t), channel_id=1
  ar = f32[4,6] all-reduce-start(p), to_apply=add
  ag = (f32[4,6], f32[8,6]) all-gather-start(p), dimensions={{0}}
  cp = (f32[4,6], f32[4,6], u32[], u32[]) collective-permute-start(p), source_target_pairs={{}}
  ROOT r = {0}
}}
"""

UNARY: Final = (
    *("abs", "ceil", "floor", "round-nearest-afz", "round-nearest-even", "sign", "negate", "cbrt"),
    *("cosine", "sine", "tan", "tanh", "exponential", "exponential-minus-one", "log", "rsqrt"),
    *("log-plus-one", "logistic", "sqrt", "acos", "acosh", "asin", "asinh", "atanh", "cosh"),
    *("sinh", "erf", "is-finite", "copy"),
)
BINARY: Final = (
    *("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "power"),
    *("atan2", "complex"),
)
INTEGRAL: Final = (
    *("and", "or", "xor", "shift-left", "shift-right-arithmetic", "shift-right-logical", "mulhi"),
)

OPERATIONS: Final = """
tuple(p, q)
() tuple()
f32[4,6] opt-barrier(p)
compare(p, p) | direction=EQ | direction=LT, type=TOTALORDER | direction=LT, type=FLOAT
compare(i, i) | direction=GE, type=SIGNED
compare(m, m) | direction=NE, type=UNSIGNED
clamp(f, p, f)
select(m, p, p)
f32[4,6] select(n, p, p)
s32[4,6] convert(p)
s32[4,6] bitcast-convert(p)
s8[4,6] stochastic-convert(p, u)
s32[4,6]{0,1} bitcast(p)
f32[4,6]{0,1} copy(p)
f32[4,6] reduce-precision(p) | exponent_bits=5, mantissa_bits=10
broadcast(f) | dimensions={}
f32[2] broadcast(f)
f32[4,6] broadcast(v) | dimensions={1}
f32[4,6] iota() | iota_dimension=1
f32[24] reshape(p) | inferred_dimension=0 | inferred_dimension=-1
f32[<=4,6] dynamic-reshape(p, q, q)
f32[6,4] transpose(p) | dimensions={1,0}
reverse(p) | dimensions={1} | dimensions={}
concatenate(p, p) | dimensions={0}
f32[2,6] slice(p) | slice={[0:4:2], [0:6]} | slice={[0:2:1],[0:6:1]}
f32[2,6] dynamic-slice(p, q, q) | dynamic_slice_sizes={2,6}
f32[4,6] dynamic-update-slice(p, p, q, q)
pad(p, f) | padding=1_2_0x0_0 | padding=0_0x0_0_2 | padding=1_2x-1_0
gather(p, d) | offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, \
slice_sizes={1,6}, indices_are_sorted=true, operand_batching_dims={}, start_indices_batching_dims={}
f32[3,6] gather(p, d) | offset_dims={1}, collapsed_slice_dims={}, start_index_map={}, \
index_vector_dim=1, slice_sizes={1,6}, operand_batching_dims={0}, start_indices_batching_dims={0}
scatter(p, d, s) | update_window_dims={1}, inserted_window_dims={0}, \
scatter_dims_to_operand_dims={0}, index_vector_dim=1, indices_are_sorted=true, \
unique_indices=true, to_apply=add
f32[4,6] scatter(p, d, s) | update_window_dims={1}, inserted_window_dims={}, to_apply=add, \
scatter_dims_to_operand_dims={}, index_vector_dim=1, input_batching_dims={0}, \
scatter_indices_batching_dims={0}
dot(p, b) | lhs_contracting_dims={1}, rhs_contracting_dims={0}
dot(p, b) | lhs_contracting_dims={1}, rhs_contracting_dims={0}, algorithm=DOT_F32_F32_F32
f32[4,5] dot(p, b) | lhs_contracting_dims={1}, rhs_contracting_dims={0}, lhs_batch_dims={}, \
operand_precision={default,default}, algorithm=unset | lhs_contracting_dims={1}, \
rhs_contracting_dims={0}, operand_precision={HIGH,default}, algorithm=dot_bf16_bf16_f32_x3 | \
lhs_batch_dims={0}, rhs_batch_dims={0}
f32[4,5] ragged-dot(p, b, d) | lhs_contracting_dims={1}, rhs_contracting_dims={0}, \
lhs_ragged_dims={0}, rhs_group_dims={0} | lhs_contracting_dims={1}, rhs_contracting_dims={0}, \
lhs_ragged_dims={0}, rhs_group_dims={}, operand_precision={high,high}
f32[4,5] scaled-dot(p, p, b, b) | lhs_contracting_dims={1}, rhs_contracting_dims={0}, \
operand_precision={high,high,default,high}, algorithm=dot_f32_f32_f32
convolution(a, l) | window={size=3x3 pad=1_1x0_0}, dim_labels=b01f_01io->b01f | \
window={size=3x3pad=1_1x0_0stride=2x1lhs_dilate=1x2}, dim_labels=b01f_01io->b01f
f32[1,2,2,2] convolution(a, l) | dim_labels=b01f_01io->b01f | window={stride=2x1 size=3x3 \
pad=0_1x-1_0 rhs_reversal=1x0 lhs_dilate=1x2 rhs_dilate=2x1}, dim_labels=f01b_i01o->01bf, \
feature_group_count=2, batch_group_count=3, operand_precision={highest,high} | window={size=3x3 \
pad=0_0x0_0}, dim_labels=b01f_01io->b01f, convolution_kind=fprop | window={size=3x3 stride=1x1}, \
dim_labels=b01f_01io->b01f, convolution_kind=unset, sparsity_config={} | window={size=3x3}, \
dim_labels=b01f_01io->b01f, sparsity_config={lhs={sparsity=2x4 dimension=1 stride=1} \
rhs={stride=2 sparsity=1x4}} | dim_labels=b01f?_01io?->b?01f
reduce(p, f) | dimensions={1}, to_apply=add | dimensions={0,1}, to_apply=add
f32[4] reduce(p, f32[] constant(0)) | dimensions={1}, to_apply={ x = f32[] parameter(0)
  ROOT y = f32[] parameter(1) }
reduce-window(p, f) | window={size=2x2}, to_apply=add | window={size=2x2 stride=2x1 pad=0_1x1_0 \
lhs_dilate=1x2 rhs_dilate=2x1}, to_apply=add
f32[4,6] reduce-window(p, f) | to_apply=add | window={}, to_apply=add
f32[4,6] select-and-scatter(p, p, f) | window={size=1x1}, select=greater, scatter=add
map(p, p) | dimensions={0,1}, to_apply=add
f32[4,6] map(p, p) | to_apply=add | to_apply=add, dimensions={5}
f32[] map(p) | to_apply=add
sort(p) | dimensions={1}, to_apply=greater | dimensions={0}, is_stable=true, to_apply=greater | \
dimensions={0}, is_stable=false, to_apply=greater
topk(p) | k=2 | k=2, largest=true | k=2, largest=false
(f32[4,6], f32[6]) scan(p, v) | dimensions={0}, num_carries=1, to_apply=step | dimensions={0}, \
num_carries=1, is_reverse=true, is_associative=true, to_apply=step | dimensions={0}, \
num_carries=1, is_reverse=false, is_associative=false, to_apply=step
f32[4,6] rng(f, f) | distribution=rng_normal | distribution=RNG_Normal | distribution=rng_uniform
(u64[2], u32[4]) rng-bit-generator(k) | algorithm=rng_philox | algorithm=RNG_Philox | \
algorithm=rng_default | algorithm=rng_three_fry
u64[2] rng-get-and-update-state() | delta=1 | delta=0
batch-norm-training(p, v, v) | epsilon=0.01, feature_index=1 | epsilon=1, feature_index=1 | \
epsilon=1e-5, feature_index=1 | epsilon=4294967296, feature_index=1 | epsilon=1.0000001, \
feature_index=1
batch-norm-inference(p, v, v, v, v) | epsilon=0.01, feature_index=1
batch-norm-grad(p, v, v, v, p) | epsilon=0.01, feature_index=1
f32[4,4] cholesky(p) | lower=true | lower=false
f32[4,6] triangular-solve(p, p) | left_side=true, lower=true, transpose_a=ADJOINT | \
unit_diagonal=true, transpose_a=NO_TRANSPOSE | lower=false
fft(c) | fft_type=IFFT, fft_length={6} | fft_type=FFT, fft_length={4,6}
c64[4,4] fft(p) | fft_type=RFFT, fft_length={6}
get-tuple-element(w) | index=1 | index=0
f32[4,6] call(p) | to_apply=same | to_apply=same, is_composite=false | to_apply=same, \
is_composite=true, frontend_attributes={composite.attributes={},composite.name="x"}
call(p) | to_apply=same
while(w) | condition=on, body=pair
conditional(n, p, p) | true_computation=same, false_computation=same
conditional(q, p, p) | branch_computations={same, %same}
f32[4,6] conditional(q, p) | branch_computations={{ROOT z = f32[4,6] parameter(0)}}
f32[4,6] fusion(p) | kind=kLoop, calls=same | kind=kCustom, calls=same, \
output_to_operand_aliasing={{}: (0, {})}, backend_config={"a":{"b":1}}
f32[4,6] custom-call(p) | custom_call_target="x" | custom_call_target="x", \
schedule=schedule_latest, api_version=Api_Version_Typed_FFI | \
custom_call_target="x", schedule=SCHEDULE_NONE, \
api_version=API_VERSION_ORIGINAL, feature_group_count=1, padding_type=PADDING_INVALID, \
custom_call_has_side_effect=false | custom_call_target="a\\nb", schedule=SCHEDULE_LATEST, \
api_version=API_VERSION_TYPED_FFI, custom_call_has_side_effect=true, padding_type=PADDING_SAME | \
custom_call_target="x", feature_group_count=2, batch_group_count=3, operand_precision={high}, \
dim_labels=bf_io->bf, window={size=3} | custom_call_target='x', to_apply=add | \
custom_call_target="x", called_computations={add,%greater} | custom_call_target="x", \
called_computations={} | custom_call_target="x", operand_layout_constraints={f32[4,6]{0,1}} | \
custom_call_target="x", operand_layout_constraints={f32[4,6]} | \
custom_call_target="x", window={} | custom_call_target="x", literal=s32[2]{0} {1, 2} | \
custom_call_target="x", literal=s32[] 1 | custom_call_target="x", \
literal=(s32[] 1, (f32[2]{0} {1, 2})) | custom_call_target="x", literal=() | \
custom_call_target="x", output_to_operand_aliasing={{}: (0, {}), {0,1}: (0, {1,2})}
f32[4,6] domain(p) | domain={kind="sharding", entry={replicated}, exit={maximal device=1}}
f32[4,6] domain(p) | domain={kind="sharding", exit={replicated}, entry={manual}} | \
domain={,exit={manual} kind="sharding" entry={replicated}}
f32[4,6] add-dependency(p, t)
after-all(t, t)
after-all()
f32[] after-all(t)
f32[6] add-dependency(p, t)
s32[] outfeed(p, t)
f32[6] send(p, t) | channel_id=1
(f32[4,6]{0,1}, f32[]) recv(t) | channel_id=1
s32[] recv-done(rc) | channel_id=1
f32[] send-done(sd) | channel_id=1
(f32[4,6]{0,1}, s32[]) infeed(t)
u32[] replica-id()
u32[] partition-id()
((f32[4,6]), token[]) infeed(t) | infeed_config="x" | infeed_config=""
token[] outfeed(p, t) | outfeed_config="x", outfeed_shape=f32[4,6]{0,1} | outfeed_shape=f32[4,6]
token[] outfeed(p, t)
(f32[4,6], u32[], token[]) send(p, t) | channel_id=1, is_host_transfer=true | is_host_transfer=false
(f32[4,6], u32[], token[]) recv(t) | channel_id=1 | channel_id=0, is_host_transfer=true
(f32[4,6], token[]) recv-done(rc) | channel_id=1
token[] send-done(sd) | channel_id=1
s32[] get-dimension-size(p) | dimensions={1}
f32[<=4,6] set-dimension-size(p, q) | dimensions={0}
f32[4,6] all-reduce(p) | to_apply=add | to_apply=add, replica_groups={{0,1}}, channel_id=0 | \
to_apply=add, channel_id=1, use_global_device_ids=true | to_apply=add, constrain_layout=true, \
mode=cross_replica | to_apply=add, replica_groups={{0},{}} | to_apply=add, channel_id=-1
f32[4,6] all-reduce-start(p) | to_apply=add
f32[4,6] all-reduce-done(ar)
f32[8,6] all-gather-done(ag)
f32[8,6] all-gather(p) | dimensions={0} | dimensions={0}, replica_groups={{0,1}}, channel_id=1, \
use_global_device_ids=true, constrain_layout=true
(f32[4,6], f32[8,6]) all-gather-start(p) | dimensions={0}
f32[2,6] reduce-scatter(p) | dimensions={0}, to_apply=add, replica_groups={{0,1}}, channel_id=1, \
use_global_device_ids=true, constrain_layout=true
f32[4,6] all-to-all(p) | dimensions={0}, replica_groups={{0,1}}, channel_id=1, constrain_layout=true
(f32[4,6], f32[4,6]) all-to-all(p, p) | replica_groups={{0,1}}
(f32[4,6], f32[4,6]) all-to-all(p, p)
f32[4,6] collective-permute(p) | source_target_pairs={{0,1},{1,0}} | source_target_pairs={} | \
source_target_pairs={{0,1}}, channel_id=3
f32[4,6] collective-permute(p, p, w, w) | source_target_pairs={{0,1}}, slice_sizes={{2},{3}}
(f32[4,6], f32[4,6], u32[], u32[]) collective-permute-start(p) | source_target_pairs={{0,1}}
f32[4,6] collective-permute-done(cp)
f32[4,6] collective-broadcast(p) | replica_groups={{0,1}}, channel_id=5
f32[4,6] collective-broadcast(p)
f32[4,6] ragged-all-to-all(p, p, i, i, i, i) | replica_groups={{0,1}} | dimensions={0}
(f32[4,6], f32[4,6], u32[]) copy-start(p) | cross_program_prefetch_index=0
(f32[4,6], f32[4,6], u32[]) copy-start(p)
f32[4,6] copy-done((f32[4,6], f32[4,6], u32[]) copy-start(p))
((f32[4,6]), f32[4,6], s32[]) negate-start(p) | async_execution_thread="main" | \
async_execution_thread="t", metadata={op_name="x"}, sharding={replicated}, backend_config="b"
((f32[4,6]), f32[6,4], s32[]) transpose-start(p) | dimensions={1,0}, async_execution_thread="t"
((f32[4,6], f32[]), f32[4], s32[]) reduce-start(p, f) | async_execution_thread="t", \
dimensions={1}, to_apply=add, frontend_attributes={a="b"}
((f32[4,6]), f32[4,6], s32[]) async-start(p) | calls=twice
((f32[4,6]), f32[4,6], s32[]) add-start(p, p) | output_to_operand_aliasing={{}: (0, {})}
((f32[4,6], f32[4,6]), f32[4,6], s32[]) negate-start(p)
((f32[4,6]), f32[4,6], s32[]) exponential-start(p) | result_accuracy={mode=highest}, \
frontend_attributes={a="b"}
f32[4,6] negate-done(((f32[4,6]), f32[4,6], s32[]) negate-start(p)) | frontend_attributes={a="b"} \
| async_execution_thread="main"
f32[4,6] negate-done(((f32[4,6]), f32[4,6], s32[]) negate-start(p)) | metadata={op_name="y"}
f32[4,6] negate-done(((f32[4,6]), f32[4,6], s32[]) negate-update(((f32[4,6]), f32[4,6], s32[]) \
negate-start(p)))
"""

# Forms of operands, shapes and white space.
FORMS: Final = """
f32[4,6] abs(%p)
f32[4,6] abs(f32[4,6] p)
f32[4,6] abs(f32[4,6]{0,1} p)
f32[4,6] abs(f32[<=4,6] p)
f32[4,6] abs(p,)
f32[4,6] abs (p)
f32[4,6]abs( p )
f32[4,6] abs(abs(p))
f32[4,6] abs(f32[4,6] abs(f32[4,6] negate(p)))
f32[4,6] abs(p:)
f32[4,6]{0,1:T(2,128)} negate(p)
f32[4,6]{ 0 , 1 } negate(p)
f32[ 4 , 6 ] negate(p)
f32[4,6] {0,1} negate(p)
f32 [4,6] negate(p)
f32[4,6] /* a */ negate( // b
 p /* c */)
"""

# Attributes that every instruction may have.
COMMON: Final = r"""
metadata={op_type="a" op_name="b" source_file="c" source_line=1 source_end_line=2 \
source_column=3 source_end_column=4 profile_type={1} deduplicated_name="d" scheduling_name="s" \
metadata_payload="p\001"}
metadata={op_name="a",op_type="b"}
metadata={}
metadata={source_line=0 op_name=""}
metadata={op_name="a\"b\n\x41é//c/*d"}
metadata={op_name='x'}
metadata={profile_type={1,2}}
metadata={stack_frame_id=5}
metadata={source_line=3}
metadata={deduplicated_name="d" source_end_line=3 profile_type={1}}
metadata={scheduling_name="s"}
metadata={metadata_payload="p"}
metadata= {op_name="a"}
/* x */ metadata=/* y */{op_name=/**/"a"}
backend_config={"a":1}
backend_config="{\"a\":1}"
backend_config="abc"
backend_config=""
backend_config={a{b}c}
backend_config={"wait_on_operation_queues":[]}
backend_config={"wait_on_operation_queues":[],"a":1}
backend_config={"a":{"wait_on_operation_queues" : [ ] , "b":1}}
backend_config="{\"wait_on_operation_queues\":[],\"wait_on_operation_queues\":[1],}"
backend_config="{"
backend_config={"}":1}
backend_config="{a}b"
backend_config="a\nb'c\"\\"
backend_config='x'
backend_config={it's}
backend_config={ /* x }
backend_config={"a\"}":1}
backend_config="é\x01\377"
frontend_attributes={a="b"}
frontend_attributes={}
frontend_attributes={b="x",a="{y}",c={"k":"v"}}
frontend_attributes={a.b-c="\n"}
frontend_attributes={a="x",a="y"}
statistics={visualizing_index=1,name=33.5,other=44}
statistics={}
statistics={visualizing_index=0,a=1e10,b=0.1}
statistics={visualizing_index=0,a=0.123456789,b=16777217}
statistics={visualizing_index=0}
statistics={a=1}
statistics={a=1,visualizing_index=2}
origin={[synthetic_call]}
origin={{"x" {0}}}
origin={({"x"}, ({"y" {1,2}}, {}))}
origin={}
origin={(, {"x"})}
origin={({"x"},)}
control-predecessors={q}
control-predecessors={%q, p, q}
"""

ONE_OF_EACH: Final = (
    *("sharding={replicated}", 'frontend_attributes={a="b"}', "control-predecessors={q}"),
    *("statistics={visualizing_index=1,a=2}", 'origin={{"x"}}', 'metadata={op_name="a"}'),
    'backend_config="x"',
)

SHARDINGS: Final = """
{replicated}
{manual}
{unknown}
{unreduced}
{maximal device=2}
{devices=[2,2]0,1,3,2}
{devices=[2,2]<=[4]}
{devices=[4,2]<=[2,4]T(1,0)}
{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}
{last_tile_dim_replicate devices=[2,1,2]<=[4]}
{devices=[2,1,2]<=[4] last_tile_dims={manual}}
{devices=[2,1,2]<=[4] last_tile_dims={replicated}}
{devices=[2,1,2,1]<=[4] last_tile_dims={manual,replicated}}
{devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}
{devices=[2,1,2,2]<=[8] last_tile_dims={replicated,manual}}
{devices=[2,1,2,2]0,1,2,3,4,5,6,7 last_tile_dims={replicated,manual}}
{devices=[1,1,4]<=[4] last_tile_dims={manual}}
{devices=[1,1,4]<=[4] last_tile_dim_replicate}
{devices=[2,1,1,2]<=[4] last_tile_dims={manual,manual}}
{devices=[2,1,2,2]<=[8] last_tile_dims={manual,manual}}
{devices=[2,1,2]<=[4] last_tile_dims={unreduced}}
{devices=[2,1,2]<=[4] last_tile_dims={}}
{devices=[2,1,2]<=[4] last_tile_dims={maximal}}
{replicated shard_as 5}
{shard_as 1 replicated}
{manual shard_as 2}
{devices=[2,2]<=[4] shard_like 5}
{devices=[2,1,2]<=[4] last_tile_dim_replicate shard_as 2 metadata={op_name="x"}}
{replicated metadata={op_name="x"}}
{replicated metadata={{op_name="x"},{op_name="y" source_line=3}}}
{devices=[2,1,2]3,2,1,0 last_tile_dim_replicate}
{devices=[2,1,2,2]1,0,2,3,4,5,7,6 last_tile_dims={manual,replicated}}
{devices=[2,1,4]<=[2,4]T(1,0) last_tile_dim_replicate}
{devices=[3,1,4]<=[6,2]T(1,0) last_tile_dim_replicate}
{devices=[2,1,2,4]<=[2,2,2,2]T(3,2,1,0) last_tile_dims={manual,replicated}}
{devices=[2,1,2,2,2]<=[2,2,2,2]T(3,2,1,0) last_tile_dims={replicated,manual,replicated}}
{devices=[4,2]<=[4,2]T(0,1)}
{devices=[4,2]<=[2,2,2]T(2,0,1)}
{devices=[2,2] <= [4]}
{devices=[2,2]0,0,1,1}
{mesh['x'=2,'y'=4], [{'x'}, {'y', ?}]}
{mesh['x'=2,'y'=4], [{?}, {'y':(1)2}]}
{mesh['x'=2,'y'=4],[{'x','y'}, {}]}
{mesh['x'=2,'y'=4], any_name=manual}
{mesh['x'=2,'y'=4] manual}
{mesh['x'=2,'y'=4],,[{'x'}, {'y', ?}]}
{mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0)), [{'x'}, {'y'}]}
{mesh['x'=2,'y'=4], device_ids=([8]), [{'x'}, {'y'}]}
{mesh['x'=2,'y'=4], device_ids=([2,4]T(0,1)), [{'x'}, {'y'}]}
{mesh['x'=2,'y'=2], device_ids=(3,1,2,0), [{'x'}, {'y'}]}
{mesh['x'=2,'y'=4,'z'=2], [{'x'}, {}], replicated={'z'}}
{mesh['x'=2,'y'=4,'z'=2], [{'x'}, {}], manual={'y'}, unreduced={'z'}}
{mesh['x'=8], [{'x':(2)2}, {'x':(4)2}]}
{mesh['x'=2,'y'=4,'z'=2], [{'x'}, {}], replicated={'y', 'z'}}
{mesh['x'=4,'y'=2], [{}, {}], manual={'x':(1)2,'y'}}
{mesh['x'=2,'y'=4], []}
{mesh['x'=2,'y'=4], [], manual={'x','y'}}
{mesh['x'=2,'y'=4], [], unreduced={'x','y'}}
{mesh['x'=2,'y'=4], [], replicated={'x','y'}}
{mesh[], []}
{devices=[1,1]<=[1]}
{devices=[1,1,1]<=[1] last_tile_dims={manual}}
{mesh["x"=2], [{"x"}, {}]}
{mesh['x'=2], replicated}
{mesh['x'=2], manual}
{mesh['x'=2], unreduced}
{mesh['x'=2], replicated, metadata={op_name="x"}}
{maximal_mesh[device_id=3]}
"""

GROUPS: Final = """
{}
{{0,1},{2,3}}
[2,2]<=[4]
[2,2]<=[2,2]T(0,1)
[2,2]<=[2,2]T(1,0)
[4,1]<=[4,1]T(1,0)
[2,4]<=[2,2,2]T(2,0,1)
[2,4]<=[1,2,4]T(2,1,0)
[1,1]<=[1]
mesh['x'=2,'y'=2] {'x'}
mesh['x'=2,'y'=4],device_ids=([4,2]T(1,0)) {'x','y':(1)2}
mesh['x'=2,'y'=4],device_ids=(7,6,5,4,3,2,1,0) {'y'}
mesh['x'=2,'y'=4],{'y'}
"""


def joined(table: str) -> list[str]:
    """The rows of a table; a backslash at the end of a line continues it."""
    rows = table.replace("\\\n", "").strip("\n").split("\n")
    collected: list[str] = []
    for row in rows:
        if row.startswith(" "):
            collected[-1] += f"\n{row}"
        else:
            collected.append(row)
    return collected


def instructions() -> Iterator[str]:
    """All instructions."""
    for opcode in UNARY:
        yield from (f"f32[4,6] {opcode}(p)", f"{opcode}(p)")
    for opcode in BINARY:
        yield from (f"f32[4,6] {opcode}(p, p)", f"{opcode}(p, p)")
    for opcode in INTEGRAL:
        yield from (f"s32[4,6] {opcode}(i, i)", f"{opcode}(i, i)")
    for opcode in ("not", "popcnt", "count-leading-zeros"):
        yield from (f"s32[4,6] {opcode}(i)", f"{opcode}(i)")
    for opcode in ("real", "imag"):
        yield from (f"f32[4,6] {opcode}(c)", f"{opcode}(c)")
    for accuracy in (
        "mode=highest",
        "mode=default",
        "tolerance={rtol=1e-10,ulps=3}",
        "tolerance={atol=0.123456789}",
    ):
        yield f"f32[4,6] exponential(p), result_accuracy={{{accuracy}}}"
    for row in joined(OPERATIONS):
        instruction, *variants = row.split(" | ")
        attributes = [variant.strip(" |") for variant in variants] or [""]
        bare = instruction.rstrip(" |")
        yield from (f"{bare}{f', {attribute}' if attribute else ''}" for attribute in attributes)
    yield from joined(FORMS)
    yield from (f"f32[4,6] negate(p), {item}" for item in joined(COMMON))
    yield f"f32[4,6] tanh(p), result_accuracy={{mode=highest}}, {', '.join(ONE_OF_EACH)}"
    yield "f32[4,6] parameter(16), parameter_replication={true}"
    for sharding in joined(SHARDINGS):
        yield f"f32[4,6] negate(p), sharding={sharding}"
        yield f"(f32[4,6], s32[]) tuple(p, q), sharding={sharding}"
        yield f"tuple(p, q), sharding={sharding}"
    yield "(f32[4,6], s32[]) tuple(p, q), sharding={{replicated}, {manual}}"
    yield "() tuple(), sharding={}"
    yield "() tuple(), sharding={replicated}"
    for groups in joined(GROUPS):
        yield f"f32[4,6] all-reduce(p), replica_groups={groups}, to_apply=add"


def programs() -> list[str]:
    """A module around each instruction."""
    return [PROGRAM.format(instruction) for instruction in instructions()]
