#ifndef APISERVER_AUTH_ESCALATION_H
#define APISERVER_AUTH_ESCALATION_H 1

/* Escalation check: a user cannot give permissions that he does not have.
 *
 * A user who writes a role must hold all permissions in it, or be allowed to
 * "escalate" it.  A user who writes a binding must hold all permissions of the
 * role, or be allowed to "bind" it.  system:masters may do both.  A change of
 * finalizers and owner references alone is always allowed, so that the garbage
 * collector works. */

struct yl_admission;
struct yl_status;

/* Called for every create and update, between mutating admission and
 * validation; does nothing for kinds that are not RBAC's.  0, or a code with
 * the Status to answer. */
int yl_rbac_check_escalation(const struct yl_admission *, struct yl_status *);

#endif /* apiserver/auth/escalation.h */
