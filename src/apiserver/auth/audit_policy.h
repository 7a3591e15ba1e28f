#ifndef APISERVER_AUTH_AUDIT_POLICY_H
#define APISERVER_AUTH_AUDIT_POLICY_H 1

/* Audit policy: how much of which request is recorded.
 *
 *     apiVersion: audit.k8s.io/v1
 *     kind: Policy
 *     omitStages: [RequestReceived]
 *     rules:
 *     - level: None
 *       users: ["system:kube-proxy"]
 *     - level: Request
 *       resources: [{group: "", resources: ["secrets"]}]
 *     - level: Metadata
 *
 * The first rule that matches a request decides; what no rule matches is not
 * recorded.
 *
 * Threads
 * =======
 *
 * A policy never changes, so any thread may use it. */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/str.h"

struct yl_attributes;
struct yl_audit_policy;
struct yl_error;

enum yl_audit_level {
    YL_AUDIT_NONE,
    YL_AUDIT_METADATA,          /* Who, what, when. */
    YL_AUDIT_REQUEST,           /* And the request's object. */
    YL_AUDIT_RESPONSE,          /* And the answer's: "RequestResponse". */
};

enum yl_audit_stage {
    YL_AUDIT_REQUEST_RECEIVED,
    YL_AUDIT_RESPONSE_STARTED,  /* Of a watch. */
    YL_AUDIT_RESPONSE_COMPLETE,
    YL_AUDIT_PANIC,             /* Never happens; policies may name it. */
    YL_N_AUDIT_STAGES
};

struct yl_audit_decision {
    enum yl_audit_level level;
    uint32_t omitted;           /* Bits: 1 << enum yl_audit_stage. */
    bool omit_managed_fields;
};

const char *yl_audit_level_name(enum yl_audit_level);
const char *yl_audit_stage_name(enum yl_audit_stage);

/* Reads a file, YAML or JSON.  YL_EIO, YL_ENOTFOUND, or YL_EINVALID with what
 * is wrong. */
int yl_audit_policy_read(const char *path,
                         struct yl_audit_policy **ret_policy,
                         struct yl_error *err);
int yl_audit_policy_parse(struct yl_str text,
                          struct yl_audit_policy **ret_policy,
                          struct yl_error *err);
void yl_audit_policy_free(struct yl_audit_policy *);

/* Decides how much of a request is recorded.  The user of 'attributes' may be
 * NULL. */
struct yl_audit_decision
yl_audit_policy_decide(const struct yl_audit_policy *,
                       const struct yl_attributes *);

#endif /* apiserver/auth/audit_policy.h */
