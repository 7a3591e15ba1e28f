/* Places in a tree.  See json/place.h. */

#include "json/place.h"

#include "json/pointer.h"
#include "yuloh/error.h"

static int find_index(const struct yl_places *, struct yl_str key, size_t n,
                      size_t *ret_index, struct yl_error *err);
static int read_go_index(struct yl_str key, long long *ret_index,
                         struct yl_error *err);
static size_t distance(const struct yl_node *array, size_t i);
static struct yl_node *element(struct yl_places *, const struct yl_node *,
                               size_t i);

int
yl_place_find(struct yl_places *places, struct yl_str path,
              struct yl_place *place)
{
    struct yl_node *node = places->root;
    const char *slash = yl_str_find_char(path, '/');
    struct yl_str key;
    size_t i;

    if (!slash) {
        place->parent = NULL;
        place->key = path;
        return places->kubernetes ? YL_ENOTFOUND : 0;
    }
    path = yl_str_skip(path, (size_t) (slash - path.data));
    while (yl_pointer_next(&path, &key) && yl_node_is_container(node)) {
        key = yl_pointer_unescape(places->arena, key);
        places->work++;
        if (path.size == 0) {
            place->parent = node;
            place->key = key;
            return 0;
        }
        if (node->type == YL_JSON_OBJECT) {
            node = yl_node_get(node, key);
        } else if (find_index(places, key, node->n, &i, NULL) == 0) {
            node = element(places, node, i);
        } else {
            break;
        }
    }
    return YL_ENOTFOUND;
}

int
yl_place_get(struct yl_places *places, const struct yl_place *place,
             struct yl_node **ret_node)
{
    size_t i;
    int r;

    if (!place->parent) {
        *ret_node = places->root;
    } else if (place->parent->type == YL_JSON_OBJECT) {
        *ret_node = yl_node_get(place->parent, place->key);
    } else {
        r = find_index(places, place->key, place->parent->n, &i, places->err);
        if (r < 0) {
            return r;
        }
        *ret_node = element(places, place->parent, i);
    }
    return 0;
}

int
yl_place_put(struct yl_places *places, const struct yl_place *place,
             struct yl_node *node)
{
    struct yl_node *parent = place->parent;
    long long index;
    size_t i;
    int r;

    places->grown |= yl_node_is_container(node);
    if (!parent) {
        places->root = node;
    } else if (parent->type == YL_JSON_OBJECT) {
        yl_node_set(places->arena, parent, place->key, node);
    } else if (yl_str_equal_c(place->key, "-")) {
        yl_node_append(parent, node);
    } else {
        r = find_index(places, place->key, (size_t) parent->n + 1, &i,
                       places->err);
        if (r < 0) {
            if (places->kubernetes
                && read_go_index(place->key, &index, NULL) < 0) {
                yl_error_prefix(places->err,
                                "value was not a proper array index: '%.*s'",
                                YL_STR_ARG(place->key));
            }
            return r;
        }
        places->work += distance(parent, i);
        yl_node_insert(parent, i, node);
    }
    return 0;
}

int
yl_place_take(struct yl_places *places, const struct yl_place *place,
              struct yl_node **ret_node)
{
    struct yl_node *node;
    int r;

    if (!place->parent) {
        return yl_error_set(places->err, YL_EINVALID,
                            "the whole document cannot be taken away");
    }
    r = yl_place_get(places, place, &node);
    if (r < 0) {
        return r;
    }
    if (!node) {
        return yl_error_set(places->err, YL_EINVALID,
                            "Unable to remove nonexistent key: %.*s: missing "
                            "value", YL_STR_ARG(place->key));
    }
    *ret_node = yl_node_detach(node);
    return 0;
}

/* Reads 'key' as the index of one of 'n' elements. */
static int
find_index(const struct yl_places *places, struct yl_str key, size_t n,
           size_t *ret_index, struct yl_error *err)
{
    long long from_end;         /* Negative ones count from the end. */
    size_t i;
    int r;

    if (places->kubernetes) {
        r = read_go_index(key, &from_end, err);
        if (r < 0) {
            return r;
        }
        i = from_end < 0 ? n + (size_t) from_end : (size_t) from_end;
    } else {
        if (yl_pointer_index(key, &i) < 0) {
            return yl_error_set(err, YL_EINVALID,
                                "\"%.*s\" is not an array index",
                                YL_STR_ARG(key));
        }
        from_end = (long long) i;
    }
    if (i >= n) {
        return yl_error_set(err, YL_EINVALID,
                            "Unable to access invalid index: %lld: invalid "
                            "index referenced", from_end);
    }
    *ret_index = i;
    return 0;
}

/* Reads 'key' as Go's Atoi does. */
static int
read_go_index(struct yl_str key, long long *ret_index, struct yl_error *err)
{
    bool sign = key.size > 1 && (key.data[0] == '+' || key.data[0] == '-');
    struct yl_str digits = sign ? yl_str_skip(key, 1) : key;
    size_t i;

    for (i = 0; i < digits.size; i++) {
        if (digits.data[i] < '0' || digits.data[i] > '9') {
            break;
        }
    }
    if (i < digits.size || digits.size == 0) {
        return yl_error_set(err, YL_EINVALID,
                            "strconv.Atoi: parsing \"%.*s\": invalid syntax",
                            YL_STR_ARG(key));
    }
    if (yl_str_to_i64(key.data[0] == '+' ? digits : key, ret_index) < 0) {
        return yl_error_set(err, YL_EINVALID,
                            "strconv.Atoi: parsing \"%.*s\": value out of "
                            "range", YL_STR_ARG(key));
    }
    return 0;
}

/* How many nodes a list is walked over to its 'i'-th element. */
static size_t
distance(const struct yl_node *array, size_t i)
{
    return i < array->n / 2 ? i : array->n - i;
}

static struct yl_node *
element(struct yl_places *places, const struct yl_node *array, size_t i)
{
    places->work += distance(array, i);
    return yl_node_at(array, i);
}
