/* yuloh: main and flags only. */

#include <stdio.h>
#include <string.h>

int
main(int argc, char *argv[])
{
    if (argc == 2 && !strcmp(argv[1], "version")) {
        printf("yuloh %s\n", YULOH_VERSION);
        return 0;
    }
    fprintf(stderr, "usage: yuloh version\n");
    return 2;
}
