#ifndef CODEGEN_SOURCE_H
#define CODEGEN_SOURCE_H 1

/* A header as libclang sees it: files, their declarations, and the comments
 * that belong to each.
 *
 * Comments are found among the tokens, by their positions.  libclang's own
 * function for a declaration's comment loses markers: a comment behind a
 * member hides those above it, and an empty line cuts off what stands above
 * it.
 *
 *     what belongs to a declaration
 *         comments behind the end of the one before (but not on its line)
 *         and before its own start, and those that start on its last line */

#include <stdbool.h>
#include <stddef.h>

#include <clang-c/Index.h>

#include "codegen/diag.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_error;

/* One line of a comment, without its comment signs and blanks around it. */
struct yl_comment {
    struct yl_str text;
    unsigned line;
    unsigned first_line;        /* Of the comment it is in. */
    unsigned last_line;
    unsigned offset;            /* Of the comment in the file. */
    bool used;                  /* It was taken by a declaration. */
};

/* A declaration: of the file, or a member of a struct. */
struct yl_decl {
    CXCursor cursor;
    unsigned start, end;        /* Offsets in the file. */
    unsigned start_line, end_line;
    unsigned after, after_line; /* Where the one before it ends; 0 at the
                                 * start. */
};

struct yl_decls {
    struct yl_decl *items;
    size_t n;
};

struct yl_source {
    struct yl_source *next;
    CXFile file;
    const char *path;
    struct yl_comment *comments;
    size_t n_comments;
    struct yl_decls decls;      /* Of the file, in order. */
    struct yl_gen_unit *unit;   /* For the reader of headers. */
    bool read;                  /* For the reader of headers. */
};

struct yl_sources {
    struct yl_arena *arena;
    CXIndex index;
    CXTranslationUnit unit;
    struct yl_source *first;    /* Files that were asked for. */
};

/* Parses the header at 'path'; other headers are looked for in the folders
 * 'includes'.  0, or YL_EINVALID with the compiler's errors. */
int yl_sources_open(struct yl_sources *, struct yl_arena *, const char *path,
                    const char *const *includes, size_t n_includes,
                    struct yl_error *err);
void yl_sources_close(struct yl_sources *);

/* The file that was parsed, and the one that a cursor is in (NULL if it is in
 * none). */
struct yl_source *yl_source_main(struct yl_sources *, const char *path);
struct yl_source *yl_source_of(struct yl_sources *, CXCursor);

/* The members of a struct. */
struct yl_decls yl_decl_members(struct yl_sources *, CXCursor structure);

/* The declaration of 'cursor' in the file; NULL if there is none. */
struct yl_decl *yl_source_decl(struct yl_source *, CXCursor);

/* Calls 'each' for the comment lines that belong to a declaration. */
typedef void yl_comment_fn(void *aux, struct yl_comment *);
void yl_source_comments(struct yl_source *, const struct yl_decl *,
                        yl_comment_fn *each, void *aux);

/* The text of the comment next to a declaration, without its markers. */
const char *yl_source_doc(struct yl_sources *, struct yl_source *,
                          const struct yl_decl *);

/* libclang's strings, in the arena. */
const char *yl_clang_text(struct yl_sources *, CXString);

#endif /* codegen/source.h */
