// A disk that can be cut off, fill up, fail and hang, and a clock that can jump, for one process.
//
// Preloaded into a program (LD_PRELOAD), it stands between that program and libc for the files below FAULTS_DIR. The
// program itself is not changed: bundled SQLite and Rust's standard library call the same functions.
//
//   FAULTS_DIR      the folder it looks after
//   FAULTS_SHADOW   where it keeps what a power cut would leave of every file there. A write reaches the shadow with the
//                   next fsync or fdatasync of its file and not before. Absent: no shadow is kept.
//   FAULTS_TEAR     0 to 100: how likely an unsynced write reaches the shadow all the same, whole or cut at a multiple
//                   of 512 bytes, in any order with its neighbours, as disks do
//   FAULTS_SEED     makes the dice repeatable
//   FAULTS_CONTROL  a file of `struct control`, mapped, through which the faults are switched while the program runs
//
// Limits: directory entries are taken to be durable at once, and -shm files, which SQLite rebuilds, have no shadow. It
// cannot show what a disk does that lies about its flushes.

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

// All in 64-bit words, so that a test writes it without knowing C.
struct control {
    int64_t clock_offset;      // seconds added to the wall clock
    int64_t stalled;           // not 0: fsync does not return
    int64_t full;              // not 0: no space is left for writes
    int64_t probability[CALLS]; // of a failure, in millionths
    int64_t failed[CALLS];     // failures so far, told to the test
    int64_t syncs;             // flushes that came through, told to the test
};

// A change of a file that no flush has made durable yet.
struct change {
    struct change *next;
    bool truncates;
    off_t offset; // or the new length
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
static int tear;
static uint64_t dice;
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

// Other libraries write before this one's constructor has run.
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
    dice = (seed ? strtoull(seed, NULL, 10) : 1) * 0x9e3779b97f4a7c15u | 1;
    tear = torn ? atoi(torn) : 0;
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

// Below `bound`. Under the lock.
static uint64_t roll(uint64_t bound) {
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (dice >> 11) % bound;
}

static bool is_ours(const char *path) {
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
    return is_ours(path);
}

// Whether this call is to fail. Under the lock.
static bool fails(enum call call) {
    int64_t probability = control->probability[call];
    if (probability <= 0 || (int64_t)roll(1000000) >= probability) return false;
    control->failed[call]++;
    return true;
}

// Where the path's shadow is: the shadow folder is flat.
static void name_shadow(const char *path, char shadow[PATH_MAX]) {
    int written = snprintf(shadow, PATH_MAX, "%s/", shadow_folder);
    snprintf(shadow + written, PATH_MAX - written, "%s", path + strlen(folder) + 1);
    for (char *c = shadow + written; *c; c++)
        if (*c == '/') *c = '%';
}

static struct file *find(const char *path) {
    if (!shadow_folder || !is_ours(path) || ends_with(path, "-shm")) return NULL;
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

static void remember(struct file *file, bool truncates, const void *bytes, size_t length, off_t offset) {
    struct change *change = malloc(sizeof *change + length);
    if (!change) abort();
    *change = (struct change){.truncates = truncates, .offset = offset, .length = length};
    if (length) memcpy(change->bytes, bytes, length);
    if (file->last) file->last->next = change;
    else file->first = change;
    file->last = change;
    if (truncates || !tear || (int)roll(100) >= tear) return;
    size_t reached = roll(4) ? length : roll(length / 512 + 1) * 512;
    int shadow = open_shadow(file);
    apply(shadow, change, reached < length ? reached : length);
    close(shadow);
}

static void forget(struct file *file) {
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
        // After a failure too: the kernel takes what it could not write for written, and a second flush writes nothing.
        forget(file);
    }
    if (!failed) control->syncs++;
    pthread_mutex_unlock(&lock);
    if (failed) errno = EIO;
    // What the program has written outlives it in the page cache: nothing real needs to be flushed.
    return failed ? -1 : 0;
}

int fsync(int fd) { return flush(fd); }
int fdatasync(int fd) { return flush(fd); }

// The error a write is to end with, or 0. Under the lock.
static int write_error(const char *path) {
    if (control->full && !ends_with(path, "-shm")) {
        control->failed[WRITE]++;
        return ENOSPC;
    }
    return fails(WRITE) ? EIO : 0;
}

// With `offset` < 0 the write goes to where the file stands.
static ssize_t put(int fd, const void *bytes, size_t length, off_t offset) {
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
        if (file) remember(file, false, bytes, written, at);
    }
    pthread_mutex_unlock(&lock);
    if (written < 0) errno = error;
    return written;
}

ssize_t write(int fd, const void *bytes, size_t length) { return put(fd, bytes, length, -1); }
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return put(fd, bytes, length, offset); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) { return put(fd, bytes, length, offset); }

int ftruncate64(int fd, off64_t length) {
    char path[PATH_MAX];
    resolve();
    if (!path_of(fd, path)) return real_ftruncate(fd, length);
    pthread_mutex_lock(&lock);
    int result = real_ftruncate(fd, length), error = errno;
    struct file *file = result ? NULL : find(path);
    if (file) remember(file, true, NULL, 0, length);
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

static int open_ours(const char *path, int flags, mode_t mode) {
    resolve();
    if (is_ours(path)) {
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
        return open_ours(path, flags, mode);                                                                           \
    }
OPENS(open)
OPENS(open64)

int unlink(const char *path) {
    resolve();
    if (!is_ours(path)) return real_unlink(path);
    pthread_mutex_lock(&lock);
    int result = real_unlink(path), error = errno;
    struct file *file = result ? NULL : find(path);
    if (file) {
        real_unlink(file->shadow);
        forget(file);
    }
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

int rename(const char *from, const char *to) {
    resolve();
    if (!is_ours(from) && !is_ours(to)) return real_rename(from, to);
    pthread_mutex_lock(&lock);
    int result = -1, error = EIO;
    if (!fails(RENAME)) {
        result = real_rename(from, to);
        error = errno;
    }
    struct file *old = result ? NULL : find(from), *new = result ? NULL : find(to);
    if (new) {
        forget(new);
        real_unlink(new->shadow);
    }
    if (old && new) {
        // What was not durable under the old name is not durable under the new one either.
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
