#ifndef CLI_NOTIFY_H
#define CLI_NOTIFY_H 1

/* Word for the service manager, as sd_notify(3) sends it: one datagram to the
 * socket that $NOTIFY_SOCKET names.  Units of type "notify" wait for it. */

/* Sends 'state', such as "READY=1".  Does nothing without a manager; one that
 * does not listen is nobody's loss. */
void yl_notify(const char *state);

#endif /* cli/notify.h */
