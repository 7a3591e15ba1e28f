#ifndef TESTS_CODEGEN_UNIT_H
#define TESTS_CODEGEN_UNIT_H 1

/* Helpers for tests of the generator: headers from strings, and a field to
 * which markers can be applied. */

#include "base/buf.h"
#include "codegen/markers.h"
#include "codegen/model.h"
#include "codegen/read_header.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#include <unistd.h>

static struct yl_arena *arena;
static struct yl_error fault;

/* Frees what earlier tests left. */
__attribute__((unused)) static void
begin(void)
{
    yl_arena_free(arena);
    arena = yl_arena_new();
    yl_error_clear(&fault);
}

/* The folder for the test's files, made when it is needed. */
static char folder[] = "/tmp/yuloh-codegen-XXXXXX";

/* A path in it, lent until the next call. */
__attribute__((unused)) static const char *
scratch_path(const char *name)
{
    static char path[256];
    static bool made;

    if (!made && !mkdtemp(folder)) {
        fail_msg("no folder for the test's files");
    }
    made = true;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

__attribute__((unused)) static void
write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Reads a header that is called 'name'; NULL with 'fault' if it has faults. */
__attribute__((unused)) static struct yl_gen_unit *
read_named(const char *name, const char *text)
{
    const char *path = yl_arena_strdup(arena, yl_str_c(scratch_path(name)));
    const char *include = source_path("include");
    struct yl_gen_unit *unit = NULL;
    int r;

    write_text(path, text);
    r = yl_gen_read_header(arena, path, &include, 1, &unit, &fault);
    unlink(path);
    assert_true((r == 0) == (unit != NULL));
    return unit;
}

#define HEADER_TOP                                                            \
    "// +groupName=demo.example.com\n// +version=v1\n"                        \
    "#include <yuloh/types.h>\n"

/* Reads a header that has three fixed lines and then this text. */
__attribute__((unused)) static struct yl_gen_unit *
read_text(const char *text)
{
    return read_named("demo_types.h",
                      yl_arena_printf(arena, HEADER_TOP "%s", text));
}

/* The error message must contain WORDS. */
#define assert_fault(WORDS)                                                   \
    do {                                                                      \
        if (!strstr(yl_error_message(&fault), WORDS)) {                       \
            fail_msg("no \"%s\" in: %s", WORDS, yl_error_message(&fault));    \
        }                                                                     \
    } while (0)

/* A unit with one struct and one field, as a target for markers. */
struct target {
    struct yl_gen_unit *unit;
    struct yl_gen_type *type;
    struct yl_gen_field *field;
    struct yl_diag diag;
    struct yl_marker_target marker;
};

__attribute__((unused)) static struct target
target_of(enum yl_marker_where where, struct yl_gen_value *value)
{
    struct target t;

    memset(&t, 0, sizeof t);
    t.unit = yl_gen_unit_new(arena, "demo", "demo.example.com", "v1");
    t.type = yl_gen_type_add(t.unit, "thing");
    t.field = yl_gen_field_add(t.type, "x", value);
    t.marker.where = where;
    t.marker.unit = t.unit;
    t.marker.type = where == YL_MARKER_FILE ? NULL : t.type;
    t.marker.field = where == YL_MARKER_FIELD ? t.field : NULL;
    t.marker.file = "demo_types.h";
    t.marker.line = 7;
    yl_diag_init(&t.diag);
    return t;
}

/* A field of a kind, or a list or map of it. */
__attribute__((unused)) static struct target
field_of(enum yl_value_kind kind)
{
    struct yl_gen_unit *unit = yl_gen_unit_new(arena, "d", "d", "v1");

    return target_of(YL_MARKER_FIELD, yl_gen_value_new(unit, kind));
}

__attribute__((unused)) static struct target
list_of(enum yl_value_kind list, enum yl_value_kind element)
{
    struct target t = field_of(list);

    t.field->value->element = yl_gen_value_new(t.unit, element);
    t.field->value->element->type = t.type;
    return t;
}

/* Applies a marker and returns the error message, or NULL. */
__attribute__((unused)) static const char *
apply(struct target *t, const char *marker)
{
    const char *result = NULL;

    t->marker.diag = &t->diag;
    yl_marker_apply(&t->marker, yl_str_c(marker));
    if (t->diag.n) {
        result = yl_arena_strdup(arena, yl_buf_str(&t->diag.text));
    }
    yl_diag_release(&t->diag);
    yl_diag_init(&t->diag);
    return result;
}

#define assert_applies(TARGET, MARKER)                                        \
    do {                                                                      \
        const char *complaint_ = apply(TARGET, MARKER);                       \
        if (complaint_) {                                                     \
            fail_msg("%s: %s", MARKER, complaint_);                           \
        }                                                                     \
    } while (0)
#define assert_refused(TARGET, MARKER, WORDS)                                 \
    do {                                                                      \
        const char *complaint_ = apply(TARGET, MARKER);                       \
        if (!complaint_ || !strstr(complaint_, WORDS)) {                      \
            fail_msg("%s: no \"%s\" in: %s", MARKER, WORDS,                   \
                     complaint_ ? complaint_ : "(nothing)");                  \
        }                                                                     \
    } while (0)

/* Frees what the last test left.  Must be the last test of a file. */
#define CODEGEN_END                                                           \
    TEST(leaves_nothing)                                                      \
    {                                                                         \
        yl_arena_free(arena);                                                 \
        arena = NULL;                                                         \
        yl_error_clear(&fault);                                               \
        rmdir(folder);                                                        \
    }                                                                         \
    struct target

#endif /* tests/codegen_unit.h */
