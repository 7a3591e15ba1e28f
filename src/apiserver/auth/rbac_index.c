/* RBAC's index.  See apiserver/auth/rbac_index.h.
 *
 * Three maps: roles by namespace and name, bindings by the same, and subjects
 * by scope and name.  A subject holds a list of the bindings that name it, so
 * that a binding can be removed without walking over the other bindings of a
 * popular group.
 *
 * A ServiceAccount is stored under the name of the user that it authenticates
 * as. */

#include "apiserver/auth/rbac_index.h"

#include <stdint.h>
#include <stdlib.h>

#include "apiserver/auth/authorize.h"
#include "apiserver/auth/rbac_source.h"
#include "apiserver/auth/user.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/list.h"
#include "base/map.h"
#include "base/quote.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/object.h"

#define MAX_REASON ((size_t) 64 << 10)

struct role {
    struct yl_map_node node;    /* In yl_rbac_index' 'roles'. */
    struct yl_object *object;   /* Its key is the map's. */
    struct yl_policy *rules;
    bool aggregates;
};

/* A user or a group, in one namespace or (empty) in all of them. */
struct subject {
    struct yl_map_node node;    /* In yl_rbac_index' 'subjects'. */
    struct yl_list mentions;    /* Of struct mention. */
    bool is_group;
    struct yl_str namespace_;   /* Both behind the struct. */
    struct yl_str name;
};

/* One subject in a binding. */
struct mention {
    struct yl_list node;        /* In subject's 'mentions'. */
    struct subject *subject;
    struct binding *binding;
    uint32_t position;          /* Among the binding's subjects. */
};

struct binding {
    struct yl_map_node node;    /* In yl_rbac_index' 'bindings'. */
    struct yl_rbac_binding *source;
    size_t n_mentions;
    struct mention mentions[];
};

struct yl_rbac_index {
    struct yl_map roles;
    struct yl_map bindings;
    struct yl_map subjects;
};

/* A binding that applies to a user. */
struct match {
    const struct binding *binding;
    uint32_t position;          /* Of the first subject that is the user. */
};

/* A walk over all mentions of a user and of its groups in one scope. */
struct walk {
    const struct yl_rbac_index *index;
    const struct yl_user *user;
    struct yl_str namespace_;
    size_t next;                /* Group to look up; after the user itself. */
    bool started;
    const struct subject *subject;
    const struct mention *at;
};

static bool is_role(enum yl_rbac_kind);
static size_t hash_key(struct yl_str namespace_, struct yl_str name);
static size_t hash_subject(bool is_group, struct yl_str namespace_,
                           struct yl_str name);
static struct role *find_role(const struct yl_rbac_index *,
                              struct yl_str namespace_, struct yl_str name);
static struct binding *find_binding(const struct yl_rbac_index *,
                                    struct yl_str namespace_,
                                    struct yl_str name);
static struct subject *find_subject(const struct yl_rbac_index *,
                                    bool is_group, struct yl_str namespace_,
                                    struct yl_str name);
static void put_role(struct yl_rbac_index *, const struct yl_object *);
static void put_binding(struct yl_rbac_index *, const struct yl_object *);
static void drop_role(struct yl_rbac_index *, struct role *);
static void drop_binding(struct yl_rbac_index *, struct binding *);
static struct subject *subject_for(struct yl_rbac_index *,
                                   const struct yl_rbac_binding *,
                                   const struct yl_rbac_subject *);
static const struct mention *walk_next(struct walk *);
static const struct role *role_of(const struct yl_rbac_index *,
                                  const struct binding *);
static const struct yl_policy_rule *first_that_allows(const struct role *,
                                               const struct yl_attributes *);
static const struct match *collect(const struct yl_rbac_index *,
                                   const struct yl_user *,
                                   struct yl_str namespace_,
                                   struct yl_arena *, size_t *ret_n);
static void describe(const struct match *, struct yl_buf *);
static void describe_missing(const struct binding *, struct yl_buf *);
static struct yl_str join_errors(struct yl_arena *, const struct yl_str *,
                                 size_t n);
static struct yl_policy copy_rules(struct yl_arena *, struct yl_policy);

struct yl_rbac_index *
yl_rbac_index_new(void)
{
    return yl_zalloc(sizeof(struct yl_rbac_index));
}

void
yl_rbac_index_free(struct yl_rbac_index *index)
{
    int kind;

    if (index) {
        for (kind = 0; kind < YL_N_RBAC_KINDS; kind++) {
            yl_rbac_index_clear(index, (enum yl_rbac_kind) kind);
        }
        yl_map_release(&index->roles);
        yl_map_release(&index->bindings);
        yl_map_release(&index->subjects);
        free(index);
    }
}

void
yl_rbac_index_put(struct yl_rbac_index *index, enum yl_rbac_kind kind,
                  const struct yl_object *object)
{
    yl_rbac_index_remove(index, kind, yl_object_key(object));
    if (is_role(kind)) {
        put_role(index, object);
    } else {
        put_binding(index, object);
    }
}

void
yl_rbac_index_remove(struct yl_rbac_index *index, enum yl_rbac_kind kind,
                     struct yl_key key)
{
    if (is_role(kind)) {
        drop_role(index, find_role(index, key.namespace_, key.name));
    } else {
        drop_binding(index, find_binding(index, key.namespace_, key.name));
    }
}

void
yl_rbac_index_clear(struct yl_rbac_index *index, enum yl_rbac_kind kind)
{
    bool namespaced = kind == YL_RBAC_ROLE || kind == YL_RBAC_ROLE_BINDING;

    if (is_role(kind)) {
        struct role *role;

        YL_MAP_FOR_EACH_SAFE (role, node, &index->roles) {
            if (namespaced == !yl_str_is_empty(
                                  yl_object_namespace(role->object))) {
                drop_role(index, role);
            }
        }
    } else {
        struct binding *binding;

        YL_MAP_FOR_EACH_SAFE (binding, node, &index->bindings) {
            if (namespaced
                == !yl_str_is_empty(binding->source->namespace_)) {
                drop_binding(index, binding);
            }
        }
    }
}

bool
yl_rbac_index_authorize(const struct yl_rbac_index *index,
                        const struct yl_attributes *attributes,
                        struct yl_arena *arena, struct yl_str *ret_reason)
{
    struct yl_str namespace_ = attributes->is_resource
                               ? attributes->namespace_ : yl_str_null();
    const struct match *matches;
    struct yl_str *errors;
    size_t n, i, n_errors = 0;

    if (!ret_reason) {
        struct walk walk = { .index = index, .user = attributes->user };
        const struct mention *mention;
        int scope;

        for (scope = 0; scope < 2; scope++) {
            while ((mention = walk_next(&walk)) != NULL) {
                if (first_that_allows(role_of(index, mention->binding),
                                      attributes)) {
                    return true;
                }
            }
            if (yl_str_is_empty(namespace_)) {
                break;
            }
            walk = (struct walk) { .index = index, .user = attributes->user,
                                   .namespace_ = namespace_ };
        }
        return false;
    }

    matches = collect(index, attributes->user, namespace_, arena, &n);
    errors = yl_arena_array(arena, n, sizeof *errors);
    for (i = 0; i < n; i++) {
        const struct role *role = role_of(index, matches[i].binding);
        bool allowed = first_that_allows(role, attributes) != NULL;
        struct yl_buf text;

        if (role && !allowed) {
            continue;
        }
        yl_buf_init(&text, MAX_REASON);
        if (allowed) {
            describe(&matches[i], &text);
            *ret_reason = yl_arena_copy(arena, yl_buf_str(&text));
        } else {
            describe_missing(matches[i].binding, &text);
            errors[n_errors++] = yl_arena_copy(arena, yl_buf_str(&text));
        }
        yl_buf_release(&text);
        if (allowed) {
            return true;
        }
    }
    *ret_reason = n_errors == 0 ? YL_STR("")
                  : yl_str_c(yl_arena_printf(
                      arena, "RBAC: %.*s",
                      YL_STR_ARG(join_errors(arena, errors, n_errors))));
    return false;
}

struct yl_policy
yl_rbac_index_rules(const struct yl_rbac_index *index,
                    const struct yl_user *user, struct yl_str namespace_,
                    struct yl_arena *arena, struct yl_str *ret_errors)
{
    size_t n, i, n_rules = 0, n_errors = 0;
    const struct match *matches = collect(index, user, namespace_, arena, &n);
    struct yl_str *errors = yl_arena_array(arena, n, sizeof *errors);
    struct yl_policy_rule *all;

    for (i = 0; i < n; i++) {
        const struct role *role = role_of(index, matches[i].binding);

        n_rules += role ? role->rules->n : 0;
    }
    all = yl_arena_array(arena, n_rules, sizeof *all);
    for (n_rules = i = 0; i < n; i++) {
        const struct role *role = role_of(index, matches[i].binding);

        if (role && role->rules->n) {
            memcpy(&all[n_rules], role->rules->all,
                   role->rules->n * sizeof *all);
            n_rules += role->rules->n;
        } else if (!role) {
            struct yl_buf text;

            yl_buf_init(&text, MAX_REASON);
            describe_missing(matches[i].binding, &text);
            errors[n_errors++] = yl_arena_copy(arena, yl_buf_str(&text));
            yl_buf_release(&text);
        }
    }
    *ret_errors = join_errors(arena, errors, n_errors);
    return copy_rules(arena, (struct yl_policy) { all, n_rules });
}

int
yl_rbac_index_role(const struct yl_rbac_index *index,
                   struct yl_str namespace_, struct yl_str name,
                   struct yl_arena *arena, struct yl_policy *ret_rules)
{
    const struct role *role = find_role(index, namespace_, name);

    if (!role) {
        return YL_ENOTFOUND;
    }
    *ret_rules = copy_rules(arena, *role->rules);
    return 0;
}

static int
compare_cluster_roles(const void *a_, const void *b_)
{
    const struct yl_rbac_cluster_role *a = a_, *b = b_;

    return yl_str_compare(yl_object_name(a->object),
                          yl_object_name(b->object));
}

const struct yl_rbac_cluster_role *
yl_rbac_index_cluster_roles(const struct yl_rbac_index *index,
                            struct yl_arena *arena, size_t *ret_n)
{
    struct yl_rbac_cluster_role *all
        = yl_arena_array(arena, yl_map_count(&index->roles), sizeof *all);
    const struct role *role;
    size_t n = 0;

    YL_MAP_FOR_EACH (role, node, &index->roles) {
        if (yl_str_is_empty(yl_object_namespace(role->object))) {
            all[n].object = role->object;
            all[n].rules = *role->rules;
            all[n++].aggregates = role->aggregates;
        }
    }
    qsort(all, n, sizeof *all, compare_cluster_roles);
    *ret_n = n;
    return all;
}

static bool
is_role(enum yl_rbac_kind kind)
{
    return kind == YL_RBAC_CLUSTER_ROLE || kind == YL_RBAC_ROLE;
}

static size_t
hash_key(struct yl_str namespace_, struct yl_str name)
{
    return yl_hash_u64(yl_hash_str(namespace_) + 31 * yl_hash_str(name));
}

static size_t
hash_subject(bool is_group, struct yl_str namespace_, struct yl_str name)
{
    return hash_key(namespace_, name) + is_group;
}

static struct role *
find_role(const struct yl_rbac_index *index, struct yl_str namespace_,
          struct yl_str name)
{
    struct role *role;

    YL_MAP_FOR_EACH_WITH_HASH (role, node, hash_key(namespace_, name),
                               &index->roles) {
        if (yl_str_equal(yl_object_name(role->object), name)
            && yl_str_equal(yl_object_namespace(role->object), namespace_)) {
            return role;
        }
    }
    return NULL;
}

static struct binding *
find_binding(const struct yl_rbac_index *index, struct yl_str namespace_,
             struct yl_str name)
{
    struct binding *binding;

    YL_MAP_FOR_EACH_WITH_HASH (binding, node, hash_key(namespace_, name),
                               &index->bindings) {
        if (yl_str_equal(binding->source->name, name)
            && yl_str_equal(binding->source->namespace_, namespace_)) {
            return binding;
        }
    }
    return NULL;
}

static struct subject *
find_subject(const struct yl_rbac_index *index, bool is_group,
             struct yl_str namespace_, struct yl_str name)
{
    struct subject *subject;

    YL_MAP_FOR_EACH_WITH_HASH (subject, node,
                               hash_subject(is_group, namespace_, name),
                               &index->subjects) {
        if (subject->is_group == is_group
            && yl_str_equal(subject->name, name)
            && yl_str_equal(subject->namespace_, namespace_)) {
            return subject;
        }
    }
    return NULL;
}

static void
put_role(struct yl_rbac_index *index, const struct yl_object *object)
{
    struct yl_arena *arena = yl_arena_new();
    struct role *role = yl_zalloc(sizeof *role);

    role->object = yl_object_ref(object);
    role->rules = yl_policy_copy(
        yl_policy_read(arena, yl_object_field(object, arena, "rules")));
    role->aggregates = yl_json_type(yl_object_field(object, arena,
                                                    "aggregationRule"))
                       == YL_JSON_OBJECT;
    yl_map_insert(&index->roles, &role->node,
                  hash_key(yl_object_namespace(object),
                           yl_object_name(object)));
    yl_arena_free(arena);
}

static void
put_binding(struct yl_rbac_index *index, const struct yl_object *object)
{
    struct yl_rbac_binding *source = yl_rbac_binding_read(object);
    struct binding *binding = yl_zalloc(sizeof *binding
                                        + source->n_subjects
                                          * sizeof *binding->mentions);
    size_t i;

    binding->source = source;
    for (i = 0; i < source->n_subjects; i++) {
        struct mention *mention = &binding->mentions[binding->n_mentions++];

        mention->binding = binding;
        mention->position = source->subjects[i].position;
        mention->subject = subject_for(index, source, &source->subjects[i]);
        yl_list_push_back(&mention->subject->mentions, &mention->node);
    }
    yl_map_insert(&index->bindings, &binding->node,
                  hash_key(source->namespace_, source->name));
}

static void
drop_role(struct yl_rbac_index *index, struct role *role)
{
    if (role) {
        yl_map_remove(&index->roles, &role->node);
        yl_object_unref(role->object);
        free(role->rules);
        free(role);
    }
}

static void
drop_binding(struct yl_rbac_index *index, struct binding *binding)
{
    size_t i;

    if (!binding) {
        return;
    }
    for (i = 0; i < binding->n_mentions; i++) {
        struct subject *subject = binding->mentions[i].subject;

        yl_list_remove(&binding->mentions[i].node);
        if (yl_list_is_empty(&subject->mentions)) {
            yl_map_remove(&index->subjects, &subject->node);
            free(subject);
        }
    }
    yl_map_remove(&index->bindings, &binding->node);
    free(binding->source);
    free(binding);
}

/* Finds the subject in the binding's scope, or makes it. */
static struct subject *
subject_for(struct yl_rbac_index *index, const struct yl_rbac_binding *source,
            const struct yl_rbac_subject *wanted)
{
    struct yl_str namespace_ = source->namespace_, name = wanted->matches;
    struct subject *subject = find_subject(index, wanted->is_group,
                                           namespace_, name);
    char *bytes;

    if (subject) {
        return subject;
    }
    subject = yl_zalloc(sizeof *subject + namespace_.size + name.size);
    bytes = (char *) (subject + 1);
    if (namespace_.size) {
        memcpy(bytes, namespace_.data, namespace_.size);
    }
    if (name.size) {
        memcpy(bytes + namespace_.size, name.data, name.size);
    }
    subject->namespace_ = yl_str_n(bytes, namespace_.size);
    subject->name = yl_str_n(bytes + namespace_.size, name.size);
    subject->is_group = wanted->is_group;
    yl_list_init(&subject->mentions);
    yl_map_insert(&index->subjects, &subject->node,
                  hash_subject(subject->is_group, namespace_, name));
    return subject;
}

/* The next mention, or NULL when the user and all groups were looked up. */
static const struct mention *
walk_next(struct walk *walk)
{
    const struct yl_user *user = walk->user;
    struct yl_list *next = walk->at
        ? yl_list_after(&walk->subject->mentions, &walk->at->node) : NULL;

    while (!next) {
        if (!walk->started) {
            walk->started = true;
            walk->subject = find_subject(walk->index, false,
                                         walk->namespace_, user->name);
        } else if (walk->next < user->n_groups) {
            walk->subject = find_subject(walk->index, true, walk->namespace_,
                                         user->groups[walk->next++]);
        } else {
            return NULL;
        }
        next = walk->subject ? yl_list_front(&walk->subject->mentions) : NULL;
    }
    return walk->at = YL_CONTAINER_OF(next, struct mention, node);
}

static const struct role *
role_of(const struct yl_rbac_index *index, const struct binding *binding)
{
    const struct yl_rbac_binding *source = binding->source;

    return source->role_kind == YL_RBAC_REFERS_NOTHING ? NULL
           : find_role(index,
                       source->role_kind == YL_RBAC_REFERS_ROLE
                           ? source->namespace_ : yl_str_null(),
                       source->role_name);
}

static const struct yl_policy_rule *
first_that_allows(const struct role *role,
                  const struct yl_attributes *attributes)
{
    size_t i;

    for (i = 0; role && i < role->rules->n; i++) {
        if (yl_policy_rule_allows(&role->rules->all[i], attributes)) {
            return &role->rules->all[i];
        }
    }
    return NULL;
}

/* Cluster-wide bindings first, then by name, then by position. */
static int
compare_matches(const void *a_, const void *b_)
{
    const struct match *a = a_, *b = b_;
    int c = yl_str_compare(a->binding->source->namespace_,
                           b->binding->source->namespace_);

    if (c == 0) {
        c = yl_str_compare(a->binding->source->name,
                           b->binding->source->name);
    }
    return c ? c : (a->position > b->position) - (a->position < b->position);
}

/* All bindings that apply, each once, in a stable order. */
static const struct match *
collect(const struct yl_rbac_index *index, const struct yl_user *user,
        struct yl_str namespace_, struct yl_arena *arena, size_t *ret_n)
{
    struct match *all = NULL;
    size_t n = 0, n_kept = 0, i;
    int pass;

    for (pass = 0; pass < 2; pass++) {
        struct walk walks[2] = {
            { .index = index, .user = user },
            { .index = index, .user = user, .namespace_ = namespace_ },
        };
        size_t scope, n_scopes = yl_str_is_empty(namespace_) ? 1 : 2;
        const struct mention *mention;

        if (pass == 1) {
            all = yl_arena_array(arena, n, sizeof *all);
        }
        for (n = scope = 0; scope < n_scopes; scope++) {
            while ((mention = walk_next(&walks[scope])) != NULL) {
                if (all) {
                    all[n].binding = mention->binding;
                    all[n].position = mention->position;
                }
                n++;
            }
        }
    }
    qsort(all, n, sizeof *all, compare_matches);
    for (i = 0; i < n; i++) {
        if (n_kept == 0 || all[n_kept - 1].binding != all[i].binding) {
            all[n_kept++] = all[i];
        }
    }
    *ret_n = n_kept;
    return all;
}

/* RBAC: allowed by RoleBinding "b/ns" of Role "r" to User "u" */
static void
describe(const struct match *match, struct yl_buf *out)
{
    const struct yl_rbac_binding *source = match->binding->source;
    const struct yl_rbac_subject *subject = NULL;
    size_t i;

    for (i = 0; i < source->n_subjects; i++) {
        if (source->subjects[i].position == match->position) {
            subject = &source->subjects[i];
        }
    }
    yl_buf_append_c(out, "RBAC: allowed by ");
    if (yl_str_is_empty(source->namespace_)) {
        yl_buf_append_c(out, "ClusterRoleBinding ");
        yl_quote(out, source->name);
    } else {
        yl_buf_append_c(out, "RoleBinding ");
        yl_rbac_quote_pair(out, source->name, source->namespace_);
    }
    yl_buf_printf(out, " of %.*s ", YL_STR_ARG(source->role_kind_text));
    yl_quote(out, source->role_name);
    yl_buf_append_c(out, " to ");
    yl_rbac_subject_describe(subject, source->namespace_, out);
}

static void
describe_missing(const struct binding *binding, struct yl_buf *out)
{
    const struct yl_rbac_binding *source = binding->source;

    if (source->role_kind == YL_RBAC_REFERS_NOTHING) {
        yl_buf_append_c(out, "unsupported role reference kind: ");
        yl_quote(out, source->role_kind_text);
        return;
    }
    yl_buf_append_c(out, source->role_kind == YL_RBAC_REFERS_ROLE
                         ? "role" : "clusterrole");
    yl_buf_append_c(out, ".rbac.authorization.k8s.io ");
    yl_quote(out, source->role_name);
    yl_buf_append_c(out, " not found");
}

/* Joins errors as Go's aggregated errors do: one stands alone, several in
 * brackets, each only once. */
static struct yl_str
join_errors(struct yl_arena *arena, const struct yl_str *errors, size_t n)
{
    struct yl_buf out;
    struct yl_str joined;
    size_t i, k, n_kept = 0;

    if (n <= 1) {
        return n ? errors[0] : YL_STR("");
    }
    yl_buf_init(&out, MAX_REASON);
    for (i = 0; i < n && !yl_buf_error(&out); i++) {
        for (k = 0; k < i && !yl_str_equal(errors[i], errors[k]); k++) {
            continue;
        }
        if (k == i) {
            yl_buf_append_c(&out, n_kept++ ? ", " : "");
            yl_buf_append_str(&out, errors[i]);
        }
    }
    joined = n_kept == 1 ? errors[0]
             : yl_str_c(yl_arena_printf(arena, "[%.*s]",
                                        YL_STR_ARG(yl_buf_str(&out))));
    yl_buf_release(&out);
    return joined;
}

static struct yl_policy
copy_rules(struct yl_arena *arena, struct yl_policy rules)
{
    struct yl_policy *copy = yl_policy_copy(rules);

    yl_arena_attach(arena, free, copy);
    return *copy;
}
