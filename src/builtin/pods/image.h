#ifndef BUILTIN_PODS_IMAGE_H
#define BUILTIN_PODS_IMAGE_H 1

/* Names of container images: [HOST[:PORT]/]PATH[:TAG][@DIGEST]. */

#include <stdbool.h>

#include "yuloh/str.h"

/* Whether 'image' has the tag "latest", explicitly or because it has none.
 * False if the name is invalid, or has a digest and no tag. */
bool yl_image_is_latest(struct yl_str image);

#endif /* builtin/pods/image.h */
