/* Validation of spec.conversion of a CustomResourceDefinition. */

#include "builtin/apiextensions/crd_check.h"
#include "builtin/access/x509.h"
#include "builtin/extension/webhook_client.h"
#include "json/base64.h"

static void check_webhook(struct yl_check *, const struct yl_at *client,
                          const struct yl_crd_rules *);
static const char *bundle_fault(struct yl_check *, const struct yl_at *);

void
yl_check_crd_conversion(struct yl_check *c, const struct yl_at *spec,
                        const struct yl_crd_rules *rules)
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
        check_webhook(c, &shown, rules);
        yl_check_review_versions(c, &versions, NULL, rules->known_reviews);
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

bool
yl_crd_bundle_is_valid(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at conversion = yl_at(spec, "conversion");
    struct yl_at webhook = yl_at(&conversion, "webhook");
    struct yl_at client = yl_at(&webhook, "clientConfig");
    struct yl_at bundle = yl_at(&client, "caBundle");

    return yl_at_is(&bundle, "") || !bundle_fault(c, &bundle);
}

static void
check_webhook(struct yl_check *c, const struct yl_at *client,
              const struct yl_crd_rules *rules)
{
    struct yl_at url = yl_at(client, "url");
    struct yl_at service = yl_at(client, "service");
    struct yl_at bundle = yl_at(client, "caBundle");
    const char *fault = NULL;

    if (!yl_at_has(client)) {
        yl_field_required(c->err, yl_at_path(client),
                          "required when strategy is set to Webhook");
        return;
    }
    if (yl_at_has(&url) == yl_at_has(&service)) {
        yl_field_required(c->err, yl_at_path(client),
                          "exactly one of url or service is required");
    } else if (yl_at_has(&url)) {
        yl_check_webhook_url(c, &url);
    } else {
        yl_check_webhook_service(c, &service);
    }
    if (!rules->any_bundle && !yl_at_is(&bundle, "")) {
        fault = bundle_fault(c, &bundle);
    }
    if (fault) {
        yl_field_invalid(c->err, yl_at_path(&bundle), yl_bad_str(c, &bundle),
                         "unable to load root certificates: %s", fault);
    }
}

/* Why the server would trust nothing in the bundle; NULL if it would. */
static const char *
bundle_fault(struct yl_check *c, const struct yl_at *bundle)
{
    struct yl_str pem;

    (void) yl_base64_decode(c->arena, yl_at_str(c, bundle), &pem);
    return yl_x509_check_roots(c->arena, pem);
}
