/* ComponentStatuses, through the whole server. */

#include "verb_rig.h"

#define COMPONENTS "/api/v1/componentstatuses"
#define TABLE "accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n"

TEST(the_store_is_a_component)
{
    rig_open();
    ask(200, "GET", COMPONENTS, NULL);
    says("/kind", "ComponentStatusList");
    says("/items/0/metadata/name", "etcd-0");
    says("/items/0/conditions/0/status", "True");
    says("/items/1/metadata/name", "");
    ask(200, "GET", COMPONENTS "/etcd-0", NULL);
    says("/kind", "ComponentStatus");
    says("/conditions/0/message", "ok");
    ask(404, "GET", COMPONENTS "/scheduler", NULL);
    says("/message", "componentstatus \"scheduler\" not found");
    ask(405, "DELETE", COMPONENTS "/etcd-0", NULL);
    rig_close();
}

TEST(components_are_seen_in_tables)
{
    rig_open();
    rig.headers = TABLE;
    ask(200, "GET", COMPONENTS, NULL);
    says("/kind", "Table");
    says("/rows/0/cells/0", "etcd-0");
    says("/rows/0/cells/1", "Healthy");
    rig.headers = TABLE;
    ask(400, "GET", COMPONENTS "?includeObject=Odd", NULL);
    rig_close();
}

TEST(a_store_that_fails_is_not_healthy)
{
    rig_open();
    rig.server->unwell |= 1;
    ask(200, "GET", COMPONENTS "/etcd-0", NULL);
    says("/conditions/0/status", "False");
    rig_close();
}
