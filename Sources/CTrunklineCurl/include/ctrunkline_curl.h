// The C side of the libcurl transport: opens the library at run time, wraps its variadic calls, and keeps the callbacks
// of the hot path (header lines, body bytes) out of Swift. Building it needs no header of libcurl: the numbers in
// `tlc_options.h` are part of libcurl's stable ABI. zlib, for request bodies, is opened in the same way.
// Beside that, SHA-256 by the processor's instructions, which Swift has no access to.
// Beside it, reads that don't wait for the disk, and what Swift can't see of Linux's netlink: the layout of its messages.
#ifndef CTRUNKLINE_CURL_H
#define CTRUNKLINE_CURL_H

#include "tlc_file.h"
#include "tlc_library.h"
#include "tlc_loop.h"
#include "tlc_netlink.h"
#include "tlc_options.h"
#include "tlc_socket.h"
#include "tlc_transfer.h"
#include "tlc_sha256.h"
#include "tlc_zlib.h"

#endif
