/* Validation of spec.conversion of a CustomResourceDefinition. */

#include "builtin/extension/crd_check.h"
#include "builtin/extension/webhook_client.h"

static void check_webhook(struct yl_check *, const struct yl_at *client);

void
yl_check_crd_conversion(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const strategies[] = { "None", "Webhook", NULL };
    struct yl_at conversion = yl_at(spec, "conversion");
    struct yl_at strategy = yl_at(&conversion, "strategy");
    struct yl_at webhook = yl_at(&conversion, "webhook");
    struct yl_at client = yl_at(&webhook, "clientConfig");
    struct yl_at shown =
        yl_at_node(&conversion, "webhookClientConfig", client.node);
    struct yl_at versions_node = yl_at(&webhook, "conversionReviewVersions");
    struct yl_at versions = yl_at_node(&conversion, "conversionReviewVersions",
                                       versions_node.node);

    if (!yl_at_has(&conversion)) {
        return;
    }
    if (!yl_at_is(&strategy, "None")
        && yl_at_get_bool(spec, "preserveUnknownFields")) {
        yl_field_invalid(c->err, yl_at_path(&strategy),
                         yl_bad_str(c, &strategy),
                         "must be None if spec.preserveUnknownFields is "
                         "true");
    }
    if (yl_check_required(c, &strategy)) {
        yl_check_one_of(c, &strategy, strategies);
    }
    if (yl_at_is(&strategy, "Webhook")) {
        check_webhook(c, &shown);
        yl_check_review_versions(c, &versions, NULL);
        return;
    }
    if (yl_at_has(&shown)) {
        yl_field_forbidden(c->err, yl_at_path(&shown),
                           "should not be set when strategy is not set to "
                           "Webhook");
    }
    if (yl_at_count(&versions)) {
        yl_field_forbidden(c->err, yl_at_path(&versions),
                           "should not be set when strategy is not set to "
                           "Webhook");
    }
}

static void
check_webhook(struct yl_check *c, const struct yl_at *client)
{
    struct yl_at url = yl_at(client, "url");
    struct yl_at service = yl_at(client, "service");

    if (!yl_at_has(client)) {
        yl_field_required(c->err, yl_at_path(client),
                          "required when strategy is set to Webhook");
    } else if (yl_at_has(&url) == yl_at_has(&service)) {
        yl_field_required(c->err, yl_at_path(client),
                          "exactly one of url or service is required");
    } else if (yl_at_has(&url)) {
        yl_check_webhook_url(c, &url);
    } else {
        yl_check_webhook_service(c, &service);
    }
}
