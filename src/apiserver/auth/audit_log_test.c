/* Tests of the audit log: order, rotation, ceilings. */

#include "apiserver/auth/audit_log.h"

#include <dirent.h>
#include <semaphore.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "unit.h"
#include "yuloh/error.h"
#include "yuloh/log.h"

struct place {
    char directory[64];
    char path[96];
};

static void
place_init(struct place *place)
{
    snprintf(place->directory, sizeof place->directory,
             "/tmp/yuloh-audit-XXXXXX");
    assert_non_null(mkdtemp(place->directory));
    snprintf(place->path, sizeof place->path, "%s/audit.log",
             place->directory);
}

static void
touch(const struct place *place, const char *name)
{
    char path[160];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", place->directory, name);
    f = fopen(path, "w");
    assert_non_null(f);
    fclose(f);
}

/* Counts files and appends their texts, oldest first, to 'all'; removes them
 * and the directory. */
static size_t
place_release(struct place *place, struct yl_buf *all)
{
    struct dirent **entries;
    int n = scandir(place->directory, &entries, NULL, alphasort), i;
    size_t n_files = 0;

    assert_true(n >= 2);
    for (i = 0; i < n; i++) {
        char path[400];

        if (entries[i]->d_name[0] != '.') {
            char *text;

            snprintf(path, sizeof path, "%s/%s", place->directory,
                     entries[i]->d_name);
            text = read_file(path, NULL);
            if (all) {
                yl_buf_append_c(all, text);
            }
            free(text);
            unlink(path);
            n_files++;
        }
        free(entries[i]);
    }
    free(entries);
    assert_int_equal(rmdir(place->directory), 0);
    return n_files;
}

TEST(lines_are_written_in_order)
{
    struct yl_audit_log *log;
    struct place place;
    struct yl_buf all;
    struct stat st;

    place_init(&place);
    assert_int_equal(yl_audit_log_new(&(struct yl_audit_log_opts) {
                         .path = place.path }, &log, NULL), 0);
    yl_audit_log_add(log, YL_STR("{\"a\":1}"));
    yl_audit_log_add(log, YL_STR("{\"b\":2}"));
    assert_int_equal(yl_audit_log_dropped(log), 0);
    yl_audit_log_free(log);
    assert_int_equal(stat(place.path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);

    /* A second start goes on in the same file. */
    assert_int_equal(yl_audit_log_new(&(struct yl_audit_log_opts) {
                         .path = place.path }, &log, NULL), 0);
    yl_audit_log_add(log, YL_STR("{\"c\":3}"));
    yl_audit_log_free(log);
    yl_buf_init(&all, 1 << 20);
    assert_int_equal(place_release(&place, &all), 1);
    assert_str_equal(yl_buf_str(&all), "{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n");
    yl_buf_release(&all);
}

TEST(a_full_file_is_put_aside)
{
    struct yl_audit_log *log;
    struct place place;
    char line[40];
    int i;

    place_init(&place);
    touch(&place, "audit-2020-01-02T03-04-05.000.log");
    touch(&place, "audit-2020-01-02T03-04-06.000.log");
    touch(&place, "audit-notes.log");
    touch(&place, "audit-2020-01-02T03-04-0x.000.log");
    assert_int_equal(yl_audit_log_new(&(struct yl_audit_log_opts) {
                         .path = place.path, .max_size = 100,
                         .max_backups = 1 }, &log, NULL), 0);
    for (i = 0; i < 4; i++) {
        snprintf(line, sizeof line, "%038d", i);
        yl_audit_log_add(log, yl_str_c(line));
    }
    yl_audit_log_free(log);

    /* The file, one older one, and the two that are none. */
    assert_int_equal(place_release(&place, NULL), 4);
}

TEST(no_line_is_lost_or_cut)
{
    struct yl_audit_log *log;
    struct place place;
    struct yl_buf all, want;
    char line[300];
    int i;

    place_init(&place);
    yl_buf_init(&all, 1 << 20);
    yl_buf_init(&want, 1 << 20);
    assert_int_equal(yl_audit_log_new(&(struct yl_audit_log_opts) {
                         .path = place.path, .max_size = 200 }, &log, NULL),
                     0);
    for (i = 0; i < 3; i++) {
        memset(line, 'a' + i, sizeof line);
        yl_audit_log_add(log, yl_str_n(line, 250));
        yl_buf_append(&want, line, 250);
        yl_buf_append_char(&want, '\n');
    }
    yl_audit_log_free(log);
    place_release(&place, &all);
    assert_str_equal(yl_buf_str(&all), yl_buf_c_str(&want));
    yl_buf_release(&all);
    yl_buf_release(&want);
}

TEST(old_files_are_removed_by_age)
{
    struct yl_audit_log *log;
    struct place place;

    place_init(&place);
    touch(&place, "audit-2020-01-02T03-04-05.000.log");
    touch(&place, "audit-9020-01-02T03-04-05.000.log");
    assert_int_equal(yl_audit_log_new(&(struct yl_audit_log_opts) {
                         .path = place.path, .max_size = 10,
                         .max_age_days = 30 }, &log, NULL), 0);
    yl_audit_log_add(log, YL_STR("123456789"));
    yl_audit_log_add(log, YL_STR("123456789"));
    yl_audit_log_free(log);
    assert_int_equal(place_release(&place, NULL), 3);
}

TEST(too_much_is_dropped_and_counted)
{
    struct yl_audit_log *log;
    struct place place;
    struct yl_buf all;

    place_init(&place);
    assert_int_equal(yl_audit_log_new(&(struct yl_audit_log_opts) {
                         .path = place.path, .max_queue = 8 }, &log, NULL),
                     0);
    yl_audit_log_add(log, YL_STR("123456789"));
    yl_audit_log_add(log, YL_STR("1234567"));
    assert_int_equal(yl_audit_log_dropped(log), 1);
    yl_audit_log_free(log);
    yl_buf_init(&all, 1 << 20);
    assert_int_equal(place_release(&place, &all), 1);
    assert_str_equal(yl_buf_str(&all), "1234567\n");
    yl_buf_release(&all);
}

TEST(a_file_that_cannot_be_opened_is_an_error)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_audit_log *log;

    assert_int_equal(yl_audit_log_new(&(struct yl_audit_log_opts) {
                         .path = "/proc/none/audit.log" }, &log, &err),
                     YL_EIO);
    assert_non_null(strstr(yl_error_message(&err), "cannot open"));
    yl_error_clear(&err);
    yl_audit_log_free(NULL);
}

/* Waits until the log's thread has made 'path', and it ends in 'end'. */
static void
wait_for_end(const char *path, const char *end)
{
    int i;

    for (i = 0; i < 100000; i++) {
        char *text = access(path, R_OK) == 0 ? read_file(path, NULL) : NULL;
        bool there = text && yl_str_ends_with(yl_str_c(text), yl_str_c(end));

        free(text);
        if (there) {
            return;
        }
        usleep(500);
    }
    fail_msg("%s does not end in %s", path, end);
}

TEST(a_file_that_somebody_took_away_is_begun_anew)
{
    struct yl_audit_log *log;
    struct place place;
    struct yl_buf all;

    place_init(&place);
    assert_int_equal(yl_audit_log_new(&(struct yl_audit_log_opts) {
                         .path = place.path, .max_size = 10 }, &log, NULL),
                     0);
    yl_audit_log_add(log, YL_STR("first"));
    wait_for_end(place.path, "first\n");
    assert_int_equal(unlink(place.path), 0);
    yl_audit_log_add(log, YL_STR("second"));
    yl_audit_log_add(log, YL_STR("third"));
    yl_audit_log_free(log);
    yl_buf_init(&all, 1 << 10);
    assert_int_equal(place_release(&place, &all), 2);
    assert_str_equal(yl_buf_str(&all), "second\nthird\n");
    yl_buf_release(&all);
}

/* Tells that the log's thread has complained. */
static sem_t n_complaints;

static void
count_complaint(const struct yl_log_sink *sink YL_UNUSED,
                const char *line YL_UNUSED, size_t size YL_UNUSED)
{
    sem_post(&n_complaints);
}

static const struct yl_log_sink complaints = { count_complaint };

TEST(a_log_comes_back_with_its_directory)
{
    struct yl_audit_log *log;
    struct place place;
    struct yl_buf all;
    char moved[128];

    place_init(&place);
    snprintf(moved, sizeof moved, "%s-gone", place.directory);
    sem_init(&n_complaints, 0, 0);
    yl_log_set_sink(&complaints);
    assert_int_equal(yl_audit_log_new(&(struct yl_audit_log_opts) {
                         .path = place.path, .max_size = 10 }, &log, NULL),
                     0);
    yl_audit_log_add(log, YL_STR("first"));
    wait_for_end(place.path, "first\n");
    assert_int_equal(rename(place.directory, moved), 0);
    yl_audit_log_add(log, YL_STR("lost"));
    assert_int_equal(yl_audit_log_dropped(log), 0);
    sem_wait(&n_complaints);
    assert_int_equal(rename(moved, place.directory), 0);
    yl_audit_log_add(log, YL_STR("second"));
    wait_for_end(place.path, "second\n");

    /* Without it the end does not wait. */
    assert_int_equal(rename(place.directory, moved), 0);
    yl_audit_log_add(log, YL_STR("lost"));
    yl_audit_log_free(log);
    assert_int_equal(rename(moved, place.directory), 0);
    yl_log_set_sink(NULL);
    sem_destroy(&n_complaints);
    yl_buf_init(&all, 1 << 10);
    assert_int_equal(place_release(&place, &all), 2);
    assert_str_equal(yl_buf_str(&all), "first\nsecond\n");
    yl_buf_release(&all);
}
