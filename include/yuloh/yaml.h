#ifndef YL_YAML_H
#define YL_YAML_H 1

/* YAML to JSON and back, as kubectl does both.
 *
 *     file -> [documents] -> JSON -> ...         ... -> JSON -> [YAML] -> user
 *
 * JSON is what everything else works on; YAML is for people.  What a text
 * means, and how an object is printed, is what the library behind kubectl
 * makes of it (sigs.k8s.io/yaml), which is YAML 1.1 with some holes: "yes" and
 * "on" are true, 017 is fifteen, a date is a string.
 *
 * Guarantees
 * ==========
 *
 *   - Faithful in.  Scalars, tags, aliases, merge keys and keys that are not
 *     strings become the JSON that kubectl makes of them.
 *
 *   - Faithful out.  The YAML of a JSON text is, byte for byte, what "kubectl
 *     get -o yaml" prints: members sorted, lists not indented below their
 *     key, quotes and blocks where it has them.
 *
 *   - There and back.  JSON made into YAML and read again is equal.  The two
 *     exceptions are kubectl's: a number too large for a double becomes a
 *     string, and a member called "<<" is printed without quotes.
 *
 *   - Bounded.  Text, depth, and what aliases add up to have ceilings, so a
 *     small text cannot become a large tree ("billion laughs").  An alias
 *     inside of what it stands for is an error.
 *
 * Known differences:
 *
 *   - Members that are the same only after their keys became strings (1 and
 *     "1") count as repeated here; kubectl lets chance pick one.
 *
 *   - Control characters that kubectl cannot print, or spoils (U+0085 becomes
 *     a blank), are printed as escapes.
 *
 *   - Some keys have no order in kubectl (v1beta1 < v2 < v10 < v1beta1) and
 *     come out as chance has it.  Here the same text gives the same YAML.
 *
 *   - libyaml reads the text here, a descendant of it there; they differ on a
 *     few odd texts, such as [a:].
 *
 * Ownership
 * =========
 *
 * Results live in the arena that the caller passes; a document that a stream
 * lends is a slice of the stream's text.
 *
 * Threads
 * =======
 *
 * No state is shared: every function may run in any thread.
 *
 * Usage
 * =====
 *
 *     struct yl_yaml_stream stream = yl_yaml_stream(text);
 *     struct yl_str json;
 *     int r;
 *
 *     while ((r = yl_yaml_next_json(&stream, arena, NULL, &json, &err)) > 0) {
 *         apply(json);
 *     }
 *     if (r < 0) {
 *         fprintf(stderr, "%s: %s\n", path, yl_error_message(&err));
 *     } */

#include <stdbool.h>
#include <stddef.h>

#include "yuloh/compiler.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_arena;
struct yl_error;

/* Options for reading.  Zero means the default. */
struct yl_yaml_opts {
    size_t max_size;            /* Bytes of one document [3 MB]. */
    unsigned max_depth;         /* Lists and maps inside each other [1000,
                                 * which is also the most]. */
    size_t max_expansion;       /* Bytes that aliases may add [16 MB]. */
    bool refuse_duplicates;     /* Is a repeated key an error, as in strict
                                 * field validation?  Else the last one
                                 * wins. */
    size_t first_line;          /* Number of the text's first line, for
                                 * messages [1]. */
    bool go_messages;           /* Errors in the words of Go's decoder, which
                                 * seldom knows the line? */
};

#define YL_YAML_MAX_SIZE ((size_t) 3 << 20)
#define YL_YAML_MAX_DEPTH 1000
#define YL_YAML_MAX_EXPANSION ((size_t) 16 << 20)

/* Makes JSON of the first document in 'yaml' (UTF-8, or UTF-16 with a byte
 * order mark); an empty one is null.  Returns 0, or
 *
 *   - YL_ESYNTAX: not YAML, or nothing JSON could say (a list as a key);
 *   - YL_ETYPE: a value that is not what its tag says;
 *   - YL_ERANGE: an infinity, or not a number;
 *   - YL_EDUPLICATE: a repeated key, if they are refused;
 *   - YL_ETOOBIG, YL_ETOODEEP: beyond a ceiling.
 *
 * 'err' (may be NULL) says "yaml: line 3: ...", unless Go's words are
 * wanted. */
int yl_yaml_to_json(struct yl_arena *, struct yl_str yaml,
                    const struct yl_yaml_opts *, struct yl_str *ret_json,
                    struct yl_error *err);

/* Makes YAML of a JSON text.  0, or the errors of yl_json_validate(), or
 * YL_ETOOBIG if the result is larger than YL_JSON_MAX_SIZE (indentation can
 * do that). */
int yl_yaml_from_json(struct yl_arena *, struct yl_str json,
                      struct yl_str *ret_yaml, struct yl_error *err);

/* Documents of a stream, separated by lines that start with "---". */
struct yl_yaml_stream {
    size_t number;              /* Of the document handed out last, from 1;
                                 * empty ones count. */
    size_t line;                /* Of its first line in the stream, from 1. */

    struct yl_str rest;         /* Private: what is not handed out yet. */
    size_t next_line;           /* Private: the number of its first line. */
};

struct yl_yaml_stream yl_yaml_stream(struct yl_str text);

/* Lends the text of the next document: 1, or 0 when there is no more, or
 * YL_ESYNTAX for a separator with something other than a comment behind it,
 * which ends the stream. */
int yl_yaml_next(struct yl_yaml_stream *, struct yl_str *ret_document,
                 struct yl_error *err);

/* Makes JSON of the next document that is not empty or null: 1, or 0 when
 * there is no more, or an error, whose message names the document and the
 * line in the stream.  After one the next call goes on with the next
 * document.  A document that is a JSON object is returned as it stands. */
int yl_yaml_next_json(struct yl_yaml_stream *, struct yl_arena *,
                      const struct yl_yaml_opts *, struct yl_str *ret_json,
                      struct yl_error *err);

YL_C_END

#endif /* yuloh/yaml.h */
