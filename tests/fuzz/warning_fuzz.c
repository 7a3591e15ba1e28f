/* Fuzzes the reading of Warning headers: it ends, and what it reads is clean
 * text. */

#include "fuzz.h"

#include "client/warning.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static bool
is_clean(struct yl_str s)
{
    size_t i;

    for (i = 0; i < s.size; i++) {
        if ((unsigned char) s.data[i] < ' ' || s.data[i] == 0x7f) {
            return false;
        }
    }
    return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yl_str rest = yl_str_n((const char *) data, size);
    struct yl_error err = YL_ERROR_INIT;
    struct yl_arena *arena = yl_arena_new();
    struct yl_warning warning;
    int r;

    do {
        size_t before = rest.size;

        r = yl_warning_next(&rest, arena, &warning, &err);
        if (r > 0) {
            CHECK(rest.size < before);
            CHECK(warning.code >= 0 && warning.code <= 999);
            CHECK(warning.agent.size && is_clean(warning.agent));
            CHECK(is_clean(warning.text));
        }
    } while (r > 0);
    CHECK(r == err.code);
    yl_error_clear(&err);
    yl_arena_free(arena);
    return 0;
}
