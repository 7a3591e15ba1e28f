/* Tests of objects inside of others. */

#include "schema/embedded.h"

#include "base/buf.h"
#include "compiled_schema.h"
#include "schema/at.h"
#include "schema/strict.h"
#include "yuloh/api/core_v1.h"

#define RESOURCE                                                              \
    "{'type':'object','x-kubernetes-embedded-resource':true,"                 \
    "'x-kubernetes-preserve-unknown-fields':true,"                            \
    "'properties':{'in':{'type':'object',"                                    \
    "'x-kubernetes-embedded-resource':true,"                                  \
    "'x-kubernetes-preserve-unknown-fields':true}}}"
#define SCHEMA                                                                \
    "{'type':'object','properties':{'e':" RESOURCE ","                        \
    "'l':{'type':'array','items':" RESOURCE "},"                              \
    "'m':{'type':'object','additionalProperties':" RESOURCE "}}}"

static struct yl_arena *arena;

/* The type of metadata. */
static struct yl_type_ref
object_meta(void)
{
    struct yl_type_ref pod = yl_kind_type(&core_v1_pod_kind);
    const struct yl_field *field = yl_type_field(pod, YL_STR("metadata"));

    return yl_value_type(pod.set, &pod.set->values[field->value]);
}

/* The object after coercing, or the error; what is unknown behind it. */
static const char *
coerced(const char *object, bool drop)
{
    struct yl_embedded_opts opts = { object_meta(), drop };
    struct yl_schema *schema = schema_of(arena, SCHEMA);
    struct yl_node *root = tree_of(arena, object);
    struct yl_error err = YL_ERROR_INIT;
    struct yl_strict strict;
    struct yl_buf out;
    const char *text;

    yl_buf_init(&out, SIZE_MAX);
    yl_strict_init(&strict, arena);
    if (yl_embedded_coerce(arena, yl_schema_type(schema), root, &opts, &strict,
                           &err) < 0) {
        assert_int_equal(err.code, YL_EBADREQUEST);
        yl_buf_append_c(&out, yl_error_message(&err));
    } else {
        yl_node_write_canonical(&out, root);
        yl_buf_append_c(&out, strict.n_errors ? " " : "");
        yl_strict_write(&out, &strict);
    }
    text = yl_arena_strdup(arena, yl_buf_str(&out));
    yl_buf_release(&out);
    yl_strict_release(&strict);
    yl_error_clear(&err);
    yl_schema_unref(schema);
    return text;
}

TEST(metadata_takes_its_form)
{
    static const struct {
        const char *object, *coerced;
    } cases[] = {
        { "{'e':{'metadata':{'name':'x','bogus':1,'labels':{},"
          "'creationTimestamp':null}},'metadata':{'bogus':2}}",
          "{\"e\":{\"metadata\":{\"name\":\"x\"}},"
          "\"metadata\":{\"bogus\":2}} unknown field \"e.metadata.bogus\"" },
        { "{'l':[{'metadata':null,'x':{'metadata':{'bogus':1}}}],"
          "'m':{'k':{'in':{'metadata':{'generation':1.0}}}}}",
          "{\"l\":[{\"metadata\":{},\"x\":{\"metadata\":{\"bogus\":1}}}],"
          "\"m\":{\"k\":{\"in\":{\"metadata\":{\"generation\":1}}}}}" },
        { "{'e':5,'l':{},'m':[]}", "{\"e\":5,\"l\":{},\"m\":[]}" },
    };
    size_t i;

    arena = yl_arena_new();
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(coerced(cases[i].object, false),
                            cases[i].coerced);
    }
    yl_arena_free(arena);
}

TEST(what_is_malformed_is_refused)
{
    static const struct {
        const char *object, *fault;
    } cases[] = {
        { "{'e':{'kind':5}}",
          "e.kind: Invalid value: 5: must be a string" },
        { "{'l':[{'in':{'apiVersion':null}}]}",
          "l[0].in.apiVersion: Invalid value: null: must be a string" },
        { "{'m':{'k':{'metadata':{'name':5}}}}",
          "m[k].metadata: Invalid value: {\"name\":5}: json: cannot unmarshal "
          "number into Go struct field ObjectMeta.name of type string" },
        { "{'e':{'metadata':'x'}}",
          "e.metadata: Invalid value: \"x\": json: cannot unmarshal string "
          "into Go value of type v1.ObjectMeta" },
    };
    size_t i;

    arena = yl_arena_new();
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(coerced(cases[i].object, false), cases[i].fault);
    }
    yl_arena_free(arena);
}

TEST(what_is_malformed_is_dropped)
{
    arena = yl_arena_new();
    assert_string_equal(
        coerced("{'e':{'kind':5,'apiVersion':'v1','metadata':{'name':5,"
                "'labels':{'a':'b'},'annotations':{'c':1}}}}", true),
        "{\"e\":{\"apiVersion\":\"v1\",\"metadata\":"
        "{\"labels\":{\"a\":\"b\"}}}}");
    assert_string_equal(coerced("{'e':{'metadata':'x'}}", true),
                        "{\"e\":{\"metadata\":\"x\"}}");
    yl_arena_free(arena);
}

/* Finds fault with every name. */
static void
check_name(struct yl_check *c, const struct yl_at *metadata)
{
    struct yl_at name = yl_at(metadata, "name");

    if (name.node) {
        yl_field_invalid(c->err, yl_at_path(&name), yl_bad_at(&name), "bad");
    }
}

TEST(objects_are_checked)
{
    static const struct {
        const char *object, *faults;
    } cases[] = {
        { "{'e':{'apiVersion':'a/v1','kind':'Pod','metadata':{}}}", "" },
        { "{'e':{},'kind':5}", "FieldValueRequired e.apiVersion Required "
                               "value\n"
                               "FieldValueRequired e.kind Required value" },
        { "{'m':{'k':{'apiVersion':'v1','kind':'','in':{'apiVersion':'a/b/c',"
          "'kind':'A_b'}}}}",
          "FieldValueInvalid m[k].kind Invalid value: \"\": must not be empty"
          "\n"
          "FieldValueInvalid m[k].in.apiVersion Invalid value: \"a/b/c\": "
          "unexpected GroupVersion string: a/b/c\n"
          "FieldValueInvalid m[k].in.kind Invalid value: \"A_b\": may have "
          "mixed case, but should otherwise match: a DNS-1035 label must "
          "consist of lower case alphanumeric characters or '-', start with "
          "an alphabetic character, and end with an alphanumeric character "
          "(e.g. 'my-name',  or 'abc-123', regex used for validation is "
          "'[a-z]([-a-z0-9]*[a-z0-9])?')" },
        { "{'l':[{'apiVersion':5,'kind':[],'metadata':{'name':'x'}}]}",
          "FieldValueInvalid l[0].apiVersion Invalid value: 5: must be a "
          "string\n"
          "FieldValueInvalid l[0].kind Invalid value: []: must be a string\n"
          "FieldValueInvalid l[0].metadata.name Invalid value: \"x\": bad" },
        { "{'e':{'apiVersion':'','kind':'X'}}",
          "FieldValueInvalid e.apiVersion Invalid value: \"\": must not be "
          "empty" },
    };
    struct yl_schema *schema;
    size_t i;

    arena = yl_arena_new();
    schema = schema_of(arena, SCHEMA);
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct yl_error err = YL_ERROR_INIT;

        yl_embedded_check(arena, yl_schema_type(schema),
                          tree_of(arena, cases[i].object), check_name, &err);
        assert_string_equal(causes_of(arena, &err), cases[i].faults);
    }
    yl_schema_unref(schema);
    yl_arena_free(arena);
}
