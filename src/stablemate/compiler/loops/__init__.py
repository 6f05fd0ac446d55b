"""Nest, the loop language: what one kernel computes and how it loops.

    kernel = name(buffer*) { stmt* }              iterations of the outermost loop are independent
    stmt   = for i < extent : kind { stmt* }    kind = serial | vector | unroll; outermost parallel
           | for i < extent : serial { stmt* } while expr
           | store buffer[index*] = expr          one element per lane
           | fold buffer[index*] op= expr         op is a monoid with an identity
           | when expr { stmt* }
    expr   = constant | index | load buffer[index] | op(expr*)
    index  = sum of integer * atom; an atom is a loop's index, a quotient, a remainder,
             a minimum or maximum, or a clamped value that was loaded
    buffer = scope name : type [extent*]          scope = argument | register | stack

Expressions are hash-consed and have no order; only statements have one.
"""
