/* Tests of negotiation. */

#include "apiserver/answer/accept.h"

#include "apiserver/request.h"
#include "unit.h"

static int
accept(const char *header, struct yl_accept *ret)
{
    bool known;

    return yl_accept_parse(yl_str_c(header),
                           YL_ACCEPT_FORMS | YL_ACCEPT_TABLE, ret, &known);
}

TEST(types_are_named_in_full_or_any)
{
    static const char *const good[] = {
        "", "*/*", "application/json", "text/html,application/json",
        "application/json;charset=UTF-8", "application/json;stream=watch",
        "application/json;foo=bar", "application/cbor, application/json",
        "application/xml;q=0.9,application/json;q=0.1",
        "*,application/json", "application/json;as=",
        "application/json;as=Table=x", "application/json;q=x",
        "application/json;sv=v1",
    };
    static const char *const bad[] = {
        "application/*", "text/*", "garbage", "application/", "/", "*/json",
        "APPLICATION/JSON", "application/json;v=v1",
        "application/json;as=Table", "text/yaml",
        "application/json-patch+json", "*", "application/json;stream=x",
        "application/yaml;stream=watch", "application/json;sv=v2",
    };
    struct yl_accept a;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(good); i++) {
        assert_int_equal(accept(good[i], &a), 0);
        assert_int_equal(a.form, YL_FORM_OBJECT);
        assert_false(a.yaml);
    }
    for (i = 0; i < YL_ARRAY_SIZE(bad); i++) {
        assert_int_equal(accept(bad[i], &a), YL_ENOTACCEPTABLE);
    }
}

TEST(tables_are_not_everywhere)
{
    struct yl_str table = YL_STR("application/json;as=Table;v=v1;"
                                 "g=meta.k8s.io");
    struct yl_accept a;
    bool known;

    assert_int_equal(yl_accept_parse(table, YL_ACCEPT_FORMS, &a, &known),
                     YL_ENOTACCEPTABLE);
    assert_true(known);
}

TEST(the_weightiest_clause_wins)
{
    struct yl_accept a;

    assert_int_equal(accept("application/json;q=0.1,application/yaml", &a), 0);
    assert_true(a.yaml);
    assert_int_equal(accept("application/json;q=0.5,application/yaml;q=0.25",
                            &a), 0);
    assert_false(a.yaml);
    assert_int_equal(accept("*/*,application/yaml", &a), 0);
    assert_true(a.yaml);
}

TEST(forms_are_known_ones)
{
    struct yl_accept a;
    bool known;

    assert_int_equal(accept("application/json;as=Table;v=v1;g=meta.k8s.io",
                            &a), 0);
    assert_int_equal(a.form, YL_FORM_TABLE);
    assert_int_equal(accept("application/json;as=Table;v=v9;g=meta.k8s.io,"
                            "application/json;as=Table;v=v1beta1;"
                            "g=meta.k8s.io", &a), 0);
    assert_true(a.v1beta1);
    assert_int_equal(accept("application/json;as=PartialObjectMetadataList;"
                            "v=v1;g=meta.k8s.io", &a), 0);
    assert_int_equal(a.form, YL_FORM_PARTIAL);
    assert_true(a.list);
    assert_int_equal(accept("application/json;as=Nope;v=v1;g=meta.k8s.io,"
                            "application/json", &a), 0);
    assert_int_equal(a.form, YL_FORM_OBJECT);
    assert_true(yl_accept_parse(
                    YL_STR("application/json;as=Table;v=v1;g=meta.k8s.io"), 0,
                    &a, &known) < 0);
    assert_true(known);
    assert_true(yl_accept_parse(YL_STR("text/html"), 0, &a, &known) < 0);
    assert_false(known);
}

TEST(people_get_indented_text)
{
    assert_true(yl_accept_is_pretty(YL_STR("true"), YL_STR("x")));
    assert_false(yl_accept_is_pretty(YL_STR("bogus"), YL_STR("curl/8")));
    assert_true(yl_accept_is_pretty(yl_str_null(), YL_STR("curl/8")));
    assert_false(yl_accept_is_pretty(yl_str_null(), YL_STR("kubectl/1")));
}

TEST(aggregated_discovery_is_found_wherever_it_stands)
{
    static const char *const yes[] = {
        "application/json;g=apidiscovery.k8s.io;v=v2;"
        "as=APIGroupDiscoveryList",
        "application/json,application/json;g=apidiscovery.k8s.io;v=v2;"
        "as=APIGroupDiscoveryList;q=0.1",
    };
    static const char *const no[] = {
        "application/json", "*/*",
        ("application/json;g=apidiscovery.k8s.io;v=v2beta1;"
         "as=APIGroupDiscoveryList"),
        "application/json;g=meta.k8s.io;v=v1;as=Table",
    };
    struct yl_accept accept;
    bool known;

    for (size_t i = 0; i < YL_ARRAY_SIZE(yes); i++) {
        assert_int_equal(yl_accept_parse(yl_str_c(yes[i]),
                                         YL_ACCEPT_AGGREGATED, &accept,
                                         &known), 0);
    }
    for (size_t i = 0; i < YL_ARRAY_SIZE(no); i++) {
        assert_int_equal(yl_accept_parse(yl_str_c(no[i]),
                                         YL_ACCEPT_AGGREGATED, &accept,
                                         &known), YL_ENOTACCEPTABLE);
        assert_true(known);
    }
}

TEST(a_media_type_is_chosen_by_the_client)
{
    static const char *const types[] = { "application/json", "text/plain" };
    static const struct {
        const char *header;
        int chosen;
    } cases[] = {
        { "", 0 },
        { "*/*", 0 },
        { "text/plain", 1 },
        { "text/*", 1 },
        { "application/json;q=0.5,text/plain", 1 },
        { "application/xml, application/json", 0 },
        { "application/xml", YL_ENOTACCEPTABLE },
        { "nonsense", YL_ENOTACCEPTABLE },
    };

    for (size_t i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(yl_accept_choose(yl_str_c(cases[i].header), types,
                                          2), cases[i].chosen);
    }
}

TEST(any_subtype_is_json_where_that_is_known)
{
    struct yl_accept accept;
    bool known;

    assert_int_equal(yl_accept_parse(YL_STR("application/*"), 0, &accept,
                                     &known), YL_ENOTACCEPTABLE);
    assert_int_equal(yl_accept_parse(YL_STR("application/*"),
                                     YL_ACCEPT_ANY_SUBTYPE, &accept, &known),
                     0);
    assert_false(accept.yaml);
    assert_int_equal(yl_accept_parse(YL_STR("text/*"), YL_ACCEPT_ANY_SUBTYPE,
                                     &accept, &known), YL_ENOTACCEPTABLE);
}

TEST(protobuf_is_for_objects_and_metadata)
{
    static const char type[] = "application/vnd.kubernetes.protobuf";
    static const char metadata[] =
        "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;"
        "g=meta.k8s.io";
    static const char table[] =
        "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io";
    static const char both[] =
        "application/vnd.kubernetes.protobuf,application/json";
    unsigned forms = YL_ACCEPT_FORMS, all = forms | YL_ACCEPT_PROTOBUF;
    struct yl_accept a;
    bool known;

    assert_int_equal(yl_accept_parse(yl_str_c(type), all, &a, &known), 0);
    assert_true(a.protobuf);
    assert_int_equal(yl_accept_parse(yl_str_c(both), all, &a, &known), 0);
    assert_true(a.protobuf);
    assert_int_equal(yl_accept_parse(yl_str_c(table), all, &a, &known),
                     YL_ENOTACCEPTABLE);
    assert_true(known);
    assert_int_equal(yl_accept_parse(yl_str_c(metadata), forms, &a, &known),
                     0);
    assert_true(a.protobuf);
    /* Custom resources have no other form there. */
    assert_int_equal(yl_accept_parse(yl_str_c(type), forms, &a, &known),
                     YL_ENOTACCEPTABLE);
    assert_int_equal(yl_accept_parse(yl_str_c(both), forms, &a, &known), 0);
    assert_false(a.protobuf);
}
