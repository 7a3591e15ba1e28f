/* From an annotated header to the model.  See codegen/read_header.h.
 *
 * A file is a unit if it has a group and a version.  First all structs of a
 * unit become types, so that they may refer to each other in any order and
 * their numbers do not depend on which file refers to them.  Then their
 * members are read, which may bring in further units. */

#include "codegen/read_header.h"

#include <string.h>

#include "codegen/go_order.h"
#include "codegen/markers.h"
#include "codegen/reader.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static struct yl_gen_unit *unit_of(struct yl_reader *, struct yl_source *);
static void read_types(struct yl_reader *, struct yl_source *);
static void read_pending(struct yl_reader *);
static void read_fields(struct yl_reader *, struct yl_source *);
static void read_field(struct yl_reader *, struct yl_source *,
                       struct yl_gen_type *, const struct yl_decls *,
                       size_t i);
static void check_unit(struct yl_reader *, struct yl_source *);
static void check_kind(struct yl_reader *, struct yl_source *,
                       struct yl_gen_kind *);
static void check_left_over(struct yl_reader *, struct yl_source *);
static void finish(struct yl_reader *, struct yl_source *main);

int
yl_gen_read_header(struct yl_arena *arena, const char *path,
                   const char *const *includes, size_t n_includes,
                   struct yl_gen_unit **ret_unit, struct yl_error *err)
{
    struct yl_reader reader;
    struct yl_source *main;
    int r;

    memset(&reader, 0, sizeof reader);
    reader.arena = arena;
    r = yl_sources_open(&reader.sources, arena, path, includes, n_includes,
                        err);
    if (r < 0) {
        return r;
    }
    yl_diag_init(&reader.diag);
    main = yl_source_main(&reader.sources, path);
    if (!unit_of(&reader, main)) {
        yl_diag_add(&reader.diag, path, 0,
                    "no group and version; write '// +groupName=NAME' and "
                    "'// +version=v1' at the top");
    } else {
        read_pending(&reader);
        finish(&reader, main);
    }
    r = yl_diag_result(&reader.diag, err);
    if (r == 0) {
        *ret_unit = main->unit;
    }
    yl_diag_release(&reader.diag);
    yl_sources_close(&reader.sources);
    return r;
}

struct yl_gen_type *
yl_reader_type(struct yl_reader *reader, CXCursor cursor,
               struct yl_source *user, unsigned line)
{
    const char *name = yl_clang_text(&reader->sources,
                                     clang_getCursorSpelling(cursor));
    CXCursor definition = clang_getCursorDefinition(cursor);
    struct yl_gen_unit *unit;
    struct yl_source *source;

    if (clang_Cursor_isAnonymous(cursor)) {
        yl_diag_add(&reader->diag, user->path, line,
                    "a struct without a name; define it above, with one");
        return NULL;
    } else if (clang_Cursor_isNull(definition)) {
        yl_diag_add(&reader->diag, user->path, line,
                    "struct %s is not defined; define it, or include the "
                    "header that does", name);
        return NULL;
    }
    source = yl_source_of(&reader->sources, definition);
    unit = unit_of(reader, source);
    if (!unit) {
        yl_diag_add(&reader->diag, user->path, line,
                    "struct %s is from %s, which has no +groupName and "
                    "+version", name, source->path);
        return NULL;
    }
    return yl_gen_type_find(unit, name);
}

/* What a walk over the translation unit looks for. */
struct search {
    struct yl_reader *reader;
    const char *name;
    CXCursor found;
};

static enum CXChildVisitResult
search_struct(CXCursor cursor, CXCursor parent YL_UNUSED, CXClientData aux)
{
    struct search *search = aux;

    if (clang_getCursorKind(cursor) == CXCursor_StructDecl
        && clang_isCursorDefinition(cursor)
        && !strcmp(yl_clang_text(&search->reader->sources,
                                 clang_getCursorSpelling(cursor)),
                   search->name)) {
        search->found = cursor;
        return CXChildVisit_Break;
    }
    return CXChildVisit_Continue;
}

static CXCursor
find_struct(struct yl_reader *reader, const char *c_name)
{
    struct search search = { reader, c_name, clang_getNullCursor() };

    clang_visitChildren(clang_getTranslationUnitCursor(reader->sources.unit),
                        search_struct, &search);
    return search.found;
}

struct yl_gen_type *
yl_reader_struct_called(struct yl_reader *reader, const char *c_name,
                        struct yl_source *source, unsigned line)
{
    CXCursor cursor = find_struct(reader, c_name);

    if (clang_Cursor_isNull(cursor)) {
        yl_diag_add(&reader->diag, source->path, line,
                    "there is no struct %s for a map's values", c_name);
        return NULL;
    }
    return yl_reader_type(reader, cursor, source, line);
}

static void
look_transparent(void *aux, struct yl_comment *comment)
{
    bool *transparent = aux;

    if (yl_marker_is_transparent(comment->text)) {
        comment->used = *transparent = true;
    }
}

bool
yl_reader_is_transparent(struct yl_reader *reader, CXCursor structure)
{
    struct yl_source *source;
    struct yl_decl *decl;
    bool transparent = false;

    if (clang_Cursor_isNull(structure)) {
        return false;
    }
    source = yl_source_of(&reader->sources, structure);
    decl = source ? yl_source_decl(source, structure) : NULL;
    if (decl) {
        yl_source_comments(source, decl, look_transparent, &transparent);
    }
    return transparent;
}

/* "apps_v1" of "api/apps_v1_types.h". */
static const char *
base_name(struct yl_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    struct yl_str name = yl_str_c(slash ? slash + 1 : path);
    char *base, *p;

    if (yl_str_ends_with(name, YL_STR("_types.h"))) {
        name.size -= strlen("_types.h");
    } else if (yl_str_ends_with(name, YL_STR(".h"))) {
        name.size -= strlen(".h");
    }
    base = yl_arena_strdup(arena, name);
    for (p = base; *p; p++) {
        if (*p == '-' || *p == '.') {
            *p = '_';
        }
    }
    return base;
}

static void
apply_file_markers(struct yl_reader *reader, struct yl_source *source,
                   struct yl_gen_unit *unit, struct yl_diag *diag)
{
    struct yl_marker_target target;
    size_t i;

    memset(&target, 0, sizeof target);
    target.where = YL_MARKER_FILE;
    target.unit = unit;
    target.diag = diag;
    target.file = source->path;
    for (i = 0; i < source->n_comments; i++) {
        struct yl_comment *c = &source->comments[i];

        if (yl_marker_is(c->text) && yl_marker_of_file(c->text)
            && (!source->decls.n
                || c->offset < source->decls.items[0].start)) {
            target.line = c->line;
            c->used = true;
            yl_marker_apply(&target, c->text);
        }
    }
    (void) reader;
}

/* The unit that a file describes, with its types; NULL if it is not a unit. */
static struct yl_gen_unit *
unit_of(struct yl_reader *reader, struct yl_source *source)
{
    struct yl_gen_unit said, *unit;
    struct yl_diag unheard;

    if (!source || source->read) {
        return source ? source->unit : NULL;
    }
    source->read = true;

    /* Markers are applied twice, because other names derive from group and
     * version. */
    memset(&said, 0, sizeof said);
    said.arena = reader->arena;
    yl_diag_init(&unheard);
    apply_file_markers(reader, source, &said, &unheard);
    yl_diag_release(&unheard);
    if (!said.group || !said.version || !said.version[0]) {
        return NULL;
    }
    unit = yl_gen_unit_new(reader->arena,
                           base_name(reader->arena, source->path), said.group,
                           said.version);
    apply_file_markers(reader, source, unit, &reader->diag);
    unit->file = source->path;
    source->unit = unit;
    if (reader->n_pending == YL_ARRAY_SIZE(reader->pending)) {
        yl_diag_add(&reader->diag, source->path, 0, "too many headers");
        return unit;
    }
    read_types(reader, source);
    reader->pending[reader->n_pending++] = source;
    return unit;
}

/* Applies the markers of one declaration: in one round those that name a type,
 * in another round the rest. */
struct markers {
    struct yl_marker_target target;
    bool names;                 /* Whether this round is for names. */
};

static void
apply_marker(void *aux, struct yl_comment *comment)
{
    struct markers *markers = aux;

    if (yl_marker_is(comment->text) && !yl_marker_of_file(comment->text)
        && yl_marker_is_name(comment->text) == markers->names) {
        comment->used = true;
        markers->target.line = comment->line;
        yl_marker_apply(&markers->target, comment->text);
    }
}

static void
read_types(struct yl_reader *reader, struct yl_source *source)
{
    size_t i;

    for (i = 0; i < source->decls.n; i++) {
        const struct yl_decl *decl = &source->decls.items[i];
        struct markers markers;
        struct yl_gen_type *type;
        const char *name;

        if (clang_getCursorKind(decl->cursor) != CXCursor_StructDecl
            || !clang_isCursorDefinition(decl->cursor)) {
            continue;
        }
        name = yl_clang_text(&reader->sources,
                             clang_getCursorSpelling(decl->cursor));
        if (yl_reader_is_pair(name)
            || yl_reader_is_transparent(reader, decl->cursor)) {
            continue;
        }
        type = yl_gen_type_add(source->unit, name);
        type->line = decl->start_line;
        type->doc = yl_source_doc(&reader->sources, source, decl);

        memset(&markers, 0, sizeof markers);
        markers.target.where = YL_MARKER_TYPE;
        markers.target.unit = source->unit;
        markers.target.type = type;
        markers.target.diag = &reader->diag;
        markers.target.file = source->path;
        markers.names = true;
        yl_source_comments(source, decl, apply_marker, &markers);
        markers.names = false;
        yl_source_comments(source, decl, apply_marker, &markers);
    }
}

static void
read_pending(struct yl_reader *reader)
{
    while (reader->n_pending) {
        read_fields(reader, reader->pending[--reader->n_pending]);
    }
}

static void
read_fields(struct yl_reader *reader, struct yl_source *source)
{
    size_t i, j;

    for (i = 0; i < source->decls.n; i++) {
        const struct yl_decl *decl = &source->decls.items[i];
        struct yl_gen_type *type;
        struct yl_decls members;

        if (clang_getCursorKind(decl->cursor) != CXCursor_StructDecl
            || !clang_isCursorDefinition(decl->cursor)) {
            continue;
        }
        type = yl_gen_type_find(source->unit, yl_clang_text(
            &reader->sources, clang_getCursorSpelling(decl->cursor)));
        if (!type) {
            continue;
        }
        members = yl_decl_members(&reader->sources, decl->cursor);
        for (j = 0; j < members.n; j++) {
            if (clang_getCursorKind(members.items[j].cursor)
                != CXCursor_FieldDecl) {
                yl_diag_add(&reader->diag, source->path,
                            members.items[j].start_line, "a struct or union "
                            "inside of another; define it above, with a "
                            "name");
                j++;            /* And the member that has this type. */
            } else if (!yl_reader_is_count(reader, &members, j)) {
                read_field(reader, source, type, &members, j);
            }
        }
    }
}

static void
look_skipped(void *aux, struct yl_comment *comment)
{
    bool *skipped = aux;

    if (yl_str_equal_c(comment->text, "+json=-")) {
        comment->used = *skipped = true;
    }
}

static void
read_field(struct yl_reader *reader, struct yl_source *source,
           struct yl_gen_type *type, const struct yl_decls *members,
           size_t i)
{
    const struct yl_decl *decl = &members->items[i];
    struct yl_gen_unit *unit = source->unit;
    struct yl_c_member member;
    struct yl_gen_field *field;
    struct markers markers;
    bool skipped = false;
    const char *name;

    yl_source_comments(source, decl, look_skipped, &skipped);
    if (skipped) {
        return;
    }
    name = yl_clang_text(&reader->sources,
                         clang_getCursorSpelling(decl->cursor));
    member = yl_reader_member(reader, unit, source, members, i);
    if (!member.value) {
        /* The type was reported as an error; go on, so that its markers are
         * not reported as well. */
        member.value = yl_gen_value_new(unit, YL_VALUE_RAW);
    }
    field = yl_gen_field_add(type, name, member.value);
    field->c_name = member.c_name;
    field->c_count = member.c_count;
    field->line = decl->start_line;
    field->doc = yl_source_doc(&reader->sources, source, decl);

    memset(&markers, 0, sizeof markers);
    markers.target.where = YL_MARKER_FIELD;
    markers.target.unit = unit;
    markers.target.type = type;
    markers.target.field = field;
    markers.target.diag = &reader->diag;
    markers.target.file = source->path;
    yl_source_comments(source, decl, apply_marker, &markers);
    if (i + 1 < members->n && yl_reader_is_count(reader, members, i + 1)) {
        /* Comments at the count of a list belong to the list. */
        yl_source_comments(source, &members->items[i + 1], apply_marker,
                           &markers);
        if (!field->doc[0]) {
            field->doc = yl_source_doc(&reader->sources, source,
                                       &members->items[i + 1]);
        }
    }
    if (member.value->kind == YL_VALUE_STRUCT
        && (!strcmp(member.value->type->c_name, "yl_object_meta")
            || !strcmp(member.value->type->c_name, "yl_list_meta"))) {
        markers.target.optional |= !markers.target.required;
    }
    markers.target.line = field->line;
    yl_marker_settle(&markers.target, member.pointer);
    field->inlined = markers.target.inlined;
    if (field->inlined
        && (member.value->kind != YL_VALUE_STRUCT || member.pointer)) {
        yl_diag_add(&reader->diag, source->path, field->line,
                    "'%s' is inlined and no struct; write 'struct T %s;'",
                    name, name);
        field->inlined = false;
    }
}

static void
finish(struct yl_reader *reader, struct yl_source *main)
{
    CXCursor cursor = find_struct(reader, "yl_list_meta");
    struct yl_gen_type *list_meta = NULL;
    struct yl_source *source;

    if (!clang_Cursor_isNull(cursor)) {
        list_meta = yl_reader_type(reader, cursor, main, 0);
        read_pending(reader);
    }
    for (source = reader->sources.first; source; source = source->next) {
        if (source->unit) {
            yl_gen_unit_flatten(source->unit);
        }
    }
    for (source = reader->sources.first; source; source = source->next) {
        if (source->unit && list_meta) {
            yl_gen_unit_add_lists(source->unit, list_meta);
        } else if (source->unit && source->unit->kinds) {
            yl_diag_add(&reader->diag, source->path, 0,
                        "write '#include <yuloh/types.h>' at the top");
        }
    }
    yl_gen_go_settle(main->unit, &reader->diag);
    check_unit(reader, main);
    check_left_over(reader, main);
}

static void
check_unit(struct yl_reader *reader, struct yl_source *source)
{
    struct yl_gen_type *type, *other;
    struct yl_gen_kind *kind;

    for (type = source->unit->types; type; type = type->next) {
        struct yl_gen_field **fields;
        size_t i, n;

        fields = yl_gen_fields_sorted(type, &n);
        for (i = 1; i < n; i++) {
            if (!strcmp(fields[i]->json_name, fields[i - 1]->json_name)) {
                yl_diag_add(&reader->diag, source->path, fields[i]->line,
                            "'%s' and '%s' are both \"%s\" in JSON; write "
                            "'+json=NAME' above one", fields[i - 1]->c_name,
                            fields[i]->c_name, fields[i]->json_name);
            }
        }
        for (i = 0; i < n; i++) {
            struct yl_gen_value *value = fields[i]->value;

            if (value->topology == YL_TOPOLOGY_MAP
                && !value->list_keys[0]) {
                yl_diag_add(&reader->diag, source->path, fields[i]->line,
                            "'%s' is '+listType=map' without a key; write "
                            "'+listMapKey=NAME'", fields[i]->c_name);
            }
        }
        other = yl_gen_type_find_api(source->unit, type->name);
        if (other != type) {
            yl_diag_add(&reader->diag, source->path, type->line,
                        "struct %s and struct %s are both %s; write "
                        "'+typeName=NAME' above one", other->c_name,
                        type->c_name, type->name);
        }
    }
    for (kind = source->unit->kinds; kind; kind = kind->next) {
        check_kind(reader, source, kind);
    }
}

static void
check_kind(struct yl_reader *reader, struct yl_source *source,
           struct yl_gen_kind *kind)
{
    struct yl_gen_type *type = kind->type;
    struct yl_gen_field *field;

    for (field = type->fields; field; field = field->next) {
        if (!strcmp(field->json_name, "apiVersion")
            || !strcmp(field->json_name, "kind")) {
            yl_diag_add(&reader->diag, source->path, field->line,
                        "'%s' is written by itself; take it out of struct "
                        "%s", field->json_name, type->c_name);
        }
    }
    field = yl_gen_field_find(type, "metadata");
    if (kind->client && (!field || field->value->kind != YL_VALUE_STRUCT
                         || strcmp(field->value->type->c_name,
                                   "yl_object_meta"))) {
        yl_diag_add(&reader->diag, source->path, type->line,
                    "struct %s is a kind; write 'struct yl_object_meta "
                    "metadata;' in it", type->c_name);
    }
    if (kind->status && !yl_gen_field_find(type, "status")) {
        yl_diag_add(&reader->diag, source->path, type->line,
                    "struct %s has the status subresource and no member "
                    "'status'", type->c_name);
    }
}

/* A marker that belongs to no declaration is an error, and not an ordinary
 * comment. */
static void
check_left_over(struct yl_reader *reader, struct yl_source *source)
{
    size_t i;

    for (i = 0; i < source->n_comments; i++) {
        const struct yl_comment *c = &source->comments[i];

        if (c->used || !yl_marker_is(c->text)) {
            continue;
        }
        yl_diag_add(&reader->diag, source->path, c->line,
                    yl_marker_of_file(c->text)
                    ? "'%.*s' belongs above the first declaration"
                    : "'%.*s' belongs to nothing; write it above a struct or "
                      "a member", YL_STR_ARG(c->text));
    }
}
