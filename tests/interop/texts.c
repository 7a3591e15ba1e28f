/* JSON: validity, canonical form, numbers, strings. */

#include "driver.h"

#include <string.h>

#include "json/text.h"
#include "json/tree.h"
#include "yuloh/json.h"

int
answer_tree(struct call *call, const struct yl_node *root)
{
    struct yl_buf buf;
    int r;

    yl_buf_init(&buf, YL_JSON_MAX_SIZE);
    r = yl_node_write_canonical(&buf, root);
    if (r == 0) {
        answer(call, yl_buf_str(&buf));
    }
    yl_buf_release(&buf);
    return r;
}

int
answer_json(struct call *call, struct yl_str json)
{
    struct yl_node *root;
    int r = yl_tree_parse(call->arena, json, NULL, &root, &call->err);

    return r < 0 ? r : answer_tree(call, root);
}

OP(json)
{
    return answer_json(call, arg(call, 0));
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
    answer(call, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return 0;
}

OP(json_string)
{
    struct yl_str s = arg(call, 0);
    struct yl_buf buf;

    yl_buf_init(&buf, s.size * 6 + 2);
    yl_json_write_string(&buf, s);
    answer(call, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return 0;
}
