/* Bodies in protobuf.  See body_protobuf.h for the contract. */

#include "apiserver/verbs/body_protobuf.h"

#include "apiserver/request.h"
#include "apiserver/verbs/body.h"
#include "json/tree.h"
#include "schema/protobuf.h"
#include "yuloh/error.h"

int
yl_body_protobuf_open(struct yl_arena *arena, struct yl_str bytes,
                      struct yl_node **ret_root, struct yl_error *err)
{
    struct yl_protobuf_envelope envelope;
    int r = yl_protobuf_open(bytes, &envelope, err);

    if (r == 0) {
        struct yl_node *root = yl_node_new_object(arena);

        yl_node_set(arena, root, YL_STR("apiVersion"),
                    yl_node_new_string(arena, envelope.api_version));
        yl_node_set(arena, root, YL_STR("kind"),
                    yl_node_new_string(arena, envelope.kind));
        *ret_root = root;
    }
    return r;
}

int
yl_body_protobuf_read(struct yl_api_request *req, struct yl_arena *arena,
                      struct yl_type_ref type, struct yl_node *root,
                      struct yl_error *err)
{
    struct yl_protobuf_envelope envelope;
    int r;

    if (!yl_protobuf_has(type)) {
        return yl_error_set(err, YL_EBADREQUEST, "object "
                            "*unstructured.Unstructured does not implement "
                            "the protobuf marshalling interface and cannot be "
                            "encoded to a protobuf message");
    }
    r = yl_protobuf_open(req->http->body, &envelope, err);
    return r < 0 ? r : yl_protobuf_decode(arena, type, envelope.raw, root,
                                          err);
}
