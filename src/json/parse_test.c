/* Tests of the parser: JSONTestSuite in every variant of the scanner, and the
 * plain scanner as its twin. */

#include "json/tree.h"

#include <dirent.h>

#include "base/arena.h"
#include "json/bits.h"
#include "json/explain.h"
#include "unit.h"
#include "yuloh/error.h"

/* The verdict on 'text', on which validation, parsing and the plain scanner
 * must agree. */
static int
verdict(struct yl_str text)
{
    struct yl_arena arena;
    struct yl_node *root;
    int r = yl_json_validate(text, NULL, NULL);

    yl_arena_init(&arena);
    assert_int_equal(yl_tree_parse(&arena, text, NULL, &root, NULL), r);
    assert_int_equal(yl_json_explain(text, NULL, NULL, NULL), r);
    yl_arena_release(&arena);
    return r;
}

TEST(json_test_suite_in_every_variant)
{
    char dir[4096], path[8192];
    const struct yl_bits *const *variant;
    struct dirent *entry;
    size_t n = 0;
    DIR *d;

    snprintf(dir, sizeof dir, "%s", truth_path("json/test_parsing"));
    for (variant = yl_bits_variants(); *variant; variant++) {
        yl_bits_use(*variant);
        d = opendir(dir);
        assert_non_null(d);
        while ((entry = readdir(d)) != NULL) {
            struct yl_str text;
            char *data;
            int r;

            if (entry->d_name[0] == '.') {
                continue;
            }
            snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
            data = read_file(path, &text.size);
            text.data = data;
            r = verdict(text);
            if ((entry->d_name[0] == 'y' && r < 0)
                || (entry->d_name[0] == 'n' && r == 0)) {
                print_error("%s (%s): %d\n", entry->d_name, (*variant)->name,
                            r);
                fail();
            }
            n++;
            free(data);
        }
        closedir(d);
    }
    yl_bits_use(NULL);
    assert_true(n >= 318);
}
