/* Tests of the options of writes. */

#include "apiserver/verbs/options.h"

#include "apiserver/request.h"
#include "json/tree.h"
#include "verb_rig.h"

static struct yl_api_request request;

static void
query(const char *text)
{
    memset(&request, 0, sizeof request);
    request.arena = yl_arena_new();
    assert_int_equal(yl_params_parse(request.arena, yl_str_c(text),
                                     &request.params, NULL), 0);
}

TEST(write_options_are_read)
{
    struct yl_write_options options;
    struct yl_status status = YL_STATUS_INIT;

    query("");
    assert_int_equal(yl_write_options_read(&request, YL_WRITE_CREATE,
                                           &options, &status), 0);
    assert_false(options.dry_run);
    assert_int_equal(options.field_validation, YL_FIELDS_WARN);
    assert_int_equal(options.field_manager.size, 0);
    yl_arena_free(request.arena);

    query("dryRun=All&dryRun=All&fieldManager=%E5%90%8D&fieldValidation=Strict"
          "&force=1&fieldManager=second");
    assert_int_equal(yl_write_options_read(&request, YL_WRITE_APPLY,
                                           &options, &status), 0);
    assert_true(options.dry_run);
    assert_true(options.force);
    assert_int_equal(options.field_validation, YL_FIELDS_STRICT);
    assert_str_equal(options.field_manager, "\xe5\x90\x8d");
    yl_arena_free(request.arena);

    query("fieldValidation=Ignore");
    assert_int_equal(yl_write_options_read(&request, YL_WRITE_UPDATE,
                                           &options, &status), 0);
    assert_int_equal(options.field_validation, YL_FIELDS_IGNORE);
    yl_arena_free(request.arena);
}

TEST(bad_write_options_are_named)
{
    static const struct {
        enum yl_write_verb verb;
        const char *query, *message;
    } cases[] = {
        { YL_WRITE_CREATE, "dryRun=All&dryRun=x", "CreateOptions.meta.k8s.io "
          "\"\" is invalid: dryRun: Unsupported value: [\"All\",\"x\"]: "
          "supported values: \"All\"" },
        { YL_WRITE_UPDATE, "dryRun=", "UpdateOptions.meta.k8s.io \"\" is "
          "invalid: dryRun: Unsupported value: [\"\"]" },
        { YL_WRITE_UPDATE, "fieldValidation=x", "fieldValidation: Unsupported "
          "value: \"x\": supported values: \"\", \"Ignore\", \"Strict\", "
          "\"Warn\"" },
        { YL_WRITE_PATCH, "force=false", "PatchOptions.meta.k8s.io \"\" is "
          "invalid: force: Forbidden: may not be specified for non-apply" },
        { YL_WRITE_APPLY, "", "fieldManager: Required value: is required for "
          "apply patch" },
        { YL_WRITE_CREATE, "fieldManager=a%00b%ff", "fieldManager: Invalid "
          "value: \"a\\x00b\\xff\": invalid character U+0000 (at position "
          "1)" },
    };
    struct yl_write_options options;
    struct yl_status status = YL_STATUS_INIT;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        query(cases[i].query);
        assert_int_equal(yl_write_options_read(&request, cases[i].verb,
                                               &options, &status),
                         YL_EINVALID);
        if (!strstr(yl_error_message(&status.error), cases[i].message)) {
            fail_msg("%s\n%s", yl_error_message(&status.error),
                     cases[i].message);
        }
        yl_status_clear(&status);
        yl_arena_free(request.arena);
    }
}

TEST(delete_options_come_from_the_body_or_the_query)
{
    struct yl_deletion_options o;
    struct yl_status status = YL_STATUS_INIT;
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *root;

    assert_int_equal(yl_tree_parse(arena, YL_STR(
        "{\"gracePeriodSeconds\":5,\"orphanDependents\":false,\"dryRun\":"
        "[\"All\"],\"preconditions\":{\"uid\":\"u\",\"resourceVersion\":"
        "\"7\"}}"), NULL, &root, NULL), 0);
    assert_int_equal(yl_delete_options_from(arena, root, &o, &status), 0);
    assert_true(o.dry_run && o.has_grace_period && o.has_orphan && !o.orphan);
    assert_int_equal(o.grace_period, 5);
    assert_str_equal(o.uid, "u");
    assert_str_equal(o.resource_version, "7");
    assert_true(yl_str_is_null(o.propagation));

    assert_int_equal(yl_delete_options_from(arena, NULL, &o, &status), 0);
    assert_false(o.dry_run || o.has_grace_period || o.has_orphan);
    yl_arena_free(arena);

    verb_open();
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    ask(400, "DELETE", CONFIG_MAPS "/a?gracePeriodSeconds=abc", NULL);
    tells("strconv.ParseInt: parsing \"abc\": invalid syntax");
    ask(422, "DELETE", CONFIG_MAPS "/a?propagationPolicy=x&dryRun=y", NULL);
    says("/details/causes/0/field", "propagationPolicy");
    says("/details/causes/1/field", "dryRun");
    ask(422, "DELETE", CONFIG_MAPS "/a", "{'dryRun':['x']}");
    says("/details/kind", "DeleteOptions");
    ask(422, "DELETE", CONFIG_MAPS
        "/a?orphanDependents=true&propagationPolicy=Orphan", NULL);
    tells("DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: "
          "Invalid value: \"Orphan\": orphanDependents and "
          "deletionPropagation cannot be both set");
    ask(400, "DELETE", CONFIG_MAPS "/a", "{'kind':'ConfigMap',"
        "'apiVersion':'v1'}");
    tells("no kind \"ConfigMap\" is registered for version \"v1\" in scheme "
          "\"pkg/runtime/scheme.go:111\"");
    ask(400, "DELETE", CONFIG_MAPS "/a", "{'gracePeriodSeconds':'5'}");
    tells("json: cannot unmarshal string into Go struct field "
          "DeleteOptions.gracePeriodSeconds of type int64");
    ask(409, "DELETE", CONFIG_MAPS "/a?uid=x", NULL);
    tells("Operation cannot be fulfilled on ConfigMap \"a\": the "
          "UID in the precondition (x) does not match the UID in "
          "record ("
          ANY_TEXT "). The object might have been deleted and then recreated");
    ask(409, "DELETE", CONFIG_MAPS "/a?uid=&resourceVersion=0", NULL);
    tells("Operation cannot be fulfilled on ConfigMap \"a\": the "
          "ResourceVersion in the precondition (0) does not match "
          "the ResourceVersion in record ("
          ANY_TEXT "). The object might have been modified");
    ask(422, "DELETE", CONFIG_MAPS "/a?dryRun=%01", NULL);
    tells("DeleteOptions.meta.k8s.io \"\" is invalid: dryRun: Unsupported "
          "value: [\"\\u0001\"]: supported values: \"All\"");
    rig.content_type = "text/plain";
    ask(415, "DELETE", CONFIG_MAPS "/a", "{}");
    ask(200, "DELETE", CONFIG_MAPS "/a?propagationPolicy=Foreground",
        "{'kind':'DeleteOptions','apiVersion':'apps/v1',"
        "'propagationPolicy':'Orphan'}");
    says("/metadata/finalizers/0", "orphan");
    rig_close();
}
