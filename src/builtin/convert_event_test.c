/* Tests of Events of two groups. */

#include "builtin/convert.h"
#include "builtin_case.h"
#include "yuloh/gvk.h"

/* 'json' as an object of 'gv' must be 'want', byte for byte. */
static void
check(const char *json, const char *gv, const char *want)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object = case_parse(arena, json);
    struct yl_buf buf;
    struct yl_gv to;
    char *have, *at;

    assert_int_equal(yl_gv_parse(yl_str_c(gv), &to, NULL), 0);
    assert_int_equal(yl_builtin_convert_gv(arena, object, to, NULL), 0);
    yl_buf_init(&buf, SIZE_MAX);
    yl_node_write(&buf, object);
    have = yl_arena_strdup(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    for (at = have; (at = strchr(at, '"')) != NULL;) {
        *at = '\'';
    }
    assert_string_equal(have, want);
    yl_arena_free(arena);
}

TEST(events_of_the_core_group)
{
    check("{'apiVersion':'v1','kind':'Event','involvedObject':{'name':'a'},"
          "'message':'m','source':{'component':'c'},'firstTimestamp':null,"
          "'lastTimestamp':'t','count':2,'reportingComponent':'',"
          "'reportingInstance':'i'}",
          "events.k8s.io/v1",
          "{'apiVersion':'events.k8s.io/v1','kind':'Event',"
          "'regarding':{'name':'a'},'note':'m',"
          "'deprecatedSource':{'component':'c'},"
          "'deprecatedFirstTimestamp':null,'deprecatedLastTimestamp':'t',"
          "'deprecatedCount':2,'reportingInstance':'i'}");
    check("{'apiVersion':'v1','kind':'Event','involvedObject':{},"
          "'message':'','count':0}",
          "events.k8s.io/v1",
          "{'apiVersion':'events.k8s.io/v1','kind':'Event',"
          "'regarding':{}}");
}

TEST(events_of_the_other_group)
{
    check("{'apiVersion':'events.k8s.io/v1','kind':'Event',"
          "'regarding':{'name':'a'},'note':'m','deprecatedSource':{},"
          "'deprecatedCount':1,'reportingController':'c','eventTime':'t'}",
          "v1",
          "{'apiVersion':'v1','kind':'Event','eventTime':'t',"
          "'involvedObject':{'name':'a'},'message':'m','source':{},"
          "'count':1,'reportingComponent':'c'}");
}
