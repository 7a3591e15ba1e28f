/* The columns of the kinds that are about addresses and ports. */

#include "builtin/columns/columns_cell.h"

#define MAX_SHOWN 3

static yl_cell_fn cell_first, cell_external_ip, cell_service_ports;
static yl_cell_fn cell_hosts, cell_ingress_address, cell_ingress_ports;
static yl_cell_fn cell_class_name, cell_class_parameters;
static yl_cell_fn cell_endpoints, cell_slice_ports, cell_slice_endpoints;
static yl_cell_fn cell_parent;

/* A list of which only the first few elements are shown. */
struct short_list {
    size_t n_shown;
    size_t n;
};

static void add_to_short_list(struct yl_row *, struct short_list *,
                              struct yl_str);
static void put_short_list(struct yl_row *, const struct short_list *,
                           const char *absent);
static struct yl_row_set load_balancer(struct yl_row *);

static const struct yl_table_column service[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Type", yl_cell_text, "spec.type", ""),
    YL_TEXT("Cluster-IP", cell_first, "spec.clusterIPs", "<none>"),
    YL_TEXT("External-IP", cell_external_ip, NULL, NULL),
    YL_TEXT("Port(s)", cell_service_ports, "spec.ports", "<none>"),
    YL_COLUMN_AGE,
    YL_WIDE("Selector", yl_cell_labels, "spec.selector", NULL),
};

static const struct yl_table_column ingress[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Class", yl_cell_text, "spec.ingressClassName", "<none>"),
    YL_TEXT("Hosts", cell_hosts, "spec.rules", "*"),
    YL_TEXT("Address", cell_ingress_address, NULL, NULL),
    YL_TEXT("Ports", cell_ingress_ports, "spec.tls", NULL),
    YL_COLUMN_AGE,
};

static const struct yl_table_column ingress_class[] = {
    YL_COLUMN_NAMED("Name", 0, cell_class_name, NULL, NULL),
    YL_TEXT("Controller", yl_cell_text, "spec.controller", ""),
    YL_TEXT("Parameters", cell_class_parameters, "spec.parameters", "<none>"),
    YL_COLUMN_AGE,
};

static const struct yl_table_column network_policy[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Pod-Selector", yl_cell_selector, "spec.podSelector", "<none>"),
    YL_COLUMN_AGE,
};

static const struct yl_table_column endpoints[] = {
    YL_COLUMN_NAME,
    YL_TEXT("Endpoints", cell_endpoints, "subsets", "<none>"),
    YL_COLUMN_AGE,
};

static const struct yl_table_column endpoint_slice[] = {
    YL_COLUMN_NAME,
    YL_TEXT("AddressType", yl_cell_text, "addressType", ""),
    YL_TEXT("Ports", cell_slice_ports, "ports", "<unset>"),
    YL_TEXT("Endpoints", cell_slice_endpoints, "endpoints", "<unset>"),
    YL_COLUMN_AGE,
};

static const struct yl_table_column service_cidr[] = {
    YL_COLUMN_NAME,
    YL_TEXT("CIDRs", yl_cell_join, "spec.cidrs", ""),
    YL_COLUMN_AGE,
};

static const struct yl_table_column ip_address[] = {
    YL_COLUMN_NAME,
    YL_TEXT("ParentRef", cell_parent, "spec.parentRef", "<none>"),
};

const struct yl_columns yl_columns_network[] = {
    YL_COLUMNS("", "Service", service),
    YL_COLUMNS("", "Endpoints", endpoints),
    YL_COLUMNS("discovery.k8s.io", "EndpointSlice", endpoint_slice),
    YL_COLUMNS("networking.k8s.io", "Ingress", ingress),
    YL_COLUMNS("networking.k8s.io", "IngressClass", ingress_class),
    YL_COLUMNS("networking.k8s.io", "NetworkPolicy", network_policy),
    YL_COLUMNS("networking.k8s.io", "ServiceCIDR", service_cidr),
    YL_COLUMNS("networking.k8s.io", "IPAddress", ip_address),
    { NULL, NULL, NULL, 0, NULL },
};

static void
cell_first(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json first = yl_json_at(yl_row_at(row->object, column->path), 0);

    yl_row_put_str(row, yl_json_exists(first) ? yl_row_str(row, first)
                                              : yl_str_c(column->absent));
}

static void
cell_external_ip(struct yl_row *row,
                 const struct yl_table_column *column YL_UNUSED)
{
    struct yl_json type = yl_row_at(row->object, "spec.type");
    struct yl_json_iter it =
        yl_json_iter(yl_row_at(row->object, "spec.externalIPs"));
    const char *absent = "<none>";

    if (yl_json_string_is(type, YL_STR("ExternalName"))) {
        yl_row_put_str(row,
                       yl_row_str_at(row, row->object, "spec.externalName"));
        return;
    }
    if (yl_json_string_is(type, YL_STR("LoadBalancer"))) {
        struct yl_row_set addresses = load_balancer(row);

        for (size_t i = 0; i < addresses.n; i++) {
            yl_row_add_to_list(row, addresses.items[i], ",");
        }
        absent = "<pending>";
    } else if (!yl_json_string_is(type, YL_STR("ClusterIP"))
               && !yl_json_string_is(type, YL_STR("NodePort"))) {
        yl_row_put_c(row, "<unknown>");
        return;
    }
    while (yl_json_next(&it)) {
        yl_row_add_to_list(row, yl_row_str(row, it.value), ",");
    }
    yl_row_put_text(row, absent);
}

/* "80/TCP,443:30443/TCP" */
static void
cell_service_ports(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json_iter it =
        yl_json_iter(yl_row_at(row->object, column->path));

    while (yl_json_next(&it)) {
        int64_t node_port = yl_row_int(it.value, "nodePort");

        yl_row_add_to_list(row, YL_STR(""), ",");
        yl_buf_printf(&row->text, "%lld",
                      (long long) yl_row_int(it.value, "port"));
        if (node_port > 0) {
            yl_buf_printf(&row->text, ":%lld", (long long) node_port);
        }
        yl_buf_append_char(&row->text, '/');
        yl_row_add(row, yl_row_str_at(row, it.value, "protocol"));
    }
    yl_row_put_text(row, column->absent);
}

/* Writes "a,b,c + N more...".  Like upstream, it stops after three rules with
 * a host, but N is the number of all rules minus three. */
static void
cell_hosts(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json_iter it =
        yl_json_iter(yl_row_at(row->object, column->path));
    struct short_list list = { 0, 0 };
    bool more = false;

    for (; yl_json_next(&it); list.n++) {
        struct yl_str host = yl_row_str_at(row, it.value, "host");

        if (list.n_shown == MAX_SHOWN) {
            more = true;
        } else if (host.size) {
            yl_row_add_to_list(row, host, ",");
            list.n_shown++;
        }
    }
    if (!more) {
        list.n = list.n_shown;
    }
    put_short_list(row, &list, column->absent);
}

static void
cell_ingress_address(struct yl_row *row,
                     const struct yl_table_column *column YL_UNUSED)
{
    struct yl_row_set addresses = load_balancer(row);

    yl_row_put_sorted(row, &addresses);
}

static void
cell_ingress_ports(struct yl_row *row, const struct yl_table_column *column)
{
    yl_row_put_c(row, yl_json_count(yl_row_at(row->object, column->path))
                          ? "80, 443"
                          : "80");
}

static void
cell_class_name(struct yl_row *row,
                const struct yl_table_column *column YL_UNUSED)
{
    yl_row_add(row, yl_row_str_at(row, row->object, "metadata.name"));
    if (yl_str_equal_c(yl_row_annotation(
                           row, "ingressclass.kubernetes.io/is-default-class"),
                       "true")) {
        yl_buf_append_c(&row->text, " (default)");
    }
    yl_row_put_text(row, "");
}

/* "Kind.group/name" */
static void
cell_class_parameters(struct yl_row *row,
                      const struct yl_table_column *column)
{
    struct yl_json parameters = yl_row_at(row->object, column->path);

    if (yl_json_exists(parameters)) {
        yl_row_add(row, yl_row_str_at(row, parameters, "kind"));
        if (yl_json_exists(yl_row_at(parameters, "apiGroup"))) {
            yl_buf_append_char(&row->text, '.');
            yl_row_add(row, yl_row_str_at(row, parameters, "apiGroup"));
        }
        yl_buf_append_char(&row->text, '/');
        yl_row_add(row, yl_row_str_at(row, parameters, "name"));
    }
    yl_row_put_text(row, column->absent);
}

/* Every address combined with every port of its subset; the addresses alone if
 * there are no ports.  Combinations that are not shown are counted by
 * multiplication, not by a loop. */
static void
cell_endpoints(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json subsets = yl_row_at(row->object, column->path);
    struct yl_json_iter it = yl_json_iter(subsets);
    struct short_list list = { 0, 0 };

    while (yl_json_next(&it)) {
        struct yl_json addresses = yl_row_at(it.value, "addresses");
        struct yl_json_iter port = yl_json_iter(yl_row_at(it.value, "ports"));
        size_t n_addresses = yl_json_count(addresses);
        bool any = yl_json_next(&port);

        do {
            struct yl_json_iter address = yl_json_iter(addresses);
            size_t before = list.n;

            while (list.n_shown < MAX_SHOWN && yl_json_next(&address)) {
                struct yl_str ip = yl_row_str_at(row, address.value, "ip");
                bool v6 = yl_str_find_char(ip, ':') != NULL;

                add_to_short_list(row, &list, YL_STR(""));
                yl_buf_append_c(&row->text, any && v6 ? "[" : "");
                yl_row_add(row, ip);
                if (any) {
                    yl_buf_printf(&row->text, "%s:%lld", v6 ? "]" : "",
                                  (long long) yl_row_int(port.value, "port"));
                }
            }
            list.n = before + n_addresses;
        } while (any && yl_json_next(&port));
    }
    put_short_list(row, &list,
                   yl_json_count(subsets) ? "" : column->absent);
}

static void
cell_slice_ports(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json_iter it =
        yl_json_iter(yl_row_at(row->object, column->path));
    struct short_list list = { 0, 0 };

    while (yl_json_next(&it)) {
        struct yl_json port = yl_row_at(it.value, "port");
        struct yl_json name = yl_row_at(it.value, "name");

        add_to_short_list(row, &list,
                          yl_json_exists(port)   ? yl_json_raw(port)
                          : yl_json_exists(name) ? yl_row_str(row, name)
                                                 : YL_STR("*"));
    }
    put_short_list(row, &list, column->absent);
}

static void
cell_slice_endpoints(struct yl_row *row, const struct yl_table_column *column)
{
    struct yl_json_iter it =
        yl_json_iter(yl_row_at(row->object, column->path));
    struct short_list list = { 0, 0 };

    while (yl_json_next(&it)) {
        struct yl_json_iter address =
            yl_json_iter(yl_row_at(it.value, "addresses"));

        while (yl_json_next(&address)) {
            add_to_short_list(row, &list, yl_row_str(row, address.value));
        }
    }
    put_short_list(row, &list, column->absent);
}

/* "services/default/kubernetes", and then the age: upstream's rows have one
 * cell more than there are columns. */
static void
cell_parent(struct yl_row *row, const struct yl_table_column *column)
{
    static const struct yl_table_column age = YL_COLUMN_AGE;
    struct yl_json parent = yl_row_at(row->object, column->path);

    if (yl_json_exists(parent)) {
        struct yl_str group = yl_row_str_at(row, parent, "group");
        struct yl_str namespace_ = yl_row_str_at(row, parent, "namespace");

        yl_row_add_lower(row, yl_row_str_at(row, parent, "resource"));
        if (group.size) {
            yl_buf_append_char(&row->text, '.');
            yl_row_add_lower(row, group);
        }
        if (namespace_.size) {
            yl_buf_append_char(&row->text, '/');
            yl_row_add(row, namespace_);
        }
        yl_buf_append_char(&row->text, '/');
        yl_row_add(row, yl_row_str_at(row, parent, "name"));
    }
    yl_row_put_text(row, column->absent);
    yl_cell_age(row, &age);
}

static void
add_to_short_list(struct yl_row *row, struct short_list *list,
                  struct yl_str s)
{
    if (list->n++ < MAX_SHOWN) {
        if (list->n_shown++) {
            yl_buf_append_char(&row->text, ',');
        }
        yl_row_add(row, s);
    }
}

static void
put_short_list(struct yl_row *row, const struct short_list *list,
               const char *absent)
{
    if (list->n > list->n_shown) {
        yl_buf_printf(&row->text, " + %zu more...", list->n - MAX_SHOWN);
    }
    yl_row_put_text(row, absent);
}

/* The addresses of a load balancer, or its host names if it has none,
 * sorted. */
static struct yl_row_set
load_balancer(struct yl_row *row)
{
    struct yl_json_iter it =
        yl_json_iter(yl_row_at(row->object, "status.loadBalancer.ingress"));
    struct yl_row_set set = { NULL, 0, 0 };

    while (yl_json_next(&it)) {
        struct yl_str address = yl_row_str_at(row, it.value, "ip");

        if (!address.size) {
            address = yl_row_str_at(row, it.value, "hostname");
        }
        if (address.size) {
            yl_row_set_add(row, &set, address);
        }
    }
    yl_row_set_sort(&set);
    return set;
}
