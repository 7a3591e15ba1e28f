#ifndef APPLY_PATH_H
#define APPLY_PATH_H 1

/* Paths of fields, as managedFields and messages about them have them.
 *
 * A path leads from the root of an object to a field.  Its elements are:
 *
 *     element                        in FieldsV1              in messages
 *     a field's or a map's name      "f:image"                .image
 *     an item of a list by its keys  "k:{\"name\":\"a\"}"     [name="a"]
 *     an item of a set by its value  "v:\"a\""                [="a"]
 *     an item of a list by its place "i:0"                    [0]
 *
 * Guarantees
 * ==========
 *
 *   - Two elements are equal if their texts are.  Keys and values are held as
 *     upstream would write them (1.0 is 1, names of keys sorted, the
 *     characters <, > and & escaped), however a client has spelled them.
 *
 * Ownership
 * =========
 *
 * Elements are values.  Their texts are in the arena or borrowed from the tree
 * that they are made of. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/str.h"

struct yl_arena;
struct yl_buf;
struct yl_error;
struct yl_node;

/* In upstream's order of elements of one level. */
enum yl_path_kind {
    YL_PATH_FIELD,              /* The text is the name. */
    YL_PATH_KEY,                /* A JSON object of scalars. */
    YL_PATH_VALUE,              /* A JSON value. */
    YL_PATH_INDEX,              /* A decimal number. */
};

struct yl_path_element {
    const char *text;           /* Without "f:", "k:", ... */
    uint32_t size;
    uint8_t kind;               /* enum yl_path_kind. */
};

static inline struct yl_str
yl_path_element_text(const struct yl_path_element *e)
{
    return yl_str_n(e->text, e->size);
}

static inline struct yl_path_element
yl_path_field(struct yl_str name)
{
    struct yl_path_element e = { name.data, (uint32_t) name.size,
                                 YL_PATH_FIELD };

    return e;
}

/* The item of a set that has the scalar 'value'. */
struct yl_path_element yl_path_value(struct yl_arena *,
                                     const struct yl_node *value);

/* The item of a list with 'n' keys, at most YL_PATH_MAX_KEYS, which are sorted
 * by their names here. */
#define YL_PATH_MAX_KEYS 64
struct yl_path_key {
    struct yl_str name;
    const struct yl_node *value;
};
struct yl_path_element yl_path_keys(struct yl_arena *, struct yl_path_key *,
                                    size_t n);

/* Orders elements as upstream does: names by their bytes, keys and values by
 * what they are worth. */
int yl_path_element_compare(const struct yl_path_element *,
                            const struct yl_path_element *);

/* Orders them by the bytes of what FieldsV1 has: canonical JSON sorts its
 * members so. */
int yl_path_element_compare_bytes(const struct yl_path_element *,
                                  const struct yl_path_element *);

static inline bool
yl_path_element_equal(const struct yl_path_element *a,
                      const struct yl_path_element *b)
{
    return a->kind == b->kind
           && yl_str_equal(yl_path_element_text(a), yl_path_element_text(b));
}

/* Reads an element as it stands in FieldsV1, without escapes: 0; 1 if its type
 * is unknown; YL_EINVALID, with upstream's words, if it is none.  The text is
 * borrowed where it can be. */
int yl_path_element_parse(struct yl_arena *, struct yl_str text,
                          struct yl_path_element *ret_element,
                          struct yl_error *err);

/* Appends an element as a member name of FieldsV1, quotes and all. */
void yl_path_element_write(struct yl_buf *, const struct yl_path_element *);

/* Appends a path as it stands in upstream's messages. */
void yl_path_print(struct yl_buf *, const struct yl_path_element *path,
                   size_t n);

#endif /* apply/path.h */
