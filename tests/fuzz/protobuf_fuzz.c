/* Fuzzes objects in protobuf.  Input: a byte that selects a kind, and a
 * message. */

#include "fuzz.h"

#include "base/buf.h"
#include "json/tree.h"
#include "schema/normalize.h"
#include "schema/protobuf.h"
#include "yuloh/api/admissionregistration_v1.h"
#include "yuloh/api/apiextensions_v1.h"
#include "yuloh/api/apps_v1.h"
#include "yuloh/api/authentication_v1.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/api/resource_v1.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static void check_tree(struct yl_arena *, const struct yl_node *);

/* A message that is read must give a tree that can be written as JSON; any
 * other must be refused with a reason. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct yl_kind *const kinds[] = {
        &core_v1_pod_kind, &apps_v1_deployment_kind,
        &apiextensions_v1_custom_resource_definition_kind,
        &core_v1_event_kind, &core_v1_secret_kind,
        &core_v1_persistent_volume_kind, &resource_v1_resource_claim_kind,
        &authentication_v1_token_review_kind,
        &admissionregistration_v1_mutating_webhook_configuration_kind,
    };
    struct fuzz_input in = fuzz_input(data, size);
    unsigned pick = fuzz_below(&in, sizeof kinds / sizeof kinds[0]);
    struct yl_type_ref type = yl_kind_type(kinds[pick]);
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *root = yl_node_new_object(arena);
    struct yl_error err = YL_ERROR_INIT;
    struct yl_protobuf_envelope envelope;

    if (yl_protobuf_decode(arena, type, in.rest, root, &err) == 0) {
        check_tree(arena, root);
        if (yl_normalize(arena, type, root, NULL, &err) == 0) {
            check_tree(arena, root);
        }
    }
    CHECK(!err.code || (err.code == YL_EBADREQUEST && err.message));
    yl_error_clear(&err);
    if (yl_protobuf_open(in.rest, &envelope, &err) < 0) {
        CHECK(err.code == YL_EBADREQUEST && err.message);
    }
    yl_error_clear(&err);
    yl_arena_free(arena);
    return 0;
}

static void
check_tree(struct yl_arena *arena, const struct yl_node *root)
{
    struct yl_node *again;
    struct yl_buf text;

    yl_buf_init(&text, SIZE_MAX);
    yl_node_write(&text, root);
    CHECK(yl_tree_parse(arena, yl_arena_copy(arena, yl_buf_str(&text)), NULL,
                        &again, NULL) == 0);
    CHECK(yl_node_equal(root, again));
    yl_buf_release(&text);
}
