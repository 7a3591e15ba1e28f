/* The part of a binding that RBAC's index keeps.  See
 * apiserver/auth/rbac_source.h. */

#include "apiserver/auth/rbac_source.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/quote.h"
#include "yuloh/arena.h"
#include "yuloh/json.h"
#include "yuloh/object.h"

#define MAX_NAME ((size_t) 64 << 10)

static size_t read_subjects(struct yl_arena *, struct yl_json,
                            struct yl_str namespace_,
                            struct yl_rbac_subject *);
static bool read_subject(struct yl_arena *, struct yl_json,
                         struct yl_str namespace_, struct yl_rbac_subject *);
static size_t drop_repeated(struct yl_rbac_subject *, size_t n);
static size_t size_of(const struct yl_rbac_binding *,
                      const struct yl_rbac_subject *);
static void keep(struct yl_str *, char **bytes);
static struct yl_str text(struct yl_arena *, struct yl_json,
                          struct yl_str key);

struct yl_rbac_binding *
yl_rbac_binding_read(const struct yl_object *object)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_json subjects = yl_object_field(object, arena, "subjects");
    struct yl_json ref = yl_object_field(object, arena, "roleRef");
    struct yl_rbac_subject *found
        = yl_arena_array(arena, yl_json_count(subjects), sizeof *found);
    struct yl_rbac_binding head = {
        .namespace_ = yl_object_namespace(object),
        .name = yl_object_name(object),
        .role_kind_text = text(arena, ref, YL_STR("kind")),
        .role_name = text(arena, ref, YL_STR("name")),
    };
    struct yl_rbac_binding *binding;
    char *bytes;
    size_t i;

    head.role_kind
        = yl_str_equal(head.role_kind_text, YL_STR("Role"))
          ? YL_RBAC_REFERS_ROLE
          : yl_str_equal(head.role_kind_text, YL_STR("ClusterRole"))
          ? YL_RBAC_REFERS_CLUSTER_ROLE : YL_RBAC_REFERS_NOTHING;
    head.n_subjects = read_subjects(arena, subjects, head.namespace_, found);
    binding = yl_malloc(size_of(&head, found));
    *binding = head;
    bytes = (char *) &binding->subjects[head.n_subjects];
    keep(&binding->namespace_, &bytes);
    keep(&binding->name, &bytes);
    keep(&binding->role_kind_text, &bytes);
    keep(&binding->role_name, &bytes);
    for (i = 0; i < head.n_subjects; i++) {
        binding->subjects[i] = found[i];
        keep(&binding->subjects[i].matches, &bytes);
        keep(&binding->subjects[i].kind, &bytes);
        keep(&binding->subjects[i].name, &bytes);
        keep(&binding->subjects[i].namespace_, &bytes);
    }
    yl_arena_free(arena);
    return binding;
}

void
yl_rbac_subject_describe(const struct yl_rbac_subject *subject,
                         struct yl_str binding_namespace, struct yl_buf *out)
{
    yl_buf_append_str(out, subject->kind);
    yl_buf_append_char(out, ' ');
    if (yl_str_equal(subject->kind, YL_STR("ServiceAccount"))) {
        yl_rbac_quote_pair(out, subject->name,
                           yl_str_is_empty(subject->namespace_)
                               ? binding_namespace : subject->namespace_);
    } else {
        yl_quote(out, subject->name);
    }
}

void
yl_rbac_quote_pair(struct yl_buf *out, struct yl_str a, struct yl_str b)
{
    struct yl_buf both;

    yl_buf_init(&both, MAX_NAME);
    yl_buf_append_str(&both, a);
    yl_buf_append_char(&both, '/');
    yl_buf_append_str(&both, b);
    yl_quote(out, yl_buf_str(&both));
    yl_buf_release(&both);
}

/* Fills 'found', which has room for all subjects, and returns how many are
 * kept. */
static size_t
read_subjects(struct yl_arena *arena, struct yl_json subjects,
              struct yl_str namespace_, struct yl_rbac_subject *found)
{
    struct yl_json_iter i = yl_json_iter(subjects);
    uint32_t position;
    size_t n = 0;

    for (position = 0; yl_json_next(&i); position++) {
        if (read_subject(arena, i.value, namespace_, &found[n])) {
            found[n++].position = position;
        }
    }
    return drop_repeated(found, n);
}

static bool
read_subject(struct yl_arena *arena, struct yl_json json,
             struct yl_str namespace_, struct yl_rbac_subject *subject)
{
    subject->kind = text(arena, json, YL_STR("kind"));
    subject->name = text(arena, json, YL_STR("name"));
    subject->namespace_ = text(arena, json, YL_STR("namespace"));
    subject->matches = subject->name;
    subject->is_group = yl_str_equal(subject->kind, YL_STR("Group"));
    if (yl_str_equal(subject->kind, YL_STR("ServiceAccount"))) {
        if (!yl_str_is_empty(subject->namespace_)) {
            namespace_ = subject->namespace_;
        }
        subject->matches = yl_str_c(yl_arena_printf(
            arena, "system:serviceaccount:%.*s:%.*s", YL_STR_ARG(namespace_),
            YL_STR_ARG(subject->name)));
        return !yl_str_is_empty(namespace_);
    }
    return subject->is_group || yl_str_equal(subject->kind, YL_STR("User"));
}

static int
compare_subjects(const void *a_, const void *b_)
{
    const struct yl_rbac_subject *a = a_, *b = b_;
    int c = a->is_group - b->is_group;

    if (c == 0) {
        c = yl_str_compare(a->matches, b->matches);
    }
    return c ? c : (a->position > b->position) - (a->position < b->position);
}

static size_t
drop_repeated(struct yl_rbac_subject *subjects, size_t n)
{
    size_t n_kept = 0, i;

    if (n > 1) {
        qsort(subjects, n, sizeof *subjects, compare_subjects);
    }
    for (i = 0; i < n; i++) {
        if (n_kept == 0
            || subjects[n_kept - 1].is_group != subjects[i].is_group
            || !yl_str_equal(subjects[n_kept - 1].matches,
                             subjects[i].matches)) {
            subjects[n_kept++] = subjects[i];
        }
    }
    return n_kept;
}

static size_t
size_of(const struct yl_rbac_binding *head,
        const struct yl_rbac_subject *subjects)
{
    size_t size = sizeof *head + head->n_subjects * sizeof *subjects
                  + head->namespace_.size + head->name.size
                  + head->role_kind_text.size + head->role_name.size;
    size_t i;

    for (i = 0; i < head->n_subjects; i++) {
        size += subjects[i].matches.size + subjects[i].kind.size
                + subjects[i].name.size + subjects[i].namespace_.size;
    }
    return size;
}

/* Moves the text to '*bytes'. */
static void
keep(struct yl_str *s, char **bytes)
{
    if (s->size) {
        memcpy(*bytes, s->data, s->size);
    }
    s->data = *bytes;
    *bytes += s->size;
}

/* A member's text; empty if there is none. */
static struct yl_str
text(struct yl_arena *arena, struct yl_json object, struct yl_str key)
{
    struct yl_str value;

    return yl_json_string(yl_json_get(object, key), arena, &value) == 0
           ? value : YL_STR("");
}
