/* Account.  See base/account.h for the contract. */

#include "base/account.h"

#include <assert.h>

#include "yuloh/error.h"

void
yl_account_add(struct yl_account *account, size_t n)
{
    account->used += n;
    if (account->peak < account->used) {
        account->peak = account->used;
    }
    if (account->refused) {
        return;
    }
    if (account->ceiling && account->used > account->ceiling) {
        account->refused = YL_ETOOBIG;
    } else if (account->take && !account->take(account->aux, n)) {
        account->refused = YL_ETHROTTLED;
    } else {
        account->taken += n;
    }
}

void
yl_account_remove(struct yl_account *account, size_t n)
{
    assert(n <= account->used);
    account->used -= n;
    if (account->taken > account->used) {
        size_t back = account->taken - account->used;

        account->taken = account->used;
        if (account->give) {
            account->give(account->aux, back);
        }
    }
}

int
yl_account_check(const struct yl_account *account, struct yl_error *err)
{
    switch (account->refused) {
    case 0:
        return 0;

    case YL_ETOOBIG:
        return yl_error_set(err, YL_ETOOBIG,
                            "it takes more memory than it may have: limit is "
                            "%zu bytes", account->ceiling);

    default:
        yl_error_set(err, account->refused,
                     "there is no memory left for it at this moment, please "
                     "try again later");
        if (err) {
            err->retry_after = 1000;
        }
        return account->refused;
    }
}
