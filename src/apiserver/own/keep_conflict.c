/* The answer to conflicts of server-side apply.  See keep.h. */

#include "apiserver/own/keep.h"
#include "base/buf.h"
#include "base/quote.h"
#include "yuloh/arena.h"
#include "yuloh/status.h"

static void write_message(struct yl_buf *, struct yl_keeper *,
                          const struct yl_node *index,
                          const struct yl_conflicts *);
static const char *name_of(struct yl_keeper *, const struct yl_node *index,
                           const struct yl_conflicts *, size_t i,
                           const char *last);

int
yl_keeper_conflict(struct yl_keeper *k, const struct yl_conflicts *conflicts,
                   struct yl_status *status)
{
    const struct yl_node *index = yl_managers_index(k->arena, &k->managers);
    const char *name = "";
    struct yl_buf text;
    size_t i;
    int r;

    yl_status_clear(status);
    status->has_details = true;
    yl_buf_init(&text, SIZE_MAX);
    write_message(&text, k, index, conflicts);
    r = yl_error_set(&status->error, YL_ECONFLICT, "%s", yl_buf_c_str(&text));
    for (i = 0; i < conflicts->n; i++) {
        name = name_of(k, index, conflicts, i, name);
        yl_buf_clear(&text);
        yl_buf_printf(&text, "conflict with %s", name);
        yl_error_add_cause(&status->error, YL_STR("FieldManagerConflict"),
                           yl_buf_str(&text), conflicts->items[i].path);
    }
    yl_buf_release(&text);
    return r;
}

static void
write_message(struct yl_buf *text, struct yl_keeper *k,
              const struct yl_node *index,
              const struct yl_conflicts *conflicts)
{
    const char *name = "", *last = "";
    size_t i;

    if (conflicts->n == 1) {
        yl_buf_printf(text,
                      "Apply failed with 1 conflict: conflict with %s: %.*s",
                      name_of(k, index, conflicts, 0, ""),
                      YL_STR_ARG(conflicts->items->path));
        return;
    }
    yl_buf_printf(text, "Apply failed with %zu conflicts: ", conflicts->n);
    for (i = 0; i < conflicts->n; i++) {
        yl_buf_append_c(text, i ? "\n" : "");
        name = name_of(k, index, conflicts, i, last);
        if (name != last) {
            yl_buf_printf(text, "conflicts with %s:\n", name);
            last = name;
        }
        yl_buf_printf(text, "- %.*s", YL_STR_ARG(conflicts->items[i].path));
    }
}

/* The manager of a conflict, for messages: "kubectl" with subresource "status"
 * using apps/v1.  'last' is that of the conflict before, and is returned again
 * if this one is the same manager's. */
static const char *
name_of(struct yl_keeper *k, const struct yl_node *index,
        const struct yl_conflicts *conflicts, size_t i, const char *last)
{
    const struct yl_conflict *c = &conflicts->items[i];
    const struct yl_entry *entry = c->aux;
    const struct yl_manager *manager;
    struct yl_buf text;

    if (i && yl_str_equal(c->manager, c[-1].manager)) {
        return last;
    }
    manager = yl_managers_indexed(&k->managers, index, c->manager);
    yl_buf_init(&text, SIZE_MAX);
    yl_quote(&text, entry->manager);
    if (entry->subresource.size) {
        yl_buf_append_c(&text, " with subresource ");
        yl_quote(&text, entry->subresource);
    }
    if (!manager->applied) {
        yl_buf_printf(&text, " using %.*s", YL_STR_ARG(manager->version));
    }
    last = yl_arena_strdup(k->arena, yl_buf_str(&text));
    yl_buf_release(&text);
    return last;
}
