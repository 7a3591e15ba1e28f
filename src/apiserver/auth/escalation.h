#ifndef APISERVER_AUTH_ESCALATION_H
#define APISERVER_AUTH_ESCALATION_H 1

/* Escalation: nobody gives away what he has not got.
 *
 * Who writes a role must hold all that it allows, or be allowed to "escalate"
 * it; who writes a binding must hold all that the role allows, or be allowed
 * to "bind" it.  system:masters may do both.  A change of finalizers and
 * owners alone is let through, so that garbage can be collected. */

struct yl_admission;
struct yl_status;

/* Called for every create and update, between mutating admission and
 * validation; does nothing for kinds that are not RBAC's.  0, or a code with
 * the Status to answer. */
int yl_rbac_check_escalation(const struct yl_admission *, struct yl_status *);

#endif /* apiserver/auth/escalation.h */
