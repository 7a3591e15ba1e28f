/* YAML to JSON and back. */

#include "driver.h"

#include "yuloh/yaml.h"

OP(yaml_to_json)
{
    struct yl_str json;
    int r = yl_yaml_to_json(call->arena, arg(call, 0), NULL, &json,
                            &call->err);

    return r < 0 ? r : answer_json(call, json);
}

OP(json_to_yaml)
{
    struct yl_str yaml;
    int r = yl_yaml_from_json(call->arena, arg(call, 0), &yaml, &call->err);

    if (r == 0) {
        answer(call, yaml);
    }
    return r;
}
