/* Shows the objects of a resource, and then what happens to them.
 *
 *     follow RESOURCE [NAMESPACE [SELECTOR]]
 *     follow pods
 *     follow deploy default 'tier in (front,back)'
 *     follow --once networks.samplecrd.k8s.io
 *
 * The shortest way to an API server: find out where it is (KUBECONFIG, the
 * Pod that we are in, ~/.kube/config), ask it what the resource is called,
 * list the objects and watch them from the revision of that list.  When the
 * server ends the watch, go on from the last revision; when that is too old,
 * list again.  A reflector (yuloh/reflector.h) does that, and backs off, and
 * keeps what it heard: use one in programs that are to stay. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yuloh/arena.h>
#include <yuloh/client.h>
#include <yuloh/client_config.h>
#include <yuloh/error.h>
#include <yuloh/mapper.h>
#include <yuloh/object.h>

struct follower {
    struct yl_client *client;
    const struct yl_resource *resource;
    struct yl_str namespace_;
    struct yl_str selector;
    uint64_t revision;          /* How far we have come. */
};

static void
show(const char *what, const struct yl_object *object)
{
    struct yl_key key = yl_object_key(object);

    printf("%-8s %.*s%s%.*s\n", what, YL_STR_ARG(key.namespace_),
           key.namespace_.size ? "/" : "", YL_STR_ARG(key.name));
    fflush(stdout);
}

static int
on_item(void *follower_, const struct yl_versioned *item)
{
    (void) follower_;
    show("LISTED", item->object);
    return 0;
}

static int
on_event(void *follower_, struct yl_watch_event *event)
{
    struct follower *follower = follower_;

    follower->revision = event->revision;
    if (event->object) {        /* A bookmark has none. */
        show(yl_watch_type_name(event->type), event->object);
    }
    return 0;
}

static int
list(struct follower *follower, struct yl_error *err)
{
    struct yl_list_options options = { .label_selector = follower->selector };
    struct yl_list_page page;
    int r = yl_client_list(follower->client, follower->resource,
                           follower->namespace_, &options, on_item, follower,
                           NULL, &page, err);

    if (r == 0) {
        follower->revision = page.revision;
    }
    return r;
}

static int
watch(struct follower *follower, struct yl_error *err)
{
    struct yl_list_options options = {
        .label_selector = follower->selector,
        .allow_watch_bookmarks = true,
    };
    char revision[24];

    snprintf(revision, sizeof revision, "%llu",
             (unsigned long long) follower->revision);
    options.resource_version = yl_str_c(revision);
    return yl_client_watch(follower->client, follower->resource,
                           follower->namespace_, &options, on_event, follower,
                           NULL, err);
}

static int
follow(struct follower *follower, bool once, struct yl_error *err)
{
    int r;

    do {
        r = list(follower, err);
        while (r == 0 && !once) {
            r = watch(follower, err);
        }
    } while (r == YL_EEXPIRED || r == YL_EGONE);
    return r;
}

int
main(int argc, char *argv[])
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_client_config *config = NULL;
    struct yl_mapper *mapper = NULL;
    struct yl_arena *arena = yl_arena_new();
    const struct yl_mapping *mapping;
    struct follower follower = { .client = NULL };
    bool once = argc > 1 && strcmp(argv[1], "--once") == 0;
    char **args = argv + 1 + once;
    int n_args = argc - 1 - once;
    int r;

    if (n_args < 1 || n_args > 3) {
        fprintf(stderr, "usage: follow [--once] RESOURCE [NAMESPACE "
                "[SELECTOR]]\n");
        yl_arena_free(arena);
        return 2;
    }
    follower.namespace_ = yl_str_c(n_args > 1 ? args[1] : NULL);
    follower.selector = yl_str_c(n_args > 2 ? args[2] : NULL);
    r = yl_client_config_load(NULL, &config, &err);
    if (r == 0) {
        r = yl_client_new(config, NULL, &follower.client, &err);
    }
    if (r == 0) {
        mapper = yl_mapper_new(follower.client, NULL);
        r = yl_mapper_find(mapper, yl_str_c(args[0]), NULL, arena, &mapping,
                           &err);
    }
    if (r == 0) {
        follower.resource = &mapping->resource;
        r = follow(&follower, once, &err);
    }
    if (r < 0) {
        fprintf(stderr, "follow: %s\n", yl_error_message(&err));
    }
    yl_error_clear(&err);
    yl_arena_free(arena);
    yl_mapper_free(mapper);
    yl_client_unref(follower.client);
    yl_client_config_free(config);
    return r < 0;
}
