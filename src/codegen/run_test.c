/* Tests of what the program does. */

#include "codegen/run.h"

#include <sys/stat.h>

#include "codegen_unit.h"

static const char *header;
static struct yl_gen_opts opts;

static void
set_up(const char *text)
{
    static const char *include;

    begin();
    include = yl_arena_strdup(arena, yl_str_c(source_path("include")));
    memset(&opts, 0, sizeof opts);
    opts.includes = &include;
    opts.n_includes = 1;
    header = yl_arena_strdup(arena, yl_str_c(scratch_path("foo_types.h")));
    write_text(header, yl_arena_printf(arena, HEADER_TOP "%s", text));
}

static void
tear_down(void)
{
    unlink(header);
    unlink(scratch_path("foo.h"));
    unlink(scratch_path("foo_client.h"));
    unlink(scratch_path("foo.c"));
}

#define FOO "// +genclient\nstruct foo { struct yl_object_meta metadata; };\n"

TEST(types_writes_files_and_leaves_equal_ones_alone)
{
    struct stat before, after;

    set_up(FOO);
    assert_int_equal(yl_gen_types(&header, 1, &opts, &fault), 0);
    assert_int_equal(stat(scratch_path("foo.c"), &before), 0);
    assert_int_equal(stat(scratch_path("foo.h"), &before), 0);
    chmod(scratch_path("foo.h"), 0400);
    assert_int_equal(yl_gen_types(&header, 1, &opts, &fault), 0);
    assert_int_equal(stat(scratch_path("foo.h"), &after), 0);
    assert_true(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
    tear_down();
}

TEST(types_writes_what_only_go_knows_where_it_is_told)
{
    static const char *const names[] = { "foo_go.h", "foo_go.c",
                                         "go_sets.c" };
    struct stat info;
    size_t i;

    set_up(FOO);
    assert_int_equal(yl_gen_types(&header, 1, &opts, &fault), 0);
    assert_int_not_equal(stat(scratch_path("foo_go.h"), &info), 0);
    opts.go_folder = folder;
    assert_int_equal(yl_gen_types(&header, 1, &opts, &fault), 0);
    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        assert_int_equal(stat(scratch_path(names[i]), &info), 0);
    }
    opts.check = true;
    assert_int_equal(yl_gen_types(&header, 1, &opts, &fault), 0);
    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        unlink(scratch_path(names[i]));
        assert_int_equal(yl_gen_types(&header, 1, &opts, &fault),
                         YL_ETESTFAILED);
    }
    tear_down();
}

TEST(types_writes_a_client_if_a_kind_has_one)
{
    struct stat info;

    set_up("// +kind\nstruct foo { struct yl_object_meta metadata; };\n");
    assert_int_equal(yl_gen_types(&header, 1, &opts, &fault), 0);
    assert_int_not_equal(stat(scratch_path("foo_client.h"), &info), 0);
    tear_down();
    set_up(FOO);
    assert_int_equal(yl_gen_types(&header, 1, &opts, &fault), 0);
    assert_int_equal(stat(scratch_path("foo_client.h"), &info), 0);
    opts.check = true;
    unlink(scratch_path("foo_client.h"));
    assert_int_equal(yl_gen_types(&header, 1, &opts, &fault),
                     YL_ETESTFAILED);
    tear_down();
}

TEST(check_finds_stale_files)
{
    set_up(FOO);
    opts.check = true;
    assert_int_equal(yl_gen_types(&header, 1, &opts, &fault),
                     YL_ETESTFAILED);
    assert_fault("foo.h is stale: run yuloh-gen again");
    opts.check = false;
    assert_int_equal(yl_gen_types(&header, 1, &opts, &fault), 0);
    opts.check = true;
    assert_int_equal(yl_gen_types(&header, 1, &opts, &fault), 0);
    write_text(scratch_path("foo.c"), "/* Edited. */\n");
    assert_int_equal(yl_gen_types(&header, 1, &opts, &fault),
                     YL_ETESTFAILED);
    tear_down();
}

TEST(folders_are_obeyed)
{
    char *other;

    set_up(FOO);
    other = yl_arena_strdup(arena, yl_str_c(scratch_path("other")));
    mkdir(other, 0700);
    opts.header_folder = other;
    assert_int_equal(yl_gen_types(&header, 1, &opts, &fault), 0);
    assert_int_equal(unlink(scratch_path("other/foo.h")), 0);
    assert_int_equal(unlink(scratch_path("other/foo_client.h")), 0);
    assert_int_equal(unlink(scratch_path("foo.c")), 0);
    opts.header_folder = NULL;
    opts.folder = other;
    assert_int_equal(yl_gen_types(&header, 1, &opts, &fault), 0);
    assert_int_equal(unlink(scratch_path("other/foo.h")), 0);
    assert_int_equal(unlink(scratch_path("other/foo_client.h")), 0);
    assert_int_equal(unlink(scratch_path("other/foo.c")), 0);
    rmdir(other);
    assert_int_equal(yl_gen_types(&header, 1, &opts, &fault), YL_EIO);
    assert_fault("other/foo.h: No such file or directory");
    tear_down();
}

TEST(faults_stop_the_writing)
{
    struct yl_buf buf;

    set_up("struct a { int x; };\n");
    assert_int_equal(yl_gen_types(&header, 1, &opts, &fault), YL_EINVALID);
    assert_int_not_equal(access(scratch_path("foo.h"), F_OK), 0);
    yl_buf_init(&buf, 1 << 16);
    assert_int_equal(yl_gen_crd(&header, 1, &opts, &buf, &fault),
                     YL_EINVALID);
    yl_buf_release(&buf);
    tear_down();
}

TEST(a_version_alone_is_stored)
{
    const char *headers[2];
    struct yl_buf buf;

    set_up(FOO);
    yl_buf_init(&buf, 1 << 16);
    assert_int_equal(yl_gen_crd(&header, 1, &opts, &buf, &fault), 0);
    assert_non_null(strstr(yl_buf_c_str(&buf), "storage: true"));
    yl_buf_clear(&buf);
    headers[0] = headers[1] = header;
    assert_int_equal(yl_gen_crd(headers, 2, &opts, &buf, &fault),
                     YL_EINVALID);
    assert_fault("0 versions of Foo are stored");
    yl_buf_release(&buf);
    tear_down();
}

TEST(own_headers_are_beside_the_program)
{
    const char *const *folders;
    size_t n;

    begin();
    folders = yl_gen_own_includes(arena, &n);
    assert_int_equal(n, 2);
    assert_true(yl_str_ends_with(yl_str_c(folders[0]),
                                 YL_STR("/tests/include")));
}

CODEGEN_END;
