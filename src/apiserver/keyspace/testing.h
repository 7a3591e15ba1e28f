#ifndef APISERVER_KEYSPACE_TESTING_H
#define APISERVER_KEYSPACE_TESTING_H 1

/* What the tests of this folder share: a keyspace of pods and nodes over a
 * storage in memory, with a clock of the test's.
 *
 *     struct fixture f;
 *
 *     fixture_init(&f, NULL);
 *     put(&f, "default", "web", "1", 0, &revision);
 *     fixture_release(&f); */

#include <stdint.h>
#include <stdio.h>

#include "apiserver/keyspace/keyspace.h"
#include "base/bug.h"
#include "storage/memory.h"
#include "yuloh/clock.h"

struct fixture {
    struct yl_clock *clock;
    struct yl_storage *storage;
    struct yl_keyspace *ks;
    struct yl_keyspace_opts opts;
    struct yl_ks_resource *pods;    /* In namespaces. */
    struct yl_ks_resource *nodes;   /* In none. */
};

#define PODS YL_STR("/registry/pods/")
#define NODES YL_STR("/registry/minions/")

static inline struct yl_type_meta
type_of(const char *kind)
{
    return (struct yl_type_meta) { YL_STR("v1"), yl_str_c(kind) };
}

/* Opens the keyspace over what the storage has. */
static inline void
fixture_open(struct fixture *f)
{
    f->ks = yl_keyspace_new(f->storage, &f->opts);
    f->pods = yl_keyspace_add(f->ks, PODS, true, type_of("Pod"));
    f->nodes = yl_keyspace_add(f->ks, NODES, false, type_of("Node"));
    if (yl_keyspace_load(f->ks, NULL) < 0
        || yl_keyspace_start(f->ks, NULL) < 0) {
        yl_bug("cannot open the keyspace");
    }
}

static inline void
fixture_init(struct fixture *f, const struct yl_keyspace_opts *opts)
{
    *f = (struct fixture) { .clock = yl_clock_fake_new(1000) };
    if (opts) {
        f->opts = *opts;
    }
    f->opts.clock = f->clock;
    f->storage = yl_memory_new(NULL);
    fixture_open(f);
}

/* Like the end of a process and the start of the next. */
static inline void
fixture_reopen(struct fixture *f)
{
    yl_keyspace_free(f->ks);
    fixture_open(f);
}

static inline void
fixture_release(struct fixture *f)
{
    yl_keyspace_free(f->ks);
    yl_storage_close(f->storage);
    yl_clock_free(f->clock);
}

/* The same numbers each time: xorshift64. */
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

/* An object with a label v, which says which one it is. */
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

#endif /* apiserver/keyspace/testing.h */
