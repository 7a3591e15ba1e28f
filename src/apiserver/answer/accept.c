/* Negotiation.  See apiserver/answer/accept.h for the contract. */

#include "apiserver/answer/accept.h"

#include "apiserver/request.h"
#include "yuloh/error.h"

/* How many clauses of a header are read. */
#define MAX_CLAUSES 64

struct clause {
    struct yl_str type;
    struct yl_str subtype;
    struct yl_str params;       /* What follows the first semicolon. */
    double q;
    bool bare;                  /* It is only a "*". */
};

static size_t read_clauses(struct yl_str header,
                           struct clause clauses[MAX_CLAUSES]);
static size_t sorted_clauses(struct yl_str header,
                             struct clause clauses[MAX_CLAUSES]);
static bool comes_before(const struct clause *, const struct clause *);
static bool is_any(struct yl_str part);
static bool has_type_of_ours(const struct clause *, size_t n_clauses);
static bool accepts(const struct clause *, unsigned flags, struct yl_accept *,
                    bool *ret_type_known);

int
yl_accept_parse(struct yl_str header, unsigned flags,
                struct yl_accept *ret_accept, bool *ret_type_known)
{
    struct clause clauses[MAX_CLAUSES];
    size_t n, i;

    *ret_accept = (struct yl_accept) { .form = YL_FORM_OBJECT };
    *ret_type_known = false;
    if (yl_str_is_empty(header)) {
        return 0;
    }
    n = sorted_clauses(header, clauses);
    if (!(flags & YL_ACCEPT_ANY_SUBTYPE) && !has_type_of_ours(clauses, n)) {
        return YL_ENOTACCEPTABLE;
    }
    for (i = 0; i < n; i++) {
        if (accepts(&clauses[i], flags, ret_accept, ret_type_known)) {
            return 0;
        }
    }
    return YL_ENOTACCEPTABLE;
}

int
yl_accept_choose(struct yl_str header, const char *const *media_types,
                 size_t n_types)
{
    struct clause clauses[MAX_CLAUSES];
    size_t n = sorted_clauses(yl_str_is_empty(header) ? YL_STR("*/*")
                                                      : header, clauses);

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n_types; j++) {
            struct yl_str type, subtype;

            yl_str_cut(yl_str_c(media_types[j]), '/', &type, &subtype);
            if ((is_any(clauses[i].type)
                 || yl_str_equal(clauses[i].type, type))
                && (is_any(clauses[i].subtype)
                    || yl_str_equal(clauses[i].subtype, subtype))) {
                return (int) j;
            }
        }
    }
    return YL_ENOTACCEPTABLE;
}

bool
yl_accept_is_pretty(struct yl_str pretty, struct yl_str user_agent)
{
    static const char *const yes[] = { "1", "t", "T", "true", "TRUE", "True" };
    size_t i;

    if (!yl_str_is_empty(pretty)) {
        for (i = 0; i < YL_ARRAY_SIZE(yes); i++) {
            if (yl_str_equal_c(pretty, yes[i])) {
                return true;
            }
        }
        return false;
    }
    return yl_str_starts_with(user_agent, YL_STR("curl"))
           || yl_str_starts_with(user_agent, YL_STR("Wget"))
           || yl_str_starts_with(user_agent, YL_STR("Mozilla/5.0"));
}

/* Removes the part before 'separator' from '*rest'; false at the end. */
static bool
next_part(struct yl_str *rest, char separator, struct yl_str *ret_part)
{
    if (!rest->size) {
        return false;
    }
    if (!yl_str_cut(*rest, separator, ret_part, rest)) {
        *ret_part = *rest;
        *rest = yl_str_null();
    }
    *ret_part = yl_str_trim(*ret_part);
    return true;
}

/* "0.5" to 0.5; what is no number is 0. */
static double
read_q(struct yl_str text)
{
    double q = 0, unit = 1;
    size_t i = 0;

    for (; i < text.size && text.data[i] >= '0' && text.data[i] <= '9'; i++) {
        q = q * 10 + (text.data[i] - '0');
    }
    if (i < text.size && text.data[i] == '.') {
        for (i++; i < text.size && text.data[i] >= '0'
                  && text.data[i] <= '9'; i++) {
            unit /= 10;
            q += unit * (text.data[i] - '0');
        }
    }
    return text.size && i == text.size ? q : 0;
}

static size_t
read_clauses(struct yl_str header, struct clause clauses[MAX_CLAUSES])
{
    struct yl_str text;
    size_t n = 0;

    while (n < MAX_CLAUSES && next_part(&header, ',', &text)) {
        struct clause *c = &clauses[n];
        struct yl_str media, params = text, part, name, value;

        if (!next_part(&params, ';', &media)) {
            continue;
        }
        *c = (struct clause) { .params = params, .q = 1 };
        if (!yl_str_cut(media, '/', &c->type, &c->subtype)) {
            if (!yl_str_equal(media, YL_STR("*"))) {
                continue;
            }
            c->type = c->subtype = media;
            c->bare = true;
        }
        while (next_part(&params, ';', &part)) {
            if (yl_str_cut(part, '=', &name, &value)
                && yl_str_equal(name, YL_STR("q"))) {
                c->q = read_q(yl_str_trim(value));
            }
        }
        n++;
    }
    return n;
}

static size_t
sorted_clauses(struct yl_str header, struct clause clauses[MAX_CLAUSES])
{
    size_t n = read_clauses(header, clauses);

    for (size_t i = 1; i < n; i++) {
        struct clause moved = clauses[i];
        size_t at = i;

        while (at && comes_before(&moved, &clauses[at - 1])) {
            clauses[at] = clauses[at - 1];
            at--;
        }
        clauses[at] = moved;
    }
    return n;
}

static bool
is_any(struct yl_str part)
{
    return yl_str_equal(part, YL_STR("*"));
}

static bool
comes_before(const struct clause *a, const struct clause *b)
{
    return a->q > b->q
           || (a->q == b->q
               && ((!is_any(a->type) && is_any(b->type))
                   || (!is_any(a->subtype) && is_any(b->subtype))));
}

/* Reads the parameters that ask for another form; false if the combination is
 * not valid. */
static bool
accepts_params(struct yl_str params, unsigned flags, struct yl_accept *accept)
{
    struct yl_str part, name, value, as = yl_str_null(),
                  group = yl_str_null(), version = yl_str_null();

    while (next_part(&params, ';', &part)) {
        if (!yl_str_cut(part, '=', &name, &value) || !value.size
            || memchr(value.data, '=', value.size)) {
            continue;
        }
        if (yl_str_equal(name, YL_STR("stream"))) {
            if (accept->yaml || !yl_str_equal(value, YL_STR("watch"))) {
                return false;
            }
        } else if (yl_str_equal(name, YL_STR("sv"))) {
            if (!yl_str_equal(value, YL_STR("v1"))) {
                return false;
            }
        } else if (yl_str_equal(name, YL_STR("as"))) {
            as = value;
        } else if (yl_str_equal(name, YL_STR("g"))) {
            group = value;
        } else if (yl_str_equal(name, YL_STR("v"))) {
            version = value;
        } else if (yl_str_equal(name, YL_STR("pretty"))) {
            accept->pretty = yl_str_equal(value, YL_STR("1"));
        }
    }
    if (flags & YL_ACCEPT_AGGREGATED) {
        return yl_str_equal(group, YL_STR("apidiscovery.k8s.io"))
               && yl_str_equal(version, YL_STR("v2"))
               && yl_str_equal(as, YL_STR("APIGroupDiscoveryList"));
    }
    if (yl_str_is_null(as) && yl_str_is_null(group)
        && yl_str_is_null(version)) {
        return true;
    }
    if (!(flags & YL_ACCEPT_FORMS)
        || !yl_str_equal(group, YL_STR("meta.k8s.io"))) {
        return false;
    }
    accept->v1beta1 = yl_str_equal(version, YL_STR("v1beta1"));
    if (!accept->v1beta1 && !yl_str_equal(version, YL_STR("v1"))) {
        return false;
    }
    accept->list = yl_str_equal(as, YL_STR("PartialObjectMetadataList"));
    if (yl_str_equal(as, YL_STR("Table"))) {
        if (!(flags & YL_ACCEPT_TABLE)) {
            return false;
        }
        accept->form = YL_FORM_TABLE;
    } else if (accept->list
               || yl_str_equal(as, YL_STR("PartialObjectMetadata"))) {
        accept->form = YL_FORM_PARTIAL;
    } else {
        return false;
    }
    return true;
}

/* Upstream's router first looks for a media type that it knows by name, or for
 * the wildcard for all types, before the negotiation starts. */
static bool
has_type_of_ours(const struct clause *clauses, size_t n_clauses)
{
    size_t i;

    for (i = 0; i < n_clauses; i++) {
        const struct clause *c = &clauses[i];

        if (is_any(c->type) ? is_any(c->subtype) && !c->bare
            : yl_str_equal(c->type, YL_STR("application"))
              && (yl_str_equal(c->subtype, YL_STR("json"))
                  || yl_str_equal(c->subtype, YL_STR("yaml"))
                  || yl_str_equal(c->subtype,
                                  YL_STR("vnd.kubernetes.protobuf")))) {
            return true;
        }
    }
    return false;
}

static bool
has_protobuf(const struct yl_accept *accept, unsigned flags)
{
    return accept->form == YL_FORM_PARTIAL
           || (accept->form == YL_FORM_OBJECT && flags & YL_ACCEPT_PROTOBUF);
}

static bool
accepts(const struct clause *c, unsigned flags, struct yl_accept *ret_accept,
        bool *ret_type_known)
{
    struct yl_accept accept = { .form = YL_FORM_OBJECT };

    if (is_any(c->type) && is_any(c->subtype)) {
        accept.yaml = false;
    } else if (!yl_str_equal(c->type, YL_STR("application"))) {
        return false;
    } else if (yl_str_equal(c->subtype, YL_STR("yaml"))) {
        accept.yaml = true;
    } else if (yl_str_equal(c->subtype,
                            YL_STR("vnd.kubernetes.protobuf"))) {
        accept.protobuf = true;
    } else if (!yl_str_equal(c->subtype, YL_STR("json"))
               && !(flags & YL_ACCEPT_ANY_SUBTYPE && is_any(c->subtype))) {
        return false;
    }
    *ret_type_known = true;
    if (!accepts_params(c->params, flags, &accept)
        || (accept.protobuf && !has_protobuf(&accept, flags))) {
        return false;
    }
    *ret_accept = accept;
    return true;
}
