/* Controllers as pictures: a graph, and the rights that they need.  See
 * yuloh/manager.h. */

#include <string.h>

#include "base/buf.h"
#include "controller/table.h"
#include "yuloh/arena.h"
#include "yuloh/manager.h"
#include "yuloh/schema.h"

/* Tables are constants of a program. */
#define MAX_TEXT ((size_t) 16 << 20)

static void append_edge(struct yl_buf *, const struct yl_controller *,
                        const struct yl_watch *);
static void append_changed(struct yl_buf *, unsigned changed);
static void append_rules(struct yl_buf *, const struct yl_controller *,
                         const struct yl_watch *);
static void append_rule(struct yl_buf *, const char *group,
                        const char *resource, const char *verbs);
static bool owns_something(const struct yl_controller *);
static struct yl_str take(struct yl_buf *, struct yl_arena *);

struct yl_str
yl_controllers_graph(const struct yl_controller *const *controllers,
                     struct yl_arena *arena)
{
    const struct yl_watch *watch;
    struct yl_buf buf;

    yl_buf_init(&buf, MAX_TEXT);
    yl_buf_append_c(&buf, "digraph controllers {\n    rankdir=LR;\n");
    for (; *controllers; controllers++) {
        const struct yl_controller *controller = *controllers;

        yl_buf_printf(&buf, "    \"%s\" [shape=box];\n", controller->name);
        for (watch = controller->watches; yl_watch_kind(watch); watch++) {
            append_edge(&buf, controller, watch);
        }
    }
    yl_buf_append_c(&buf, "}\n");
    return take(&buf, arena);
}

struct yl_str
yl_controllers_rbac(const struct yl_controller *const *controllers,
                    const char *name, bool leader_election,
                    struct yl_arena *arena)
{
    const struct yl_watch *watch;
    struct yl_buf buf;

    yl_buf_init(&buf, MAX_TEXT);
    yl_buf_printf(&buf,
                  "apiVersion: rbac.authorization.k8s.io/v1\n"
                  "kind: ClusterRole\n"
                  "metadata:\n"
                  "  name: %s\n"
                  "rules:\n", name);
    for (; *controllers; controllers++) {
        for (watch = (*controllers)->watches; yl_watch_kind(watch); watch++) {
            append_rules(&buf, *controllers, watch);
        }
    }
    append_rule(&buf, "", "events", "create, patch");
    if (leader_election) {
        append_rule(&buf, "coordination.k8s.io", "leases",
                    "create, get, update");
    }
    return take(&buf, arena);
}

static void
append_edge(struct yl_buf *buf, const struct yl_controller *controller,
            const struct yl_watch *watch)
{
    const struct yl_kind *kind = yl_watch_kind(watch);
    const char *dot = kind->set->group[0] ? "." : "";

    if (watch->owns) {
        yl_buf_printf(buf, "    \"%s\" -> \"%s%s%s\" [label=\"owns",
                      controller->name, kind->name, dot, kind->set->group);
    } else {
        yl_buf_printf(buf, "    \"%s%s%s\" -> \"%s\" [label=\"%s",
                      kind->name, dot, kind->set->group, controller->name,
                      watch->for_ ? "for" : "other");
    }
    append_changed(buf, watch->changed);
    if (watch->filter) {
        yl_buf_append_c(buf, ", filtered");
    }
    if (watch->metadata_only) {
        yl_buf_append_c(buf, ", metadata only");
    }
    if (watch->namespace_) {
        yl_buf_printf(buf, ", in %s", watch->namespace_);
    }
    yl_buf_append_c(buf, "\"];\n");
}

static void
append_changed(struct yl_buf *buf, unsigned changed)
{
    static const struct {
        unsigned bit;
        const char *name;
    } names[] = {
        { YL_GENERATION, "generation" },
        { YL_LABELS, "labels" },
        { YL_ANNOTATIONS, "annotations" },
        { YL_OWNERS, "owners" },
        { YL_FINALIZERS, "finalizers" },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        if (changed & names[i].bit) {
            yl_buf_printf(buf, ", %s", names[i].name);
        }
    }
}

/* What the library itself does for the watch, and what owners do with what
 * they own.  What a reconcile does besides is for its author to add. */
static void
append_rules(struct yl_buf *buf, const struct yl_controller *controller,
             const struct yl_watch *watch)
{
    const struct yl_kind *kind = yl_watch_kind(watch);
    const char *group = kind->set->group;
    struct yl_buf resource;

    append_rule(buf, group, kind->plural,
                watch->owns ? "create, delete, get, list, patch, update, watch"
                : watch->for_ && controller->cleanup
                    ? "get, list, patch, watch" : "get, list, watch");
    if (!watch->for_) {
        return;
    }
    yl_buf_init(&resource, MAX_TEXT);
    if (kind->flags & YL_KIND_STATUS) {
        yl_buf_printf(&resource, "%s/status", kind->plural);
        append_rule(buf, group, yl_buf_c_str(&resource), "patch");
    }
    if (owns_something(controller)) {
        /* Some servers let only those set blockOwnerDeletion who may set the
         * owner's finalizers. */
        yl_buf_clear(&resource);
        yl_buf_printf(&resource, "%s/finalizers", kind->plural);
        append_rule(buf, group, yl_buf_c_str(&resource), "update");
    }
    yl_buf_release(&resource);
}

static void
append_rule(struct yl_buf *buf, const char *group, const char *resource,
            const char *verbs)
{
    yl_buf_printf(buf,
                  "- apiGroups: [\"%s\"]\n"
                  "  resources: [%s]\n"
                  "  verbs: [%s]\n", group, resource, verbs);
}

static bool
owns_something(const struct yl_controller *controller)
{
    const struct yl_watch *watch;

    for (watch = controller->watches; yl_watch_kind(watch); watch++) {
        if (watch->owns) {
            return true;
        }
    }
    return false;
}

static struct yl_str
take(struct yl_buf *buf, struct yl_arena *arena)
{
    struct yl_str text = yl_arena_copy(arena, yl_buf_str(buf));

    yl_buf_release(buf);
    return text;
}
