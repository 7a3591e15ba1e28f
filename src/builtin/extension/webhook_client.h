#ifndef BUILTIN_EXTENSION_WEBHOOK_CLIENT_H
#define BUILTIN_EXTENSION_WEBHOOK_CLIENT_H 1

/* How a webhook is reached: by a URL, or through a Service; and the versions
 * of reviews that it understands. */

#include "builtin/common/checks.h"

void yl_check_webhook_url(struct yl_check *, const struct yl_at *url);
void yl_check_webhook_service(struct yl_check *, const struct yl_at *service);

/* 'why' ends "Required value: "; NULL if there is nothing to say. */
void yl_check_review_versions(struct yl_check *, const struct yl_at *versions,
                              const char *why);

#endif /* builtin/extension/webhook_client.h */
