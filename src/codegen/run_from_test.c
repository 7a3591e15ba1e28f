/* Tests of "yuloh gen types --from" in one process: files in, files out, and
 * the way from a header to a CRD and back. */

#include "codegen/run_from.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "codegen/run.h"
#include "unit.h"
#include "yuloh/error.h"

static char folder[64];

static const char *
path_of(const char *name)
{
    static char paths[4][512];
    static unsigned next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void
put(const char *name, const char *text)
{
    FILE *f = fopen(path_of(name), "w");

    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
}

static void
enter(void)
{
    snprintf(folder, sizeof folder, "/tmp/run_from_XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static void
leave(void)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;

    while ((entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] != '.') {
            unlink(path_of(entry->d_name));
        }
    }
    closedir(dir);
    rmdir(folder);
}

/* Calls yl_gen_from() with its prints put away: standard output is TAP's. */
static int
from(const char *file, const char *facts, struct yl_error *err)
{
    const struct yl_gen_from_opts opts = { .folder = folder, .facts = facts };
    const char *const files[] = { file };
    int saved, null, r;

    fflush(stdout);
    saved = dup(STDOUT_FILENO);
    null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    r = yl_gen_from(files, 1, &opts, err);
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    close(null);
    close(saved);
    return r;
}

/* The CRDs of a header, freed by the caller. */
static char *
crd_of(const char *header)
{
    const char *const includes[] = { source_path("include") };
    const struct yl_gen_opts opts = { .includes = includes, .n_includes = 1 };
    const char *const headers[] = { header };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_buf buf;

    yl_buf_init(&buf, (size_t) 16 << 20);
    if (yl_gen_crd(headers, 1, &opts, &buf, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
    return yl_buf_detach(&buf);
}

/* One of everything that a header can say. */
static const char everything[] =
    "// +groupName=zoo.example.com\n"
    "// +version=v1\n"
    "#include \"yuloh/types.h\"\n"
    "/* How an animal is fed. */\n"
    "// +structType=atomic\n"
    "struct meal {\n"
    "    // +kubebuilder:validation:Pattern=`^[a-z\"\\\\]+$`\n"
    "    const char *food; /* What it eats. */\n"
    "    // +default=3\n"
    "    // +kubebuilder:validation:Minimum=1\n"
    "    // +kubebuilder:validation:ExclusiveMinimum=true\n"
    "    const int32_t *times;\n"
    "};\n"
    "struct animal_spec {\n"
    "    // +kubebuilder:validation:Enum=big;\"very big\"\n"
    "    const char *size;\n"
    "    bool tame; // +optional\n"
    "    double weight; // +kubebuilder:validation:Format=double\n"
    "    struct yl_bytes picture; // +optional\n"
    "    struct yl_time born;\n"
    "    const struct yl_micro_time *seen;\n"
    "    struct yl_duration nap;\n"
    "    struct yl_quantity cage;\n"
    "    const struct yl_int_or_string *door;\n"
    "    struct yl_raw notes; // +optional\n"
    "    // +optional +schema={\"type\":\"array\",\"items\":{\"type\":"
    "\"array\",\"items\":{\"type\":\"integer\"}}}\n"
    "    struct yl_raw grid;\n"
    "    struct yl_embedded template_; // +optional\n"
    "    // +listType=map +listMapKey=food\n"
    "    // +kubebuilder:validation:MaxItems=4\n"
    "    const struct meal *meals;\n"
    "    size_t n_meals;\n"
    "    // +optional +listType=set\n"
    "    // +items:kubebuilder:validation:MaxLength=9\n"
    "    const char *const *names;\n"
    "    size_t n_names;\n"
    "    // +optional +mapType=granular\n"
    "    const struct yl_string_pair *tags;\n"
    "    size_t n_tags;\n"
    "    // +optional +nullable\n"
    "    const struct yl_pair_of_meal *feasts;\n"
    "    size_t n_feasts;\n"
    "    const struct yl_label_selector *keepers;\n"
    "};\n"
    "// Something that lives.\n"
    "// +genclient\n"
    "// +kubebuilder:resource:shortName=an;ani,categories=zoo,scope=Cluster\n"
    "// +kubebuilder:subresource:status\n"
    "// +kubebuilder:printcolumn:name=Size,type=string,JSONPath=.spec.size,"
    "description=\"How big, roughly\",priority=1\n"
    "// +kubebuilder:selectablefield:JSONPath=.spec.size\n"
    "// +kubebuilder:metadata:annotations=\"a.b/c=d e\"\n"
    "// +kubebuilder:validation:XValidation:rule=\"self.spec.size != ''\","
    "message=\"no, size\"\n"
    "struct animal {\n"
    "    struct yl_object_meta metadata;\n"
    "    struct animal_spec spec;\n"
    "    // +optional +kubebuilder:pruning:PreserveUnknownFields\n"
    "    struct meal status;\n"
    "};\n";

TEST(header_crd_header_crd_is_a_fixed_point)
{
    struct yl_error err = YL_ERROR_INIT;
    char *first, *second, *third;

    enter();
    put("x_types.h", everything);
    first = crd_of(path_of("x_types.h"));
    put("a.yaml", first);
    if (from(path_of("a.yaml"), NULL, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
    second = crd_of(path_of("zoo_v1_types.h"));
    assert_string_equal(second, first);
    put("b.yaml", second);
    assert_int_equal(from(path_of("b.yaml"), NULL, NULL), 0);
    third = crd_of(path_of("zoo_v1_types.h"));
    assert_string_equal(third, first);
    free(first);
    free(second);
    free(third);
    leave();
}

static void
assert_refused(const char *file, const char *facts, int code,
               const char *words)
{
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(from(file, facts, &err), code);
    if (!strstr(yl_error_message(&err), words)) {
        fail_msg("no \"%s\" in \"%s\"", words, yl_error_message(&err));
    }
    yl_error_clear(&err);
}

TEST(files_that_cannot_be_used_are_named)
{
    enter();
    put("map.yaml", "kind: ConfigMap\n");
    put("bad.yaml", "a: b: c\n");
    put("doc.json", "{\"components\":{\"schemas\":{}}}");
    put("fields.tsv", "heading\nx\n");
    assert_refused(path_of("map.yaml"), NULL, YL_EINVALID,
                   "map.yaml has neither");
    assert_refused(path_of("bad.yaml"), NULL, YL_ESYNTAX, "bad.yaml: ");
    assert_refused(path_of("absent"), NULL, YL_EIO, "absent: ");
    assert_refused(folder, NULL, YL_EIO, folder);
    assert_refused(path_of("doc.json"), path_of("absent"), YL_EIO,
                   "absent/fields.tsv: ");
    assert_refused(path_of("doc.json"), folder, YL_ESYNTAX,
                   "fields.tsv: line 2: ");
    put("fields.tsv", "heading\n");
    assert_int_equal(from(path_of("doc.json"), folder, NULL), 0);
    put("list.json", "{\"kind\":\"APIResourceList\"}");
    assert_refused(path_of("doc.json"), folder, YL_EINVALID,
                   "list.json: this is no APIResourceList");
    leave();
}

TEST(crds_and_documents_do_not_mix)
{
    const struct yl_gen_from_opts opts = { .folder = folder };
    struct yl_error err = YL_ERROR_INIT;
    const char *files[2];

    enter();
    put("doc.json", "{\"components\":{\"schemas\":{}}}");
    put("crd.yaml", "apiVersion: apiextensions.k8s.io/v1\n"
                    "kind: CustomResourceDefinition\n"
                    "spec: {group: a.b, names: {kind: C}, versions: [{name: "
                    "v1, schema: {openAPIV3Schema: {type: object}}}]}\n");
    files[0] = path_of("doc.json");
    files[1] = path_of("crd.yaml");
    assert_int_equal(yl_gen_from(files, 2, &opts, &err), YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err), "not both"));
    yl_error_clear(&err);
    leave();
}

TEST(a_folder_that_is_not_there_is_an_error)
{
    const struct yl_gen_from_opts opts = { .folder = "/nonexistent/x" };
    struct yl_error err = YL_ERROR_INIT;
    const char *files[1];

    enter();
    put("crd.yaml", "apiVersion: apiextensions.k8s.io/v1\n"
                    "kind: CustomResourceDefinition\n"
                    "spec: {group: a.b, names: {kind: C}, versions: [{name: "
                    "v1, schema: {openAPIV3Schema: {type: object}}}]}\n");
    files[0] = path_of("crd.yaml");
    assert_int_equal(yl_gen_from(files, 1, &opts, &err), YL_EIO);
    assert_non_null(strstr(yl_error_message(&err), "a_v1_types.h"));
    yl_error_clear(&err);
    leave();
}
