/* Tests of cancels. */

#include "yuloh/cancel.h"

#include <poll.h>

#include "base/thread.h"
#include "unit.h"

static bool
is_readable(int fd)
{
    struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

    return poll(&poll_fd, 1, 0) == 1;
}

TEST(a_cancel_is_set_once_and_stays_set)
{
    struct yl_cancel *cancel = yl_cancel_new();

    assert_false(yl_cancel_is_set(cancel));
    yl_cancel_now(cancel);
    yl_cancel_now(cancel);
    assert_true(yl_cancel_is_set(cancel));
    assert_null(yl_cancel_unref(cancel));
}

TEST(the_descriptor_is_readable_from_then_on)
{
    struct yl_cancel *cancel = yl_cancel_new();
    int fd = yl_cancel_fd(cancel);

    assert_true(fd >= 0);
    assert_int_equal(yl_cancel_fd(cancel), fd);
    assert_false(is_readable(fd));
    yl_cancel_now(cancel);
    assert_true(is_readable(fd));
    assert_true(is_readable(fd));
    yl_cancel_unref(cancel);
}

TEST(a_descriptor_that_is_asked_for_too_late_is_readable_at_once)
{
    struct yl_cancel *cancel = yl_cancel_new();

    yl_cancel_now(cancel);
    assert_true(is_readable(yl_cancel_fd(cancel)));
    yl_cancel_unref(cancel);
}

TEST(no_cancel_is_never_set)
{
    assert_false(yl_cancel_is_set(NULL));
    assert_int_equal(yl_cancel_fd(NULL), -1);
    assert_null(yl_cancel_unref(NULL));
}

TEST(a_child_is_set_with_its_parent_but_not_the_other_way_round)
{
    struct yl_cancel *parent = yl_cancel_new();
    struct yl_cancel *a = yl_cancel_new_child(parent);
    struct yl_cancel *b = yl_cancel_new_child(parent);
    struct yl_cancel *late;

    yl_cancel_now(a);
    assert_true(yl_cancel_is_set(a));
    assert_false(yl_cancel_is_set(b));
    assert_false(yl_cancel_is_set(parent));
    assert_false(is_readable(yl_cancel_fd(b)));
    yl_cancel_unref(a);

    yl_cancel_now(parent);
    assert_true(yl_cancel_is_set(b));
    assert_true(is_readable(yl_cancel_fd(b)));
    late = yl_cancel_new_child(parent);
    assert_true(yl_cancel_is_set(late));
    yl_cancel_unref(parent);
    yl_cancel_unref(late);
    yl_cancel_unref(b);
}

static void
make_children(void *parent)
{
    for (int i = 0; i < 1000; i++) {
        struct yl_cancel *child = yl_cancel_new_child(parent);
        struct yl_cancel *grandchild = yl_cancel_new_child(child);

        yl_cancel_unref(child);
        if (i % 8 == 0) {
            yl_cancel_fd(grandchild);
        }
        yl_cancel_unref(grandchild);
    }
}

TEST(children_come_and_go_while_the_parent_is_set)
{
    struct yl_cancel *parent = yl_cancel_new();
    struct yl_thread threads[3];

    for (int i = 0; i < 3; i++) {
        assert_int_equal(yl_thread_start(&threads[i], "child", make_children,
                                         parent), 0);
    }
    yl_cancel_now(parent);
    for (int i = 0; i < 3; i++) {
        yl_thread_join(&threads[i]);
    }
    yl_cancel_unref(parent);
}
