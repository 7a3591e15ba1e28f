/* A unit as an annotated header.  See codegen/emit_header.h; the markers are
 * written by emit_markers.c. */

#include "codegen/emit_header.h"

#include <string.h>

#include "codegen/emit_c.h"
#include "codegen/emit_markers.h"
#include "yuloh/arena.h"

/* How wide a line should be at most. */
#define COLUMNS 79

/* Where a type is on its way out, by its number. */
enum state {
    WAITING,
    STARTED,                    /* What it needs is being written. */
    WRITTEN,
};

struct emitter {
    struct yl_buf *buf;
    const struct yl_gen_unit *unit;
    unsigned char *states;      /* enum state, of each type. */
};

static void emit_top(struct emitter *);
static void emit_includes(struct emitter *);
static void emit_type(struct emitter *, const struct yl_gen_type *);
static void emit_needed(struct emitter *, const struct yl_gen_value *);
static void emit_struct(struct emitter *, const struct yl_gen_type *);
static void emit_field(struct emitter *, const struct yl_gen_field *);
static bool is_pointer(const struct yl_gen_field *);

void
yl_gen_emit_annotated(struct yl_buf *buf, const struct yl_gen_unit *unit)
{
    struct emitter emitter = {
        .buf = buf,
        .unit = unit,
        .states = yl_arena_array(unit->arena, unit->n_types + 1, 1),
    };
    const struct yl_gen_type *type;
    const struct yl_gen_kind *kind;

    emit_top(&emitter);
    emit_includes(&emitter);
    for (kind = unit->kinds; kind; kind = kind->next) {
        emit_type(&emitter, kind->type);
    }
    for (type = unit->types; type; type = type->next) {
        emit_type(&emitter, type);
    }
    yl_buf_printf(buf, "\n#endif /* %s_types.h */\n", unit->base);
}

static void
emit_top(struct emitter *e)
{
    const struct yl_gen_unit *unit = e->unit;
    const char *guard = yl_gen_macro_name(unit->arena, unit->base);

    yl_buf_printf(e->buf,
                  "#ifndef %s_TYPES_H\n"
                  "#define %s_TYPES_H 1\n"
                  "\n"
                  "/* Types of %s%s%s, which yuloh-gen reads. */\n"
                  "\n", guard, guard, unit->group, unit->group[0] ? "/" : "",
                  unit->version);
    yl_gen_emit_file_markers(e->buf, unit);
}

static void
emit_includes(struct emitter *e)
{
    const struct yl_gen_import *import;

    yl_buf_append_c(e->buf, "\n#include \"yuloh/types.h\"\n");
    for (import = e->unit->imports; import; import = import->next) {
        if (!import->unit->file[0]) {
            yl_buf_printf(e->buf, "#include \"%s_types.h\"\n",
                          import->unit->base);
        }
    }
}

/* Writes 'type' behind what it needs. */
static void
emit_type(struct emitter *e, const struct yl_gen_type *type)
{
    const struct yl_gen_field *field;

    if (type->unit != e->unit || type->is_list
        || e->states[type->index] != WAITING) {
        return;
    }
    e->states[type->index] = STARTED;
    for (field = type->fields; field; field = field->next) {
        emit_needed(e, field->value);
    }
    emit_struct(e, type);
    e->states[type->index] = WRITTEN;
}

static void
emit_needed(struct emitter *e, const struct yl_gen_value *value)
{
    while (value->kind == YL_VALUE_LIST || value->kind == YL_VALUE_MAP) {
        value = value->element;
    }
    if (value->kind == YL_VALUE_STRUCT) {
        emit_type(e, value->type);
    }
}

static void
emit_struct(struct emitter *e, const struct yl_gen_type *type)
{
    const struct yl_gen_field *field;

    yl_buf_append_char(e->buf, '\n');
    yl_gen_emit_type_markers(e->buf, type);
    yl_buf_printf(e->buf, "struct %s {\n", type->c_name);
    for (field = type->fields; field; field = field->next) {
        emit_field(e, field);
    }
    yl_buf_append_c(e->buf, "};\n");
}

static void
emit_field(struct emitter *e, const struct yl_gen_field *field)
{
    const struct yl_gen_value *value = field->value;
    bool many = value->kind == YL_VALUE_LIST || value->kind == YL_VALUE_MAP;
    const char *type = many ? yl_gen_c_element(e->unit->arena, value)
                            : yl_gen_c_type(e->unit->arena, value);
    bool string = yl_str_ends_with(yl_str_c(type), YL_STR("*"));
    const char *number = field->number
                             ? yl_arena_printf(e->unit->arena,
                                               "// +protobuf=%u",
                                               field->number)
                             : "";
    const char *stem, *name, *gap = "";

    if (many && string) {
        stem = yl_arena_printf(e->unit->arena, "    %sconst", type);
        name = yl_arena_printf(e->unit->arena, "*%s;", field->c_name);
    } else if (many || is_pointer(field)) {
        stem = yl_arena_printf(e->unit->arena, "    const %s", type);
        name = yl_arena_printf(e->unit->arena, "*%s;", field->c_name);
    } else {
        stem = yl_arena_printf(e->unit->arena, "    %s", type);
        name = yl_arena_printf(e->unit->arena, "%s;", field->c_name);
    }
    if (strlen(stem) + 1 + strlen(name) > COLUMNS) {
        gap = "\n        ";
    } else if (many || !string) {
        gap = " ";
    }
    yl_gen_emit_field_markers(e->buf, e->unit, field);
    if (number[0]
        && strlen(stem) + strlen(name) + strlen(number) + 2 > COLUMNS) {
        yl_buf_printf(e->buf, "    %s\n", number);
        number = "";
    }
    yl_buf_printf(e->buf, "%s%s%s%s%s\n", stem, gap, name,
                  number[0] ? " " : "", number);
    if (many) {
        yl_buf_printf(e->buf, "    size_t %s;\n", field->c_count);
    }
}

/* Strings are pointers anyway. */
static bool
is_pointer(const struct yl_gen_field *field)
{
    return field->value->kind != YL_VALUE_STRING
           && (field->presence == YL_PRESENCE_POINTER
               || field->presence == YL_PRESENCE_POINTER_ALWAYS);
}
