/* Fuzzes the HTTP/2 machine.  Input: a byte of options, one that says how to
 * cut, and frames of the other side, sent to a server or to a client with open
 * requests.
 *
 * A frame is its type, its flags, its stream, the size of its payload (a byte
 * each) and the payload; with OPT_RAW the bytes are taken as they are.
 *
 * However the bytes are cut, each stream must get its events in order and be
 * closed once.  The other side must not be able to send
 * more than the windows allow.  The output must consist of whole frames. */

#include "fuzz.h"

#include "base/buf.h"
#include "net/http2.h"

/* Bits of the first byte. */
#define OPT_CLIENT 1
#define OPT_RAW 2
#define OPT_LAZY 4              /* Consumes nothing. */
#define OPT_ANSWER 8            /* Answers heads at once, with a body. */
#define OPT_SMALL 16            /* Small limits and windows. */
#define OPT_RESET 32            /* Resets streams when their first data
                                 * comes. */

#define MAX_STREAMS 64

/* A buffer's ceiling: more than any input. */
#define PLENTY ((size_t) 64 << 20)

#define BODY_SIZE 3000

/* The other side has to begin with this. */
#define PREFACE "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
#define EMPTY_SETTINGS "\0\0\0\4\0\0\0\0\0"

enum state {
    ASKED,                      /* No head yet. */
    HEADED,
    ENDED,                      /* The other side has sent everything. */
    CLOSED,
};

struct talk {
    struct yl_http2_stream stream;
    enum state state;
    struct yl_buf heard;
    size_t left;                /* Of our body. */
};

struct fuzzed {
    struct yl_http2 *h2;
    unsigned options;
    struct yl_buf *log;
    struct talk talks[MAX_STREAMS];
    size_t n_talks;
    size_t n_open;
    size_t n_unconsumed;
    size_t window, stream_window;
    bool leaving;               /* The other side goes away, */
    bool over;                  /* and no stream is left: further bytes may be
                                 * read or not. */
};

static void make_bytes(unsigned options, struct fuzz_input,
                       struct yl_buf *bytes);
static void run(unsigned options, struct yl_str bytes, unsigned cut,
                struct yl_buf *log);
static void ask(struct fuzzed *);
static size_t next_part(unsigned *cut, size_t left);
static void produce(struct fuzzed *);

static struct talk *
talk_of(struct yl_http2_stream *stream)
{
    return YL_CONTAINER_OF(stream, struct talk, stream);
}

/* Writes to the log, unless the connection is over. */
#define NOTE(F, ...)                                                          \
    do {                                                                      \
        if (!(F)->over) {                                                     \
            yl_buf_printf((F)->log, __VA_ARGS__);                             \
        }                                                                     \
    } while (0)

static struct talk *
new_talk(struct fuzzed *f)
{
    struct talk *talk = &f->talks[f->n_talks++];

    CHECK(f->n_talks <= MAX_STREAMS);
    f->n_open++;
    talk->left = BODY_SIZE;
    yl_buf_init(&talk->heard, PLENTY);
    return talk;
}

static struct yl_http2_stream *
on_open(void *aux)
{
    struct fuzzed *f = aux;

    CHECK(!(f->options & OPT_CLIENT));
    NOTE(f, "open %zu\n", f->n_talks);
    return &new_talk(f)->stream;
}

static void
on_header(void *aux, struct yl_http2_stream *stream, struct yl_str name,
          struct yl_str value)
{
    struct fuzzed *f = aux;

    CHECK(name.size && stream->id > 0);
    CHECK(talk_of(stream)->state == ASKED
          || (f->options & OPT_CLIENT && talk_of(stream)->state == HEADED));
    NOTE(f, "%d %.*s: %.*s\n", stream->id, YL_STR_ARG(name),
         YL_STR_ARG(value));
}

static void
on_head(void *aux, struct yl_http2_stream *stream, bool last)
{
    struct talk *talk = talk_of(stream);
    struct fuzzed *f = aux;

    CHECK(talk->state == ASKED
          || (f->options & OPT_CLIENT && talk->state == HEADED));
    NOTE(f, "%d head %d\n", stream->id, last);
    talk->state = last ? ENDED : HEADED;
    if (f->options & OPT_ANSWER && !(f->options & OPT_CLIENT)) {
        struct yl_http_header header = {
            YL_STR_INIT("x"), YL_STR_INIT("a\r\nb")
        };

        CHECK(yl_http2_respond(f->h2, stream, 200, &header, 1, true) == 0);
    }
}

static void
on_data(void *aux, struct yl_http2_stream *stream, struct yl_str piece,
        bool last YL_UNUSED)
{
    struct talk *talk = talk_of(stream);
    struct fuzzed *f = aux;

    CHECK(talk->state == HEADED);
    if (f->options & OPT_RESET && !talk->heard.size) {
        yl_http2_reset(f->h2, stream, YL_HTTP2_CANCEL);
    }
    yl_buf_append_str(&talk->heard, piece);
    if (f->options & OPT_LAZY) {
        f->n_unconsumed += piece.size;
        CHECK(f->n_unconsumed <= f->window);
        CHECK(talk->heard.size <= f->stream_window);
    } else {
        yl_http2_consume(f->h2, stream, piece.size);
    }
}

static void
on_end(void *aux, struct yl_http2_stream *stream)
{
    struct talk *talk = talk_of(stream);
    struct fuzzed *f = aux;

    CHECK(talk->state == HEADED);
    talk->state = ENDED;
    NOTE(f, "%d end %.*s\n", stream->id,
         YL_STR_ARG(yl_buf_str(&talk->heard)));
}

static ptrdiff_t
on_ready(void *aux YL_UNUSED, struct yl_http2_stream *stream, size_t max,
         bool *ret_last)
{
    const struct talk *talk = talk_of(stream);
    size_t n = talk->left < max ? talk->left : max;

    CHECK(talk->state != CLOSED && max > 0);
    *ret_last = n == talk->left;
    return (ptrdiff_t) n;
}

static void
on_append(void *aux YL_UNUSED, struct yl_http2_stream *stream,
          struct yl_buf *out, size_t n)
{
    struct talk *talk = talk_of(stream);

    CHECK(talk->state != CLOSED && n > 0 && n <= talk->left);
    talk->left -= n;
    while (n--) {
        yl_buf_append_char(out, 'b');
    }
}

static void
on_close(void *aux, struct yl_http2_stream *stream, uint32_t error)
{
    struct talk *talk = talk_of(stream);
    struct fuzzed *f = aux;

    CHECK(talk->state != CLOSED);
    talk->state = CLOSED;
    NOTE(f, "%d close %u\n", stream->id, error);
    f->n_open--;
    f->over = f->over || (f->leaving && !f->n_open);
}

static void
on_goaway(void *aux, int32_t last_id, uint32_t error)
{
    struct fuzzed *f = aux;

    NOTE(f, "goaway %d %u\n", last_id, error);
    f->leaving = true;
    f->over = f->over || !f->n_open;
}

static void
on_pong(void *aux)
{
    struct fuzzed *f = aux;

    NOTE(f, "pong\n");
}

static const struct yl_http2_events events = {
    on_open, on_header, on_head, on_data, on_end, on_ready, on_append,
    on_close, on_goaway, on_pong,
};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_input(data, size);
    unsigned options = fuzz_below(&in, 64);
    unsigned cut = fuzz_below(&in, 256);
    struct yl_buf bytes, log, again;

    yl_buf_init(&bytes, PLENTY);
    yl_buf_init(&log, PLENTY);
    yl_buf_init(&again, PLENTY);
    make_bytes(options, in, &bytes);
    run(options, yl_buf_str(&bytes), 0, &log);
    run(options, yl_buf_str(&bytes), 1, &log);

    /* Where the bytes are cut decides what malformed ones are taken for, so
     * only equal cuts can be compared. */
    yl_buf_clear(&log);
    run(options, yl_buf_str(&bytes), cut + 2, &log);
    run(options, yl_buf_str(&bytes), cut + 2, &again);
    CHECK(yl_str_equal(yl_buf_str(&log), yl_buf_str(&again)));
    yl_buf_release(&bytes);
    yl_buf_release(&log);
    yl_buf_release(&again);
    return 0;
}

/* Makes the bytes that the other side sends. */
static void
make_bytes(unsigned options, struct fuzz_input in, struct yl_buf *bytes)
{
    if (options & OPT_RAW) {
        yl_buf_append_str(bytes, in.rest);
        return;
    }
    if (!(options & OPT_CLIENT)) {
        yl_buf_append_c(bytes, PREFACE);
    }
    yl_buf_append(bytes, EMPTY_SETTINGS, sizeof EMPTY_SETTINGS - 1);
    while (in.rest.size) {
        unsigned type = fuzz_below(&in, 12);
        unsigned flags = fuzz_below(&in, 256);
        unsigned id = fuzz_below(&in, 2 * MAX_STREAMS);
        size_t n = fuzz_below(&in, 256);
        char head[9] = { 0 };

        n = n < in.rest.size ? n : in.rest.size;
        head[2] = (char) n;
        head[3] = (char) type;
        head[4] = (char) flags;
        head[8] = (char) id;
        yl_buf_append(bytes, head, sizeof head);
        yl_buf_append(bytes, in.rest.data, n);
        in.rest = yl_str_skip(in.rest, n);
    }
}

/* Feeds a machine and writes the events to 'log'.  'cut' is 0 for all at once,
 * 1 for single bytes, else the seed of a sequence of sizes. */
static void
run(unsigned options, struct yl_str bytes, unsigned cut, struct yl_buf *log)
{
    static const struct yl_http2_opts roomy = { .max_streams = MAX_STREAMS };
    static const struct yl_http2_opts small = {
        .max_streams = 2, .max_resets = 1, .max_head = 64,
        .stream_window = 40, .connection_window = 65535,
    };
    struct fuzzed *f = calloc(1, sizeof *f);
    int r = 0;

    CHECK(f);
    f->options = options;
    f->log = log;
    f->window = options & OPT_SMALL ? 65535 : 4 << 20;

    /* The initial window counts until the settings are acknowledged, and the
     * new one may be smaller. */
    f->stream_window = 256 << 10;
    f->h2 = yl_http2_new(options & OPT_CLIENT ? YL_HTTP2_CLIENT
                                              : YL_HTTP2_SERVER,
                         options & OPT_SMALL ? &small : &roomy, &events, f,
                         1000);
    ask(f);
    produce(f);
    while (bytes.size && r == 0) {
        size_t size = next_part(&cut, bytes.size);
        char *part = malloc(size);

        CHECK(part);
        memcpy(part, bytes.data, size);
        bytes = yl_str_skip(bytes, size);
        r = yl_http2_receive(f->h2, yl_str_n(part, size), 1000);
        free(part);
    }
    NOTE(f, "result %d\n", r);
    if (r == 0) {
        produce(f);
    }
    yl_http2_free(f->h2);
    for (size_t i = 0; i < f->n_talks; i++) {
        CHECK(f->talks[i].state == CLOSED);
        yl_buf_release(&f->talks[i].heard);
    }
    free(f);
}

/* A client has three requests, one with a body. */
static void
ask(struct fuzzed *f)
{
    struct yl_http2_request request = {
        .method = YL_STR("GET"), .scheme = YL_STR("https"),
        .authority = YL_STR("h"), .target = YL_STR("/"),
    };

    for (int i = 0; i < 3 && f->options & OPT_CLIENT; i++) {
        request.has_body = i == 1;
        CHECK(yl_http2_request(f->h2, &new_talk(f)->stream, &request) == 0);
    }
}

static size_t
next_part(unsigned *cut, size_t left)
{
    size_t n;

    if (*cut < 2) {
        return *cut ? 1 : left;
    }
    *cut = *cut * 1103515245u + 12345u;
    n = (*cut >> 16) % 64 + 1;
    *cut |= 2;
    return n < left ? n : left;
}

/* Takes all output, which must be whole frames. */
static void
produce(struct fuzzed *f)
{
    struct yl_buf out;
    struct yl_str rest;
    int r;

    yl_buf_init(&out, PLENTY);
    do {
        r = yl_http2_produce(f->h2, &out, 1000, 1000);
    } while (r > 0);
    rest = yl_buf_str(&out);
    if (yl_str_starts_with(rest, YL_STR(PREFACE))) {
        rest = yl_str_skip(rest, sizeof PREFACE - 1);
    }
    while (rest.size) {
        const unsigned char *head = (const unsigned char *) rest.data;
        size_t n;

        CHECK(rest.size >= 9);
        n = (size_t) head[0] << 16 | (size_t) head[1] << 8 | head[2];
        CHECK(rest.size - 9 >= n);
        rest = yl_str_skip(rest, 9 + n);
    }
    yl_buf_release(&out);
}
