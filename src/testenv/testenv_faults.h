#ifndef TESTENV_TESTENV_FAULTS_H
#define TESTENV_TESTENV_FAULTS_H 1

/* Faults: a step of the API server that spoils the requests it was told to.
 *
 *     authenticate -> audit -> [faults] -> authorize -> route -> ... -> answer
 *                                 '------- tap (net/http.h) -----------'
 *
 * A request that is hit is answered here, continued later, or gets a tap that
 * stands between its answer and the connection.
 *
 * Threads
 * =======
 *
 * Faults are added from any thread.  Taps belong to the server's only loop. */

#include <stdbool.h>
#include <stddef.h>

#include "apiserver/request.h"
#include "base/list.h"
#include "base/thread.h"
#include "yuloh/testenv.h"

struct yl_faults {
    struct yl_mutex lock;       /* A leaf. */
    struct yl_list all YL_GUARDED;     /* Removed ones included. */
    int n YL_GUARDED;  /* That were ever added. */
    struct yl_list taps;        /* Of requests that run; the loop's. */
};

void yl_faults_init(struct yl_faults *);
void yl_faults_release(struct yl_faults *);

int yl_faults_add(struct yl_faults *, const struct yl_testenv_fault *);
unsigned yl_faults_hits(struct yl_faults *, int number);

/* Removes one; all of them if 'number' is negative. */
void yl_faults_remove(struct yl_faults *, int number);

/* The step. */
enum yl_step yl_faults_meet(struct yl_faults *, struct yl_api_request *);

/* A request has ended: frees its tap. */
void yl_faults_end(struct yl_faults *, const struct yl_http_request *);

#endif /* testenv/testenv_faults.h */
