/* A header as libclang sees it.  See codegen/source.h. */

#include "codegen/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "codegen/markers.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define MAX_INCLUDES 64
#define MAX_DOC ((size_t) 64 << 10)

/* Declarations while they are collected; the array is moved to the arena. */
struct collection {
    struct yl_sources *sources;
    struct yl_source *source;   /* NULL: members of a struct. */
    struct yl_decl *items;
    size_t n, capacity;
};

static int check_diagnostics(struct yl_sources *, struct yl_error *);
static struct yl_source *open_source(struct yl_sources *, CXFile);
static void read_comments(struct yl_sources *, struct yl_source *);
static void add_comment(struct yl_sources *, struct yl_source *,
                        struct yl_str text, const struct yl_comment *where,
                        size_t *capacity);
static struct yl_decls collect(struct yl_sources *, struct yl_source *,
                               CXCursor parent);
static enum CXChildVisitResult visit(CXCursor, CXCursor parent,
                                     CXClientData);
static struct yl_str comment_line(struct yl_str);

int
yl_sources_open(struct yl_sources *sources, struct yl_arena *arena,
                const char *path, const char *const *includes,
                size_t n_includes, struct yl_error *err)
{
    const char *args[MAX_INCLUDES + 4] = { "-xc", "-std=c11", "-w" };
    int n_args = 3;
    size_t i;

    memset(sources, 0, sizeof *sources);
    sources->arena = arena;
    if (n_includes > MAX_INCLUDES) {
        return yl_error_set(err, YL_ETOOBIG,
                            "%zu folders to search; %d are allowed",
                            n_includes, MAX_INCLUDES);
    }
    for (i = 0; i < n_includes; i++) {
        args[n_args++] = yl_arena_printf(arena, "-I%s", includes[i]);
    }
    sources->index = clang_createIndex(0, 0);
    if (clang_parseTranslationUnit2(sources->index, path, args, n_args, NULL,
                                    0, CXTranslationUnit_SkipFunctionBodies,
                                    &sources->unit) != CXError_Success) {
        yl_sources_close(sources);
        return yl_error_set(err, YL_EIO, "%s: cannot be read", path);
    }
    return check_diagnostics(sources, err);
}

void
yl_sources_close(struct yl_sources *sources)
{
    if (sources->unit) {
        clang_disposeTranslationUnit(sources->unit);
    }
    if (sources->index) {
        clang_disposeIndex(sources->index);
    }
    memset(sources, 0, sizeof *sources);
}

struct yl_source *
yl_source_main(struct yl_sources *sources, const char *path)
{
    CXFile file = clang_getFile(sources->unit, path);
    struct yl_source *source = file ? open_source(sources, file) : NULL;

    if (source) {
        source->path = path;
    }
    return source;
}

struct yl_source *
yl_source_of(struct yl_sources *sources, CXCursor cursor)
{
    CXFile file;

    clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL,
                          NULL);
    return file ? open_source(sources, file) : NULL;
}

struct yl_decls
yl_decl_members(struct yl_sources *sources, CXCursor structure)
{
    return collect(sources, NULL, structure);
}

struct yl_decl *
yl_source_decl(struct yl_source *source, CXCursor cursor)
{
    size_t i;

    for (i = 0; i < source->decls.n; i++) {
        if (clang_equalCursors(source->decls.items[i].cursor, cursor)) {
            return &source->decls.items[i];
        }
    }
    return NULL;
}

void
yl_source_comments(struct yl_source *source, const struct yl_decl *decl,
                   yl_comment_fn *each, void *aux)
{
    size_t i;

    for (i = 0; i < source->n_comments; i++) {
        struct yl_comment *c = &source->comments[i];
        bool above = c->offset >= decl->after && c->offset < decl->start
                     && c->first_line > decl->after_line;
        bool behind = c->offset >= decl->end
                      && c->first_line == decl->end_line;

        if (above || behind) {
            each(aux, c);
        }
    }
}

/* State of yl_source_doc(). */
struct doc {
    const struct yl_decl *decl;
    struct yl_buf text;
    unsigned expected;          /* First line of the comment that would
                                 * continue the text. */
};

static void
add_doc(void *aux, struct yl_comment *c)
{
    struct doc *doc = aux;
    bool behind = c->offset >= doc->decl->end;

    if (behind && doc->text.size && c->first_line != doc->expected) {
        return;                 /* The comment above a declaration has
                                 * precedence. */
    }
    if (!behind && c->first_line > doc->expected) {
        doc->text.size = 0;     /* An empty line ends the connection. */
    }
    doc->expected = behind ? c->first_line : c->last_line + 1;
    if (yl_marker_is(c->text)) {
        return;
    }
    if (doc->text.size) {
        yl_buf_append_char(&doc->text, '\n');
    }
    yl_buf_append_str(&doc->text, c->text);
}

const char *
yl_source_doc(struct yl_sources *sources, struct yl_source *source,
              const struct yl_decl *decl)
{
    struct doc doc;
    struct yl_str text;
    char *result;

    doc.decl = decl;
    doc.expected = 0;
    yl_buf_init(&doc.text, MAX_DOC);
    yl_source_comments(source, decl, add_doc, &doc);
    text = yl_str_trim(yl_buf_str(&doc.text));
    if (doc.expected && doc.expected < decl->start_line) {
        text.size = 0;          /* An empty line above the declaration. */
    }
    result = yl_arena_strdup(sources->arena, text);
    yl_buf_release(&doc.text);
    return result;
}

const char *
yl_clang_text(struct yl_sources *sources, CXString s)
{
    const char *text = clang_getCString(s);
    char *copy = yl_arena_strdup(sources->arena, yl_str_c(text ? text : ""));

    clang_disposeString(s);
    return copy;
}

/* Returns the compiler's errors, if there are any. */
static int
check_diagnostics(struct yl_sources *sources, struct yl_error *err)
{
    unsigned i, n = clang_getNumDiagnostics(sources->unit);
    struct yl_diag diag;
    int r;

    yl_diag_init(&diag);
    for (i = 0; i < n; i++) {
        CXDiagnostic d = clang_getDiagnostic(sources->unit, i);

        if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error) {
            CXSourceLocation where = clang_getDiagnosticLocation(d);
            unsigned line;
            CXFile file;

            clang_getFileLocation(where, &file, &line, NULL, NULL);
            yl_diag_add(&diag,
                        yl_clang_text(sources, clang_getFileName(file)), line,
                        "%s", yl_clang_text(sources,
                                            clang_getDiagnosticSpelling(d)));
        }
        clang_disposeDiagnostic(d);
    }
    r = yl_diag_result(&diag, err);
    yl_diag_release(&diag);
    if (r < 0) {
        yl_sources_close(sources);
    }
    return r;
}

static struct yl_source *
open_source(struct yl_sources *sources, CXFile file)
{
    struct yl_source *source;

    for (source = sources->first; source; source = source->next) {
        if (clang_File_isEqual(source->file, file)) {
            return source;
        }
    }
    source = yl_arena_zalloc(sources->arena, sizeof *source);
    source->file = file;
    source->path = yl_clang_text(sources, clang_getFileName(file));
    source->next = sources->first;
    sources->first = source;
    read_comments(sources, source);
    source->decls = collect(sources, source,
                            clang_getTranslationUnitCursor(sources->unit));
    return source;
}

static void
read_comments(struct yl_sources *sources, struct yl_source *source)
{
    size_t size = 0, capacity = 0;
    CXToken *tokens = NULL;
    struct yl_comment *heap;
    unsigned i, n = 0;

    clang_getFileContents(sources->unit, source->file, &size);
    clang_tokenize(sources->unit,
                   clang_getRange(
                       clang_getLocationForOffset(sources->unit,
                                                  source->file, 0),
                       clang_getLocationForOffset(sources->unit,
                                                  source->file,
                                                  (unsigned) size)),
                   &tokens, &n);
    for (i = 0; i < n; i++) {
        CXSourceRange extent = clang_getTokenExtent(sources->unit,
                                                    tokens[i]);
        struct yl_comment where = { .used = false };
        struct yl_str rest, line;

        if (clang_getTokenKind(tokens[i]) != CXToken_Comment) {
            continue;
        }
        clang_getFileLocation(clang_getRangeStart(extent), NULL,
                              &where.first_line, NULL, &where.offset);
        clang_getFileLocation(clang_getRangeEnd(extent), NULL,
                              &where.last_line, NULL, NULL);
        where.line = where.first_line;
        rest = yl_str_c(yl_clang_text(
            sources, clang_getTokenSpelling(sources->unit, tokens[i])));
        while (!yl_str_is_null(rest)) {
            if (!yl_str_cut(rest, '\n', &line, &rest)) {
                line = rest;
                rest = yl_str_null();
            }
            add_comment(sources, source, comment_line(line), &where,
                        &capacity);
            where.line++;
        }
    }
    clang_disposeTokens(sources->unit, tokens, n);

    heap = source->comments;
    source->comments = yl_arena_array(sources->arena, source->n_comments,
                                      sizeof *source->comments);
    if (heap) {
        memcpy(source->comments, heap,
               source->n_comments * sizeof *source->comments);
        free(heap);
    }
}

static void
add_comment(struct yl_sources *sources YL_UNUSED, struct yl_source *source,
            struct yl_str text, const struct yl_comment *where,
            size_t *capacity)
{
    if (source->n_comments == *capacity) {
        *capacity = *capacity ? *capacity * 2 : 64;
        source->comments = yl_realloc_array(source->comments, *capacity,
                                            sizeof *source->comments);
    }
    source->comments[source->n_comments] = *where;
    source->comments[source->n_comments++].text = text;
}

/* A line of a comment without the comment signs. */
static struct yl_str
comment_line(struct yl_str line)
{
    line = yl_str_trim(line);
    if (yl_str_ends_with(line, YL_STR("*/"))) {
        line.size -= 2;
    }
    if (yl_str_starts_with(line, YL_STR("//"))
        || yl_str_starts_with(line, YL_STR("/*"))) {
        line = yl_str_skip(line, 2);
    }
    while (line.size && (line.data[0] == '*' || line.data[0] == '/')) {
        line = yl_str_skip(line, 1);
    }
    return yl_str_trim(line);
}

/* The declarations of a file, or of a struct when 'source' is NULL. */
static struct yl_decls
collect(struct yl_sources *sources, struct yl_source *source, CXCursor parent)
{
    struct collection c = { sources, source, NULL, 0, 0 };
    struct yl_decls decls;
    size_t i;

    clang_visitChildren(parent, visit, &c);
    decls.n = c.n;
    decls.items = yl_arena_array(sources->arena, c.n, sizeof *decls.items);
    if (c.n) {
        memcpy(decls.items, c.items, c.n * sizeof *c.items);
    }
    free(c.items);
    if (!source) {
        unsigned start;

        clang_getFileLocation(clang_getCursorLocation(parent), NULL, NULL,
                              NULL, &start);
        if (decls.n) {
            decls.items[0].after = start;
        }
    }
    for (i = 1; i < decls.n; i++) {
        decls.items[i].after = decls.items[i - 1].end;
        decls.items[i].after_line = decls.items[i - 1].end_line;
    }
    return decls;
}

/* Whether it is a member of a struct, or a struct that is defined in one. */
static bool
is_member(CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);

    return kind == CXCursor_FieldDecl
           || ((kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl)
               && clang_isCursorDefinition(cursor));
}

static enum CXChildVisitResult
visit(CXCursor cursor, CXCursor parent YL_UNUSED, CXClientData aux)
{
    CXSourceRange extent = clang_getCursorExtent(cursor);
    struct collection *c = aux;
    struct yl_decl *decl;
    CXFile file;

    clang_getFileLocation(clang_getRangeStart(extent), &file, NULL, NULL,
                          NULL);
    /* A struct that is mentioned for the first time inside of a struct (struct
     * yl_pair_of_x *) is not a declaration that the user wrote. */
    if (c->source ? !file || !clang_File_isEqual(file, c->source->file)
                  : !is_member(cursor)) {
        return CXChildVisit_Continue;
    }
    if (c->n == c->capacity) {
        c->capacity = c->capacity ? c->capacity * 2 : 32;
        c->items = yl_realloc_array(c->items, c->capacity, sizeof *c->items);
    }
    decl = &c->items[c->n++];
    memset(decl, 0, sizeof *decl);
    decl->cursor = cursor;
    clang_getFileLocation(clang_getRangeStart(extent), NULL,
                          &decl->start_line, NULL, &decl->start);
    clang_getFileLocation(clang_getRangeEnd(extent), NULL, &decl->end_line,
                          NULL, &decl->end);
    return CXChildVisit_Continue;
}
