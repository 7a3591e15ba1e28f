/* Flags about service accounts and admission.  See cli/serve_identity.h. */

#include "cli/serve_identity.h"

#include <string.h>

#include "apiserver/admission/admission.h"
#include "apiserver/server.h"
#include "cli/cli.h"
#include "controllers/choose.h"
#include "yuloh/error.h"
#include "yuloh/log.h"

#define HOUR ((yl_msec) 3600 * 1000)
#define MAX_EXPIRATION (((yl_msec) 1 << 32) * 1000)

static int check_issuers(const struct yl_flag_list *);
static int choose_plugins(const struct yl_serve_identity *,
                          uint64_t *ret_off);
static int check_controllers(const struct yl_flag_list *);

int
yl_serve_identity_apply(const struct yl_serve_identity *identity,
                        struct yl_apiserver_opts *api)
{
    struct yl_service_account_opts *opts = &api->service_accounts;
    int r = check_issuers(&identity->issuers);

    if (r == YL_EXIT_OK) {
        r = choose_plugins(identity, &api->plugins_off);
    }
    if (r == YL_EXIT_OK) {
        r = check_controllers(&identity->controllers);
    }
    if (r != YL_EXIT_OK) {
        return r;
    }
    if (opts->jwks_uri && strncmp(opts->jwks_uri, "https://", 8)) {
        return yl_cli_misused(&yl_command_serve,
                              "--service-account-jwks-uri: '%s' does not "
                              "start with https://", opts->jwks_uri);
    }
    if (identity->max_expiration
        && (identity->max_expiration < HOUR
            || identity->max_expiration > MAX_EXPIRATION)) {
        return yl_cli_misused(&yl_command_serve,
                              "--service-account-max-token-expiration must be "
                              "between 1 hour and 2^32 seconds");
    }
    opts->issuers = identity->issuers.values;
    opts->n_issuers = identity->issuers.n;
    opts->key_files = identity->key_files.values;
    opts->n_key_files = identity->key_files.n;
    opts->audiences = identity->audiences.values;
    opts->n_audiences = identity->audiences.n;
    opts->max_expiration = identity->max_expiration / 1000;
    opts->exact_expiration = !identity->extend_expiration;
    opts->skip_lookup = !identity->lookup;
    return YL_EXIT_OK;
}

static int
check_issuers(const struct yl_flag_list *issuers)
{
    size_t i, j;

    for (i = 0; i < issuers->n; i++) {
        if (!*issuers->values[i]) {
            return yl_cli_misused(&yl_command_serve,
                                  "--service-account-issuer is empty");
        }
        for (j = 0; j < i; j++) {
            if (!strcmp(issuers->values[i], issuers->values[j])) {
                return yl_cli_misused(&yl_command_serve,
                                      "--service-account-issuer: '%s' is "
                                      "there twice", issuers->values[i]);
            }
        }
    }
    return YL_EXIT_OK;
}

static int
choose_plugins(const struct yl_serve_identity *identity, uint64_t *ret_off)
{
    const struct yl_flag_list *on = &identity->plugins_on;
    const struct yl_flag_list *off = &identity->plugins_off;
    struct yl_error err = YL_ERROR_INIT;
    size_t i;
    int r = yl_admission_choose(on->values, on->n, off->values, off->n,
                                ret_off, &err);

    if (r < 0) {
        r = yl_cli_misused(&yl_command_serve, "%s", yl_error_message(&err));
        yl_error_clear(&err);
        return r;
    }
    for (i = 0; i < on->n; i++) {
        if (!yl_admission_is_here(on->values[i])) {
            yl_log_warning("An admission plugin is not there yet, and has no "
                           "effect", YL_LOG_C("plugin", on->values[i]));
        }
    }
    return YL_EXIT_OK;
}

static int
check_controllers(const struct yl_flag_list *names)
{
    struct yl_error err = YL_ERROR_INIT;
    int r = YL_EXIT_OK;

    if (yl_controllers_check_names(names->values, names->n, &err) < 0) {
        r = yl_cli_misused(&yl_command_serve, "--controllers: %s",
                           yl_error_message(&err));
    }
    yl_error_clear(&err);
    return r;
}
