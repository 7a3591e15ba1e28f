#ifndef APISERVER_VERBS_VERBS_H
#define APISERVER_VERBS_VERBS_H 1

/* Verbs: get, list, create and so on, one file each. */

#include "apiserver/request.h"

/* Calls the verb that the request names; it is known that the resource has
 * that verb and that the path fits it.  The kind's strategy may serve the
 * request instead. */
enum yl_step yl_verb_dispatch(struct yl_api_request *);

enum yl_step yl_verb_get(struct yl_api_request *);
enum yl_step yl_verb_list(struct yl_api_request *);
enum yl_step yl_verb_watch(struct yl_api_request *);
enum yl_step yl_verb_create(struct yl_api_request *);
enum yl_step yl_verb_update(struct yl_api_request *);
enum yl_step yl_verb_patch(struct yl_api_request *);
enum yl_step yl_verb_delete(struct yl_api_request *);
enum yl_step yl_verb_deletecollection(struct yl_api_request *);

/* /scale, an object seen as a Scale: GET; PUT and PATCH. */
enum yl_step yl_verb_get_scale(struct yl_api_request *);
enum yl_step yl_verb_write_scale(struct yl_api_request *);

#endif /* apiserver/verbs/verbs.h */
