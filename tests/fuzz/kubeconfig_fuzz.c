/* Fuzzes kubeconfigs: any bytes must give a configuration or an error, and a
 * file that is merged with itself must say what it says alone. */

#include "fuzz.h"

#include "client/config_choose.h"
#include "client/kubeconfig.h"
#include "yuloh/arena.h"
#include "yuloh/client_config.h"
#include "yuloh/error.h"

/* What 'n' copies of the file say. */
static int
load(struct yl_arena *arena, struct yl_str text, int n,
     struct yl_client_config *config)
{
    static const struct yl_client_config_opts opts;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_kubeconfig_set set;
    int r = 0;

    yl_kubeconfig_set_init(&set, arena);
    for (; n > 0 && r == 0; n--) {
        r = yl_kubeconfig_add(&set, text, "/nowhere", &err);
    }
    if (r == 0) {
        r = yl_config_choose(&set, &opts, config, &err);
    }
    CHECK(r == err.code && (r == 0 || *yl_error_message(&err)));
    yl_error_clear(&err);
    yl_kubeconfig_set_release(&set);
    return r;
}

static bool
is_same(const char *a, const char *b)
{
    return yl_str_is_null(yl_str_c(a)) == yl_str_is_null(yl_str_c(b))
           && yl_str_equal(yl_str_c(a), yl_str_c(b));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yl_str text = yl_str_n((const char *) data, size);
    struct yl_arena *arena = yl_arena_new();
    struct yl_client_config once = { .server = NULL };
    struct yl_client_config twice = { .server = NULL };
    int r = load(arena, text, 1, &once);

    CHECK(load(arena, text, 2, &twice) == r);
    if (r == 0) {
        CHECK(once.server && once.namespace_);
        CHECK(is_same(once.server, twice.server));
        CHECK(is_same(once.token, twice.token));
        CHECK(is_same(once.token_file, twice.token_file));
        CHECK(!once.token_file || once.token_file[0] == '/');
        CHECK(!once.exec == !twice.exec);
        CHECK(!once.exec || once.exec->command);
    }
    yl_arena_free(arena);
    return 0;
}
