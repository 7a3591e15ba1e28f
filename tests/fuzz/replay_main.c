/* The main program of a fuzzer that only replays: it feeds each file of the
 * folder given to the fuzzer and prints TAP.  A finding ends the process, and
 * the last line printed names the file. */

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void replay(const char *path);

int
main(int argc, char *argv[])
{
    struct dirent **entries;
    int n_files = 0;
    int n, i;

    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    n = scandir(argv[1], &entries, NULL, alphasort);
    printf("1..1\n");
    for (i = 0; i < n; i++) {
        if (entries[i]->d_name[0] != '.') {
            char path[4096];

            snprintf(path, sizeof path, "%s/%s", argv[1], entries[i]->d_name);
            printf("# %s\n", path);
            fflush(stdout);
            replay(path);
            n_files++;
        }
        free(entries[i]);
    }
    if (n >= 0) {
        free(entries);
    }
    printf("%sok 1 - %d inputs\n", n_files ? "" : "not ", n_files);
    return n_files ? 0 : 1;
}

/* The buffer has the exact size, so that ASan and valgrind see a read past its
 * end. */
static void
replay(const char *path)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data = NULL;
    long size = -1;

    if (f && fseek(f, 0, SEEK_END) == 0) {
        size = ftell(f);
        rewind(f);
    }
    if (size >= 0) {
        data = malloc(size ? (size_t) size : 1);
    }
    if (!data || fread(data, 1, (size_t) size, f) != (size_t) size) {
        perror(path);
        exit(1);
    }
    fclose(f);
    LLVMFuzzerTestOneInput(data, (size_t) size);
    free(data);
}
