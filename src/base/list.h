#ifndef BASE_LIST_H
#define BASE_LIST_H 1

/* Intrusive doubly linked list.
 *
 * A list is a ring.  Its head is a struct yl_list like those embedded in the
 * members, but is not embedded in a member itself.  Every operation takes
 * constant time, except counting.
 *
 * An initialised node that is in no list points to itself.  So
 * yl_list_is_empty() works on both: on a head it says whether the list has no
 * members, on a node whether the node is in no list.  Removing a node that is
 * in no list does nothing.
 *
 * Ownership
 * =========
 *
 * A list owns nothing.  A head or a node in use must not be moved.
 *
 * Threads
 * =======
 *
 * None of its own: code that shares a list between threads must lock it.
 *
 * Usage
 * =====
 *
 *     struct job { struct yl_list node; ... };
 *     struct yl_list jobs = YL_LIST_INIT(&jobs);
 *
 *     yl_list_push_back(&jobs, &job->node);
 *     YL_LIST_FOR_EACH (job, node, &jobs) {
 *         ...
 *     } */

#include <stdbool.h>
#include <stddef.h>

#include "yuloh/compiler.h"

struct yl_list {
    struct yl_list *prev, *next;
};

#define YL_LIST_INIT(LIST) { (LIST), (LIST) }

static inline void
yl_list_init(struct yl_list *list)
{
    list->prev = list->next = list;
}

static inline bool
yl_list_is_empty(const struct yl_list *list)
{
    return list->next == list;
}

/* Puts 'node', which must be in no list, before 'at'. */
static inline void
yl_list_insert(struct yl_list *at, struct yl_list *node)
{
    node->prev = at->prev;
    node->next = at;
    at->prev->next = node;
    at->prev = node;
}

static inline void
yl_list_push_back(struct yl_list *list, struct yl_list *node)
{
    yl_list_insert(list, node);
}

static inline void
yl_list_push_front(struct yl_list *list, struct yl_list *node)
{
    yl_list_insert(list->next, node);
}

/* Takes 'node' out of the list that it is in, if it is in one. */
static inline void
yl_list_remove(struct yl_list *node)
{
    node->prev->next = node->next;
    node->next->prev = node->prev;
    yl_list_init(node);
}

/* The first or last node, or NULL when the list is empty. */
static inline struct yl_list *
yl_list_front(const struct yl_list *list)
{
    return yl_list_is_empty(list) ? NULL : list->next;
}

static inline struct yl_list *
yl_list_back(const struct yl_list *list)
{
    return yl_list_is_empty(list) ? NULL : list->prev;
}

/* Like the above, and removes the node from the list. */
static inline struct yl_list *
yl_list_pop_front(struct yl_list *list)
{
    struct yl_list *node = yl_list_front(list);

    if (node) {
        yl_list_remove(node);
    }
    return node;
}

static inline struct yl_list *
yl_list_pop_back(struct yl_list *list)
{
    struct yl_list *node = yl_list_back(list);

    if (node) {
        yl_list_remove(node);
    }
    return node;
}

/* Moves every node of 'from' to the end of 'list', in order.  'from' is empty
 * then. */
static inline void
yl_list_splice(struct yl_list *list, struct yl_list *from)
{
    if (!yl_list_is_empty(from)) {
        from->next->prev = list->prev;
        list->prev->next = from->next;
        from->prev->next = list;
        list->prev = from->prev;
        yl_list_init(from);
    }
}

/* Counts, one node at a time. */
static inline size_t
yl_list_count(const struct yl_list *list)
{
    const struct yl_list *node;
    size_t n = 0;

    for (node = list->next; node != list; node = node->next) {
        n++;
    }
    return n;
}

/* Walks.  ITEM is a variable of a pointer type whose struct has MEMBER; it is
 * NULL after a walk that ran to its end.  The safe walk lets ITEM be removed
 * and freed.  LIST is evaluated many times. */
#define YL_LIST_FOR_EACH(ITEM, MEMBER, LIST)                                  \
    for ((ITEM) = YL_CONTAINER_OR_NULL(yl_list_after(LIST, LIST),             \
                                       ITEM, MEMBER);                         \
         (ITEM);                                                              \
         (ITEM) = YL_CONTAINER_OR_NULL(                                       \
             yl_list_after(LIST, &(ITEM)->MEMBER), ITEM, MEMBER))

#define YL_LIST_FOR_EACH_REVERSE(ITEM, MEMBER, LIST)                          \
    for ((ITEM) = YL_CONTAINER_OR_NULL(yl_list_before(LIST, LIST),            \
                                       ITEM, MEMBER);                         \
         (ITEM);                                                              \
         (ITEM) = YL_CONTAINER_OR_NULL(                                       \
             yl_list_before(LIST, &(ITEM)->MEMBER), ITEM, MEMBER))

#define YL_LIST_FOR_EACH_SAFE(ITEM, MEMBER, LIST)                             \
    for (struct yl_list *ITEM##_next_ = NULL,                                 \
         *ITEM##_at_ = yl_list_after(LIST, LIST);                             \
         (ITEM##_next_ = ITEM##_at_ ? yl_list_after(LIST, ITEM##_at_) : NULL, \
          (ITEM) = YL_CONTAINER_OR_NULL(ITEM##_at_, ITEM, MEMBER)) != NULL;   \
         ITEM##_at_ = ITEM##_next_)

/* The neighbour of 'node' in 'list', or NULL at its end. */
static inline struct yl_list *
yl_list_after(const struct yl_list *list, const struct yl_list *node)
{
    return node->next == list ? NULL : node->next;
}

static inline struct yl_list *
yl_list_before(const struct yl_list *list, const struct yl_list *node)
{
    return node->prev == list ? NULL : node->prev;
}

#endif /* base/list.h */
