#ifndef TESTENV_TESTENV_TAP_H
#define TESTENV_TESTENV_TAP_H 1

/* The tap of a fault: lets a part of an answer pass, and then cuts it off,
 * ends it, or holds it back for a while.
 *
 *     event\n event\n ev | ent\n event\n
 *     '--- passes -----' ^ the place
 *
 * A watch is counted in lines, each an event.  Of any other answer half of the
 * first piece passes, or nothing.
 *
 * Threads
 * =======
 *
 * All of it belongs to the loop of the request. */

#include <stdbool.h>

#include "base/list.h"
#include "yuloh/testenv.h"

struct yl_http_request;

/* Puts a tap on the answer to a request.  It lives in the request's arena,
 * and in 'taps' until the request has ended. */
void yl_fault_tap_start(struct yl_list *taps, struct yl_http_request *,
                        const struct yl_testenv_fault *, bool watch);

/* The request has ended; it need not have a tap. */
void yl_fault_tap_end(struct yl_list *taps, const struct yl_http_request *);

/* The code of the error table for an HTTP status; 0 means 500. */
int yl_fault_code(int http_status);

#endif /* testenv/testenv_tap.h */
