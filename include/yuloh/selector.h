#ifndef YL_SELECTOR_H
#define YL_SELECTOR_H 1

/* Selectors: which objects a list, a watch or a controller is about.
 *
 *     app=web,tier!=db,env in (a,b),!canary,n>5       label selector
 *     metadata.name=web-0,status.phase!=Running       field selector
 *
 * A selector is made once and then matched against many objects.
 *
 * Guarantees
 * ==========
 *
 *   - Upstream's grammar and messages, its liberties included: "a in (,)" and
 *     "a=" are selectors.
 *
 *   - One text for one selector: requirements stand in the order of their
 *     keys, values in the order of their bytes.  Requirements on the same key
 *     keep the order in which they were written.
 *
 *   - Matching allocates nothing and costs the size of the labels times the
 *     logarithm of the selector's, so neither a hostile selector nor a hostile
 *     object is expensive.
 *
 * Ownership
 * =========
 *
 * A selector lives in the arena it was made in, with copies of all its
 * strings.
 *
 * Threads
 * =======
 *
 * A selector never changes; any thread may match with it.
 *
 * Usage
 * =====
 *
 *     const struct yl_selector *selector;
 *     int r = yl_selector_parse(YL_STR("app=web"), arena, &selector, err);
 *     if (r == 0 && yl_selector_matches(selector, labels)) {
 *         ...
 *     } */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/compiler.h"
#include "yuloh/error.h"
#include "yuloh/json.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_arena;

/* Ceilings for what comes from outside. */
#define YL_SELECTOR_MAX_TEXT ((size_t) 256 << 10)   /* Bytes. */
#define YL_SELECTOR_MAX_REQUIREMENTS 1024

/* Label selectors
 * =============== */

struct yl_selector;

enum yl_selector_op {
    YL_SELECTOR_EQUALS,         /* a=b */
    YL_SELECTOR_DOUBLE_EQUALS,  /* a==b */
    YL_SELECTOR_IN,             /* a in (b,c) */
    YL_SELECTOR_NOT_EQUALS,     /* a!=b */
    YL_SELECTOR_NOT_IN,         /* a notin (b,c) */
    YL_SELECTOR_EXISTS,         /* a */
    YL_SELECTOR_DOES_NOT_EXIST, /* !a */
    YL_SELECTOR_GREATER_THAN,   /* a>5 */
    YL_SELECTOR_LESS_THAN,      /* a<5 */
};

struct yl_requirement {
    struct yl_str key;
    enum yl_selector_op op;
    const struct yl_str *values;    /* Sorted by bytes. */
    size_t n_values;
    int64_t number;             /* The value of '>' and '<'. */
};

/* Reads the string form.  YL_EINVALID if it is malformed, YL_ETOOBIG if it
 * passes a ceiling.  The empty text selects everything. */
int yl_selector_parse(struct yl_str text, struct yl_arena *arena,
                      const struct yl_selector **ret_selector,
                      struct yl_error *err);

/* Reads the object form, a LabelSelector's JSON with 'matchLabels' and
 * 'matchExpressions'.  As upstream, an empty one selects everything and an
 * absent one (or null) nothing.  YL_EINVALID if a requirement is not valid,
 * YL_ETYPE if a member has another type, YL_ETOOBIG if it passes a ceiling. */
int yl_selector_from_json(struct yl_json, struct yl_arena *arena,
                          const struct yl_selector **ret_selector,
                          struct yl_error *err);

/* Reads a plain map, {"app": "web"}, as a Service's selector is one: all of
 * its pairs must be there.  An empty or absent one selects everything. */
int yl_selector_from_labels(struct yl_json labels, struct yl_arena *arena,
                            const struct yl_selector **ret_selector,
                            struct yl_error *err);

/* The selectors that match every object and none.  They live for ever. */
const struct yl_selector *yl_selector_everything(void);
const struct yl_selector *yl_selector_nothing(void);

/* Does it let every object through?  Can it let one through? */
bool yl_selector_is_everything(const struct yl_selector *);
bool yl_selector_is_nothing(const struct yl_selector *);

/* The text, from 'arena'.  "" for both everything and nothing. */
struct yl_str yl_selector_text(const struct yl_selector *,
                               struct yl_arena *arena);

/* The requirements, in order; they live as long as the selector. */
const struct yl_requirement *
yl_selector_requirements(const struct yl_selector *, size_t *ret_n);

/* If the selector asks for one certain value of the label 'key', true and
 * that value: an index can find the objects then. */
bool yl_selector_exact_value(const struct yl_selector *, struct yl_str key,
                             struct yl_str *ret_value);

/* Does the selector match these labels?  Either as the JSON object they are
 * ({"app": "web"}; absent means none), or as an array of pairs. */
struct yl_label {
    struct yl_str key, value;
};
bool yl_selector_matches(const struct yl_selector *, struct yl_json labels);
bool yl_selector_matches_labels(const struct yl_selector *,
                                const struct yl_label *labels, size_t n);

/* Field selectors
 * =============== */

struct yl_field_selector;

struct yl_field_requirement {
    struct yl_str field;        /* "metadata.name". */
    struct yl_str value;
    bool negated;               /* '!=' rather than '='. */
};

/* Reads "FIELD=VALUE,FIELD!=VALUE".  In a value, '\,' '\=' and '\\' stand for
 * the character behind the backslash.  YL_EINVALID or YL_ETOOBIG.  Which
 * fields there are is for the kind to say, not for the grammar. */
int yl_field_selector_parse(struct yl_str text, struct yl_arena *arena,
                            const struct yl_field_selector **ret_selector,
                            struct yl_error *err);

/* The text, from 'arena'; the requirements; the value that 'field' must have,
 * if there is one. */
struct yl_str yl_field_selector_text(const struct yl_field_selector *,
                                     struct yl_arena *arena);
const struct yl_field_requirement *
yl_field_selector_requirements(const struct yl_field_selector *,
                               size_t *ret_n);
bool yl_field_selector_exact_value(const struct yl_field_selector *,
                                   struct yl_str field,
                                   struct yl_str *ret_value);

/* Matches with the values that 'get' gives for the fields; the null slice is
 * the empty string. */
typedef struct yl_str yl_field_fn(void *aux, struct yl_str field);
bool yl_field_selector_matches(const struct yl_field_selector *,
                               yl_field_fn *get, void *aux);

YL_C_END

#endif /* yuloh/selector.h */
