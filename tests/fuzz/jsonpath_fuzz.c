/* Fuzzes JSONPath.  Input: a path, a zero byte, and an object. */

#include "fuzz.h"

#include "base/buf.h"
#include "schema/jsonpath.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static void check_cells(struct yl_arena *, const struct yl_jsonpath *,
                        struct yl_json object);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_input(data, size);
    struct yl_arena *arena = yl_arena_new();
    const struct yl_jsonpath *path = NULL;
    struct yl_error err = YL_ERROR_INIT;
    int r = yl_jsonpath_parse(fuzz_text(&in), arena, &path, &err);

    if (r < 0) {
        CHECK(!path && err.code == r && err.message);
    } else if (yl_json_validate(in.rest, NULL, NULL) == 0) {
        check_cells(arena, path, yl_json(in.rest));
    }
    yl_error_clear(&err);
    yl_arena_free(arena);
    return 0;
}

/* A cell must be one JSON value of its column's type, or null. */
static void
check_cells(struct yl_arena *arena, const struct yl_jsonpath *path,
            struct yl_json object)
{
    static const struct {
        const char *column;
        enum yl_json_type type;
    } types[] = {
        { "integer", YL_JSON_NUMBER }, { "number", YL_JSON_NUMBER },
        { "string", YL_JSON_STRING }, { "boolean", YL_JSON_BOOL },
        { "date", YL_JSON_STRING }, { "odd", YL_JSON_NULL },
    };
    struct yl_json found = yl_jsonpath_first(path, object, arena);
    struct yl_time now = { 1700000000, 0 };
    size_t i;

    for (i = 0; i < sizeof types / sizeof types[0]; i++) {
        enum yl_json_type type;
        struct yl_buf cell;

        yl_buf_init(&cell, SIZE_MAX);
        yl_jsonpath_write_cell(path, yl_str_c(types[i].column), object, now,
                               arena, &cell);
        CHECK(yl_json_validate(yl_buf_str(&cell), NULL, NULL) == 0);
        type = yl_json_type(yl_json(yl_buf_str(&cell)));
        CHECK(type == types[i].type || type == YL_JSON_NULL);
        CHECK(type == YL_JSON_NULL || yl_json_type(found) != YL_JSON_NONE);
        yl_buf_release(&cell);
    }
}
