/* Flags about service accounts.  See cli/serve_identity.h. */

#include "cli/serve_identity.h"

#include <string.h>

#include "apiserver/auth/service_accounts.h"
#include "cli/cli.h"

#define HOUR ((yl_msec) 3600 * 1000)
#define MAX_EXPIRATION (((yl_msec) 1 << 32) * 1000)

static int check_issuers(const struct yl_flag_list *);

int
yl_serve_identity_apply(const struct yl_serve_identity *identity,
                        struct yl_service_account_opts *opts)
{
    int r = check_issuers(&identity->issuers);

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
