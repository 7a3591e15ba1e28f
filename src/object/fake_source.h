#ifndef OBJECT_FAKE_SOURCE_H
#define OBJECT_FAKE_SOURCE_H 1

/* A lister-watcher over objects in memory, for tests: client-go's
 * FakeControllerSource.
 *
 * Every change makes an event with the next revision, starting at 1.  Nothing
 * is reported by itself: a test changes objects, then lets the source run, a
 * step or all the way, and so decides what interleaves with what.
 *
 * Lists are consistent: all pages of one list show the revision at which the
 * first page was made.  Watches start where they are told to, answer 410 with
 * reason Expired when that is compacted, send initial events and bookmarks
 * when asked to.  Selectors and timeouts are not looked at.  Objects have no
 * revision of their own, as those of a server have none: it stands beside
 * them. */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/key.h"
#include "yuloh/listwatch.h"

struct yl_fake_source;

struct yl_fake_source *yl_fake_source_new(void);

/* Also ends all calls, without a word to their sinks. */
void yl_fake_source_free(struct yl_fake_source *);

struct yl_lister_watcher *yl_fake_source_lister_watcher(
    struct yl_fake_source *);

/* Creates or updates the object that 'json' is; its resourceVersion is
 * replaced.  Deletes an object.  Both return the revision of the event, or
 * an error: those of yl_object_ingest(), or YL_ENOTFOUND. */
int64_t yl_fake_source_set(struct yl_fake_source *, struct yl_str json,
                           struct yl_error *err);
int64_t yl_fake_source_delete(struct yl_fake_source *, struct yl_key,
                              struct yl_error *err);

uint64_t yl_fake_source_revision(const struct yl_fake_source *);

/* Forgets how it was before 'revision': older watches and pages expire. */
void yl_fake_source_compact(struct yl_fake_source *, uint64_t revision);

/* Makes every watch that allows it send a bookmark when it has caught up. */
void yl_fake_source_bookmark(struct yl_fake_source *);

/* Ends all calls with 'code', or normally if it is 0, the next time it
 * runs.  A list that is ended normally ends with its items so far. */
void yl_fake_source_end_calls(struct yl_fake_source *, int code);

/* Makes the next 'n' calls fail with 'code': at once, or (if 'later') when
 * they run. */
void yl_fake_source_fail(struct yl_fake_source *, int n, int code, bool later);

/* Calls one sink once, the calls taking turns; false if there was nothing to
 * say.  Or goes on until there is not, and returns how often. */
bool yl_fake_source_step(struct yl_fake_source *);
int yl_fake_source_run(struct yl_fake_source *);

/* Calls that are under way. */
int yl_fake_source_n_calls(const struct yl_fake_source *);

#endif /* object/fake_source.h */
