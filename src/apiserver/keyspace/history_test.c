/* Tests of history. */

#include "apiserver/keyspace/history.h"

#include "unit.h"
#include "yuloh/error.h"

#define AGE 32000
#define BYTES 3200

struct history_fixture {
    struct yl_ks_history history;
    _Atomic uint64_t newest;
    yl_msec when;
};

static void
setup(struct history_fixture *f)
{
    yl_ks_history_init(&f->history, AGE, BYTES);
    atomic_init(&f->newest, 1);
}

static uint64_t
advance(struct history_fixture *f, yl_msec now)
{
    uint64_t compacted = yl_ks_history_advance(&f->history, now, &f->when);

    assert_int_equal(yl_ks_history_compacted(&f->history), compacted);
    return compacted;
}

TEST(history_goes_by_age)
{
    struct history_fixture f;

    setup(&f);
    assert_int_equal(advance(&f, 0), 0);
    assert_int_equal(f.when, YL_NEVER);
    yl_ks_history_note(&f.history, 1000, 5, 1);
    yl_ks_history_note(&f.history, 9000, 7, 1);
    assert_int_equal(advance(&f, 1000 + AGE - 1), 0);
    assert_int_equal(f.when, 1000 + AGE);
    assert_int_equal(advance(&f, 1000 + AGE), 5);
    assert_int_equal(f.when, 9000 + AGE);
    assert_int_equal(advance(&f, 9000 + AGE), 7);
    assert_int_equal(f.when, YL_NEVER);
    yl_ks_history_release(&f.history);
}

TEST(what_came_at_about_the_same_time_goes_together)
{
    struct history_fixture f;

    setup(&f);
    yl_ks_history_note(&f.history, 1000, 5, 1);
    yl_ks_history_note(&f.history, 1001, 6, 1);
    assert_int_equal(advance(&f, 1000 + AGE), 0);
    assert_int_equal(advance(&f, 1001 + AGE), 6);
    yl_ks_history_release(&f.history);
}

TEST(history_goes_by_bytes)
{
    struct history_fixture f;

    setup(&f);
    yl_ks_history_note(&f.history, 0, 2, BYTES / 2);
    yl_ks_history_note(&f.history, 0, 3, BYTES / 2);
    assert_int_equal(advance(&f, 0), 0);
    yl_ks_history_note(&f.history, 0, 4, BYTES / 2);
    assert_int_equal(advance(&f, 0), 2);
    yl_ks_history_note(&f.history, 0, 5, BYTES * 2);
    assert_int_equal(advance(&f, 0), 5);
    assert_int_equal(f.history.bytes, 0);
    yl_ks_history_release(&f.history);
}

TEST(a_pin_holds_until_its_deadline)
{
    struct history_fixture f;
    struct yl_ks_pin pin, other;

    setup(&f);
    atomic_store(&f.newest, 4);
    yl_ks_history_note(&f.history, 0, 4, BYTES * 2);
    assert_int_equal(yl_ks_history_pin(&f.history, &pin, 3, &f.newest, 100),
                     0);
    assert_int_equal(yl_ks_history_pin(&f.history, &other, 0, &f.newest, 900),
                     0);
    assert_int_equal(other.revision, 4);
    assert_int_equal(advance(&f, 99), 3);
    assert_true(f.when > 99 && f.when < AGE);
    yl_ks_history_note(&f.history, 99, 9, BYTES * 2);
    assert_int_equal(advance(&f, 99), 3);
    assert_int_equal(advance(&f, 100), 4);
    assert_int_equal(yl_ks_history_pin(&f.history, &pin, 3, &f.newest, 900),
                     YL_EEXPIRED);
    yl_ks_history_unpin(&f.history, &other);
    assert_int_equal(advance(&f, 100), 9);
    yl_ks_history_release(&f.history);
}

TEST(it_starts_where_storage_is)
{
    struct history_fixture f;
    struct yl_ks_pin pin;

    setup(&f);
    yl_ks_history_start(&f.history, 40);
    assert_int_equal(advance(&f, 0), 40);
    assert_int_equal(yl_ks_history_pin(&f.history, &pin, 39, &f.newest, 9),
                     YL_EEXPIRED);
    yl_ks_history_note(&f.history, 0, 30, BYTES * 2);
    assert_int_equal(advance(&f, 0), 40);
    yl_ks_history_release(&f.history);
}
