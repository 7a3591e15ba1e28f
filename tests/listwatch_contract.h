#ifndef TESTS_LISTWATCH_CONTRACT_H
#define TESTS_LISTWATCH_CONTRACT_H 1

/* The contract of yuloh/listwatch.h as test cases, for every lister-watcher:
 * the fake one, the one over a server's keyspace, the one over HTTP.
 *
 * A test defines how a rig around its lister-watcher is set up and taken down,
 * and gets all cases with one line:
 *
 *     static void rig_init(struct lw_rig *rig) { ... }
 *     static void rig_release(struct lw_rig *rig) { ... }
 *     LISTWATCH_CASES(LISTWATCH_TEST)
 *
 * Objects are d/NAME with a label v.  Revisions are written as the number of
 * the change that they are, so that they are the same for all. */

#include "base/buf.h"
#include "unit.h"
#include "yuloh/error.h"
#include "yuloh/listwatch.h"

#define LW_MAX_CHANGES 4096

struct lw_rig {
    /* Filled in by rig_init(). */
    struct yl_lister_watcher *lw;
    uint64_t (*put)(struct lw_rig *, const char *name, const char *v);
    uint64_t (*remove)(struct lw_rig *, const char *name);

    /* Only the newest state and what comes after it can be had any more. */
    void (*forget)(struct lw_rig *);

    /* The time has come for bookmarks; so many seconds have passed. */
    void (*bookmark)(struct lw_rig *);
    void (*pass)(struct lw_rig *, int seconds);

    /* Sinks are called until there is nothing to say. */
    void (*run)(struct lw_rig *);
    bool selects;               /* It knows selectors. */
    bool shares;                /* It hands out blocks without copying. */

    /* The cases' own. */
    uint64_t changes[LW_MAX_CHANGES];
    size_t n_changes;
    struct yl_buf heard;        /* What all sinks heard, as text. */
    char continue_[256];        /* Of the last list. */
    struct yl_lister_watcher_call *stop;    /* At the next word. */
    bool start;                 /* A list, at the next word. */
    struct yl_object *last;     /* The last object; a reference. */
};

#define LISTWATCH_CASES(X)                                                    \
    X(a_list_has_what_is_there)                                               \
    X(pages_are_of_one_revision)                                              \
    X(a_list_is_not_older_than_asked_for)                                     \
    X(a_list_can_be_of_one_very_revision)                                     \
    X(what_was_forgotten_has_expired)                                         \
    X(a_token_that_makes_no_sense_is_refused)                                 \
    X(options_that_make_no_sense_are_refused)                                 \
    X(a_watch_tells_what_happens)                                             \
    X(a_watch_from_anywhere_starts_with_what_is_there)                        \
    X(initial_events_end_with_a_bookmark)                                     \
    X(bookmarks_say_how_far_it_is)                                            \
    X(an_old_watch_expires)                                                   \
    X(a_watch_ends_when_its_time_is_over)                                     \
    X(a_stopped_call_is_silent)                                               \
    X(a_sink_may_stop_its_call)                                               \
    X(a_sink_may_start_another_call)                                          \
    X(calls_do_not_disturb_each_other)                                        \
    X(a_list_and_a_watch_miss_nothing)                                        \
    X(selectors_choose)                                                       \
    X(blocks_are_shared)

#define LISTWATCH_TEST(NAME)                                                  \
    TEST(contract_##NAME)                                                     \
    {                                                                         \
        lw_run_case(lw_##NAME, rig_init, rig_release);                        \
    }

typedef void lw_case_fn(struct lw_rig *);

/* What sinks hear
 * =============== */

/* How many changes there were up to 'revision'. */
static inline int
lw_number(const struct lw_rig *rig, uint64_t revision)
{
    int n = 0;

    while (n < (int) rig->n_changes && rig->changes[n] <= revision) {
        n++;
    }
    return n;
}

static inline void lw_on_word(struct lw_rig *);

static inline void
lw_keep(struct lw_rig *rig, const struct yl_object *object)
{
    yl_object_unref(rig->last);
    rig->last = yl_object_ref(object);
}

/* "NAME=V@NUMBER ". */
static inline void
lw_hear_item(void *rig_, struct yl_versioned item)
{
    struct lw_rig *rig = rig_;

    yl_buf_printf(&rig->heard, "%.*s=%.*s@%d ",
                  YL_STR_ARG(yl_object_name(item.object)),
                  YL_STR_ARG(yl_object_label(item.object, YL_STR("v"), NULL)),
                  lw_number(rig, item.revision));
    lw_keep(rig, item.object);
    yl_object_unref(item.object);
    lw_on_word(rig);
}

/* "=NUMBER+REMAINING;" or the code. */
static inline void
lw_hear_list_done(void *rig_, const struct yl_list_page *meta,
                  const struct yl_error *err)
{
    struct lw_rig *rig = rig_;

    assert_true(!meta != !err);
    if (err) {
        yl_buf_printf(&rig->heard, "%s;", yl_error_name(err->code));
        return;
    }
    yl_buf_printf(&rig->heard, "=%d+%d;", lw_number(rig, meta->revision),
                  (int) meta->remaining);
    snprintf(rig->continue_, sizeof rig->continue_, "%.*s",
             YL_STR_ARG(meta->continue_));
}

/* "A:NAME=V@NUMBER ", "B@NUMBER " with a "!" after initial events, or
 * "E:CODE ". */
static inline void
lw_hear_event(void *rig_, struct yl_watch_event *event)
{
    struct lw_rig *rig = rig_;

    yl_buf_printf(&rig->heard, "%c", yl_watch_type_name(event->type)[0]);
    if (event->type == YL_WATCH_ERROR) {
        assert_null(event->object);
        yl_buf_printf(&rig->heard, ":%s ", yl_error_name(event->error.code));
        return;
    }
    assert_int_equal(event->object == NULL,
                     event->type == YL_WATCH_BOOKMARK);
    if (event->object) {
        yl_buf_printf(&rig->heard, ":%.*s=%.*s",
                      YL_STR_ARG(yl_object_name(event->object)),
                      YL_STR_ARG(yl_object_label(event->object, YL_STR("v"),
                                                 NULL)));
        lw_keep(rig, event->object);
    }
    yl_buf_printf(&rig->heard, "@%d%s ", lw_number(rig, event->revision),
                  event->initial_events_end ? "!" : "");
    lw_on_word(rig);
}

/* "end;" or the code. */
static inline void
lw_hear_watch_done(void *rig_, const struct yl_error *err)
{
    struct lw_rig *rig = rig_;

    yl_buf_printf(&rig->heard, "%s;", err ? yl_error_name(err->code) : "end");
}

static const struct yl_list_sink lw_list_sink = {
    lw_hear_item, lw_hear_list_done,
};
static const struct yl_watch_sink lw_watch_sink = {
    lw_hear_event, lw_hear_watch_done,
};

static inline void
lw_on_word(struct lw_rig *rig)
{
    struct yl_lister_watcher_call *call = rig->stop;
    size_t size = rig->heard.size;

    rig->stop = NULL;
    if (call) {
        yl_lister_watcher_stop(rig->lw, call);
    }
    if (rig->start) {
        rig->start = false;
        assert_int_equal(yl_lister_watcher_list(rig->lw, NULL, &lw_list_sink,
                                                rig, &call, NULL), 0);
    }
    assert_int_equal(rig->heard.size, size);
}

/* Words for cases
 * =============== */

static inline void
lw_put(struct lw_rig *rig, const char *name, const char *v)
{
    uint64_t revision = rig->put(rig, name, v);

    assert_true(rig->n_changes < LW_MAX_CHANGES);
    rig->changes[rig->n_changes++] = revision;
}

static inline void
lw_remove(struct lw_rig *rig, const char *name)
{
    uint64_t revision = rig->remove(rig, name);

    rig->changes[rig->n_changes++] = revision;
}

/* What sinks have heard since the last time, without running. */
static inline void
lw_heard(struct lw_rig *rig, const char *text)
{
    assert_str_equal(yl_buf_str(&rig->heard), text);
    yl_buf_clear(&rig->heard);
}

/* The same after running. */
static inline void
lw_expect(struct lw_rig *rig, const char *text)
{
    rig->run(rig);
    lw_heard(rig, text);
}

/* The n-th change as a resourceVersion; one that is not there yet for a large
 * 'n'.  Lent until the call after the next. */
static inline struct yl_str
lw_version(const struct lw_rig *rig, size_t n)
{
    static char texts[2][32];
    static int at;
    char *text = texts[at++ % 2];
    bool is_there = n > 0 && n <= rig->n_changes;

    snprintf(text, sizeof texts[0], "%llu",
             (unsigned long long) (is_there ? rig->changes[n - 1]
                                            : 1000000));
    return yl_str_c(text);
}

static inline struct yl_lister_watcher_call *
lw_start_list(struct lw_rig *rig, struct yl_list_options options)
{
    struct yl_lister_watcher_call *call = NULL;

    assert_int_equal(yl_lister_watcher_list(rig->lw, &options, &lw_list_sink,
                                            rig, &call, NULL), 0);
    assert_non_null(call);
    lw_heard(rig, "");
    return call;
}

static inline void
lw_list(struct lw_rig *rig, struct yl_list_options options, const char *text)
{
    lw_start_list(rig, options);
    lw_expect(rig, text);
}

static inline struct yl_lister_watcher_call *
lw_watch(struct lw_rig *rig, struct yl_list_options options)
{
    struct yl_lister_watcher_call *call = NULL;

    assert_int_equal(yl_lister_watcher_watch(rig->lw, &options,
                                             &lw_watch_sink, rig, &call,
                                             NULL), 0);
    assert_non_null(call);
    lw_heard(rig, "");
    return call;
}

/* The call fails with 'code': at once, or when it runs, in one of the ways
 * that there are. */
static inline void
lw_fails(struct lw_rig *rig, bool watch, struct yl_list_options options,
         int code)
{
    struct yl_lister_watcher_call *call = NULL;
    struct yl_error err = YL_ERROR_INIT;
    char done[64], event[64];
    int r = watch ? yl_lister_watcher_watch(rig->lw, &options, &lw_watch_sink,
                                            rig, &call, &err)
                  : yl_lister_watcher_list(rig->lw, &options, &lw_list_sink,
                                           rig, &call, &err);

    lw_heard(rig, "");
    rig->run(rig);
    if (r < 0) {
        assert_int_equal(r, code);
        assert_int_equal(err.code, code);
        assert_null(call);
        lw_heard(rig, "");
    } else {
        snprintf(done, sizeof done, "%s;", yl_error_name(code));
        snprintf(event, sizeof event, "E:%s end;", yl_error_name(code));
        lw_heard(rig, watch && yl_str_equal_c(yl_buf_str(&rig->heard), event)
                          ? event : done);
    }
    yl_error_clear(&err);
}

static inline void
lw_run_case(lw_case_fn *run, void (*init)(struct lw_rig *),
            void (*release)(struct lw_rig *))
{
    struct lw_rig *rig = calloc(1, sizeof *rig);

    assert_non_null(rig);
    yl_buf_init(&rig->heard, 1 << 20);
    init(rig);
    run(rig);
    release(rig);
    yl_object_unref(rig->last);
    yl_buf_release(&rig->heard);
    free(rig);
}

#define LW_ALL ((struct yl_list_options) { .limit = 0 })

/* Cases
 * ===== */

static inline void
lw_a_list_has_what_is_there(struct lw_rig *rig)
{
    lw_list(rig, LW_ALL, "=0+0;");
    lw_put(rig, "b", "1");
    lw_put(rig, "a", "1");
    lw_put(rig, "c", "1");
    lw_put(rig, "b", "2");
    lw_remove(rig, "c");
    lw_list(rig, LW_ALL, "a=1@2 b=2@4 =5+0;");
    assert_string_equal(rig->continue_, "");
    lw_list(rig, (struct yl_list_options) {
        .resource_version = YL_STR("0"),
    }, "a=1@2 b=2@4 =5+0;");
}

static inline void
lw_pages_are_of_one_revision(struct lw_rig *rig)
{
    struct yl_list_options options = { .limit = 2 };

    lw_put(rig, "a", "1");
    lw_put(rig, "b", "1");
    lw_put(rig, "c", "1");
    lw_put(rig, "d", "1");
    lw_put(rig, "e", "1");
    lw_list(rig, options, "a=1@1 b=1@2 =5+3;");

    /* The next pages do not see what came after the first. */
    lw_put(rig, "c", "2");
    lw_remove(rig, "d");
    lw_put(rig, "bb", "1");
    options.continue_ = yl_str_c(rig->continue_);
    lw_list(rig, options, "c=1@3 d=1@4 =5+1;");
    options.continue_ = yl_str_c(rig->continue_);
    lw_list(rig, options, "e=1@5 =5+0;");
    assert_string_equal(rig->continue_, "");
    options = LW_ALL;
    lw_list(rig, options, "a=1@1 b=1@2 bb=1@8 c=2@6 e=1@5 =8+0;");

    /* A page that is just full is the last. */
    options.limit = 5;
    lw_list(rig, options, "a=1@1 b=1@2 bb=1@8 c=2@6 e=1@5 =8+0;");
    assert_string_equal(rig->continue_, "");
}

static inline void
lw_a_list_is_not_older_than_asked_for(struct lw_rig *rig)
{
    struct yl_list_options options = {
        .resource_version_match = YL_MATCH_NOT_OLDER_THAN,
    };

    lw_put(rig, "a", "1");
    lw_put(rig, "a", "2");
    options.resource_version = lw_version(rig, 1);
    lw_list(rig, options, "a=2@2 =2+0;");
    options.resource_version = lw_version(rig, 2);
    lw_list(rig, options, "a=2@2 =2+0;");
    options.resource_version = lw_version(rig, 3);
    lw_fails(rig, false, options, YL_ETIMEOUT);
    options.resource_version_match = YL_MATCH_UNSET;
    options.resource_version = lw_version(rig, 1);
    lw_list(rig, options, "a=2@2 =2+0;");
}

static inline void
lw_a_list_can_be_of_one_very_revision(struct lw_rig *rig)
{
    struct yl_list_options options = {
        .resource_version_match = YL_MATCH_EXACT,
    };

    lw_put(rig, "a", "1");
    lw_put(rig, "b", "1");
    lw_put(rig, "a", "2");
    lw_remove(rig, "b");
    options.resource_version = lw_version(rig, 2);
    lw_list(rig, options, "a=1@1 b=1@2 =2+0;");
    options.resource_version = lw_version(rig, 3);
    lw_list(rig, options, "a=2@3 b=1@2 =3+0;");
    options.limit = 1;
    lw_list(rig, options, "a=2@3 =3+1;");
    options.resource_version = lw_version(rig, 5);
    lw_fails(rig, false, options, YL_ETIMEOUT);

    /* With a limit it is the very one unless something else is said. */
    options.resource_version_match = YL_MATCH_UNSET;
    options.resource_version = lw_version(rig, 2);
    lw_list(rig, options, "a=1@1 =2+1;");
}

static inline void
lw_what_was_forgotten_has_expired(struct lw_rig *rig)
{
    struct yl_list_options options = { .limit = 1 };

    lw_put(rig, "a", "1");
    lw_put(rig, "b", "1");
    lw_list(rig, options, "a=1@1 =2+1;");
    lw_put(rig, "b", "2");
    rig->forget(rig);
    options.continue_ = yl_str_c(rig->continue_);
    lw_fails(rig, false, options, YL_EEXPIRED);
    options = (struct yl_list_options) {
        .resource_version = lw_version(rig, 2),
        .resource_version_match = YL_MATCH_EXACT,
    };
    lw_fails(rig, false, options, YL_EEXPIRED);
    options.resource_version = lw_version(rig, 3);
    lw_list(rig, options, "a=1@1 b=2@3 =3+0;");

    /* Not older than what was forgotten is easy. */
    options.resource_version = lw_version(rig, 1);
    options.resource_version_match = YL_MATCH_NOT_OLDER_THAN;
    lw_list(rig, options, "a=1@1 b=2@3 =3+0;");
}

static inline void
lw_a_token_that_makes_no_sense_is_refused(struct lw_rig *rig)
{
    lw_put(rig, "a", "1");
    lw_fails(rig, false, (struct yl_list_options) {
        .continue_ = YL_STR("nonsense!"),
    }, YL_EBADREQUEST);
}

static inline void
lw_options_that_make_no_sense_are_refused(struct lw_rig *rig)
{
    static const struct {
        bool watch;
        struct yl_list_options options;
    } cases[] = {
        { false, { .resource_version = YL_STR_INIT("x") } },
        { true, { .resource_version = YL_STR_INIT("01") } },
        { false, { .limit = -1 } },
        { true, { .timeout_seconds = -1 } },
        { false, { .resource_version_match = YL_MATCH_EXACT } },
        { false, { .resource_version = YL_STR_INIT("0"),
                   .resource_version_match = YL_MATCH_EXACT } },
        { false, { .resource_version_match = YL_MATCH_NOT_OLDER_THAN } },
        { false, { .continue_ = YL_STR_INIT("x"),
                   .resource_version = YL_STR_INIT("1") } },
        { false, { .send_initial_events = true } },
        { true, { .continue_ = YL_STR_INIT("x") } },
        { true, { .resource_version = YL_STR_INIT("1"),
                  .resource_version_match = YL_MATCH_NOT_OLDER_THAN } },
        { true, { .resource_version = YL_STR_INIT("1"),
                  .resource_version_match = YL_MATCH_EXACT,
                  .send_initial_events = true } },
    };
    size_t i;

    lw_put(rig, "a", "1");
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        lw_fails(rig, cases[i].watch, cases[i].options, YL_EINVALID);
    }
}

static inline void
lw_a_watch_tells_what_happens(struct lw_rig *rig)
{
    struct yl_lister_watcher_call *call;

    lw_put(rig, "a", "1");
    lw_put(rig, "b", "1");
    call = lw_watch(rig, (struct yl_list_options) {
        .resource_version = lw_version(rig, 1),
    });
    lw_expect(rig, "A:b=1@2 ");
    lw_expect(rig, "");
    lw_put(rig, "a", "2");
    lw_remove(rig, "a");
    lw_put(rig, "a", "3");
    lw_expect(rig, "M:a=2@3 D:a=2@4 A:a=3@5 ");
    lw_put(rig, "b", "2");
    lw_expect(rig, "M:b=2@6 ");
    rig->bookmark(rig);         /* It was not allowed to send any. */
    lw_expect(rig, "");
    yl_lister_watcher_stop(rig->lw, call);
}

/* The objects come, and perhaps a bookmark behind them although nobody has
 * asked for initial events: servers of today take such a watch for one that
 * does. */
static inline void
lw_expect_what_is_there(struct lw_rig *rig)
{
    rig->run(rig);
    if (yl_str_equal_c(yl_buf_str(&rig->heard), "A:a=1@2 A:b=2@3 B@3! ")) {
        yl_buf_clear(&rig->heard);
    } else {
        lw_heard(rig, "A:a=1@2 A:b=2@3 ");
    }
}

static inline void
lw_a_watch_from_anywhere_starts_with_what_is_there(struct lw_rig *rig)
{
    struct yl_list_options options = LW_ALL;
    struct yl_lister_watcher_call *call;
    int i;

    lw_put(rig, "b", "1");
    lw_put(rig, "a", "1");
    lw_put(rig, "b", "2");
    options.allow_watch_bookmarks = true;
    for (i = 0; i < 2; i++) {
        options.resource_version = i ? YL_STR("0") : yl_str_null();
        call = lw_watch(rig, options);
        lw_expect_what_is_there(rig);
        yl_lister_watcher_stop(rig->lw, call);
    }
    call = lw_watch(rig, options);
    lw_expect_what_is_there(rig);
    lw_put(rig, "c", "1");
    lw_expect(rig, "A:c=1@4 ");
    yl_lister_watcher_stop(rig->lw, call);
}

static inline void
lw_initial_events_end_with_a_bookmark(struct lw_rig *rig)
{
    struct yl_list_options options = {
        .send_initial_events = true, .allow_watch_bookmarks = true,
    };
    struct yl_lister_watcher_call *call;

    lw_put(rig, "a", "1");
    lw_put(rig, "b", "1");
    call = lw_watch(rig, options);
    lw_put(rig, "c", "1");

    /* Whether the newcomer is among the initial ones is a matter of time. */
    rig->run(rig);
    if (yl_str_equal_c(yl_buf_str(&rig->heard),
                       "A:a=1@1 A:b=1@2 A:c=1@3 B@3! ")) {
        yl_buf_clear(&rig->heard);
    } else {
        lw_heard(rig, "A:a=1@1 A:b=1@2 B@2! A:c=1@3 ");
    }
    yl_lister_watcher_stop(rig->lw, call);
    options.resource_version = lw_version(rig, 1);
    options.resource_version_match = YL_MATCH_NOT_OLDER_THAN;
    call = lw_watch(rig, options);
    lw_expect(rig, "A:a=1@1 A:b=1@2 A:c=1@3 B@3! ");
    yl_lister_watcher_stop(rig->lw, call);
    options.resource_version = lw_version(rig, 4);
    lw_fails(rig, true, options, YL_ETIMEOUT);
    options = LW_ALL;
    options.send_initial_events = true;
    call = lw_watch(rig, options);
    lw_expect(rig, "A:a=1@1 A:b=1@2 A:c=1@3 ");
    yl_lister_watcher_stop(rig->lw, call);
}

static inline void
lw_bookmarks_say_how_far_it_is(struct lw_rig *rig)
{
    struct yl_lister_watcher_call *call;

    lw_put(rig, "a", "1");
    call = lw_watch(rig, (struct yl_list_options) {
        .resource_version = lw_version(rig, 1),
        .allow_watch_bookmarks = true,
    });
    lw_put(rig, "b", "1");
    lw_expect(rig, "A:b=1@2 ");
    rig->bookmark(rig);
    lw_expect(rig, "B@2 ");
    lw_put(rig, "b", "2");
    lw_expect(rig, "M:b=2@3 ");
    rig->bookmark(rig);
    lw_expect(rig, "B@3 ");
    yl_lister_watcher_stop(rig->lw, call);
}

static inline void
lw_an_old_watch_expires(struct lw_rig *rig)
{
    struct yl_list_options options = LW_ALL;
    struct yl_lister_watcher_call *call;

    lw_put(rig, "a", "1");
    lw_put(rig, "b", "1");
    lw_put(rig, "c", "1");
    rig->forget(rig);
    options.resource_version = lw_version(rig, 1);
    lw_fails(rig, true, options, YL_EEXPIRED);
    options.resource_version = lw_version(rig, 3);
    call = lw_watch(rig, options);
    lw_put(rig, "d", "1");
    lw_expect(rig, "A:d=1@4 ");

    /* One that has seen everything does not grow old. */
    rig->forget(rig);
    lw_put(rig, "e", "1");
    lw_expect(rig, "A:e=1@5 ");
    yl_lister_watcher_stop(rig->lw, call);
}

static inline void
lw_a_watch_ends_when_its_time_is_over(struct lw_rig *rig)
{
    lw_put(rig, "a", "1");
    lw_watch(rig, (struct yl_list_options) {
        .resource_version = lw_version(rig, 1), .timeout_seconds = 10,
    });
    lw_put(rig, "b", "1");
    lw_expect(rig, "A:b=1@2 ");
    rig->pass(rig, 10);
    lw_expect(rig, "end;");
    lw_put(rig, "c", "1");
    lw_expect(rig, "");
}

static inline void
lw_a_stopped_call_is_silent(struct lw_rig *rig)
{
    struct yl_lister_watcher_call *call;

    lw_put(rig, "a", "1");
    call = lw_start_list(rig, LW_ALL);
    yl_lister_watcher_stop(rig->lw, call);
    lw_expect(rig, "");
    call = lw_watch(rig, LW_ALL);
    yl_lister_watcher_stop(rig->lw, call);
    lw_expect(rig, "");
    call = lw_watch(rig, LW_ALL);
    lw_expect(rig, "A:a=1@1 ");
    lw_put(rig, "b", "1");
    yl_lister_watcher_stop(rig->lw, call);
    lw_put(rig, "c", "1");
    lw_expect(rig, "");
}

static inline void
lw_a_sink_may_stop_its_call(struct lw_rig *rig)
{
    lw_put(rig, "a", "1");
    lw_put(rig, "b", "1");
    rig->stop = lw_start_list(rig, LW_ALL);
    lw_expect(rig, "a=1@1 ");
    rig->stop = lw_watch(rig, LW_ALL);
    lw_expect(rig, "A:a=1@1 ");
    rig->stop = lw_watch(rig, (struct yl_list_options) {
        .resource_version = lw_version(rig, 1),
    });
    lw_put(rig, "c", "1");
    lw_expect(rig, "A:b=1@2 ");
    lw_expect(rig, "");
}

static inline void
lw_a_sink_may_start_another_call(struct lw_rig *rig)
{
    struct yl_lister_watcher_call *call;

    lw_put(rig, "a", "1");
    rig->start = true;
    lw_list(rig, LW_ALL, "a=1@1 =1+0;a=1@1 =1+0;");
    rig->start = true;
    call = lw_watch(rig, LW_ALL);
    lw_expect(rig, "A:a=1@1 a=1@1 =1+0;");
    yl_lister_watcher_stop(rig->lw, call);

    /* It may also stop one and start the next. */
    rig->start = true;
    rig->stop = lw_watch(rig, LW_ALL);
    lw_expect(rig, "A:a=1@1 a=1@1 =1+0;");
}

static inline void
lw_calls_do_not_disturb_each_other(struct lw_rig *rig)
{
    struct yl_lister_watcher_call *one, *two;

    lw_put(rig, "a", "1");
    lw_put(rig, "b", "1");
    one = lw_watch(rig, (struct yl_list_options) {
        .resource_version = lw_version(rig, 2),
    });
    two = lw_watch(rig, (struct yl_list_options) {
        .resource_version = lw_version(rig, 1),
    });
    lw_expect(rig, "A:b=1@2 ");
    yl_lister_watcher_stop(rig->lw, one);
    lw_put(rig, "c", "1");
    lw_expect(rig, "A:c=1@3 ");
    yl_lister_watcher_stop(rig->lw, two);
}

/* Changes come before, between and after the pages and the watch: in the end
 * what was heard is what is there. */
static inline void
lw_a_list_and_a_watch_miss_nothing(struct lw_rig *rig)
{
    static const char *const names[] = { "a", "b", "c", "d", "e" };
    bool there[YL_ARRAY_SIZE(names)] = { false };
    uint64_t x = 88172645463325252U;
    int round, i;

    for (round = 0; round < 40; round++) {
        struct yl_list_options options = { .limit = 2 };
        struct yl_lister_watcher_call *call = NULL;
        struct yl_buf all;
        char text[64];

        yl_buf_init(&all, 1 << 16);
        for (i = 0; i < 40; i++) {
            unsigned k;

            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            k = (unsigned) (x >> 11) % YL_ARRAY_SIZE(names);
            if (there[k] && (x >> 33) % 3 == 0) {
                lw_remove(rig, names[k]);
                there[k] = false;
            } else {
                lw_put(rig, names[k], "1");
                there[k] = true;
            }
            if (call) {
                rig->run(rig);
            } else if (i % 5 == 0) {
                char revision[24] = "";

                /* One page; after the last one a watch. */
                lw_start_list(rig, options);
                rig->run(rig);
                yl_buf_append_str(&all, yl_buf_str(&rig->heard));
                if (!rig->continue_[0]) {
                    const char *end = strrchr(yl_buf_c_str(&rig->heard),
                                              '=');

                    snprintf(revision, sizeof revision, "%.*s",
                             YL_STR_ARG(lw_version(
                                 rig, strtoul(end + 1, NULL, 10))));
                    yl_buf_clear(&rig->heard);
                    call = lw_watch(rig, (struct yl_list_options) {
                        .resource_version = yl_str_c(revision),
                    });
                }
                yl_buf_clear(&rig->heard);
                options.continue_ = yl_str_c(rig->continue_);
            }
        }
        assert_non_null(call);
        yl_buf_append_str(&all, yl_buf_str(&rig->heard));
        yl_buf_clear(&rig->heard);
        yl_lister_watcher_stop(rig->lw, call);

        /* The last word about each name is an object or a deletion. */
        for (i = 0; i < (int) YL_ARRAY_SIZE(names); i++) {
            const char *p, *last = NULL;

            snprintf(text, sizeof text, "%s=1@", names[i]);
            for (p = yl_buf_c_str(&all); (p = strstr(p, text)) != NULL;
                 p++) {
                last = p;
            }
            assert_int_equal(last && (last < all.data + 2 || last[-1] != ':'
                                      || last[-2] != 'D'), there[i]);
        }
        yl_buf_release(&all);
        if (rig->n_changes > LW_MAX_CHANGES - 64) {
            break;
        }
    }
}

static inline void
lw_selectors_choose(struct lw_rig *rig)
{
    struct yl_list_options options = { .label_selector = YL_STR("v=1") };
    struct yl_lister_watcher_call *call;

    if (!rig->selects) {
        return;
    }
    lw_put(rig, "a", "1");
    lw_put(rig, "b", "2");
    lw_put(rig, "c", "1");
    lw_list(rig, options, "a=1@1 c=1@3 =3+0;");
    options.limit = 1;
    lw_list(rig, options, "a=1@1 =3+0;");
    options.continue_ = yl_str_c(rig->continue_);
    lw_list(rig, options, "c=1@3 =3+0;");

    /* What comes into the selection is added, what leaves it deleted, as it
     * was when it was in it. */
    options = (struct yl_list_options) {
        .label_selector = YL_STR("v=1"),
        .resource_version = lw_version(rig, 3),
    };
    call = lw_watch(rig, options);
    lw_put(rig, "b", "1");
    lw_put(rig, "b", "3");
    lw_put(rig, "b", "4");
    lw_remove(rig, "b");
    lw_put(rig, "a", "1");
    lw_remove(rig, "a");
    lw_expect(rig, "A:b=1@4 D:b=1@5 M:a=1@8 D:a=1@9 ");
    yl_lister_watcher_stop(rig->lw, call);
    options = (struct yl_list_options) {
        .field_selector = YL_STR("metadata.name=c"),
    };
    call = lw_watch(rig, options);
    lw_put(rig, "cc", "1");
    lw_put(rig, "c", "2");
    lw_expect(rig, "A:c=1@3 M:c=2@11 ");
    yl_lister_watcher_stop(rig->lw, call);
    lw_list(rig, options, "c=2@11 =11+0;");
    options.field_selector = YL_STR("no.such=field");
    lw_fails(rig, false, options, YL_EBADREQUEST);
    lw_fails(rig, true, options, YL_EBADREQUEST);
    options = (struct yl_list_options) { .label_selector = YL_STR("!!") };
    lw_fails(rig, false, options, YL_EBADREQUEST);
}

static inline void
lw_blocks_are_shared(struct lw_rig *rig)
{
    struct yl_lister_watcher_call *call;
    struct yl_object *item;

    if (!rig->shares) {
        return;
    }
    lw_put(rig, "a", "1");
    lw_list(rig, LW_ALL, "a=1@1 =1+0;");
    item = yl_object_ref(rig->last);
    call = lw_watch(rig, LW_ALL);
    lw_expect(rig, "A:a=1@1 ");
    assert_ptr_equal(item, rig->last);
    yl_object_unref(item);
    yl_lister_watcher_stop(rig->lw, call);
}

#endif /* tests/listwatch_contract.h */
