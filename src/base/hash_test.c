/* Tests of the keyed hash. */

#include "base/hash.h"

#include "unit.h"

#define K0 UINT64_C(0x0706050403020100)
#define K1 UINT64_C(0x0f0e0d0c0b0a0908)

TEST(siphash13_gives_the_reference_values)
{
    static const struct {
        size_t size;
        uint64_t hash;
    } vectors[] = {
        { 0, UINT64_C(0xabac0158050fc4dc) },
        { 1, UINT64_C(0xc9f49bf37d57ca93) },
        { 7, UINT64_C(0xd3927d989bb11140) },
        { 8, UINT64_C(0x369095118d299a8e) },
        { 9, UINT64_C(0x25a48eb36c063de4) },
        { 15, UINT64_C(0xd320d86d2a519956) },
        { 16, UINT64_C(0xcc4fdd1a7d908b66) },
        { 63, UINT64_C(0x9d199062b7bbb3a8) },
        { 300, UINT64_C(0x4016a23bda5a2224) },
    };
    unsigned char bytes[300];
    size_t i;

    for (i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char) i;
    }
    for (i = 0; i < YL_ARRAY_SIZE(vectors); i++) {
        assert_true(yl_siphash13(K0, K1, bytes, vectors[i].size)
                    == vectors[i].hash);
    }
}

/* Runs first of those that use the process' key. */
TEST(process_key_is_drawn_at_random)
{
    size_t drawn = yl_hash_str(YL_STR("key"));

    assert_true(drawn == yl_hash_str(YL_STR("key")));
    assert_true(drawn != (size_t) yl_siphash13(0, 0, "key", 3));
    assert_true(drawn != yl_hash_str(YL_STR("kez")));
    yl_hash_set_seed(yl_hash_u64(1), yl_hash_u64(2));
    assert_true(drawn != yl_hash_str(YL_STR("key")));
}

TEST(fixed_seed_makes_hashes_repeat)
{
    yl_hash_set_seed(K0, K1);
    assert_true(yl_hash_bytes("", 0)
                == (size_t) UINT64_C(0xabac0158050fc4dc));
    assert_true(yl_hash_str(yl_str_null()) == yl_hash_bytes("", 0));
    yl_hash_set_seed(K1, K0);
    assert_true(yl_hash_bytes("", 0)
                != (size_t) UINT64_C(0xabac0158050fc4dc));
}

TEST(hash_of_a_number_is_that_of_its_eight_bytes)
{
    static const unsigned char bytes[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };

    yl_hash_set_seed(K0, K1);
    assert_true(yl_hash_u64(K0) == yl_hash_bytes(bytes, sizeof bytes));
    assert_true(yl_hash_u64(K0) != yl_hash_u64(K1));
}

TEST(a_pair_is_more_than_its_bytes)
{
    yl_hash_set_seed(K0, K1);
    assert_true(yl_hash_pair(YL_STR("ab"), YL_STR("c"))
                != yl_hash_pair(YL_STR("a"), YL_STR("bc")));
    assert_true(yl_hash_pair(YL_STR(""), YL_STR("c"))
                != yl_hash_pair(YL_STR("c"), YL_STR("")));
    assert_true(yl_hash_pair(YL_STR("namespace"), YL_STR("name-0001"))
                != yl_hash_pair(YL_STR("namespace"), YL_STR("name-0002")));
    assert_true(yl_hash_pair(yl_str_null(), YL_STR("c"))
                == yl_hash_pair(YL_STR(""), YL_STR("c")));
}
