/* Tests of admin access to devices, through the whole server. */

#include "api_rig.h"

#define CLAIMS "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims"

TEST(admin_access_to_devices_needs_a_namespace_for_it)
{
    static const char claim[] =
        "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"devices\":{\"requests\":"
        "[{\"name\":\"q\",\"exactly\":{\"deviceClassName\":\"c\"}},"
        "{\"name\":\"r\",\"exactly\":{\"deviceClassName\":\"c\","
        "\"adminAccess\":true}}]}}}";

    rig_open();
    assert_int_equal(api("POST", CLAIMS, claim), 422);
    assert_string_equal(text_at("/details/causes/0/field"),
                        "spec.devices.requests[1].adminAccess");
    rig.content_type = "application/merge-patch+json";
    assert_int_equal(api("PATCH", "/api/v1/namespaces/default",
                         "{\"metadata\":{\"labels\":{\"resource.kubernetes."
                         "io/admin-access\":\"true\"}}}"), 200);
    assert_int_equal(api("POST", CLAIMS, claim), 201);
    rig_close();
}
