/* Tests of the write machine: what happens while a write is on its way. */

#include "apiserver/verbs/write.h"

#include "verb_rig.h"

#define MANY 30

/* Reads the answer of a request that was sent before. */
static int
answer_of(int fd)
{
    yl_arena_clear(rig.arena);
    yl_buf_clear(&rig.answer);
    while (rig_receive(fd) && !rig_split()) {
        yl_http_server_turn(rig.http, false);
    }
    close(fd);
    return rig.status;
}

static int
send_patch(const char *body)
{
    rig.content_type = "application/merge-patch+json";
    return rig_send("PATCH", CONFIG_MAPS "/a", verb_json(body));
}

TEST(writes_that_lose_a_race_try_again)
{
    unsigned long revisions[MANY];
    int fds[MANY], i, j;
    char body[64];

    verb_open();
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    for (i = 0; i < MANY; i++) {
        snprintf(body, sizeof body, "{'data':{'k%d':'v'}}", i);
        fds[i] = send_patch(body);
    }
    for (i = 0; i < MANY; i++) {
        assert_int_equal(answer_of(fds[i]), 200);
        revisions[i] = strtoul(text_at("/metadata/resourceVersion"), NULL,
                               10);
        for (j = 0; j < i; j++) {
            assert_int_not_equal(revisions[i], revisions[j]);
        }
    }
    ask(200, "GET", CONFIG_MAPS "/a", NULL);
    assert_int_equal(yl_json_count(yl_json_get(yl_json(rig.body),
                                               YL_STR("data"))), MANY);
    rig_close();
}

TEST(of_equal_creations_one_wins)
{
    int fds[MANY], i, won = 0;

    verb_open();
    for (i = 0; i < MANY; i++) {
        fds[i] = rig_send("POST", CONFIG_MAPS,
                          verb_json("{'metadata':{'name':'a'}}"));
    }
    for (i = 0; i < MANY; i++) {
        int status = answer_of(fds[i]);

        won += status == 201;
        assert_true(status == 201 || status == 409);
    }
    assert_int_equal(won, 1);
    rig_close();
}

TEST(a_client_that_goes_away_harms_nobody)
{
    int i, fd;

    verb_open();
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    for (i = 0; i < MANY; i++) {
        fd = send_patch("{'data':{'k':'v'}}");
        if (i % 2) {
            yl_http_server_turn(rig.http, false);
        }
        close(fd);
        yl_http_server_turn(rig.http, false);
    }
    fd = rig_send("DELETE", CONFIG_MAPS, NULL);
    yl_http_server_turn(rig.http, false);
    close(fd);
    ask(200, "GET", CONFIG_MAPS, NULL);
    rig_close();
}
