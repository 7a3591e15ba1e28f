/* The choice among the variants of json/bits.h. */

#include "json/bits.h"

#include <stdatomic.h>

#include "yuloh/compiler.h"

static const struct yl_bits *_Atomic chosen;

const struct yl_bits *
yl_bits(void)
{
    const struct yl_bits *bits = atomic_load_explicit(&chosen,
                                                      memory_order_relaxed);

    if (YL_UNLIKELY(!bits)) {
        /* Threads may race here, but every one of them chooses the same
         * variant. */
        bits = yl_bits_variants()[0];
        atomic_store_explicit(&chosen, bits, memory_order_relaxed);
    }
    return bits;
}

const struct yl_bits *const *
yl_bits_variants(void)
{
#if defined(__x86_64__)
    static const struct yl_bits *const all[] = {
        &yl_bits_avx2, &yl_bits_sse2, &yl_bits_c, NULL
    };

    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("pclmul")
                   && __builtin_cpu_supports("bmi")
                   && __builtin_cpu_supports("popcnt")
               ? all
               : all + 1;
#else
    static const struct yl_bits *const all[] = { &yl_bits_c, NULL };

    return all;
#endif
}

void
yl_bits_use(const struct yl_bits *variant)
{
    atomic_store_explicit(&chosen, variant, memory_order_relaxed);
}
