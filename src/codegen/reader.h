#ifndef CODEGEN_READER_H
#define CODEGEN_READER_H 1

/* Declarations that the parts of the header reader share. */

#include "codegen/diag.h"
#include "codegen/model.h"
#include "codegen/source.h"

struct yl_reader {
    struct yl_arena *arena;
    struct yl_sources sources;
    struct yl_diag diag;
    struct yl_source *pending[256]; /* Whose fields are not read yet. */
    size_t n_pending;
};

/* A member of a C struct. */
struct yl_c_member {
    struct yl_gen_value *value; /* NULL: an error was reported. */
    bool pointer;               /* Absent if NULL. */
    const char *c_name;         /* "args", or "args.items". */
    const char *c_count;        /* "n_args", "args.n_items" or "". */
};

/* Describes member 'i' of a struct of 'unit'. */
struct yl_c_member yl_reader_member(struct yl_reader *, struct yl_gen_unit *,
                                    struct yl_source *,
                                    const struct yl_decls *members,
                                    size_t i);

/* Whether member 'i' is the count "n_x" of a pointer "x". */
bool yl_reader_is_count(struct yl_reader *, const struct yl_decls *members,
                        size_t i);

/* The type of the struct that is defined at 'cursor'; or NULL, after an error
 * at 'line' of 'source' was reported. */
struct yl_gen_type *yl_reader_type(struct yl_reader *, CXCursor,
                                   struct yl_source *source, unsigned line);

/* The same for the struct that is called 'c_name'. */
struct yl_gen_type *yl_reader_struct_called(struct yl_reader *,
                                            const char *c_name,
                                            struct yl_source *source,
                                            unsigned line);

/* Whether the struct is a pair of key and value, the element of a map; and
 * whether it is marked +transparent. */
bool yl_reader_is_pair(const char *c_name);
bool yl_reader_is_transparent(struct yl_reader *, CXCursor);

#endif /* codegen/reader.h */
