/* The cells of an Event: what happened, when, how often and to what. */

#include "builtin/columns/columns_event.h"

/* The names of fields in one of the two groups. */
struct words {
    const char *object, *message, *first, *last, *count, *source, *reporter;
};

static void put_times(struct yl_row *, const struct words *, bool last);
static void put_source(struct yl_row *, const struct words *);
static void put_count(struct yl_row *, const struct words *);
static struct yl_str trim(struct yl_str);

void
yl_cell_event(struct yl_row *row,
              const struct yl_table_column *column YL_UNUSED)
{
    static const struct words core = {
        "involvedObject", "message", "firstTimestamp", "lastTimestamp",
        "count", "source", "reportingComponent",
    };
    static const struct words events = {
        "regarding", "note", "deprecatedFirstTimestamp",
        "deprecatedLastTimestamp", "deprecatedCount", "deprecatedSource",
        "reportingController",
    };
    const struct words *words = *row->columns->group ? &events : &core;
    struct yl_json target = yl_row_at(row->object, words->object);
    struct yl_str name = yl_row_str_at(row, target, "name");

    put_times(row, words, true);
    yl_row_put_str(row, yl_row_str_at(row, row->object, "type"));
    yl_row_put_str(row, yl_row_str_at(row, row->object, "reason"));
    yl_row_add_lower(row, yl_row_str_at(row, target, "kind"));
    if (name.size) {
        yl_buf_append_char(&row->text, '/');
        yl_row_add(row, name);
    }
    yl_row_put_text(row, "");
    yl_row_put_str(row, yl_row_str_at(row, target, "fieldPath"));
    put_source(row, words);
    yl_row_put_str(row, trim(yl_row_str_at(row, row->object, words->message)));
    put_times(row, words, false);
    put_count(row, words);
    yl_row_put_str(row, yl_row_str_at(row, row->object, "metadata.name"));
}

/* Writes when the Event was last seen, or first.  Newer Events have only
 * 'eventTime' and, if they are repeated, a series. */
static void
put_times(struct yl_row *row, const struct words *words, bool last)
{
    struct yl_json series = yl_row_at(row->object, "series");
    struct yl_time t = yl_time_zero();

    if (last && yl_json_exists(series)) {
        t = yl_row_time(row, yl_row_at(series, "lastObservedTime"));
        yl_row_put_since(row, t);
        return;
    }
    if (last) {
        t = yl_row_time(row, yl_row_at(row->object, words->last));
    }
    if (yl_time_is_zero(t)) {
        t = yl_row_time(row, yl_row_at(row->object, words->first));
    }
    if (yl_time_is_zero(t)) {
        t = yl_row_time(row, yl_row_at(row->object, "eventTime"));
    }
    yl_row_put_since(row, t);
}

/* "kubelet, node-1" */
static void
put_source(struct yl_row *row, const struct words *words)
{
    struct yl_json source = yl_row_at(row->object, words->source);
    struct yl_str component = yl_row_str_at(row, source, "component");
    struct yl_str host = yl_row_str_at(row, source, "host");

    if (!component.size) {
        component = yl_row_str_at(row, row->object, words->reporter);
    }
    if (!host.size) {
        host = yl_row_str_at(row, row->object, "reportingInstance");
    }
    yl_row_add(row, component);
    if (host.size) {
        yl_buf_append_c(&row->text, ", ");
        yl_row_add(row, host);
    }
    yl_row_put_text(row, "");
}

static void
put_count(struct yl_row *row, const struct words *words)
{
    struct yl_json series = yl_row_at(row->object, "series");
    int64_t count = yl_row_int(row->object, words->count);

    if (yl_json_exists(series)) {
        count = yl_row_int(series, "count");
    } else if (!count) {
        count = 1;
    }
    yl_row_put_int(row, count);
}

/* Without the white space of ASCII at both ends. */
static struct yl_str
trim(struct yl_str s)
{
    while (s.size && (*s.data == ' ' || (*s.data >= '\t'
                                         && *s.data <= '\r'))) {
        s = yl_str_skip(s, 1);
    }
    while (s.size && (s.data[s.size - 1] == ' '
                      || (s.data[s.size - 1] >= '\t'
                          && s.data[s.size - 1] <= '\r'))) {
        s.size--;
    }
    return s;
}
