/* Tests of yuloh/delta.h. */

#include "yuloh/delta.h"

#include "delta_model.h"

static struct model model;

static void
add(const char *name, const char *uid, uint64_t revision)
{
    assert_int_equal(yl_delta_queue_add_take(
        model.queue, thing(name, uid, revision), NULL), 0);
}

static void
update(const char *name, const char *uid, uint64_t revision)
{
    assert_int_equal(yl_delta_queue_update_take(
        model.queue, thing(name, uid, revision), NULL), 0);
}

static void
delete(const char *name, const char *uid, uint64_t revision)
{
    assert_int_equal(yl_delta_queue_delete_take(
        model.queue, thing(name, uid, revision), NULL), 0);
}

static void
item(const char *name, const char *uid, uint64_t revision)
{
    assert_int_equal(yl_delta_queue_replace_item_take(
        model.queue, thing(name, uid, revision), NULL), 0);
}

static void
remove_item(const char *name)
{
    struct yl_key key = yl_key_make(YL_STR("d"), yl_str_c(name));

    yl_delta_queue_replace_remove(model.queue, &key);
}

/* In order
 * ======== */

TEST(changes_come_out_in_order_and_each_one)
{
    model_init(&model, NULL);
    add("a", "1", 1);
    add("b", "2", 2);
    update("a", "1", 3);
    update("a", "1", 4);
    delete("b", "2", 5);
    add("b", "3", 6);
    assert_int_equal(yl_delta_queue_length(model.queue), 6);
    assert_log(&model, "ADDED a@1;ADDED b@2;UPDATED a@3;UPDATED a@4;"
               "DELETED b@5;ADDED b@6;");
    assert_int_equal(yl_delta_queue_length(model.queue), 0);
    assert_int_equal(model.n_objects, 2);
    assert_int_equal(model.revision, 6);
    assert_int_equal(yl_delta_queue_revision(model.queue), 6);
    model_release(&model);
}

TEST(a_batch_has_no_key_twice_and_at_most_so_many)
{
    model_init(&model, &(struct yl_delta_queue_opts) { .max_batch = 3 });
    add("a", "", 1);
    add("b", "", 2);
    update("a", "", 3);
    assert_true(yl_delta_queue_pop(model.queue, model_apply, &model));
    assert_string_equal(model_log(&model), "ADDED a@1;ADDED b@2;");
    assert_int_equal(model.revision, 2);
    assert_true(yl_delta_queue_pop(model.queue, model_apply, &model));
    assert_string_equal(model_log(&model), "UPDATED a@3;");
    assert_false(yl_delta_queue_pop(model.queue, model_apply, &model));
    add("1", "", 4);
    add("2", "", 5);
    add("3", "", 6);
    add("4", "", 7);
    assert_true(yl_delta_queue_pop(model.queue, model_apply, &model));
    assert_string_equal(model_log(&model), "ADDED 1@4;ADDED 2@5;ADDED 3@6;");
    assert_true(yl_delta_queue_pop(model.queue, model_apply, &model));
    assert_string_equal(model_log(&model), "ADDED 4@7;");
    model_release(&model);
}

TEST(an_empty_queue_has_nothing_to_pop)
{
    model_init(&model, NULL);
    assert_false(yl_delta_queue_pop(model.queue, model_apply, &model));
    assert_false(yl_delta_queue_has_synced(model.queue));
    model_release(&model);
}

static void
add_more(void *aux, const struct yl_delta_batch *batch)
{
    struct yl_delta delta = batch->deltas[0];

    if (delta.object.revision < 4) {
        add(delta.object.revision == 1 ? "b" : delta.object.revision == 2
            ? "c" : "d", "", delta.object.revision + 1);
    }
    model_apply(aux, batch);
}

TEST(a_consumer_may_put_more_into_the_queue)
{
    model_init(&model, NULL);
    add("a", "", 1);
    yl_delta_queue_drain(model.queue, add_more, &model);
    assert_string_equal(model_log(&model),
                        "ADDED a@1;ADDED b@2;ADDED c@3;ADDED d@4;");
    model_release(&model);
}

TEST(a_bookmark_only_moves_the_revision)
{
    model_init(&model, NULL);
    add("a", "", 1);
    yl_delta_queue_bookmark(model.queue, 9);
    assert_log(&model, "ADDED a@1;");
    assert_int_equal(model.revision, 9);
    yl_delta_queue_bookmark(model.queue, 12);
    assert_log(&model, "");
    assert_int_equal(model.revision, 12);
    assert_int_equal(model.n_batches, 2);
    model_release(&model);
}

/* Replacement
 * =========== */

TEST(a_list_comes_out_as_one_batch_in_its_order)
{
    char name[8];
    int i;

    model_init(&model, &(struct yl_delta_queue_opts) { .max_batch = 2 });
    yl_delta_queue_replace_begin(model.queue);
    for (i = 9; i >= 0; i--) {
        snprintf(name, sizeof name, "x%d", i);
        item(name, "", (uint64_t) i + 1);
    }
    assert_int_equal(yl_delta_queue_replace_count(model.queue), 10);
    assert_log(&model, "");
    yl_delta_queue_replace_end(model.queue, 20);
    assert_true(yl_delta_queue_pop(model.queue, model_apply, &model));
    assert_string_equal(
        model_log(&model),
        "initial REPLACED x9@10;initial REPLACED x8@9;"
        "initial REPLACED x7@8;initial REPLACED x6@7;initial REPLACED x5@6;"
        "initial REPLACED x4@5;initial REPLACED x3@4;initial REPLACED x2@3;"
        "initial REPLACED x1@2;initial REPLACED x0@1;");
    assert_int_equal(model.revision, 20);
    assert_int_equal(model.n_replacements, 1);
    model_release(&model);
}

TEST(what_is_known_and_not_listed_is_a_tombstone_before_the_list)
{
    model_init(&model, NULL);
    add("gone", "1", 1);
    add("stays", "2", 2);
    model_drain(&model);
    model_log(&model);
    yl_delta_queue_replace_begin(model.queue);
    item("new", "3", 8);
    item("stays", "2", 7);
    yl_delta_queue_replace_end(model.queue, 9);
    assert_log(&model, "missed DELETED gone@1;REPLACED new@8;"
               "REPLACED stays@7;");
    assert_int_equal(model.n_objects, 2);
    model_release(&model);
}

TEST(changes_queued_before_a_list_count_as_known)
{
    model_init(&model, NULL);
    add("queued", "1", 1);
    update("queued", "1", 2);
    add("deleted", "2", 3);
    delete("deleted", "2", 4);
    yl_delta_queue_replace_begin(model.queue);
    item("new", "3", 8);
    yl_delta_queue_replace_end(model.queue, 9);
    assert_log(&model, "ADDED queued@1;UPDATED queued@2;ADDED deleted@3;"
               "DELETED deleted@4;missed DELETED queued@2;REPLACED new@8;");
    model_release(&model);
}

/* A list of at most one object, "" for none. */
static void
list(const char *name, uint64_t revision)
{
    yl_delta_queue_replace_begin(model.queue);
    if (*name) {
        item(name, "1", revision);
    }
    yl_delta_queue_replace_end(model.queue, revision);
}

TEST(an_object_dies_once_however_many_lists_miss_it)
{
    model_init(&model, NULL);
    add("a", "1", 1);
    list("a", 2);
    list("a", 3);
    list("", 4);
    list("", 5);
    assert_log(&model, "ADDED a@1;REPLACED a@2;REPLACED a@3;"
               "missed DELETED a@3;");
    add("a", "1", 6);
    delete("a", "1", 7);
    list("", 8);
    assert_log(&model, "ADDED a@6;DELETED a@7;");
    add("a", "1", 9);
    delete("a", "1", 10);
    add("a", "1", 11);
    list("", 12);
    assert_log(&model, "ADDED a@9;DELETED a@10;ADDED a@11;"
               "missed DELETED a@11;");
    model_release(&model);
}

TEST(a_deletion_before_a_list_that_has_the_object_again)
{
    model_init(&model, NULL);
    add("a", "1", 1);
    model_drain(&model);
    model_log(&model);
    delete("a", "1", 2);
    list("a", 3);
    assert_log(&model, "DELETED a@2;REPLACED a@3;");
    model_release(&model);
}

TEST(tombstones_of_a_first_list_are_part_of_it)
{
    /* Somebody has warmed the store. */
    model_init(&model, NULL);
    model.objects[model.n_objects++] = thing("kept", "1", 5);
    model.objects[model.n_objects++] = thing("gone", "2", 6);
    list("kept", 9);
    assert_false(yl_delta_queue_has_synced(model.queue));
    assert_true(yl_delta_queue_pop(model.queue, model_apply, &model));
    assert_string_equal(model_log(&model), "initial missed DELETED gone@6;"
                        "initial REPLACED kept@9;");
    assert_true(yl_delta_queue_has_synced(model.queue));
    model_release(&model);
}

TEST(an_empty_list_deletes_everything)
{
    model_init(&model, NULL);
    add("a", "1", 1);
    yl_delta_queue_replace_begin(model.queue);
    yl_delta_queue_replace_end(model.queue, 9);
    assert_log(&model, "ADDED a@1;missed DELETED a@1;");
    assert_int_equal(model.n_objects, 0);
    model_release(&model);
}

TEST(two_lists_in_the_queue_both_come_out)
{
    model_init(&model, NULL);
    yl_delta_queue_replace_begin(model.queue);
    item("a", "1", 1);
    yl_delta_queue_replace_end(model.queue, 1);
    yl_delta_queue_replace_begin(model.queue);
    item("b", "2", 2);
    yl_delta_queue_replace_end(model.queue, 2);
    assert_log(&model, "initial REPLACED a@1;missed DELETED a@1;"
               "REPLACED b@2;");
    model_release(&model);
}

TEST(a_list_that_is_given_up_leaves_no_trace)
{
    model_init(&model, NULL);
    add("a", "1", 1);
    model_drain(&model);
    model_log(&model);
    yl_delta_queue_replace_begin(model.queue);
    item("b", "2", 2);
    yl_delta_queue_replace_cancel(model.queue);
    yl_delta_queue_replace_cancel(model.queue);
    assert_int_equal(yl_delta_queue_replace_count(model.queue), 0);
    assert_log(&model, "");
    yl_delta_queue_replace_begin(model.queue);
    item("c", "3", 3);
    yl_delta_queue_replace_begin(model.queue);
    item("a", "1", 4);
    yl_delta_queue_replace_end(model.queue, 5);
    assert_log(&model, "REPLACED a@4;");
    yl_delta_queue_replace_begin(model.queue);
    item("d", "3", 3);
    model_release(&model);
}

TEST(items_of_a_list_can_change_and_go_while_it_comes)
{
    model_init(&model, NULL);
    yl_delta_queue_replace_begin(model.queue);
    item("a", "1", 1);
    item("b", "2", 2);
    item("a", "1", 3);
    remove_item("b");
    remove_item("never-there");
    assert_int_equal(yl_delta_queue_replace_count(model.queue), 1);
    yl_delta_queue_replace_end(model.queue, 5);
    assert_log(&model, "initial REPLACED a@3;");
    model_release(&model);
}

/* Lives
 * ===== */

TEST(another_uid_is_a_deletion_and_an_addition)
{
    model_init(&model, NULL);
    add("a", "one", 1);
    update("a", "two", 5);
    add("a", "three", 6);
    update("a", "three", 7);
    assert_log(&model, "ADDED a@1;missed DELETED a@1;ADDED a@5;"
               "missed DELETED a@5;ADDED a@6;UPDATED a@7;");
    assert_int_equal(model.revision, 7);
    model_release(&model);
}

TEST(the_revision_moves_with_the_addition_not_with_its_tombstone)
{
    model_init(&model, NULL);
    add("a", "one", 1);
    model_drain(&model);
    add("a", "two", 5);
    assert_true(yl_delta_queue_pop(model.queue, model_apply, &model));
    assert_int_equal(model.revision, 1);
    assert_true(yl_delta_queue_pop(model.queue, model_apply, &model));
    assert_int_equal(model.revision, 5);
    model_release(&model);
}

TEST(another_uid_in_a_list_is_a_tombstone_and_a_replacement)
{
    model_init(&model, NULL);
    add("a", "one", 1);
    add("b", "two", 2);
    model_drain(&model);
    model_log(&model);
    yl_delta_queue_replace_begin(model.queue);
    item("a", "three", 5);
    item("b", "two", 2);
    yl_delta_queue_replace_end(model.queue, 6);
    assert_log(&model, "missed DELETED a@1;REPLACED a@5;REPLACED b@2;");
    model_release(&model);
}

TEST(the_deletion_of_what_is_not_known_is_dropped)
{
    model_init(&model, NULL);
    delete("never-there", "1", 4);
    add("a", "2", 5);
    delete("a", "2", 6);
    delete("a", "2", 7);
    assert_log(&model, "ADDED a@5;DELETED a@6;");
    assert_int_equal(model.revision, 7);
    model_release(&model);
}

static void
deaf(void *aux, const struct yl_delta_batch *batch)
{
    size_t *n = aux;

    *n += batch->n_deltas;
}

TEST(a_consumer_that_does_not_apply_cannot_make_it_loop)
{
    size_t n = 0;

    model_init(&model, NULL);
    add("a", "one", 1);
    model_drain(&model);
    add("a", "two", 2);
    yl_delta_queue_drain(model.queue, deaf, &n);
    assert_int_equal(n, 2);
    model_release(&model);
}

TEST(without_known_objects_all_comes_out_as_it_went_in)
{
    struct yl_delta_queue *queue = yl_delta_queue_new(NULL);
    size_t n = 0;

    yl_delta_queue_add_take(queue, thing("a", "1", 1), NULL);
    yl_delta_queue_delete_take(queue, thing("b", "2", 2), NULL);
    yl_delta_queue_replace_begin(queue);
    yl_delta_queue_replace_item_take(queue, thing("c", "3", 3), NULL);
    yl_delta_queue_replace_end(queue, 3);
    yl_delta_queue_resync(queue);
    yl_delta_queue_drain(queue, deaf, &n);
    assert_int_equal(n, 3);
    yl_delta_queue_free(queue);
    yl_delta_queue_free(NULL);
}

/* Sync
 * ==== */

TEST(a_resync_shows_each_object_at_its_turn)
{
    model_init(&model, NULL);
    add("a", "1", 1);
    yl_delta_queue_resync(model.queue);
    update("a", "1", 2);
    assert_log(&model, "ADDED a@1;SYNC a@1;UPDATED a@2;");
    yl_delta_queue_resync(model.queue);
    assert_log(&model, "SYNC a@2;");
    assert_int_equal(model.revision, 2);
    model_release(&model);
}

TEST(a_resync_of_nothing_shows_nothing)
{
    model_init(&model, NULL);
    yl_delta_queue_resync(model.queue);
    add("a", "1", 1);
    delete("a", "1", 2);
    yl_delta_queue_resync(model.queue);
    assert_log(&model, "ADDED a@1;DELETED a@2;");
    model_release(&model);
}

TEST(synced_when_the_first_list_was_applied)
{
    model_init(&model, NULL);
    yl_delta_queue_replace_begin(model.queue);
    item("a", "1", 1);
    assert_false(yl_delta_queue_has_synced(model.queue));
    yl_delta_queue_replace_end(model.queue, 3);
    add("b", "2", 4);
    assert_false(yl_delta_queue_has_synced(model.queue));
    assert_true(yl_delta_queue_pop(model.queue, model_apply, &model));
    assert_true(yl_delta_queue_has_synced(model.queue));
    assert_log(&model, "initial REPLACED a@1;ADDED b@4;");
    model_release(&model);
}

static void
not_synced_yet(void *aux, const struct yl_delta_batch *batch)
{
    assert_false(yl_delta_queue_has_synced(model.queue));
    assert_int_equal(batch->n_deltas, 0);
    assert_true(batch->replaces);
    *(bool *) aux = true;
}

TEST(an_empty_first_list_syncs_when_it_was_applied)
{
    bool called = false;

    model_init(&model, NULL);
    yl_delta_queue_replace_begin(model.queue);
    yl_delta_queue_replace_end(model.queue, 3);
    assert_true(yl_delta_queue_pop(model.queue, not_synced_yet, &called));
    assert_true(called);
    assert_true(yl_delta_queue_has_synced(model.queue));
    model_release(&model);
}

TEST(a_change_before_any_list_counts_as_synced)
{
    model_init(&model, NULL);
    add("a", "1", 1);
    assert_true(yl_delta_queue_has_synced(model.queue));
    yl_delta_queue_replace_begin(model.queue);
    yl_delta_queue_replace_end(model.queue, 3);
    assert_true(yl_delta_queue_has_synced(model.queue));
    assert_log(&model, "ADDED a@1;missed DELETED a@1;");
    model_release(&model);
}

/* Hooks
 * ===== */

static int n_transformed;

static int
shorten(void *aux, struct yl_object **object, uint64_t revision,
        struct yl_error *err)
{
    struct yl_versioned small;
    struct yl_str name = yl_object_name(*object);
    char text[64];

    assert_ptr_equal(aux, &n_transformed);
    if (yl_str_equal_c(name, "bad")) {
        return yl_error_set(err, YL_EINVALID, "it is bad");
    }
    n_transformed++;
    snprintf(text, sizeof text, "%.*s", YL_STR_ARG(name));
    small = thing(text, "", revision + 1000);
    yl_object_unref(*object);
    *object = small.object;
    return 0;
}

TEST(what_enters_is_transformed_once_and_what_is_known_never)
{
    n_transformed = 0;
    model_init(&model, &(struct yl_delta_queue_opts) {
        .transform = shorten, .transform_aux = &n_transformed,
    });
    add("a", "1", 1);
    update("a", "1", 2);
    yl_delta_queue_resync(model.queue);
    delete("a", "1", 3);
    add("b", "1", 4);
    yl_delta_queue_replace_begin(model.queue);
    item("c", "1", 5);
    yl_delta_queue_replace_end(model.queue, 5);
    model_drain(&model);
    assert_int_equal(n_transformed, 5);
    assert_int_equal(model.n_objects, 1);
    assert_true(yl_object_label_is(model.objects[0].object, YL_STR("v"),
                                   YL_STR("1005")));
    model_release(&model);
}

TEST(what_cannot_be_transformed_does_not_enter)
{
    struct yl_error err = YL_ERROR_INIT;

    n_transformed = 0;
    model_init(&model, &(struct yl_delta_queue_opts) {
        .transform = shorten, .transform_aux = &n_transformed,
    });
    assert_int_equal(yl_delta_queue_add_take(model.queue, thing("bad", "", 1),
                                             &err), YL_EINVALID);
    assert_string_equal(yl_error_message(&err), "it is bad");
    yl_error_clear(&err);
    yl_delta_queue_replace_begin(model.queue);
    assert_int_equal(yl_delta_queue_replace_item_take(
        model.queue, thing("bad", "", 1), NULL), YL_EINVALID);
    assert_int_equal(yl_delta_queue_replace_count(model.queue), 0);
    assert_int_equal(yl_delta_queue_length(model.queue), 0);
    item("good", "", 2);
    yl_delta_queue_replace_end(model.queue, 3);
    assert_log(&model, "initial REPLACED good@2;");
    model_release(&model);
}

static void
trace(void *aux, const struct yl_delta *delta)
{
    yl_buf_printf(aux, "%s %.*s@%" PRIu64 ";", yl_delta_type_name(delta->type),
                  YL_STR_ARG(yl_object_name(delta->object.object)),
                  delta->object.revision);
}

TEST(the_trace_sees_each_delta_that_comes_out)
{
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    model_init(&model, &(struct yl_delta_queue_opts) {
        .trace = trace, .trace_aux = &buf,
    });
    add("a", "1", 1);
    yl_delta_queue_resync(model.queue);
    delete("b", "1", 1);
    model_drain(&model);
    assert_str_equal(yl_str_n(buf.data, buf.size), "ADDED a@1;SYNC a@1;");
    yl_buf_release(&buf);
    model_release(&model);
}
