/* Fuzzes the lines of the log: whatever the values are, a line must stay
 * inside of its buffer, be one line in JSON, and have no raw control
 * character.
 *
 *     input    number of fields, then for each: its type, how often its text
 *              is repeated, the text and a zero byte */

#include "fuzz.h"

#include "base/log_format.h"
#include "yuloh/error.h"
#include "yuloh/json.h"

#define MAX_FIELDS 8
#define MAX_VALUE 6000

static struct yl_log_field read_field(struct fuzz_input *, char *room);
static void check_json(const char *line, size_t size);
static void check_text(const char *line, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char values[MAX_FIELDS][MAX_VALUE];
    struct yl_log_field fields[MAX_FIELDS + 1];
    struct yl_log_record record = {
        .severity = YL_LOG_SEVERITY_ERROR, .file = "dir/file.c", .line = 42,
        .code = YL_EINVALID, .message = "Message", .fields = fields,
        .time = { 1668508860, 123456789 }, .thread = 12345,
    };
    struct fuzz_input in = fuzz_input(data, size);
    unsigned n = fuzz_below(&in, MAX_FIELDS + 1);

    /* From malloc(), so that AddressSanitizer finds writes past its end. */
    char *line = malloc(YL_LOG_LINE_MAX);
    unsigned i;

    for (i = 0; i < n; i++) {
        fields[i] = read_field(&in, values[i]);
    }
    fields[n] = yl_log_field_end();
    check_json(line, yl_log_format_json(line, &record));
    check_text(line, yl_log_format_text(line, &record));
    free(line);
    return 0;
}

static struct yl_log_field
read_field(struct fuzz_input *in, char *room)
{
    unsigned type = fuzz_below(in, 8);
    unsigned n_times = 1 + fuzz_below(in, 256) * 16;
    struct yl_str text = fuzz_text(in);
    size_t size = 0;

    while (text.size && n_times-- && text.size <= MAX_VALUE - size) {
        memcpy(room + size, text.data, text.size);
        size += text.size;
    }
    switch (type) {
    case 0:
        return yl_log_field_int("int", (int64_t) size - 100);
    case 1:
        return yl_log_field_bool("bool", size & 1);
    case 2:
        return yl_log_field_double("double", (double) size / 7);
    case 3:
        return yl_log_field_msec("msec", (yl_msec) size);
    case 4:
        return yl_log_field_str("err", yl_str_n(room, size));
    default:
        return yl_log_field_str("str", yl_str_n(room, size));
    }
}

static void
check_json(const char *line, size_t size)
{
    CHECK(size <= YL_LOG_LINE_MAX && line[size - 1] == '\n');
    CHECK(!memchr(line, '\n', size - 1));
    CHECK(yl_json_validate(yl_str_n(line, size), NULL, NULL) == 0);
}

static void
check_text(const char *line, size_t size)
{
    size_t i;

    CHECK(size <= YL_LOG_LINE_MAX && line[size - 1] == '\n');
    for (i = 0; i < size; i++) {
        CHECK((unsigned char) line[i] >= ' ' || line[i] == '\t'
              || line[i] == '\n');

        /* A line inside a value must look different from a line of the log. */
        CHECK(line[i] != '\n' || i + 1 == size || line[i + 1] == '\t'
              || line[i + 1] == ' ');
    }
}
