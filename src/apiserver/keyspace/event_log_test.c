/* Tests of the event log: positions beside a model that remembers all. */

#include "apiserver/keyspace/event_log.h"

#include "keyspace_unit.h"
#include "unit.h"
#include "yuloh/error.h"

#define N_NAMESPACES 4
#define N_NAMES 3
#define N_KEYS (N_NAMESPACES * N_NAMES)
#define MAX_EVENTS 20000
#define N_POSITIONS 40

/* What happened to which key, [1] first; revisions are twice the number. */
struct model {
    struct yl_ks_log log;
    struct yl_ks_pool pool;
    struct yl_ks_version *newest[N_KEYS];
    unsigned keys[MAX_EVENTS];
    uint64_t n;                 /* One past the newest. */
};

/* A position, and the same as a number: events from 'next' on are unseen. */
struct reader {
    bool open;
    bool expired;
    int namespace_;             /* -1: all. */
    int name;                   /* -1: all. */
    uint64_t next;
    struct yl_ks_log_position position;
};

static struct yl_str
text_of(unsigned key, char space[32])
{
    return yl_str_n(space, (size_t) snprintf(space, 32, "ns%u/name%u",
                                             key / N_NAMES, key % N_NAMES));
}

static void
append(struct model *m, unsigned key)
{
    struct yl_ks_version *version = yl_ks_pool_take(&m->pool, NULL,
                                                    2 * m->n);
    char space[32];

    version->older = m->newest[key];
    m->newest[key] = version;
    m->keys[m->n++] = key;
    yl_ks_log_append(&m->log, text_of(key, space), version);
    assert_int_equal(version->seq, m->n - 1);
}

static void
drop(struct model *m)
{
    struct yl_ks_version *version = yl_ks_log_front(&m->log);
    unsigned key = m->keys[m->log.first];
    char space[32];

    assert_int_equal(version->revision, 2 * m->log.first);
    yl_ks_log_drop(&m->log, text_of(key, space));
    yl_ks_pool_put(&m->pool, version->older);
    version->older = NULL;
}

static bool
in_scope(const struct reader *reader, unsigned key)
{
    return (reader->namespace_ < 0
            || (unsigned) reader->namespace_ == key / N_NAMES)
           && (reader->name < 0 || (unsigned) reader->name == key % N_NAMES);
}

static void
reader_open(struct model *m, struct reader *reader, uint64_t *random)
{
    static const char *const namespaces[] = { "ns0", "ns1", "ns2", "ns3" };
    static const char *const names[] = { "name0", "name1", "name2" };
    uint64_t back = random_below(random, 50);
    uint64_t revision;
    struct yl_key scope = { { NULL, 0 }, { NULL, 0 } };
    const struct yl_ks_version *newest = NULL;

    *reader = (struct reader) { .open = true, .namespace_ = -1, .name = -1 };
    reader->next = m->n > m->log.first + back ? m->n - back : m->log.first;
    revision = 2 * reader->next - 1;
    if (random_below(random, 3)) {
        reader->namespace_ = (int) random_below(random, N_NAMESPACES);
        scope.namespace_ = yl_str_c(namespaces[reader->namespace_]);
        if (random_below(random, 2)) {
            reader->name = (int) random_below(random, N_NAMES);
            scope.name = yl_str_c(names[reader->name]);
            newest = m->newest[reader->namespace_ * N_NAMES + reader->name];
        }
    }
    yl_ks_log_open(&m->log, &scope, newest, revision, &reader->position);
}

/* Reads one event, and compares. */
static void
reader_read(struct model *m, struct reader *reader)
{
    uint64_t next = reader->next;
    struct yl_ks_version *version = NULL;
    int r = yl_ks_log_peek(&m->log, &reader->position, &version);

    while (next < m->n && !in_scope(reader, m->keys[next])) {
        next++;
    }
    if (next == m->n) {
        assert_int_equal(r, 0);
    } else if (next < m->log.first) {
        assert_int_equal(r, YL_EEXPIRED);
        reader->expired = true;
        return;
    } else {
        assert_int_equal(r, 1);
        assert_int_equal(version->revision, 2 * next);
        assert_ptr_equal(version, yl_ks_log_get(&m->log, next));
        yl_ks_log_step(&m->log, &reader->position);
        next++;
    }
    reader->next = next;
}

static void
reader_close(struct model *m, struct reader *reader)
{
    yl_ks_log_close(&m->log, &reader->position);
    reader->open = false;
}

TEST(positions_see_what_is_in_scope_or_that_it_has_gone)
{
    static struct model m;
    static struct reader readers[N_POSITIONS];
    uint64_t random = RANDOM_SEED, n_expired = 0, n_steps = 0;
    size_t i;

    m.n = 1;
    yl_ks_log_init(&m.log, true);
    yl_ks_pool_init(&m.pool);
    while (m.n < MAX_EVENTS) {
        unsigned what = random_below(&random, 100);
        struct reader *reader = &readers[random_below(&random, N_POSITIONS)];

        n_steps++;
        if (what < 20) {
            /* Some namespaces and names are much quieter than others. */
            unsigned key = random_below(&random, N_KEYS);

            append(&m, random_below(&random, 10) ? key % 5 : key);
        } else if (what < 40 && m.n - m.log.first > 700) {
            drop(&m);
        } else if (!reader->open) {
            reader_open(&m, reader, &random);
        } else if (reader->expired || what > 97) {
            n_expired += reader->expired;
            reader_close(&m, reader);
        } else if (what < 95 || m.n % 2000 > 1000) {
            reader_read(&m, reader);
        }
        if (m.n % 3000 == 0) {
            while (m.log.first < m.n) {
                drop(&m);
            }
        }
    }
    assert_in_range(n_expired, 10, n_steps);
    for (i = 0; i < N_POSITIONS; i++) {
        if (readers[i].open) {
            reader_close(&m, &readers[i]);
        }
    }
    while (m.log.first < m.n) {
        drop(&m);
    }
    assert_null(yl_ks_log_front(&m.log));

    /* Nothing is kept for scopes without events or positions. */
    assert_int_equal(yl_map_count(&m.log.scopes), 0);
    assert_int_equal(m.log.n_key_scopes, 0);
    yl_ks_log_release(&m.log);
    yl_ks_pool_release(&m.pool);
}

TEST(an_event_is_found_by_revision)
{
    static struct model m;
    uint64_t i;

    m.n = 1;
    yl_ks_log_init(&m.log, true);
    yl_ks_pool_init(&m.pool);
    assert_int_equal(yl_ks_log_find(&m.log, 7), 1);
    for (i = 0; i < 1000; i++) {
        append(&m, 0);
    }
    for (i = 0; i < 500; i++) {
        drop(&m);
    }
    assert_int_equal(yl_ks_log_find(&m.log, 0), 501);
    assert_int_equal(yl_ks_log_find(&m.log, 2 * 600 - 1), 600);
    assert_int_equal(yl_ks_log_find(&m.log, 2 * 600), 601);
    assert_int_equal(yl_ks_log_find(&m.log, 9999), 1001);
    yl_ks_log_release(&m.log);
    yl_ks_pool_release(&m.pool);
}

TEST(a_log_without_namespaces_has_keys)
{
    struct yl_ks_log log;
    struct yl_ks_pool pool;
    struct yl_ks_version *a, *b, *seen;
    struct yl_ks_log_position p;
    struct yl_key scope = { { NULL, 0 }, YL_STR_INIT("b") };

    yl_ks_log_init(&log, false);
    yl_ks_pool_init(&pool);
    a = yl_ks_pool_take(&pool, NULL, 2);
    b = yl_ks_pool_take(&pool, NULL, 3);
    yl_ks_log_open(&log, &scope, NULL, 1, &p);
    yl_ks_log_append(&log, YL_STR("a"), a);
    assert_int_equal(yl_ks_log_peek(&log, &p, &seen), 0);
    yl_ks_log_append(&log, YL_STR("b"), b);
    assert_int_equal(yl_ks_log_peek(&log, &p, &seen), 1);
    assert_ptr_equal(seen, b);
    yl_ks_log_close(&log, &p);
    yl_ks_log_release(&log);
    yl_ks_pool_release(&pool);
}
