/* Listeners, which are told that a resource's log has grown.  See
 * apiserver/keyspace/keyspace.h for the contract.
 *
 * 'wake' is called without a lock.  While a listener is being called, 'waking'
 * points to it, and yl_ks_unlisten() waits for the call to return. */

#include "apiserver/keyspace/resource.h"

void
yl_ks_listen(struct yl_ks_resource *resource, struct yl_ks_listener *listener)
{
    yl_mutex_lock(&resource->listen_lock);
    listener->waiting = true;
    yl_list_push_back(&resource->listeners, &listener->node);
    yl_mutex_unlock(&resource->listen_lock);
}

void
yl_ks_listener_ready(struct yl_ks_resource *resource,
                     struct yl_ks_listener *listener)
{
    yl_mutex_lock(&resource->listen_lock);
    listener->waiting = true;
    yl_mutex_unlock(&resource->listen_lock);
}

void
yl_ks_unlisten(struct yl_ks_resource *resource,
               struct yl_ks_listener *listener)
{
    yl_mutex_lock(&resource->listen_lock);
    yl_list_remove(&listener->node);
    while (resource->waking == listener) {
        yl_cond_wait(&resource->woken, &resource->listen_lock);
    }
    yl_mutex_unlock(&resource->listen_lock);
}

void
yl_ks_resource_wake(struct yl_ks_resource *resource)
{
    struct yl_list called = YL_LIST_INIT(&called);
    struct yl_list *node;

    /* Listeners that were called move to another list, so that one that is
     * ready again at once is not called again in this loop; then all move
     * back. */
    yl_mutex_lock(&resource->listen_lock);
    while ((node = yl_list_pop_front(&resource->listeners)) != NULL) {
        struct yl_ks_listener *listener
            = YL_CONTAINER_OF(node, struct yl_ks_listener, node);

        yl_list_push_back(&called, node);
        if (!listener->waiting) {
            continue;
        }
        listener->waiting = false;
        resource->waking = listener;
        yl_mutex_unlock(&resource->listen_lock);
        listener->wake(listener);
        yl_mutex_lock(&resource->listen_lock);
        resource->waking = NULL;
        yl_cond_broadcast(&resource->woken);
    }
    yl_list_splice(&resource->listeners, &called);
    yl_mutex_unlock(&resource->listen_lock);
}
