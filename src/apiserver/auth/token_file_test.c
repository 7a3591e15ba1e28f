/* Tests of static tokens. */

#include "apiserver/auth/token_file.h"

#include <unistd.h>

#include "apiserver/auth/user.h"
#include "unit.h"
#include "yuloh/error.h"

static struct yl_token_file *
parse(const char *text)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_token_file *tokens = NULL;

    assert_int_equal(yl_token_file_parse(yl_str_c(text), "f", &tokens, &err),
                     0);
    return tokens;
}

static void
refuses(const char *text, const char *message)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_token_file *tokens;

    assert_int_equal(yl_token_file_parse(yl_str_c(text), "f", &tokens, &err),
                     YL_EINVALID);
    assert_string_equal(yl_error_message(&err), message);
    yl_error_clear(&err);
}

TEST(tokens_are_somebodys)
{
    struct yl_token_file *tokens = parse(
        "admintoken,admin,uid-1,\"system:masters,ops\"\n"
        "\n"
        "other,bob,,\r\n"
        "third,\"a \"\"b\"\", c\",u3,g,ignored\n"
        "last,x,\"two\r\nlines\"");
    const struct yl_user *user;

    user = yl_token_file_find(tokens, YL_STR("admintoken"));
    assert_str_equal(user->name, "admin");
    assert_str_equal(user->uid, "uid-1");
    assert_int_equal(user->n_groups, 2);
    assert_str_equal(user->groups[0], "system:masters");
    assert_str_equal(user->groups[1], "ops");

    /* As upstream: an empty last column is one empty group. */
    user = yl_token_file_find(tokens, YL_STR("other"));
    assert_str_equal(user->name, "bob");
    assert_int_equal(user->n_groups, 1);
    assert_str_equal(user->groups[0], "");

    user = yl_token_file_find(tokens, YL_STR("third"));
    assert_str_equal(user->name, "a \"b\", c");
    assert_int_equal(user->n_groups, 1);

    user = yl_token_file_find(tokens, YL_STR("last"));
    assert_str_equal(user->uid, "two\nlines");
    assert_int_equal(user->n_groups, 0);

    assert_null(yl_token_file_find(tokens, YL_STR("admintokem")));
    assert_null(yl_token_file_find(tokens, YL_STR("")));
    yl_token_file_free(tokens);
}

TEST(the_last_line_of_a_token_counts)
{
    struct yl_token_file *tokens = parse("t,a,1\nt,b,2\n,nobody,3\n");

    assert_str_equal(yl_token_file_find(tokens, YL_STR("t"))->name, "b");
    assert_null(yl_token_file_find(tokens, YL_STR("")));
    yl_token_file_free(tokens);
}

TEST(bad_lines_are_named)
{
    refuses("a,b,c\n\nd,e\n", "f:3: a line must have at least 3 columns "
            "(token, user name, user uid), this one has 2");
    refuses("a,b,\"c\n", "f:1: a quoted field does not end");
    refuses("a,b\"c,d\n", "f:1: a quote inside of a field without quotes");
    refuses("a,\"b\nx\"c,d\n", "f:2: a comma or the end of the line must "
            "follow a closing quote");
}

TEST(files_are_read)
{
    char path[] = "/tmp/yuloh-tokens-XXXXXX";
    struct yl_error err = YL_ERROR_INIT;
    struct yl_token_file *tokens;
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, "t,u,1\n", 6), 6);
    close(fd);
    assert_int_equal(yl_token_file_read(path, &tokens, NULL), 0);
    assert_str_equal(yl_token_file_find(tokens, YL_STR("t"))->name, "u");
    yl_token_file_free(tokens);
    unlink(path);
    assert_int_equal(yl_token_file_read(path, &tokens, &err), YL_ENOTFOUND);
    assert_non_null(strstr(yl_error_message(&err), path));
    yl_error_clear(&err);
    yl_token_file_free(NULL);
}
