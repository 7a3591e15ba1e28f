/* Splitter.  See json/split.h for the contract.
 *
 *     frames:   BETWEEN --{[--> INSIDE --depth 0--> BETWEEN
 *                  '------"--> STRING, or SCALAR --end--> BETWEEN
 *
 *     list:     ENVELOPE --"items":[--> BETWEEN --{--> INSIDE --> BETWEEN
 *                  ^ '--depth 0--> DONE            '--]--> ENVELOPE
 *                  '------------------------------------------'
 *
 * Almost all bytes are INSIDE, where the depth scanner runs.  All other states
 * go byte by byte. */

#include "json/split.h"

#include <assert.h>
#include <stdint.h>

#include "json/cursor.h"
#include "yuloh/error.h"
#include "yuloh/json.h"

#define DEFAULT_MAX_VALUE ((size_t) 64 << 20)
#define MAX_MAX_VALUE (SIZE_MAX / 4)    /* So that sums do not wrap. */
#define MAX_ENVELOPE ((size_t) 1 << 20)

enum state {
    BETWEEN,                    /* Before a value, or behind the last. */
    INSIDE,                     /* In an array or object. */
    STRING,                     /* In a frame that is a string. */
    SCALAR,                     /* In a frame that is a number or word. */
    ENVELOPE,                   /* In a list, outside of its items. */
    DONE,                       /* Behind a list. */
};

static int next_frame(struct yl_splitter *, struct yl_str *ret_value,
                      struct yl_error *);
static int next_item(struct yl_splitter *, struct yl_str *ret_value,
                     struct yl_error *);
static int scan_inside(struct yl_splitter *, struct yl_str *ret_value,
                       struct yl_error *);
static int scan_string(struct yl_splitter *, struct yl_str *ret_value,
                       struct yl_error *);
static int scan_scalar(struct yl_splitter *, struct yl_str *ret_value,
                       struct yl_error *);
static int scan_envelope(struct yl_splitter *, struct yl_error *);
static void envelope_byte(struct yl_splitter *, char c);
static int scan_behind(struct yl_splitter *, struct yl_error *);
static bool skip_blanks(struct yl_splitter *);
static bool ends_scalar(char c);
static int take_or_need_more(struct yl_splitter *, bool complete,
                             struct yl_str *ret_value, struct yl_error *);
static int need_more(struct yl_splitter *, struct yl_error *);
static int take(struct yl_splitter *, struct yl_str *ret_value);

void
yl_splitter_init(struct yl_splitter *s, enum yl_split_mode mode,
                 size_t max_value)
{
    memset(s, 0, sizeof *s);
    s->max_value = !max_value ? DEFAULT_MAX_VALUE
                   : max_value < MAX_MAX_VALUE ? max_value : MAX_MAX_VALUE;
    s->mode = (unsigned char) mode;
    s->state = mode == YL_SPLIT_LIST ? ENVELOPE : BETWEEN;
    s->data = "";
    yl_buf_init(&s->buf, s->max_value + 2 * YL_SPLIT_MAX_PIECE);
    yl_buf_init(&s->envelope, MAX_ENVELOPE);
}

void
yl_splitter_init_over(struct yl_splitter *s, enum yl_split_mode mode,
                      size_t max_value, struct yl_str text)
{
    yl_splitter_init(s, mode, max_value);
    s->data = text.data ? text.data : "";
    s->size = text.size;
    s->lent = true;
    s->finished = true;
}

void
yl_splitter_release(struct yl_splitter *s)
{
    yl_buf_release(&s->buf);
    yl_buf_release(&s->envelope);
}

char *
yl_splitter_reserve(struct yl_splitter *s, size_t n)
{
    char *room;

    assert(!s->lent && n > 0 && n <= YL_SPLIT_MAX_PIECE);

    /* Only the value that is still being scanned is moved to the front, and
     * only when the room behind it is too small. */
    if (s->start == s->size || s->buf.capacity - s->buf.size < n) {
        yl_buf_consume(&s->buf, s->start);
        s->at -= s->start;
        s->start = 0;
        s->size = s->buf.size;
    }

    /* yl_splitter_next() gives up before the ceiling is reached. */
    room = yl_buf_reserve(&s->buf, n);
    assert(room);
    s->data = s->buf.data;
    return room;
}

void
yl_splitter_commit(struct yl_splitter *s, size_t n)
{
    yl_buf_commit(&s->buf, n);
    s->size = s->buf.size;
}

void
yl_splitter_feed(struct yl_splitter *s, struct yl_str bytes)
{
    if (bytes.size) {
        memcpy(yl_splitter_reserve(s, bytes.size), bytes.data, bytes.size);
        yl_splitter_commit(s, bytes.size);
    }
}

void
yl_splitter_finish(struct yl_splitter *s)
{
    s->finished = true;
}

int
yl_splitter_next(struct yl_splitter *s, struct yl_str *ret_value,
                 struct yl_error *err)
{
    int r;

    if (s->error) {
        return yl_error_set(err, s->error, "the stream is broken");
    }
    r = s->mode == YL_SPLIT_LIST ? next_item(s, ret_value, err)
                                 : next_frame(s, ret_value, err);
    if (r < 0) {
        s->error = r;
    }
    return r;
}

struct yl_str
yl_splitter_envelope(const struct yl_splitter *s)
{
    return yl_buf_str(&s->envelope);
}

size_t
yl_splitter_pending(const struct yl_splitter *s)
{
    return s->size - s->start;
}

static int
next_frame(struct yl_splitter *s, struct yl_str *ret_value,
           struct yl_error *err)
{
    switch ((enum state) s->state) {
    case INSIDE:
        return scan_inside(s, ret_value, err);
    case STRING:
        return scan_string(s, ret_value, err);
    case SCALAR:
        return scan_scalar(s, ret_value, err);
    case BETWEEN:
    case ENVELOPE:
    case DONE:
    default:
        break;
    }

    if (!skip_blanks(s)) {
        return s->finished ? YL_SPLIT_END : YL_SPLIT_MORE;
    }
    switch (s->data[s->at]) {
    case '{':
    case '[':
        s->at++;
        s->depth = 1;
        s->state = INSIDE;
        return scan_inside(s, ret_value, err);
    case '"':
        s->at++;
        s->escaped = false;
        s->state = STRING;
        return scan_string(s, ret_value, err);
    case '}':
    case ']':
    case ',':
    case ':':
        return yl_error_set(err, YL_ESYNTAX,
                            "a value in the stream starts with '%c'",
                            s->data[s->at]);
    default:
        s->state = SCALAR;
        return scan_scalar(s, ret_value, err);
    }
}

static int
next_item(struct yl_splitter *s, struct yl_str *ret_value,
          struct yl_error *err)
{
    for (;;) {
        char c;
        int r;

        switch ((enum state) s->state) {
        case ENVELOPE:
            r = scan_envelope(s, err);
            if (r != YL_SPLIT_VALUE) {
                return r;
            }
            continue;           /* The state has changed. */
        case INSIDE:
            return scan_inside(s, ret_value, err);
        case DONE:
            return scan_behind(s, err);
        case BETWEEN:
        case STRING:
        case SCALAR:
        default:
            break;
        }

        if (!skip_blanks(s)) {
            return need_more(s, err);
        }
        c = s->data[s->at];
        if (c == '{' && s->comma == s->any_items) {
            s->at++;
            s->depth = 1;
            s->state = INSIDE;
            s->any_items = true;
            s->comma = false;
        } else if (c == ',' && s->any_items && !s->comma) {
            s->at++;
            s->comma = true;
        } else if (c == ']' && !s->comma) {
            s->depth = 2;       /* Of the envelope, which closes the array. */
            s->state = ENVELOPE;
        } else {
            return yl_error_set(err, YL_ESYNTAX,
                                "\"items\" is not an array of objects");
        }
    }
}

/* Counts brackets until they close.  This is where almost all bytes of a
 * stream are scanned. */
static int
scan_inside(struct yl_splitter *s, struct yl_str *ret_value,
            struct yl_error *err)
{
    const char *end = yl_bits()->to_depth_zero(&s->bits, s->data + s->at,
                                               s->size - s->at, &s->depth);

    s->at = end ? (size_t) (end - s->data) : s->size;
    return take_or_need_more(s, end, ret_value, err);
}

static int
scan_string(struct yl_splitter *s, struct yl_str *ret_value,
            struct yl_error *err)
{
    bool closed = false;

    while (s->at < s->size && !closed) {
        char c = s->data[s->at++];

        if (s->escaped) {
            s->escaped = false;
        } else if (c == '\\') {
            s->escaped = true;
        } else if (c == '"') {
            closed = true;
        }
    }
    return take_or_need_more(s, closed, ret_value, err);
}

static int
scan_scalar(struct yl_splitter *s, struct yl_str *ret_value,
            struct yl_error *err)
{
    while (s->at < s->size && !ends_scalar(s->data[s->at])) {
        s->at++;
    }
    if (s->at - s->start > YL_JSON_MAX_NUMBER) {
        return yl_error_set(err, YL_ETOOBIG,
                            "a number in the stream has more than %d bytes",
                            YL_JSON_MAX_NUMBER);
    }
    if (s->at < s->size || s->finished) {
        return take(s, ret_value);
    }
    return YL_SPLIT_MORE;
}

/* Copies the list's own bytes, up to the start of its items or to its end.
 * Returns YL_SPLIT_VALUE when the state has changed. */
static int
scan_envelope(struct yl_splitter *s, struct yl_error *err)
{
    while (s->at < s->size && s->state == ENVELOPE) {
        char c = s->data[s->at++];

        yl_buf_append_char(&s->envelope, c);
        envelope_byte(s, c);
    }
    s->start = s->at;
    if (yl_buf_error(&s->envelope)) {
        return yl_error_set(err, YL_ETOOBIG,
                            "the list has more than %zu bytes beside its "
                            "items", MAX_ENVELOPE);
    }
    if (s->state == DONE) {
        int r = yl_json_validate(yl_buf_str(&s->envelope), NULL, err);

        if (r < 0) {
            yl_error_prefix(err, "list");
            return r;
        }
        if (yl_json_type(yl_json(yl_buf_str(&s->envelope)))
            != YL_JSON_OBJECT) {
            return yl_error_set(err, YL_ESYNTAX, "a list must be an object");
        }
    }
    return s->state == ENVELOPE ? need_more(s, err) : YL_SPLIT_VALUE;
}

/* Keeps track of where in the envelope we are, just behind 'c'. */
static void
envelope_byte(struct yl_splitter *s, char c)
{
    size_t here = s->envelope.size;

    if (s->in_string) {
        if (s->escaped) {
            s->escaped = false;
        } else if (c == '\\') {
            s->escaped = true;
        } else if (c == '"') {
            s->in_string = false;
            s->key_end = s->depth == 1 ? here - 1 : s->key_end;
        }
        return;
    }
    switch (c) {
    case '"':
        s->in_string = true;
        s->key_start = s->depth == 1 ? here : s->key_start;
        break;

    case '{':
    case '[':
        /* In valid JSON the last string at depth 1 is this value's key. */
        if (c == '[' && s->depth == 1
            && yl_str_equal(yl_str_range(s->envelope.data + s->key_start,
                                         s->envelope.data + s->key_end),
                            YL_STR("items"))) {
            s->state = BETWEEN;
            s->any_items = false;
            s->comma = false;
        } else {
            s->depth++;
        }
        break;

    case '}':
    case ']':
        if (s->depth <= 1) {
            s->state = DONE;
        } else {
            s->depth--;
        }
        break;

    default:
        /* Text that does not start with a bracket is not a list: the state
         * becomes DONE at once, and the validation of the envelope refuses
         * it. */
        if (s->depth == 0 && c != ' ' && c != '\n' && c != '\r'
            && c != '\t') {
            s->state = DONE;
        }
        break;
    }
}

/* Behind a list there may be blanks only. */
static int
scan_behind(struct yl_splitter *s, struct yl_error *err)
{
    if (skip_blanks(s)) {
        return yl_error_set(err, YL_ESYNTAX, "something follows the list");
    }
    return s->finished ? YL_SPLIT_END : YL_SPLIT_MORE;
}

/* Moves to the next byte that is not blank; false if there is none yet. */
static bool
skip_blanks(struct yl_splitter *s)
{
    const char *p = yl_json_skip_blanks(s->data + s->at, s->data + s->size);

    s->at = s->start = (size_t) (p - s->data);
    return s->at < s->size;
}

static bool
ends_scalar(char c)
{
    switch (c) {
    case ' ': case '\t': case '\r': case '\n':
    case '{': case '}': case '[': case ']':
    case '"': case ',': case ':':
        return true;
    default:
        return false;
    }
}

/* All bytes of a value that have come so far are scanned.  The ceiling is
 * checked for complete values too; otherwise it would depend on how the bytes
 * were cut into pieces whether a value passes. */
static int
take_or_need_more(struct yl_splitter *s, bool complete,
                  struct yl_str *ret_value, struct yl_error *err)
{
    if (s->at - s->start > s->max_value) {
        return yl_error_set(err, YL_ETOOBIG,
                            "a value in the stream has more than %zu bytes",
                            s->max_value);
    }
    return complete ? take(s, ret_value) : need_more(s, err);
}

static int
need_more(struct yl_splitter *s, struct yl_error *err)
{
    if (!s->finished) {
        return YL_SPLIT_MORE;
    }
    return yl_error_set(err, YL_ETRUNCATED,
                        "the stream ends inside of a value");
}

static int
take(struct yl_splitter *s, struct yl_str *ret_value)
{
    *ret_value = yl_str_n(s->data + s->start, s->at - s->start);
    s->start = s->at;
    s->state = BETWEEN;
    s->bits = (struct yl_bits_state) { 0 };
    return YL_SPLIT_VALUE;
}
