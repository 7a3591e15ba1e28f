/* Mapper: asks a server what it has, and remembers.
 *
 * The set that is known is constant and counted; 'lock' guards the pointer to
 * it.  Whoever finds nothing asks the server, unless another thread does:
 * then it waits for that, as long as its own call may last. */

#include "yuloh/mapper.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/quote.h"
#include "base/thread.h"
#include "client/answer.h"
#include "client/api_set.h"
#include "yuloh/arena.h"
#include "yuloh/cancel.h"
#include "yuloh/error.h"

/* How often a thread that waits for another's answer looks whether it was
 * canceled: a condition cannot be waited for together with that. */
#define CANCEL_LOOK 20

struct yl_mapper {
    struct yl_client *client;
    yl_msec refresh;
    struct yl_clock *clock;

    struct yl_mutex lock;       /* Not held while the server is asked. */
    struct yl_cond answered;    /* 'is_asking' has become false. */
    bool is_asking YL_GUARDED;  /* A thread asks the server. */
    struct yl_api_set *set YL_GUARDED;  /* NULL: nothing is known. */
    yl_msec asked YL_GUARDED;   /* When 'set' was had. */
};

/* What somebody looks for: one of three. */
struct question {
    const struct yl_gvk *gvk;
    const struct yl_gvr *gvr;
    struct yl_str text;
};

/* A set that is being read, version by version. */
struct reading {
    struct yl_mapper *mapper;
    const struct yl_call_opts *opts;
    struct yl_api_set *set;
    struct yl_arena *arena;
};

static int find(struct yl_mapper *, const struct question *,
                const struct yl_call_opts *, struct yl_arena *,
                const struct yl_mapping **, struct yl_error *);
static const struct yl_mapping *look_up(const struct yl_api_set *,
                                        const struct question *);
static int say_not_found(const struct question *, struct yl_error *);
static int get_set(struct yl_mapper *, const struct yl_call_opts *,
                   const struct yl_api_set *not_this,
                   struct yl_api_set **ret_set, struct yl_error *);
static int wait_for_answer(struct yl_mapper *mapper,
                           const struct yl_call_opts *,
                           const struct yl_api_set *not_this,
                           struct yl_api_set **set, struct yl_error *)
    YL_REQUIRES(&mapper->lock);
static struct yl_api_set *known_set(struct yl_mapper *mapper,
                                    const struct yl_api_set *not_this)
    YL_REQUIRES(&mapper->lock);
static int fetch(struct yl_mapper *, const struct yl_call_opts *,
                 struct yl_api_set **ret_set, struct yl_error *);
static int fetch_root(struct reading *, const char *path, struct yl_error *);
static int fetch_version(void *reading_, struct yl_gv, bool preferred);
static int request(const struct reading *, struct yl_str path,
                   const char *accept, struct yl_client_answer *,
                   struct yl_error *);
static void release_set(void *set);

struct yl_mapper *
yl_mapper_new(struct yl_client *client, const struct yl_mapper_opts *opts)
{
    struct yl_mapper *mapper = yl_zalloc(sizeof *mapper);

    mapper->client = yl_client_ref(client);
    mapper->refresh = opts && opts->refresh ? opts->refresh : 10000;
    mapper->clock = opts ? opts->clock : NULL;
    yl_mutex_init(&mapper->lock);
    yl_cond_init(&mapper->answered);
    return mapper;
}

void
yl_mapper_free(struct yl_mapper *mapper)
{
    if (!mapper) {
        return;
    }
    yl_mapper_invalidate(mapper);
    yl_client_unref(mapper->client);
    yl_cond_destroy(&mapper->answered);
    yl_mutex_destroy(&mapper->lock);
    free(mapper);
}

int
yl_mapper_find_kind(struct yl_mapper *mapper, struct yl_gvk gvk,
                    const struct yl_call_opts *opts, struct yl_arena *arena,
                    const struct yl_mapping **ret_mapping,
                    struct yl_error *err)
{
    return find(mapper, &(struct question) { .gvk = &gvk }, opts, arena,
                ret_mapping, err);
}

int
yl_mapper_find_resource(struct yl_mapper *mapper, struct yl_gvr gvr,
                        const struct yl_call_opts *opts,
                        struct yl_arena *arena,
                        const struct yl_mapping **ret_mapping,
                        struct yl_error *err)
{
    return find(mapper, &(struct question) { .gvr = &gvr }, opts, arena,
                ret_mapping, err);
}

int
yl_mapper_find(struct yl_mapper *mapper, struct yl_str text,
               const struct yl_call_opts *opts, struct yl_arena *arena,
               const struct yl_mapping **ret_mapping, struct yl_error *err)
{
    return find(mapper, &(struct question) { .text = text }, opts, arena,
                ret_mapping, err);
}

int
yl_mapper_all(struct yl_mapper *mapper, const struct yl_call_opts *opts,
              struct yl_arena *arena, const struct yl_mapping **ret_mappings,
              size_t *ret_n, struct yl_error *err)
{
    struct yl_api_set *set;
    int r = get_set(mapper, opts, NULL, &set, err);

    if (r == 0) {
        yl_arena_attach(arena, release_set, set);
        *ret_mappings = set->mappings;
        *ret_n = set->n_mappings;
    }
    return r;
}

void
yl_mapper_invalidate(struct yl_mapper *mapper)
{
    struct yl_api_set *set;

    yl_mutex_lock(&mapper->lock);
    set = mapper->set;
    mapper->set = NULL;
    yl_mutex_unlock(&mapper->lock);
    yl_api_set_unref(set);
}

/* Looks it up in what is known and then, if that is old enough, in what the
 * server says now. */
static int
find(struct yl_mapper *mapper, const struct question *question,
     const struct yl_call_opts *opts, struct yl_arena *arena,
     const struct yl_mapping **ret_mapping, struct yl_error *err)
{
    const struct yl_mapping *mapping;
    struct yl_api_set *set = NULL, *newer = NULL;
    int r = get_set(mapper, opts, NULL, &set, err);

    if (r < 0) {
        return r;
    }
    mapping = look_up(set, question);
    if (!mapping) {
        r = get_set(mapper, opts, set, &newer, err);
        yl_api_set_unref(set);
        if (r < 0) {
            return r;
        }
        set = newer;
        mapping = look_up(set, question);
    }
    if (!mapping) {
        yl_api_set_unref(set);
        return say_not_found(question, err);
    }
    yl_arena_attach(arena, release_set, set);
    *ret_mapping = mapping;
    return 0;
}

static const struct yl_mapping *
look_up(const struct yl_api_set *set, const struct question *question)
{
    return question->gvk ? yl_api_set_find_kind(set, *question->gvk)
           : question->gvr ? yl_api_set_find_resource(set, *question->gvr)
           : yl_api_set_find(set, question->text);
}

static int
say_not_found(const struct question *question, struct yl_error *err)
{
    struct yl_buf what;
    int r;

    yl_buf_init(&what, (size_t) 16 << 10);
    if (question->gvk && question->gvk->version.size) {
        yl_buf_append_c(&what, "no matches for kind ");
        yl_quote_excerpt(&what, question->gvk->kind);
        yl_buf_append_c(&what, " in version \"");
        if (question->gvk->group.size) {
            yl_append_excerpt(&what, question->gvk->group);
            yl_buf_append_char(&what, '/');
        }
        yl_append_excerpt(&what, question->gvk->version);
        yl_buf_append_char(&what, '"');
    } else if (question->gvk) {
        yl_buf_append_c(&what, "no matches for kind ");
        yl_quote_excerpt(&what, question->gvk->kind);
        yl_buf_append_c(&what, " in group ");
        yl_quote_excerpt(&what, question->gvk->group);
    } else {
        yl_buf_append_c(&what, "the server doesn't have a resource type ");
        yl_quote_excerpt(&what, question->gvr ? question->gvr->resource
                                              : question->text);
    }
    r = yl_error_set(err, YL_ENOTFOUND, "%s", yl_buf_c_str(&what));
    yl_buf_release(&what);
    return r;
}

/* A reference to the set.  If what is known is 'not_this', and it is old
 * enough, asks the server. */
static int
get_set(struct yl_mapper *mapper, const struct yl_call_opts *opts,
        const struct yl_api_set *not_this, struct yl_api_set **ret_set,
        struct yl_error *err)
{
    struct yl_api_set *set = NULL, *old = NULL;
    int r;

    yl_mutex_lock(&mapper->lock);
    r = wait_for_answer(mapper, opts, not_this, &set, err);
    if (r == 0 && !set) {
        mapper->is_asking = true;
        yl_mutex_unlock(&mapper->lock);
        r = fetch(mapper, opts, &set, err);
        yl_mutex_lock(&mapper->lock);
        if (r == 0) {
            old = mapper->set;
            mapper->set = yl_api_set_ref(set);
            mapper->asked = yl_now(mapper->clock);
        }
        mapper->is_asking = false;
        yl_cond_broadcast(&mapper->answered);
    }
    yl_mutex_unlock(&mapper->lock);
    yl_api_set_unref(old);
    if (r == 0) {
        *ret_set = set;
    }
    return r;
}

/* Waits until no other thread asks the server, or something is known, of which
 * '*set' is a reference then.  0, or YL_ECANCELED or YL_ETIMEOUT if that takes
 * longer than 'opts' allows. */
static int
wait_for_answer(struct yl_mapper *mapper, const struct yl_call_opts *opts,
                const struct yl_api_set *not_this, struct yl_api_set **set,
                struct yl_error *err)
{
    struct yl_cancel *cancel = opts ? opts->cancel : NULL;
    yl_msec deadline = opts && opts->timeout > 0
                       ? yl_now(NULL) + opts->timeout : YL_NEVER;

    while (!(*set = known_set(mapper, not_this)) && mapper->is_asking) {
        yl_msec now = yl_now(NULL), until = deadline;

        if (yl_cancel_is_set(cancel)) {
            return yl_error_set(err, YL_ECANCELED, "canceled");
        } else if (now >= deadline) {
            return yl_error_set(err, YL_ETIMEOUT,
                                "the server has not answered another call "
                                "in time");
        }
        if (cancel && until - now > CANCEL_LOOK) {
            until = now + CANCEL_LOOK;
        }
        yl_cond_wait_until(&mapper->answered, &mapper->lock, NULL, until);
    }
    return 0;
}

/* A reference to what is known, or NULL if the server must be asked. */
static struct yl_api_set *
known_set(struct yl_mapper *mapper, const struct yl_api_set *not_this)
{
    return mapper->set
           && (mapper->set != not_this
               || yl_now(mapper->clock) - mapper->asked < mapper->refresh)
           ? yl_api_set_ref(mapper->set) : NULL;
}

static int
fetch(struct yl_mapper *mapper, const struct yl_call_opts *opts,
      struct yl_api_set **ret_set, struct yl_error *err)
{
    struct reading reading = {
        mapper, opts, yl_api_set_new(), yl_arena_new(),
    };
    int r = fetch_root(&reading, "/api", err);

    if (r == 0) {
        r = fetch_root(&reading, "/apis", err);
    }
    if (r == 0) {
        *ret_set = reading.set;
    } else {
        yl_error_prefix(err, "cannot find out what the server has");
        yl_api_set_unref(reading.set);
    }
    yl_arena_free(reading.arena);
    return r;
}

/* Reads all below "/api" or "/apis".  A server that knows no aggregated
 * discovery answers with the list of its groups. */
static int
fetch_root(struct reading *reading, const char *path, struct yl_error *err)
{
    struct yl_client_answer answer;
    int r = request(reading, yl_str_c(path),
                    "application/json;g=apidiscovery.k8s.io;v=v2;"
                    "as=APIGroupDiscoveryList,"
                    "application/json;g=apidiscovery.k8s.io;v=v2beta1;"
                    "as=APIGroupDiscoveryList,application/json", &answer,
                    err);

    if (r == YL_ENOTFOUND) {
        yl_error_clear(err);
        return 0;               /* A server without a core group, say. */
    } else if (r < 0) {
        return r;
    }
    r = yl_api_set_add_aggregated(reading->set, answer.body, err);
    if (r == YL_ETYPE) {
        yl_error_clear(err);
        r = yl_api_groups_read(answer.body, fetch_version, reading, err);
    }
    return r;
}

/* Reads one group version, if that can be had. */
static int
fetch_version(void *reading_, struct yl_gv gv, bool preferred)
{
    struct reading *reading = reading_;
    char *path = gv.group.size
        ? yl_arena_printf(reading->arena, "/apis/%.*s/%.*s",
                          YL_STR_ARG(gv.group), YL_STR_ARG(gv.version))
        : yl_arena_printf(reading->arena, "/api/%.*s",
                          YL_STR_ARG(gv.version));
    struct yl_client_answer answer;
    int r = request(reading, yl_str_c(path), NULL, &answer, NULL);

    if (r == 0) {
        yl_api_set_add_resources(reading->set, gv, preferred, answer.body,
                                 NULL);
    }
    return r == YL_ECANCELED || r == YL_ETIMEOUT ? r : 0;
}

static int
request(const struct reading *reading, struct yl_str path, const char *accept,
        struct yl_client_answer *answer, struct yl_error *err)
{
    int r = yl_client_request(reading->mapper->client,
                              &(struct yl_client_request) {
        .path = path, .accept = accept,
    }, reading->opts, reading->arena, answer, err);

    return r < 0 ? r : yl_client_answer_error(answer, err);
}

static void
release_set(void *set)
{
    yl_api_set_unref(set);
}
