#ifndef CLI_NOTIFY_H
#define CLI_NOTIFY_H 1

/* Messages to the service manager, as sd_notify(3) sends them: one datagram to
 * the socket that $NOTIFY_SOCKET names.  Units of type "notify" wait for
 * it. */

/* Sends 'state', such as "READY=1".  Does nothing if there is no service
 * manager, and ignores errors if the manager does not listen. */
void yl_notify(const char *state);

#endif /* cli/notify.h */
