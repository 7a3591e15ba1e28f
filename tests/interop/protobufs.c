/* Objects in protobuf. */

#include "driver.h"

#include "all_kinds.h"
#include "json/tree.h"
#include "schema/normalize.h"
#include "schema/protobuf.h"
#include "yuloh/gvk.h"
#include "yuloh/json.h"

static int decode(struct call *, const struct yl_scheme *);
static int encode(struct call *, const struct yl_scheme *);
static const struct yl_kind *find(const struct yl_scheme *,
                                  struct yl_str api_version,
                                  struct yl_str kind);

/* bytes.  Answers with the object. */
OP(protobuf_decode)
{
    struct yl_scheme *scheme = all_kinds_new();
    int r = decode(call, scheme);

    yl_scheme_free(scheme);
    return r;
}

/* An object.  Answers with its bytes. */
OP(protobuf_encode)
{
    struct yl_scheme *scheme = all_kinds_new();
    int r = encode(call, scheme);

    yl_scheme_free(scheme);
    return r;
}

static int
decode(struct call *call, const struct yl_scheme *scheme)
{
    struct yl_node *root = yl_node_new_object(call->arena);
    struct yl_protobuf_envelope envelope;
    const struct yl_kind *kind;
    int r = yl_protobuf_open(arg(call, 0), &envelope, &call->err);

    if (r < 0) {
        return r;
    }
    kind = find(scheme, envelope.api_version, envelope.kind);
    if (!kind) {
        return yl_error_set(&call->err, YL_EBADREQUEST, "no such kind");
    }
    r = yl_protobuf_decode(call->arena, yl_kind_type(kind), envelope.raw,
                           root, &call->err);
    if (r == 0) {
        r = yl_normalize(call->arena, yl_kind_type(kind), root, NULL,
                         &call->err);
    }
    if (r < 0) {
        return r;
    }
    yl_node_set(call->arena, root, YL_STR("apiVersion"),
                yl_node_new_string(call->arena, envelope.api_version));
    yl_node_set(call->arena, root, YL_STR("kind"),
                yl_node_new_string(call->arena, envelope.kind));
    return answer_tree(call, root);
}

static int
encode(struct call *call, const struct yl_scheme *scheme)
{
    struct yl_json object = yl_json(arg(call, 0));
    struct yl_str api_version = YL_STR(""), name = YL_STR("");
    const struct yl_kind *kind;
    struct yl_buf buf;
    size_t begun;

    yl_json_string(yl_json_get(object, YL_STR("apiVersion")), call->arena,
                   &api_version);
    yl_json_string(yl_json_get(object, YL_STR("kind")), call->arena, &name);
    kind = find(scheme, api_version, name);
    if (!kind) {
        return yl_error_set(&call->err, YL_EBADREQUEST, "no such kind");
    }
    yl_buf_init(&buf, SIZE_MAX);
    begun = yl_protobuf_begin(&buf, api_version, name);
    yl_protobuf_encode(&buf, yl_kind_type(kind), object, call->arena);
    yl_protobuf_end(&buf, begun);
    answer(call, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return 0;
}

static const struct yl_kind *
find(const struct yl_scheme *scheme, struct yl_str api_version,
     struct yl_str kind)
{
    struct yl_gv gv;

    return yl_gv_parse(api_version, &gv, NULL) == 0
           ? yl_scheme_find(scheme, gv.group, gv.version, kind) : NULL;
}
