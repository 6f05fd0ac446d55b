"""The layout of step tables and of the state of a run, which native code and Python share.

A record of the table has eight words; their first word is the kind of the step:

    launch   function  arguments  iterations  chunk  chunks  repeats    called at once: a short
                                                                launch; repeats: its iterations are
                                                                those of a loop of the program
    parallel launch     (the same)                              chunks run on the thread pool
    copy     to        from       bytes
    exchange words     count      words      count             of addresses of words
    jump     step
    back edge           step                                    ends an iteration of a loop
    repeated launch     step      byte at    function  arguments  iterations   repeats a loop of one
                                                                launch
    branch   byte at   if false   if true
    counted branch      byte at   if false   if true  count  limit     counts iterations
    switch   index at  targets    last
    leave
    shortcut function  argument                                leaves unless the function returns 1
    instead  (word 7: a record)                                 runs that record in its place
"""

from __future__ import annotations

from typing import Final

RECORD_WORDS: Final = 8
(
    LAUNCH,
    COPY,
    JUMP,
    BRANCH,
    SWITCH,
    LEAVE,
    BACK_EDGE,
    PARALLEL_LAUNCH,
    COUNTED_BRANCH,
    EXCHANGE,
    SHORTCUT,
    REPEATED_LAUNCH,
    INSTEAD,
) = range(13)

# The words of the record of a launch, after its kind.
FUNCTION, ARGUMENTS, ITERATION_COUNT, CHUNK_SIZE, CHUNK_COUNT, REPEATS = range(1, 7)
BODY_FUNCTION, BODY_ARGUMENTS, BODY_ITERATIONS = range(3, 6)  # of the record of a repeated launch
# The arguments of a copy: the words of its record after the kind, and those of ``copy_blocks``.
COPY_TARGET, COPY_SOURCE, COPY_BYTES = range(3)
OTHER_RECORD: Final = 7  # the word of the record that is run instead; no other record has it

# The words of the state. Time is measured in ticks of the processor's clock.
DEADLINE, TIME_SLICE, CHUNK, REASON, THREADS, POOL, STEP, ITERATIONS = range(8)
STATE_WORDS: Final = 8
WALK_WORDS: Final = 2  # of what ``walk_each`` walks: a table and a state
WALKED_TABLE, WALKED_STATE = range(2)
REACHED_REQUEST, TIME_SLICE_OVER, ITERATION_LIMIT = range(3)  # why it returned

COPY_BLOCK_BYTES: Final = 1 << 16  # that an iteration of ``copy_blocks`` copies
