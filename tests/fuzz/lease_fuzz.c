/* Fuzzes Leases: whatever a server says a Lease is, leader election reads it,
 * changes it, and reads back what it wrote. */

#include "fuzz.h"

#include "base/arena.h"
#include "controller/lease.h"
#include "yuloh/leader_election.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yl_str text = yl_str_n((const char *) data, size);
    const struct yl_lease_label label = { "app", "x" };
    struct yl_versioned old = { NULL, 7 }, new = { NULL, 0 };
    struct yl_lease lease, back;
    struct yl_arena arena;
    struct yl_str json;

    if (yl_object_ingest(text, NULL, &old.object, NULL) < 0) {
        return 0;
    }
    yl_arena_init(&arena);
    yl_lease_read(old.object, &arena, &lease);
    lease.transitions = 3;
    lease.duration_seconds = 15;
    if (yl_lease_change(old, &lease, &label, 1, &arena, &json, NULL) == 0) {
        CHECK(yl_object_ingest(json, NULL, &new.object, NULL) == 0);
        CHECK(yl_object_revision(new.object) == 7);
        CHECK(yl_object_label_is(new.object, YL_STR("app"), YL_STR("x")));
        yl_lease_read(new.object, &arena, &back);
        CHECK(yl_str_equal(back.holder, lease.holder));
        CHECK(back.transitions == 3);
        CHECK(back.duration_seconds == 15);
        yl_object_unref(new.object);
    }
    yl_object_unref(old.object);
    yl_arena_release(&arena);
    return 0;
}
