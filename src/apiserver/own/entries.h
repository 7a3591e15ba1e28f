#ifndef APISERVER_OWN_ENTRIES_H
#define APISERVER_OWN_ENTRIES_H 1

/* The entries of metadata.managedFields, read and written.
 *
 *     managedFields -> [read] -> managers (apply/updater.h) -> [write]
 *
 * An entry says who (manager), how (operation "Apply" or "Update"), through
 * which subresource, in which apiVersion and when last; and which fields.  All
 * but the fields and the time tell managers apart; what was applied in another
 * apiVersion is the same manager's nevertheless.
 *
 * Guarantees
 * ==========
 *
 *   - Of entries of the same manager the last one counts, as upstream.
 *
 *   - Entries are written in upstream's order: what was applied first; then by
 *     time in whole seconds, manager, apiVersion and subresource.  Their text
 *     is canonical.
 *
 *   - Reading takes time in proportion to the entries, writing n log n. */

#include <stdbool.h>

#include "apply/updater.h"
#include "yuloh/time.h"

struct yl_arena;
struct yl_error;
struct yl_node;

/* What an entry says besides what a struct yl_manager has; its 'aux'. */
struct yl_entry {
    struct yl_str manager;      /* The option fieldManager, in most cases. */
    struct yl_str subresource;  /* "status"; empty: the object itself. */
    bool timed;                 /* Is there a time? */
    struct yl_time time;
};

static inline struct yl_entry *
yl_entry_of(const struct yl_manager *manager)
{
    return manager->aux;
}

/* A new entry, without a time, and the key of its manager: upstream's, a JSON
 * text, as conflicts are sorted by it. */
struct yl_entry *yl_entry_new(struct yl_arena *, struct yl_str manager,
                              struct yl_str subresource);
struct yl_str yl_entry_key(struct yl_arena *, const struct yl_entry *,
                           bool applied, struct yl_str api_version);

/* Reads the array 'list' (NULL: there are no entries).  0, or YL_EINVALID with
 * upstream's words if an entry is not valid. */
int yl_entries_read(struct yl_arena *, const struct yl_node *list,
                    struct yl_managers *ret_managers, struct yl_error *err);

/* Sets metadata.managedFields of 'object'; removes it if there are no
 * managers.  Sorts the managers. */
void yl_entries_set(struct yl_arena *, struct yl_node *object,
                    struct yl_managers *managers);

/* The same for one manager, which has updated, and whose fields are written
 * already. */
void yl_entries_set_one(struct yl_arena *, struct yl_node *object,
                        const struct yl_entry *, struct yl_str api_version,
                        struct yl_str fields_v1);

/* An index of managers by their keys, for those who look for many: the same
 * as yl_managers_find() in constant time.  It does not follow changes. */
struct yl_node *yl_managers_index(struct yl_arena *,
                                  const struct yl_managers *);
struct yl_manager *yl_managers_indexed(const struct yl_managers *,
                                       const struct yl_node *index,
                                       struct yl_str key);

/* Finds the manager with that key, or NULL; removes one. */
struct yl_manager *yl_managers_find(const struct yl_managers *,
                                    struct yl_str key);
void yl_managers_remove(struct yl_managers *, struct yl_manager *);

/* Adds one behind the others. */
struct yl_manager *yl_managers_add(struct yl_arena *, struct yl_managers *,
                                   const struct yl_manager *);

#endif /* apiserver/own/entries.h */
