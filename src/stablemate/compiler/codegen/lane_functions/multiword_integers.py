"""LLVM functions on fixed-point numbers of many words.

A number is an array of ``n`` words of 64 bits in two's complement, the lowest first, ``f`` of which
are its fraction. Results are rounded down, products to a unit less at most. A complex number has
its imaginary part ``MOST`` words after its real part. Results may be stored over operands, except
in ``product``. The text has loops, so that it is short; no number of words is known in it.
"""

from __future__ import annotations

from typing import Final

MOST: Final = 64  # words of a number
BYTES: Final = 8 * MOST

# out = x + y for a sign of 0, x - y for -1
SUM: Final = """
define internal void @NAME_sum(ptr %out, ptr %x, ptr %y, i64 %n, i64 %sign) #0 {
entry:
  %first = and i64 %sign, 1
  br label %word
word:
  %i = phi i64 [ 0, %entry ], [ %next, %word ]
  %carry = phi i64 [ %first, %entry ], [ %over, %word ]
  %px = getelementptr i64, ptr %x, i64 %i
  %py = getelementptr i64, ptr %y, i64 %i
  %po = getelementptr i64, ptr %out, i64 %i
  %a = load i64, ptr %px
  %b = load i64, ptr %py
  %signed = xor i64 %b, %sign
  %a2 = zext i64 %a to i128
  %b2 = zext i64 %signed to i128
  %c2 = zext i64 %carry to i128
  %part = add i128 %a2, %b2
  %total = add i128 %part, %c2
  %low = trunc i128 %total to i64
  store i64 %low, ptr %po
  %high = lshr i128 %total, 64
  %over = trunc i128 %high to i64
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %word, label %end
end:
  ret void
}
"""

# out = x / k for a positive k below 2^31, by halves of words from the top; the remainder of a
# negative number begins with k - 1
QUOTIENT: Final = """
define internal void @NAME_quotient(ptr %out, ptr %x, i64 %k, i64 %n) #0 {
entry:
  %last = sub i64 %n, 1
  %ptop = getelementptr i64, ptr %x, i64 %last
  %top = load i64, ptr %ptop
  %sign = ashr i64 %top, 63
  %less = sub i64 %k, 1
  %begin = and i64 %sign, %less
  br label %word
word:
  %i = phi i64 [ %last, %entry ], [ %next, %word ]
  %rest = phi i64 [ %begin, %entry ], [ %rest2, %word ]
  %px = getelementptr i64, ptr %x, i64 %i
  %po = getelementptr i64, ptr %out, i64 %i
  %a = load i64, ptr %px
  %upper = lshr i64 %a, 32
  %moved1 = shl i64 %rest, 32
  %first = or i64 %moved1, %upper
  %q1 = udiv i64 %first, %k
  %rest1 = urem i64 %first, %k
  %lower = and i64 %a, 4294967295
  %moved2 = shl i64 %rest1, 32
  %second = or i64 %moved2, %lower
  %q2 = udiv i64 %second, %k
  %rest2 = urem i64 %second, %k
  %high = shl i64 %q1, 32
  %q = or i64 %high, %q2
  store i64 %q, ptr %po
  %next = sub i64 %i, 1
  %more = icmp sge i64 %next, 0
  br i1 %more, label %word, label %end
end:
  ret void
}
"""

# out = x y by columns, from the last but one of those that are left out; x and y are taken as
# unsigned, and what that adds to products of negative numbers is subtracted again
PRODUCT: Final = """
define internal void @NAME_product(ptr %out, ptr %x, ptr %y, i64 %n, i64 %f) #0 {
entry:
  %last = sub i64 %n, 1
  %pxtop = getelementptr i64, ptr %x, i64 %last
  %xtop = load i64, ptr %pxtop
  %xsign = ashr i64 %xtop, 63
  %pytop = getelementptr i64, ptr %y, i64 %last
  %ytop = load i64, ptr %pytop
  %ysign = ashr i64 %ytop, 63
  %begin = sub i64 %f, 1
  %stop = add i64 %n, %f
  br label %column
column:
  %k = phi i64 [ %begin, %entry ], [ %knext, %store ]
  %before = phi i192 [ 0, %entry ], [ %carry, %store ]
  %beyond = sub i64 %k, %last
  %from = call i64 @llvm.smax.i64(i64 %beyond, i64 0)
  %to = call i64 @llvm.smin.i64(i64 %k, i64 %last)
  br label %factor
factor:
  %i = phi i64 [ %from, %column ], [ %inext, %factor ]
  %total = phi i192 [ %before, %column ], [ %added, %factor ]
  %j = sub i64 %k, %i
  %px = getelementptr i64, ptr %x, i64 %i
  %py = getelementptr i64, ptr %y, i64 %j
  %a = load i64, ptr %px
  %b = load i64, ptr %py
  %a2 = zext i64 %a to i128
  %b2 = zext i64 %b to i128
  %ab = mul nuw i128 %a2, %b2
  %ab2 = zext i128 %ab to i192
  %added = add i192 %total, %ab2
  %inext = add i64 %i, 1
  %inside = icmp sle i64 %inext, %to
  br i1 %inside, label %factor, label %signs
signs:
  %far = icmp sge i64 %k, %n
  br i1 %far, label %negative, label %store
negative:
  %m = sub i64 %k, %n
  %pxm = getelementptr i64, ptr %x, i64 %m
  %pym = getelementptr i64, ptr %y, i64 %m
  %xm = load i64, ptr %pxm
  %ym = load i64, ptr %pym
  %xs = and i64 %xm, %ysign
  %ys = and i64 %ym, %xsign
  %xs2 = zext i64 %xs to i192
  %ys2 = zext i64 %ys to i192
  %less1 = sub i192 %added, %xs2
  %less2 = sub i192 %less1, %ys2
  br label %store
store:
  %sum = phi i192 [ %added, %signs ], [ %less2, %negative ]
  %place = sub i64 %k, %f
  %inplace = call i64 @llvm.smax.i64(i64 %place, i64 0)
  %po = getelementptr i64, ptr %out, i64 %inplace
  %word = trunc i192 %sum to i64
  store i64 %word, ptr %po
  %carry = ashr i192 %sum, 64
  %knext = add i64 %k, 1
  %more = icmp slt i64 %knext, %stop
  br i1 %more, label %column, label %end
end:
  ret void
}
"""

# out = 2^shift v
NUMBER: Final = """
define internal void @NAME_number(ptr %out, double %v, i64 %shift, i64 %n, i64 %f) #1 {
entry:
  %bits = bitcast double %v to i64
  %field0 = lshr i64 %bits, 52
  %field = and i64 %field0, 2047
  %isnormal = icmp ne i64 %field, 0
  %hidden = select i1 %isnormal, i64 4503599627370496, i64 0
  %fraction = and i64 %bits, 4503599627370495
  %size = or i64 %fraction, %hidden
  %sign = ashr i64 %bits, 63
  %turned = xor i64 %size, %sign
  %mantissa = sub i64 %turned, %sign
  %exponent = call i64 @llvm.smax.i64(i64 %field, i64 1)
  %unit = shl i64 %f, 6
  %place0 = add i64 %exponent, %shift
  %place1 = sub i64 %place0, 1075
  %place = add i64 %place1, %unit
  %below0 = sub i64 0, %place
  %below1 = call i64 @llvm.smax.i64(i64 %below0, i64 0)
  %below = call i64 @llvm.smin.i64(i64 %below1, i64 63)
  %kept = ashr i64 %mantissa, %below
  %above = call i64 @llvm.smax.i64(i64 %place, i64 0)
  %which = lshr i64 %above, 6
  %by = and i64 %above, 63
  %wide = sext i64 %kept to i128
  %by2 = zext i64 %by to i128
  %moved = shl i128 %wide, %by2
  %low = trunc i128 %moved to i64
  %upper = ashr i128 %moved, 64
  %high = trunc i128 %upper to i64
  %rest = ashr i64 %high, 63
  br label %word
word:
  %i = phi i64 [ 0, %entry ], [ %next, %word ]
  %distance = sub i64 %i, %which
  %isfirst = icmp eq i64 %distance, 0
  %issecond = icmp eq i64 %distance, 1
  %isbelow = icmp slt i64 %distance, 0
  %w1 = select i1 %isbelow, i64 0, i64 %rest
  %w2 = select i1 %isfirst, i64 %low, i64 %w1
  %w3 = select i1 %issecond, i64 %high, i64 %w2
  %po = getelementptr i64, ptr %out, i64 %i
  store i64 %w3, ptr %po
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %word, label %end
end:
  ret void
}
"""

# x as (high + low) 2^exponent: high, low and exponent are stored at out, a stride apart
ROUNDED: Final = """
define internal void @NAME_rounded(ptr %out, i64 %stride, ptr %x, i64 %n, i64 %f) #1 {
entry:
  %last = sub i64 %n, 1
  %ptop = getelementptr i64, ptr %x, i64 %last
  %top = load i64, ptr %ptop
  %sign = ashr i64 %top, 63
  br label %search
search:
  %j = phi i64 [ %last, %entry ], [ %jnext, %search ]
  %pj = getelementptr i64, ptr %x, i64 %j
  %xj = load i64, ptr %pj
  %isempty = icmp eq i64 %xj, %sign
  %jnext = sub i64 %j, 1
  %isinside = icmp sgt i64 %j, 2
  %goes = and i1 %isempty, %isinside
  br i1 %goes, label %search, label %half
half:
  %i = phi i64 [ 0, %search ], [ %next, %half ]
  %high = phi double [ 0.0, %search ], [ %total, %half ]
  %low = phi double [ 0.0, %search ], [ %lost, %half ]
  %scale = phi double [ 1.0, %search ], [ %smaller, %half ]
  %back = lshr i64 %i, 1
  %place = sub i64 %j, %back
  %pw = getelementptr i64, ptr %x, i64 %place
  %w = load i64, ptr %pw
  %positive = xor i64 %w, %sign
  %isodd = and i64 %i, 1
  %islower = icmp ne i64 %isodd, 0
  %by = select i1 %islower, i64 0, i64 32
  %moved = lshr i64 %positive, %by
  %digits = and i64 %moved, 4294967295
  %number = uitofp i64 %digits to double
  %term = fmul double %number, %scale
  %total = fadd double %high, %term
  %gained = fsub double %total, %high
  %rest = fsub double %term, %gained
  %lost = fadd double %low, %rest
  %smaller = fmul double %scale, 0x3DF0000000000000
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 6
  br i1 %more, label %half, label %end
end:
  %one = sitofp i64 %sign to double
  %two = fmul double %one, 2.0
  %factor = fadd double %two, 1.0
  %h = fmul double %total, %factor
  %l = fmul double %lost, %factor
  %above = sub i64 %j, %f
  %exponent0 = shl i64 %above, 6
  %exponent = add i64 %exponent0, 32
  %p1 = getelementptr double, ptr %out, i64 %stride
  %p2 = getelementptr double, ptr %p1, i64 %stride
  store double %h, ptr %out
  store double %l, ptr %p1
  store i64 %exponent, ptr %p2
  ret void
}
"""

COMPLEX_SUM: Final = f"""
define internal void @NAME_complex_sum(ptr %out, ptr %x, ptr %y, i64 %n, i64 %sign) #1 {{
  %imag = getelementptr i8, ptr %out, i64 {BYTES}
  %x2 = getelementptr i8, ptr %x, i64 {BYTES}
  %y2 = getelementptr i8, ptr %y, i64 {BYTES}
  call void @NAME_sum(ptr %out, ptr %x, ptr %y, i64 %n, i64 %sign)
  call void @NAME_sum(ptr %imag, ptr %x2, ptr %y2, i64 %n, i64 %sign)
  ret void
}}
"""

COMPLEX_QUOTIENT: Final = f"""
define internal void @NAME_complex_quotient(ptr %out, ptr %x, i64 %k, i64 %n) #1 {{
  %imag = getelementptr i8, ptr %out, i64 {BYTES}
  %x2 = getelementptr i8, ptr %x, i64 {BYTES}
  call void @NAME_quotient(ptr %out, ptr %x, i64 %k, i64 %n)
  call void @NAME_quotient(ptr %imag, ptr %x2, i64 %k, i64 %n)
  ret void
}}
"""

COMPLEX_PRODUCT: Final = f"""
define internal void @NAME_complex_product(ptr %out, ptr %x, ptr %y, i64 %n, i64 %f) #1 {{
  %t1 = alloca [{BYTES} x i8], align 8
  %t2 = alloca [{BYTES} x i8], align 8
  %t3 = alloca [{BYTES} x i8], align 8
  %t4 = alloca [{BYTES} x i8], align 8
  %imag = getelementptr i8, ptr %out, i64 {BYTES}
  %x2 = getelementptr i8, ptr %x, i64 {BYTES}
  %y2 = getelementptr i8, ptr %y, i64 {BYTES}
  call void @NAME_product(ptr %t1, ptr %x, ptr %y, i64 %n, i64 %f)
  call void @NAME_product(ptr %t2, ptr %x2, ptr %y2, i64 %n, i64 %f)
  call void @NAME_product(ptr %t3, ptr %x, ptr %y2, i64 %n, i64 %f)
  call void @NAME_product(ptr %t4, ptr %x2, ptr %y, i64 %n, i64 %f)
  call void @NAME_sum(ptr %out, ptr %t1, ptr %t2, i64 %n, i64 -1)
  call void @NAME_sum(ptr %imag, ptr %t3, ptr %t4, i64 %n, i64 0)
  ret void
}}
"""

# The Taylor series of x / 2^16, squared 16 times; for numbers of at most 4
COMPLEX_EXPONENTIAL: Final = f"""
define internal void @NAME_complex_exponential(ptr %out, ptr %x, i64 %n, i64 %f) #1 {{
entry:
  %u = alloca [{2 * BYTES} x i8], align 8
  %one = alloca [{BYTES} x i8], align 8
  %imag = getelementptr i8, ptr %out, i64 {BYTES}
  call void @NAME_complex_quotient(ptr %u, ptr %x, i64 65536, i64 %n)
  call void @NAME_number(ptr %one, double 1.0, i64 0, i64 %n, i64 %f)
  call void @NAME_number(ptr %out, double 1.0, i64 0, i64 %n, i64 %f)
  call void @NAME_number(ptr %imag, double 0.0, i64 0, i64 %n, i64 %f)
  %terms = mul i64 %f, 4
  br label %term
term:
  %k = phi i64 [ %terms, %entry ], [ %knext, %term ]
  call void @NAME_complex_product(ptr %out, ptr %out, ptr %u, i64 %n, i64 %f)
  call void @NAME_complex_quotient(ptr %out, ptr %out, i64 %k, i64 %n)
  call void @NAME_sum(ptr %out, ptr %out, ptr %one, i64 %n, i64 0)
  %knext = sub i64 %k, 1
  %more = icmp ne i64 %knext, 0
  br i1 %more, label %term, label %square
square:
  %i = phi i64 [ 1, %term ], [ %next, %square ]
  call void @NAME_complex_product(ptr %out, ptr %out, ptr %out, i64 %n, i64 %f)
  %next = add i64 %i, 1
  %again = icmp ule i64 %next, 16
  br i1 %again, label %square, label %end
end:
  ret void
}}
"""

FUNCTIONS: Final = (
    SUM,
    QUOTIENT,
    PRODUCT,
    NUMBER,
    ROUNDED,
    COMPLEX_SUM,
    COMPLEX_QUOTIENT,
    COMPLEX_PRODUCT,
    COMPLEX_EXPONENTIAL,
)
