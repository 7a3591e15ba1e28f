/* IPAddress and ServiceCIDR: validation, updates. */

#include "builtin/common/meta.h"
#include "builtin/go/go_value.h"
#include "builtin/network/ip.h"
#include "builtin/rows.h"
#include "gen/networking_v1_go.h"

static const struct yl_meta_rule address_rule =
    { YL_NAME_PATH_SEGMENT, false, false };
static const struct yl_meta_rule cidr_rule =
    { YL_NAME_DNS1123_SUBDOMAIN, false, false };

static void check_cidrs(struct yl_check *, const struct yl_at *spec);
static int family_of(const struct yl_check *, const struct yl_at *cidr);

/* The name of an IPAddress is the address itself. */
void
yl_ip_address_validate(struct yl_check *c, const struct yl_node *object)
{
    static const char *const required[] = { "resource", "name" };
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at own_name = yl_at(&metadata, "name");
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at parent = yl_at(&spec, "parentRef");
    struct yl_at group = yl_at(&parent, "group");
    struct yl_at namespace = yl_at(&parent, "namespace");
    size_t i;

    yl_check_object_meta(c, object, &address_rule);
    if (!yl_at_is(&own_name, "")) {
        yl_check_ip_strict(c, &own_name);
    }
    if (!yl_check_required(c, &parent)) {
        return;
    }
    if (!yl_at_is(&group, "")) {
        yl_check_name(c, &group, YL_NAME_DNS1123_SUBDOMAIN);
    }
    for (i = 0; i < YL_ARRAY_SIZE(required); i++) {
        struct yl_at name = yl_at(&parent, required[i]);

        if (yl_check_required(c, &name)) {
            yl_check_name(c, &name, YL_NAME_PATH_SEGMENT);
        }
    }
    if (!yl_at_is(&namespace, "")) {
        yl_check_name(c, &namespace, YL_NAME_PATH_SEGMENT);
    }
}

void
yl_ip_address_validate_update(struct yl_check *c,
                              const struct yl_node *object,
                              const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");
    struct yl_at parent = yl_at(&spec, "parentRef");
    struct yl_at was = yl_at(&then, "parentRef");

    yl_ip_address_validate(c, object);
    yl_check_object_meta_update(c, object, old, &address_rule);
    if (!yl_node_same(parent.node, was.node)) {
        yl_field_invalid(c->err, yl_at_path(&parent),
                         yl_at_has(&parent)
                             ? yl_bad_struct(c, parent.node,
                                             YL_GO(networking_v1,
                                                   parent_reference))
                             : yl_bad_node(NULL), YL_IMMUTABLE);
    }
}

void
yl_service_cidr_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");

    yl_check_object_meta(c, object, &cidr_rule);
    check_cidrs(c, &spec);
}

/* A range of the second family may be added; nothing else may change. */
void
yl_service_cidr_validate_update(struct yl_check *c,
                                const struct yl_node *object,
                                const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");
    struct yl_at cidrs = yl_at(&spec, "cidrs");
    struct yl_at was = yl_at(&then, "cidrs");
    size_t n = yl_at_count(&cidrs), n_old = yl_at_count(&was);
    bool joins = n_old == 1 && n == 2;

    yl_check_object_meta_update(c, object, old, &cidr_rule);
    if (n != n_old && !joins) {
        yl_field_invalid(c->err, yl_at_path(&cidrs), yl_bad_at(&cidrs),
                         YL_IMMUTABLE);
        return;
    }
    if (n_old) {
        struct yl_at now = yl_at_first(&cidrs);

        YL_CHECK_FOR_EACH (c, one, &was) {
            yl_check_immutable(c, &now, one.node);
            yl_at_next(&now);
        }
    }
    if (joins) {
        check_cidrs(c, &spec);
    }
}

void
yl_service_cidr_validate_status(struct yl_check *c,
                                const struct yl_node *object,
                                const struct yl_node *old)
{
    yl_check_object_meta_update(c, object, old, &cidr_rule);
}

static void
check_cidrs(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at cidrs = yl_at(spec, "cidrs");
    size_t n = yl_at_count(&cidrs);
    struct yl_at first, second;

    if (!n) {
        yl_field_required(c->err, yl_at_path(&cidrs),
                          "at least one CIDR required");
        return;
    }
    if (n > 2) {
        yl_field_invalid(c->err, yl_at_path(&cidrs),
                         yl_bad_struct(c, spec->node,
                                       YL_GO(networking_v1,
                                             service_cidr_spec)),
                         "may only hold up to 2 values");
        return;
    }
    YL_CHECK_FOR_EACH (c, cidr, &cidrs) {
        yl_check_cidr_strict(c, &cidr);
    }
    first = yl_at_first(&cidrs);
    second = first;
    if (n == 2) {
        yl_at_next(&second);
        if (family_of(c, &first)
            && family_of(c, &first) == family_of(c, &second)) {
            yl_field_invalid(c->err, yl_at_path(&cidrs),
                             yl_bad_at(&cidrs),
                             "may specify no more than one IP for each IP "
                             "family, i.e 192.168.0.0/24 and 2001:db8::/64");
        }
    }
}

/* 4 or 6, or 0 if it is not a range. */
static int
family_of(const struct yl_check *c, const struct yl_at *cidr)
{
    struct yl_ip ip;
    unsigned bits;

    return yl_cidr_parse(yl_at_str(c, cidr), &ip, &bits) ? ip.family : 0;
}
