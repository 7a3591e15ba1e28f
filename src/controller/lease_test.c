/* Tests of controller/lease.h. */

#include "controller/lease.h"

#include "base/arena.h"
#include "unit.h"
#include "yuloh/leader_election.h"

static struct yl_arena arena;

static struct yl_versioned
lease_of(const char *json)
{
    struct yl_versioned lease = { NULL, 7 };

    assert_int_equal(yl_object_ingest(yl_str_c(json), NULL, &lease.object,
                                      NULL), 0);
    return lease;
}

static struct yl_time
at(int64_t seconds, int32_t nanos)
{
    return (struct yl_time) { seconds, nanos };
}

TEST(a_new_lease_has_its_record)
{
    struct yl_key key = yl_key_make(YL_STR("d"), YL_STR("l"));
    struct yl_lease lease = {
        .holder = YL_STR("me"), .duration_seconds = 15, .transitions = 3,
        .acquired = at(1000, 123456000), .renewed = at(1002, 0),
    };

    yl_arena_init(&arena);
    assert_str_equal(
        yl_lease_create(&key, &lease, NULL, 0, &arena),
        "{\"apiVersion\":\"coordination.k8s.io/v1\",\"kind\":\"Lease\","
        "\"metadata\":{\"name\":\"l\",\"namespace\":\"d\"},"
        "\"spec\":{\"holderIdentity\":\"me\",\"leaseDurationSeconds\":15,"
        "\"acquireTime\":\"1970-01-01T00:16:40.123456Z\","
        "\"renewTime\":\"1970-01-01T00:16:42.000000Z\","
        "\"leaseTransitions\":3}}");
    yl_arena_release(&arena);
}

TEST(a_record_survives_the_round_trip)
{
    struct yl_key key = yl_key_make(YL_STR("d"), YL_STR("l"));
    struct yl_lease out = {
        .holder = YL_STR("m\"e"), .duration_seconds = 15, .transitions = 3,
        .acquired = at(1000, 123456000), .renewed = at(1002, 5000),
    }, in;
    struct yl_versioned lease;

    yl_arena_init(&arena);
    lease = lease_of(yl_lease_create(&key, &out, NULL, 0, &arena).data);
    yl_lease_read(lease.object, &arena, &in);
    assert_str_equal(in.holder, "m\"e");
    assert_int_equal(in.duration_seconds, 15);
    assert_int_equal(in.transitions, 3);
    assert_int_equal(yl_time_compare(in.acquired, out.acquired), 0);
    assert_int_equal(yl_time_compare(in.renewed, out.renewed), 0);
    yl_object_unref(lease.object);
    yl_arena_release(&arena);
}

TEST(what_is_absent_or_nonsense_reads_as_nothing)
{
    static const char *const leases[] = {
        "{\"metadata\":{\"name\":\"l\"}}",
        "{\"metadata\":{\"name\":\"l\"},\"spec\":null}",
        "{\"metadata\":{\"name\":\"l\"},\"spec\":{\"holderIdentity\":1,"
        "\"leaseDurationSeconds\":\"x\",\"acquireTime\":null,"
        "\"renewTime\":\"never\",\"leaseTransitions\":[]}}",
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(leases); i++) {
        struct yl_versioned lease = lease_of(leases[i]);
        struct yl_lease in;

        yl_arena_init(&arena);
        yl_lease_read(lease.object, &arena, &in);
        assert_str_equal(in.holder, "");
        assert_int_equal(in.duration_seconds, 0);
        assert_int_equal(in.transitions, 0);
        assert_true(yl_time_is_zero(in.acquired));
        assert_true(yl_time_is_zero(in.renewed));
        yl_object_unref(lease.object);
        yl_arena_release(&arena);
    }
}

TEST(a_change_keeps_what_others_wrote)
{
    struct yl_versioned old = lease_of(
        "{\"metadata\":{\"name\":\"l\",\"namespace\":\"d\",\"uid\":\"u\","
        "\"labels\":{\"theirs\":\"1\",\"ours\":\"old\"},"
        "\"annotations\":{\"a\":\"b\"},\"managedFields\":[]},"
        "\"spec\":{\"strategy\":\"OldestEmulationVersion\","
        "\"holderIdentity\":\"other\",\"acquireTime\":"
        "\"1970-01-01T00:00:01.000000Z\"}}");
    const struct yl_lease_label labels[] = {
        { "ours", "new" }, { "more", "2" },
    };
    struct yl_lease lease = {
        .holder = YL_STR("me"), .duration_seconds = 15, .transitions = 1,
        .acquired = yl_time_zero(), .renewed = at(2, 0),
    };
    struct yl_str json;

    yl_arena_init(&arena);
    assert_int_equal(yl_lease_change(old, &lease, labels, 2, &arena, &json,
                                     NULL), 0);
    assert_str_equal(
        json,
        "{\"apiVersion\":\"coordination.k8s.io/v1\",\"kind\":\"Lease\","
        "\"metadata\":{\"resourceVersion\":\"7\",\"name\":\"l\","
        "\"namespace\":\"d\",\"uid\":\"u\","
        "\"labels\":{\"theirs\":\"1\",\"ours\":\"new\",\"more\":\"2\"},"
        "\"annotations\":{\"a\":\"b\"}},"
        "\"spec\":{\"strategy\":\"OldestEmulationVersion\","
        "\"holderIdentity\":\"me\",\"leaseDurationSeconds\":15,"
        "\"renewTime\":\"1970-01-01T00:00:02.000000Z\","
        "\"leaseTransitions\":1}}");
    yl_object_unref(old.object);
    yl_arena_release(&arena);
}

TEST(labels_are_added_to_a_lease_that_has_none)
{
    struct yl_versioned old = lease_of("{\"metadata\":{\"name\":\"l\"}}");
    const struct yl_lease_label label = { "a", "b" };
    struct yl_lease lease = {
        .holder = YL_STR("me"), .duration_seconds = 15,
        .acquired = at(1, 0), .renewed = at(2, 0),
    };
    struct yl_str json;

    yl_arena_init(&arena);
    assert_int_equal(yl_lease_change(old, &lease, &label, 1, &arena, &json,
                                     NULL), 0);
    assert_non_null(strstr(json.data, "\"labels\":{\"a\":\"b\"}"));
    assert_int_equal(yl_lease_change(old, &lease, NULL, 0, &arena, &json,
                                     NULL), 0);
    assert_null(strstr(json.data, "labels"));
    yl_object_unref(old.object);
    yl_arena_release(&arena);
}
