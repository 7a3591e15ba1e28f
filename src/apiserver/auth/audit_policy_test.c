/* Tests of audit policies: which rule decides, what is refused. */

#include "apiserver/auth/audit_policy.h"

#include <unistd.h>

#include "apiserver/auth/authorize.h"
#include "apiserver/auth/user.h"
#include "base/file.h"
#include "unit.h"
#include "yuloh/error.h"
#include "yuloh/log.h"

#define HEAD "apiVersion: audit.k8s.io/v1\nkind: Policy\n"

static struct yl_audit_policy *
parse(const char *text)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_audit_policy *policy = NULL;

    if (yl_audit_policy_parse(yl_str_c(text), &policy, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
    return policy;
}

TEST(the_first_rule_that_matches_decides)
{
    static const char text[] = HEAD
        "omitStages: [RequestReceived]\n"
        "omitManagedFields: true\n"
        "rules:\n"
        "- level: None\n"
        "  users: [quiet]\n"
        "- level: Request\n"
        "  userGroups: [ops]\n"
        "  verbs: [delete]\n"
        "  omitStages: [Panic]\n"
        "  omitManagedFields: false\n"
        "- level: RequestResponse\n"
        "  namespaces: [ns1]\n"
        "  resources:\n"
        "  - group: ''\n"
        "    resources: [secrets]\n"
        "    resourceNames: [s]\n"
        "  - group: apps\n"
        "- level: Metadata\n"
        "  resources:\n"
        "  - group: '*'\n"
        "    resources: ['pods/*', '*/scale', 'nodes/status', 'jobs']\n"
        "- level: Metadata\n"
        "  nonResourceURLs: ['/api*', /version]\n"
        "- level: None\n"
        "  nonResourceURLs: ['*']\n"
        "- level: Request\n"
        "  namespaces: [only]\n";
    static const struct {
        const char *user, *group, *verb, *api_group, *resource, *sub,
            *namespace_, *name, *path;
        enum yl_audit_level level;
    } cases[] = {
        { .user = "quiet", .verb = "delete", .group = "ops",
          .resource = "x", .level = YL_AUDIT_NONE },
        { .user = "a", .group = "ops", .verb = "delete", .resource = "x",
          .level = YL_AUDIT_REQUEST },
        { .user = "a", .group = "dev", .verb = "delete", .resource = "x",
          .level = YL_AUDIT_NONE },
        { .user = "a", .verb = "get", .resource = "secrets",
          .namespace_ = "ns1", .name = "s", .level = YL_AUDIT_RESPONSE },
        { .user = "a", .verb = "get", .resource = "secrets",
          .namespace_ = "ns1", .name = "t", .level = YL_AUDIT_NONE },
        { .user = "a", .verb = "get", .resource = "secrets",
          .namespace_ = "o", .name = "s", .level = YL_AUDIT_NONE },
        { .user = "a", .verb = "get", .api_group = "apps", .resource = "any",
          .namespace_ = "ns1", .level = YL_AUDIT_RESPONSE },
        { .user = "a", .verb = "get", .resource = "pods", .sub = "log",
          .level = YL_AUDIT_METADATA },
        { .user = "a", .verb = "get", .resource = "pods",
          .level = YL_AUDIT_METADATA },
        { .user = "a", .verb = "get", .resource = "x", .sub = "scale",
          .level = YL_AUDIT_METADATA },
        { .user = "a", .verb = "get", .resource = "nodes",
          .level = YL_AUDIT_NONE },
        { .user = "a", .verb = "get", .resource = "nodes", .sub = "status",
          .level = YL_AUDIT_METADATA },
        { .user = "a", .verb = "get", .resource = "jobs", .sub = "status",
          .level = YL_AUDIT_NONE },
        { .user = "a", .verb = "get", .resource = "jobs",
          .level = YL_AUDIT_METADATA },
        { .user = "a", .verb = "get", .path = "/apis/x",
          .level = YL_AUDIT_METADATA },
        { .user = "a", .verb = "get", .path = "/version",
          .level = YL_AUDIT_METADATA },
        { .user = "a", .verb = "get", .path = "/healthz",
          .level = YL_AUDIT_NONE },
        { .user = "a", .verb = "get", .resource = "any",
          .namespace_ = "only", .level = YL_AUDIT_REQUEST },
        { .user = NULL, .verb = "get", .resource = "jobs",
          .level = YL_AUDIT_METADATA },
    };
    struct yl_audit_policy *policy = parse(text);
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_str group = yl_str_c(cases[i].group);
        const struct yl_user user = {
            .name = yl_str_c(cases[i].user), .groups = &group,
            .n_groups = cases[i].group ? 1 : 0,
        };
        const struct yl_attributes attributes = {
            .user = cases[i].user ? &user : NULL,
            .verb = yl_str_c(cases[i].verb), .is_resource = !cases[i].path,
            .path = yl_str_c(cases[i].path),
            .group = yl_str_c(cases[i].api_group),
            .resource = yl_str_c(cases[i].resource),
            .subresource = yl_str_c(cases[i].sub),
            .namespace_ = yl_str_c(cases[i].namespace_),
            .name = yl_str_c(cases[i].name),
        };
        struct yl_audit_decision decision
            = yl_audit_policy_decide(policy, &attributes);

        assert_int_equal(decision.level, cases[i].level);
        if (i == 1) {
            assert_int_equal(decision.omitted,
                             1 << YL_AUDIT_REQUEST_RECEIVED
                             | 1 << YL_AUDIT_PANIC);
            assert_false(decision.omit_managed_fields);
        } else {
            assert_int_equal(decision.omitted,
                             1 << YL_AUDIT_REQUEST_RECEIVED);
            assert_true(decision.omit_managed_fields);
        }
    }
    yl_audit_policy_free(policy);
}

TEST(bad_policies_are_refused)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        { "kind: Policy\nrules: [{level: None}]",
          "an audit policy must have apiVersion audit.k8s.io/v1 and kind "
          "Policy" },
        { HEAD, "loaded illegal policy with 0 rules" },
        { HEAD "rules: [{users: [a]}]", "rules[0].level: Required value" },
        { HEAD "rules: [{level: All}]",
          "rules[0].level: Unsupported value: \"All\": supported values: "
          "\"Metadata\", \"None\", \"Request\", \"RequestResponse\"" },
        { HEAD "omitStages: [X]\nrules: [{level: None}]",
          "omitStages[0]: Invalid value: \"X\": allowed stages are "
          "RequestReceived,ResponseStarted,ResponseComplete,Panic" },
        { HEAD "rules: [{level: None}, {level: None, omitStages: [X]}]",
          "rules[1].omitStages[0]: Invalid value: \"X\": allowed stages are "
          "RequestReceived,ResponseStarted,ResponseComplete,Panic" },
        { HEAD "rules: [{level: None, nonResourceURLs: [x]}]",
          "rules[0].nonResourceURLs[0]: Invalid value: \"x\": non-resource "
          "URL rules must begin with a '/' character" },
        { HEAD "rules: [{level: None, nonResourceURLs: ['/a*b']}]",
          "rules[0].nonResourceURLs[0]: Invalid value: \"/a*b\": "
          "non-resource URL wildcards '*' must be the final character of "
          "the rule" },
        { HEAD "rules: [{level: None, nonResourceURLs: [/a], "
          "namespaces: [ns1]}]",
          "rules[0].nonResourceURLs: rules cannot apply to both regular "
          "resources and non-resource URLs" },
        { HEAD "rules: [{level: None, resources: [{group: a/v1}]}]",
          "rules[0].resources.group: Invalid value: \"a/v1\": a group has "
          "no version" },
        { HEAD "rules: [{level: None, resources: [{resourceNames: [a]}]}]",
          "rules[0].resources.resourceNames: using resourceNames requires "
          "at least one resource" },
        { HEAD "rules: [{level: None, resources: x}]",
          "rules[0].resources must be a list" },
        { HEAD "rules: [{level: None, resources: [secrets]}]",
          "rules[0].resources must be a list of objects, such as {group: "
          "\"\", resources: [\"pods\"]}" },
        { HEAD "rules: [{level: None, resources: [{group: 1}]}]",
          "rules[0].resources.group must be a string" },
        { HEAD "rules: [{level: None, resources: [{resources: x}]}]",
          "resources must be a list of strings" },
        { HEAD "rules: [{level: None, users: x}]",
          "users must be a list of strings" },
        { HEAD "rules: [{level: None, users: [1]}]",
          "users must be a list of strings" },
        { HEAD "omitManagedFields: 3\nrules: [{level: None}]",
          "omitManagedFields must be true or false" },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_error err = YL_ERROR_INIT;
        struct yl_audit_policy *policy;

        assert_int_equal(yl_audit_policy_parse(yl_str_c(cases[i].text),
                                               &policy, &err), YL_EINVALID);
        assert_string_equal(yl_error_message(&err), cases[i].message);
        yl_error_clear(&err);
    }
}

static unsigned n_warnings;

static void
hear(const struct yl_log_sink *sink YL_UNUSED, const char *line, size_t size)
{
    n_warnings += memmem(line, size, "does not exist", 14) != NULL;
}

TEST(slips_of_the_pen_are_in_the_log)
{
    static const struct yl_log_sink ear = { .write = hear };
    struct yl_audit_policy *policy;

    yl_log_set_sink(&ear);
    assert_int_equal(yl_audit_policy_parse(
        YL_STR(HEAD "rule: []\nrules: [{level: None, resource: [], resources: "
                    "[{groups: a, group: b}]}]"), &policy, NULL), 0);
    yl_log_set_sink(NULL);
    assert_int_equal(n_warnings, 3);
    yl_audit_policy_free(policy);
}

TEST(files_are_named_in_errors)
{
    char path[] = "/tmp/yuloh-policy-XXXXXX";
    struct yl_error err = YL_ERROR_INIT;
    struct yl_audit_policy *policy;

    close(mkstemp(path));
    assert_int_equal(yl_file_replace(path, YL_STR(HEAD "rules: [{level: "
                                                  "Metadata}]"), 0600, NULL),
                     0);
    assert_int_equal(yl_audit_policy_read(path, &policy, NULL), 0);
    yl_audit_policy_free(policy);
    assert_int_equal(yl_file_replace(path, YL_STR("a: ["), 0600, NULL), 0);
    assert_true(yl_audit_policy_read(path, &policy, &err) < 0);
    assert_memory_equal(yl_error_message(&err), path, strlen(path));
    yl_error_clear(&err);
    unlink(path);
    assert_int_equal(yl_audit_policy_read(path, &policy, NULL),
                     YL_ENOTFOUND);
    yl_audit_policy_free(NULL);
}
