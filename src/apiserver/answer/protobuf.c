/* Answers in protobuf.  See protobuf.h for the contract. */

#include "apiserver/answer/protobuf.h"

#include "apiserver/request.h"
#include "json/tree.h"
#include "schema/protobuf.h"
#include "yuloh/api/answers_v1.h"
#include "yuloh/api/policy_v1.h"
#include "yuloh/arena.h"
#include "yuloh/gvk.h"

static struct yl_type_ref delete_options(void);
static struct yl_str text_of(struct yl_json object, const char *member,
                             struct yl_arena *);
static struct yl_type_ref type_of(const struct yl_api_request *,
                                  struct yl_str api_version,
                                  struct yl_str kind);
static struct yl_type_ref kind_type(const struct yl_kind *, struct yl_gv,
                                    struct yl_str name);

struct yl_type_ref
yl_answer_type(struct yl_str kind)
{
    struct yl_type_ref type = { &answers_v1_types, NULL };
    size_t i;

    if (yl_str_equal(kind, YL_STR("DeleteOptions"))) {
        return delete_options();
    }
    for (i = 1; i < answers_v1_types.n_types; i++) {
        const struct yl_type *t = &answers_v1_types.types[i];

        if (yl_str_equal_c(kind, yl_type_set_text(type.set, t->name))) {
            type.type = t;
        }
    }
    return type;
}

bool
yl_answer_protobuf(const struct yl_api_request *req, struct yl_str json,
                   struct yl_buf *buf)
{
    struct yl_json object = yl_json(json);
    struct yl_type_ref type = type_of(req, text_of(object, "apiVersion",
                                                   req->arena),
                                      text_of(object, "kind", req->arena));

    if (!type.type || !yl_protobuf_has(type)) {
        return false;
    }
    yl_answer_envelope(buf, type, object, req->arena);
    return true;
}

bool
yl_envelope_json(const struct yl_api_request *req, struct yl_str bytes,
                 struct yl_buf *json)
{
    struct yl_protobuf_envelope envelope;
    struct yl_type_ref type;
    struct yl_node *root;

    if (yl_protobuf_open(bytes, &envelope, NULL) < 0) {
        return false;
    }
    type = type_of(req, envelope.api_version, envelope.kind);
    if (!type.type || !yl_protobuf_has(type)) {
        return false;
    }
    root = yl_node_new_object(req->arena);
    yl_node_set(req->arena, root, YL_STR("apiVersion"),
                yl_node_new_string(req->arena, envelope.api_version));
    yl_node_set(req->arena, root, YL_STR("kind"),
                yl_node_new_string(req->arena, envelope.kind));
    if (yl_protobuf_decode(req->arena, type, envelope.raw, root, NULL) < 0) {
        return false;
    }
    yl_node_write(json, root);
    return true;
}

void
yl_answer_envelope(struct yl_buf *buf, struct yl_type_ref type,
                   struct yl_json object, struct yl_arena *arena)
{
    size_t begun = yl_protobuf_begin(buf,
                                     text_of(object, "apiVersion", arena),
                                     text_of(object, "kind", arena));

    yl_protobuf_encode(buf, type, object, arena);
    yl_protobuf_end(buf, begun);
}

/* The type of DeleteOptions, which Evictions contain. */
static struct yl_type_ref
delete_options(void)
{
    const struct yl_kind *kind = &policy_v1_eviction_kind;
    const struct yl_field *field = yl_type_field(yl_kind_type(kind),
                                                 YL_STR("deleteOptions"));

    return yl_value_type(kind->set, &kind->set->values[field->value]);
}

static struct yl_str
text_of(struct yl_json object, const char *member, struct yl_arena *arena)
{
    struct yl_str text = YL_STR("");

    yl_json_string(yl_json_get(object, yl_str_c(member)), arena, &text);
    return text;
}

/* The type of the request's resource, or of an answer that is no object. */
static struct yl_type_ref
type_of(const struct yl_api_request *req, struct yl_str api_version,
        struct yl_str kind)
{
    struct yl_type_ref type = { NULL, NULL };
    struct yl_gv gv;

    if (yl_gv_parse(api_version, &gv, NULL) < 0) {
        return type;
    }
    if (req->version) {
        type = kind_type(req->version->kind, gv, kind);
    }
    if (!type.type && req->subresource) {
        type = kind_type(req->subresource->schema, gv, kind);
    }
    if (!type.type
        && (yl_str_equal(kind, YL_STR("DeleteOptions")) || !gv.group.size
            || yl_str_equal_c(gv.group, "meta.k8s.io")
            || yl_str_equal_c(gv.group, "apidiscovery.k8s.io"))) {
        type = yl_answer_type(kind);
    }
    return type;
}

/* The type of the kind, or of its list. */
static struct yl_type_ref
kind_type(const struct yl_kind *kind, struct yl_gv gv, struct yl_str name)
{
    struct yl_type_ref type = { NULL, NULL };

    if (kind && yl_str_equal_c(gv.group, kind->set->group)
        && yl_str_equal_c(gv.version, kind->set->version)) {
        if (yl_str_equal_c(name, kind->name)) {
            type = yl_kind_type(kind);
        } else if (kind->list_type && yl_str_equal_c(name, kind->list_name)) {
            type.set = kind->set;
            type.type = &kind->set->types[kind->list_type];
        }
    }
    return type;
}
