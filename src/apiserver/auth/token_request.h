#ifndef APISERVER_AUTH_TOKEN_REQUEST_H
#define APISERVER_AUTH_TOKEN_REQUEST_H 1

/* TokenRequest: a client asks for a token of a service account.
 *
 *     POST serviceaccounts/NAME/token -> admission -> checks -> token
 *
 * The request names audiences, how long the token is to last, and an object
 * that it is bound to: a Pod that runs as the account, a Secret, a Node.
 * Nothing is stored: the answer is the request with its status. */

#include "apiserver/request.h"

/* Serves requests of the subresource "token"; YL_STEP_NEXT for others. */
enum yl_step yl_service_accounts_serve(struct yl_api_request *);

#endif /* apiserver/auth/token_request.h */
