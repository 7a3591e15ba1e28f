/* simdjson's side of the JSON benchmarks: its on-demand parser, reused, doing
 * what bench/json_bench.c describes.  It is the only C++ file of the
 * benchmarks, and is compiled for this processor, which gives simdjson more
 * instructions than Debian's package can assume. */

#include <simdjson.h>

#include "peers.h"

using namespace simdjson;

struct simdjson_peer {
    ondemand::parser ondemand;
    dom::parser dom;
};

struct simdjson_peer *
simdjson_peer_new(void)
{
    return new simdjson_peer;
}

void
simdjson_peer_free(struct simdjson_peer *peer)
{
    delete peer;
}

const char *
simdjson_peer_implementation(void)
{
    static std::string name = get_active_implementation()->name();

    return name.c_str();
}

size_t
simdjson_peer_padding(void)
{
    return SIMDJSON_PADDING;
}

/* A full parse is the only thing in simdjson that validates everything. */
int
simdjson_peer_validate(struct simdjson_peer *peer, const char *text,
                       size_t size)
{
    dom::element root;

    return peer->dom.parse(text, size, false).get(root) ? -1 : 0;
}

/* The bytes of an array or object. */
static error_code
span_of(ondemand::value value, std::string_view &span)
{
    ondemand::json_type type;
    error_code error = value.type().get(type);

    if (!error && type == ondemand::json_type::object) {
        ondemand::object object;

        error = value.get_object().get(object);
        return error ? error : object.raw_json().get(span);
    }
    ondemand::array array;

    error = value.get_array().get(array);
    return error ? error : array.raw_json().get(span);
}

static error_code
metadata_facts(struct facts *facts, ondemand::object metadata)
{
    for (auto result : metadata) {
        ondemand::field field;
        std::string_view s;
        int64_t number = 0;
        error_code error = std::move(result).get(field);

        if (error) {
            return error;
        }

        /* The key is compared in place, because unescaping would copy it. */
        const char *key = field.key().raw();
        size_t size = (size_t) ((const char *) rawmemchr(key, '"') - key);

        switch (fact_of(key, size)) {
        case FACT_STRING:
            /* The token extends to the next one, so it is cut at its closing
             * quote. */
            s = field.value().raw_json_token().substr(1);
            facts->strings += fact_sum(s.data(), s.find('"'));
            break;

        case FACT_NUMBER:
            error = field.value().get_int64().get(number);
            facts->numbers += (unsigned long long) number;
            break;

        case FACT_SPAN:
            error = span_of(field.value(), s);
            facts->spans += fact_sum(s.data(), s.size());
            break;

        case FACT_PRESENT:
            facts->numbers++;
            break;

        case FACT_NONE:
        default:
            break;
        }
        if (error) {
            return error;
        }
    }
    return SUCCESS;
}

int
simdjson_peer_facts(struct simdjson_peer *peer, const char *text, size_t size,
                    size_t capacity, struct facts *facts)
{
    ondemand::document document;
    ondemand::array items;

    if (peer->ondemand.iterate(text, size, capacity).get(document)
        || document["items"].get_array().get(items)) {
        return -1;
    }
    for (auto item : items) {
        ondemand::object metadata;

        if (item["metadata"].get_object().get(metadata)) {
            return -1;
        }
        if (metadata_facts(facts, metadata)) {
            return -1;
        }
        facts->n_items++;
    }
    return 0;
}
