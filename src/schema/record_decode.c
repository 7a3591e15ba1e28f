/* From JSON to a record.  See yuloh/record.h for the contract.
 *
 * One walk over the bytes.  All strings of a record together are not longer
 * than the text, so they are copied into one piece of the arena that is taken
 * at the start; everything else is allocated as it comes. */

#include "yuloh/record.h"

#include "base/arena.h"
#include "json/base64.h"
#include "json/cursor.h"
#include "json/text.h"
#include "json/utf8.h"
#include "object/member.h"
#include "schema/record.h"
#include "yuloh/error.h"

/* The place in the text, for messages: a list of frames on the stack. */
struct frame {
    const struct frame *outer;
    struct yl_str name;         /* A member; the null slice for an element. */
    size_t i;                   /* An element's number. */
};

struct decoder {
    const char *limit;
    struct yl_arena *arena;
    const struct yl_decode_opts *opts;
    struct yl_error *err;
    char *strings;              /* Space left for strings. */
    unsigned depth;
};

static int decode(struct yl_type_ref, const struct yl_kind *, struct yl_json,
                  struct yl_arena *, const struct yl_decode_opts *,
                  void *record, struct yl_error *);
static const char *decode_struct(struct decoder *, struct yl_type_ref,
                                 const struct yl_kind *, const char *p,
                                 void *record, const struct frame *);
static const char *decode_member(struct decoder *, struct yl_type_ref,
                                 const struct yl_kind *,
                                 const struct yl_member *, size_t *hint,
                                 void *record, const struct frame *);
static const struct yl_field *find_field(struct yl_type_ref, struct yl_str key,
                                         size_t *hint);
static const char *decode_field(struct decoder *, struct yl_type_ref,
                                const struct yl_field *, const char *p,
                                void *record, const struct frame *);
static const char *decode_value(struct decoder *, const struct yl_type_set *,
                                const struct yl_value *, const char *p,
                                void *at, void *count, const struct frame *);
static const char *decode_list(struct decoder *, const struct yl_type_set *,
                               const struct yl_value *, const char *p,
                               void *at, void *count, const struct frame *);
static const char *decode_map(struct decoder *, const struct yl_type_set *,
                              const struct yl_value *, const char *p,
                              void *at, void *count, const struct frame *);
static const char *decode_scalar(struct decoder *, const struct yl_value *,
                                 const char *p, void *at,
                                 const struct frame *);
static int read_number(struct decoder *, const struct yl_value *,
                       struct yl_json, void *at, const struct frame *);
static int read_text(struct decoder *, const struct yl_value *,
                     struct yl_json, void *at, const struct frame *);
static int read_int_or_string(struct decoder *, struct yl_json,
                              struct yl_int_or_string *,
                              const struct frame *);
static int copy_string(struct decoder *, struct yl_str raw, bool escaped,
                       const char **ret_string, const struct frame *);
static int unknown_member(struct decoder *, const struct yl_member *,
                          const char *end, const struct frame *);
static int check_type_meta(struct decoder *, const struct yl_kind *,
                           const struct yl_member *, const struct frame *);
static void *grow(struct yl_arena *, void *old, size_t n, size_t size);
static const char *expected(const struct yl_value *);
static const char *found(const char *p);
static const char *fail(struct decoder *, int code, const struct frame *,
                        const char *format, ...) YL_PRINTF(4, 5);
static struct yl_str path_of(const struct frame *, struct yl_arena *);

int
yl_record_decode(const struct yl_kind *kind, struct yl_json json,
                 struct yl_arena *arena, const struct yl_decode_opts *opts,
                 void *record, struct yl_error *err)
{
    return decode(yl_kind_type(kind), kind, json, arena, opts, record, err);
}

int
yl_type_decode(struct yl_type_ref ref, struct yl_json json,
               struct yl_arena *arena, const struct yl_decode_opts *opts,
               void *record, struct yl_error *err)
{
    return decode(ref, NULL, json, arena, opts, record, err);
}

static int
decode(struct yl_type_ref ref, const struct yl_kind *kind, struct yl_json json,
       struct yl_arena *arena, const struct yl_decode_opts *opts, void *record,
       struct yl_error *err)
{
    static const struct yl_decode_opts defaults;
    struct yl_error own = YL_ERROR_INIT;
    struct decoder d = {
        .limit = json.limit,
        .arena = arena,
        .opts = opts ? opts : &defaults,
        .err = err ? err : &own,
    };
    int r = 0;

    if (yl_json_type(json) != YL_JSON_OBJECT) {
        return yl_error_set(err, YL_ETYPE, "must be an object");
    }
    d.strings = yl_arena_alloc(arena, (size_t) (json.limit - json.start));
    memset(record, 0, ref.type->record_size);
    if (!decode_struct(&d, ref, kind, json.start, record, NULL)) {
        r = d.err->code;
    }
    yl_error_clear(&own);
    return r;
}

/* The object at 'p'.  Returns its end, or NULL after an error. */
static const char *
decode_struct(struct decoder *d, struct yl_type_ref ref,
              const struct yl_kind *kind, const char *p, void *record,
              const struct frame *frame)
{
    struct yl_member member;
    size_t hint = 0;
    bool first = true;
    int r;

    if (++d->depth > YL_RECORD_MAX_DEPTH) {
        return fail(d, YL_ETOODEEP, frame, "nested too deeply");
    }
    for (p++; (r = yl_member_next(&p, d->limit, first, &member)) > 0;
         first = false) {
        p = decode_member(d, ref, kind, &member, &hint, record, frame);
        if (!p) {
            return NULL;
        }
    }
    d->depth--;
    return r == 0 ? p : fail(d, YL_ESYNTAX, frame, "not a JSON object");
}

static const char *
decode_member(struct decoder *d, struct yl_type_ref ref,
              const struct yl_kind *kind, const struct yl_member *member,
              size_t *hint, void *record, const struct frame *frame)
{
    struct frame inner = { frame, member->key, 0 };
    const struct yl_field *field = NULL;
    const char *end;

    if (!member->escaped) {
        field = find_field(ref, member->key, hint);
    } else {
        size_t i;

        for (i = 0; i < ref.type->n_fields && !field; i++) {
            const struct yl_field *f =
                &ref.set->fields[ref.type->fields + i];

            if (yl_json_raw_equal(member->key,
                                  yl_str_n(ref.set->strings + f->name,
                                           f->name_size))) {
                field = f;
            }
        }
    }
    if (field) {
        return decode_field(d, ref, field, member->value, record, &inner);
    }
    end = yl_json_skip_value(member->value, d->limit);
    if (!end) {
        return fail(d, YL_ESYNTAX, &inner, "not JSON");
    }
    if (yl_str_equal(member->key, YL_STR("apiVersion"))
        || yl_str_equal(member->key, YL_STR("kind"))) {
        if (kind) {
            return check_type_meta(d, kind, member, &inner) < 0 ? NULL : end;
        }
        if (yl_type_is_kind(ref)) {
            return end;
        }
    }
    return unknown_member(d, member, end, &inner) < 0 ? NULL : end;
}

/* Members mostly come in the order of the fields: the one after the last is
 * tried first. */
static const struct yl_field *
find_field(struct yl_type_ref ref, struct yl_str key, size_t *hint)
{
    const struct yl_field *fields = &ref.set->fields[ref.type->fields];
    const struct yl_field *field;

    if (*hint < ref.type->n_fields) {
        field = &fields[*hint];
        if (yl_str_equal(key, yl_str_n(ref.set->strings + field->name,
                                       field->name_size))) {
            ++*hint;
            return field;
        }
    }
    field = yl_type_field(ref, key);
    if (field) {
        *hint = (size_t) (field - fields) + 1;
    }
    return field;
}

static const char *
decode_field(struct decoder *d, struct yl_type_ref ref,
             const struct yl_field *field, const char *p, void *record,
             const struct frame *frame)
{
    const struct yl_value *value = &ref.set->values[field->value];
    char *at = (char *) record + field->offset;
    char *count = (char *) record + field->count_offset;

    if (*p == 'n' && value->kind != YL_VALUE_RAW) {
        /* null is absent. */
        if (d->limit - p < 4 || memcmp(p, "null", 4)) {
            return fail(d, YL_ESYNTAX, frame, "not JSON");
        }
        return p + 4;
    }
    if (yl_field_is_pointer(field, value)) {
        void *thing = yl_arena_zalloc(d->arena, yl_value_size(ref.set, value));

        *(void **) (void *) at = thing;
        at = thing;
    }
    return decode_value(d, ref.set, value, p, at, count, frame);
}

static const char *
decode_value(struct decoder *d, const struct yl_type_set *set,
             const struct yl_value *value, const char *p, void *at,
             void *count, const struct frame *frame)
{
    const char *end;

    switch ((enum yl_value_kind) value->kind) {
    case YL_VALUE_STRUCT:
        if (*p != '{') {
            break;
        }
        return decode_struct(d, yl_value_type(set, value), NULL, p, at,
                             frame);

    case YL_VALUE_LIST:
        if (*p != '[') {
            break;
        }
        return decode_list(d, set, value, p, at, count, frame);

    case YL_VALUE_MAP:
        if (*p != '{') {
            break;
        }
        return decode_map(d, set, value, p, at, count, frame);

    case YL_VALUE_RAW:
    case YL_VALUE_EMBEDDED:
        end = yl_json_skip_value(p, d->limit);
        if (!end || yl_json_validate(yl_str_range(p, end), NULL, NULL) < 0) {
            return fail(d, YL_ESYNTAX, frame, "not JSON");
        }
        if (value->kind == YL_VALUE_EMBEDDED && *p != '{') {
            break;
        }
        ((struct yl_raw *) at)->json =
            yl_arena_copy(d->arena, yl_str_range(p, end));
        return end;

    case YL_VALUE_NONE:
    case YL_VALUE_BOOL:
    case YL_VALUE_INT32:
    case YL_VALUE_INT64:
    case YL_VALUE_DOUBLE:
    case YL_VALUE_STRING:
    case YL_VALUE_BYTES:
    case YL_VALUE_TIME:
    case YL_VALUE_MICRO_TIME:
    case YL_VALUE_DURATION:
    case YL_VALUE_QUANTITY:
    case YL_VALUE_INT_OR_STRING:
    default:
        return decode_scalar(d, value, p, at, frame);
    }
    return fail(d, YL_ETYPE, frame, "must be %s, not %s", expected(value),
                found(p));
}

static const char *
decode_list(struct decoder *d, const struct yl_type_set *set,
            const struct yl_value *value, const char *p, void *at,
            void *count, const struct frame *frame)
{
    const struct yl_value *element = &set->values[value->element];
    size_t size = value->element_size;
    struct frame inner = { frame, { NULL, 0 }, 0 };
    char *first = yl_arena_alloc(d->arena, 0);
    size_t n = 0;

    for (p = yl_json_skip_blanks(p + 1, d->limit);
         p < d->limit && !(n == 0 && *p == ']');
         p = yl_json_skip_blanks(p + 1, d->limit)) {
        char *place;

        first = grow(d->arena, first, n, size);
        place = first + n * size;
        inner.i = n++;
        if (*p == 'n' && d->limit - p >= 4 && !memcmp(p, "null", 4)) {
            p += 4;             /* An element of zeros, as in Go. */
        } else {
            p = decode_value(d, set, element, p, place,
                             place + sizeof(void *), &inner);
        }
        if (!p) {
            return NULL;
        }
        p = yl_json_skip_blanks(p, d->limit);
        if (p == d->limit || *p != ',') {
            break;
        }
    }
    if (p == d->limit || *p != ']') {
        return fail(d, YL_ESYNTAX, frame, "not a JSON array");
    }
    *(void **) at = first;
    *(size_t *) count = n;
    return p + 1;
}

static const char *
decode_map(struct decoder *d, const struct yl_type_set *set,
           const struct yl_value *value, const char *p, void *at, void *count,
           const struct frame *frame)
{
    const struct yl_value *element = &set->values[value->element];
    size_t size = value->element_size;
    char *first = yl_arena_alloc(d->arena, 0);
    struct yl_member member;
    size_t n = 0;
    int r;

    for (p++; (r = yl_member_next(&p, d->limit, n == 0, &member)) > 0;) {
        struct frame inner = { frame, member.key, 0 };
        char *pair;

        first = grow(d->arena, first, n, size);
        pair = first + n++ * size;
        if (copy_string(d, member.key, member.escaped,
                        (const char **) (void *) pair, &inner) < 0) {
            return NULL;
        }
        p = member.value;
        if (*p == 'n' && element->kind != YL_VALUE_RAW
            && d->limit - p >= 4 && !memcmp(p, "null", 4)) {
            p += 4;
        } else {
            p = decode_value(d, set, element, p, pair + YL_PAIR_VALUE,
                             pair + YL_PAIR_VALUE + sizeof(void *), &inner);
        }
        if (!p) {
            return NULL;
        }
    }
    if (r < 0) {
        return fail(d, YL_ESYNTAX, frame, "not a JSON object");
    }
    *(void **) at = first;
    *(size_t *) count = n;
    return p;
}

/* A value that is not made of others. */
static const char *
decode_scalar(struct decoder *d, const struct yl_value *value, const char *p,
              void *at, const struct frame *frame)
{
    const char *end = yl_json_skip_value(p, d->limit);
    struct yl_json json = { p, end };
    int r;

    if (!end) {
        return fail(d, YL_ESYNTAX, frame, "not JSON");
    }
    switch ((enum yl_value_kind) value->kind) {
    case YL_VALUE_BOOL:
    case YL_VALUE_INT32:
    case YL_VALUE_INT64:
    case YL_VALUE_DOUBLE:
        r = read_number(d, value, json, at, frame);
        break;

    case YL_VALUE_INT_OR_STRING:
        r = read_int_or_string(d, json, at, frame);
        break;

    case YL_VALUE_QUANTITY:
        /* A quantity may be written as a number. */
        r = read_text(d, value, json, at, frame);
        break;

    default:
        r = *p == '"' ? read_text(d, value, json, at, frame) : YL_ETYPE;
        break;
    }
    if (r == YL_ETYPE) {
        return fail(d, YL_ETYPE, frame, "must be %s, not %s",
                    expected(value), found(p));
    }
    return r < 0 ? NULL : end;
}

static int
read_number(struct decoder *d, const struct yl_value *value,
            struct yl_json json, void *at, const struct frame *frame)
{
    int64_t number = 0;
    int r;

    if (value->kind == YL_VALUE_BOOL) {
        return yl_json_bool(json, at);
    }
    if (value->kind == YL_VALUE_DOUBLE) {
        r = yl_json_double(json, at);
    } else {
        r = yl_json_int64(json, &number);
        if (r == 0 && value->kind == YL_VALUE_INT32
            && number != (int32_t) number) {
            r = YL_ERANGE;
        }
    }
    if (r == YL_ERANGE) {
        fail(d, YL_ERANGE, frame, "%.*s is not %s",
             YL_STR_ARG(yl_str_range(json.start, json.limit)),
             expected(value));
        return YL_ERANGE;
    }
    if (r == 0 && value->kind == YL_VALUE_INT32) {
        *(int32_t *) at = (int32_t) number;
    } else if (r == 0 && value->kind == YL_VALUE_INT64) {
        *(int64_t *) at = number;
    }
    return r;
}

/* Values that are strings in JSON. */
static int
read_text(struct decoder *d, const struct yl_value *value,
          struct yl_json json, void *at, const struct frame *frame)
{
    struct yl_error *err = d->err;
    struct yl_bytes *bytes;
    struct yl_str text;
    struct yl_time *time;
    const char *string;
    bool escaped;
    int r;

    if (*json.start == '"') {
        text = yl_str_range(json.start + 1, json.limit - 1);
        escaped = yl_str_find_char(text, '\\') != NULL;
    } else {
        if (yl_json_type(json) != YL_JSON_NUMBER) {
            return YL_ETYPE;
        }
        text = yl_str_range(json.start, json.limit);
        escaped = false;
    }
    r = copy_string(d, text, escaped, &string, frame);
    if (r < 0) {
        return r;
    }
    text = yl_str_c(string);
    switch ((enum yl_value_kind) value->kind) {
    case YL_VALUE_STRING:
        *(const char **) at = string;
        return 0;

    case YL_VALUE_BYTES:
        bytes = at;
        if (yl_base64_decode(d->arena, text, &text)) {
            bytes->data = text.data;
            bytes->size = text.size;
            return 0;
        }
        r = yl_error_set(err, YL_EINVALID, "illegal base64 data");
        break;

    case YL_VALUE_TIME:
    case YL_VALUE_MICRO_TIME:
        time = at;
        r = value->kind == YL_VALUE_TIME
                ? yl_time_parse(text, time, err)
                : yl_micro_time_parse(text, time, err);
        if (r == 0 && time->seconds == 0 && time->nanos == 0) {
            time->nanos = 1; /* See yl_time_is_absent(). */
        }
        break;

    case YL_VALUE_DURATION:
        r = yl_duration_parse(text, &((struct yl_duration *) at)->nanos, err);
        break;

    case YL_VALUE_QUANTITY:
        r = yl_quantity_parse(yl_str_trim(text), at, err);
        break;

    default:
        return YL_ETYPE;
    }
    if (r < 0) {
        struct yl_str path = path_of(frame, d->arena);

        yl_error_prefix(err, "%.*s", YL_STR_ARG(path));
        return err->code == YL_ETYPE ? YL_EINVALID : err->code;
    }
    return 0;
}

static int
read_int_or_string(struct decoder *d, struct yl_json json,
                   struct yl_int_or_string *at, const struct frame *frame)
{
    const struct yl_value number = { .kind = YL_VALUE_INT32 };
    const struct yl_value string = { .kind = YL_VALUE_STRING };

    return *json.start == '"' ? read_text(d, &string, json, &at->string, frame)
                              : read_number(d, &number, json, &at->number,
                                            frame);
}

/* Copies a string without its escapes, and a NUL. */
static int
copy_string(struct decoder *d, struct yl_str raw, bool escaped,
            const char **ret_string, const struct frame *frame)
{
    char *out = d->strings;
    size_t size = raw.size;

    if (escaped) {
        if (yl_json_unescape(raw, out, &size) < 0) {
            fail(d, YL_ESYNTAX, frame, "a broken escape");
            return YL_ESYNTAX;
        }
        if (memchr(out, '\0', size)) {
            fail(d, YL_EINVALID, frame, "a string with a NUL in it");
            return YL_EINVALID;
        }
    } else if (size) {
        if (memchr(raw.data, '\0', size)) {
            fail(d, YL_ESYNTAX, frame, "a string with a NUL in it");
            return YL_ESYNTAX;
        }
        memcpy(out, raw.data, size);
    }
    if (yl_utf8_find_invalid(yl_str_n(out, size))) {
        fail(d, YL_ESYNTAX, frame, "not UTF-8");
        return YL_ESYNTAX;
    }
    out[size] = '\0';
    d->strings = out + size + 1;
    *ret_string = out;
    return 0;
}

static int
unknown_member(struct decoder *d, const struct yl_member *member,
               const char *end, const struct frame *frame)
{
    struct yl_json value = { member->value, end };
    struct yl_str path;

    if (!d->opts->on_unknown && !d->opts->refuse_unknown) {
        return 0;
    }
    path = path_of(frame, d->arena);
    if (d->opts->on_unknown) {
        d->opts->on_unknown(d->opts->aux, path, value);
        return 0;
    }
    return yl_error_set(d->err, YL_EBADREQUEST, "unknown field \"%.*s\"",
                        YL_STR_ARG(path));
}

/* apiVersion or kind, which must be the kind's. */
static int
check_type_meta(struct decoder *d, const struct yl_kind *kind,
                const struct yl_member *member, const struct frame *frame)
{
    struct yl_json value = { member->value, d->limit };
    const char *group = kind->set->group;
    const char *want = kind->name;

    if (!yl_str_equal(member->key, YL_STR("kind"))) {
        want = *group ? yl_arena_printf(d->arena, "%s/%s", group,
                                        kind->set->version)
                      : kind->set->version;
    }
    if (!yl_json_string_is(value, yl_str_c(want))) {
        fail(d, YL_EBADREQUEST, frame, "must be \"%s\"", want);
        return YL_EBADREQUEST;
    }
    return 0;
}

/* Makes room for one element more than 'n': doubles, and starts at one, as
 * most lists are short.  The old memory stays in the arena. */
static void *
grow(struct yl_arena *arena, void *old, size_t n, size_t size)
{
    void *bigger;

    if (n & (n - 1)) {
        return old;             /* Not a power of two: there is room. */
    }
    bigger = yl_arena_zalloc(arena, (n ? n * 2 : 1) * size);
    memcpy(bigger, old, n * size);
    return bigger;
}

static const char *
expected(const struct yl_value *value)
{
    static const char *const names[] = {
        [YL_VALUE_NONE] = "nothing",
        [YL_VALUE_BOOL] = "true or false",
        [YL_VALUE_INT32] = "an int32",
        [YL_VALUE_INT64] = "an int64",
        [YL_VALUE_DOUBLE] = "a number",
        [YL_VALUE_STRING] = "a string",
        [YL_VALUE_BYTES] = "a base64 string",
        [YL_VALUE_TIME] = "a time",
        [YL_VALUE_MICRO_TIME] = "a time",
        [YL_VALUE_DURATION] = "a duration",
        [YL_VALUE_QUANTITY] = "a quantity",
        [YL_VALUE_INT_OR_STRING] = "a number or a string",
        [YL_VALUE_RAW] = "JSON",
        [YL_VALUE_EMBEDDED] = "an object",
        [YL_VALUE_STRUCT] = "an object",
        [YL_VALUE_LIST] = "an array",
        [YL_VALUE_MAP] = "an object",
    };

    return names[value->kind];
}

static const char *
found(const char *p)
{
    static const char *const names[] = {
        [YL_JSON_NONE] = "what it is",
        [YL_JSON_NULL] = "null",
        [YL_JSON_BOOL] = "a bool",
        [YL_JSON_NUMBER] = "a number",
        [YL_JSON_STRING] = "a string",
        [YL_JSON_ARRAY] = "an array",
        [YL_JSON_OBJECT] = "an object",
    };

    return names[yl_json_type((struct yl_json) { p, p + 1 })];
}

static const char *
fail(struct decoder *d, int code, const struct frame *frame,
     const char *format, ...)
{
    struct yl_str path = path_of(frame, d->arena);
    va_list args;

    va_start(args, format);
    yl_error_vset(d->err, code, format, args);
    va_end(args);
    if (path.size) {
        yl_error_prefix(d->err, "%.*s", YL_STR_ARG(path));
    }
    return NULL;
}

/* "spec.containers[0].name" */
static struct yl_str
path_of(const struct frame *frame, struct yl_arena *arena)
{
    const struct frame *frames[YL_RECORD_MAX_DEPTH + 2];
    struct yl_str text;
    struct yl_buf buf;
    size_t n = 0;

    for (; frame && n < YL_ARRAY_SIZE(frames); frame = frame->outer) {
        frames[n++] = frame;
    }
    yl_buf_init(&buf, 1 << 16);
    while (n > 0) {
        frame = frames[--n];
        if (!frame->name.data) {
            yl_buf_printf(&buf, "[%zu]", frame->i);
        } else {
            yl_buf_printf(&buf, "%s%.*s", buf.size ? "." : "",
                          YL_STR_ARG(frame->name));
        }
    }
    text = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}
