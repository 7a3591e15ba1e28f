/* torture-converge: convergence under faults (torture/converge.h).
 *
 *     build/tests/torture-converge [-n OBJECTS] [-r ROUNDS] [-s SEEDS]
 *                                  [FIRST-SEED]
 *
 * Runs SEEDS seeds [1] from FIRST-SEED [1] on, and prints a line for each.
 * What people do and which trouble they meet depends on the seed alone; what
 * comes first when threads race does not. */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "torture/converge.h"
#include "yuloh/clock.h"
#include "yuloh/str.h"

static const struct converge_controller *const controllers[] = {
    &converge_stations, &converge_manager,
};

static int
run(struct converge_opts opts)
{
    struct converge_counts counts;
    yl_msec began = yl_now(NULL);
    char message[1024];
    int r;

    printf("seed %llu, %s: ", (unsigned long long) opts.seed,
           opts.controller->name);
    fflush(stdout);
    r = converge_torture(&opts, &counts, message, sizeof message);
    printf("%u writes of people, %u of all, %u requests hit, %u kills, "
           "%lld ms: %s\n", counts.n_writes, counts.n_observed,
           counts.n_hits, counts.n_kills,
           (long long) (yl_now(NULL) - began), r == 0 ? "right" : message);
    return r;
}

static unsigned long long
number(const char *text)
{
    unsigned long long n;

    if (yl_str_to_u64(yl_str_c(text), &n) < 0 || n > 1000000) {
        fprintf(stderr, "torture-converge: '%s' is no number\n", text);
        exit(2);
    }
    return n;
}

int
main(int argc, char *argv[])
{
    struct converge_opts opts = { .seed = 1 };
    unsigned long long n_seeds = 1;
    int option, r = 0;

    while ((option = getopt(argc, argv, "n:r:s:")) != -1) {
        switch (option) {
        case 'n':
            opts.n_objects = number(optarg);
            break;
        case 'r':
            opts.n_rounds = (unsigned) number(optarg);
            break;
        case 's':
            n_seeds = number(optarg);
            break;
        default:
            return 2;
        }
    }
    opts.seed = optind < argc ? number(argv[optind]) : 1;
    for (; n_seeds && r == 0; n_seeds--, opts.seed++) {
        for (size_t i = 0; i < YL_ARRAY_SIZE(controllers) && r == 0; i++) {
            opts.controller = controllers[i];
            r = run(opts);
        }
    }
    return r < 0;
}
