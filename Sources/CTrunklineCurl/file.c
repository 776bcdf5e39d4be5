#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "tlc_file.h"

#include <errno.h>

#ifdef __linux__
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// The kernel's numbers: the same on every architecture, and not in the headers of older systems.
#define TLC_SYS_OPENAT2 437
#define TLC_RESOLVE_CACHED 0x20
#define TLC_RWF_NOWAIT 8

int tlc_open_cached(const char *path) {
    struct {
        uint64_t flags, mode, resolve;
    } how = {O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0, TLC_RESOLVE_CACHED};
    return (int)syscall(TLC_SYS_OPENAT2, AT_FDCWD, path, &how, sizeof(how));
}

ptrdiff_t tlc_read_cached(int descriptor, int64_t offset, void *buffer, size_t count) {
    struct iovec part = {buffer, count};
    return preadv2(descriptor, &part, 1, (off_t)offset, TLC_RWF_NOWAIT);
}

#else

int tlc_open_cached(const char *path) {
    (void)path;
    errno = ENOSYS;
    return -1;
}

ptrdiff_t tlc_read_cached(int descriptor, int64_t offset, void *buffer, size_t count) {
    (void)descriptor, (void)offset, (void)buffer, (void)count;
    errno = ENOSYS;
    return -1;
}

#endif
