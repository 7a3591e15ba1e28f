/* Group, version, kind, resource.  See yuloh/gvk.h for the contract. */

#include "yuloh/gvk.h"

#include "base/hash.h"
#include "yuloh/arena.h"

/* A version in Kubernetes' own form, "v1beta2". */
enum stage {
    ALPHA,
    BETA,
    GA,
};

struct kube_version {
    enum stage stage;
    long long major;
    long long minor;            /* 0 for GA. */
};

static bool parse_version(struct yl_str, struct kube_version *);
static size_t count_digits(struct yl_str);
static struct yl_str join(struct yl_arena *, const struct yl_str *parts,
                          size_t n_parts);
static int gv_compare(struct yl_gv, struct yl_gv);
static size_t hash(struct yl_gv, struct yl_str name);

int
yl_gv_parse(struct yl_str api_version, struct yl_gv *ret_gv,
            struct yl_error *err)
{
    struct yl_gv gv = { YL_STR(""), api_version };

    if (yl_str_cut(api_version, '/', &gv.group, &gv.version)
        && yl_str_find_char(gv.version, '/')) {
        return yl_error_set(err, YL_EINVALID,
                            "unexpected GroupVersion string: %.*s",
                            YL_STR_ARG(api_version));
    }
    *ret_gv = gv;
    return 0;
}

int
yl_gvk_parse(struct yl_str api_version, struct yl_str kind,
             struct yl_gvk *ret_gvk, struct yl_error *err)
{
    struct yl_gv gv;
    int r = yl_gv_parse(api_version, &gv, err);

    if (r == 0) {
        ret_gvk->group = gv.group;
        ret_gvk->version = gv.version;
        ret_gvk->kind = kind;
    }
    return r;
}

struct yl_str
yl_gv_api_version(struct yl_gv gv, struct yl_arena *arena)
{
    struct yl_str parts[] = { gv.group, YL_STR("/"), gv.version };

    return gv.group.size ? join(arena, parts, 3) : join(arena, parts + 2, 1);
}

struct yl_str
yl_gvk_text(struct yl_gvk gvk, struct yl_arena *arena)
{
    struct yl_str parts[] = { gvk.group, YL_STR("/"), gvk.version,
                              YL_STR(", Kind="), gvk.kind };

    return join(arena, parts, YL_ARRAY_SIZE(parts));
}

struct yl_str
yl_gvr_text(struct yl_gvr gvr, struct yl_arena *arena)
{
    struct yl_str parts[] = { gvr.group, YL_STR("/"), gvr.version,
                              YL_STR(", Resource="), gvr.resource };

    return join(arena, parts, YL_ARRAY_SIZE(parts));
}

struct yl_str
yl_gvk_short_text(struct yl_gvk gvk, struct yl_arena *arena)
{
    struct yl_str parts[] = { gvk.kind, YL_STR("."), gvk.group };

    return join(arena, parts, gvk.group.size ? 3 : 1);
}

struct yl_str
yl_gvr_short_text(struct yl_gvr gvr, struct yl_arena *arena)
{
    struct yl_str parts[] = { gvr.resource, YL_STR("."), gvr.group };

    return join(arena, parts, gvr.group.size ? 3 : 1);
}

int
yl_gvk_compare(struct yl_gvk a, struct yl_gvk b)
{
    int c = gv_compare(yl_gvk_gv(a), yl_gvk_gv(b));

    return c ? c : yl_str_compare(a.kind, b.kind);
}

int
yl_gvr_compare(struct yl_gvr a, struct yl_gvr b)
{
    int c = gv_compare(yl_gvr_gv(a), yl_gvr_gv(b));

    return c ? c : yl_str_compare(a.resource, b.resource);
}

size_t
yl_gvk_hash(struct yl_gvk gvk)
{
    return hash(yl_gvk_gv(gvk), gvk.kind);
}

size_t
yl_gvr_hash(struct yl_gvr gvr)
{
    return hash(yl_gvr_gv(gvr), gvr.resource);
}

int
yl_version_compare(struct yl_str a, struct yl_str b)
{
    struct kube_version va, vb;
    bool a_is_kube = parse_version(a, &va);
    bool b_is_kube = parse_version(b, &vb);

    if (!a_is_kube || !b_is_kube) {
        return a_is_kube ? 1 : b_is_kube ? -1 : yl_str_compare(b, a);
    } else if (va.stage != vb.stage) {
        return va.stage > vb.stage ? 1 : -1;
    } else if (va.major != vb.major) {
        return va.major > vb.major ? 1 : -1;
    }
    return (va.minor > vb.minor) - (va.minor < vb.minor);
}

static bool
parse_version(struct yl_str s, struct kube_version *ret_version)
{
    struct kube_version version = { GA, 0, 0 };
    size_t n_digits;

    if (!yl_str_starts_with(s, YL_STR("v"))) {
        return false;
    }
    s = yl_str_skip(s, 1);
    n_digits = count_digits(s);
    if (yl_str_to_i64(yl_str_n(s.data, n_digits), &version.major) < 0) {
        return false;
    }
    s = yl_str_skip(s, n_digits);
    if (s.size) {
        bool alpha = yl_str_starts_with(s, YL_STR("alpha"));

        if (!alpha && !yl_str_starts_with(s, YL_STR("beta"))) {
            return false;
        }
        version.stage = alpha ? ALPHA : BETA;
        s = yl_str_skip(s, alpha ? 5 : 4);
        if (count_digits(s) != s.size
            || yl_str_to_i64(s, &version.minor) < 0) {
            return false;
        }
    }
    *ret_version = version;
    return true;
}

static size_t
count_digits(struct yl_str s)
{
    size_t n = 0;

    while (n < s.size && s.data[n] >= '0' && s.data[n] <= '9') {
        n++;
    }
    return n;
}

static struct yl_str
join(struct yl_arena *arena, const struct yl_str *parts, size_t n_parts)
{
    size_t size = 0;
    char *text, *p;
    size_t i;

    for (i = 0; i < n_parts; i++) {
        size += parts[i].size;
    }
    p = text = yl_arena_alloc(arena, size + 1);
    for (i = 0; i < n_parts; i++) {
        if (parts[i].size) {
            memcpy(p, parts[i].data, parts[i].size);
            p += parts[i].size;
        }
    }
    *p = '\0';
    return yl_str_n(text, size);
}

static int
gv_compare(struct yl_gv a, struct yl_gv b)
{
    int c = yl_str_compare(a.group, b.group);

    return c ? c : yl_str_compare(a.version, b.version);
}

static size_t
hash(struct yl_gv gv, struct yl_str name)
{
    uint64_t h = yl_hash_str(gv.group);

    h = h * 31 + yl_hash_str(gv.version);
    return yl_hash_u64(h * 31 + yl_hash_str(name));
}
