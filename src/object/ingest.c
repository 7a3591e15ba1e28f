/* From bytes to a block.  See yuloh/object.h for the contract and
 * object/object.h for the layout.
 *
 * One walk over the members of the object and of its metadata.  Values are
 * skipped, 64 bytes at a time where they are containers, and only the facts
 * are read.  The walk notes which runs of the text are kept.  A run ends only
 * where a member is cut out, and each such member can occur only once, so a
 * fixed small number of runs is enough for any object.  After the walk the
 * size is known, and the runs are copied into one allocation.
 *
 *     {"kind":K,"apiVersion":A,"metadata":{M1,"resourceVersion":N,M2},R}
 *                                          ^^                     ^^  ^
 *     becomes {M1,M2},R}                   run                    run run */

#include "object/object.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/quote.h"
#include "object/member.h"
#include "yuloh/error.h"

/* Offsets are 32 bits wide and the plain facts stand behind the text. */
#define SIZE_CEILING ((size_t) 1 << 30)

/* How much of a text that is wrong a message repeats. */
#define QUOTE_CEILING 256

enum top_member {
    TOP_API_VERSION,
    TOP_KIND,
    TOP_METADATA,
    N_TOP_MEMBERS
};

static const struct yl_str top_names[N_TOP_MEMBERS] = {
    [TOP_API_VERSION] = YL_STR_INIT("apiVersion"),
    [TOP_KIND] = YL_STR_INIT("kind"),
    [TOP_METADATA] = YL_STR_INIT("metadata"),
};

/* The first ones are those of enum yl_object_span. */
enum metadata_member {
    META_GENERATION = YL_N_SPANS,
    META_DELETION_TIMESTAMP,
    META_RESOURCE_VERSION,
    META_MANAGED_FIELDS,
    N_METADATA_MEMBERS
};

static const struct {
    char first;                 /* What a value other than null starts with. */
    const char *type;
} shapes[N_METADATA_MEMBERS] = {
    [YL_SPAN_NAME] = { '"', "a string" },
    [YL_SPAN_NAMESPACE] = { '"', "a string" },
    [YL_SPAN_UID] = { '"', "a string" },
    [YL_SPAN_CREATED] = { '"', "a string" },
    [YL_SPAN_LABELS] = { '{', "an object" },
    [YL_SPAN_ANNOTATIONS] = { '{', "an object" },
    [YL_SPAN_OWNERS] = { '[', "an array" },
    [YL_SPAN_FINALIZERS] = { '[', "an array" },
    [META_GENERATION] = { 0, "an integer" },
    [META_DELETION_TIMESTAMP] = { '"', "a string" },
    [META_RESOURCE_VERSION] = { '"', "a string" },
    [META_MANAGED_FIELDS] = { '[', "an array" },
};

static const struct yl_str metadata_names[N_METADATA_MEMBERS] = {
    [YL_SPAN_NAME] = YL_STR_INIT("name"),
    [YL_SPAN_NAMESPACE] = YL_STR_INIT("namespace"),
    [YL_SPAN_UID] = YL_STR_INIT("uid"),
    [YL_SPAN_CREATED] = YL_STR_INIT("creationTimestamp"),
    [YL_SPAN_LABELS] = YL_STR_INIT("labels"),
    [YL_SPAN_ANNOTATIONS] = YL_STR_INIT("annotations"),
    [YL_SPAN_OWNERS] = YL_STR_INIT("ownerReferences"),
    [YL_SPAN_FINALIZERS] = YL_STR_INIT("finalizers"),
    [META_GENERATION] = YL_STR_INIT("generation"),
    [META_DELETION_TIMESTAMP] = YL_STR_INIT("deletionTimestamp"),
    [META_RESOURCE_VERSION] = YL_STR_INIT("resourceVersion"),
    [META_MANAGED_FIELDS] = YL_STR_INIT("managedFields"),
};

/* Bytes that stay together: some members and what is between them. */
struct run {
    const char *start, *end;
    size_t out;                 /* Where 'start' goes, in bytes from the place
                                 * of the first run. */
};

/* Three members of the object and two of its metadata are cut out, each once,
 * so there is at most one run more than that. */
#define MAX_RUNS (N_TOP_MEMBERS + 1)
struct runs {
    struct run runs[MAX_RUNS];
    int n;
    bool open;                  /* Does the next member join the last run? */
    size_t size;                /* Of all and the commas between them. */
};

struct ingest {
    const char *p;              /* Where the walk is. */
    const char *limit;
    const struct yl_object_opts *opts;
    struct yl_error *err;

    unsigned seen;              /* Bit for each enum top_member. */
    unsigned seen_metadata;     /* Bit for each enum metadata_member. */
    struct yl_type_meta type;

    struct runs metadata;       /* Without managedFields. */
    struct runs rest;
    struct run managed_fields;  /* If 'start' is not NULL. */

    struct yl_str raw[YL_N_SPANS];  /* Facts, in the source. */
    size_t out[YL_N_SPANS];     /* Facts, as offsets like those of runs. */
    unsigned escaped;           /* Bit for each fact with escapes. */
    uint64_t revision;
    int64_t generation;
    uint32_t flags;             /* enum yl_object_flags. */
};

static int walk_object(struct ingest *);
static int take_type(struct ingest *, int which, struct yl_str raw,
                     bool escaped);
static int walk_metadata(struct ingest *);
static int take_fact(struct ingest *, int which, const char *value,
                     bool escaped);
static const char *skip_value(struct ingest *, bool *escaped);
static bool is_null(struct yl_str raw);
static struct run *keep(struct runs *, const char *start, const char *end);
static int duplicate(struct ingest *, struct yl_str name);
static void quote(struct yl_buf *, struct yl_str);
static int explain(struct yl_str json, size_t max_size, struct yl_error *);
static int build(const struct ingest *, struct yl_object **ret_object);
static int copy_facts(const struct ingest *, struct yl_object *);
static char *put_spans(char *p, const struct yl_span[], int n, bool wide);
static char *put(char *p, const char *start, const char *end);

int
yl_object_ingest(struct yl_str json, const struct yl_object_opts *opts,
                 struct yl_object **ret_object, struct yl_error *err)
{
    static const struct yl_object_opts no_opts;
    struct ingest in;
    size_t max_size;
    int r;

    opts = opts ? opts : &no_opts;
    max_size = opts->max_size ? opts->max_size : YL_OBJECT_MAX_SIZE;
    if (max_size > SIZE_CEILING) {
        max_size = SIZE_CEILING;
    }
    if (json.size > max_size) {
        return yl_error_set(err, YL_ETOOBIG,
                            "object of %zu bytes exceeds the limit of %zu",
                            json.size, max_size);
    }
    memset(&in, 0, sizeof in);
    in.p = json.data;
    in.limit = json.data ? json.data + json.size : NULL;
    in.opts = opts;
    in.err = err;
    in.flags = opts->canonical ? YL_OBJECT_CANONICAL : 0;

    r = walk_object(&in);
    if (r == 0) {
        r = build(&in, ret_object);
    }
    if (r == 0 && opts->ret_type) {
        *opts->ret_type = in.type;
    }
    return r == YL_ESYNTAX ? explain(json, max_size, err) : r;
}

int
yl_revision_parse(struct yl_str text, uint64_t *ret_revision,
                  struct yl_error *err)
{
    unsigned long long revision = 0;
    struct yl_buf quoted;

    if (text.size == 0
        || (yl_str_to_u64(text, &revision) == 0
            && (text.data[0] != '0' || text.size == 1))) {
        *ret_revision = revision;
        return 0;
    }
    quote(&quoted, text);
    yl_error_set(err, YL_EINVALID,
                 "resourceVersion is not a decimal number without leading "
                 "zeros: %s", yl_buf_c_str(&quoted));
    yl_buf_release(&quoted);
    return YL_EINVALID;
}

/* Every function below that returns an int returns 0 or an error.  The error
 * is set in 'err' already, except YL_ESYNTAX. */

static int
walk_object(struct ingest *in)
{
    struct yl_member member;
    bool first = true;
    int r;

    in->p = yl_json_skip_blanks(in->p, in->limit);
    if (in->p == in->limit || *in->p != '{') {
        return YL_ESYNTAX;
    }
    in->p++;
    while ((r = yl_member_next(&in->p, in->limit, first, &member)) > 0) {
        int which = yl_member_find(&member, top_names, N_TOP_MEMBERS);
        bool escaped;

        first = false;
        if (which >= 0) {
            if (in->seen & (1u << which)) {
                return duplicate(in, top_names[which]);
            }
            in->seen |= 1u << which;
            in->rest.open = false;
        }
        if (which == TOP_METADATA && *in->p == '{') {
            r = walk_metadata(in);
            if (r < 0) {
                return r;
            }
            continue;
        }
        if (!skip_value(in, &escaped)) {
            return YL_ESYNTAX;
        }
        if (which >= 0) {
            r = take_type(in, which, yl_str_range(member.value, in->p),
                          escaped);
            if (r < 0) {
                return r;
            }
        } else {
            keep(&in->rest, member.start, in->p);
        }
    }
    in->p = yl_json_skip_blanks(in->p, in->limit);
    return r == 0 && in->p == in->limit ? 0 : YL_ESYNTAX;
}

/* Takes apiVersion or kind, or a metadata that is not an object. */
static int
take_type(struct ingest *in, int which, struct yl_str raw, bool escaped)
{
    const struct yl_type_meta *expect = &in->opts->expect;
    struct yl_str want = which == TOP_KIND ? expect->kind
                                           : expect->api_version;

    if (is_null(raw)) {
        return 0;
    }
    if (which == TOP_METADATA || raw.data[0] != '"') {
        return yl_error_set(in->err, YL_ETYPE, "%s is not %s",
                            top_names[which].data,
                            which == TOP_METADATA ? "an object" : "a string");
    }
    raw = yl_str_range(raw.data + 1, raw.data + raw.size - 1);
    if (want.size && !yl_json_raw_equal(raw, want)) {
        struct yl_buf quoted;

        quote(&quoted, raw);
        yl_error_set(in->err, YL_EBADREQUEST, "%s is %s, expected \"%.*s\"",
                     top_names[which].data, yl_buf_c_str(&quoted),
                     YL_STR_ARG(want));
        yl_buf_release(&quoted);
        return YL_EBADREQUEST;
    }
    if (escaped && in->opts->ret_type) {
        return yl_error_set(in->err, YL_EINVALID, "%s has escapes",
                            top_names[which].data);
    }
    if (which == TOP_KIND) {
        in->type.kind = raw;
    } else {
        in->type.api_version = raw;
    }
    return 0;
}

static int
walk_metadata(struct ingest *in)
{
    struct yl_member member;
    bool first = true;
    int r;

    in->p++;
    while ((r = yl_member_next(&in->p, in->limit, first, &member)) > 0) {
        int which =
            yl_member_find(&member, metadata_names, N_METADATA_MEMBERS);
        bool escaped;

        first = false;
        if (!skip_value(in, &escaped)) {
            return YL_ESYNTAX;
        }
        if (which == META_RESOURCE_VERSION) {
            in->metadata.open = false;
        } else if (which == META_MANAGED_FIELDS) {
            in->metadata.open = false;
            in->managed_fields.start = member.start;
            in->managed_fields.end = in->p;
        } else {
            keep(&in->metadata, member.start, in->p);
        }
        if (which >= 0) {
            r = take_fact(in, which, member.value, escaped);
            if (r < 0) {
                return r;
            }
        }
    }
    return r == 0 ? 0 : YL_ESYNTAX;
}

/* Takes the fact whose value ends at the walk's position; the last run
 * contains its member already. */
static int
take_fact(struct ingest *in, int which, const char *value, bool escaped)
{
    struct yl_str raw = yl_str_range(value, in->p);
    const struct run *run;

    if (in->seen_metadata & (1u << which)) {
        return duplicate(in, metadata_names[which]);
    }
    in->seen_metadata |= 1u << which;
    if (is_null(raw)) {
        return 0;
    }
    if (shapes[which].first ? *value != shapes[which].first
        : yl_json_number_end(value, in->p) != in->p
          || yl_json_number_int64(raw, &in->generation) < 0) {
        return yl_error_set(in->err, YL_ETYPE, "metadata.%s is not %s",
                            metadata_names[which].data, shapes[which].type);
    }
    if (which >= YL_N_SPANS) {
        if (which == META_DELETION_TIMESTAMP) {
            in->flags |= YL_OBJECT_DELETING;
        } else if (which == META_RESOURCE_VERSION) {
            return yl_revision_parse(yl_str_range(value + 1, in->p - 1),
                                     &in->revision, in->err);
        }
        return 0;
    }
    if (*value == '"') {
        raw = yl_str_range(value + 1, in->p - 1);
        in->escaped |= (unsigned) escaped << which;
    }
    run = &in->metadata.runs[in->metadata.n - 1];
    in->raw[which] = raw;
    in->out[which] = run->out + (size_t) (raw.data - run->start);
    return 0;
}

/* Moves behind the value at the walk's position and returns the new position,
 * or NULL if the value does not end.  '*escaped' is set for strings only. */
static const char *
skip_value(struct ingest *in, bool *escaped)
{
    *escaped = false;
    in->p = *in->p == '"' ? yl_json_skip_string(in->p, in->limit, escaped)
                          : yl_json_skip_value(in->p, in->limit);
    return in->p;
}

static bool
is_null(struct yl_str raw)
{
    return yl_str_equal(raw, YL_STR("null"));
}

/* Adds a member to the runs; returns the run that it is in. */
static struct run *
keep(struct runs *runs, const char *start, const char *end)
{
    struct run *run;

    if (!runs->open) {
        assert(runs->n < MAX_RUNS);
        run = &runs->runs[runs->n];
        run->start = start;
        run->out = runs->size + (runs->n > 0);
        runs->n++;
        runs->open = true;
    }
    run = &runs->runs[runs->n - 1];
    run->end = end;
    runs->size = run->out + (size_t) (end - run->start);
    return run;
}

static int
duplicate(struct ingest *in, struct yl_str name)
{
    return yl_error_set(in->err, YL_EDUPLICATE, "%s is there twice",
                        name.data);
}

/* Makes 'buf' hold the start of 's', quoted for a message. */
static void
quote(struct yl_buf *buf, struct yl_str s)
{
    yl_buf_init(buf, QUOTE_CEILING);
    yl_quote(buf, yl_str_n(s.data, s.size < QUOTE_CEILING / 4
                                    ? s.size : QUOTE_CEILING / 4));
}

/* Says what is wrong with a text that could not be walked. */
static int
explain(struct yl_str json, size_t max_size, struct yl_error *err)
{
    struct yl_json_limits limits = { .max_size = max_size };
    int r = yl_json_validate(json, &limits, err);

    return r < 0 ? r : yl_error_set(err, YL_ETYPE,
                                    "an API object must be a JSON object");
}

static int
build(const struct ingest *in, struct yl_object **ret_object)
{
    const struct run *managed = &in->managed_fields;
    size_t managed_size = managed->start
        ? (size_t) (managed->end - managed->start) + (in->metadata.n > 0) : 0;
    size_t metadata_end = 1 + in->metadata.size + managed_size;
    size_t size = metadata_end + 1 + (in->rest.n > 0) + in->rest.size + 1;
    size_t plain_size = 0;
    uint32_t flags = in->flags;
    struct yl_object *object;
    char *p;
    int i, r;

    for (i = 0; i < YL_N_SPANS; i++) {
        plain_size += in->escaped & (1u << i) ? in->raw[i].size : 0;
        flags |= in->raw[i].data ? (uint32_t) YL_OBJECT_FIRST_SPAN << i : 0;
    }
    flags |= (plain_size ? size + plain_size : metadata_end) > UINT16_MAX
             ? YL_OBJECT_WIDE : 0;
    flags |= in->revision ? YL_OBJECT_REVISION : 0;
    flags |= in->generation ? YL_OBJECT_GENERATION : 0;
    object = yl_malloc(sizeof *object + size + plain_size
                       + yl_object_facts_size(flags));
    memset(object, 0, sizeof *object);
    yl_ref_init(&object->ref);
    object->flags = flags;
    atomic_init(&object->schema_generation, in->opts->schema_generation);
    object->size = (uint32_t) size;
    object->metadata_end = (uint32_t) metadata_end;
    if (managed->start) {
        object->managed_fields = (uint32_t) (metadata_end - managed_size);
    }

    p = object->text;
    *p++ = '{';
    for (i = 0; i < in->metadata.n; i++) {
        if (i > 0) {
            *p++ = ',';
        }
        p = put(p, in->metadata.runs[i].start, in->metadata.runs[i].end);
    }
    if (managed->start) {
        if (i > 0) {
            *p++ = ',';
        }
        p = put(p, managed->start, managed->end);
    }
    *p++ = '}';
    for (i = 0; i < in->rest.n; i++) {
        *p++ = ',';
        p = put(p, in->rest.runs[i].start, in->rest.runs[i].end);
    }
    *p++ = '}';
    assert(p == object->text + size);

    r = copy_facts(in, object);
    if (r < 0) {
        free(object);
        return r;
    }
    *ret_object = object;
    return 0;
}

/* Writes what stands behind the text: plain facts, spans, numbers. */
static int
copy_facts(const struct ingest *in, struct yl_object *object)
{
    struct yl_span spans[YL_N_SPANS];
    size_t plain = object->size, size;
    char *p;
    int i, r, n = 0;

    for (i = 0; i < YL_N_SPANS; i++) {
        struct yl_span *span = &spans[n];

        if (in->escaped & (1u << i)) {
            r = yl_json_unescape(in->raw[i], object->text + plain, &size);
            if (r < 0) {
                return r;
            }
            span->offset = (uint32_t) plain;
            span->size = (uint32_t) size;
            plain += size;
            n++;
        } else if (in->raw[i].data) {
            span->offset = (uint32_t) (1 + in->out[i]);
            span->size = (uint32_t) in->raw[i].size;
            n++;
        }
    }
    object->facts = (uint32_t) plain;
    p = put_spans(object->text + plain, spans, n,
                  object->flags & YL_OBJECT_WIDE);
    if (in->revision) {
        memcpy(p, &in->revision, sizeof in->revision);
        p += sizeof in->revision;
    }
    if (in->generation) {
        memcpy(p, &in->generation, sizeof in->generation);
    }
    return 0;
}

static char *
put_spans(char *p, const struct yl_span spans[], int n, bool wide)
{
    int i;

    for (i = 0; i < n; i++) {
        struct yl_small_span small = {
            (uint16_t) spans[i].offset, (uint16_t) spans[i].size
        };

        if (wide) {
            memcpy(p, &spans[i], sizeof spans[i]);
            p += sizeof spans[i];
        } else {
            memcpy(p, &small, sizeof small);
            p += sizeof small;
        }
    }
    return p;
}

static char *
put(char *p, const char *start, const char *end)
{
    memcpy(p, start, (size_t) (end - start));
    return p + (end - start);
}
