/* Tests of PersistentVolumeClaim. */

#include "builtin_case.h"

#define CLAIM(MORE)                                                           \
    "{'spec':{'accessModes':['ReadWriteOnce'],"                               \
    "'resources':{'requests':{'storage':'2Gi'}}" MORE "}}"

#define BOUND(MORE)                                                           \
    "{'spec':{'accessModes':['ReadWriteOnce'],"                               \
    "'resources':{'requests':{'storage':'2Gi'}},'volumeName':'v'" MORE        \
    "},'status':{'phase':'Bound','capacity':{'storage':'1Gi'}}}"

TEST(claims_get_defaults)
{
    CASE_DEFAULT("PersistentVolumeClaim", CLAIM(""),
                 "{'spec':{'accessModes':['ReadWriteOnce'],'resources':{"
                 "'requests':{'storage':'2Gi'}},'volumeMode':'Filesystem'},"
                 "'status':{'phase':'Pending'}}");
}

TEST(claims_are_checked)
{
    static const struct builtin_case cases[] = {
        { CLAIM(""), "" },
        { "{'spec':{}}",
          "spec.accessModes: Required value: at least 1 access mode is "
          "required\n"
          "spec.resources[storage]: Required value\n" },
        { CLAIM(",'volumeMode':'X','storageClassName':'A',"
                "'selector':{'matchLabels':{'a b':'c'}}"),
          "spec.selector.matchLabels: Invalid value: \"a b\": "
          CASE_NAME_PART "\n"
          "spec.storageClassName: Invalid value: \"A\": " CASE_SUBDOMAIN "\n"
          "spec.volumeMode: Unsupported value: \"X\": supported values: "
          "\"Block\", \"Filesystem\"\n" },
        { CLAIM(",'dataSource':{'kind':'PersistentVolumeClaim','name':'a'},"
                "'dataSourceRef':{'kind':'PersistentVolumeClaim',"
                "'name':'b'}"),
          "spec: Invalid value: {}: must match dataSourceRef\n" },
    };

    CASE_RUN("PersistentVolumeClaim", cases);
}

TEST(claims_hardly_change)
{
    static const struct builtin_update cases[] = {
        { CLAIM(""), CLAIM(",'volumeName':'v','storageClassName':'a'"), "" },
        { CLAIM(",'dataSource':{'apiGroup':null,'kind':"
                "'PersistentVolumeClaim','name':'x'}"),
          CLAIM(",'dataSourceRef':{'kind':'PersistentVolumeClaim',"
                "'name':'x'}"), "" },
        { CLAIM(""), "{'spec':{'accessModes':[],'resources':{'requests':"
                     "{'storage':'1Gi'}}}}",
          "spec.accessModes: Required value: at least 1 access mode is "
          "required\n"
          "spec: Forbidden: spec is immutable after creation except "
          "resources.requests and volumeAttributesClassName for bound "
          "claims\n"
          " @@ -1,12 +1,10 @@\n"
          "  {\n"
          " - \"AccessModes\": [\n"
          " -  \"ReadWriteOnce\"\n"
          " - ],\n"
          " + \"AccessModes\": [],\n"
          "   \"Selector\": null,\n"
          "   \"Resources\": {\n"
          "    \"Limits\": null,\n"
          "    \"Requests\": {\n"
          " -   \"storage\": \"2Gi\"\n"
          " +   \"storage\": \"1Gi\"\n"
          "    }\n"
          "   },\n"
          "   \"VolumeName\": \"\",\n"
          " \n" },
        { CLAIM(",'volumeName':'v'"),
          CLAIM(",'volumeName':'w'"),
          "spec: Forbidden: spec is immutable after creation except "
          "resources.requests and volumeAttributesClassName for bound "
          "claims\n"
          " @@ -9,7 +9,7 @@\n"
          "     \"storage\": \"2Gi\"\n"
          "    }\n"
          "   },\n"
          " - \"VolumeName\": \"v\",\n"
          " + \"VolumeName\": \"w\",\n"
          "   \"StorageClassName\": null,\n"
          "   \"VolumeMode\": \"Filesystem\",\n"
          "   \"DataSource\": null,\n"
          " \n" },
        { CLAIM(",'storageClassName':'a'"),
          CLAIM(",'storageClassName':'b'"),
          "spec: Forbidden: spec is immutable after creation except "
          "resources.requests and volumeAttributesClassName for bound "
          "claims\n"
          " @@ -10,7 +10,7 @@\n"
          "    }\n"
          "   },\n"
          "   \"VolumeName\": \"\",\n"
          " - \"StorageClassName\": \"a\",\n"
          " + \"StorageClassName\": \"b\",\n"
          "   \"VolumeMode\": \"Filesystem\",\n"
          "   \"DataSource\": null,\n"
          "   \"DataSourceRef\": null,\n"
          " \n" },
        { CLAIM(""),
          CLAIM(",'volumeMode':'Block'"),
          "spec: Forbidden: spec is immutable after creation except "
          "resources.requests and volumeAttributesClassName for bound "
          "claims\n"
          " @@ -11,7 +11,7 @@\n"
          "   },\n"
          "   \"VolumeName\": \"\",\n"
          "   \"StorageClassName\": null,\n"
          " - \"VolumeMode\": \"Filesystem\",\n"
          " + \"VolumeMode\": \"Block\",\n"
          "   \"DataSource\": null,\n"
          "   \"DataSourceRef\": null,\n"
          "   \"VolumeAttributesClassName\": null\n"
          " \n"
          "volumeMode: Invalid value: \"Block\": field is immutable\n" },
        { CLAIM(""),
          "{'spec':{'accessModes':['ReadWriteOnce'],"
          "'resources':{'requests':{'storage':'3Gi'}},'volumeName':'v'}}",
          "spec: Forbidden: spec is immutable after creation except "
          "resources.requests and volumeAttributesClassName for bound "
          "claims\n"
          " @@ -6,7 +6,7 @@\n"
          "   \"Resources\": {\n"
          "    \"Limits\": null,\n"
          "    \"Requests\": {\n"
          " -   \"storage\": \"2Gi\"\n"
          " +   \"storage\": \"3Gi\"\n"
          "    }\n"
          "   },\n"
          "   \"VolumeName\": \"v\",\n"
          " \n" },
        { BOUND(""),
          "{'spec':{'accessModes':['ReadWriteOnce'],"
          "'resources':{'requests':{'storage':'3Gi'}},'volumeName':'v'}}",
          "" },
        { BOUND(""),
          "{'spec':{'accessModes':['ReadWriteOnce'],"
          "'resources':{'requests':{'storage':'1500Mi'}},"
          "'volumeName':'v'}}",
          "" },
        { BOUND(""),
          "{'spec':{'accessModes':['ReadWriteOnce'],"
          "'resources':{'requests':{'storage':'1Gi'}},'volumeName':'v'}}",
          "spec.resources.requests.storage: Forbidden: field can not be "
          "less than status.capacity\n" },
        { BOUND(",'volumeAttributesClassName':'a'"),
          "{'spec':{'accessModes':['ReadWriteOnce'],"
          "'resources':{'requests':{'storage':'2Gi'}},'volumeName':'v',"
          "'volumeAttributesClassName':'b'}}",
          "" },
        { "{'metadata':{'annotations':{'volume.beta.kubernetes."
          "io/storage-class':'a'}},'spec':{'accessModes':['ReadWriteOnce'],"
          "'resources':{'requests':{'storage':'1'}}}}",
          "{'metadata':{'annotations':{'volume.beta.kubernetes."
          "io/storage-class':'b'}},'spec':{'accessModes':['ReadWriteOnce'],"
          "'resources':{'requests':{'storage':'1'}}}}",
          "metadata.annotations.volume.beta.kubernetes.io/storage-class: "
          "Invalid value: \"b\": field is immutable\n" },
        { "{'metadata':{'annotations':{'volume.beta.kubernetes."
          "io/storage-class':'a'}},'spec':{'accessModes':['ReadWriteOnce'],"
          "'resources':{'requests':{'storage':'1'}}}}",
          "{'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'a',"
          "'resources':{'requests':{'storage':'1'}}}}",
          "" },
        { "{'spec':{'accessModes':['ReadWriteOnce'],"
          "'resources':{'requests':{'storage':'1'}},"
          "'volumeAttributesClassName':'a'},'status':{'phase':'Bound',"
          "'currentVolumeAttributesClassName':'a'}}",
          "{'spec':{'accessModes':['ReadWriteOnce'],"
          "'resources':{'requests':{'storage':'1'}}}}",
          "spec.volumeAttributesClassName: Forbidden: update to nil is "
          "forbidden when status.currentVolumeAttributesClassName is not "
          "nil\n" },
        { "{'spec':{'accessModes':['ReadWriteOnce'],"
          "'resources':{'requests':{'storage':'1'}},"
          "'volumeAttributesClassName':'a'},'status':{'phase':'Bound',"
          "'currentVolumeAttributesClassName':'a'}}",
          "{'spec':{'accessModes':['ReadWriteOnce'],"
          "'resources':{'requests':{'storage':'1'}},"
          "'volumeAttributesClassName':''}}",
          "spec.volumeAttributesClassName: Forbidden: update to empty "
          "string is forbidden when status.currentVolumeAttributesClassName "
          "is not nil\n" },
    };

    CASE_RUN_UPDATES("PersistentVolumeClaim", cases);
}

TEST(the_state_of_claims_is_checked)
{
    static const struct builtin_update cases[] = {
        { CLAIM(""),
          "{'status':{'phase':'Bound','capacity':{'storage':'1Gi'},"
          "'allocatedResourceStatuses':{'storage':'NodeResizePending'},"
          "'allocatedResources':{'storage':'1Gi','example.com/x':'1'}}}",
          "" },
        { CLAIM(""),
          "{'status':{'capacity':{'storage':'-1'},"
          "'allocatedResourceStatuses':{'cpu':'X','storage':'X'},"
          "'allocatedResources':{'a b':'1','cpu':'1','storage':'-1'}}}",
          "status.capacity[storage]: Invalid value: -1: must be a valid "
          "resource quantity\n"
          "status.allocatedResourceStatuses: Unsupported value: \"cpu\": "
          "supported values: \"storage\"\n"
          "status.allocatedResourceStatuses: Unsupported value: \"cpu\": "
          "supported values: \"ControllerResizeInProgress\", "
          "\"ControllerResizeInfeasible\", \"NodeResizeInProgress\", "
          "\"NodeResizeInfeasible\", \"NodeResizePending\"\n"
          "status.allocatedResourceStatuses: Unsupported value: \"storage\": "
          "supported values: \"ControllerResizeInProgress\", "
          "\"ControllerResizeInfeasible\", \"NodeResizeInProgress\", "
          "\"NodeResizeInfeasible\", \"NodeResizePending\"\n"
          "status.allocatedResources: Invalid value: \"a b\": "
          CASE_NAME_PART "\n"
          "status.allocatedResources: Unsupported value: \"cpu\": supported "
          "values: \"storage\"\n"
          "status.allocatedResources[storage]: Invalid value: -1: must be a "
          "valid resource quantity\n" },
    };

    CASE_RUN_STATUS("PersistentVolumeClaim", cases);
}

TEST(sources_are_copies_of_each_other)
{
    static const char *const cases[][2] = {
        { "'dataSource':{'kind':'PersistentVolumeClaim','name':'x'},",
          "'dataSource':{'kind':'PersistentVolumeClaim','name':'x'},"
          "'dataSourceRef':{'kind':'PersistentVolumeClaim','name':'x'}," },
        { "'dataSource':{'apiGroup':'snapshot.storage.k8s.io','kind':"
          "'VolumeSnapshot','name':'x'},",
          "'dataSource':{'apiGroup':'snapshot.storage.k8s.io','kind':"
          "'VolumeSnapshot','name':'x'},"
          "'dataSourceRef':{'apiGroup':'snapshot.storage.k8s.io','kind':"
          "'VolumeSnapshot','name':'x'}," },
        { "'dataSourceRef':{'apiGroup':'g','kind':'K','name':'x'},",
          "'dataSource':{'apiGroup':'g','kind':'K','name':'x'},"
          "'dataSourceRef':{'apiGroup':'g','kind':'K','name':'x'}," },
        { "'dataSource':{'kind':'K','name':'x'},", "" },
        { "'dataSourceRef':{'kind':'K','name':'x','namespace':'y'},", "" },
    };
    const struct yl_builtin *kind = case_kind("PersistentVolumeClaim");
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *given = yl_arena_printf(
            arena, "{'spec':{'accessModes':['ReadWriteOnce'],%s"
            "'resources':{'requests':{'storage':'2Gi'}}}}", cases[i][0]);
        const char *spec = yl_arena_printf(
            arena, "'spec':{'accessModes':['ReadWriteOnce'],%s"
            "'resources':{'requests':{'storage':'2Gi'}}}", cases[i][1]);
        struct yl_node *object = case_parse(arena, given);

        yl_builtin_prepare(kind, arena, object);
        CASE_IS(object, yl_arena_printf(
            arena, "{%s,'status':{'phase':'Pending'}}", spec));
        object = case_parse(arena, given);
        yl_builtin_prepare_update(kind, arena, object,
                                  case_parse(arena, CLAIM("")));
        CASE_IS(object, yl_arena_printf(arena, "{'metadata':{},%s}", spec));
    }
    yl_arena_free(arena);
}
