#ifndef BUILTIN_EXTENSION_WEBHOOK_CLIENT_H
#define BUILTIN_EXTENSION_WEBHOOK_CLIENT_H 1

/* How the server reaches a webhook, by a URL or through a Service, and the
 * versions of reviews that the webhook understands. */

#include "builtin/common/checks.h"

void yl_check_webhook_url(struct yl_check *, const struct yl_at *url);
void yl_check_webhook_service(struct yl_check *, const struct yl_at *service);

/* 'why' follows "Required value: " in the message; it may be NULL.  With
 * 'known' one of the versions must be one that the server knows. */
void yl_check_review_versions(struct yl_check *, const struct yl_at *versions,
                              const char *why, bool known);

/* Why Go's net/url cannot parse the URL; NULL if it can. */
const char *yl_url_fault(struct yl_arena *, struct yl_str url);

#endif /* builtin/extension/webhook_client.h */
