/* MutatingWebhookConfiguration and ValidatingWebhookConfiguration: defaults,
 * validation, updates. */

#include "builtin/common/meta.h"
#include "builtin/extension/admission_rules.h"
#include "builtin/extension/webhook_client.h"
#include "builtin/rows.h"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, false, true };

static void default_webhooks(struct yl_arena *, struct yl_node *object,
                             bool mutating);
static void check_webhooks(struct yl_check *, const struct yl_node *object,
                           bool mutating);
static void check_webhook(struct yl_check *, const struct yl_at *webhook,
                          bool mutating);
static void check_hook_name(struct yl_check *, const struct yl_at *name);
static void check_client(struct yl_check *, const struct yl_at *client);

void
yl_mutating_webhooks_default(struct yl_arena *arena, struct yl_node *object)
{
    default_webhooks(arena, object, true);
}

void
yl_mutating_webhooks_validate(struct yl_check *c,
                              const struct yl_node *object)
{
    check_webhooks(c, object, true);
}

void
yl_mutating_webhooks_validate_update(struct yl_check *c,
                                     const struct yl_node *object,
                                     const struct yl_node *old YL_UNUSED)
{
    check_webhooks(c, object, true);
}

void
yl_validating_webhooks_default(struct yl_arena *arena,
                               struct yl_node *object)
{
    default_webhooks(arena, object, false);
}

void
yl_validating_webhooks_validate(struct yl_check *c,
                                const struct yl_node *object)
{
    check_webhooks(c, object, false);
}

void
yl_validating_webhooks_validate_update(struct yl_check *c,
                                       const struct yl_node *object,
                                       const struct yl_node *old YL_UNUSED)
{
    check_webhooks(c, object, false);
}

static void
default_webhooks(struct yl_arena *arena, struct yl_node *object,
                 bool mutating)
{
    struct yl_node *webhook;

    YL_MEMBER_EACH (webhook, object, "webhooks") {
        struct yl_node *service = yl_member_object(
            yl_member_object(webhook, "clientConfig"), "service");

        yl_member_default_str_ptr(arena, webhook, "failurePolicy", "Fail");
        yl_member_default_str_ptr(arena, webhook, "matchPolicy", "Equivalent");
        yl_member_make(arena, webhook, "namespaceSelector");
        yl_member_make(arena, webhook, "objectSelector");
        yl_member_default_int_ptr(arena, webhook, "timeoutSeconds", 10);
        if (mutating) {
            yl_member_default_str_ptr(arena, webhook, "reinvocationPolicy",
                                      "Never");
        }
        yl_member_default_int_ptr(arena, service, "port", 443);
        yl_admission_rules_default(arena, webhook, "rules");
    }
}

static void
check_webhooks(struct yl_check *c, const struct yl_node *object,
               bool mutating)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at webhooks = yl_at(&root, "webhooks");
    struct yl_node *names = yl_node_new_object(c->arena);

    yl_check_object_meta(c, object, &rule);
    YL_CHECK_FOR_EACH (c, webhook, &webhooks) {
        struct yl_at name = yl_at(&webhook, "name");
        struct yl_at versions = yl_at(&webhook, "admissionReviewVersions");
        struct yl_str s = yl_at_str(c, &name);

        check_webhook(c, &webhook, mutating);
        yl_check_review_versions(c, &versions,
                                 "must specify one of v1, v1beta1", true);
        if (s.size && !yl_set_add(c->arena, names, s)) {
            yl_field_duplicate(c->err, yl_at_path(&name), yl_bad_string(s));
        }
    }
}

static void
check_webhook(struct yl_check *c, const struct yl_at *webhook, bool mutating)
{
    static const char *const failures[] = { "Fail", "Ignore", NULL };
    static const char *const matches[] = { "Equivalent", "Exact", NULL };
    static const char *const effects[] = { "None", "NoneOnDryRun", NULL };
    static const char *const again[] = { "IfNeeded", "Never", NULL };
    struct yl_at name = yl_at(webhook, "name");
    struct yl_at rules = yl_at(webhook, "rules");
    struct yl_at failure = yl_at(webhook, "failurePolicy");
    struct yl_at match = yl_at(webhook, "matchPolicy");
    struct yl_at effect = yl_at(webhook, "sideEffects");
    struct yl_at timeout = yl_at(webhook, "timeoutSeconds");
    struct yl_at namespaces = yl_at(webhook, "namespaceSelector");
    struct yl_at objects = yl_at(webhook, "objectSelector");
    struct yl_at reinvocation = yl_at(webhook, "reinvocationPolicy");
    struct yl_at client = yl_at(webhook, "clientConfig");
    struct yl_at conditions = yl_at(webhook, "matchConditions");
    int64_t seconds = yl_at_int(&timeout);

    check_hook_name(c, &name);
    YL_CHECK_FOR_EACH (c, one, &rules) {
        yl_check_admission_rule(c, &one);
    }
    if (yl_at_has(&failure)) {
        yl_check_one_of(c, &failure, failures);
    }
    if (yl_at_has(&match)) {
        yl_check_one_of(c, &match, matches);
    }
    if (!yl_at_has(&effect)) {
        yl_field_required(c->err, yl_at_path(&effect),
                          "must specify one of None, NoneOnDryRun");
    } else {
        yl_check_one_of(c, &effect, effects);
    }
    if (yl_at_has(&timeout) && (seconds < 1 || seconds > 30)) {
        yl_field_invalid(c->err, yl_at_path(&timeout), yl_bad_int(seconds),
                         "the timeout value must be between 1 and 30 "
                         "seconds");
    }
    yl_check_label_selector(c, &namespaces);
    yl_check_label_selector(c, &objects);
    if (mutating && yl_at_has(&reinvocation)) {
        yl_check_one_of(c, &reinvocation, again);
    }
    check_client(c, &client);
    yl_check_match_conditions(c, &conditions);
}

/* The name must be a domain with at least three parts. */
static void
check_hook_name(struct yl_check *c, const struct yl_at *name)
{
    struct yl_str s = yl_at_str(c, name), first, second, rest;
    struct yl_name_faults faults;
    struct yl_buf why;
    size_t i;

    if (!yl_check_required(c, name)) {
        return;
    }
    if (yl_name_check(YL_NAME_DNS1123_SUBDOMAIN, s, &faults) < 0) {
        yl_buf_init(&why, SIZE_MAX);
        for (i = 0; i < faults.n_faults; i++) {
            yl_buf_printf(&why, "%s%s", i ? "," : "", faults.faults[i]);
        }
        yl_field_invalid(c->err, yl_at_path(name), yl_bad_string(s), "%s",
                         yl_buf_c_str(&why));
        yl_buf_release(&why);
    } else if (!yl_str_cut(s, '.', &first, &rest)
               || !yl_str_cut(rest, '.', &second, &rest)) {
        yl_field_invalid(c->err, yl_at_path(name), yl_bad_string(s),
                         "should be a domain with at least three segments "
                         "separated by dots");
    }
}

static void
check_client(struct yl_check *c, const struct yl_at *client)
{
    struct yl_at url = yl_at(client, "url");
    struct yl_at service = yl_at(client, "service");

    if (yl_at_has(&url) == yl_at_has(&service)) {
        yl_field_required(c->err, yl_at_path(client),
                          "exactly one of url or service is required");
    } else if (yl_at_has(&url)) {
        yl_check_webhook_url(c, &url);
    } else {
        yl_check_webhook_service(c, &service);
    }
}
