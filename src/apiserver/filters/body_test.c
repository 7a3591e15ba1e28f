/* Tests of when a body is read. */

#include "auth_rig.h"

#define MAPS "/api/v1/namespaces/default/configmaps"

/* Sends a head that promises 'size' bytes, and not one of them: the status
 * that is answered, or 0 if the server waits for them. */
static int
promise(const char *token, const char *method, const char *path,
        const char *headers, size_t size, int *ret_fd)
{
    struct yl_buf head;
    int fd, i;

    assert_int_equal(yl_http_server_connect(rig.http, false, NULL, &fd,
                                            NULL), 0);
    yl_buf_init(&head, 1 << 20);
    yl_buf_printf(&head, "%s %s HTTP/1.1\r\nhost: x\r\n%scontent-length: "
                  "%zu\r\n", method, path, headers, size);
    if (token) {
        yl_buf_printf(&head, "authorization: Bearer %s\r\n", token);
    }
    yl_buf_append_c(&head, "\r\n");
    assert_int_equal(send(fd, head.data, head.size, 0), head.size);
    yl_buf_release(&head);
    yl_buf_clear(&rig.answer);
    yl_arena_clear(rig.arena);
    rig.status = 0;
    for (i = 0; i < 100; i++) {
        yl_http_server_turn(rig.http, false);
        if (!rig_receive(fd) || rig_split()) {
            break;
        }
    }
    if (ret_fd) {
        *ret_fd = fd;
    } else {
        close(fd);
        yl_http_server_turn(rig.http, false);
    }
    return rig.status;
}

TEST(who_is_refused_need_not_send_a_body)
{
    const char *json = "content-type: application/json\r\n";
    size_t size = 3 << 20;

    auth_open();
    assert_int_equal(promise(NULL, "POST", MAPS, json, size, NULL), 403);
    assert_int_equal(promise("wrong", "POST", MAPS, json, size, NULL), 401);
    assert_int_equal(promise("bob", "POST", MAPS, json, size, NULL), 403);
    assert_int_equal(promise("root", "POST", "/apis/none/v1/x", json, size,
                             NULL), 404);
    assert_int_equal(promise("root", "POST", "/api/v1/nones", json, size,
                             NULL), 404);
    assert_int_equal(promise("root", "PUT", MAPS, json, size, NULL), 405);
    assert_int_equal(promise("root", "POST", MAPS,
                             "content-type: text/plain\r\n", size, NULL),
                     415);
    assert_int_equal(promise("root", "PATCH", MAPS "/a", json, size, NULL),
                     415);
    assert_int_equal(promise("root", "POST", MAPS, "accept: text/plain\r\n",
                             size, NULL), 406);
    assert_int_equal(promise("root", "GET", MAPS, "", size, NULL), 200);
    auth_close();
}

TEST(who_may_write_is_waited_for)
{
    static const char body[] = "{\"metadata\":{\"name\":\"a\"}}";
    int fd;

    auth_open();
    assert_int_equal(promise("root", "POST", MAPS, "", sizeof body - 1, &fd),
                     0);
    assert_int_equal(send(fd, body, sizeof body - 1, 0), sizeof body - 1);
    while (rig_receive(fd) && !rig_split()) {
        yl_http_server_turn(rig.http, false);
        usleep(50);
    }
    assert_int_equal(rig.status, 201);
    close(fd);
    assert_int_equal(as("root", "GET", MAPS "/a", NULL), 200);

    /* The client may leave instead. */
    assert_int_equal(promise("root", "DELETE", MAPS "/a", "", 10, NULL), 0);
    assert_int_equal(as("root", "GET", MAPS "/a", NULL), 200);
    auth_close();
}

TEST(a_body_that_is_too_large_is_refused_before_it_comes)
{
    auth_open();
    assert_int_equal(promise("root", "POST", MAPS, "", 4 << 20, NULL), 413);
    assert_string_equal(text_at("/reason"), "RequestEntityTooLarge");
    auth_close();
}
