/* Tests of documents that are rendered once. */

#include "apiserver/discovery/documents.h"

#include <stdatomic.h>

#include "base/thread.h"
#include "unit.h"
#include "yuloh/clock.h"

struct source {
    const char *text;           /* NULL: there is none. */
    atomic_int n_rendered;
};

static bool
render(struct yl_buf *buf, void *source_)
{
    struct source *source = source_;

    atomic_fetch_add(&source->n_rendered, 1);
    if (!source->text) {
        return false;
    }
    yl_buf_append_c(buf, source->text);
    return true;
}

TEST(a_document_is_rendered_once)
{
    struct yl_documents *documents = yl_documents_new(NULL);
    struct source source = { .text = "hello" };
    const struct yl_document *a, *b;

    a = yl_documents_get(documents, YL_STR("x"), 1, render, &source);
    b = yl_documents_get(documents, YL_STR("x"), 1, render, &source);
    assert_ptr_equal(a, b);
    assert_int_equal(source.n_rendered, 1);
    assert_str_equal(a->body, "hello");

    /* Another name is another document. */
    yl_document_unref(yl_documents_get(documents, YL_STR("y"), 1, render,
                                       &source));
    assert_int_equal(source.n_rendered, 2);
    yl_document_unref(a);
    yl_document_unref(b);
    yl_document_unref(NULL);
    yl_documents_free(documents);
    yl_documents_free(NULL);
}

TEST(an_etag_is_a_hash_of_the_bytes)
{
    struct yl_documents *documents = yl_documents_new(NULL);
    struct source source = { .text = "abc" };
    const struct yl_document *a, *b;

    a = yl_documents_get(documents, YL_STR("x"), 1, render, &source);
    b = yl_documents_get(documents, YL_STR("y"), 7, render, &source);
    assert_string_equal(a->etag, b->etag);
    assert_int_equal(strlen(a->etag), 130);
    assert_memory_equal(a->etag, "\"DDAF35A193617ABACC417349AE204131", 33);
    yl_document_unref(b);
    source.text = "abd";
    b = yl_documents_get(documents, YL_STR("y"), 8, render, &source);
    assert_string_not_equal(a->etag, b->etag);
    yl_document_unref(a);
    yl_document_unref(b);
    yl_documents_free(documents);
}

TEST(a_new_stamp_replaces_it)
{
    struct yl_documents *documents = yl_documents_new(NULL);
    struct source source = { .text = "old" };
    const struct yl_document *old, *new;
    size_t bytes;

    old = yl_documents_get(documents, YL_STR("x"), 1, render, &source);
    source.text = "newer";
    new = yl_documents_get(documents, YL_STR("x"), 2, render, &source);
    assert_str_equal(old->body, "old");
    assert_str_equal(new->body, "newer");
    assert_int_equal(yl_documents_count(documents, &bytes), 1);
    assert_int_equal(bytes, 5);
    yl_document_unref(old);
    yl_document_unref(new);
    yl_documents_free(documents);
}

TEST(what_is_not_there_is_not_kept)
{
    struct yl_documents *documents = yl_documents_new(NULL);
    struct source source = { .text = NULL };
    size_t bytes;

    assert_null(yl_documents_get(documents, YL_STR("x"), 1, render, &source));
    assert_int_equal(yl_documents_count(documents, &bytes), 0);
    yl_documents_free(documents);
}

TEST(what_nobody_asks_for_is_dropped)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct yl_documents *documents = yl_documents_new(clock);
    struct source source = { .text = "hello" };
    const struct yl_document *held;
    size_t bytes;

    held = yl_documents_get(documents, YL_STR("x"), 1, render, &source);
    yl_clock_fake_advance(clock, YL_DOCUMENT_IDLE / 2);
    yl_document_unref(yl_documents_get(documents, YL_STR("y"), 1, render,
                                       &source));
    yl_clock_fake_advance(clock, YL_DOCUMENT_IDLE / 2);
    yl_documents_sweep(documents);
    assert_int_equal(yl_documents_count(documents, &bytes), 1);

    /* Its user still has it. */
    assert_str_equal(held->body, "hello");
    yl_document_unref(held);
    yl_clock_fake_advance(clock, YL_DOCUMENT_IDLE);
    yl_documents_sweep(documents);
    assert_int_equal(yl_documents_count(documents, &bytes), 0);
    yl_documents_free(documents);
    yl_clock_free(clock);
}

TEST(an_etag_outlives_its_document)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct yl_documents *documents = yl_documents_new(clock);
    struct source source = { .text = "abc" };
    const struct yl_document *document;
    char etag[YL_ETAG_SIZE], again[YL_ETAG_SIZE];
    size_t bytes;

    assert_true(yl_documents_etag(documents, YL_STR("x"), 1, render, &source,
                                  etag));
    assert_int_equal(yl_documents_count(documents, &bytes), 0);
    assert_true(yl_documents_etag(documents, YL_STR("x"), 1, render, &source,
                                  again));
    assert_string_equal(etag, again);
    assert_int_equal(source.n_rendered, 1);

    document = yl_documents_get(documents, YL_STR("x"), 1, render, &source);
    assert_string_equal(document->etag, etag);
    assert_int_equal(source.n_rendered, 2);
    yl_document_unref(document);
    yl_clock_fake_advance(clock, YL_DOCUMENT_IDLE);
    yl_documents_sweep(documents);
    assert_true(yl_documents_etag(documents, YL_STR("x"), 1, render, &source,
                                  again));
    assert_int_equal(source.n_rendered, 2);

    /* Not for ever, and not when it is another one. */
    yl_clock_fake_advance(clock, YL_DOCUMENT_FORGET);
    yl_documents_sweep(documents);
    source.text = "abd";
    assert_true(yl_documents_etag(documents, YL_STR("x"), 1, render, &source,
                                  again));
    assert_string_not_equal(etag, again);
    source.text = NULL;
    assert_false(yl_documents_etag(documents, YL_STR("x"), 2, render, &source,
                                   again));
    yl_documents_free(documents);
    yl_clock_free(clock);
}

struct storm {
    struct yl_documents *documents;
    struct source source;
    atomic_int n_good;
};

static void
ask(void *storm_)
{
    struct storm *storm = storm_;

    for (uint64_t i = 0; i < 500; i++) {
        const struct yl_document *document =
            yl_documents_get(storm->documents, YL_STR("x"), i / 10, render,
                             &storm->source);

        if (document->body.size == 5) {
            atomic_fetch_add(&storm->n_good, 1);
        }
        yl_document_unref(document);
    }
}

TEST(many_may_ask_at_once)
{
    struct storm storm = { yl_documents_new(NULL), { .text = "hello" }, 0 };
    struct yl_thread threads[4];

    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(yl_thread_start(&threads[i], "ask", ask, &storm), 0);
    }
    for (size_t i = 0; i < 4; i++) {
        yl_thread_join(&threads[i]);
    }
    assert_int_equal(storm.n_good, 4 * 500);
    yl_documents_free(storm.documents);
}
