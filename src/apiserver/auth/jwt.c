/* JSON web tokens.  See apiserver/auth/jwt.h for the contract. */

#include "apiserver/auth/jwt.h"

#include <stdbool.h>

#include "json/base64.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/json.h"

/* The claims of Kubernetes have three levels. */
#define MAX_DEPTH 16

static bool decode_object(struct yl_arena *, struct yl_str base64,
                          struct yl_str *ret_json);

int
yl_jwt_parse(struct yl_arena *arena, struct yl_str token,
             struct yl_jwt *ret_jwt)
{
    struct yl_jwt jwt = { .key_id = YL_STR_INIT("") };
    struct yl_str head, rest, payload, signature, header;
    struct yl_json root, id;

    if (token.size > YL_JWT_MAX || !yl_str_cut(token, '.', &head, &rest)
        || !yl_str_cut(rest, '.', &payload, &signature)
        || !decode_object(arena, head, &header)
        || !decode_object(arena, payload, &jwt.payload)
        || !yl_base64url_decode(arena, signature, &jwt.signature)) {
        return YL_EINVALID;
    }
    root = yl_json(header);
    id = yl_json_get(root, YL_STR("kid"));
    if (yl_json_exists(yl_json_get(root, YL_STR("crit")))
        || yl_json_string(yl_json_get(root, YL_STR("alg")), arena,
                          &jwt.algorithm) < 0
        || (yl_json_exists(id)
            && yl_json_string(id, arena, &jwt.key_id) < 0)) {
        return YL_EINVALID;
    }
    jwt.signed_ = yl_str_range(token.data, payload.data + payload.size);
    *ret_jwt = jwt;
    return 0;
}

static bool
decode_object(struct yl_arena *arena, struct yl_str base64,
              struct yl_str *ret_json)
{
    const struct yl_json_limits limits = {
        .max_depth = MAX_DEPTH,
        .refuse_duplicates = true,
    };

    return yl_base64url_decode(arena, base64, ret_json)
           && yl_json_validate(*ret_json, &limits, NULL) == 0
           && yl_json_type(yl_json(*ret_json)) == YL_JSON_OBJECT;
}
