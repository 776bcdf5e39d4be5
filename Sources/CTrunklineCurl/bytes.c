#include "internal.h"

#include <stdlib.h>
#include <string.h>

bool tlc_bytes_reserve(tlc_bytes *bytes, size_t capacity) {
    if (capacity <= bytes->capacity) return true;
    uint8_t *grown = realloc(bytes->bytes, capacity);
    if (!grown) return false;
    bytes->bytes = grown;
    bytes->capacity = capacity;
    return true;
}

bool tlc_bytes_append(tlc_bytes *bytes, const void *source, size_t count) {
    if (count > SIZE_MAX / 4 - bytes->length) return false;
    size_t needed = bytes->length + count;
    if (needed > bytes->capacity) {
        size_t capacity = bytes->capacity < 256 ? 256 : bytes->capacity;
        while (capacity < needed) capacity *= 2;
        if (!tlc_bytes_reserve(bytes, capacity)) return false;
    }
    if (count) memcpy(bytes->bytes + bytes->length, source, count);
    bytes->length = needed;
    return true;
}

void tlc_bytes_free(tlc_bytes *bytes) {
    free(bytes->bytes);
    *bytes = (tlc_bytes){0};
}
