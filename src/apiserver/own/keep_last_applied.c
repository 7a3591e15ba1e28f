/* The annotation of kubectl's apply on the client's side.  See keep.h.
 *
 * kubectl keeps what it has applied last in an annotation.  Who goes over to
 * server-side apply would be in conflict with his own former self; so what the
 * annotation has, and the object still has, may be taken over.  kubectl can
 * also go back: the annotation follows what is applied. */

#include "apiserver/own/keep.h"
#include "base/arena.h"
#include "base/buf.h"
#include "json/member.h"
#include "json/text.h"
#include "yuloh/error.h"

#define ANNOTATION "kubectl.kubernetes.io/last-applied-configuration"

/* Kubernetes' limit for all annotations of an object, in bytes. */
#define MAX_ANNOTATIONS (256 * 1024)

/* Fields as upstream prints them. */
struct printed {
    struct yl_arena *arena;
    struct yl_node *set;        /* An object whose members they are. */
    struct yl_buf text;
};

static const struct yl_field_set *allowed(struct yl_keeper *,
                                          const struct yl_node *live);
static const struct yl_node *parse(struct yl_keeper *, struct yl_str text);
static bool print(void *printed, const struct yl_path_element *, size_t n);
static struct yl_str annotation_of(struct yl_keeper *,
                                   const struct yl_node *object);
static void write_html_safe(struct yl_buf *, struct yl_str json);

bool
yl_keeper_allow_last_applied(struct yl_keeper *k, const struct yl_node *live,
                             struct yl_conflicts *conflicts)
{
    const struct yl_field_set *set = allowed(k, live);
    struct printed printed = { .arena = k->arena };
    size_t i, n = 0;

    if (yl_field_set_is_empty(set)) {
        return false;
    }
    printed.set = yl_node_new_object(k->arena);
    yl_buf_init(&printed.text, SIZE_MAX);
    yl_field_set_for_each(set, print, &printed);
    yl_buf_release(&printed.text);
    for (i = 0; i < conflicts->n; i++) {
        if (!yl_node_get(printed.set, conflicts->items[i].path)) {
            conflicts->items[n++] = conflicts->items[i];
        }
    }
    conflicts->n = n;
    return n == 0;
}

bool
yl_keeper_has_last_applied(struct yl_keeper *k, const struct yl_node *object)
{
    return annotation_of(k, object).size > 0;
}

struct yl_str
yl_keeper_last_applied(struct yl_keeper *k)
{
    struct yl_node *applied = yl_node_copy(k->arena, k->o->applied);
    struct yl_buf json, text;
    struct yl_str copy;

    yl_member_drop(yl_member_object(yl_member_object(applied, "metadata"),
                                    "annotations"), ANNOTATION);
    yl_buf_init(&json, SIZE_MAX);
    yl_buf_init(&text, SIZE_MAX);
    yl_node_write_canonical(&json, applied);
    write_html_safe(&text, yl_buf_str(&json));
    yl_buf_append_char(&text, '\n');
    copy = yl_arena_copy(k->arena, yl_buf_str(&text));
    yl_buf_release(&json);
    yl_buf_release(&text);
    return copy;
}

void
yl_keeper_set_last_applied(struct yl_keeper *k, struct yl_node *object,
                           struct yl_str text)
{
    struct yl_node *annotations = yl_member_make(
        k->arena, yl_member_make(k->arena, object, "metadata"),
        "annotations");
    const struct yl_node *one;
    size_t size = 0;

    yl_node_set(k->arena, annotations, YL_STR(ANNOTATION),
                yl_node_new_string(k->arena, text));
    YL_NODE_FOR_EACH (one, annotations) {
        struct yl_str value = yl_str_null();

        (void) yl_node_string(one, k->arena, &value);
        size += one->key_size + value.size;
    }
    if (size > MAX_ANNOTATIONS) {
        yl_member_drop(annotations, ANNOTATION);
    }
}

/* The fields that were applied on the client's side and are as they were.  No
 * field if that cannot be found out. */
static const struct yl_field_set *
allowed(struct yl_keeper *k, const struct yl_node *live)
{
    struct yl_str text = annotation_of(k, live);
    const struct yl_node *last = text.size ? parse(k, text) : NULL;
    const struct yl_field_set *set;
    struct yl_comparison differences;

    if (!last
        || yl_typed_validate(k->arena, k->as, live, false, NULL) < 0
        || yl_typed_validate(k->arena, k->as, last, false, NULL) < 0) {
        return NULL;
    }
    set = yl_typed_fields(k->arena, k->as, last);
    yl_typed_compare(k->arena, k->as, last, live, &differences);
    set = yl_field_set_difference(k->arena, set, differences.modified);
    set = yl_field_set_difference(k->arena, set, differences.added);
    return yl_field_set_difference(k->arena, set, differences.removed);
}

/* The object in the annotation, if it is of the request's version. */
static const struct yl_node *
parse(struct yl_keeper *k, struct yl_str text)
{
    struct yl_node *root;

    if (yl_tree_parse(k->arena, text, NULL, &root, NULL) < 0
        || yl_node_type(root) != YL_JSON_OBJECT
        || !yl_node_get(root, YL_STR("kind"))
        || !yl_node_string_is(yl_node_get(root, YL_STR("apiVersion")),
                              k->version)) {
        return NULL;
    }
    return root;
}

static bool
print(void *printed_, const struct yl_path_element *path, size_t n)
{
    struct printed *printed = printed_;

    yl_buf_clear(&printed->text);
    yl_path_print(&printed->text, path, n);
    yl_node_set(printed->arena, printed->set, yl_buf_str(&printed->text),
                yl_node_new_null(printed->arena));
    return !yl_arena_is_over(printed->arena);
}

static struct yl_str
annotation_of(struct yl_keeper *k, const struct yl_node *object)
{
    const struct yl_node *annotations = yl_member_object(
        yl_member_object(object, "metadata"), "annotations");
    struct yl_str text = yl_str_null();

    if (annotations) {
        (void) yl_node_string(yl_node_get(annotations, YL_STR(ANNOTATION)),
                              k->arena, &text);
    }
    return text;
}

/* Escapes what Go's encoder escapes for the sake of browsers.  Outside of
 * strings there is none of it. */
static void
write_html_safe(struct yl_buf *text, struct yl_str json)
{
    size_t i;

    for (i = 0; i < json.size; i++) {
        unsigned char c = (unsigned char) json.data[i];

        if (c == '<' || c == '>' || c == '&') {
            yl_buf_printf(text, "\\u%04x", c);
        } else {
            yl_buf_append_char(text, (char) c);
        }
    }
}
