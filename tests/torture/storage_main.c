/* torture-storage: cuts the power of a store again and again.
 *
 *     build/tests/torture-storage [CUTS [SEED]]
 *
 * A violation is printed with the seed that repeats it, apart from the timing
 * of the checkpointer's thread. */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "torture/power_cut.h"
#include "yuloh/str.h"

/* Rounds with one store; then another one is used, with the next seed. */
#define CUTS_PER_STORE 100

static unsigned long long
number(const char *text, unsigned long long otherwise)
{
    unsigned long long n;

    return text && yl_str_to_u64(yl_str_c(text), &n) == 0 ? n : otherwise;
}

int
main(int argc, char *argv[])
{
    unsigned long long n_cuts = number(argc > 1 ? argv[1] : NULL, 10000);
    unsigned long long seed = number(argc > 2 ? argv[2] : NULL,
                                     (unsigned long long) time(NULL));
    struct power_cut_counts counts = { 0 };
    char dir[] = "/tmp/torture-storage-XXXXXX";
    char command[64], message[300];
    int r = 0;

    if (!mkdtemp(dir)) {
        perror(dir);
        return 1;
    }
    for (; !r && counts.n_cuts < n_cuts; seed++) {
        r = power_cut_torture(dir, seed, CUTS_PER_STORE, &counts, message,
                              sizeof message);
        if (r < 0) {
            printf("seed %llu: %s\n", seed, message);
        }
    }
    printf("%llu power cuts, %llu writes acknowledged, %llu batches failed "
           "in between, %llu came back to life: %s\n",
           (unsigned long long) counts.n_cuts,
           (unsigned long long) counts.n_acknowledged,
           (unsigned long long) counts.n_failed,
           (unsigned long long) counts.n_revived,
           r < 0 ? "FAILED" : "nothing lost, nothing twice");
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command) != 0 || r < 0;
}
