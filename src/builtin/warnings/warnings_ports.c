/* Warnings of the ports of a Pod's containers. */

#include <inttypes.h>

#include "builtin/pods/pod_check.h"
#include "builtin/warnings/warnings.h"

/* Only this many ports with the same number are compared with each other, so
 * that the cost does not grow with the square of their number. */
#define MAX_COMPARED 64

static void warn_port(struct yl_warnings *, const struct yl_at *port,
                      struct yl_node *seen);
static void compare_ports(struct yl_warnings *, const struct yl_at *port,
                          const struct yl_node *other);
static void warn_name(struct yl_warnings *, const struct yl_at *port,
                      struct yl_node *names);
static struct yl_str path_of(struct yl_arena *, const struct yl_at *port);

void
yl_warn_ports(struct yl_warnings *w, const struct yl_at *spec)
{
    struct yl_node *seen = yl_node_new_object(w->arena);
    struct yl_node *names = yl_node_new_object(w->arena);
    struct yl_at list;
    size_t i;

    for (i = 0; yl_pod_container_list(spec, i, &list); i++) {
        YL_AT_FOR_EACH (container, &list) {
            struct yl_at ports = yl_at(&container, "ports");

            YL_AT_FOR_EACH (port, &ports) {
                warn_port(w, &port, seen);
            }
        }
    }
    for (i = 0; yl_pod_container_list(spec, i, &list); i++) {
        YL_AT_FOR_EACH (container, &list) {
            struct yl_at ports = yl_at(&container, "ports");

            YL_AT_FOR_EACH (port, &ports) {
                warn_name(w, &port, names);
            }
        }
    }
}

/* Compares a port with those of the same number and protocol in all
 * containers. */
static void
warn_port(struct yl_warnings *w, const struct yl_at *port,
          struct yl_node *seen)
{
    struct yl_check c = { w->arena, NULL };
    struct yl_str name = yl_at_get_str(&c, port, "name");
    struct yl_str protocol = yl_at_get_str(&c, port, "protocol");
    struct yl_str host = yl_at_get_str(&c, port, "hostIP");
    int64_t number = yl_at_get_int(port, "containerPort");
    struct yl_str key = yl_str_c(yl_arena_printf(
        w->arena, "%" PRId64 "/%.*s", number, YL_STR_ARG(protocol)));
    struct yl_node *others = yl_node_get(seen, key), *other, *entry;

    if (host.size && !yl_at_get_int(port, "hostPort")) {
        yl_warn_at(w, port, "hostIP set without hostPort: {Name:%.*s "
                            "HostPort:0 ContainerPort:%" PRId64 " "
                            "Protocol:%.*s HostIP:%.*s}", YL_STR_ARG(name),
                   number, YL_STR_ARG(protocol), YL_STR_ARG(host));
    }
    if (!others) {
        others = yl_node_new_array(w->arena);
        yl_node_set(w->arena, seen, key, others);
    }
    YL_NODE_FOR_EACH (other, others) {
        compare_ports(w, port, other);
    }
    if (others->n < MAX_COMPARED) {
        entry = yl_node_copy(w->arena, port->node);
        yl_member_set(w->arena, entry, "path",
                      yl_node_new_string(w->arena, path_of(w->arena, port)));
        yl_node_append(others, entry);
    }
}

static void
compare_ports(struct yl_warnings *w, const struct yl_at *port,
              const struct yl_node *other)
{
    struct yl_check c = { w->arena, NULL };
    struct yl_at then = yl_at_root(other);
    struct yl_str path = yl_at_get_str(&c, &then, "path");
    struct yl_str host = yl_at_get_str(&c, port, "hostIP");
    struct yl_str other_host = yl_at_get_str(&c, &then, "hostIP");
    int64_t number = yl_at_get_int(port, "hostPort");
    int64_t other_number = yl_at_get_int(&then, "hostPort");

    if (number == other_number && yl_str_equal(host, other_host)) {
        yl_warn_at(w, port, "duplicate port definition with %.*s",
                   YL_STR_ARG(path));
    } else if (!number || !other_number) {
        yl_warn_at(w, port, "overlapping port definition with %.*s",
                   YL_STR_ARG(path));
    } else if (number == other_number && !host.size != !other_host.size) {
        yl_warn_at(w, port, "dangerously ambiguous port definition with "
                            "%.*s", YL_STR_ARG(path));
    }
}

static void
warn_name(struct yl_warnings *w, const struct yl_at *port,
          struct yl_node *names)
{
    struct yl_check c = { w->arena, NULL };
    struct yl_str name = yl_at_get_str(&c, port, "name");
    struct yl_node *first = yl_node_get(names, name);
    struct yl_at at = yl_at_root(first);
    struct yl_str path = yl_at_str(&c, &at);

    if (!name.size) {
        return;
    }
    if (first) {
        yl_warn_at(w, port, "duplicate port name \"%.*s\" with %.*s, services "
                            "and probes that select ports by name will use "
                            "%.*s", YL_STR_ARG(name), YL_STR_ARG(path),
                   YL_STR_ARG(path));
    } else {
        yl_node_set(w->arena, names, name,
                    yl_node_new_string(w->arena, path_of(w->arena, port)));
    }
}

static struct yl_str
path_of(struct yl_arena *arena, const struct yl_at *port)
{
    struct yl_buf path;
    struct yl_str text;

    yl_buf_init(&path, SIZE_MAX);
    yl_field_path_write(&path, yl_at_path(port));
    text = yl_arena_copy(arena, yl_buf_str(&path));
    yl_buf_release(&path);
    return text;
}
