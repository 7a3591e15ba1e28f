#ifndef BUILTIN_STORAGE_VOLUME_H
#define BUILTIN_STORAGE_VOLUME_H 1

/* What PersistentVolumes, claims and attachments have in common. */

#include <stdbool.h>

#include "builtin/common/meta.h"

/* ValidatePersistentVolumeSpec upstream.  'is_inline' says that the volume is
 * part of another object. */
void yl_check_volume_spec(struct yl_check *, const struct yl_at *spec,
                          bool is_inline);

/* A quantity that is an integer and not negative. */
bool yl_check_basic_resource(struct yl_check *, const struct yl_at *);

#endif /* builtin/storage/volume.h */
