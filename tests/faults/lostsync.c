// Fault injection for one process: power cuts, full disks, I/O errors, stalled flushes, and jumps of the clock.
//
// Preloaded into a program (LD_PRELOAD), it intercepts libc calls for the files below FAULTS_DIR. The program is not
// changed: bundled SQLite and Rust's standard library call the same functions.
//
//   FAULTS_DIR      the folder whose files are intercepted
//   FAULTS_SHADOW   the folder for shadow files: the content of each file after a power cut. A write is applied to the
//                   shadow at the next fsync or fdatasync of its file. Unset: no shadow files.
//   FAULTS_TEAR     0 to 100: the probability, in percent, that an unsynced write is applied to the shadow anyway,
//                   completely or up to a multiple of 512 bytes, in any order with other writes, as disks do
//   FAULTS_SEED     the seed of the random numbers
//   FAULTS_CONTROL  a file with `struct control`; it is memory-mapped, to switch the faults while the program runs
//
// Limits: directory entries are treated as durable immediately, and -shm files, which SQLite rebuilds, have no shadow.
// Disks that report flushes they did not make are not simulated.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum call { SYNC, WRITE, OPEN, RENAME, CALLS };

// All fields have 64 bits, so that tests can write them without knowing C's layout.
struct control {
    int64_t clock_offset;      // seconds added to the wall clock
    int64_t stalled;           // not 0: fsync blocks
    int64_t full;              // not 0: writes fail with ENOSPC
    int64_t probability[CALLS]; // of a failure, per million calls
    int64_t failed[CALLS];     // number of failures, for the test to read
    int64_t syncs;             // number of successful flushes, for the test to read
};

// A change of a file that has not been flushed.
struct change {
    struct change *next;
    bool truncates;
    off_t offset; // of a write, or the length after a truncation
    size_t length;
    char bytes[];
};

struct file {
    struct file *next;
    char path[PATH_MAX];
    char shadow[PATH_MAX];
    struct change *first, *last;
};

static const char *folder, *shadow_folder;
static int tear_percent;
static uint64_t random_state;
static struct control no_control;
static struct control *control = &no_control;
static struct file *files;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_open)(const char *, int, ...);
static int (*real_unlink)(const char *);
static int (*real_rename)(const char *, const char *);
static int (*real_clock_gettime)(clockid_t, struct timespec *);

// Called by every wrapper, because other libraries write before this library's constructor runs.
static void resolve(void) {
    if (real_clock_gettime) return;
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_write = dlsym(RTLD_NEXT, "write");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_open = dlsym(RTLD_NEXT, "open64");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_rename = dlsym(RTLD_NEXT, "rename");
    real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
}

__attribute__((constructor)) static void start(void) {
    resolve();
    const char *seed = getenv("FAULTS_SEED"), *torn = getenv("FAULTS_TEAR"), *path = getenv("FAULTS_CONTROL");
    random_state = (seed ? strtoull(seed, NULL, 10) : 1) * 0x9e3779b97f4a7c15u | 1;
    tear_percent = torn ? atoi(torn) : 0;
    if (path) {
        int fd = real_open(path, O_RDWR);
        void *mapped = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (mapped == MAP_FAILED) {
            perror("FAULTS_CONTROL");
            _exit(97);
        }
        control = mapped;
        close(fd);
    }
    shadow_folder = getenv("FAULTS_SHADOW");
    folder = getenv("FAULTS_DIR");
}

// A random number below `bound`. The caller holds the lock.
static uint64_t random_below(uint64_t bound) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (random_state >> 11) % bound;
}

static bool is_intercepted(const char *path) {
    size_t length = folder ? strlen(folder) : 0;
    return length && strncmp(path, folder, length) == 0 && path[length] == '/';
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool path_of(int fd, char path[PATH_MAX]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length <= 0) return false;
    path[length] = 0;
    return is_intercepted(path);
}

// Whether this call must fail. The caller holds the lock.
static bool fails(enum call call) {
    int64_t probability = control->probability[call];
    if (probability <= 0 || (int64_t)random_below(1000000) >= probability) return false;
    control->failed[call]++;
    return true;
}

// Sets `shadow` to the path of the shadow file. The shadow folder is flat.
static void name_shadow(const char *path, char shadow[PATH_MAX]) {
    int written = snprintf(shadow, PATH_MAX, "%s/", shadow_folder);
    snprintf(shadow + written, PATH_MAX - written, "%s", path + strlen(folder) + 1);
    for (char *c = shadow + written; *c; c++)
        if (*c == '/') *c = '%';
}

static struct file *find(const char *path) {
    if (!shadow_folder || !is_intercepted(path) || ends_with(path, "-shm")) return NULL;
    for (struct file *file = files; file; file = file->next)
        if (strcmp(file->path, path) == 0) return file;
    struct file *file = calloc(1, sizeof *file);
    if (!file) abort();
    snprintf(file->path, sizeof file->path, "%s", path);
    name_shadow(path, file->shadow);
    file->next = files;
    return files = file;
}

static void apply(int shadow, const struct change *change, size_t length) {
    if (shadow < 0) return;
    if (change->truncates) {
        if (real_ftruncate(shadow, change->offset)) abort();
    } else if (real_pwrite(shadow, change->bytes, length, change->offset) != (ssize_t)length) {
        abort();
    }
}

static int open_shadow(const struct file *file) {
    return real_open(file->shadow, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
}

static void record_change(struct file *file, bool truncates, const void *bytes, size_t length, off_t offset) {
    struct change *change = malloc(sizeof *change + length);
    if (!change) abort();
    *change = (struct change){.truncates = truncates, .offset = offset, .length = length};
    if (length) memcpy(change->bytes, bytes, length);
    if (file->last) file->last->next = change;
    else file->first = change;
    file->last = change;
    if (truncates || !tear_percent || (int)random_below(100) >= tear_percent) return;
    size_t reached = random_below(4) ? length : random_below(length / 512 + 1) * 512;
    int shadow = open_shadow(file);
    apply(shadow, change, reached < length ? reached : length);
    close(shadow);
}

static void discard_changes(struct file *file) {
    for (struct change *change = file->first, *next; change; change = next) {
        next = change->next;
        free(change);
    }
    file->first = file->last = NULL;
}

static int flush(int fd) {
    char path[PATH_MAX];
    if (!path_of(fd, path)) return 0;
    while (control->stalled) usleep(10000);
    pthread_mutex_lock(&lock);
    bool failed = fails(SYNC);
    struct file *file = find(path);
    if (file) {
        int shadow = failed ? -1 : open_shadow(file);
        for (struct change *change = file->first; change; change = change->next) apply(shadow, change, change->length);
        if (shadow >= 0) close(shadow);
        // Also after a failure: the kernel marks failed pages as clean, so a second flush does not write them.
        discard_changes(file);
    }
    if (!failed) control->syncs++;
    pthread_mutex_unlock(&lock);
    if (failed) errno = EIO;
    // The page cache outlives the program, so a real flush is not needed.
    return failed ? -1 : 0;
}

int fsync(int fd) { return flush(fd); }
int fdatasync(int fd) { return flush(fd); }

// The error that a write must fail with, or 0. The caller holds the lock.
static int write_error(const char *path) {
    if (control->full && !ends_with(path, "-shm")) {
        control->failed[WRITE]++;
        return ENOSPC;
    }
    return fails(WRITE) ? EIO : 0;
}

// Writes at `offset`, or at the current position of the file if `offset` < 0.
static ssize_t write_at(int fd, const void *bytes, size_t length, off_t offset) {
    char path[PATH_MAX];
    resolve();
    if (fd <= 2 || !path_of(fd, path)) {
        return offset < 0 ? real_write(fd, bytes, length) : real_pwrite(fd, bytes, length, offset);
    }
    pthread_mutex_lock(&lock);
    int error = write_error(path);
    ssize_t written = -1;
    if (!error) {
        off_t at = offset < 0 ? lseek(fd, 0, SEEK_CUR) : offset;
        written = offset < 0 ? real_write(fd, bytes, length) : real_pwrite(fd, bytes, length, offset);
        error = errno;
        struct file *file = written > 0 ? find(path) : NULL;
        if (file) record_change(file, false, bytes, written, at);
    }
    pthread_mutex_unlock(&lock);
    if (written < 0) errno = error;
    return written;
}

ssize_t write(int fd, const void *bytes, size_t length) { return write_at(fd, bytes, length, -1); }
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return write_at(fd, bytes, length, offset); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) { return write_at(fd, bytes, length, offset); }

int ftruncate64(int fd, off64_t length) {
    char path[PATH_MAX];
    resolve();
    if (!path_of(fd, path)) return real_ftruncate(fd, length);
    pthread_mutex_lock(&lock);
    int result = real_ftruncate(fd, length), error = errno;
    struct file *file = result ? NULL : find(path);
    if (file) record_change(file, true, NULL, 0, length);
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

static int open_intercepted(const char *path, int flags, mode_t mode) {
    resolve();
    if (is_intercepted(path)) {
        pthread_mutex_lock(&lock);
        bool failed = fails(OPEN);
        pthread_mutex_unlock(&lock);
        if (failed) {
            errno = EIO;
            return -1;
        }
    }
    return real_open(path, flags, mode);
}

#define OPENS(name)                                                                                                    \
    int name(const char *path, int flags, ...) {                                                                       \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                                        \
        va_end(rest);                                                                                                  \
        return open_intercepted(path, flags, mode);                                                                    \
    }
OPENS(open)
OPENS(open64)

int unlink(const char *path) {
    resolve();
    if (!is_intercepted(path)) return real_unlink(path);
    pthread_mutex_lock(&lock);
    int result = real_unlink(path), error = errno;
    struct file *file = result ? NULL : find(path);
    if (file) {
        real_unlink(file->shadow);
        discard_changes(file);
    }
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

int rename(const char *from, const char *to) {
    resolve();
    if (!is_intercepted(from) && !is_intercepted(to)) return real_rename(from, to);
    pthread_mutex_lock(&lock);
    int result = -1, error = EIO;
    if (!fails(RENAME)) {
        result = real_rename(from, to);
        error = errno;
    }
    struct file *old = result ? NULL : find(from), *new = result ? NULL : find(to);
    if (new) {
        discard_changes(new);
        real_unlink(new->shadow);
    }
    if (old && new) {
        // Unflushed changes remain unflushed under the new name.
        real_rename(old->shadow, new->shadow);
        new->first = old->first;
        new->last = old->last;
        old->first = old->last = NULL;
    }
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    resolve();
    int result = real_clock_gettime(clock, now);
    if (!result && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += control->clock_offset;
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec precise;
    int result = clock_gettime(CLOCK_REALTIME, &precise);
    *now = (struct timeval){.tv_sec = precise.tv_sec, .tv_usec = precise.tv_nsec / 1000};
    return result;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}
