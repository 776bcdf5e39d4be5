#ifndef TLC_FILE_H
#define TLC_FILE_H

#include <stddef.h>
#include <stdint.h>

/// Opens a regular file for reading, as with O_CLOEXEC, O_NOFOLLOW and O_NONBLOCK, if the kernel has all it needs for that
/// in memory. Returns the descriptor; or -1, with EAGAIN in `errno` where it would wait for the disk, and ENOSYS where the
/// system can't tell.
int tlc_open_cached(const char *_Nonnull path);

/// Reads at the offset what the kernel has in memory, which may be less than asked for. Returns the number of bytes; or -1,
/// with EAGAIN in `errno` where it would wait for the disk, and EOPNOTSUPP or ENOSYS where the file system can't tell.
ptrdiff_t tlc_read_cached(int descriptor, int64_t offset, void *_Nonnull buffer, size_t count);

#endif
