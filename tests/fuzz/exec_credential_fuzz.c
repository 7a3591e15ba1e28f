/* Fuzzes what plug-ins for credentials print: any bytes must give a token or a
 * certificate and its key, or an error. */

#include "fuzz.h"

#include "client/exec_credential.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yl_str output = yl_str_n((const char *) data, size);
    struct yl_arena *arena = yl_arena_new();
    struct yl_exec_credential credential;
    struct yl_error err = YL_ERROR_INIT;
    int r = yl_exec_credential_read(arena, output,
                                    "client.authentication.k8s.io/v1",
                                    &credential, &err);

    CHECK(r == err.code && (r == 0 || *yl_error_message(&err)));
    if (r == 0) {
        CHECK(credential.token.size || credential.certificate.size);
        CHECK(!credential.certificate.size == !credential.key.size);
        CHECK(!yl_str_find_char(credential.token, '\0'));
    }
    yl_error_clear(&err);
    yl_arena_free(arena);
    return 0;
}
