/* Tests of randomness. */

#include "base/random.h"

#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

TEST(bytes_differ_and_fill_what_was_asked)
{
    unsigned char a[1024], b[1024];
    size_t i, n_equal = 0;

    memset(a, 0, sizeof a);
    memset(b, 0, sizeof b);
    yl_random_bytes(a, sizeof a - 1);
    yl_random_bytes(b, sizeof b - 1);
    yl_random_bytes(NULL, 0);
    for (i = 0; i < sizeof a - 1; i++) {
        n_equal += a[i] == b[i];
    }
    assert_true(n_equal < 100);
    assert_int_equal(a[1023], 0);
    assert_true(yl_random_u64() != yl_random_u64());
}

TEST(small_pieces_never_repeat)
{
    static uint64_t seen[1000];
    size_t i, j;

    for (i = 0; i < 1000; i++) {
        seen[i] = yl_random_u64();
        for (j = 0; j < i; j++) {
            assert_true(seen[i] != seen[j]);
        }
    }
}

TEST(child_does_not_repeat_its_parent)
{
    uint64_t ours, childs = 0;
    int fds[2];
    pid_t child;

    yl_random_u64();            /* There is something in store. */
    assert_int_equal(pipe(fds), 0);
    child = fork();
    if (child == 0) {
        childs = yl_random_u64();
        _exit(write(fds[1], &childs, sizeof childs) != sizeof childs);
    }
    ours = yl_random_u64();
    assert_int_equal(read(fds[0], &childs, sizeof childs), sizeof childs);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_true(ours != childs);
    close(fds[0]);
    close(fds[1]);
}

TEST(uuid_has_the_form_of_version_4)
{
    char a[YL_UUID_LENGTH + 1], b[YL_UUID_LENGTH + 1];
    int i, j;

    for (i = 0; i < 100; i++) {
        yl_random_uuid(a);
        assert_int_equal(strlen(a), 36);
        for (j = 0; j < 36; j++) {
            if (j == 8 || j == 13 || j == 18 || j == 23) {
                assert_int_equal(a[j], '-');
            } else {
                assert_non_null(strchr("0123456789abcdef", a[j]));
            }
        }
        assert_int_equal(a[14], '4');
        assert_non_null(strchr("89ab", a[19]));
    }
    yl_random_uuid(b);
    assert_string_not_equal(a, b);
}

TEST(name_is_uniform_over_its_alphabet)
{
    static const char alphabet[] = "bcdfghjklmnpqrstvwxz2456789";
    static char name[27001];
    size_t counts[27] = { 0 };
    size_t i;

    yl_random_name(name, 27000);
    assert_int_equal(strlen(name), 27000);
    for (i = 0; i < 27000; i++) {
        const char *at = strchr(alphabet, name[i]);

        assert_non_null(at);
        counts[at - alphabet]++;
    }
    /* A deviation of 250 from 1000 is eight standard deviations. */
    for (i = 0; i < 27; i++) {
        assert_in_range(counts[i], 750, 1250);
    }
}

TEST(name_of_no_characters_is_empty)
{
    char name[6] = "xxxxx";

    yl_random_name(name, 5);
    assert_int_equal(strlen(name), 5);
    yl_random_name(name, 0);
    assert_string_equal(name, "");
}
