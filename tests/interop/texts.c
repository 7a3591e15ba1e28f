/* JSON: validity, canonical form, numbers, strings. */

#include "driver.h"

#include <string.h>

#include "json/text.h"
#include "json/tree.h"
#include "yuloh/json.h"

static void answer_buf(struct call *, struct yl_buf *);

OP(json)
{
    struct yl_node *root;
    struct yl_buf buf;
    int r = yl_tree_parse(call->arena, arg(call, 0), NULL, &root, &call->err);

    if (r < 0) {
        return r;
    }
    yl_buf_init(&buf, YL_JSON_MAX_SIZE);
    r = yl_node_write_canonical(&buf, root);
    if (r == 0) {
        answer_buf(call, &buf);
    }
    yl_buf_release(&buf);
    return r;
}

OP(json_valid)
{
    return yl_json_validate(arg(call, 0), NULL, &call->err);
}

/* A number from its bits. */
OP(json_double)
{
    int64_t bits = arg_int(call, 0);
    struct yl_buf buf;
    double d;

    memcpy(&d, &bits, sizeof d);
    yl_buf_init(&buf, 64);
    yl_json_write_double(&buf, d);
    answer_buf(call, &buf);
    yl_buf_release(&buf);
    return 0;
}

OP(json_string)
{
    struct yl_str s = arg(call, 0);
    struct yl_buf buf;

    yl_buf_init(&buf, s.size * 6 + 2);
    yl_json_write_string(&buf, s);
    answer_buf(call, &buf);
    yl_buf_release(&buf);
    return 0;
}

static void
answer_buf(struct call *call, struct yl_buf *buf)
{
    answer(call, yl_buf_str(buf));
}
