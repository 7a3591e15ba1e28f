/* Tests of what is the same in an old and a new object, and of validation that
 * forgives its faults. */

#include "schema/correlate.h"

#include "compiled_schema.h"
#include "schema/shape.h"
#include "schema/validate.h"

#define SCHEMA                                                                \
    "{'type':'object','properties':{'kind':{'type':'string','maxLength':1},"  \
    "'o':{'type':'object','properties':{'a':{'type':'string','maxLength':1}," \
    "'b':{'type':'integer'},'c':{'type':'object',"                            \
    "'additionalProperties':{'type':'integer','maximum':1}}},"                \
    "'required':['b'],"                                                       \
    "'not':{'properties':{'a':{'enum':['no']}},'required':['a']}},"           \
    "'m':{'type':'array','x-kubernetes-list-type':'map',"                     \
    "'x-kubernetes-list-map-keys':['n'],'maxItems':2,'items':{"               \
    "'type':'object','properties':{'n':{'type':'string'},"                    \
    "'v':{'type':'integer','maximum':1}}}},"                                  \
    "'l':{'type':'array','items':{'type':'integer','maximum':1}},"            \
    "'p':{'type':'object','x-kubernetes-preserve-unknown-fields':true,"       \
    "'maxProperties':1,'properties':{'k':{'type':'string'}}}}}"

static struct yl_arena *arena;

/* The fields at fault, joined by blanks. */
static const char *
fields_of(const char *object, const char *old)
{
    struct yl_schema *schema = schema_of(arena, SCHEMA);
    struct yl_validate_opts opts = { .old = old ? tree_of(arena, old) : NULL };
    struct yl_error err = YL_ERROR_INIT;
    const char *fields = "";
    size_t i;

    yl_validate(yl_schema_type(schema), tree_of(arena, object), &opts, &err);
    for (i = 0; i < err.n_causes; i++) {
        fields = yl_arena_printf(arena, "%s%s%s", fields, i ? " " : "",
                                 err.causes[i].field);
    }
    yl_error_clear(&err);
    yl_schema_unref(schema);
    return fields;
}

TEST(faults_of_what_stayed_are_forgiven)
{
    static const struct {
        const char *object, *old, *plain, *fields;
    } cases[] = {
        /* A scalar, beside one that changed. */
        { "{'o':{'a':'xx','b':1}}", "{'o':{'a':'xx','b':2}}", "o.a", "" },
        { "{'o':{'a':'xy','b':1}}", "{'o':{'a':'xx','b':1}}", "o.a", "o.a" },
        { "{'o':{'a':'xx','b':1}}", "{'o':{'b':1}}", "o.a", "o.a" },
        { "{'o':{'a':'xx','b':1}}", "{}", "o.a", "o.a" },
        { "{'o':{'a':'xx','b':1}}", "{'o':1}", "o.a", "o.a" },

        /* What is wrong with the whole needs the whole to stay. */
        { "{'o':{'a':'x'}}", "{'o':{'a':'x'}}", "o.b", "" },
        { "{'o':{'a':'y'}}", "{'o':{'a':'x'}}", "o.b", "o.b" },
        { "{'o':{'a':'no','b':1}}", "{'o':{'a':'no','b':1}}", "<nil> o.a",
          "" },
        { "{'o':{'a':'no','b':2}}", "{'o':{'a':'no','b':1}}", "<nil> o.a",
          "<nil>" },

        /* Members of maps have places. */
        { "{'o':{'b':1,'c':{'x':5,'y':1}}}", "{'o':{'b':1,'c':{'x':5}}}",
          "o.c.x", "" },
        { "{'o':{'b':1,'c':{'x':5,'y':5}}}", "{'o':{'b':1,'c':{'x':5}}}",
          "o.c.x o.c.y", "o.c.y" },

        /* Elements only in lists that are maps, in any order. */
        { "{'m':[{'n':'a','v':5},{'n':'b'}]}", "{'m':[{'n':'a','v':5}]}",
          "m[0].v", "" },
        { "{'m':[{'n':'b'},{'n':'a','v':5}]}", "{'m':[{'n':'a','v':5}]}",
          "m[1].v", "" },
        { "{'m':[{'n':'a','v':5}]}", "{'m':[{'n':'b','v':5}]}", "m[0].v",
          "m[0].v" },
        { "{'m':[{'n':'a'},{'n':'b'},{'n':'c'}]}",
          "{'m':[{'n':'c'},{'n':'a'},{'n':'b'}]}", "m", "" },
        { "{'m':[{'v':5}]}", "{'m':[{'v':5}]}", "m[0].v", "m[0].v" },
        { "{'l':[5,1]}", "{'l':[5]}", "l[0]", "l[0]" },
        { "{'l':[5,1]}", "{'l':[5,1]}", "l[0]", "" },
        { "{'l':[5,1]}", "{'l':[5,1.0]}", "l[0]", "l[0]" },

        /* What the schema does not describe is never the same. */
        { "{'p':{'k':'','x':1}}", "{'p':{'k':'','x':1}}", "p", "p" },

        /* Nulls. */
        { "{'l':null}", "{'l':null}", "l", "" },
        { "{'l':null}", "{'l':[]}", "l", "l" },

        /* The root's kind is not compared. */
        { "{'kind':'xx'}", "{'kind':'xx'}", "kind", "" },
        { "{'kind':'xx','l':[]}", "{'kind':'xx'}", "kind", "kind" },
    };
    size_t i;

    arena = yl_arena_new();
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(fields_of(cases[i].object, NULL), cases[i].plain);
        assert_string_equal(fields_of(cases[i].object, cases[i].old),
                            cases[i].fields);
    }
    yl_arena_free(arena);
}

TEST(elements_are_found_by_their_keys)
{
    struct yl_correlate_index index;
    struct yl_node *list;

    arena = yl_arena_new();
    list = tree_of(arena, "[{'a':1,'b':'x'},{'a':1.0,'b':'x'},{'a':1},5,"
                          "{'a':1,'b':'x','c':2},{'a':true,'b':'x,y'}]");
    yl_correlate_index_init(&index, arena, "a,b", list);
    assert_ptr_equal(yl_correlate_find(&index, yl_node_at(list, 4)),
                     yl_node_at(list, 0));
    assert_ptr_equal(yl_correlate_find(&index, yl_node_at(list, 1)),
                     yl_node_at(list, 1));
    assert_ptr_equal(yl_correlate_find(&index, yl_node_at(list, 5)),
                     yl_node_at(list, 5));
    assert_null(yl_correlate_find(&index, yl_node_at(list, 2)));
    assert_null(yl_correlate_find(&index, yl_node_at(list, 3)));
    yl_correlate_index_release(&index);
    yl_arena_free(arena);
}
