/* Tests of token_keys.c: directories, files, rotation. */

#include "apiserver/auth/token_keys.h"

#include <sys/stat.h>
#include <unistd.h>

#include "apiserver/auth/jwt.h"
#include "apiserver/auth/jwt_key.h"
#include "base/file.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static char directory[64];
static struct yl_error err = YL_ERROR_INIT;

static const char *
path(const char *name)
{
    static char text[128];

    snprintf(text, sizeof text, "%s/%s", directory, name);
    return text;
}

static void
set_up(void)
{
    snprintf(directory, sizeof directory, "/tmp/yuloh-keys-XXXXXX");
    assert_non_null(mkdtemp(directory));
}

static void
tear_down(void)
{
    static const char *const names[] = {
        "sa.key", "sa-1.key", "sa-2.pub", "other.pem", "sa-x.txt",
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        unlink(path(names[i]));
    }
    assert_int_equal(rmdir(directory), 0);
    yl_error_clear(&err);
}

static struct yl_token_keys *
load(void)
{
    struct yl_token_keys_opts opts = { .directory = directory };
    struct yl_token_keys *keys;

    if (yl_token_keys_load(&opts, &keys, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
    return keys;
}

static const char *
sign(struct yl_arena *arena, const struct yl_token_keys *keys)
{
    struct yl_buf token;
    char *text;

    yl_buf_init(&token, 4096);
    assert_int_equal(yl_jwt_key_sign(yl_token_keys_signer(keys),
                                     YL_STR("{}"), &token, NULL), 0);
    text = yl_arena_strdup(arena, yl_buf_str(&token));
    yl_buf_release(&token);
    return text;
}

static int
verify(struct yl_arena *arena, const struct yl_token_keys *keys,
       const char *token)
{
    struct yl_jwt jwt;

    assert_int_equal(yl_jwt_parse(arena, yl_str_c(token), &jwt), 0);
    return yl_token_keys_verify(keys, &jwt);
}

TEST(a_key_is_made_once_and_only_its_owner_can_read_it)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_token_keys *keys, *again;
    struct stat st;

    set_up();
    keys = load();
    assert_int_equal(stat(path("sa.key"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    again = load();
    assert_int_equal(verify(arena, again, sign(arena, keys)), 0);
    yl_token_keys_unref(keys);
    yl_token_keys_unref(again);
    tear_down();
    yl_arena_free(arena);
}

TEST(a_key_that_was_rotated_is_accepted_until_its_file_is_removed)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_token_keys *keys;
    const char *old, *new;
    char from[128];

    set_up();
    keys = load();
    old = sign(arena, keys);
    yl_token_keys_unref(keys);
    snprintf(from, sizeof from, "%s", path("sa.key"));
    assert_int_equal(rename(from, path("sa-1.key")), 0);
    keys = load();
    new = sign(arena, keys);
    assert_int_equal(verify(arena, keys, old), 0);
    assert_int_equal(verify(arena, keys, new), 0);
    yl_token_keys_unref(keys);
    unlink(path("sa-1.key"));
    keys = load();
    assert_int_equal(verify(arena, keys, old), YL_ENOTFOUND);
    assert_int_equal(verify(arena, keys, new), 0);
    yl_token_keys_unref(keys);
    tear_down();
    yl_arena_free(arena);
}

TEST(keys_of_files_are_accepted_and_each_is_shown_once)
{
    static const char first[] = "-----BEGIN PUBLIC KEY-----\n"
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7\n"
        "6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==\n"
        "-----END PUBLIC KEY-----\n";
    const char *files[2];
    struct yl_token_keys_opts opts = { .directory = directory,
                                       .files = files, .n_files = 2 };
    struct yl_token_keys *keys;
    struct yl_buf out;
    const char *at;
    int n = 0;

    set_up();
    files[0] = files[1] = strdup(path("other.pem"));
    assert_int_equal(yl_file_replace(files[0], yl_str_c(first), 0600, NULL),
                     0);
    assert_int_equal(yl_file_replace(path("sa-2.pub"), yl_str_c(first), 0600,
                                     NULL), 0);
    assert_int_equal(yl_file_replace(path("sa-x.txt"), YL_STR("no key"), 0600,
                                     NULL), 0);
    assert_int_equal(yl_token_keys_load(&opts, &keys, NULL), 0);
    yl_buf_init(&out, 4096);
    yl_token_keys_write_jwks(keys, &out);
    for (at = yl_buf_c_str(&out); (at = strstr(at, "\"kid\"")); at++) {
        n++;
    }
    assert_int_equal(n, 2);
    yl_buf_clear(&out);
    yl_token_keys_write_algorithms(keys, &out);
    assert_str_equal(yl_buf_str(&out), "[\"ES256\"]");
    yl_buf_release(&out);
    yl_token_keys_unref(keys);

    /* A public key cannot sign. */
    opts.signing_file = files[0];
    assert_int_equal(yl_token_keys_load(&opts, &keys, &err), YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err), "other.pem: tokens are "
                           "signed with a private key"));
    free((char *) (uintptr_t) files[0]);
    tear_down();
}

TEST(files_that_hold_no_key_are_refused_by_name)
{
    struct yl_token_keys_opts opts = { .directory = directory };
    struct yl_token_keys *keys;

    set_up();
    assert_int_equal(yl_file_replace(path("sa.key"), YL_STR("nothing"), 0600,
                                     NULL), 0);
    assert_int_equal(yl_token_keys_load(&opts, &keys, &err), YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err), "sa.key: there is no key"));
    opts.signing_file = path("other.pem");
    assert_int_equal(yl_token_keys_load(&opts, &keys, &err), YL_ENOTFOUND);
    tear_down();
}

TEST(without_a_directory_the_key_is_a_new_one_each_time)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_token_keys_opts opts = { .directory = NULL };
    struct yl_token_keys *a, *b;

    assert_int_equal(yl_token_keys_load(&opts, &a, NULL), 0);
    assert_int_equal(yl_token_keys_load(&opts, &b, NULL), 0);
    assert_int_equal(verify(arena, b, sign(arena, a)), YL_ENOTFOUND);
    yl_token_keys_unref(a);
    yl_token_keys_unref(b);
    yl_arena_free(arena);
}
