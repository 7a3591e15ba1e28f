/* VolumeAttachment: validation. */

#include "builtin/go/go_value.h"
#include "builtin/rows.h"
#include "builtin/storage/volume.h"
#include "gen/storage_v1_go.h"

#define MAX_METADATA (256 * 1024)   /* Bytes of keys and values. */
#define MAX_MESSAGE 1024

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, false, false };

static void check_source(struct yl_check *, const struct yl_at *source);
static void check_status(struct yl_check *, const struct yl_at *status);
static void check_error(struct yl_check *, const struct yl_at *error);

void
yl_volume_attachment_validate(struct yl_check *c,
                              const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at status = yl_at(&root, "status");
    struct yl_at attacher = yl_at(&spec, "attacher");
    struct yl_at source = yl_at(&spec, "source");
    struct yl_at node = yl_at(&spec, "nodeName");
    struct yl_at name = yl_at(&source, "persistentVolumeName");

    yl_check_object_meta(c, object, &rule);
    yl_check_csi_driver_name(c, &attacher);
    check_source(c, &source);
    yl_check_name(c, &node, YL_NAME_DNS1123_SUBDOMAIN);
    check_status(c, &status);
    if (yl_at_has(&name)) {
        yl_check_name(c, &name, YL_NAME_DNS1123_SUBDOMAIN);
    }
}

void
yl_volume_attachment_validate_update(struct yl_check *c,
                                     const struct yl_node *object,
                                     const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");

    yl_volume_attachment_validate(c, object);
    if (!yl_node_same(spec.node, then.node)) {
        yl_field_invalid(c->err, yl_at_path(&spec),
                         yl_bad_struct(
                             c, spec.node,
                             YL_GO(storage_v1, volume_attachment_spec)),
                         YL_IMMUTABLE);
    }
}

static void
check_source(struct yl_check *c, const struct yl_at *source)
{
    static const char one[] = "must specify exactly one of inlineVolumeSpec "
                              "and persistentVolumeName";
    struct yl_at spec = yl_at(source, "inlineVolumeSpec");
    struct yl_at name = yl_at(source, "persistentVolumeName");

    if (!yl_at_has(&spec) && !yl_at_has(&name)) {
        yl_field_required(c->err, yl_at_path(source), one);
    } else if (yl_at_has(&spec) && yl_at_has(&name)) {
        yl_field_forbidden(c->err, yl_at_path(source), one);
    } else if (yl_at_has(&spec)) {
        yl_check_volume_spec(c, &spec, true);
    } else if (yl_at_is(&name, "")) {
        yl_field_required(c->err, yl_at_path(&name),
                          "must specify non empty persistentVolumeName");
    }
}

static void
check_status(struct yl_check *c, const struct yl_at *status)
{
    struct yl_at metadata = yl_at(status, "attachmentMetadata");
    struct yl_at attach = yl_at(status, "attachError");
    struct yl_at detach = yl_at(status, "detachError");
    size_t size = 0;

    YL_CHECK_FOR_EACH (c, value, &metadata) {
        size += yl_at_key(&value).size + yl_at_str(c, &value).size;
    }
    if (size > MAX_METADATA) {
        yl_field_too_long(c->err, yl_at_path(&metadata), MAX_METADATA);
    }
    check_error(c, &attach);
    check_error(c, &detach);
}

/* In the error for a long message upstream names the limit for metadata. */
static void
check_error(struct yl_check *c, const struct yl_at *error)
{
    struct yl_at message = yl_at(error, "message");
    struct yl_at code = yl_at(error, "errorCode");

    if (yl_at_str(c, &message).size > MAX_MESSAGE) {
        yl_field_too_long(c->err, yl_at_path(&message), MAX_METADATA);
    }
    if (yl_at_int(&code) < 0) {
        yl_field_invalid(c->err, yl_at_path(&code),
                         yl_bad_int(yl_at_int(&code)),
                         "must be between 0 and 2147483647, inclusive");
    }
}
