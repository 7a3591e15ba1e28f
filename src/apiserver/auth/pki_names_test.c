/* Tests of the names of a server. */

#include "apiserver/auth/pki_names.h"

#include "unit.h"
#include "yuloh/arena.h"

static size_t
count(const char *const *names, size_t n, const char *name)
{
    size_t i, found = 0;

    for (i = 0; i < n; i++) {
        found += !strcmp(names[i], name);
    }
    return found;
}

TEST(a_server_has_all_its_names_once)
{
    static const char *const more[] = { "api.example.com", "localhost", "" };
    struct yl_arena *arena = yl_arena_new();
    const char *const *names;
    size_t n;

    names = yl_pki_names(arena, "10.0.0.0/24", more, 3, &n);
    assert_int_equal(count(names, n, "localhost"), 1);
    assert_int_equal(count(names, n, "127.0.0.1"), 1);
    assert_int_equal(count(names, n, "::1"), 1);
    assert_int_equal(count(names, n, "kubernetes.default.svc"), 1);
    assert_int_equal(count(names, n, "10.0.0.1"), 1);
    assert_int_equal(count(names, n, "api.example.com"), 1);
    assert_int_equal(count(names, n, ""), 0);
    yl_arena_free(arena);
}

TEST(there_are_not_too_many)
{
    struct yl_arena *arena = yl_arena_new();
    const char *many[300];
    size_t n, i;

    for (i = 0; i < 300; i++) {
        many[i] = yl_arena_printf(arena, "h%zu", i);
    }
    yl_pki_names(arena, NULL, many, 300, &n);
    assert_int_equal(n, 128);
    yl_arena_free(arena);
}

TEST(the_first_address_of_a_range)
{
    struct yl_arena *arena = yl_arena_new();

    assert_string_equal(yl_pki_first_address(arena, "10.0.0.0/24"),
                        "10.0.0.1");
    assert_string_equal(yl_pki_first_address(arena, "10.1.255.7/20"),
                        "10.1.240.1");
    assert_string_equal(yl_pki_first_address(arena, "fd00:1::/112"),
                        "fd00:1::1");
    assert_null(yl_pki_first_address(arena, "10.0.0.0"));
    assert_null(yl_pki_first_address(arena, "10.0.0/24"));
    assert_null(yl_pki_first_address(arena, "10.0.0.0/33"));
    assert_null(yl_pki_first_address(arena, "10.0.0.0/x"));
    yl_arena_free(arena);
}
