#ifndef TESTS_KEYSPACE_UNIT_H
#define TESTS_KEYSPACE_UNIT_H 1

/* What the tests of the keyspace share: a keyspace of pods and nodes over a
 * storage behind a gate, with a clock that the test controls.
 *
 * A test that is declared with KS_TEST runs on each back end: in memory, on
 * SQLite, and in memory with a second writer that writes before each of our
 * batches: to keys of a resource that was not added, to a resource of its own,
 * and values that are no objects.
 *
 *     KS_TEST(something_holds)
 *     {
 *         struct fixture f;
 *
 *         fixture_init(&f, NULL);
 *         put(&f, "default", "web", "1", 0, &revision);
 *         fixture_release(&f);
 *     }
 *
 * Use nth() for revisions, as the second writer takes some. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "apiserver/keyspace/keyspace.h"
#include "base/bug.h"
#include "storage/memory.h"
#include "storage/memory_control.h"
#include "storage/sqlite.h"
#include "storage_gate.h"
#include "unit.h"
#include "yuloh/clock.h"

enum fixture_kind {
    IN_MEMORY,
    IN_SQLITE,
    BESIDE_ANOTHER,
};

/* The back end of fixtures. */
static enum fixture_kind fixture_kind;

#define KS_TEST(NAME)                                                         \
    static void NAME(void);                                                   \
    TEST(NAME##_in_memory)                                                    \
    {                                                                         \
        fixture_kind = IN_MEMORY;                                             \
        NAME();                                                               \
    }                                                                         \
    TEST(NAME##_in_sqlite)                                                    \
    {                                                                         \
        fixture_kind = IN_SQLITE;                                             \
        NAME();                                                               \
    }                                                                         \
    TEST(NAME##_beside_another)                                               \
    {                                                                         \
        fixture_kind = BESIDE_ANOTHER;                                        \
        NAME();                                                               \
    }                                                                         \
    static void NAME(void)

/* The second writer: this many rows before each of our batches. */
#define N_SCRIBBLES 3

struct scribbler {
    struct yl_memory_rival rival;
    unsigned n;                 /* Times it was called. */
};

struct fixture {
    struct yl_clock *clock;
    struct gate gate;
    struct yl_storage *storage; /* The gate's. */
    char dir[32];               /* Of SQLite. */
    struct scribbler scribbler;
    struct yl_keyspace *ks;
    struct yl_keyspace_opts opts;
    struct yl_ks_resource *pods;    /* A resource with namespaces. */
    struct yl_ks_resource *nodes;   /* A resource without. */
};

#define PODS YL_STR("/registry/pods/")
#define NODES YL_STR("/registry/minions/")
#define SCRIBBLES YL_STR("/registry/scribbles/")

static inline struct yl_type_meta
type_of(const char *kind)
{
    return (struct yl_type_meta) { YL_STR("v1"), yl_str_c(kind) };
}

/* Writes as another server: stores 'value' under 'key', whatever is there;
 * NULL deletes.  Returns the revision. */
static inline uint64_t
scribble(struct yl_storage *memory, const char *key, const char *value)
{
    struct yl_str piece = yl_str_c(value);
    struct yl_storage_write write = {
        .key = yl_str_c(key),
        .value = &piece,
        .n_value = value ? 1 : 0,
        .delete_ = !value,
    };
    struct yl_storage_group group = { .writes = &write, .n_writes = 1 };

    do {
        write.expected = yl_memory_newest(memory, key);
    } while (yl_memory_write(memory, &group) < 0);
    return write.revision;
}

static inline void
scribbler_turn(struct yl_memory_rival *rival, struct yl_storage *memory)
{
    struct scribbler *self = YL_CONTAINER_OF(rival, struct scribbler, rival);
    unsigned n = self->n++;
    char key[64], value[128];

    snprintf(key, sizeof key, "/registry/unknown/s%u", n % 5);
    scribble(memory, key, n % 3 ? "{}" : "?");
    snprintf(key, sizeof key, "/registry/scribbles/s%u", n % 5);
    snprintf(value, sizeof value, "{\"metadata\":{\"name\":\"s%u\"},"
             "\"n\":%u}", n % 5, n);
    scribble(memory, key, n % 7 == 6 ? NULL : value);
    snprintf(key, sizeof key, "/registry/scribbles/t%u", n % 5);
    snprintf(value, sizeof value, "{\"metadata\":{\"name\":\"t%u\"}}", n % 5);
    scribble(memory, key, n % 16 == 15 ? value : "no object");
}

/* The revision of our n-th write, if it is in our m-th batch. */
static inline uint64_t
nth_in(unsigned n, unsigned m)
{
    return 1 + n + (fixture_kind == BESIDE_ANOTHER ? m * N_SCRIBBLES : 0);
}

/* The same if each write was a batch: in order, one after the other. */
static inline uint64_t
nth(unsigned n)
{
    return nth_in(n, n);
}

/* The opposite of nth(). */
static inline unsigned
ordinal(uint64_t revision)
{
    return (unsigned) ((revision - 1)
                       / (fixture_kind == BESIDE_ANOTHER ? 1 + N_SCRIBBLES
                                                         : 1));
}

static inline struct yl_ks_resource *
fixture_add(struct fixture *f, struct yl_str prefix, bool namespaced,
            struct yl_type_meta type)
{
    struct yl_ks_resource *resource;

    if (yl_keyspace_add(f->ks, prefix, namespaced, type, &resource, NULL)
        < 0) {
        yl_bug("cannot add %.*s", YL_STR_ARG(prefix));
    }
    return resource;
}

/* Opens the keyspace over what the storage has. */
static inline void
fixture_open(struct fixture *f)
{
    f->ks = yl_keyspace_new(f->storage, &f->opts);
    f->pods = fixture_add(f, PODS, true, type_of("Pod"));
    f->nodes = fixture_add(f, NODES, false, type_of("Node"));
    if (fixture_kind == BESIDE_ANOTHER) {
        fixture_add(f, SCRIBBLES, false, type_of("Scribble"));
    }
    if (yl_keyspace_load(f->ks, NULL) < 0
        || yl_keyspace_start(f->ks, NULL) < 0) {
        yl_bug("cannot open the keyspace");
    }
}

/* In a file system in memory if there is one, as syncs of a disk take time. */
static inline struct yl_storage *
fixture_sqlite(struct fixture *f)
{
    struct yl_storage *storage;
    struct yl_sqlite_opts opts = { .data_dir = f->dir };

    snprintf(f->dir, sizeof f->dir, "/dev/shm/yuloh-XXXXXX");
    if (!mkdtemp(f->dir)) {
        snprintf(f->dir, sizeof f->dir, "/tmp/yuloh-XXXXXX");
        if (!mkdtemp(f->dir)) {
            yl_bug("cannot make a directory");
        }
    }
    if (yl_sqlite_open(&opts, &storage, NULL) < 0) {
        yl_bug("cannot open SQLite");
    }
    return storage;
}

/* Makes the storage of a fixture.  'opts' are those of memory; NULL: the usual
 * ones. */
static inline struct yl_storage *
fixture_storage(struct fixture *f, struct yl_memory_opts opts)
{
    struct yl_storage *storage;

    if (fixture_kind == IN_SQLITE) {
        return fixture_sqlite(f);
    }
    opts.shared |= fixture_kind == BESIDE_ANOTHER;
    storage = yl_memory_new(&opts);
    if (fixture_kind == BESIDE_ANOTHER) {
        f->scribbler.rival.turn = scribbler_turn;
        yl_memory_set_rival(storage, &f->scribbler.rival);
    }
    return storage;
}

/* Makes a fixture with all options. */
static inline void
fixture_init_with(struct fixture *f, const struct yl_keyspace_opts *opts,
                  struct yl_memory_opts memory, size_t max_batches)
{
    *f = (struct fixture) { .clock = yl_clock_fake_new(1000) };
    if (opts) {
        f->opts = *opts;
    }
    f->opts.clock = f->clock;
    gate_init(&f->gate, fixture_storage(f, memory), max_batches);
    f->storage = &f->gate.storage;
    fixture_open(f);
}

static inline void
fixture_init(struct fixture *f, const struct yl_keyspace_opts *opts)
{
    fixture_init_with(f, opts, (struct yl_memory_opts) { .forget = false },
                      0);
}

/* Acts like the end of a process and the start of the next. */
static inline void
fixture_reopen(struct fixture *f)
{
    yl_keyspace_free(f->ks);
    if (fixture_kind == IN_SQLITE) {
        struct yl_sqlite_opts opts = { .data_dir = f->dir };

        yl_storage_close(f->gate.inner);
        if (yl_sqlite_open(&opts, &f->gate.inner, NULL) < 0) {
            yl_bug("cannot open SQLite again");
        }
    }
    fixture_open(f);
}

static inline void
fixture_release(struct fixture *f)
{
    char command[64];

    gate_open(&f->gate);
    yl_keyspace_free(f->ks);
    yl_storage_close(f->gate.inner);
    gate_release(&f->gate);
    yl_clock_free(f->clock);
    if (f->dir[0]) {
        snprintf(command, sizeof command, "rm -rf '%s'", f->dir);
        if (system(command) != 0) {
            yl_bug("cannot remove %s", f->dir);
        }
    }
}

/* A random number, the same sequence each time: xorshift64. */
static inline unsigned
random_below(uint64_t *x, unsigned n)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return (unsigned) (*x >> 11) % n;
}

#define RANDOM_SEED 88172645463325252U

static inline struct yl_key
key_of(const char *namespace_, const char *name)
{
    return yl_key_make(yl_str_c(namespace_), yl_str_c(name));
}

/* An object with a label v, which tells it from others. */
static inline struct yl_object *
object_of(const char *namespace_, const char *name, const char *v)
{
    struct yl_object *object = NULL;
    char text[2048];
    int n;

    n = snprintf(text, sizeof text,
                 "{\"metadata\":{\"labels\":{\"v\":\"%s\"},\"name\":\"%s\"%s%s"
                 "%s},\"spec\":{}}", v, name,
                 namespace_ ? ",\"namespace\":\"" : "",
                 namespace_ ? namespace_ : "", namespace_ ? "\"" : "");
    if (yl_object_ingest(yl_str_n(text, (size_t) n), NULL, &object, NULL)
        < 0) {
        yl_bug("no object: %s", text);
    }
    return object;
}

static inline int
write_object(struct fixture *f, struct yl_key key, struct yl_object *object,
             uint64_t expected, uint64_t *ret_revision)
{
    struct yl_ks_write write = {
        .resource = key.namespace_.size ? f->pods : f->nodes,
        .key = key,
        .object = object,
        .expected = expected,
    };
    int r = yl_keyspace_write_wait(f->ks, &write);

    if (write.error.code != r) {
        yl_bug("result %d, but error %d", r, write.error.code);
    }
    yl_error_clear(&write.error);
    yl_object_unref(object);
    if (ret_revision) {
        *ret_revision = write.revision;
    }
    return r;
}

/* Writes a pod, or a node if there is no namespace. */
static inline int
put(struct fixture *f, const char *namespace_, const char *name,
    const char *v, uint64_t expected, uint64_t *ret_revision)
{
    return write_object(f, key_of(namespace_, name),
                        object_of(namespace_, name, v), expected,
                        ret_revision);
}

static inline int
delete(struct fixture *f, const char *namespace_, const char *name,
       uint64_t expected, uint64_t *ret_revision)
{
    return write_object(f, key_of(namespace_, name), NULL, expected,
                        ret_revision);
}

#endif /* tests/keyspace_unit.h */
