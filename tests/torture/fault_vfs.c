/* A simulated disk with faults.  See tests/torture/fault_vfs.h for what it
 * does.
 *
 * There is one lock for everything.  Files are not freed before the reset, so
 * that a connection may keep one that was deleted, as on Unix. */

#include "torture/fault_vfs.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/list.h"
#include "base/thread.h"
#include "yuloh/str.h"

#define SECTOR 512
#define SHM_LOCKS 8
#define MAX_FILES 64
#define MAX_SHM_REGIONS 64

/* Bytes with a size. */
struct content {
    unsigned char *bytes;
    size_t size;
    size_t capacity;
};

struct file {
    char *path;
    bool there;                 /* In the directory, as programs see it, */
    bool on_disk;               /* and as the disk has it. */
    struct content cache;
    struct content disk;
    bool *dirty;                /* For each sector of the cache's capacity. */
    size_t n_dirty_capacity;

    /* Locks of the database file. */
    unsigned n_shared;
    const struct handle *reserved;
    const struct handle *pending;
    const struct handle *exclusive;

    /* Shared memory and its locks: how many share it, or -1. */
    void *regions[MAX_SHM_REGIONS];
    int shm_locks[SHM_LOCKS];
    unsigned n_mapped;          /* Handles that use it. */
};

/* What SQLite opens. */
struct handle {
    sqlite3_file base;
    struct yl_list node;        /* In 'handles'. */
    struct file *file;
    bool mapped;                /* Uses the shared memory. */
    bool sync_fails;            /* Its next sync reports an earlier failure. */
    int level;                  /* SQLITE_LOCK_... */
    unsigned shared;            /* The shm locks that it shares, as bits, */
    unsigned exclusive;         /* and those that it holds exclusively. */
};

static struct yl_mutex lock = YL_MUTEX_INIT;
static struct file *files[MAX_FILES];
static size_t n_files;
static uint64_t seed;
static uint64_t n_operations;
static uint64_t cut_at;         /* UINT64_MAX: never. */
static bool cut;
static bool power_stays;        /* Only the process ends, the power stays
                                 * on. */
static const char *failing_suffix;
static unsigned n_failing_syncs;
static unsigned n_failing_writes;
static uint64_t limit;
static struct yl_list handles = YL_LIST_INIT(&handles); /* Of all files. */
static bool registered;

static void register_vfs(void);
static void end_after(uint64_t n, bool power_stays_);
static void end(void);
static bool operation(void);
static uint64_t chance(uint64_t n);
static void content_resize(struct content *, size_t size);
static void content_free(struct content *);
static void free_regions(struct file *);
static void forget_dirty(struct file *);
static void to_disk(struct file *, size_t sector);
static void from_disk(struct file *);
static void lose_power(void);
static void sync_directory(void);
static struct file *find(const char *path);
static uint64_t sum_of_sizes(void);

void
fault_vfs_reset(uint64_t seed_)
{
    size_t i;

    register_vfs();
    yl_mutex_lock(&lock);
    assert(yl_list_is_empty(&handles));
    for (i = 0; i < n_files; i++) {
        content_free(&files[i]->cache);
        content_free(&files[i]->disk);
        free_regions(files[i]);
        free(files[i]->dirty);
        free(files[i]->path);
        free(files[i]);
    }
    n_files = 0;
    seed = seed_ * 2 + 1;
    n_operations = 0;
    cut_at = UINT64_MAX;
    cut = power_stays = false;
    n_failing_syncs = n_failing_writes = 0;
    limit = 0;
    yl_mutex_unlock(&lock);
}

void
fault_vfs_cut_after(uint64_t n)
{
    end_after(n, false);
}

void
fault_vfs_kill_after(uint64_t n)
{
    end_after(n, true);
}

bool
fault_vfs_is_cut(void)
{
    bool is;

    yl_mutex_lock(&lock);
    is = cut;
    yl_mutex_unlock(&lock);
    return is;
}

uint64_t
fault_vfs_n_operations(void)
{
    uint64_t n;

    yl_mutex_lock(&lock);
    n = n_operations;
    yl_mutex_unlock(&lock);
    return n;
}

void
fault_vfs_power_on(void)
{
    size_t i;

    yl_mutex_lock(&lock);
    assert(yl_list_is_empty(&handles));
    if (!cut) {
        end();
    }
    for (i = 0; i < n_files; i++) {
        if (!power_stays) {
            from_disk(files[i]);
        }
    }
    cut = power_stays = false;
    cut_at = UINT64_MAX;
    yl_mutex_unlock(&lock);
}

unsigned
fault_vfs_fail_syncs(const char *suffix, unsigned n)
{
    unsigned left;

    yl_mutex_lock(&lock);
    left = n_failing_syncs;
    failing_suffix = suffix;
    n_failing_syncs = n;
    yl_mutex_unlock(&lock);
    return left;
}

void
fault_vfs_fail_writes(unsigned n)
{
    yl_mutex_lock(&lock);
    n_failing_writes = n;
    yl_mutex_unlock(&lock);
}

void
fault_vfs_limit(uint64_t bytes)
{
    yl_mutex_lock(&lock);
    limit = bytes;
    yl_mutex_unlock(&lock);
}

uint64_t
fault_vfs_bytes(void)
{
    uint64_t n;

    yl_mutex_lock(&lock);
    n = sum_of_sizes();
    yl_mutex_unlock(&lock);
    return n;
}

bool
fault_vfs_damage(const char *path, uint64_t offset)
{
    struct file *file;
    bool done = false;

    yl_mutex_lock(&lock);
    file = find(path);
    if (file && offset < file->cache.size && offset < file->disk.size) {
        file->cache.bytes[offset] ^= 0x15;
        file->disk.bytes[offset] ^= 0x15;
        done = true;
    }
    yl_mutex_unlock(&lock);
    return done;
}

uint64_t
fault_vfs_random(uint64_t n)
{
    uint64_t value;

    yl_mutex_lock(&lock);
    value = chance(n);
    yl_mutex_unlock(&lock);
    return value;
}

/* The disk
 * ======== */

/* splitmix64. */
static uint64_t
chance(uint64_t n)
{
    uint64_t z = (seed += 0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (z ^ (z >> 31)) % n;
}

static void
end_after(uint64_t n, bool power_stays_)
{
    yl_mutex_lock(&lock);
    power_stays = power_stays_;
    cut_at = n_operations + n;
    if (n == 0) {
        end();
    }
    yl_mutex_unlock(&lock);
}

static void
end(void)
{
    cut = true;
    if (!power_stays) {
        lose_power();
    }
}

/* Counts one operation; false when the power is off. */
static bool
operation(void)
{
    if (!cut && n_operations++ >= cut_at) {
        end();
    }
    return !cut;
}

static void
content_resize(struct content *content, size_t size)
{
    if (size > content->capacity) {
        content->capacity = (size * 2 + SECTOR) / SECTOR * SECTOR;
        content->bytes = yl_realloc(content->bytes, content->capacity);
    }
    if (size > content->size) {
        memset(content->bytes + content->size, 0, size - content->size);
    }
    content->size = size;
}

static void
content_free(struct content *content)
{
    free(content->bytes);
}

static void
mark_dirty(struct file *file, size_t from, size_t to)
{
    size_t n = file->cache.capacity / SECTOR + 1;
    size_t i;

    if (n > file->n_dirty_capacity) {
        file->dirty = yl_realloc(file->dirty, n);
        memset(file->dirty + file->n_dirty_capacity, 0,
               n - file->n_dirty_capacity);
        file->n_dirty_capacity = n;
    }
    for (i = from / SECTOR; i * SECTOR < to; i++) {
        file->dirty[i] = true;
    }
}

static void
free_regions(struct file *file)
{
    size_t i;

    for (i = 0; i < MAX_SHM_REGIONS; i++) {
        free(file->regions[i]);
        file->regions[i] = NULL;
    }
}

static void
forget_dirty(struct file *file)
{
    size_t i;

    for (i = 0; i < file->n_dirty_capacity; i++) {
        file->dirty[i] = false;
    }
}

/* Writes a sector to the disk; the disk's file grows if it is behind its
 * end. */
static void
to_disk(struct file *file, size_t sector)
{
    size_t from = sector * SECTOR;
    size_t to = from + SECTOR;

    file->dirty[sector] = false;
    if (to > file->cache.size) {
        to = file->cache.size;
    }
    if (from >= to) {
        return;
    }
    if (to > file->disk.size) {
        content_resize(&file->disk, to);
    }
    memcpy(file->disk.bytes + from, file->cache.bytes + from, to - from);
}

static void
from_disk(struct file *file)
{
    file->there = file->on_disk;
    content_resize(&file->cache, file->there ? file->disk.size : 0);
    if (file->cache.size) {
        memcpy(file->cache.bytes, file->disk.bytes, file->cache.size);
    }
    forget_dirty(file);
}

/* Writes every dirty sector to the disk with a chance of 'part' in 'whole'. */
static void
some_to_disk(struct file *file, uint64_t part, uint64_t whole)
{
    size_t i;

    for (i = 0; i < file->n_dirty_capacity; i++) {
        if (file->dirty[i] && chance(whole) < part) {
            to_disk(file, i);
        }
    }
}

/* Decides what the disk has in the end: for each file none, all, or some of
 * the dirty sectors. */
static void
lose_power(void)
{
    size_t i;

    for (i = 0; i < n_files; i++) {
        struct file *file = files[i];

        if (file->there != file->on_disk && chance(2)) {
            file->on_disk = file->there;
        }
        if (file->cache.size < file->disk.size && chance(2)) {
            content_resize(&file->disk, file->cache.size);
        }
        some_to_disk(file, chance(5), 4);
    }
}

static void
sync_directory(void)
{
    size_t i;

    for (i = 0; i < n_files; i++) {
        files[i]->on_disk = files[i]->there;
    }
}

static struct file *
find(const char *path)
{
    size_t i;

    for (i = 0; i < n_files; i++) {
        if (!strcmp(files[i]->path, path)) {
            return files[i];
        }
    }
    return NULL;
}

static uint64_t
sum_of_sizes(void)
{
    uint64_t sum = 0;
    size_t i;

    for (i = 0; i < n_files; i++) {
        sum += files[i]->there ? files[i]->cache.size : 0;
    }
    return sum;
}

/* SQLite's files
 * ============== */

static struct file *
file_of(sqlite3_file *base)
{
    return ((struct handle *) base)->file;
}

static int
file_close(sqlite3_file *base)
{
    struct handle *h = (struct handle *) base;

    base->pMethods->xUnlock(base, SQLITE_LOCK_NONE);
    yl_mutex_lock(&lock);
    assert(!h->shared && !h->exclusive);
    yl_list_remove(&h->node);
    yl_mutex_unlock(&lock);
    return SQLITE_OK;
}

static int
file_read(sqlite3_file *base, void *to, int size, sqlite3_int64 offset)
{
    struct content *cache = &file_of(base)->cache;
    size_t from = (size_t) offset, wanted = (size_t) size, have;
    int r = SQLITE_OK;

    yl_mutex_lock(&lock);
    have = from < cache->size ? cache->size - from : 0;
    if (cut) {
        r = SQLITE_IOERR_READ;
    } else if (have >= wanted) {
        memcpy(to, cache->bytes + from, wanted);
    } else {
        memset(to, 0, wanted);
        if (have) {
            memcpy(to, cache->bytes + from, have);
        }
        r = SQLITE_IOERR_SHORT_READ;
    }
    yl_mutex_unlock(&lock);
    return r;
}

static int
file_write(sqlite3_file *base, const void *bytes, int size,
           sqlite3_int64 offset)
{
    struct file *file = file_of(base);
    size_t from = (size_t) offset, to = from + (size_t) size;
    int r = SQLITE_OK;

    yl_mutex_lock(&lock);
    if (!operation()) {
        r = SQLITE_IOERR_WRITE;
    } else if (n_failing_writes) {
        n_failing_writes--;
        r = SQLITE_IOERR_WRITE;
    } else if (limit && to > file->cache.size
               && sum_of_sizes() + (to - file->cache.size) > limit) {
        r = SQLITE_FULL;
    } else {
        if (to > file->cache.size) {
            content_resize(&file->cache, to);
        }
        memcpy(file->cache.bytes + from, bytes, (size_t) size);
        mark_dirty(file, from, to);
        if (chance(64) == 0) {
            some_to_disk(file, 1, 4);   /* The system writes some of it back
                                         * early. */
        }
    }
    yl_mutex_unlock(&lock);
    return r;
}

static int
file_truncate(sqlite3_file *base, sqlite3_int64 size)
{
    struct file *file = file_of(base);
    int r = SQLITE_IOERR_TRUNCATE;

    yl_mutex_lock(&lock);
    if (operation()) {
        if ((size_t) size < file->cache.size) {
            content_resize(&file->cache, (size_t) size);
        }
        r = SQLITE_OK;
    }
    yl_mutex_unlock(&lock);
    return r;
}

/* Every connection that has the file open gets the failure, once. */
static void
fail_sync(struct file *file)
{
    struct handle *h;

    some_to_disk(file, 1, 2);
    forget_dirty(file);
    YL_LIST_FOR_EACH (h, node, &handles) {
        if (h->file == file) {
            h->sync_fails = true;
        }
    }
}

static int
file_sync(sqlite3_file *base, int flags YL_UNUSED)
{
    struct handle *h = (struct handle *) base;
    struct file *file = h->file;
    int r = SQLITE_OK;

    yl_mutex_lock(&lock);
    if (!operation()) {
        r = SQLITE_IOERR_FSYNC;
    } else if (n_failing_syncs
               && yl_str_ends_with(yl_str_c(file->path),
                                   yl_str_c(failing_suffix))) {
        n_failing_syncs--;
        fail_sync(file);
        h->sync_fails = false;
        r = SQLITE_IOERR_FSYNC;
    } else if (h->sync_fails) {
        h->sync_fails = false;
        r = SQLITE_IOERR_FSYNC;
    } else {
        some_to_disk(file, 1, 1);
        content_resize(&file->disk, file->cache.size);
        if (!file->on_disk) {
            sync_directory();   /* As SQLite does on Unix. */
        }
    }
    yl_mutex_unlock(&lock);
    return r;
}

static int
file_size(sqlite3_file *base, sqlite3_int64 *ret_size)
{
    int r = SQLITE_IOERR_FSTAT;

    yl_mutex_lock(&lock);
    if (!cut) {
        *ret_size = (sqlite3_int64) file_of(base)->cache.size;
        r = SQLITE_OK;
    }
    yl_mutex_unlock(&lock);
    return r;
}

static int
file_lock(sqlite3_file *base, int level)
{
    struct handle *h = (struct handle *) base;
    struct file *f = h->file;
    bool granted = true;

    yl_mutex_lock(&lock);
    if (level > h->level) {
        if (h->level == SQLITE_LOCK_NONE) {
            granted = !f->pending && !f->exclusive;
            f->n_shared += granted;
            h->level = granted ? SQLITE_LOCK_SHARED : h->level;
        }
        if (granted && level >= SQLITE_LOCK_RESERVED) {
            granted = !f->reserved || f->reserved == h;
            if (granted) {
                f->reserved = h;
                h->level = SQLITE_LOCK_RESERVED;
            }
        }
        if (granted && level == SQLITE_LOCK_EXCLUSIVE) {
            granted = f->n_shared == 1;
            f->pending = h;
            h->level = granted ? SQLITE_LOCK_EXCLUSIVE : SQLITE_LOCK_PENDING;
            f->exclusive = granted ? h : NULL;
        }
    }
    yl_mutex_unlock(&lock);
    return granted ? SQLITE_OK : SQLITE_BUSY;
}

static int
file_unlock(sqlite3_file *base, int level)
{
    struct handle *h = (struct handle *) base;
    struct file *f = h->file;

    yl_mutex_lock(&lock);
    if (level < h->level) {
        if (h->level >= SQLITE_LOCK_RESERVED) {
            f->reserved = f->reserved == h ? NULL : f->reserved;
            f->pending = f->pending == h ? NULL : f->pending;
            f->exclusive = f->exclusive == h ? NULL : f->exclusive;
        }
        if (level == SQLITE_LOCK_NONE) {
            f->n_shared--;
        }
        h->level = level;
    }
    yl_mutex_unlock(&lock);
    return SQLITE_OK;
}

static int
file_is_reserved(sqlite3_file *base, int *ret_is)
{
    yl_mutex_lock(&lock);
    *ret_is = file_of(base)->reserved != NULL;
    yl_mutex_unlock(&lock);
    return SQLITE_OK;
}

static int
file_control(sqlite3_file *base YL_UNUSED, int op YL_UNUSED,
             void *arg YL_UNUSED)
{
    return SQLITE_NOTFOUND;
}

static int
file_sector_size(sqlite3_file *base YL_UNUSED)
{
    return SECTOR;
}

/* As on Unix, a write does not damage the bytes beside it.  (Without this flag
 * SQLite writes padding after each commit's sync, and a later failed sync
 * would lose batches that were acknowledged in between.) */
static int
file_characteristics(sqlite3_file *base YL_UNUSED)
{
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static int
shm_map(sqlite3_file *base, int region, int size, int extend,
        void volatile **ret_memory)
{
    struct handle *h = (struct handle *) base;
    struct file *f = h->file;
    int r = SQLITE_OK;

    yl_mutex_lock(&lock);
    f->n_mapped += !h->mapped;
    h->mapped = true;
    if (cut || region >= MAX_SHM_REGIONS) {
        r = SQLITE_IOERR_SHMMAP;
    } else if (!f->regions[region] && extend) {
        f->regions[region] = yl_zalloc((size_t) size);
    }
    *ret_memory = r == SQLITE_OK ? f->regions[region] : NULL;
    yl_mutex_unlock(&lock);
    return r;
}

static int
shm_lock(sqlite3_file *base, int offset, int n, int flags)
{
    struct handle *h = (struct handle *) base;
    int *locks = h->file->shm_locks;
    unsigned mask = ((1u << n) - 1) << offset;
    bool granted = true;
    int i;

    yl_mutex_lock(&lock);
    if (flags & SQLITE_SHM_UNLOCK) {
        for (i = offset; i < offset + n; i++) {
            if (h->exclusive & (1u << i)) {
                locks[i] = 0;
            } else if (h->shared & (1u << i)) {
                locks[i]--;
            }
        }
        h->shared &= ~mask;
        h->exclusive &= ~mask;
    } else if (flags & SQLITE_SHM_SHARED) {
        assert(n == 1);
        granted = locks[offset] >= 0;
        if (granted && !(h->shared & mask)) {
            locks[offset]++;
            h->shared |= mask;
        }
    } else {
        for (i = offset; i < offset + n; i++) {
            granted = granted && locks[i] == 0;
        }
        for (i = offset; granted && i < offset + n; i++) {
            locks[i] = -1;
        }
        h->exclusive |= granted ? mask : 0;
    }
    yl_mutex_unlock(&lock);
    return granted ? SQLITE_OK : SQLITE_BUSY;
}

static void
shm_barrier(sqlite3_file *base YL_UNUSED)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    yl_mutex_lock(&lock);
    yl_mutex_unlock(&lock);
}

/* The last connection frees the memory: the next one recovers the log. */
static int
shm_unmap(sqlite3_file *base, int delete_ YL_UNUSED)
{
    struct handle *h = (struct handle *) base;

    shm_lock(base, 0, SHM_LOCKS, SQLITE_SHM_UNLOCK);
    yl_mutex_lock(&lock);
    if (h->mapped) {
        h->mapped = false;
        if (--h->file->n_mapped == 0) {
            free_regions(h->file);
        }
    }
    yl_mutex_unlock(&lock);
    return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_is_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
    .xShmMap = shm_map,
    .xShmLock = shm_lock,
    .xShmBarrier = shm_barrier,
    .xShmUnmap = shm_unmap,
};

/* SQLite's file system
 * ==================== */

static int
vfs_open(sqlite3_vfs *vfs YL_UNUSED, const char *path, sqlite3_file *base,
         int flags, int *ret_flags)
{
    struct handle *h = (struct handle *) base;
    struct file *file;
    int r = SQLITE_CANTOPEN;

    memset(h, 0, sizeof *h);
    yl_mutex_lock(&lock);
    file = find(path ? path : "temporary");
    if (!cut && (flags & SQLITE_OPEN_CREATE) && (!file || !file->there)) {
        if (!file) {
            assert(n_files < MAX_FILES);
            file = files[n_files++] = yl_zalloc(sizeof *file);
            file->path = yl_strdup(yl_str_c(path ? path : "temporary"));
        }
        file->there = true;
        content_resize(&file->cache, 0);
        if (!file->on_disk) {
            content_resize(&file->disk, 0);
        }
    }
    if (!cut && file && file->there) {
        h->file = file;
        h->base.pMethods = &methods;
        yl_list_push_back(&handles, &h->node);
        if (ret_flags) {
            *ret_flags = flags;
        }
        r = SQLITE_OK;
    }
    yl_mutex_unlock(&lock);
    return r;
}

static int
vfs_delete(sqlite3_vfs *vfs YL_UNUSED, const char *path, int sync)
{
    struct file *file;
    int r = SQLITE_IOERR_DELETE;

    yl_mutex_lock(&lock);
    if (operation()) {
        file = find(path);
        r = file && file->there ? SQLITE_OK : SQLITE_IOERR_DELETE_NOENT;
        if (r == SQLITE_OK) {
            file->there = false;
            if (sync) {
                file->on_disk = false;
            }
        }
    }
    yl_mutex_unlock(&lock);
    return r;
}

static int
vfs_access(sqlite3_vfs *vfs YL_UNUSED, const char *path, int flags YL_UNUSED,
           int *ret_is)
{
    struct file *file;

    yl_mutex_lock(&lock);
    file = find(path);
    *ret_is = file && file->there;
    yl_mutex_unlock(&lock);
    return SQLITE_OK;
}

static int
vfs_full_path(sqlite3_vfs *vfs YL_UNUSED, const char *path, int size,
              char *out)
{
    sqlite3_snprintf(size, out, "%s", path);
    return SQLITE_OK;
}

static sqlite3_vfs *
real(void)
{
    return sqlite3_vfs_find("unix");
}

static int
vfs_randomness(sqlite3_vfs *vfs YL_UNUSED, int size, char *out)
{
    return real()->xRandomness(real(), size, out);
}

static int
vfs_sleep(sqlite3_vfs *vfs YL_UNUSED, int microseconds)
{
    return real()->xSleep(real(), microseconds);
}

static int
vfs_time(sqlite3_vfs *vfs YL_UNUSED, double *ret_time)
{
    return real()->xCurrentTime(real(), ret_time);
}

static int
vfs_last_error(sqlite3_vfs *vfs YL_UNUSED, int size YL_UNUSED,
               char *out YL_UNUSED)
{
    return 0;
}

static sqlite3_vfs fault_vfs = {
    .iVersion = 1,
    .szOsFile = sizeof(struct handle),
    .mxPathname = 512,
    .zName = FAULT_VFS,
    .xOpen = vfs_open,
    .xDelete = vfs_delete,
    .xAccess = vfs_access,
    .xFullPathname = vfs_full_path,
    .xRandomness = vfs_randomness,
    .xSleep = vfs_sleep,
    .xCurrentTime = vfs_time,
    .xGetLastError = vfs_last_error,
};

static void
register_vfs(void)
{
    if (!registered) {
        sqlite3_vfs_register(&fault_vfs, 0);
        registered = true;
    }
}
