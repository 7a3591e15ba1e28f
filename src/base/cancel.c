/* Cancel.  See yuloh/cancel.h for the contract.
 *
 * The eventfd is made when somebody asks for it, because most cancels are made
 * for calls that never wait long enough to be cancelled.
 *
 * Locks are taken from the parent to its children, never upwards: a child that
 * is freed leaves its parent's list before it takes its own lock. */

#include "yuloh/cancel.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/list.h"
#include "base/ref.h"
#include "base/thread.h"

struct yl_cancel {
    struct yl_ref ref;
    struct yl_cancel *parent;   /* Referenced; NULL if there is none. */
    struct yl_list sibling;     /* In the parent's 'children', under the
                                 * parent's lock. */
    atomic_bool set;

    struct yl_mutex lock;
    int fd YL_GUARDED;          /* -1 until it is asked for. */
    struct yl_list children YL_GUARDED;
};

static void set_locked(struct yl_cancel *cancel) YL_REQUIRES(&cancel->lock);
static void wake(int fd);

struct yl_cancel *
yl_cancel_new(void)
{
    struct yl_cancel *cancel = yl_zalloc(sizeof *cancel);

    yl_ref_init(&cancel->ref);
    yl_list_init(&cancel->sibling);
    yl_mutex_init(&cancel->lock);
    yl_mutex_lock(&cancel->lock);
    cancel->fd = -1;
    yl_list_init(&cancel->children);
    yl_mutex_unlock(&cancel->lock);
    return cancel;
}

struct yl_cancel *
yl_cancel_new_child(struct yl_cancel *parent)
{
    struct yl_cancel *child = yl_cancel_new();

    child->parent = yl_cancel_ref(parent);
    yl_mutex_lock(&parent->lock);
    yl_list_push_back(&parent->children, &child->sibling);
    atomic_store(&child->set, atomic_load(&parent->set));
    yl_mutex_unlock(&parent->lock);
    return child;
}

struct yl_cancel *
yl_cancel_ref(struct yl_cancel *cancel)
{
    yl_ref_get(&cancel->ref);
    return cancel;
}

struct yl_cancel *
yl_cancel_unref(struct yl_cancel *cancel)
{
    while (cancel && yl_ref_put(&cancel->ref)) {
        struct yl_cancel *parent = cancel->parent;

        if (parent) {
            yl_mutex_lock(&parent->lock);
            yl_list_remove(&cancel->sibling);
            yl_mutex_unlock(&parent->lock);
        }
        yl_mutex_lock(&cancel->lock);
        if (cancel->fd >= 0) {
            close(cancel->fd);
        }
        yl_mutex_unlock(&cancel->lock);
        yl_mutex_destroy(&cancel->lock);
        free(cancel);
        cancel = parent;
    }
    return NULL;
}

void
yl_cancel_now(struct yl_cancel *cancel)
{
    yl_mutex_lock(&cancel->lock);
    set_locked(cancel);
    yl_mutex_unlock(&cancel->lock);
}

bool
yl_cancel_is_set(const struct yl_cancel *cancel)
{
    return cancel && atomic_load(&cancel->set);
}

int
yl_cancel_fd(struct yl_cancel *cancel)
{
    int fd;

    if (!cancel) {
        return -1;
    }
    yl_mutex_lock(&cancel->lock);
    if (cancel->fd < 0) {
        cancel->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (cancel->fd >= 0 && atomic_load(&cancel->set)) {
            wake(cancel->fd);
        }
    }
    fd = cancel->fd;
    yl_mutex_unlock(&cancel->lock);
    return fd;
}

/* Children have at most one level of children each in practice, so recursion
 * is no deeper than the program nests its cancels. */
static void
set_locked(struct yl_cancel *cancel)
{
    struct yl_cancel *child;

    if (!atomic_exchange(&cancel->set, true) && cancel->fd >= 0) {
        wake(cancel->fd);
    }
    YL_LIST_FOR_EACH (child, sibling, &cancel->children) {
        yl_mutex_lock(&child->lock);
        set_locked(child);
        yl_mutex_unlock(&child->lock);
    }
}

static void
wake(int fd)
{
    uint64_t one = 1;

    while (write(fd, &one, sizeof one) < 0 && errno == EINTR) {
    }
}
