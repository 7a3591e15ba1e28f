/* NetworkPolicy: defaults, validation, updates. */

#include <string.h>

#include "builtin/common/meta.h"
#include "builtin/network/ip.h"
#include "builtin/rows.h"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };

static void default_ports(struct yl_arena *, struct yl_node *spec,
                          const char *direction);
static void check_spec(struct yl_check *, const struct yl_at *spec);
static void check_direction(struct yl_check *, const struct yl_at *spec,
                            const char *direction, const char *peers);
static void check_port(struct yl_check *, const struct yl_at *port);
static void check_end_port(struct yl_check *, const struct yl_at *port,
                           const struct yl_at *end);
static void check_peer(struct yl_check *, const struct yl_at *peer);
static void check_block(struct yl_check *, const struct yl_at *block);
static bool contains(const struct yl_ip *, unsigned bits,
                     const struct yl_ip *);

void
yl_network_policy_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_member_make(arena, object, "spec");

    default_ports(arena, spec, "ingress");
    default_ports(arena, spec, "egress");
    if (yl_member_is_zero(spec, "policyTypes")) {
        struct yl_node *types = yl_node_new_array(arena);

        yl_node_append(types, yl_node_new_string(arena, YL_STR("Ingress")));
        if (!yl_member_is_zero(spec, "egress")) {
            yl_node_append(types,
                           yl_node_new_string(arena, YL_STR("Egress")));
        }
        yl_member_set(arena, spec, "policyTypes", types);
    }
}

void
yl_network_policy_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");

    yl_check_object_meta(c, object, &rule);
    check_spec(c, &spec);
}

void
yl_network_policy_validate_update(struct yl_check *c,
                                  const struct yl_node *object,
                                  const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");

    yl_check_object_meta_update(c, object, old, &rule);
    check_spec(c, &spec);
}

static void
default_ports(struct yl_arena *arena, struct yl_node *spec,
              const char *direction)
{
    struct yl_node *one, *port;

    YL_MEMBER_EACH (one, spec, direction) {
        YL_MEMBER_EACH (port, one, "ports") {
            yl_member_default_str_ptr(arena, port, "protocol", "TCP");
        }
    }
}

static void
check_spec(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const supported[] = { "Ingress", "Egress", NULL };
    struct yl_at selector = yl_at(spec, "podSelector");
    struct yl_at types = yl_at(spec, "policyTypes");

    yl_check_label_selector(c, &selector);
    check_direction(c, spec, "ingress", "from");
    check_direction(c, spec, "egress", "to");
    if (yl_at_count(&types) > 2) {
        yl_field_invalid(c->err, yl_at_path(&types), yl_bad_at(&types),
                         "may not specify more than two policyTypes");
        return;
    }
    YL_CHECK_FOR_EACH (c, type, &types) {
        yl_check_one_of(c, &type, supported);
    }
}

static void
check_direction(struct yl_check *c, const struct yl_at *spec,
                const char *direction, const char *peers)
{
    struct yl_at rules = yl_at(spec, direction);

    YL_CHECK_FOR_EACH (c, one, &rules) {
        struct yl_at ports = yl_at(&one, "ports");
        struct yl_at all = yl_at(&one, peers);

        YL_CHECK_FOR_EACH (c, port, &ports) {
            check_port(c, &port);
        }
        YL_CHECK_FOR_EACH (c, peer, &all) {
            check_peer(c, &peer);
        }
    }
}

static void
check_port(struct yl_check *c, const struct yl_at *port)
{
    static const char *const protocols[] = { "TCP", "UDP", "SCTP", NULL };
    struct yl_at protocol = yl_at(port, "protocol");
    struct yl_at number = yl_at(port, "port");
    struct yl_at end = yl_at(port, "endPort");
    const char *why = NULL;

    if (yl_at_has(&protocol)) {
        yl_check_one_of(c, &protocol, protocols);
    }
    if (!yl_at_has(&number)) {
        why = "may not be specified when `port` is not specified";
    } else if (number.node->type != YL_JSON_NUMBER) {
        why = "may not be specified when `port` is non-numeric";
    }
    if (why && yl_at_has(&end)) {
        yl_field_invalid(c->err, yl_at_path(&end),
                         yl_bad_int(yl_at_int(&end)), "%s", why);
    }
    if (!yl_at_has(&number)) {
        return;
    }
    if (number.node->type == YL_JSON_NUMBER) {
        yl_check_range(c, &number, 1, 65535);
        if (yl_at_has(&end)) {
            check_end_port(c, &number, &end);
        }
    } else {
        yl_check_name(c, &number, YL_NAME_PORT);
    }
}

/* Upstream's error for endPort shows the value of port, and so does this
 * one. */
static void
check_end_port(struct yl_check *c, const struct yl_at *port,
               const struct yl_at *end)
{
    if (yl_at_int(end) < yl_at_int(port)) {
        yl_field_invalid(c->err, yl_at_path(end), yl_bad_int(yl_at_int(port)),
                         "must be greater than or equal to `port`");
    }
    yl_check_range(c, end, 1, 65535);
}

static void
check_peer(struct yl_check *c, const struct yl_at *peer)
{
    struct yl_at pods = yl_at(peer, "podSelector");
    struct yl_at namespaces = yl_at(peer, "namespaceSelector");
    struct yl_at block = yl_at(peer, "ipBlock");
    bool selects = yl_at_has(&pods) || yl_at_has(&namespaces);

    yl_check_label_selector(c, &pods);
    yl_check_label_selector(c, &namespaces);
    if (yl_at_has(&block)) {
        check_block(c, &block);
    }
    if (!selects && !yl_at_has(&block)) {
        yl_field_required(c->err, yl_at_path(peer), "must specify a peer");
    } else if (selects && yl_at_has(&block)) {
        yl_field_forbidden(c->err, yl_at_path(peer),
                           "may not specify both ipBlock and another peer");
    }
}

static void
check_block(struct yl_check *c, const struct yl_at *block)
{
    struct yl_at cidr = yl_at(block, "cidr");
    struct yl_at except = yl_at(block, "except");
    struct yl_ip ip, other;
    unsigned bits, other_bits;

    if (!yl_check_required(c, &cidr)) {
        return;
    }
    yl_check_cidr(c, &cidr);
    if (!yl_cidr_parse(yl_at_str(c, &cidr), &ip, &bits)) {
        return;
    }
    YL_CHECK_FOR_EACH (c, hole, &except) {
        yl_check_cidr(c, &hole);
        if (yl_cidr_parse(yl_at_str(c, &hole), &other, &other_bits)
            && (!contains(&ip, bits, &other) || bits >= other_bits)) {
            yl_field_invalid(c->err, yl_at_path(&hole), yl_bad_str(c, &hole),
                             "must be a strict subset of `cidr`");
        }
    }
}

static bool
contains(const struct yl_ip *ip, unsigned bits, const struct yl_ip *other)
{
    unsigned whole = bits / 8, rest = bits % 8;

    if (ip->family != other->family
        || memcmp(ip->bytes, other->bytes, whole)) {
        return false;
    }
    return !rest
           || !((ip->bytes[whole] ^ other->bytes[whole]) >> (8 - rest));
}
