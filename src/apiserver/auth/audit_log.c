/* Audit log.  See apiserver/auth/audit_log.h.
 *
 * There are two buffers: loops append to one under the lock, while the thread
 * writes the other to the file without the lock. */

#include "apiserver/auth/audit_log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/thread.h"
#include "yuloh/error.h"
#include "yuloh/log.h"

#define DEFAULT_SIZE ((size_t) 100 << 20)
#define DEFAULT_QUEUE ((size_t) 64 << 20)
#define DAY ((int64_t) 24 * 60 * 60 * 1000)

/* "2026-01-02T15-04-05.000" */
#define STAMP_LENGTH 23

struct yl_audit_log {
    struct yl_audit_log_opts opts;  /* Defaults filled in. */
    char *path;
    char *directory;            /* Where the file is, */
    char *stem;                 /* its name up to the ending, */
    char *ending;               /* and that, ".log". */
    struct yl_thread thread;
    bool started;

    struct yl_mutex lock;
    struct yl_cond changed;
    struct yl_buf waiting YL_GUARDED;
    uint64_t n_dropped YL_GUARDED;
    bool closed YL_GUARDED;

    /* The thread's own. */
    struct yl_buf writing;
    uint64_t n_told;            /* Dropped lines reported so far. */
    bool complained;            /* Whether a write failed and was logged; reset
                                 * when a write succeeds. */
    int fd;
    size_t size;                /* Of the file. */
};

static int open_file(struct yl_audit_log *);
static void split_path(struct yl_audit_log *, const char *path);
static void run(void *);
static void write_lines(struct yl_audit_log *, struct yl_str);
static void write_piece(struct yl_audit_log *, struct yl_str);
static void rotate(struct yl_audit_log *);
static char *free_path(const struct yl_audit_log *);
static void remove_old(struct yl_audit_log *);
static bool is_backup(const struct yl_audit_log *, const char *name);
static bool is_older(const char *name, const struct yl_audit_log *,
                     const char *limit);
static char *path_of(const struct yl_audit_log *, const char *name);
static void stamp(char text[STAMP_LENGTH + 1], int64_t ahead);

int
yl_audit_log_new(const struct yl_audit_log_opts *opts,
                 struct yl_audit_log **ret_log, struct yl_error *err)
{
    struct yl_audit_log *log = yl_zalloc(sizeof *log);
    int r;

    log->opts = *opts;
    log->opts.max_size = opts->max_size ? opts->max_size : DEFAULT_SIZE;
    log->opts.max_queue = opts->max_queue ? opts->max_queue : DEFAULT_QUEUE;
    split_path(log, opts->path);
    yl_mutex_init(&log->lock);
    yl_cond_init(&log->changed);
    yl_buf_init(&log->waiting, log->opts.max_queue);
    yl_buf_init(&log->writing, log->opts.max_queue);
    log->fd = -1;
    r = open_file(log);
    if (r < 0) {
        r = yl_error_set(err, YL_EIO, "cannot open %s: %s", opts->path,
                         strerror(errno));
    } else {
        r = yl_thread_start(&log->thread, "audit", run, log);
        log->started = r == 0;
        if (r < 0) {
            yl_error_set(err, r, "cannot start a thread");
        }
    }
    if (r < 0) {
        yl_audit_log_free(log);
        return r;
    }
    *ret_log = log;
    return 0;
}

void
yl_audit_log_free(struct yl_audit_log *log)
{
    if (!log) {
        return;
    }
    if (log->started) {
        yl_mutex_lock(&log->lock);
        log->closed = true;
        yl_cond_signal(&log->changed);
        yl_mutex_unlock(&log->lock);
        yl_thread_join(&log->thread);
    }
    if (log->fd > STDERR_FILENO) {
        close(log->fd);
    }
    yl_buf_release(&log->waiting);
    yl_buf_release(&log->writing);
    yl_cond_destroy(&log->changed);
    yl_mutex_destroy(&log->lock);
    free(log->path);
    free(log->directory);
    free(log->stem);
    free(log->ending);
    free(log);
}

void
yl_audit_log_add(struct yl_audit_log *log, struct yl_str line)
{
    bool wake;

    yl_mutex_lock(&log->lock);
    wake = log->waiting.size == 0;
    if (line.size + 1 > log->opts.max_queue - log->waiting.size) {
        log->n_dropped++;
    } else {
        yl_buf_append_str(&log->waiting, line);
        yl_buf_append_char(&log->waiting, '\n');
    }
    if (wake) {
        yl_cond_signal(&log->changed);
    }
    yl_mutex_unlock(&log->lock);
}

uint64_t
yl_audit_log_dropped(struct yl_audit_log *log)
{
    uint64_t n;

    yl_mutex_lock(&log->lock);
    n = log->n_dropped;
    yl_mutex_unlock(&log->lock);
    return n;
}

static int
open_file(struct yl_audit_log *log)
{
    struct stat st;

    if (!strcmp(log->path, "-")) {
        log->fd = STDOUT_FILENO;
        return 0;
    }
    log->fd = open(log->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
                   0600);
    log->size = 0;
    if (log->fd < 0) {
        return -1;
    }
    log->size = fstat(log->fd, &st) == 0 ? (size_t) st.st_size : 0;
    return 0;
}

static void
split_path(struct yl_audit_log *log, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    if (!dot) {
        dot = name + strlen(name);
    }
    log->directory = yl_strdup(slash == path ? YL_STR("/")
                               : slash ? yl_str_range(path, slash)
                               : YL_STR("."));
    log->stem = yl_strdup(yl_str_range(name, dot));
    log->ending = yl_strdup(yl_str_c(dot));
    log->path = yl_strdup(yl_str_c(path));
}

static void
run(void *arg)
{
    struct yl_audit_log *log = arg;
    bool closed;

    do {
        struct yl_buf other;
        uint64_t n_dropped;

        yl_mutex_lock(&log->lock);
        while (log->waiting.size == 0 && !log->closed) {
            yl_cond_wait(&log->changed, &log->lock);
        }
        other = log->waiting;
        log->waiting = log->writing;
        log->writing = other;
        closed = log->closed;
        n_dropped = log->n_dropped;
        yl_mutex_unlock(&log->lock);
        if (n_dropped > log->n_told) {
            yl_log_warning("Audit log cannot keep up, events were dropped",
                           YL_LOG_UINT("dropped", n_dropped));
            log->n_told = n_dropped;
        }
        write_lines(log, yl_buf_str(&log->writing));
        yl_buf_clear(&log->writing);
    } while (!closed);
}

/* Writes as many lines at once as fit into the file. */
static void
write_lines(struct yl_audit_log *log, struct yl_str lines)
{
    if (log->fd < 0) {
        open_file(log);         /* It could not be opened before; try again. */
    }
    while (lines.size > 0) {
        size_t room = log->opts.max_size > log->size
                      ? log->opts.max_size - log->size : 0;
        struct yl_str piece = lines;

        if (log->fd != STDOUT_FILENO && piece.size > room) {
            const char *end = room ? memrchr(piece.data, '\n', room) : NULL;

            if (!end && log->size > 0) {
                rotate(log);
                continue;
            }

            /* A line that is larger than the limit for a file gets a file of
             * its own. */
            if (!end) {
                end = yl_str_find_char(piece, '\n');
            }
            piece = yl_str_range(piece.data, end + 1);
        }
        write_piece(log, piece);
        lines = yl_str_skip(lines, piece.size);
    }
}

static void
write_piece(struct yl_audit_log *log, struct yl_str piece)
{
    while (piece.size > 0) {
        ssize_t n = write(log->fd, piece.data, piece.size);

        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            if (!log->complained) {
                yl_log_error(YL_EIO, "Cannot write the audit log",
                             YL_LOG_C("path", log->path),
                             YL_LOG_C("reason", strerror(errno)));
            }
            log->complained = true;
            return;
        }
        log->complained = false;
        log->size += (size_t) n;
        piece = yl_str_skip(piece, (size_t) n);
    }
}

static void
rotate(struct yl_audit_log *log)
{
    char *path = free_path(log);

    /* After close() the number may belong to another file, so forget it. */
    close(log->fd);
    log->fd = -1;
    if (rename(log->path, path) == 0 || errno == ENOENT) {
        open_file(log);
    } else {
        yl_log_error(YL_EIO, "Cannot rotate the audit log",
                     YL_LOG_C("path", log->path),
                     YL_LOG_C("reason", strerror(errno)));
        open_file(log);
        log->size = 0;          /* Go on with the same file until it has grown
                                 * by as much again. */
    }
    free(path);
    remove_old(log);
}

/* The new name of the current file: it contains the time, or a slightly later
 * one if there is such a file already. */
static char *
free_path(const struct yl_audit_log *log)
{
    int64_t ahead = 0;
    char *path = NULL;

    do {
        char when[STAMP_LENGTH + 1];
        struct yl_buf name;

        free(path);
        stamp(when, ahead++);
        yl_buf_init(&name, SIZE_MAX);
        yl_buf_printf(&name, "%s-%s%s", log->stem, when, log->ending);
        path = path_of(log, yl_buf_c_str(&name));
        yl_buf_release(&name);
    } while (access(path, F_OK) == 0);
    return path;
}

static int
newest_first(const void *a, const void *b)
{
    return strcmp(*(char *const *) b, *(char *const *) a);
}

/* Removes the oldest files when there are more of them, or they are older,
 * than the options allow.  Their names sort by time. */
static void
remove_old(struct yl_audit_log *log)
{
    char limit[STAMP_LENGTH + 1];
    DIR *directory = opendir(log->directory);
    char **names = NULL;
    size_t n = 0, i;
    struct dirent *entry;

    while (directory && (entry = readdir(directory)) != NULL) {
        if (is_backup(log, entry->d_name)) {
            names = yl_realloc_array(names, n + 1, sizeof *names);
            names[n++] = yl_strdup(yl_str_c(entry->d_name));
        }
    }
    if (directory) {
        closedir(directory);
    }
    if (n > 1) {
        qsort(names, n, sizeof *names, newest_first);
    }
    stamp(limit, -log->opts.max_age_days * DAY);
    for (i = 0; i < n; i++) {
        if ((log->opts.max_backups > 0
             && i >= (size_t) log->opts.max_backups)
            || (log->opts.max_age_days > 0
                && is_older(names[i], log, limit))) {
            char *path = path_of(log, names[i]);

            unlink(path);
            free(path);
        }
        free(names[i]);
    }
    free(names);
}

/* STEM-STAMP.ENDING */
static bool
is_backup(const struct yl_audit_log *log, const char *name)
{
    static const char form[] = "dddd-dd-ddTdd-dd-dd.ddd";
    size_t stem = strlen(log->stem), i;

    if (strlen(name) != stem + 1 + STAMP_LENGTH + strlen(log->ending)
        || strncmp(name, log->stem, stem) || name[stem] != '-'
        || strcmp(name + stem + 1 + STAMP_LENGTH, log->ending)) {
        return false;
    }
    for (i = 0; i < STAMP_LENGTH; i++) {
        char c = name[stem + 1 + i];

        if (form[i] == 'd' ? c < '0' || c > '9' : c != form[i]) {
            return false;
        }
    }
    return true;
}

static bool
is_older(const char *name, const struct yl_audit_log *log, const char *limit)
{
    return strncmp(name + strlen(log->stem) + 1, limit, STAMP_LENGTH) < 0;
}

static char *
path_of(const struct yl_audit_log *log, const char *name)
{
    struct yl_buf path;

    yl_buf_init(&path, SIZE_MAX);
    yl_buf_printf(&path, "%s/%s", log->directory, name);
    return yl_buf_detach(&path);
}

/* The time, 'ahead' milliseconds from now. */
static void
stamp(char text[STAMP_LENGTH + 1], int64_t ahead)
{
    struct timespec now;
    struct tm tm;
    int64_t msec;
    time_t seconds;

    clock_gettime(CLOCK_REALTIME, &now);
    msec = (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000 + ahead;
    seconds = (time_t) (msec / 1000);
    gmtime_r(&seconds, &tm);
    snprintf(text, STAMP_LENGTH + 1, "%04u-%02u-%02uT%02u-%02u-%02u.%03u",
             (unsigned) (tm.tm_year + 1900) % 10000,
             (unsigned) (tm.tm_mon + 1) % 100, (unsigned) tm.tm_mday % 100,
             (unsigned) tm.tm_hour % 100, (unsigned) tm.tm_min % 100,
             (unsigned) tm.tm_sec % 100, (unsigned) (msec % 1000));
}
