#ifndef JSON_POINTER_H
#define JSON_POINTER_H 1

/* JSON Pointer (RFC 6901): "/spec/containers/0/image" names a place.
 *
 * A pointer is a row of tokens, each behind a slash.  In a token "~1" stands
 * for a slash and "~0" for a tilde.  The empty pointer is the whole document;
 * "/" is its member with the empty name.
 *
 * Guarantees
 * ==========
 *
 *   - A pointer is checked as a whole before anything is looked up, so a
 *     malformed one is YL_EINVALID on every document.
 *
 *   - An array index is decimal digits without a sign or a leading zero.
 *     "-", the place behind the last element, names nothing that exists.
 *
 *   - Evaluation costs a lookup for each token, no recursion, and memory only
 *     for tokens that have escapes.
 *
 * Usage
 * =====
 *
 *     struct yl_node *image;
 *     int r = yl_pointer_find(arena, pod, YL_STR("/spec/containers/0/image"),
 *                             &image, err);
 *
 *     yl_buf_clear(&path);
 *     yl_pointer_append(&path, YL_STR("metadata"));
 *     yl_pointer_append(&path, YL_STR("annotations"));
 *     yl_pointer_append(&path, YL_STR("example.com/a"));
 *     ... "/metadata/annotations/example.com~1a" ... */

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "yuloh/json.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_error;
struct yl_node;

/* Is 'pointer' well-formed?  0 or YL_EINVALID. */
int yl_pointer_check(struct yl_str pointer, struct yl_error *err);

/* What 'pointer' names below 'root': 0, YL_EINVALID for a malformed pointer,
 * or YL_ENOTFOUND.  'arena' holds tokens that have escapes. */
int yl_pointer_find(struct yl_arena *arena, const struct yl_node *root,
                    struct yl_str pointer, struct yl_node **ret_node,
                    struct yl_error *err);

/* The same on a text. */
int yl_pointer_find_json(struct yl_arena *arena, struct yl_json root,
                         struct yl_str pointer, struct yl_json *ret_value,
                         struct yl_error *err);

/* Appends a slash and 'token', escaped. */
void yl_pointer_append(struct yl_buf *, struct yl_str token);

/* Steps, for code that walks a pointer itself
 * =========================================== */

/* Takes the first token, escapes and all, off '*pointer', which is empty or
 * starts with a slash.  False if there is none left. */
bool yl_pointer_next(struct yl_str *pointer, struct yl_str *ret_token);

/* 'token' without escapes: itself if it has none, else a copy in 'arena'.  A
 * tilde that starts no escape stays as it is. */
struct yl_str yl_pointer_unescape(struct yl_arena *arena, struct yl_str token);

/* Reads an array index: 0, or YL_EINVALID if 'token' is none or does not fit
 * (which no array's index does). */
int yl_pointer_index(struct yl_str token, size_t *ret_index);

#endif /* json/pointer.h */
