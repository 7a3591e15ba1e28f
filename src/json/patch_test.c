/* Tests of JSON Patch: the public test suite, and a table of what the library
 * that kube-apiserver uses answers (gopkg.in/evanphx/json-patch.v4, 4.13). */

#include "json/patch.h"

#include "base/arena.h"
#include "base/buf.h"
#include "json/tree.h"
#include "unit.h"
#include "yuloh/error.h"

static struct yl_arena arena;
static struct yl_error err;

/* Parses a text in which ' stands for ". */
static struct yl_node *
tree(const char *text)
{
    char *copy = yl_arena_strdup(&arena, yl_str_c(text));
    struct yl_node *root;
    char *p;

    for (p = copy; *p; p++) {
        if (*p == '\'') {
            *p = '"';
        }
    }
    assert_int_equal(yl_tree_parse(&arena, yl_str_c(copy), NULL, &root, NULL),
                     0);
    return root;
}

static void
begin(void)
{
    yl_arena_init(&arena);
    memset(&err, 0, sizeof err);
}

static void
end(void)
{
    yl_error_clear(&err);
    yl_arena_release(&arena);
}

/* Applies 'patch' to 'doc'; on success the result must equal 'expected'. */
static int
try(const char *doc, const char *patch, const char *expected,
    const struct yl_patch_opts *opts)
{
    struct yl_node *root = tree(doc);
    int r;

    yl_error_clear(&err);
    r = yl_patch_apply(&arena, &root, tree(patch), opts, &err);
    if (r == 0 && !yl_node_equal(root, tree(expected))) {
        struct yl_buf buf;

        yl_buf_init(&buf, 1 << 20);
        yl_node_write(&buf, root);
        print_error("%s\n  gives %s\n  not   %s\n", patch, yl_buf_c_str(&buf),
                    expected);
        yl_buf_release(&buf);
        fail();
    }
    return r;
}

static void
run_suite(const char *path, unsigned *n_run)
{
    struct yl_node *cases, *test;
    struct yl_str text;
    char *data = read_file(truth_path(path), &text.size);

    begin();
    text.data = data;
    assert_int_equal(yl_tree_parse(&arena, text, NULL, &cases, &err), 0);
    YL_NODE_FOR_EACH (test, cases) {
        struct yl_node *doc = yl_node_get(test, YL_STR("doc"));
        struct yl_node *patch = yl_node_get(test, YL_STR("patch"));
        struct yl_node *expected = yl_node_get(test, YL_STR("expected"));
        bool disabled = false;
        int r;

        yl_node_bool(yl_node_get(test, YL_STR("disabled")), &disabled);
        if (disabled) {
            continue;
        }
        doc = yl_node_copy(&arena, doc);
        r = yl_patch_apply(&arena, &doc, patch, NULL, &err);
        if (yl_node_get(test, YL_STR("error")) ? r >= 0
                                               : r < 0 || (expected
                                               && !yl_node_equal(doc,
                                                                 expected))) {
            struct yl_buf buf;

            yl_buf_init(&buf, 1 << 20);
            yl_node_write(&buf, test);
            print_error("%s: %d %s\n", yl_buf_c_str(&buf), r,
                        yl_error_message(&err));
            yl_buf_release(&buf);
            fail();
        }
        if (r < 0) {
            assert_true(strncmp(yl_error_message(&err), "operation ", 10)
                        == 0);
        }
        yl_error_clear(&err);
        ++*n_run;
    }
    end();
    free(data);
}

TEST(spec_tests)
{
    unsigned n = 0;

    run_suite("json-patch/spec_tests.json", &n);
    assert_true(n >= 16);
}

TEST(public_test_suite)
{
    unsigned n = 0;

    run_suite("json-patch/tests.json", &n);
    assert_true(n >= 90);
}

/* One operation each, on KUBERNETES_DOC; ' stands for " in the first two. */
struct kubernetes_case {
    const char *operation;
    const char *result;         /* Or NULL. */
    const char *message;        /* Or NULL. */
};

#define KUBERNETES_DOC "{'a':[1,2,3],'o':{'n':null,'x':1},'s':'t'}"

static const struct kubernetes_case kubernetes_cases[] = {
    { "{'op':'add','path':'/a/0','value':9}",
      "{'a':[9,1,2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'add','path':'/a/3','value':9}",
      "{'a':[1,2,3,9],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'add','path':'/a/4','value':9}",
      NULL,
      "error in add for path: '/a/4': Unable to access invalid index: 4: inva"
      "lid index referenced" },
    { "{'op':'add','path':'/a/-','value':9}",
      "{'a':[1,2,3,9],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'add','path':'/a/-1','value':9}",
      "{'a':[1,2,3,9],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'add','path':'/a/-2','value':9}",
      "{'a':[1,2,9,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'add','path':'/a/-4','value':9}",
      "{'a':[9,1,2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'add','path':'/a/-5','value':9}",
      NULL,
      "error in add for path: '/a/-5': Unable to access invalid index: -5: in"
      "valid index referenced" },
    { "{'op':'add','path':'/a/-05','value':9}",
      NULL,
      "error in add for path: '/a/-05': Unable to access invalid index: -5: i"
      "nvalid index referenced" },
    { "{'op':'add','path':'/a/+009','value':9}",
      NULL,
      "error in add for path: '/a/+009': Unable to access invalid index: 9: i"
      "nvalid index referenced" },
    { "{'op':'add','path':'/a/+1','value':9}",
      "{'a':[1,9,2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'add','path':'/a/01','value':9}",
      "{'a':[1,9,2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'add','path':'/a/+07','value':9}",
      NULL,
      "error in add for path: '/a/+07': Unable to access invalid index: 7: i"
      "nvalid index referenced" },
    { "{'op':'add','path':'/a/1e0','value':9}",
      NULL,
      "error in add for path: '/a/1e0': value was not a proper array index: '"
      "1e0': strconv.Atoi: parsing \"1e0\": invalid syntax" },
    { "{'op':'add','path':'/a/+-1','value':9}",
      NULL,
      "error in add for path: '/a/+-1': value was not a proper array index: '"
      "+-1': strconv.Atoi: parsing \"+-1\": invalid syntax" },
    { "{'op':'add','path':'/a/','value':9}",
      NULL,
      "error in add for path: '/a/': value was not a proper array index: '': "
      "strconv.Atoi: parsing \"\": invalid syntax" },
    { "{'op':'add','path':'/a/99999999999999999999','value':9}",
      NULL,
      "error in add for path: '/a/99999999999999999999': value was not a prop"
      "er array index: '99999999999999999999': strconv.Atoi: parsing \"999999"
      "99999999999999\": value out of range" },
    { "{'op':'add','path':'/o/new'}",
      "{'a':[1,2,3],'o':{'n':null,'new':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'add','path':'/o/new','value':null}",
      "{'a':[1,2,3],'o':{'n':null,'new':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'add','path':'/o/x','value':{'deep':[1]}}",
      "{'a':[1,2,3],'o':{'n':null,'x':{'deep':[1]}},'s':'t'}",
      NULL },
    { "{'op':'add','path':'','value':{}}",
      NULL,
      "add operation does not apply: doc is missing path: \"\": missing val"
      "ue" },
    { "{'op':'add','path':'o/x','value':2}",
      "{'a':[1,2,3],'o':{'n':null,'x':1},'s':'t','x':2}",
      NULL },
    { "{'op':'add','path':'','value':{},'from':'/a'}",
      NULL,
      "add operation does not apply: doc is missing path: \"\": missing val"
      "ue" },
    { "{'op':'add','path':'rel','value':2}",
      NULL,
      "add operation does not apply: doc is missing path: \"rel\": missing va"
      "lue" },
    { "{'op':'add','path':'/','value':2}",
      "{'':2,'a':[1,2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'add','path':'/o/','value':2}",
      "{'a':[1,2,3],'o':{'':2,'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'add','path':'/o/n/x','value':2}",
      NULL,
      "add operation does not apply: doc is missing path: \"/o/n/x\": missing"
      " value" },
    { "{'op':'add','path':'/s/x','value':2}",
      NULL,
      "add operation does not apply: doc is missing path: \"/s/x\": missing v"
      "alue" },
    { "{'op':'add','path':'/none/x','value':2}",
      NULL,
      "add operation does not apply: doc is missing path: \"/none/x\": missin"
      "g value" },
    { "{'op':'add','path':'/m~0n','value':2}",
      "{'a':[1,2,3],'m~n':2,'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'add','path':'/p~1q','value':2}",
      "{'a':[1,2,3],'o':{'n':null,'x':1},'p/q':2,'s':'t'}",
      NULL },
    { "{'op':'add','path':'/m~2n~','value':2}",
      "{'a':[1,2,3],'m~2n~':2,'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'add','path':'/~01','value':2}",
      "{'a':[1,2,3],'o':{'n':null,'x':1},'s':'t','~1':2}",
      NULL },
    { "{'op':'add','value':2}",
      NULL,
      "add operation failed to decode path: missing value" },
    { "{'op':'add','path':null,'value':2}",
      NULL,
      "add operation failed to decode path: missing value" },
    { "{'op':'add','path':5,'value':2}",
      NULL,
      "add operation failed to decode path: missing value" },
    { "{'op':'remove','path':'/a/0'}",
      "{'a':[2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'remove','path':'/a/-1'}",
      "{'a':[1,2],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'remove','path':'/a/-3'}",
      "{'a':[2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'remove','path':'/a/-4'}",
      NULL,
      "error in remove for path: '/a/-4': Unable to access invalid index: -4:"
      " invalid index referenced" },
    { "{'op':'remove','path':'/a/3'}",
      NULL,
      "error in remove for path: '/a/3': Unable to access invalid index: 3: i"
      "nvalid index referenced" },
    { "{'op':'remove','path':'/a/-'}",
      NULL,
      "error in remove for path: '/a/-': strconv.Atoi: parsing \"-\": invalid"
      " syntax" },
    { "{'op':'remove','path':'/o/n'}",
      "{'a':[1,2,3],'o':{'x':1},'s':'t'}",
      NULL },
    { "{'op':'remove','path':'/o/none'}",
      NULL,
      "error in remove for path: '/o/none': Unable to remove nonexistent key:"
      " none: missing value" },
    { "{'op':'remove','path':'/none/x'}",
      NULL,
      "remove operation does not apply: doc is missing path: \"/none/x\": mis"
      "sing value" },
    { "{'op':'remove','path':''}",
      NULL,
      "remove operation does not apply: doc is missing path: \"\": missing va"
      "lue" },
    { "{'op':'remove'}",
      NULL,
      "remove operation failed to decode path: missing value" },
    { "{'op':'replace','path':'/a/0','value':9}",
      "{'a':[9,2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'replace','path':'/a/-1','value':9}",
      "{'a':[1,2,9],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'replace','path':'/a/3','value':9}",
      NULL,
      "replace operation does not apply: doc is missing key: /a/3: missing va"
      "lue" },
    { "{'op':'replace','path':'/a/-','value':9}",
      NULL,
      "replace operation does not apply: doc is missing key: /a/-: missing va"
      "lue" },
    { "{'op':'replace','path':'/o/none','value':9}",
      "{'a':[1,2,3],'o':{'n':null,'none':9,'x':1},'s':'t'}",
      NULL },
    { "{'op':'replace','path':'/o/x'}",
      "{'a':[1,2,3],'o':{'n':null,'x':null},'s':'t'}",
      NULL },
    { "{'op':'replace','path':'/none/x','value':9}",
      NULL,
      "replace operation does not apply: doc is missing path: /none/x: missin"
      "g value" },
    { "{'op':'replace','path':'','value':{'b':1}}",
      "{'b':1}",
      NULL },
    { "{'op':'replace','path':'','value':[1]}",
      "[1]",
      NULL },
    { "{'op':'replace','path':'','value':5}",
      NULL,
      "replace operation value must be object or array" },
    { "{'op':'replace','path':'','value':null}",
      NULL,
      "replace operation value must be object or array" },
    { "{'op':'replace','value':1}",
      NULL,
      "replace operation failed to decode path: operation missing path field:"
      " missing value" },
    { "{'op':'move','from':'/o/x','path':'/o/y'}",
      "{'a':[1,2,3],'o':{'n':null,'y':1},'s':'t'}",
      NULL },
    { "{'op':'move','from':'/o/none','path':'/o/y'}",
      NULL,
      "error in move for path: 'none': Unable to remove nonexistent key: none"
      ": missing value" },
    { "{'op':'move','from':'/o/n','path':'/o/y'}",
      "{'a':[1,2,3],'o':{'x':1,'y':null},'s':'t'}",
      NULL },
    { "{'op':'move','from':'/a/0','path':'/a/-'}",
      "{'a':[2,3,1],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'move','from':'/a/-1','path':'/a/0'}",
      "{'a':[3,1,2],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'move','from':'/a/7','path':'/a/0'}",
      NULL,
      "error in move for path: '7': Unable to access invalid index: 7: invali"
      "d index referenced" },
    { "{'op':'move','from':'/o','path':'/o/x'}",
      NULL,
      "move operation does not apply: doc is missing destination path: /o/x: "
      "missing value" },
    { "{'op':'move','from':'','path':'/o/x'}",
      NULL,
      "move operation does not apply: doc is missing from path: : missing val"
      "ue" },
    { "{'op':'move','from':'/o/x','path':''}",
      NULL,
      "move operation does not apply: doc is missing destination path: : miss"
      "ing value" },
    { "{'op':'move','from':'/none/x','path':'/o/x'}",
      NULL,
      "move operation does not apply: doc is missing from path: /none/x: miss"
      "ing value" },
    { "{'op':'move','from':'/o/x','path':'/a/9'}",
      NULL,
      "error in move for path: '/a/9': Unable to access invalid index: 9: inv"
      "alid index referenced" },
    { "{'op':'move','path':'/o/x'}",
      NULL,
      "move operation failed to decode from: operation, missing from field: m"
      "issing value" },
    { "{'op':'move','from':'/o/x'}",
      NULL,
      "move operation failed to decode path: operation missing path field: mi"
      "ssing value" },
    { "{'op':'copy','from':'/o','path':'/o/y'}",
      "{'a':[1,2,3],'o':{'n':null,'x':1,'y':{'n':null,'x':1}},'s':'t'}",
      NULL },
    { "{'op':'copy','from':'/o/none','path':'/o/y'}",
      "{'a':[1,2,3],'o':{'n':null,'x':1,'y':null},'s':'t'}",
      NULL },
    { "{'op':'copy','from':'/o/n','path':'/o/y'}",
      "{'a':[1,2,3],'o':{'n':null,'x':1,'y':null},'s':'t'}",
      NULL },
    { "{'op':'copy','from':'/a/-1','path':'/a/0'}",
      "{'a':[3,1,2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'copy','from':'/a/9','path':'/a/0'}",
      NULL,
      "error in copy for from: '/a/9': Unable to access invalid index: 9: inv"
      "alid index referenced" },
    { "{'op':'copy','from':'/a/0','path':'/a/9'}",
      NULL,
      "error while adding value during copy: Unable to access invalid index: "
      "9: invalid index referenced" },
    { "{'op':'copy','from':'/none/x','path':'/a/0'}",
      NULL,
      "copy operation does not apply: doc is missing from path: /none/x: miss"
      "ing value" },
    { "{'op':'copy','from':'/a/0','path':'/none/x'}",
      NULL,
      "copy operation does not apply: doc is missing destination path: /none/"
      "x: missing value" },
    { "{'op':'copy','from':'','path':'/o/y'}",
      NULL,
      "copy operation does not apply: doc is missing from path: : missing val"
      "ue" },
    { "{'op':'copy','path':'/o/y'}",
      NULL,
      "copy operation failed to decode from: operation, missing from field: m"
      "issing value" },
    { "{'op':'copy','from':'/a'}",
      NULL,
      "copy operation failed to decode path: missing value" },
    { "{'op':'test','path':'/o/x','value':1}",
      "{'a':[1,2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'test','path':'/o/x','value':1.0}",
      NULL,
      "testing value /o/x failed: test failed" },
    { "{'op':'test','path':'/o/x','value':'1'}",
      NULL,
      "testing value /o/x failed: test failed" },
    { "{'op':'test','path':'/s','value':'t'}",
      "{'a':[1,2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'test','path':'/o/n','value':null}",
      "{'a':[1,2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'test','path':'/o/n'}",
      "{'a':[1,2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'test','path':'/o/none','value':null}",
      "{'a':[1,2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'test','path':'/o/none'}",
      "{'a':[1,2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'test','path':'/o/none','value':1}",
      NULL,
      "testing value /o/none failed: test failed" },
    { "{'op':'test','path':'/o/x'}",
      NULL,
      "testing value /o/x failed: test failed" },
    { "{'op':'test','path':'/o/x','value':null}",
      NULL,
      "testing value /o/x failed: test failed" },
    { "{'op':'test','path':'/o','value':{'x':1,'n':null}}",
      "{'a':[1,2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'test','path':'/o','value':{'x':1}}",
      NULL,
      "testing value /o failed: test failed" },
    { "{'op':'test','path':'/o','value':{'x':1,'m':null}}",
      NULL,
      "testing value /o failed: test failed" },
    { "{'op':'test','path':'/o','value':[]}",
      NULL,
      "testing value /o failed: test failed" },
    { "{'op':'test','path':'/a','value':[1,2,3]}",
      "{'a':[1,2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'test','path':'/a','value':[1,3,2]}",
      NULL,
      "testing value /a failed: test failed" },
    { "{'op':'test','path':'/a','value':[1,2]}",
      NULL,
      "testing value /a failed: test failed" },
    { "{'op':'test','path':'/a','value':{}}",
      NULL,
      "testing value /a failed: test failed" },
    { "{'op':'test','path':'/a/-1','value':3}",
      "{'a':[1,2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'test','path':'/a/3','value':3}",
      NULL,
      "error in test for path: '/a/3': Unable to access invalid index: 3: inv"
      "alid index referenced" },
    { "{'op':'test','path':'/a/x','value':3}",
      NULL,
      "error in test for path: '/a/x': strconv.Atoi: parsing \"x\": invalid s"
      "yntax" },
    { "{'op':'test','path':'/none/x','value':3}",
      NULL,
      "test operation does not apply: is missing path: /none/x: missing valu"
      "e" },
    { "{'op':'test','path':'rel','value':3}",
      NULL,
      "test operation does not apply: is missing path: rel: missing value" },
    { "{'op':'test','path':'','value':{'a':1}}",
      NULL,
      "testing value  failed: test failed" },
    { "{'op':'test','path':'','value':{'o':{'x':1,'n':null},'a':[1,2,3],'s':'"
      "t'}}",
      "{'a':[1,2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'test'}",
      NULL,
      "test operation failed to decode path: operation missing path field: mi"
      "ssing value" },
    { "{'op':'ADD','path':'/o/x','value':1}",
      NULL,
      "Unexpected kind: ADD" },
    { "{'op':null,'path':'/o/x','value':1}",
      NULL,
      "Unexpected kind: unknown" },
    { "{'op':7,'path':'/o/x','value':1}",
      NULL,
      "Unexpected kind: unknown" },
    { "{}",
      NULL,
      "Unexpected kind: unknown" },
    { "null",
      NULL,
      "Unexpected kind: unknown" },
    { "{'op':'add','path':'/o','value':{'n':null}},{'op':'test','path':'/o/n'"
      ",'value':null}",
      "{'a':[1,2,3],'o':{'n':null},'s':'t'}",
      NULL },
    { "{'op':'add','path':'/o/n','value':null},{'op':'test','path':'/o/n','va"
      "lue':null}",
      "{'a':[1,2,3],'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'add','path':'/o/l','value':[]},{'op':'add','path':'/o/l/-1','va"
      "lue':1},{'op':'add','path':'/o/l/-1','value':2}",
      "{'a':[1,2,3],'o':{'l':[1,2],'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'copy','from':'/o','path':'/c'},{'op':'add','path':'/c/x','value"
      "':2},{'op':'test','path':'/o/x','value':1}",
      "{'a':[1,2,3],'c':{'n':null,'x':2},'o':{'n':null,'x':1},'s':'t'}",
      NULL },
    { "{'op':'add','path':'/o/x','value':1.0},{'op':'test','path':'/o/x','val"
      "ue':1}",
      NULL,
      "testing value /o/x failed: test failed" },
};

TEST(kubernetes_dialect_answers_as_the_library_does)
{
    const struct yl_patch_opts opts = { .kubernetes = true };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(kubernetes_cases); i++) {
        const struct kubernetes_case *c = &kubernetes_cases[i];
        char patch[1024];
        int r;

        begin();
        snprintf(patch, sizeof patch, "[%s]", c->operation);
        r = try(KUBERNETES_DOC, patch, c->result ? c->result : "'none'",
                &opts);
        if ((r < 0) != (c->message != NULL)
            || (r < 0 && strcmp(yl_error_message(&err), c->message))) {
            print_error("%s\n  gives %d %s\n  not   %s\n", patch, r,
                        yl_error_message(&err), c->message);
            fail();
        }
        end();
    }
}

TEST(strict_dialect_refuses_what_the_rfc_forbids)
{
    static const struct {
        const char *operation;
        const char *message;
    } cases[] = {
        { "{'op':'add','path':'/a/+1','value':9}",
          "operation 0: error in add for path: '/a/+1': \"+1\" is not an "
          "array index" },
        { "{'op':'add','path':'/a/99999999999999999999','value':9}",
          "operation 0: error in add for path: '/a/99999999999999999999': "
          "\"99999999999999999999\" is not an array index" },
        { "{'op':'add','path':'/m~2','value':9}",
          "operation 0: JSON Pointer \"/m~2\" has a \"~\" that is neither "
          "\"~0\" nor \"~1\"" },
        { "{'op':'copy','path':'/b','from':'a'}",
          "operation 0: JSON Pointer \"a\" must be empty or start with "
          "\"/\"" },
        { "{'op':'remove','path':''}",
          "operation 0: error in remove for path: '': the whole document "
          "cannot be taken away" },
        { "{'op':'move','from':'','path':'/x'}",
          "operation 0: a value cannot be moved into itself" },
        { "{'op':'move','from':'/o','path':'/o/x'}",
          "operation 0: a value cannot be moved into itself" },
        { "{'op':'move','from':'/a/0','path':'/a/0/x'}",
          "operation 0: a value cannot be moved into itself" },
        { "{'op':'replace','path':'/o/none','value':1}",
          "operation 0: replace operation does not apply: doc is missing "
          "key: /o/none: missing value" },
        { "{'op':'copy','from':'/o/none','path':'/x'}",
          "operation 0: copy operation does not apply: doc is missing from "
          "path: /o/none: missing value" },
        { "{'op':'test','path':'/o/none','value':null}",
          "operation 0: testing value /o/none failed: test failed" },
        { "{'op':'test','path':'/o/x','value':1.0},{'op':'remove'}",
          "operation 1: remove operation failed to decode path: missing "
          "value" },
        { "{'op':'test','path':''}",
          "operation 0: test operation failed to decode value: operation, "
          "missing value field: missing value" },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        char patch[1024];

        begin();
        snprintf(patch, sizeof patch, "[%s]", cases[i].operation);
        assert_true(try(KUBERNETES_DOC, patch, "'none'", NULL) < 0);
        assert_string_equal(yl_error_message(&err), cases[i].message);
        end();
    }
}

TEST(strict_dialect_knows_the_whole_document)
{
    begin();
    assert_int_equal(try("{'a':1}", "[{'op':'add','path':'','value':5}]", "5",
                         NULL), 0);
    assert_int_equal(try("{'a':1}", "[{'op':'replace','path':'','value':5}]",
                         "5", NULL), 0);
    assert_int_equal(try("{'a':1}", "[{'op':'test','path':'','value':"
                         "{'a':1.0}}]", "{'a':1}", NULL), 0);
    assert_int_equal(try("{'a':1}", "[{'op':'copy','from':'','path':'/b'}]",
                         "{'a':1,'b':{'a':1}}", NULL), 0);
    assert_int_equal(try("{'a':[1]}", "[{'op':'copy','from':'/a','path':''}]",
                         "[1]", NULL), 0);
    assert_int_equal(try("{'a':[1]}", "[{'op':'move','from':'/a','path':''}]",
                         "[1]", NULL), 0);
    assert_int_equal(try("{'a':1}", "[{'op':'move','from':'','path':''}]",
                         "{'a':1}", NULL), 0);
    end();
}

TEST(codes_tell_the_kinds_of_failure_apart)
{
    const struct yl_patch_opts opts = { .kubernetes = true };

    begin();
    assert_int_equal(try("{}", "5", "", &opts), YL_EBADREQUEST);
    assert_string_equal(yl_error_message(&err),
                        "json: cannot unmarshal number into Go value of type "
                        "jsonpatch.Patch");
    assert_int_equal(try("{}", "[5]", "", &opts), YL_EBADREQUEST);
    assert_string_equal(yl_error_message(&err),
                        "json: cannot unmarshal number into Go value of type "
                        "jsonpatch.Operation");
    assert_int_equal(try("{}", "null", "{}", &opts), 0);
    assert_int_equal(try("{}", "null", "{}", NULL), YL_EBADREQUEST);
    assert_int_equal(try("{}", "[null]", "{}", NULL), YL_EBADREQUEST);
    assert_int_equal(try("{}", "[null]", "{}", &opts), YL_EINVALID);
    assert_int_equal(try("{}", "[{'op':'test','path':'/a','value':1}]", "",
                         &opts), YL_ETESTFAILED);
    assert_int_equal(try("{}", "[{'op':'remove','path':'/a'}]", "", &opts),
                     YL_EINVALID);
    end();
}

TEST(check_speaks_as_the_api_server)
{
    static const struct {
        const char *patch;
        const char *message;    /* NULL: fine. */
    } cases[] = {
        { "null", NULL },
        { "[]", NULL },
        { "[null,{},{'op':null,'path':'','value':5,'other':5}]", NULL },
        { "5", "number into Go value of type []handlers.jsonPatchOp" },
        { "'text'", "string into Go value of type []handlers.jsonPatchOp" },
        { "{}", "object into Go value of type []handlers.jsonPatchOp" },
        { "true", "bool into Go value of type []handlers.jsonPatchOp" },
        { "[[]]", "array into Go value of type handlers.jsonPatchOp" },
        { "['x']", "string into Go value of type handlers.jsonPatchOp" },
        { "[{'op':'add','path':5}]",
          "number into Go struct field jsonPatchOp.path of type string" },
        { "[{'from':{},'op':5}]",
          "object into Go struct field jsonPatchOp.from of type string" },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        char message[256];

        begin();
        if (!cases[i].message) {
            assert_int_equal(yl_patch_check(tree(cases[i].patch), &err), 0);
            assert_int_equal(err.code, 0);
        } else {
            assert_int_equal(yl_patch_check(tree(cases[i].patch), &err),
                             YL_EBADREQUEST);
            snprintf(message, sizeof message,
                     "error decoding patch: json: cannot unmarshal %s",
                     cases[i].message);
            assert_string_equal(yl_error_message(&err), message);
        }
        end();
    }
}

TEST(patch_is_not_changed_and_can_be_applied_again)
{
    struct yl_node *patch, *a, *b;
    struct yl_buf buf;

    begin();
    patch = tree("[{'op':'add','path':'/v','value':{'x':[1]}},"
                 "{'op':'add','path':'/v/x/-','value':2}]");
    a = tree("{}");
    b = tree("{}");
    assert_int_equal(yl_patch_apply(&arena, &a, patch, NULL, &err), 0);
    assert_int_equal(yl_patch_apply(&arena, &b, patch, NULL, &err), 0);
    assert_true(yl_node_equal(a, b));
    assert_true(yl_node_equal(a, tree("{'v':{'x':[1,2]}}")));

    yl_buf_init(&buf, 1024);
    yl_node_write(&buf, patch);
    assert_str_equal(yl_buf_str(&buf),
                     "[{\"op\":\"add\",\"path\":\"/v\",\"value\":{\"x\":[1]}},"
                     "{\"op\":\"add\",\"path\":\"/v/x/-\",\"value\":2}]");
    yl_buf_release(&buf);
    end();
}

TEST(untouched_parts_keep_their_bytes)
{
    struct yl_node *root;
    struct yl_buf buf;

    begin();
    root = tree("{ 'keep' : [ 1 ,  2 ], 'o': {'x': 1.50, 'y': 'a'} }");
    assert_int_equal(yl_patch_apply(&arena, &root,
                                    tree("[{'op':'replace','path':'/o/y',"
                                         "'value':'b'}]"), NULL, &err), 0);
    yl_buf_init(&buf, 1024);
    yl_node_write(&buf, root);
    assert_str_equal(yl_buf_str(&buf),
                     "{\"keep\":[ 1 ,  2 ],\"o\":{\"x\":1.50,\"y\":\"b\"}}");
    yl_buf_release(&buf);
    end();
}

/* A patch of 'n' times the same operation. */
static struct yl_node *
repeated(const char *operation, size_t n)
{
    struct yl_node *patch = yl_node_new_array(&arena);
    struct yl_node *op = tree(operation);

    while (n--) {
        yl_node_append(patch, yl_node_copy(&arena, op));
    }
    return patch;
}

static int
apply_repeated(const char *doc, const char *operation, size_t n,
               const struct yl_patch_opts *opts)
{
    struct yl_node *root = tree(doc);

    yl_error_clear(&err);
    return yl_patch_apply(&arena, &root, repeated(operation, n), opts, &err);
}

TEST(operations_have_a_ceiling)
{
    const struct yl_patch_opts opts = { .max_operations = 3 };

    begin();
    assert_int_equal(apply_repeated("{}", "{'op':'add','path':'/a','value':1}",
                                    10000, NULL), 0);
    assert_int_equal(apply_repeated("{}", "{'op':'add','path':'/a','value':1}",
                                    10001, NULL), YL_ETOOBIG);
    assert_string_equal(yl_error_message(&err),
                        "The allowed maximum operations in a JSON patch is "
                        "10000, got 10001");
    assert_int_equal(apply_repeated("{}", "{'op':'add','path':'/a','value':1}",
                                    4, &opts), YL_ETOOBIG);
    end();
}

TEST(copies_have_a_ceiling)
{
    struct yl_patch_opts opts = { .max_copy_size = 59, .kubernetes = true };
    const char *doc = "{'a':{'k':[1,'<',null,{}],'l':[]}}";
    const char *copy = "[{'op':'copy','from':'/a','path':'/b'},"
                       "{'op':'copy','from':'/a/l','path':'/c'},"
                       "{'op':'copy','from':'/none','path':'/d'}]";
    const char *expected = "{'a':{'k':[1,'<',null,{}],'l':[]},"
                           "'b':{'k':[1,'<',null,{}],'l':[]},'c':[],"
                           "'d':null}";

    /* Go writes {"k":[1,"\u003c",null,{}],"l":[]}: 33 bytes; then []. */
    begin();
    opts.max_copy_size = 35;
    assert_int_equal(try(doc, copy, expected, &opts), 0);
    opts.max_copy_size = 34;
    assert_int_equal(try(doc, copy, expected, &opts), YL_EINVALID);
    assert_string_equal(yl_error_message(&err),
                        "Unable to complete the copy, the accumulated size "
                        "increase of copy is 35, exceeding the limit 34");

    /* Doubling 10,000 times ends at 3 MB. */
    assert_int_equal(apply_repeated("[[0]]", "{'op':'copy','from':'/0',"
                                    "'path':'/0/-'}", 10000, NULL),
                     YL_EINVALID);
    assert_true(yl_arena_footprint(&arena) < (size_t) 512 << 20);
    end();
}

TEST(work_has_a_ceiling)
{
    struct yl_node *root, *array;
    int i;

    begin();
    root = tree("{'a':[]}");
    array = yl_node_get(root, YL_STR("a"));
    for (i = 0; i < 200000; i++) {
        yl_node_append(array, yl_node_new_null(&arena));
    }
    assert_int_equal(yl_patch_apply(&arena, &root,
                                    repeated("{'op':'test',"
                                             "'path':'/a/100000',"
                                             "'value':null}", 600),
                                    NULL, &err), 0);
    assert_int_equal(yl_patch_apply(&arena, &root,
                                    repeated("{'op':'test',"
                                             "'path':'/a/100000',"
                                             "'value':null}", 10000),
                                    NULL, &err), YL_ETOOBIG);
    assert_string_equal(yl_error_message(&err),
                        "operation 671: the patch takes more than 67108864 "
                        "steps");

    /* Both ends are near. */
    assert_int_equal(yl_patch_apply(&arena, &root,
                                    repeated("{'op':'remove',"
                                             "'path':'/a/199'}", 10000),
                                    NULL, &err), 0);
    end();
}

TEST(result_has_a_depth)
{
    struct yl_patch_opts opts = { .max_depth = 4 };
    struct yl_node *root, *node;
    int i;

    begin();
    assert_int_equal(try("{'a':{}}",
                         "[{'op':'add','path':'/a/b','value':[[1]]}]",
                         "{'a':{'b':[[1]]}}", &opts), 0);
    assert_int_equal(try("{'a':{}}",
                         "[{'op':'add','path':'/a/b','value':[[[]]]}]", "",
                         &opts), YL_ETOODEEP);
    assert_string_equal(yl_error_message(&err), "exceeded max depth of 4");
    assert_int_equal(try("{'a':[[]],'b':[[]]}",
                         "[{'op':'move','from':'/b','path':'/a/0/0'}]", "",
                         &opts), YL_ETOODEEP);
    assert_int_equal(try("{'a':[[]],'b':[[]]}",
                         "[{'op':'move','from':'/b','path':'/a/0'}]",
                         "{'a':[[[]],[]]}", &opts), 0);

    /* What is too deep on the way is not copied. */
    root = node = yl_node_new_array(&arena);
    for (i = 0; i < 2000; i++) {
        yl_node_append(node, yl_node_new_array(&arena));
        node = node->first;
    }
    yl_error_clear(&err);
    assert_int_equal(yl_patch_apply(&arena, &root,
                                    tree("[{'op':'copy','from':'/0',"
                                         "'path':'/-'}]"), NULL, &err),
                     YL_ETOODEEP);
    end();
}
