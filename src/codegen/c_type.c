/* C types of members, and the JSON values that they stand for.  See
 * codegen/reader.h and yuloh/types.h. */

#include "codegen/reader.h"

#include <string.h>

#include "yuloh/arena.h"
#include "yuloh/compiler.h"

/* Where a type is used, for error messages. */
struct place {
    struct yl_reader *reader;
    struct yl_gen_unit *unit;
    struct yl_source *source;
    unsigned line;
    const char *name;           /* Of the member. */
};

static const char *name_of(struct yl_reader *, CXCursor);
static const char *spelling(struct yl_reader *, CXType);
static size_t find_member(struct yl_reader *, const struct yl_decls *,
                          const char *name);
static struct yl_gen_value *plain_value(struct place *, CXType);
static struct yl_gen_value *list_value(struct place *, CXType pointee);
static struct yl_gen_value *element_value(struct place *, CXType,
                                          CXCursor structure);
static struct yl_gen_value *map_value(struct place *, CXType pair);
static struct yl_c_member transparent_member(struct place *, CXCursor,
                                             const char *c_name);
static void complain_type(struct place *, CXType);
static bool is_struct(CXType);
static CXCursor definition(CXType);

struct yl_c_member
yl_reader_member(struct yl_reader *reader, struct yl_gen_unit *unit,
                 struct yl_source *source, const struct yl_decls *members,
                 size_t i)
{
    CXCursor cursor = members->items[i].cursor;
    struct place place = { reader, unit, source,
                           members->items[i].start_line,
                           name_of(reader, cursor) };
    const char *count = yl_arena_printf(reader->arena, "n_%s", place.name);
    struct yl_c_member member = { NULL, false, place.name, "" };
    bool counted = find_member(reader, members, count) < members->n;
    CXType type = clang_getCursorType(cursor);
    CXType canonical = clang_getCanonicalType(type);

    if (clang_Cursor_isBitField(cursor)) {
        yl_diag_add(&reader->diag, source->path, place.line,
                    "'%s' is a bit-field; write 'bool %s'", place.name,
                    place.name);
    } else if (canonical.kind == CXType_Pointer) {
        CXType pointee = clang_getPointeeType(canonical);
        CXType written = type.kind == CXType_Pointer
                         ? clang_getPointeeType(type) : pointee;
        bool string = pointee.kind == CXType_Char_S
                      || pointee.kind == CXType_SChar
                      || pointee.kind == CXType_Char_U;

        if (!clang_isConstQualifiedType(pointee)) {
            yl_diag_add(&reader->diag, source->path, place.line,
                        "'%s' points to what may change; write 'const %s%s'",
                        place.name, spelling(reader, type), place.name);
        } else if (string && counted) {
            yl_diag_add(&reader->diag, source->path, place.line,
                        "'%s' is a string and has a count '%s'; a list of "
                        "strings is 'const char *const *%s'", place.name,
                        count, place.name);
        } else if (string) {
            member.value = yl_gen_value_new(unit, YL_VALUE_STRING);
        } else if (counted) {
            member.value = list_value(&place, written);
            member.c_count = count;
        } else if (pointee.kind == CXType_Pointer
                   || (is_struct(pointee)
                       && yl_reader_is_pair(name_of(
                              reader, clang_getTypeDeclaration(pointee))))) {
            yl_diag_add(&reader->diag, source->path, place.line,
                        "'%s' is a list without a count; write 'size_t %s;' "
                        "behind it", place.name, count);
        } else {
            member.value = plain_value(&place, written);
            member.pointer = true;
            if (member.value && (member.value->kind == YL_VALUE_RAW
                                 || member.value->kind == YL_VALUE_EMBEDDED
                                 || member.value->kind == YL_VALUE_BYTES)) {
                yl_diag_add(&reader->diag, source->path, place.line,
                            "'%s' needs no pointer to be absent; write '%s "
                            "%s;' with +optional", place.name,
                            spelling(reader, written), place.name);
            }
        }
    } else if (is_struct(canonical)
               && yl_reader_is_transparent(reader, definition(canonical))) {
        return transparent_member(&place, definition(canonical), place.name);
    } else {
        member.value = plain_value(&place, type);
    }
    return member;
}

bool
yl_reader_is_count(struct yl_reader *reader, const struct yl_decls *members,
                   size_t i)
{
    CXCursor cursor = members->items[i].cursor;
    const char *name = name_of(reader, cursor);
    const char *type = spelling(reader, clang_getCursorType(cursor));

    return !strncmp(name, "n_", 2) && !strcmp(type, "size_t")
           && find_member(reader, members, name + 2) < members->n;
}

bool
yl_reader_is_pair(const char *c_name)
{
    return yl_str_ends_with(yl_str_c(c_name), YL_STR("_pair"))
           || yl_str_starts_with(yl_str_c(c_name), YL_STR("yl_pair_of_"));
}

static const char *
name_of(struct yl_reader *reader, CXCursor cursor)
{
    return yl_clang_text(&reader->sources, clang_getCursorSpelling(cursor));
}

/* The type as it is written, without its qualifiers. */
static const char *
spelling(struct yl_reader *reader, CXType type)
{
    const char *s = yl_clang_text(&reader->sources,
                                  clang_getTypeSpelling(type));

    return strncmp(s, "const ", 6) ? s : s + 6;
}

static size_t
find_member(struct yl_reader *reader, const struct yl_decls *members,
            const char *name)
{
    size_t i;

    for (i = 0; i < members->n; i++) {
        if (!strcmp(name_of(reader, members->items[i].cursor), name)) {
            break;
        }
    }
    return i;
}

/* A value that is neither a pointer nor a list. */
static struct yl_gen_value *
plain_value(struct place *place, CXType type)
{
    static const struct {
        const char *name;
        enum yl_value_kind kind;
    } names[] = {
        { "bool", YL_VALUE_BOOL },
        { "_Bool", YL_VALUE_BOOL },
        { "int32_t", YL_VALUE_INT32 },
        { "int64_t", YL_VALUE_INT64 },
        { "double", YL_VALUE_DOUBLE },
        { "struct yl_bytes", YL_VALUE_BYTES },
        { "struct yl_time", YL_VALUE_TIME },
        { "struct yl_micro_time", YL_VALUE_MICRO_TIME },
        { "struct yl_duration", YL_VALUE_DURATION },
        { "struct yl_quantity", YL_VALUE_QUANTITY },
        { "struct yl_int_or_string", YL_VALUE_INT_OR_STRING },
        { "struct yl_raw", YL_VALUE_RAW },
        { "struct yl_embedded", YL_VALUE_EMBEDDED },
    };
    const char *written = spelling(place->reader, type);
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        if (!strcmp(written, names[i].name)) {
            return yl_gen_value_new(place->unit, names[i].kind);
        }
    }
    type = clang_getCanonicalType(type);
    if (is_struct(type)) {
        struct yl_gen_type *struct_type
            = yl_reader_type(place->reader, clang_getTypeDeclaration(type),
                             place->source, place->line);
        struct yl_gen_value *value;

        if (!struct_type) {
            return NULL;
        }
        value = yl_gen_value_new(place->unit, YL_VALUE_STRUCT);
        value->type = struct_type;
        yl_gen_import(place->unit, struct_type->unit);
        return value;
    }
    complain_type(place, type);
    return NULL;
}

/* A list or map whose elements are 'pointee'. */
static struct yl_gen_value *
list_value(struct place *place, CXType pointee)
{
    CXType canonical = clang_getCanonicalType(pointee);
    struct yl_gen_value *element, *value;

    if (is_struct(canonical)
        && yl_reader_is_pair(name_of(place->reader,
                                     clang_getTypeDeclaration(canonical)))) {
        return map_value(place, canonical);
    }
    element = element_value(place, pointee, definition(canonical));
    if (!element) {
        return NULL;
    }
    value = yl_gen_value_new(place->unit, YL_VALUE_LIST);
    value->element = element;
    value->c_element = element->kind == YL_VALUE_STRING
                       ? "const char *" : spelling(place->reader, pointee);
    return value;
}

/* An element of a list, or the value of a pair. */
static struct yl_gen_value *
element_value(struct place *place, CXType type, CXCursor structure)
{
    CXType canonical = clang_getCanonicalType(type);

    if (canonical.kind == CXType_Pointer) {
        CXType pointee = clang_getPointeeType(canonical);

        if (pointee.kind != CXType_Char_S && pointee.kind != CXType_Char_U) {
            yl_diag_add(&place->reader->diag, place->source->path,
                        place->line, "'%s' is a list of pointers; write a "
                        "list of what they point to", place->name);
            return NULL;
        }
        return yl_gen_value_new(place->unit, YL_VALUE_STRING);
    } else if (is_struct(canonical)
               && yl_reader_is_transparent(place->reader, structure)) {
        return transparent_member(place, structure, "").value;
    }
    return plain_value(place, type);
}

/* A map.  Its pair is defined in a header, or will be in the generated one. */
static struct yl_gen_value *
map_value(struct place *place, CXType pair)
{
    struct yl_reader *reader = place->reader;
    CXCursor structure = definition(pair);
    const char *name = name_of(reader, clang_getTypeDeclaration(pair));
    struct yl_gen_value *value = yl_gen_value_new(place->unit, YL_VALUE_MAP);
    struct yl_decls members;

    value->c_element = yl_arena_printf(reader->arena, "struct %s", name);
    if (clang_Cursor_isNull(structure)) {
        /* struct yl_pair_of_X: the struct X is in the same translation
         * unit. */
        value->element = yl_gen_value_new(place->unit, YL_VALUE_STRUCT);
        value->element->type = yl_reader_struct_called(
            reader, name + strlen("yl_pair_of_"), place->source,
            place->line);
        if (!value->element->type) {
            return NULL;
        }
        yl_gen_import(place->unit, value->element->type->unit);
        return value;
    }
    members = yl_decl_members(&reader->sources, structure);
    if (members.n < 2 || members.n > 3
        || find_member(reader, &members, "key") != 0
        || find_member(reader, &members, "value") != 1) {
        yl_diag_add(&reader->diag, place->source->path, place->line,
                    "struct %s is no pair; write 'const char *key; T "
                    "value;' in it", name);
        return NULL;
    }
    value->element = yl_reader_member(reader, place->unit, place->source,
                                      &members, 1).value;
    return value->element ? value : NULL;
}

/* A transparent struct: JSON has its only list or map in its place. */
static struct yl_c_member
transparent_member(struct place *place, CXCursor structure,
                   const char *c_name)
{
    struct yl_reader *reader = place->reader;
    struct yl_decls members = yl_decl_members(&reader->sources, structure);
    struct yl_c_member member = { NULL, false, c_name, "" };

    if (members.n == 2 && yl_reader_is_count(reader, &members, 1)) {
        member = yl_reader_member(reader, place->unit, place->source,
                                  &members, 0);
        member.c_name = yl_arena_printf(reader->arena, "%s.%s", c_name,
                                        member.c_name);
        member.c_count = yl_arena_printf(reader->arena, "%s.%s", c_name,
                                         member.c_count);
    } else {
        yl_diag_add(&reader->diag, place->source->path, place->line,
                    "struct %s is +transparent; write one list and its count "
                    "in it", name_of(reader, structure));
    }
    return member;
}

static void
complain_type(struct place *place, CXType type)
{
    const char *instead;

    switch (type.kind) {
    case CXType_Int:
    case CXType_Short:
    case CXType_SChar:
    case CXType_UChar:
    case CXType_UShort:
    case CXType_UInt:
        instead = "int32_t or int64_t";
        break;
    case CXType_Long:
    case CXType_LongLong:
    case CXType_ULong:
    case CXType_ULongLong:
        instead = "int64_t";
        break;
    case CXType_Float:
    case CXType_LongDouble:
        instead = "double";
        break;
    case CXType_Char_S:
    case CXType_Char_U:
    case CXType_ConstantArray:
    case CXType_IncompleteArray:
        instead = "'const char *' for a string, or 'const T *x; size_t n_x;' "
                  "for a list";
        break;
    case CXType_Enum:
        instead = "'const char *' with +kubebuilder:validation:Enum=A;B";
        break;
    case CXType_Record:
        instead = "a struct whose members are all optional";
        break;
    case CXType_Pointer:
        instead = "'struct yl_raw' for any JSON";
        break;
    default:
        instead = "one of the types in <yuloh/types.h>";
        break;
    }
    yl_diag_add(&place->reader->diag, place->source->path, place->line,
                "'%s' has type '%s', which JSON has no word for; write %s",
                place->name, spelling(place->reader, type), instead);
}

static bool
is_struct(CXType type)
{
    return type.kind == CXType_Record
           && clang_getCursorKind(clang_getTypeDeclaration(type))
              == CXCursor_StructDecl;
}

/* Where a struct is defined; the null cursor if it is only declared. */
static CXCursor
definition(CXType type)
{
    return clang_getCursorDefinition(clang_getTypeDeclaration(type));
}
