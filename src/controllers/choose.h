#ifndef CONTROLLERS_CHOOSE_H
#define CONTROLLERS_CHOOSE_H 1

/* Which controllers run: kube-controller-manager's --controllers.
 *
 *     *               all that run by default
 *     NAME, -NAME     this one, not this one
 *     -*              none
 *
 * The first word that names a controller counts; else it runs if there is a
 * star.  An empty list is "*".  Old names (serviceaccount) are known beside
 * the new ones (serviceaccount-controller). */

#include <stdbool.h>
#include <stddef.h>

struct yl_error;

/* YL_EINVALID for a name that kube-controller-manager does not know.  Names of
 * controllers that are not here yet are known. */
int yl_controllers_check_names(const char *const *words, size_t n,
                               struct yl_error *err);

/* Is the controller with this name, a new one, among them? */
bool yl_controllers_is_chosen(const char *const *words, size_t n,
                              const char *name);

#endif /* controllers/choose.h */
