"""How a library gets its constants, in LLVM IR: it contains them, or maps a file."""

from __future__ import annotations

from string import Template
from typing import Final

from stablemate.deployment.runtime import weights_digest

EMBEDDED: Final = Template("""
; The constants, which are part of the library.
define internal ptr @embedded(ptr %instance, ptr %weights) #0 {
entry:
  %none = icmp eq ptr %weights, null
  br i1 %none, label %own, label %superfluous
own:
  ret ptr @constants
superfluous:
  %refused = call i32 @fail(ptr @text.superfluous_weights, ptr %weights)
  ret ptr null
}
""")

MAPPED: Final = Template(
    weights_digest.TEXT
    + """
; The constants, in a file; by default the one beside the library, or beside the program if the
; library is part of it. The message says why there are none.
define internal ptr @mapped(ptr %instance, ptr %weights) #0 {
entry:
  %own = alloca [4096 x i8]
  %program_file = alloca [4096 x i8]
  %info = alloca { ptr, ptr, ptr, ptr }
  %given = icmp ne ptr %weights, null
  br i1 %given, label %open, label %beside
beside:
  %named = call i32 @dladdr(ptr @weights_name, ptr %info)
  %unnamed = icmp eq i32 %named, 0
  br i1 %unnamed, label %program, label %library
library:
  %library_file = load ptr, ptr %info
  %library_slash = call ptr @strrchr(ptr %library_file, i32 47)
  %no_directory = icmp eq ptr %library_slash, null
  br i1 %no_directory, label %program, label %place
program:
  %length_read = call i64 @readlink(ptr @text.program, ptr %program_file, i64 4095)
  %unread_link = icmp slt i64 %length_read, 1
  br i1 %unread_link, label %unplaced, label %end_program
unplaced:
  %e1 = call i32 @fail(ptr @text.unplaced, ptr @weights_name)
  ret ptr null
end_program:
  %end_at = getelementptr i8, ptr %program_file, i64 %length_read
  store i8 0, ptr %end_at
  %program_slash = call ptr @strrchr(ptr %program_file, i32 47)
  br label %place
place:
  %file_name = phi ptr [ %library_file, %library ], [ %program_file, %end_program ]
  %slash = phi ptr [ %library_slash, %library ], [ %program_slash, %end_program ]
  %begin = ptrtoint ptr %file_name to i64
  %end = ptrtoint ptr %slash to i64
  %distance = sub i64 %end, %begin
  %length = add i64 %distance, 1
  %narrow = trunc i64 %length to i32
  %printed = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %own, i64 4096, ptr @text.beside,
    i32 %narrow, ptr %file_name, ptr @weights_name)
  br label %open
open:
  %path = phi ptr [ %weights, %entry ], [ %own, %place ]
  %file = call i32 (ptr, i32, ...) @open(ptr %path, i32 $read_only)
  %closed = icmp slt i32 %file, 0
  br i1 %closed, label %unread, label %measure
unread:
  %e2 = call i32 @fail(ptr @text.no_weights, ptr %path)
  ret ptr null
measure:
  %size = call i64 @lseek(i32 %file, i64 0, i32 2)
  %fits = icmp eq i64 %size, $weights_bytes
  br i1 %fits, label %map, label %wrong_size
wrong_size:
  %closed1 = call i32 @close(i32 %file)
  br label %wrong
map:
  %memory = call ptr @mmap(ptr null, i64 $weights_bytes, i32 1, i32 2, i32 %file, i64 0)
  %address = ptrtoint ptr %memory to i64
  %unmapped = icmp eq i64 %address, -1
  br i1 %unmapped, label %close_unread, label %compare
close_unread:
  %closed2 = call i32 @close(i32 %file)
  br label %unread
compare:
  %closed3 = call i32 @close(i32 %file)
  %weights_at = getelementptr ptr, ptr %instance, i64 $instance_weights
  store ptr %memory, ptr %weights_at
  %difference = call i32 @memcmp(ptr %memory, ptr @constants, i64 $header_bytes)
  %same = icmp eq i32 %difference, 0
  br i1 %same, label %verify, label %wrong
verify:
  %digest = call i64 @digest(ptr %memory, i64 $weights_bytes)
  %intact = icmp eq i64 %digest, $weights_digest
  br i1 %intact, label %done, label %damaged
damaged:
  %e4 = call i32 @fail(ptr @text.damaged_weights, ptr %path)
  ret ptr null
wrong:
  %e3 = call i32 @fail(ptr @text.wrong_weights, ptr %path)
  ret ptr null
done:
  ret ptr %memory
}
declare i32 @dladdr(ptr, ptr)
declare ptr @strrchr(ptr, i32)
declare i64 @readlink(ptr, ptr, i64)
declare i32 @open(ptr, i32, ...)
declare i64 @lseek(i32, i64, i32)
declare ptr @mmap(ptr, i64, i32, i32, i32, i64)
declare i32 @close(i32)
declare i32 @memcmp(ptr, ptr, i64)
"""
)
READ_ONLY: Final = 0o2000000  # O_RDONLY | O_CLOEXEC of Linux
