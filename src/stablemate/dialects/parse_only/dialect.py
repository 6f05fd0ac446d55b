"""The operations of MLIR's own dialects, by the file that defines them."""

from __future__ import annotations

from typing import Final

# Other operations of these dialects are read and written in the generic form.
FILES: Final = {
    "cf": "cf.assert cf.br cf.cond_br cf.switch",
    "complex": "complex.abs complex.add complex.angle complex.atan2 complex.bitcast complex.conj "
    "complex.constant complex.cos complex.create complex.div complex.eq complex.exp complex.expm1 "
    "complex.im complex.log complex.log1p complex.mul complex.neg complex.neq complex.pow "
    "complex.re complex.rsqrt complex.sign complex.sin complex.sqrt complex.sub complex.tan "
    "complex.tanh",
    "llvm": "llvm.module_flags",
    "math": "math.absf math.absi math.acos math.acosh math.asin math.asinh math.atan math.atan2 "
    "math.atanh math.cbrt math.ceil math.clampf math.copysign math.cos math.cosh math.ctlz "
    "math.ctpop math.cttz math.erf math.erfc math.exp math.exp2 math.expm1 math.floor math.fma "
    "math.fpowi math.ipowi math.isfinite math.isinf math.isnan math.isnormal math.log math.log10 "
    "math.log1p math.log2 math.powf math.round math.roundeven math.rsqrt math.sin math.sincos "
    "math.sinh math.sqrt math.tan math.tanh math.trunc",
    "memref": "memref.alloc memref.alloca memref.cast memref.collapse_shape memref.copy "
    "memref.dealloc memref.dim memref.expand_shape memref.extract_aligned_pointer_as_index "
    "memref.get_global memref.global memref.load memref.memory_space_cast memref.rank "
    "memref.realloc memref.reshape memref.store memref.subview memref.view",
    "mpmd": "mpmd.assign mpmd.broadcast mpmd.call mpmd.for mpmd.fragment mpmd.fragment_call "
    "mpmd.named_computation mpmd.named_tensor mpmd.reduce mpmd.return mpmd.transfer mpmd.unassign",
    "scf": "scf.condition scf.execute_region scf.for scf.forall scf.forall.in_parallel scf.if "
    "scf.index_switch scf.parallel scf.reduce scf.reduce.return scf.while scf.yield",
    "tensor": "tensor.bitcast tensor.collapse_shape tensor.concat tensor.expand_shape "
    "tensor.extract_slice tensor.generate tensor.insert tensor.insert_slice tensor.pad "
    "tensor.parallel_insert_slice tensor.reshape tensor.splat tensor.yield",
}
