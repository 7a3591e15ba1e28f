#ifndef OBJECT_STATUS_H
#define OBJECT_STATUS_H 1

/* Writing a Status into a buffer.  See yuloh/status.h for the contract. */

#include "base/buf.h"
#include "yuloh/status.h"

/* Appends the Status' JSON. */
void yl_status_write(const struct yl_status *, struct yl_buf *);

#endif /* object/status.h */
