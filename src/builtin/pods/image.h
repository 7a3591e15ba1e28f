#ifndef BUILTIN_PODS_IMAGE_H
#define BUILTIN_PODS_IMAGE_H 1

/* Names of container images: [HOST[:PORT]/]PATH[:TAG][@DIGEST]. */

#include <stdbool.h>

#include "yuloh/str.h"

/* Does 'image' mean a tag "latest", said or unsaid?  A name that is not one
 * does not, nor one with a digest and no tag. */
bool yl_image_is_latest(struct yl_str image);

#endif /* builtin/pods/image.h */
