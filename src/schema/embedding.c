/* Structs that Go embeds.  See schema/embedding.h. */

#include "schema/embedding.h"

#include <string.h>

#include "yuloh/compiler.h"

static bool has_word(const char *words, struct yl_str word);

static const struct yl_embedding rows[] = {
    { "Probe", "ProbeHandler", 1, "exec grpc httpGet tcpSocket", NULL },
    { "Volume", "VolumeSource", 2, "!name", NULL },
    { "EphemeralContainer", "EphemeralContainerCommon", 1,
      "!targetContainerName", NULL },
    { "PersistentVolumeSpec", "PersistentVolumeSource", 2,
      "!accessModes capacity claimRef mountOptions nodeAffinity "
      "persistentVolumeReclaimPolicy storageClassName "
      "volumeAttributesClassName volumeMode", NULL },
    { "ConfigMapKeySelector", "LocalObjectReference", 1, "name", NULL },
    { "SecretKeySelector", "LocalObjectReference", 1, "name", NULL },
    { "ConfigMapEnvSource", "LocalObjectReference", 1, "name", NULL },
    { "SecretEnvSource", "LocalObjectReference", 1, "name", NULL },
    { "ConfigMapProjection", "LocalObjectReference", 1, "name", NULL },
    { "SecretProjection", "LocalObjectReference", 1, "name", NULL },
    { "ConfigMapVolumeSource", "LocalObjectReference", 1, "name", NULL },
    { "IngressRule", "IngressRuleValue", 2, "http", NULL },
    { "RuleWithOperations", "Rule", 2, "!operations", NULL },
    { "NamedRuleWithOperations", "RuleWithOperations", 2, "!resourceNames",
      "RuleWithOperations.Rule" },
    { "DeviceClaimConfiguration", "DeviceConfiguration", 2, "opaque", NULL },
    { "DeviceAllocationConfiguration", "DeviceConfiguration", 3, "opaque",
      NULL },
    { "DeviceClassConfiguration", "DeviceConfiguration", 1, "opaque", NULL },
};

const struct yl_embedding *
yl_embedding_of(const char *type)
{
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(rows); i++) {
        if (!strcmp(rows[i].type, type)) {
            return &rows[i];
        }
    }
    return NULL;
}

bool
yl_embedding_has(const struct yl_embedding *row, struct yl_str name)
{
    bool others;

    if (!row) {
        return false;
    }
    others = *row->fields == '!';
    return has_word(row->fields + others, name) != others;
}

/* Is 'word' one of the blank-separated 'words'? */
static bool
has_word(const char *words, struct yl_str word)
{
    struct yl_str rest = yl_str_c(words), first;

    while (yl_str_cut(rest, ' ', &first, &rest)) {
        if (yl_str_equal(first, word)) {
            return true;
        }
    }
    return yl_str_equal(rest, word);
}
