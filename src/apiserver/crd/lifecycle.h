#ifndef APISERVER_CRD_LIFECYCLE_H
#define APISERVER_CRD_LIFECYCLE_H 1

/* Lifecycle: what the server does with CustomResourceDefinitions.
 *
 *     CRD written --> names --> definition --> served --> status written
 *     CRD deleted --> no more objects are created --> its objects are deleted
 *                 --> finalizer removed --> no longer served
 *
 * One thread does what upstream's controllers for names, establishing,
 * structural schemas, approvals and finalizing do.  It is driven by the events
 * of the CRDs' resource in the keyspace: there is no informer and no polling.
 *
 * Guarantees
 * ==========
 *
 *   - A CRD whose condition Established is True is served: the row is in the
 *     registry before the condition is written.
 *
 *   - A name has one owner in its group.  When it is free again, the next CRD
 *     that wants it gets it.
 *
 *   - Rows are replaced only if spec or accepted names change; watches of a
 *     row that is replaced or removed end.
 *
 *   - A CRD that is being deleted stays until its last object is gone, also
 *     across restarts.
 *
 *   - When yl_crds_start() returns, everything that storage has is served.
 *
 * Threads
 * =======
 *
 * Started and stopped by the server's owner.  Its own thread is called
 * "crds". */

struct yl_apiserver;
struct yl_crds;
struct yl_error;

/* Serves what is stored, and starts the thread.  The server's keyspace must be
 * running. */
int yl_crds_start(struct yl_apiserver *, struct yl_crds **ret_crds,
                  struct yl_error *err);

/* Waits for a write that is under way and ends the thread.  NULL is fine. */
void yl_crds_stop(struct yl_crds *);

/* Frees everything.  The rows that were served must be gone: call it after
 * yl_registry_free(). */
void yl_crds_free(struct yl_crds *);

#endif /* apiserver/crd/lifecycle.h */
