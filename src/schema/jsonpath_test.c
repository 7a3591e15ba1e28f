/* JSONPath against what client-go 0.36 makes of the same paths, with the cells
 * that kube-apiserver makes of it. */

#include "schema/jsonpath.h"

#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define NOW "2026-01-01T01:00:00Z"

static const char sample[] =
    "{\"spec\":{\"s\":\"x\\\"y\",\"i\":5,\"f\":1.5,\"tiny\":1e-05,\"big\""
    ":1e+21,\"whole\":3.0,\"b\":true,\"z\":null,\"l\":[\"a\",\"b\",\"c"
    "\"],\"e\":[],\"o\":{\"k\":\"<&>\",\"a\":[1]},\"n\":-2.7,\"d\":\"2026"
    "-01-01T00:55:00Z\",\"baddate\":\"soon\",\"nodate\":\"\",\"list"
    "\":[{\"n\":1,\"t\":\"Ready\",\"s\":\"True\"},{\"n\":2,\"t\":\"Done\","
    "\"s\":\"False\"},{\"n\":2.5},{\"t\":\"x\"}],\"deep\":{\"a\":{\"name"
    "\":\"first\"},\"b\":[{\"name\":\"second\"}]},\"sb\":[{\"on\":true"
    ",\"v\":\"1\"},{\"on\":false,\"v\":\"2\"}],\"q\":[{\"t\":\"a)b\",\"v\":"
    "1},{\"t\":\"it's\",\"v\":2}]},\"metadata\":{\"labels\":{\"app.i"
    "o/name\":\"lab\",\"x y\":\"sp\"},\"name\":\"nm\"}}";

static const struct {
    const char *path, *type;
    const char *cell;           /* NULL if the path is malformed. */
} examples[] = {
    { ".spec.s", "string", "\"x\\\"y\"" },
    { ".spec.i", "string", "\"5\"" },
    { ".spec.f", "string", "\"1.5\"" },
    { ".spec.tiny", "string", "\"1e-05\"" },
    { ".spec.big", "string", "\"1e+21\"" },
    { ".spec.whole", "string", "\"3\"" },
    { ".spec.b", "string", "\"true\"" },
    { ".spec.z", "string", "\"<no value>\"" },
    { ".spec.l", "string", "\"[\\\"a\\\",\\\"b\\\",\\\"c\\\"]\"" },
    { ".spec.e", "string", "\"[]\"" },
    { ".spec.o", "string",
      "\"{\\\"a\\\":[1],\\\"k\\\":\\\"\\\\u003c\\\\u0026\\\\u003e\\\"}\"" },
    { ".spec.n", "string", "\"-2.7\"" },
    { ".spec.missing", "string", "null" },
    { ".", "string", "null" },
    { ".spec.", "string", "null" },
    { "..name", "string", "\"first\"" },
    { ".spec..name", "string", "\"first\"" },
    { ".spec.deep.b[0].name", "string", "\"second\"" },
    { ".spec.l[0]", "string", "\"a\"" },
    { ".spec.l[-1]", "string", "\"c\"" },
    { ".spec.l[3]", "string", "null" },
    { ".spec.l[-4]", "string", "null" },
    { ".spec.l[1:]", "string", "\"b\"" },
    { ".spec.l[:2]", "string", "\"a\"" },
    { ".spec.l[2:1]", "string", "null" },
    { ".spec.l[0:3:2]", "string", "\"a\"" },
    { ".spec.l[1:1]", "string", "null" },
    { ".spec.l[0:9]", "string", "null" },
    { ".spec.l[]", "string", "\"a\"" },
    { ".spec.l[*]", "string", "\"a\"" },
    { ".spec.e[*]", "string", "null" },
    { ".spec.e[0]", "string", "null" },
    { ".spec.l.*", "string", "\"a\"" },
    { ".spec.l[2,0]", "string", "\"c\"" },
    { ".spec.l[x]", "string", NULL },
    { ".spec.l[-]", "string", NULL },
    { ".spec.l[0:3:0]", "string", "null" },
    { ".spec.l[0", "string", NULL },
    { ".spec[", "string", NULL },
    { ".spec.s[0]", "string", "null" },
    { ".spec.z[0]", "string", "null" },
    { ".spec.z.a", "string", "null" },
    { ".spec['s']", "string", "\"x\\\"y\"" },
    { ".spec['o','s']", "string",
      "\"{\\\"a\\\":[1],\\\"k\\\":\\\"\\\\u003c\\\\u0026\\\\u003e\\\"}\"" },
    { ".spec.o['k']", "string", "\"<&>\"" },
    { ".metadata.labels.app\\.io/name", "string", "\"lab\"" },
    { ".metadata.labels['app\\.io/name']", "string", "\"lab\"" },
    { ".metadata.labels['app.io/name']", "string", "null" },
    { ".spec.list[?(@.t==\"Ready\")].s", "string", "\"True\"" },
    { ".spec.list[?(@.t=='Done')].s", "string", "\"False\"" },
    { ".spec.list[?(@.t!=\"Ready\")].t", "string", "\"Done\"" },
    { ".spec.list[?(@.n==2)].t", "string", "null" },
    { ".spec.list[?(@.n>1)].n", "string", "null" },
    { ".spec.list[?(@.n<2)].n", "string", "null" },
    { ".spec.list[?(@.s)].t", "string", "\"Ready\"" },
    { ".spec.list[?(@.t)].t", "string", "\"Ready\"" },
    { ".spec.list[?(@.t==1)].t", "string", "null" },
    { ".spec.sb[?(@.on==true)].v", "string", "\"1\"" },
    { ".spec.sb[?(@.on==false)].v", "string", "\"2\"" },
    { ".spec.sb[?(@.on<true)].v", "string", "null" },
    { ".spec.sb[?(@.v>=\"2\")].v", "string", "\"2\"" },
    { ".spec.sb[?(@.v<=\"1\")].v", "string", "\"1\"" },
    { ".spec.sb[?(@.v=\"1\")].v", "string", "null" },
    { ".spec.sb[?(@.v==\"1\"].v", "string", NULL },
    { ".spec.sb[?(@.v==\"1\")", "string", NULL },
    { ".spec.sb[?(@.v==nope)].v", "string", "null" },
    { ".spec.q[?(@.t==\"a)b\")].v", "string", "\"1\"" },
    { ".spec.q[?(@.t==\"it's\")].v", "string", "\"2\"" },
    { ".spec.o[?(@.k)]", "string", "null" },
    { ".spec.missing[?(@.k)]", "string", "null" },
    { ".spec.z[?(@.k)]", "string", "null" },
    { ".spec.list[?(@.n==@.n)].n", "string", "\"1\"" },
    { ".spec.sb[?(@.v==\"3\")].v", "string", "null" },
    { "....name", "string", NULL },
    { ".spec...name", "string", "\"first\"" },
    { "..*", "string", NULL },
    { ".spec.list[*].n", "string", "\"1\"" },
    { ".spec.list[*].missing", "string", "null" },
    { ".spec.list[0:2].t", "string", "\"Ready\"" },
    { ".spec.list[?(@.n==-2)].t", "string", "null" },
    { ".spec.list[?(@.n==2.5)].t", "string", "null" },
    { ".spec.list[?(@.n>=+1)].t", "string", "null" },
    { ".spec.s", "integer", "null" },
    { ".spec.s", "number", "null" },
    { ".spec.s", "boolean", "null" },
    { ".spec.s", "date", "\"<invalid>\"" },
    { ".spec.i", "integer", "5" },
    { ".spec.i", "number", "5" },
    { ".spec.i", "boolean", "null" },
    { ".spec.i", "date", "null" },
    { ".spec.f", "integer", "1" },
    { ".spec.f", "number", "1.5" },
    { ".spec.f", "boolean", "null" },
    { ".spec.f", "date", "null" },
    { ".spec.whole", "integer", "3" },
    { ".spec.whole", "number", "3" },
    { ".spec.whole", "boolean", "null" },
    { ".spec.whole", "date", "null" },
    { ".spec.b", "integer", "null" },
    { ".spec.b", "number", "null" },
    { ".spec.b", "boolean", "true" },
    { ".spec.b", "date", "null" },
    { ".spec.z", "integer", "null" },
    { ".spec.z", "number", "null" },
    { ".spec.z", "boolean", "null" },
    { ".spec.z", "date", "null" },
    { ".spec.l", "integer", "null" },
    { ".spec.l", "number", "null" },
    { ".spec.l", "boolean", "null" },
    { ".spec.l", "date", "null" },
    { ".spec.n", "integer", "-2" },
    { ".spec.n", "number", "-2.7" },
    { ".spec.n", "boolean", "null" },
    { ".spec.n", "date", "null" },
    { ".spec.big", "integer", "-9223372036854775808" },
    { ".spec.big", "number", "1e+21" },
    { ".spec.big", "boolean", "null" },
    { ".spec.big", "date", "null" },
    { ".spec.d", "integer", "null" },
    { ".spec.d", "number", "null" },
    { ".spec.d", "boolean", "null" },
    { ".spec.d", "date", "\"5m\"" },
    { ".spec.baddate", "integer", "null" },
    { ".spec.baddate", "number", "null" },
    { ".spec.baddate", "boolean", "null" },
    { ".spec.baddate", "date", "\"<invalid>\"" },
    { ".spec.nodate", "integer", "null" },
    { ".spec.nodate", "number", "null" },
    { ".spec.nodate", "boolean", "null" },
    { ".spec.nodate", "date", "\"<unknown>\"" },
    { ".spec.missing", "integer", "null" },
    { ".spec.missing", "number", "null" },
    { ".spec.missing", "boolean", "null" },
    { ".spec.missing", "date", "null" },
};

TEST(cells_are_what_client_go_finds)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_time now;

    assert_int_equal(yl_time_parse(YL_STR(NOW), &now, NULL), 0);
    assert_int_equal(yl_json_validate(yl_str_c(sample), NULL, NULL), 0);
    for (size_t i = 0; i < YL_ARRAY_SIZE(examples); i++) {
        const struct yl_jsonpath *path;
        struct yl_buf buf;
        int r = yl_jsonpath_parse(yl_str_c(examples[i].path), arena, &path,
                                  NULL);

        if (!examples[i].cell || r < 0) {
            if (r != (examples[i].cell ? 0 : YL_EINVALID)) {
                fail_msg("%s: %d", examples[i].path, r);
            }
            continue;
        }
        yl_buf_init(&buf, 1 << 20);
        yl_jsonpath_write_cell(path, yl_str_c(examples[i].type),
                               yl_json(yl_str_c(sample)), now, arena, &buf);
        if (!yl_str_equal_c(yl_buf_str(&buf), examples[i].cell)) {
            fail_msg("%s as %s: %s, want %s", examples[i].path,
                     examples[i].type, yl_buf_c_str(&buf), examples[i].cell);
        }
        yl_buf_release(&buf);
    }
    yl_arena_free(arena);
}

TEST(paths_are_bounded)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    const struct yl_jsonpath *path;
    struct yl_buf buf;

    yl_buf_init(&buf, 1 << 20);
    while (buf.size <= YL_JSONPATH_MAX_SIZE) {
        yl_buf_append_c(&buf, ".a");
    }
    assert_int_equal(yl_jsonpath_parse(yl_buf_str(&buf), arena, &path, &err),
                     YL_ETOOBIG);
    yl_error_clear(&err);

    /* A filter ends at the first ')', so one in another is malformed. */
    yl_buf_clear(&buf);
    for (int i = 0; i <= YL_JSONPATH_MAX_DEPTH; i++) {
        yl_buf_append_c(&buf, ".a[?(@");
    }
    yl_buf_append_c(&buf, ")]");
    assert_int_equal(yl_jsonpath_parse(yl_buf_str(&buf), arena, &path, &err),
                     YL_EINVALID);
    yl_error_clear(&err);
    yl_buf_release(&buf);
    yl_arena_free(arena);
}

TEST(evaluations_are_bounded)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_jsonpath *path;
    struct yl_json found;
    struct yl_buf buf;

    yl_buf_init(&buf, 1 << 20);
    for (int i = 0; i < 500; i++) {
        yl_buf_append_c(&buf, "{\"a\":");
    }
    yl_buf_append_c(&buf, "[1]");
    for (int i = 0; i < 500; i++) {
        yl_buf_append_c(&buf, "}");
    }
    assert_int_equal(yl_jsonpath_parse(YL_STR("..a"), arena, &path, NULL), 0);
    found = yl_jsonpath_first(path, yl_json(yl_buf_str(&buf)), arena);
    assert_int_equal(yl_json_type(found), YL_JSON_OBJECT);
    assert_int_equal(yl_jsonpath_parse(YL_STR("..a..a..a"), arena, &path,
                                       NULL), 0);
    found = yl_jsonpath_first(path, yl_json(yl_buf_str(&buf)), arena);
    assert_false(yl_json_exists(found));
    yl_buf_release(&buf);
    yl_arena_free(arena);
}

TEST(messages_name_the_place)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_arena *arena = yl_arena_new();
    const struct yl_jsonpath *path;

    assert_int_equal(yl_jsonpath_parse(YL_STR("spec.x"), arena, &path, &err),
                     YL_EINVALID);
    assert_string_equal(yl_error_message(&err),
                        "unrecognized character in action: U+0073 's'");
    yl_error_clear(&err);
    yl_arena_free(arena);
}

/* The Tables of crds.json, from the CRD and the objects of the scenario. */
static void
compare_rows(struct yl_arena *arena, struct yl_json columns,
             struct yl_json table, struct yl_json objects, unsigned *n)
{
    struct yl_json_iter row = yl_json_iter(yl_json_get(table,
                                                       YL_STR("rows")));
    struct yl_time now;

    assert_int_equal(yl_time_parse(YL_STR(NOW), &now, NULL), 0);
    while (yl_json_next(&row)) {
        struct yl_json cells = yl_json_get(row.value, YL_STR("cells"));
        struct yl_json_iter column = yl_json_iter(columns);
        struct yl_json_iter it = yl_json_iter(objects);
        struct yl_str name, path_text, type;
        struct yl_json object = yl_json_none();

        assert_int_equal(yl_json_string(yl_json_at(cells, 0), arena, &name),
                         0);
        while (yl_json_next(&it)) {
            struct yl_json body = yl_json_get(it.value, YL_STR("body"));

            if (yl_json_string_is(yl_json_path(body, "metadata", "name",
                                               (char *) NULL), name)) {
                object = body;
            }
        }
        if (!yl_json_exists(yl_json_get(object, YL_STR("apiVersion")))) {
            continue;
        }
        for (size_t i = 1; yl_json_next(&column); i++) {
            struct yl_json want = yl_json_at(cells, i);
            const struct yl_jsonpath *path;
            struct yl_buf buf;

            assert_int_equal(yl_json_string(
                yl_json_get(column.value, YL_STR("jsonPath")), arena,
                &path_text), 0);
            assert_int_equal(yl_json_string(
                yl_json_get(column.value, YL_STR("type")), arena, &type), 0);
            if (yl_str_equal_c(type, "date")) {
                continue;       /* Times are not recorded. */
            }
            assert_int_equal(yl_jsonpath_parse(path_text, arena, &path,
                                               NULL), 0);
            yl_buf_init(&buf, 1 << 20);
            yl_jsonpath_write_cell(path, type, object, now, arena, &buf);
            assert_str_equal(yl_json_raw(want), yl_buf_c_str(&buf));
            yl_buf_release(&buf);
            (*n)++;
        }
    }
}

TEST(tables_are_as_recorded)
{
    size_t size;
    char *text = read_file(truth_path("recorded/crds.json"), &size);
    struct yl_json_iter scenario = yl_json_iter(yl_json(yl_str_n(text,
                                                                 size)));
    struct yl_arena *arena = yl_arena_new();
    unsigned n = 0;

    while (yl_json_next(&scenario)) {
        struct yl_json steps = yl_json_get(scenario.value, YL_STR("steps"));
        struct yl_json_iter step = yl_json_iter(steps);
        struct yl_json columns = yl_json_none();

        if (!yl_json_string_is(yl_json_get(scenario.value, YL_STR("name")),
                               YL_STR("crds-table"))) {
            continue;
        }
        while (yl_json_next(&step)) {
            struct yl_json versions = yl_json_path(step.value, "body",
                                                   "spec", "versions",
                                                   (char *) NULL);
            struct yl_json body = yl_json_path(step.value, "expect", "body",
                                               (char *) NULL);

            if (yl_json_exists(versions)) {
                columns = yl_json_get(yl_json_at(versions, 0),
                                      YL_STR("additionalPrinterColumns"));
            } else if (yl_json_string_is(yl_json_get(body, YL_STR("kind")),
                                         YL_STR("Table"))) {
                compare_rows(arena, columns, body, steps, &n);
            }
        }
    }
    print_message("%u cells\n", n);
    assert_true(n >= 50);
    yl_arena_free(arena);
    free(text);
}
