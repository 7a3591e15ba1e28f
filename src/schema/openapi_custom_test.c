/* Tests of the OpenAPI of custom kinds.  Whole definitions are compared with
 * what a kube-apiserver publishes in tests/interop. */

#include "schema/openapi_custom.h"

#include "custom_kind.h"
#include "json/member.h"

/* The two schemas, as a tree without descriptions of our own. */
static struct yl_node *
published(struct yl_arena *arena, enum yl_openapi_version version,
          const struct yl_kind *kind, const char *selectable)
{
    struct yl_node *root;
    struct yl_buf buf;

    yl_buf_init(&buf, 1 << 20);
    yl_buf_append_char(&buf, '{');
    yl_openapi_write_custom(&buf, version, kind, selectable);
    yl_buf_append_char(&buf, '}');
    assert_int_equal(yl_tree_parse(arena,
                                   yl_arena_copy(arena, yl_buf_str(&buf)),
                                   NULL, &root, NULL), 0);
    yl_buf_release(&buf);
    return root;
}

/* Removes the descriptions, which are each server's own. */
static void
strip(struct yl_node *node)
{
    struct yl_node *child, *next;

    YL_NODE_FOR_EACH_SAFE (child, next, node) {
        if (child->type == YL_JSON_STRING && child->key_data
            && yl_str_equal_c(yl_node_key(child), "description")) {
            yl_node_detach(child);
        } else {
            strip(child);
        }
    }
}

static void
assert_json(const struct yl_node *node, const char *expected)
{
    struct yl_buf buf;
    char *at;

    assert_non_null(node);
    yl_buf_init(&buf, 1 << 20);
    assert_int_equal(yl_node_write_canonical(&buf, node), 0);
    for (at = buf.data; at < buf.data + buf.size; at++) {
        *at = *at == '"' ? '\'' : *at;
    }
    assert_string_equal(yl_buf_c_str(&buf), expected);
    yl_buf_release(&buf);
}

#define REF3 "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1."
#define REF2 "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1."
#define GVK(KIND)                                                             \
    "'x-kubernetes-group-version-kind':[{'group':'example.com',"              \
    "'kind':'" KIND "','version':'v1'}]"

/* What a property of the schema becomes in both versions. */
static const struct {
    const char *schema, *v3, *v2;
} cases[] = {
    { "{'type':'string','default':'x','enum':['x','y']}",
      "{'default':'x','enum':['x','y'],'type':'string'}",
      "{'enum':['x','y'],'type':'string'}" },
    { "{'type':'integer','nullable':true,'minimum':1}",
      "{'minimum':1,'nullable':true,'type':'integer'}", "{'minimum':1}" },
    { "{'type':'object','nullable':true,'required':['a'],"
      "'properties':{'a':{'type':'string'}}}",
      "{'nullable':true,'properties':{'a':{'type':'string'}},"
      "'required':['a'],'type':'object'}", "{'required':['a']}" },
    { "{'type':'object','required':['b','a'],'properties':{"
      "'a':{'type':'string'},'b':{'type':'string','nullable':true}}}",
      "{'properties':{'a':{'type':'string'},"
      "'b':{'nullable':true,'type':'string'}},'required':['b','a'],"
      "'type':'object'}",
      "{'properties':{'a':{'type':'string'},'b':{}},'required':['a'],"
      "'type':'object'}" },
    { "{'type':'object','required':['b'],'properties':{"
      "'b':{'type':'string','nullable':true}}}",
      "{'properties':{'b':{'nullable':true,'type':'string'}},"
      "'required':['b'],'type':'object'}",
      "{'properties':{'b':{}},'type':'object'}" },
    { "{'type':'object','required':['a'],'additionalProperties':"
      "{'type':'string','nullable':true}}",
      "{'additionalProperties':{'nullable':true,'type':'string'},"
      "'required':['a'],'type':'object'}",
      "{'additionalProperties':{},'type':'object'}" },
    { "{'type':'object','x-kubernetes-preserve-unknown-fields':true,"
      "'properties':{'a':{'type':'string'}}}",
      "{'properties':{'a':{'type':'string'}},'type':'object',"
      "'x-kubernetes-preserve-unknown-fields':true}",
      "{'x-kubernetes-preserve-unknown-fields':true}" },
    { "{'type':'array','x-kubernetes-preserve-unknown-fields':true,"
      "'items':{'type':'string'}}",
      "{'items':{'type':'string'},'type':'array',"
      "'x-kubernetes-preserve-unknown-fields':true}",
      "{'x-kubernetes-preserve-unknown-fields':true}" },
    { "{'type':'array','items':{'type':'object','nullable':true}}",
      "{'items':{'nullable':true,'type':'object'},'type':'array'}",
      "{'items':{},'type':'array'}" },
    { "{'type':'object','oneOf':[{'required':['a']}],"
      "'not':{'required':['b']}}",
      "{'not':{'required':['b']},'oneOf':[{'required':['a']}],"
      "'type':'object'}", "{'type':'object'}" },

    /* An integer or a string, with and without words for it. */
    { "{'x-kubernetes-int-or-string':true}",
      "{'anyOf':[{'type':'integer'},{'type':'string'}],"
      "'x-kubernetes-int-or-string':true}",
      "{'x-kubernetes-int-or-string':true}" },
    { "{'x-kubernetes-int-or-string':true,"
      "'anyOf':[{'type':'integer'},{'type':'string'}]}",
      "{'anyOf':[{'type':'integer'},{'type':'string'}],"
      "'x-kubernetes-int-or-string':true}",
      "{'x-kubernetes-int-or-string':true}" },
    { "{'x-kubernetes-int-or-string':true,'allOf':[{'anyOf':"
      "[{'type':'integer'},{'type':'string'}]},{'minimum':3}]}",
      "{'allOf':[{'anyOf':[{'type':'integer'},{'type':'string'}]},"
      "{'minimum':3}],'x-kubernetes-int-or-string':true}",
      "{'x-kubernetes-int-or-string':true}" },
    { "{'x-kubernetes-int-or-string':true,'anyOf':[{'minimum':3}]}",
      "{'allOf':[{'anyOf':[{'type':'integer'},{'type':'string'}]}],"
      "'anyOf':[{'minimum':3}],'x-kubernetes-int-or-string':true}",
      "{'x-kubernetes-int-or-string':true}" },

    /* An object inside another one. */
    { "{'type':'object','x-kubernetes-embedded-resource':true,"
      "'x-kubernetes-preserve-unknown-fields':true}",
      "{'properties':{'apiVersion':{'type':'string'},"
      "'kind':{'type':'string'},'metadata':{'allOf':[{'$ref':'"
      REF3 "ObjectMeta'}]}},'required':['kind','apiVersion'],"
      "'type':'object','x-kubernetes-embedded-resource':true,"
      "'x-kubernetes-preserve-unknown-fields':true}",
      "{'x-kubernetes-embedded-resource':true,"
      "'x-kubernetes-preserve-unknown-fields':true}" },
    { "{'type':'object','x-kubernetes-embedded-resource':true,"
      "'required':['spec','kind'],'properties':{'kind':{'type':'string',"
      "'enum':['K']},'spec':{'type':'object'}}}",
      "{'properties':{'apiVersion':{'type':'string'},"
      "'kind':{'type':'string'},'metadata':{'allOf':[{'$ref':'"
      REF3 "ObjectMeta'}]},'spec':{'type':'object'}},"
      "'required':['spec','kind','apiVersion'],'type':'object',"
      "'x-kubernetes-embedded-resource':true}",
      "{'properties':{'apiVersion':{'type':'string'},"
      "'kind':{'type':'string'},'metadata':{'$ref':'"
      REF2 "ObjectMeta'},'spec':{'type':'object'}},"
      "'required':['spec','kind','apiVersion'],'type':'object',"
      "'x-kubernetes-embedded-resource':true}" },

    /* A name with an escape. */
    { "{'type':'object','required':['\\u0062'],'properties':{"
      "'b':{'type':'string','nullable':true}}}",
      "{'properties':{'b':{'nullable':true,'type':'string'}},"
      "'required':['b'],'type':'object'}",
      "{'properties':{'b':{}},'type':'object'}" },
};

TEST(properties_are_published_as_by_upstream)
{
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_arena *arena = yl_arena_new();
        char *text = yl_arena_printf(
            arena, "{'type':'object','properties':{'p':%s}}",
            cases[i].schema);
        struct yl_kind *kind = custom_kind_new("v1", text, 0);
        int version;

        for (version = 0; version < 2; version++) {
            struct yl_node *root = published(
                arena, version ? YL_OPENAPI_V2 : YL_OPENAPI_V3, kind, NULL);
            struct yl_node *thing = yl_member_object(
                root, "com.example.v1.Thing");

            strip(root);
            assert_json(yl_member_object(yl_member_object(thing,
                                                          "properties"), "p"),
                        version ? cases[i].v2 : cases[i].v3);
        }
        yl_schema_kind_free(kind);
        yl_arena_free(arena);
    }
}

TEST(every_kind_has_the_members_of_objects)
{
    struct yl_kind *kind = custom_kind_new(
        "v1", "{'type':'object','description':'T','properties':{"
        "'kind':{'type':'string','enum':['Thing']},"
        "'metadata':{'type':'object','properties':{'name':"
        "{'type':'string','maxLength':3}}}}}", 0);
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *root = published(arena, YL_OPENAPI_V3, kind,
                                     "spec.a,spec.b");

    assert_true(yl_node_string_is(
        yl_node_get(yl_member_object(root, "com.example.v1.Thing"),
                    YL_STR("description")), YL_STR("T")));
    strip(root);
    assert_json(root,
        "{'com.example.v1.Thing':{'properties':{'apiVersion':"
        "{'type':'string'},'kind':{'type':'string'},'metadata':{'allOf':"
        "[{'$ref':'" REF3 "ObjectMeta'}]}},'type':'object',"
        GVK("Thing") ",'x-kubernetes-selectable-fields':["
        "{'fieldPath':'spec.a'},{'fieldPath':'spec.b'}]},"
        "'com.example.v1.ThingList':{'properties':{'apiVersion':"
        "{'type':'string'},'items':{'items':{'$ref':"
        "'#/components/schemas/com.example.v1.Thing'},'type':'array'},"
        "'kind':{'type':'string'},'metadata':{'allOf':[{'$ref':'"
        REF3 "ListMeta'}]}},'required':['items'],'type':'object',"
        GVK("ThingList") ",'x-kubernetes-selectable-fields':["
        "{'fieldPath':'spec.a'},{'fieldPath':'spec.b'}]}}");
    root = published(arena, YL_OPENAPI_V2, kind, "");
    strip(root);
    assert_json(yl_member_object(root, "com.example.v1.ThingList"),
        "{'properties':{'apiVersion':{'type':'string'},'items':{'items':"
        "{'$ref':'#/definitions/com.example.v1.Thing'},'type':'array'},"
        "'kind':{'type':'string'},'metadata':{'$ref':'" REF2 "ListMeta'}},"
        "'required':['items'],'type':'object'," GVK("ThingList") "}");
    yl_schema_kind_free(kind);
    yl_arena_free(arena);
}

/* What is published of a kind that has no schema, or keeps all fields. */
TEST(kinds_without_a_schema_are_objects)
{
    static const struct {
        const char *schema;
        unsigned flags;
        bool v3_too;
    } kinds[] = {
        { "{'type':'object'}", YL_KIND_UNDESCRIBED, true },
        { "{'type':'object','properties':{'a':{'type':'string'}}}",
          YL_KIND_PRESERVE, false },
        { "{'type':'object','properties':{'a':{'type':'string'}},"
          "'x-kubernetes-preserve-unknown-fields':true}", 0, false },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(kinds); i++) {
        struct yl_kind *kind = custom_kind_new("v1", kinds[i].schema,
                                               kinds[i].flags);
        struct yl_arena *arena = yl_arena_new();
        struct yl_node *thing = yl_member_object(
            published(arena, YL_OPENAPI_V2, kind, NULL),
            "com.example.v1.Thing");

        assert_json(thing, "{'type':'object'," GVK("Thing") "}");
        thing = yl_member_object(published(arena, YL_OPENAPI_V3, kind, NULL),
                                 "com.example.v1.Thing");
        assert_int_equal(yl_member_object(thing, "properties") != NULL,
                         !kinds[i].v3_too);
        yl_schema_kind_free(kind);
        yl_arena_free(arena);
    }
}
