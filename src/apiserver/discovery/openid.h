#ifndef APISERVER_DISCOVERY_OPENID_H
#define APISERVER_DISCOVERY_OPENID_H 1

/* OpenID discovery: how others verify the tokens of service accounts.
 *
 *     /.well-known/openid-configuration   the issuer, and where its keys are
 *     /openid/v1/jwks                     the public keys */

#include "apiserver/request.h"

enum yl_step yl_serve_openid_configuration(struct yl_api_request *);
enum yl_step yl_serve_openid_keys(struct yl_api_request *);

#endif /* apiserver/discovery/openid.h */
