/* Dictionaries for zstd. */

#include "object/dictionary.h"

#include "base/thread.h"
#include "unit.h"

#define N 200
#define SPACE 4096

/* A text that has much in common with the others. */
static size_t
write_text(char *space, unsigned i)
{
    return (size_t) snprintf(space, SPACE,
        "{\"spec\":{\"cidr\":\"10.%u.0.0/16\",\"gateway\":\"10.%u.0.1\","
        "\"description\":\"some words that all of them have in common\","
        "\"routes\":[{\"destination\":\"192.168.%u.0/24\"}]}}", i, i, i * 7);
}

static struct yl_dictionary *
train(void)
{
    char *samples = malloc(N * SPACE);
    size_t sizes[N], size = 0;
    struct yl_dictionary *dictionary;
    unsigned i;

    for (i = 0; i < N; i++) {
        sizes[i] = write_text(samples + size, i);
        size += sizes[i];
    }
    dictionary = yl_dictionary_train(yl_str_n(samples, size), sizes, N);
    free(samples);
    return dictionary;
}

static size_t
assert_round_trip(struct yl_dictionary *dictionary, struct yl_str text)
{
    char *packed = malloc(text.size + SPACE);
    char *unpacked = malloc(text.size + 1);
    size_t size = yl_dictionary_pack(dictionary, text, packed,
                                     text.size + SPACE);

    assert_true(size > 0);
    yl_dictionary_unpack(dictionary, yl_str_n(packed, size), unpacked,
                         text.size);
    assert_memory_equal(unpacked, text.data, text.size);
    free(packed);
    free(unpacked);
    return size;
}

TEST(texts_that_are_alike_become_small)
{
    struct yl_dictionary *dictionary = train();
    char text[SPACE];
    size_t size = write_text(text, 777);

    assert_true(assert_round_trip(dictionary, yl_str_n(text, size))
                < size / 3);
    assert_true(yl_dictionary_footprint(dictionary) > 0);
    yl_dictionary_unref(dictionary);
}

TEST(any_bytes_survive)
{
    struct yl_dictionary *dictionary = train();
    unsigned char bytes[SPACE];
    size_t i;

    for (i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char) (i * i * 31 + i / 7);
    }
    assert_round_trip(dictionary, yl_str_n((char *) bytes, sizeof bytes));
    assert_round_trip(dictionary, YL_STR("x"));
    yl_dictionary_unref(dictionary);
}

TEST(too_little_room_is_not_an_error)
{
    struct yl_dictionary *dictionary = train();
    char text[SPACE], space[8];
    size_t size = write_text(text, 1);

    assert_int_equal(yl_dictionary_pack(dictionary, yl_str_n(text, size),
                                        space, sizeof space), 0);
    yl_dictionary_unref(dictionary);
}

TEST(samples_without_anything_in_common_make_a_dictionary)
{
    size_t sizes[2] = { 3, 1 };
    struct yl_dictionary *dictionary
        = yl_dictionary_train(YL_STR("abcd"), sizes, 2);

    assert_round_trip(dictionary, YL_STR("some text"));
    yl_dictionary_unref(dictionary);
    dictionary = yl_dictionary_train(YL_STR(""), sizes, 0);
    assert_round_trip(dictionary, YL_STR("some text"));
    yl_dictionary_unref(dictionary);
}

static void
pack_and_unpack(void *dictionary)
{
    char text[SPACE];
    unsigned i;

    for (i = 0; i < 200; i++) {
        assert_round_trip(dictionary, yl_str_n(text, write_text(text, i)));
    }
}

TEST(threads_share_a_dictionary)
{
    struct yl_dictionary *dictionary = train();
    struct yl_thread threads[3];
    int i;

    for (i = 0; i < 3; i++) {
        assert_int_equal(yl_thread_start(&threads[i], "packer",
                                         pack_and_unpack, dictionary), 0);
    }
    for (i = 0; i < 3; i++) {
        yl_thread_join(&threads[i]);
    }
    yl_dictionary_unref(dictionary);
}
