/* Tests of kubeconfigs. */

#include "apiserver/auth/kubeconfig.h"

#include <sys/stat.h>
#include <unistd.h>

#include "apiserver/auth/pki.h"
#include "json/base64.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/json.h"
#include "yuloh/yaml.h"

/* The file as JSON. */
static struct yl_json
parse(struct yl_arena *arena, struct yl_str yaml)
{
    struct yl_str json;

    assert_int_equal(yl_yaml_to_json(arena, yaml, NULL, &json, NULL), 0);
    return yl_json(json);
}

static struct yl_str
text(struct yl_arena *arena, struct yl_json json)
{
    struct yl_str s;

    assert_int_equal(yl_json_string(json, arena, &s), 0);
    return s;
}

static void
remove_pairs(const char *directory)
{
    static const char *const names[] = { "ca", "server", "admin" };
    size_t i, k;

    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        for (k = 0; k < 2; k++) {
            char *path = yl_pki_path(directory, names[i],
                                     k ? ".crt" : ".key");

            unlink(path);
            free(path);
        }
    }
    rmdir(directory);
}

TEST(a_file_has_what_kubectl_needs)
{
    const struct yl_kubeconfig config = {
        .server = "https://127.0.0.1:6443", .user = "a: \"b\"",
        .authority = "CA", .certificate = "CERT", .key = "KEY",
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_json root, cluster, user;
    struct yl_buf buf;
    struct yl_str pem;

    yl_buf_init(&buf, 1 << 20);
    yl_kubeconfig_render(&config, &buf);
    root = parse(arena, yl_buf_str(&buf));
    cluster = yl_json_get(yl_json_at(yl_json_get(root, YL_STR("clusters")),
                                     0), YL_STR("cluster"));
    assert_str_equal(text(arena, yl_json_get(cluster, YL_STR("server"))),
                     "https://127.0.0.1:6443");
    user = yl_json_at(yl_json_get(root, YL_STR("users")), 0);
    assert_str_equal(text(arena, yl_json_get(user, YL_STR("name"))),
                     "a: \"b\"");
    assert_true(yl_base64_decode(
        arena, text(arena, yl_json_path(user, "user", "client-key-data",
                                        (char *) NULL)), &pem));
    assert_str_equal(pem, "KEY");
    assert_str_equal(text(arena, yl_json_get(root,
                                             YL_STR("current-context"))),
                     "a: \"b\"@yuloh");
    yl_buf_release(&buf);
    yl_arena_free(arena);
}

TEST(a_token_may_stand_for_a_certificate)
{
    const struct yl_kubeconfig config = {
        .server = "s", .user = "u", .authority = "CA", .token = "t",
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_json user;
    struct yl_buf buf;

    yl_buf_init(&buf, 1 << 20);
    yl_kubeconfig_render(&config, &buf);
    user = yl_json_at(yl_json_get(parse(arena, yl_buf_str(&buf)),
                                  YL_STR("users")), 0);
    assert_str_equal(text(arena, yl_json_path(user, "user", "token",
                                              (char *) NULL)), "t");
    yl_buf_release(&buf);
    yl_arena_free(arena);
}

TEST(the_administrators_file_is_private_and_written_once)
{
    char directory[] = "/tmp/yuloh-kubeconfig-XXXXXX", path[128];
    static const char *const names[] = { "localhost" };
    struct stat first, second;

    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/admin.kubeconfig", directory);
    assert_int_equal(yl_kubeconfig_write_admin(directory, "https://h", path,
                                               NULL), YL_ENOTFOUND);
    assert_int_equal(yl_pki_prepare(&(struct yl_pki_opts) {
                         .directory = directory, .names = names,
                         .n_names = 1 }, NULL), 1);
    assert_int_equal(yl_kubeconfig_write_admin(directory, "https://h", path,
                                               NULL), 0);
    assert_int_equal(stat(path, &first), 0);
    assert_int_equal(first.st_mode & 0777, 0600);
    assert_int_equal(yl_kubeconfig_write_admin(directory, "https://h", path,
                                               NULL), 0);
    assert_int_equal(stat(path, &second), 0);
    assert_int_equal(first.st_ino, second.st_ino);
    assert_int_equal(yl_kubeconfig_write_admin(directory, "https://i", path,
                                               NULL), 0);
    assert_int_equal(stat(path, &second), 0);
    assert_true(first.st_ino != second.st_ino
                || first.st_mtim.tv_nsec != second.st_mtim.tv_nsec);
    unlink(path);
    remove_pairs(directory);
}
