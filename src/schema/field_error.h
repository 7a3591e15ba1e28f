#ifndef SCHEMA_FIELD_ERROR_H
#define SCHEMA_FIELD_ERROR_H 1

/* Errors about fields, in Kubernetes' words.
 *
 *     validation --path, value, detail--> [field error] --> causes of yl_error
 *                                                            |
 *                                         yl_status_invalid() makes a Status
 *
 * This is upstream's field.ErrorList: each function below adds one cause to an
 * error, with the reason, the path of the field and the message that clients
 * know ("Invalid value: \"x\": must be ...").
 *
 * Guarantees
 * ==========
 *
 *   - A path costs nothing until something is wrong: its steps lie on the
 *     stack and point to their parents.
 *
 *   - Each function returns YL_EINVALID, which it also sets as the code of an
 *     error that has none.  A NULL error is fine.
 *
 *   - At most YL_MAX_CAUSES causes are kept.  Values and paths are cut, with
 *     "..." behind them, at YL_FIELD_TEXT_MAX bytes; from the 17th cause on
 *     at YL_FIELD_TEXT_MORE, so that all together stay small.
 *
 * Usage
 * =====
 *
 *     struct yl_field_path spec = yl_field_member(NULL, YL_STR("spec"));
 *     struct yl_field_path ports = yl_field_member(&spec, YL_STR("ports"));
 *     struct yl_field_path port = yl_field_index(&ports, 0);
 *
 *     yl_field_invalid(err, &port, yl_bad_int(0), "must be at least %d", 1);
 *
 * adds {"reason":"FieldValueInvalid","field":"spec.ports[0]",
 *       "message":"Invalid value: 0: must be at least 1"}. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "yuloh/compiler.h"
#include "yuloh/error.h"
#include "yuloh/str.h"

struct yl_node;

/* The most bytes of one value or path in a message, and of its quoted form;
 * and the most of both when there are more than a few causes. */
#define YL_FIELD_TEXT_MAX 16384
#define YL_FIELD_MESSAGE_MAX 131072
#define YL_FIELD_TEXT_MORE 1024
#define YL_FIELD_FEW_CAUSES 16

/* Paths
 * ===== */

enum yl_field_step {
    YL_FIELD_MEMBER,            /* .name, or name at the root. */
    YL_FIELD_INDEX,             /* [0] */
    YL_FIELD_KEY,               /* [name] */
};

/* One step.  A NULL path is the root, written "<nil>" as upstream does. */
struct yl_field_path {
    const struct yl_field_path *parent;     /* Lent. */
    enum yl_field_step step;
    size_t index;
    struct yl_str name;         /* Lent. */
};

static inline struct yl_field_path
yl_field_member(const struct yl_field_path *parent, struct yl_str name)
{
    struct yl_field_path path = { parent, YL_FIELD_MEMBER, 0, name };

    return path;
}

static inline struct yl_field_path
yl_field_index(const struct yl_field_path *parent, size_t index)
{
    struct yl_field_path path = { parent, YL_FIELD_INDEX, index, { NULL, 0 } };

    return path;
}

static inline struct yl_field_path
yl_field_key(const struct yl_field_path *parent, struct yl_str key)
{
    struct yl_field_path path = { parent, YL_FIELD_KEY, 0, key };

    return path;
}

/* Appends "spec.ports[0]". */
void yl_field_path_write(struct yl_buf *, const struct yl_field_path *);

/* Values
 * ====== */

enum yl_bad_kind {
    YL_BAD_OMITTED,             /* Left out of the message. */
    YL_BAD_STRING,              /* Quoted as Go's %q does. */
    YL_BAD_TEXT,                /* As it is: JSON that the caller made. */
    YL_BAD_INT,
    YL_BAD_DOUBLE,
    YL_BAD_BOOL,
    YL_BAD_NODE,                /* By the node's type; NULL is null. */
};

/* The value at fault.  Strings and nodes are borrowed. */
struct yl_bad_value {
    enum yl_bad_kind kind;
    struct yl_str text;
    int64_t integer;            /* Of a bool too. */
    double number;
    const struct yl_node *node;
};

static inline struct yl_bad_value
yl_bad_omitted(void)
{
    struct yl_bad_value v = { YL_BAD_OMITTED, { NULL, 0 }, 0, 0, NULL };

    return v;
}

static inline struct yl_bad_value
yl_bad_string(struct yl_str s)
{
    struct yl_bad_value v = { YL_BAD_STRING, s, 0, 0, NULL };

    return v;
}

static inline struct yl_bad_value
yl_bad_text(struct yl_str json)
{
    struct yl_bad_value v = { YL_BAD_TEXT, json, 0, 0, NULL };

    return v;
}

static inline struct yl_bad_value
yl_bad_int(int64_t i)
{
    struct yl_bad_value v = { YL_BAD_INT, { NULL, 0 }, i, 0, NULL };

    return v;
}

static inline struct yl_bad_value
yl_bad_double(double d)
{
    struct yl_bad_value v = { YL_BAD_DOUBLE, { NULL, 0 }, 0, d, NULL };

    return v;
}

static inline struct yl_bad_value
yl_bad_bool(bool b)
{
    struct yl_bad_value v = { YL_BAD_BOOL, { NULL, 0 }, b, 0, NULL };

    return v;
}

static inline struct yl_bad_value
yl_bad_node(const struct yl_node *node)
{
    struct yl_bad_value v = { YL_BAD_NODE, { NULL, 0 }, 0, 0, node };

    return v;
}

/* Appends the value as a message shows it. */
void yl_bad_value_write(struct yl_buf *, struct yl_bad_value);

/* Faults
 * ======
 *
 * If 'format' is NULL, the detail and the colon before it are left out. */

int yl_field_invalid(struct yl_error *, const struct yl_field_path *,
                     struct yl_bad_value, const char *format, ...)
    YL_PRINTF(4, 5);
int yl_field_type_invalid(struct yl_error *, const struct yl_field_path *,
                          struct yl_bad_value, const char *format, ...)
    YL_PRINTF(4, 5);
int yl_field_required(struct yl_error *, const struct yl_field_path *,
                      const char *format, ...) YL_PRINTF(3, 4);
int yl_field_forbidden(struct yl_error *, const struct yl_field_path *,
                       const char *format, ...) YL_PRINTF(3, 4);
int yl_field_internal(struct yl_error *, const struct yl_field_path *,
                      const char *format, ...) YL_PRINTF(3, 4);
int yl_field_duplicate(struct yl_error *, const struct yl_field_path *,
                       struct yl_bad_value);
int yl_field_not_found(struct yl_error *, const struct yl_field_path *,
                       struct yl_bad_value);

/* 'supported' ends with NULL; its order is kept.  The second form takes the
 * list as the caller writes it: "\"A\", \"B\"". */
int yl_field_not_supported(struct yl_error *, const struct yl_field_path *,
                           struct yl_bad_value, const char *const *supported);
int yl_field_not_supported_text(struct yl_error *,
                                const struct yl_field_path *,
                                struct yl_bad_value, struct yl_str supported);

/* "may not be more than 63 bytes".  A negative limit is not mentioned. */
int yl_field_too_long(struct yl_error *, const struct yl_field_path *,
                      int64_t max_bytes);

/* "5: must have at most 4 items".  A negative count is not mentioned
 * either. */
int yl_field_too_many(struct yl_error *, const struct yl_field_path *,
                      int64_t n, int64_t max);

/* Takes back all causes behind the first 'n'. */
void yl_field_forget(struct yl_error *, size_t n);

#endif /* schema/field_error.h */
