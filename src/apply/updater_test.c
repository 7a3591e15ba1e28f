/* Tests of the updater. */

#include "apply/updater.h"

#include "apply_unit.h"

static const char schema[] =
    "{'type':'object','properties':{"
    " 'n':{'type':'integer'},'s':{'type':'string'},'b':{'type':'boolean'},"
    " 'struct':{'type':'object','properties':{'a':{'type':'string'},"
    "  'b':{'type':'string'}}},"
    " 'whole':{'type':'object','x-kubernetes-map-type':'atomic',"
    "  'properties':{'a':{'type':'string'},'b':{'type':'string'}}},"
    " 'map':{'type':'object','additionalProperties':{'type':'string'}},"
    " 'list':{'type':'array','items':{'type':'string'}},"
    " 'set':{'type':'array','x-kubernetes-list-type':'set',"
    "  'items':{'type':'string'}},"
    " 'items':{'type':'array','x-kubernetes-list-type':'map',"
    "  'x-kubernetes-list-map-keys':['name'],'items':{'type':'object',"
    "  'properties':{'name':{'type':'string'},'v':{'type':'integer'},"
    "   'w':{'type':'integer'}}}},"
    " 'any':{'x-kubernetes-preserve-unknown-fields':true},"
    " 'status':{'type':'object','properties':{'n':{'type':'integer'}}}}}";

/* An object that several managers write, in turn. */
struct story {
    struct apply_unit u;
    struct yl_typed_object live;
    struct yl_managers managers;
    struct yl_updater updater;
    struct yl_conflicts conflicts;
    struct yl_field_filter filter;
    const char *missing;        /* A version that does not exist. */
};

/* Version "v2" calls 'n' what "v1" calls 'n2'; both have the rest. */
static int
convert(void *aux, const struct yl_typed_object *from, struct yl_str version,
        struct yl_typed_object *ret_to, struct yl_error *err)
{
    struct story *story = aux;
    struct yl_node *copy, *value;

    if (story->missing && yl_str_equal_c(version, story->missing)) {
        return yl_error_set(err, YL_ENOTFOUND, "no such version");
    } else if (yl_str_equal_c(version, "broken")) {
        return yl_error_set(err, YL_EINTERNAL, "cannot convert");
    }
    *ret_to = *from;
    ret_to->version = version;
    copy = from->object ? yl_node_copy(story->u.arena, from->object) : NULL;
    value = yl_node_get(copy, yl_str_equal_c(version, "v2") ? YL_STR("n")
                                                            : YL_STR("n2"));
    if (value) {
        yl_node_detach(value);
        yl_node_set(story->u.arena, copy,
                    yl_str_equal_c(version, "v2") ? YL_STR("n2")
                                                  : YL_STR("n"), value);
    }
    ret_to->object = copy;
    return 0;
}

static const struct yl_field_filter *
ignored(void *aux, struct yl_str version)
{
    struct story *story = aux;

    return version.size ? &story->filter : NULL;
}

static void
story_init(struct story *story, const char *of)
{
    memset(story, 0, sizeof *story);
    apply_init(&story->u, of);
    story->live.as = story->u.as;
    story->live.version = YL_STR("v1");
    story->updater.convert = convert;
    story->updater.ignored = ignored;
    story->updater.aux = story;
}

static int
apply(struct story *story, const char *manager, const char *config, bool force)
{
    struct yl_typed_object object = story->live;
    const struct yl_node *result;
    struct yl_error err = YL_ERROR_INIT;
    int r;

    object.object = apply_node(story->u.arena, config);
    r = yl_updater_apply(&story->updater, story->u.arena, &story->live,
                         &object, &story->managers, yl_str_c(manager), force,
                         &result, &story->conflicts, &err);
    if (r == 0) {
        story->live.object = result;
    }
    yl_error_clear(&err);
    return r;
}

static int
update(struct story *story, const char *manager, const char *object)
{
    struct yl_typed_object now = story->live;
    int r;

    now.object = apply_node(story->u.arena, object);
    r = yl_updater_update(&story->updater, story->u.arena, &story->live, &now,
                          &story->managers, yl_str_c(manager), NULL);
    if (r == 0) {
        story->live.object = now.object;
    }
    return r;
}

static void
check_live(struct story *story, const char *expected)
{
    apply_check_node(&story->u, story->live.object, expected);
}

/* NULL: it owns nothing. */
static void
check_owns(struct story *story, const char *manager, const char *expected)
{
    size_t i;

    for (i = 0; i < story->managers.n; i++) {
        if (yl_str_equal_c(story->managers.items[i].key, manager)) {
            assert_non_null(expected);
            apply_check_set(&story->u, story->managers.items[i].set,
                            expected);
            return;
        }
    }
    assert_null(expected);
}

static void
check_conflicts(struct story *story, const char *expected)
{
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, 1 << 20);
    for (i = 0; i < story->conflicts.n; i++) {
        yl_buf_printf(&buf, "%.*s: %.*s\n",
                      YL_STR_ARG(story->conflicts.items[i].manager),
                      YL_STR_ARG(story->conflicts.items[i].path));
    }
    assert_string_equal(yl_buf_c_str(&buf),
                        apply_text(story->u.arena, expected).data);
    yl_buf_release(&buf);
}

TEST(appliers_own_what_they_name)
{
    struct story s;

    story_init(&s, schema);
    assert_int_equal(apply(&s, "a", "{'n':1,'struct':{'a':'x'}}", false), 0);
    assert_int_equal(apply(&s, "b", "{'s':'y','struct':{'b':'x'}}", false), 0);
    check_live(&s, "{'n':1,'struct':{'a':'x','b':'x'},'s':'y'}");
    check_owns(&s, "a", "{'f:n':{},'f:struct':{'f:a':{}}}");
    check_owns(&s, "b", "{'f:s':{},'f:struct':{'f:b':{}}}");
    assert_true(s.managers.items[0].applied);
    apply_release(&s.u);
}

TEST(what_is_no_longer_named_is_removed)
{
    struct story s;

    story_init(&s, schema);
    apply(&s, "a", "{'n':1,'s':'x','items':[{'name':'x','v':1},{'name':'y'}],"
                   "'map':{'k':'v'}}", false);
    assert_int_equal(apply(&s, "a", "{'n':1,'items':[{'name':'y'}]}", false),
                     0);
    check_live(&s, "{'n':1,'items':[{'name':'y'}]}");
    check_owns(&s, "a", "{'f:items':{'k:{~name~:~y~}':{'.':{},'f:name':{}}},"
                        "'f:n':{}}");
    apply_release(&s.u);
}

TEST(what_another_owns_stays)
{
    struct story s;

    story_init(&s, schema);
    apply(&s, "a", "{'n':1,'items':[{'name':'x','v':1}]}", false);
    apply(&s, "b", "{'n':1,'items':[{'name':'x','w':2}]}", false);
    assert_int_equal(apply(&s, "a", "{}", false), 0);
    check_live(&s, "{'n':1,'items':[{'name':'x','w':2}]}");
    check_owns(&s, "a", NULL);
    assert_int_equal(apply(&s, "b", "{'n':1}", false), 0);
    check_live(&s, "{'n':1}");
    apply_release(&s.u);
}

/* The update owns a field of the item, but neither the item nor its key. */
TEST(what_an_update_put_below_an_item_goes_with_it)
{
    struct story s;

    story_init(&s, schema);
    apply(&s, "a", "{'items':[{'name':'x','v':1}]}", false);
    update(&s, "u", "{'items':[{'name':'x','v':1,'w':3}]}");
    check_owns(&s, "u", "{'f:items':{'k:{~name~:~x~}':{'f:w':{}}}}");
    assert_int_equal(apply(&s, "a", "{'n':1}", false), 0);
    check_live(&s, "{'items':null,'n':1}");
    apply_release(&s.u);
}

TEST(conflicts_name_manager_and_path)
{
    struct story s;

    story_init(&s, schema);
    apply(&s, "b", "{'n':1,'struct':{'a':'x'},'items':[{'name':'k','v':1}]}",
          false);
    update(&s, "a", "{'n':1,'struct':{'a':'x'},'items':[{'name':'k','v':1}],"
                    "'map':{'z':'1'}}");
    assert_int_equal(apply(&s, "c", "{'n':2,'struct':{'a':'y'},'items':[{"
                                    "'name':'k','v':2}],'map':{'z':'2'}}",
                           false), YL_ECONFLICT);
    check_conflicts(&s, "a: .map.z\nb: .n\nb: .items[name='k'].v\n"
                        "b: .struct.a\n");
    check_live(&s, "{'n':1,'struct':{'a':'x'},'items':[{'name':'k','v':1}],"
                   "'map':{'z':'1'}}");
    check_owns(&s, "c", NULL);
    apply_release(&s.u);
}

TEST(force_takes_fields_away)
{
    struct story s;

    story_init(&s, schema);
    apply(&s, "a", "{'n':1,'s':'x'}", false);
    apply(&s, "b", "{'n':2}", true);
    check_live(&s, "{'n':2,'s':'x'}");
    check_owns(&s, "a", "{'f:s':{}}");
    check_owns(&s, "b", "{'f:n':{}}");
    assert_int_equal(apply(&s, "a", "{'n':1,'s':'x'}", false), YL_ECONFLICT);
    check_conflicts(&s, "b: .n\n");
    apply_release(&s.u);
}

TEST(equal_values_are_shared)
{
    struct story s;

    story_init(&s, schema);
    apply(&s, "a", "{'n':1}", false);
    assert_int_equal(apply(&s, "b", "{'n':1}", false), 0);
    check_owns(&s, "a", "{'f:n':{}}");
    check_owns(&s, "b", "{'f:n':{}}");
    assert_int_equal(apply(&s, "a", "{}", false), 0);
    check_live(&s, "{'n':1}");
    assert_int_equal(apply(&s, "b", "{'n':3}", false), 0);
    check_live(&s, "{'n':3}");
    apply_release(&s.u);
}

TEST(updates_take_what_they_change)
{
    struct story s;

    story_init(&s, schema);
    apply(&s, "a", "{'n':1,'s':'x','set':['p','q']}", false);
    assert_int_equal(update(&s, "u", "{'n':2,'s':'x','set':['q','r']}"), 0);
    check_owns(&s, "a", "{'f:s':{},'f:set':{'v:~q~':{}}}");
    check_owns(&s, "u", "{'f:n':{},'f:set':{'v:~r~':{}}}");
    assert_int_equal(update(&s, "u", "{'s':'x','set':['q','r']}"), 0);
    check_owns(&s, "u", "{'f:set':{'v:~r~':{}}}");
    assert_int_equal(update(&s, "u", "{'s':'x','set':['q']}"), 0);
    check_owns(&s, "u", NULL);
    apply_release(&s.u);
}

TEST(an_apply_that_changes_nothing_returns_the_live_object)
{
    const struct yl_node *live;
    struct story s;

    story_init(&s, schema);
    apply(&s, "a", "{'n':1,'items':[{'name':'x','v':1}],'set':['p']}", false);
    update(&s, "u", "{'n':1,'items':[{'name':'x','v':1,'w':1}],"
                    "'set':['p','q']}");
    live = s.live.object;
    assert_int_equal(apply(&s, "a", "{'items':[{'v':1,'name':'x'}],"
                                    "'set':['p'],'n':1}", false), 0);
    assert_ptr_equal(s.live.object, live);
    check_owns(&s, "a", "{'f:items':{'k:{~name~:~x~}':{'.':{},'f:name':{},"
                        "'f:v':{}}},'f:n':{},'f:set':{'v:~p~':{}}}");
    apply_release(&s.u);
}

TEST(atomic_lists_conflict_as_a_whole)
{
    struct story s;

    story_init(&s, schema);
    apply(&s, "a", "{'list':['x'],'whole':{'a':'x'}}", false);
    assert_int_equal(apply(&s, "b", "{'list':['y'],'whole':{'b':'x'}}",
                           false), YL_ECONFLICT);
    check_conflicts(&s, "a: .list\na: .whole\n");
    assert_int_equal(apply(&s, "b", "{'list':['y'],'whole':{'b':'x'}}", true),
                     0);
    check_live(&s, "{'list':['y'],'whole':{'b':'x'}}");
    check_owns(&s, "a", NULL);
    apply_release(&s.u);
}

TEST(deduced_objects_are_owned_by_key)
{
    struct story s;

    story_init(&s, NULL);
    apply(&s, "a", "{'spec':{'x':1,'l':[1]}}", false);
    apply(&s, "b", "{'spec':{'y':1}}", false);
    check_owns(&s, "b", "{'f:spec':{'.':{},'f:y':{}}}");
    assert_int_equal(apply(&s, "b", "{'spec':{'l':[2]}}", false),
                     YL_ECONFLICT);
    check_conflicts(&s, "a: .spec.l\n");
    assert_int_equal(apply(&s, "a", "{'spec':{'x':1}}", false), 0);
    check_live(&s, "{'spec':{'x':1,'y':1}}");
    apply_release(&s.u);
}

TEST(ignored_fields_are_not_owned)
{
    struct story s;

    story_init(&s, schema);
    s.filter.exclude = apply_set(s.u.arena, "{'f:status':{}}");
    apply(&s, "a", "{'n':1,'status':{'n':1}}", false);
    check_owns(&s, "a", "{'f:n':{}}");
    update(&s, "u", "{'n':2,'status':{'n':2}}");
    check_owns(&s, "u", "{'f:n':{}}");
    apply_release(&s.u);
}

TEST(managers_of_other_versions)
{
    struct story s;

    story_init(&s, NULL);
    apply(&s, "a", "{'n':1,'s':1}", false);
    s.live.object = apply_node(s.u.arena, "{'n2':1,'s':1}");
    s.live.version = YL_STR("v2");
    assert_int_equal(apply(&s, "b", "{'n2':2}", false), YL_ECONFLICT);
    check_conflicts(&s, "a: .n\n");
    assert_int_equal(apply(&s, "b", "{'n2':2}", true), 0);
    check_owns(&s, "a", "{'f:s':{}}");
    check_owns(&s, "b", "{'f:n2':{}}");
    assert_str_equal(s.managers.items[1].version, "v2");

    /* The first applier comes back in the new version. */
    assert_int_equal(apply(&s, "a", "{'t':1}", false), 0);
    check_live(&s, "{'t':1,'n2':2}");
    check_owns(&s, "a", "{'f:t':{}}");
    apply_release(&s.u);
}

TEST(managers_of_versions_that_are_gone_are_forgotten)
{
    struct story s;

    story_init(&s, NULL);
    apply(&s, "a", "{'n':1,'s':1}", false);
    s.live.version = YL_STR("v3");
    s.missing = "v1";
    assert_int_equal(apply(&s, "b", "{'s':2}", false), 0);
    check_owns(&s, "a", NULL);
    check_owns(&s, "b", "{'f:s':{}}");
    apply_release(&s.u);
}

TEST(errors_of_conversions_leave_the_managers)
{
    struct story s;

    story_init(&s, NULL);
    apply(&s, "a", "{'n':1}", false);
    s.managers.items[0].version = YL_STR("broken");
    assert_int_equal(apply(&s, "b", "{'s':2}", false), YL_EINTERNAL);
    assert_int_equal(update(&s, "u", "{'s':2}"), YL_EINTERNAL);
    check_owns(&s, "a", "{'f:n':{}}");
    check_owns(&s, "b", NULL);
    apply_release(&s.u);
}

TEST(sets_of_managers_follow_the_schema)
{
    struct story s;

    story_init(&s, schema);
    apply(&s, "a", "{'n':1,'whole':{'a':'x'}}", false);
    s.managers.items[0].set =
        apply_set(s.u.arena, "{'f:n':{},'f:whole':{'f:a':{}}}");
    assert_int_equal(apply(&s, "b", "{'s':'x'}", false), 0);
    check_owns(&s, "a", "{'f:n':{},'f:whole':{}}");
    apply_release(&s.u);
}

/* What a write changes is not copied for each of the managers, nor is the
 * object converted for each. */
TEST(many_managers_take_little_memory)
{
    enum { N = 2000 };
    struct story story;
    struct yl_buf old, now;
    size_t i;

    story_init(&story, schema);
    story.managers.items = yl_arena_array(story.u.arena, N,
                                          sizeof *story.managers.items);
    story.managers.n = N;
    yl_buf_init(&old, 1 << 20);
    yl_buf_init(&now, 1 << 20);
    yl_buf_append_c(&old, "{'map':{");
    yl_buf_append_c(&now, "{'map':{");
    for (i = 0; i < N; i++) {
        const char *path = yl_arena_printf(story.u.arena, "map.%zu", i);
        struct yl_manager *one = &story.managers.items[i];

        one->key = yl_str_skip(yl_str_c(path), 4);
        one->version = i % 2 ? YL_STR("v1") : YL_STR("v2");
        one->set = yl_field_set_of(story.u.arena, &path, 1);
        yl_buf_printf(&old, "%s'%zu':'a'", i ? "," : "", i);
        yl_buf_printf(&now, "%s'%zu':'b'", i ? "," : "", i);
    }
    yl_buf_append_c(&old, "}}");
    yl_buf_append_c(&now, "}}");
    story.live.object = apply_node(story.u.arena, yl_buf_c_str(&old));
    assert_int_equal(update(&story, "all", yl_buf_c_str(&now)), 0);
    assert_int_equal(story.managers.n, 1);
    assert_int_equal(yl_field_set_count(story.managers.items[0].set), N);
    assert_true(yl_arena_footprint(story.u.arena) < 16 << 20);
    yl_buf_release(&old);
    yl_buf_release(&now);
    apply_release(&story.u);
}
