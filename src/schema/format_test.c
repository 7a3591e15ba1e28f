/* Tests of formats: what kube-apiserver took and refused, and more. */

#include "schema/format.h"

#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"

/* Is 'path', "spec.NAME[i]", among the fields of the causes? */
static bool
has_cause(const struct yl_node *causes, const char *path)
{
    const struct yl_node *cause;

    if (!causes) {
        return false;
    }
    YL_NODE_FOR_EACH (cause, causes) {
        if (yl_node_string_is(yl_node_get(cause, YL_STR("field")),
                              yl_str_c(path))) {
            return true;
        }
    }
    return false;
}

/* One recorded request whose spec is a list of strings per format. */
static size_t
check_step(struct yl_arena *arena, const struct yl_node *step)
{
    const struct yl_node *body = yl_node_get(step, YL_STR("body"));
    const struct yl_node *spec = yl_node_get(body, YL_STR("spec"));
    const struct yl_node *causes, *list, *value;
    size_t n = 0;

    if (!yl_node_string_is(yl_node_get(body, YL_STR("kind")),
                           YL_STR("Widget"))) {
        return 0;
    }
    causes = yl_node_get(yl_node_get(yl_node_get(yl_node_get(
        step, YL_STR("expect")), YL_STR("body")), YL_STR("details")),
        YL_STR("causes"));
    YL_NODE_FOR_EACH (list, spec) {
        char *format = yl_arena_strdup(arena, yl_node_key(list));
        size_t i = 0, j;

        for (j = 0; format[j]; j++) {
            format[j] = format[j] == '_' ? '-' : format[j];
        }
        YL_NODE_FOR_EACH (value, list) {
            struct yl_str s;
            enum yl_format_result want = YL_FORMAT_OK;

            yl_node_string(value, arena, &s);
            if (has_cause(causes, yl_arena_printf(
                    arena, "spec.%.*s[%zu]", YL_STR_ARG(yl_node_key(list)),
                    i++))) {
                want = YL_FORMAT_BAD;
            }
            if (yl_format_check(yl_str_c(format), s) != want) {
                fail_msg("%s: \"%.*s\"", format, YL_STR_ARG(s));
            }
            n++;
        }
    }
    return n;
}

TEST(formats_are_what_a_server_says)
{
    const char *path = truth_path("recorded/crds.json");
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *root, *scenario, *step;
    size_t size, n = 0;
    char *text = read_file(path, &size);

    assert_int_equal(yl_tree_parse(arena, yl_str_n(text, size), NULL, &root,
                                   NULL), 0);
    YL_NODE_FOR_EACH (scenario, root) {
        if (yl_node_string_is(yl_node_get(scenario, YL_STR("name")),
                              YL_STR("crds-validate-format"))) {
            YL_NODE_FOR_EACH (step, yl_node_get(scenario, YL_STR("steps"))) {
                n += check_step(arena, step);
            }
        }
    }
    assert_true(n > 100);
    yl_arena_free(arena);
    free(text);
}

TEST(unknown_formats_say_nothing)
{
    assert_int_equal(yl_format_check(YL_STR("int32"), YL_STR("x")),
                     YL_FORMAT_UNKNOWN);
    assert_int_equal(yl_format_check(YL_STR(""), YL_STR("x")),
                     YL_FORMAT_UNKNOWN);
    assert_int_equal(yl_format_check(YL_STR("much-longer-than-any-format"),
                                     YL_STR("x")), YL_FORMAT_UNKNOWN);
}

TEST(addresses_of_mail_are_read_as_in_go)
{
    static const char *const good[] = {
        "a@b", " a@b ", "a@ b", "<a@b>", "Ann B. <a@b.c>", "a@b (home)",
        "\"Ann\" <a@b>", "Ann (x) B <a@b>", "\"a\\\"b\"@c", "g: a@b;",
        "g: Ann <a@b> (x) ; (y)", "a@[::1]", "\xc3\xa4@b",
        "=?utf-8?q?x?= <a@b>", "a.b <a@b>", "a@b ((x) y)",
    };
    static const char *const bad[] = {
        "", "a", "a@", "@b", "a@b@c", "a@b,c@d", "<a@b", "a@b>", "a b@c",
        ".a@b", "a.@b", "a@[1.2.3]", "a@[1.2.3.4", "\"a@b", "\"\"@b",
        "g: ;", "g: a@b, c@d;", "g: h: a@b;;", "a@b (x", "Ann (x <a@b>",
        "=?koi8-r?q?x?= <a@b>", "a@b\n", "Ann a@b", "\"a\x01\"@b", "(x) a@b",
    };
    size_t i;

    for (i = 0; i < sizeof good / sizeof good[0]; i++) {
        if (yl_format_check(YL_STR("email"), yl_str_c(good[i]))
            != YL_FORMAT_OK) {
            fail_msg("not accepted: %s", good[i]);
        }
    }
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (yl_format_check(YL_STR("email"), yl_str_c(bad[i]))
            != YL_FORMAT_BAD) {
            fail_msg("not refused: %s", bad[i]);
        }
    }
}

TEST(uris_are_read_as_in_go)
{
    static const char *const good[] = {
        "http://a", "http://", "http:", "mailto:a@b", "/a", "/a?b c#d",
        "//a", "http://u:p@h/", "http://u@v@h", "http://[fe80::1%25e%20]/",
        "http://a:", "x://a:b:80", "http://%80", "http://%25", "/\\",
        "http://a?%zz", "/a b", "HTTP://\xc3\xa4", "http://\"<a>\"",
    };
    static const char *const bad[] = {
        "", "a", "?a", "#a", ":a", "1a:b", "http://a b", "http://[::1",
        "http://[::1]x", "http://[1.2.3.4]", "http://[a]", "http://a[::1]",
        "http://a:a:", "http://a:b:80", "x://a:b", "http://%41", "http://%zz",
        "/%zz", "http://u p@h", "http://%zz@h", "http://[fe80::1%25]/",
        "http://[fe80::1%25%41%0a]/", "http://a\\b", "/a\x7f",
    };
    size_t i;

    for (i = 0; i < sizeof good / sizeof good[0]; i++) {
        if (yl_format_check(YL_STR("uri"), yl_str_c(good[i]))
            != YL_FORMAT_OK) {
            fail_msg("not accepted: %s", good[i]);
        }
    }
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (yl_format_check(YL_STR("uri"), yl_str_c(bad[i]))
            != YL_FORMAT_BAD) {
            fail_msg("not refused: %s", bad[i]);
        }
    }
}

TEST(formats_go_with_types)
{
    assert_true(yl_format_is_known("string", YL_STR("date-time")));
    assert_true(yl_format_is_known(NULL, YL_STR("k8s-short-name")));
    assert_true(yl_format_is_known("integer,string", YL_STR("ipv4")));
    assert_false(yl_format_is_known("string", YL_STR("int32")));
    assert_true(yl_format_is_known("integer", YL_STR("int32")));
    assert_false(yl_format_is_known("integer", YL_STR("double")));
    assert_true(yl_format_is_known("number", YL_STR("double")));
    assert_false(yl_format_is_known("number", YL_STR("int64")));
    assert_false(yl_format_is_known("object", YL_STR("date")));
}

TEST(odd_strings_are_judged)
{
    static const struct {
        const char *format, *string;
        bool ok;
    } cases[] = {
        { "ipv6", "1:2:3:4:5:6:7:8", true },
        { "ipv6", "1:2:3:4:5:6:7:8:9", false },
        { "ipv6", "1:2:3:4:5:6:7", false },
        { "ipv6", "1::2::3", false },
        { "ipv6", "1:2:3:4:5:6:7::", true },
        { "ipv6", "1:2:3:4:5:6:7:8::", false },
        { "ipv6", "12345::", false },
        { "ipv6", "1:", false },
        { "ipv6", "", false },
        { "ipv6", "1:2:3:4:5:6:1.2.3.4", true },
        { "ipv6", "::ffff:01.2.3.4", false },
        { "ipv4", "1.2.3.4.5", false },
        { "cidr", "10.0.0.0/8/9", false },
        { "cidr", "::1/129", false },
        { "mac", "00:00:5e:00:53", false },
        { "mac", "00:00:5e:00-53:01", false },
        { "mac", "0000.5e00.5301.0000", true },
        { "mac", "00:00:5e:00:53:01:", false },
        { "hostname", "a.b.example", true },
        { "hostname", "my-host.example.com", true },
        { "hostname", "-a.com", false },
        { "hostname", "a-.com", false },
        { "hostname", "a.c0m", false },
        { "hostname", "a-b", true },
        { "hostname", "ab-c", false },
        { "uri", "http://a/%zz", false },
        { "uri", "http://a/%20", true },
        { "uri", "http://a:80/", true },
        { "uri", "http://a:x/", false },
        { "uri", "http://[::1]:80", true },
        { "uri", ":x", false },
        { "uri", "1x:y", false },
        { "uri", "/a\x01", false },
        { "uri", "*", true },
        { "email", "a..b@c", false },
        { "email", "\"a b\"@c", true },
        { "email", "a@[1.2.3.4]", true },
        { "email", "a b@c", false },
        { "creditcard", "4111-1111-1111-1112", false },
        { "creditcard", "378282246310005", true },
        { "creditcard", "30569309025904", true },
        { "creditcard", "9111111111111111", false },
        { "isbn10", "080442957X", true },
        { "isbn10", "08044295XX", false },
        { "isbn13", "978030640615x", false },
        { "rgbcolor", "rgb( 1 , 2 , 3 )", true },
        { "rgbcolor", "rgb(01,2,3)", false },
        { "rgbcolor", "rgb(1,2,3", false },
        { "rgbcolor", "rgb(1;2,3)", false },
        { "ssn", "111 11 1111", true },
        { "ssn", "111+11+1111", false },
        { "ssn", "aaa-11-1111", false },
        { "uuid", "123e4567--e89b-12d3-a456-426614174000", false },
        { "uuid", "123e456-7e89b-12d3-a456-426614174000", false },
        { "date-time", "2020-01-02T24:00:00Z", false },
        { "date-time", "2020-01-02T23:00:00", false },
        { "date-time", "2020-01-02T23:0a:00Z", false },
        { "date-time", "2020-01-02T23:00:00+01:0", false },
        { "duration", "2 \xc2\xb5s", true },
        { "duration", "9999999999999999999 days", false },
        { "duration", "in 3 Weekends", true },
        { "k8s-long-name", "a..b", false },
        { "k8s-long-name", "-a", false },
        { "hexcolor", "#gggggg", false },
        { "bsonobjectid", "507f1f77bcf86cd79943901", false },
        { "mac", "00005e005301", true },
        { "mac", "00005e00530", false },
        { "hostname", "a=b", true },
        { "hostname", "a.b$", false },
        { "hostname", "\xc3\x9f-20a", true },
        { "rgbcolor", "rgb(1,\t2 ,\n3)", true },
        { "date-time", "2020-01-02T03:04:05+25+25:00", true },
        { "date-time", "2020-01-02T03:04:05,5Z", true },
        { "date-time", "2020-01-02T03:04:05.Z", false },
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        enum yl_format_result r = yl_format_check(yl_str_c(cases[i].format),
                                                  yl_str_c(cases[i].string));

        if (r != (cases[i].ok ? YL_FORMAT_OK : YL_FORMAT_BAD)) {
            fail_msg("%s: \"%s\"", cases[i].format, cases[i].string);
        }
    }
}
