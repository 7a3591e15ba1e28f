/* Selections.  See apiserver/selection.h for the contract. */

#include "apiserver/selection.h"

#include "apiserver/fields.h"
#include "apiserver/request.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/object.h"

static int refuse(struct yl_error *);

int
yl_selection_parse(struct yl_selection *selection,
                   const struct yl_api_version *version,
                   struct yl_str label_selector, struct yl_str field_selector,
                   struct yl_arena *arena, struct yl_error *err)
{
    size_t n;
    int r;

    selection->version = version;
    if (!yl_str_is_empty(label_selector)) {
        r = yl_selector_parse(label_selector, arena, &selection->labels, err);
        if (r < 0) {
            return r == YL_ETOOBIG ? r : refuse(err);
        }
        if (yl_selector_is_everything(selection->labels)) {
            selection->labels = NULL;
        }
    }
    if (!yl_str_is_empty(field_selector)) {
        r = yl_field_selector_parse(field_selector, arena, &selection->fields,
                                    err);
        if (r < 0) {
            return r == YL_ETOOBIG ? r : refuse(err);
        }
        r = yl_fields_check(selection->resource, version, selection->fields,
                            err);
        if (r < 0) {
            return r;
        }
        yl_field_selector_exact_value(selection->fields,
                                      YL_STR("metadata.name"),
                                      &selection->name);
        yl_field_selector_requirements(selection->fields, &n);
        if (!n) {
            selection->fields = NULL;
        }
    }
    return 0;
}

int
yl_selection_init(struct yl_selection *selection,
                  const struct yl_api_request *req, struct yl_error *err)
{
    const struct yl_request_info *info = &req->info;
    int r;

    *selection = (struct yl_selection) {
        .resource = req->resource,
        .namespace_ = req->resource->namespaced ? info->namespace_
                                                : yl_str_null(),
    };
    r = yl_selection_parse(selection, req->version,
                           yl_arena_copy(req->arena, info->label_selector),
                           yl_arena_copy(req->arena, info->field_selector),
                           req->arena, err);
    if (r < 0) {
        return r;
    }
    if (info->n_parts > 1) {    /* /watch/pods/NAME. */
        if (selection->fields
            && !yl_str_equal(selection->name, info->name)) {
            return yl_error_set(err, YL_EBADREQUEST,
                                "fieldSelector metadata.name doesn't match "
                                "requested name");
        }
        selection->name = info->name;
    }
    return 0;
}

bool
yl_selection_matches(const struct yl_selection *selection,
                     const struct yl_object *object, struct yl_arena *scratch)
{
    return (yl_str_is_empty(selection->name)
            || yl_str_equal(selection->name, yl_object_name(object)))
           && (!selection->labels
               || yl_selector_matches(selection->labels,
                                      yl_object_labels(object)))
           && (!selection->fields
               || yl_fields_match(selection->resource, selection->version,
                                  selection->fields, object, scratch));
}

bool
yl_selection_sees(const struct yl_selection *selection,
                  const struct yl_ks_event *event, struct yl_arena *scratch,
                  enum yl_ks_event_type *ret_type,
                  const struct yl_object **ret_object)
{
    bool is = event->type != YL_KS_DELETED
              && yl_selection_matches(selection, event->object, scratch);
    const struct yl_object *before = event->type == YL_KS_DELETED
                                         ? event->object
                                         : event->previous;
    bool was = before && yl_selection_matches(selection, before, scratch);

    if (is || was) {
        *ret_type = is && was ? YL_KS_MODIFIED : is ? YL_KS_ADDED
                                                    : YL_KS_DELETED;
        *ret_object = is ? event->object : before;
    }
    return is || was;
}

/* Turns the parser's error into the answer to a request. */
static int
refuse(struct yl_error *err)
{
    if (err) {
        err->code = YL_EBADREQUEST;
    }
    return YL_EBADREQUEST;
}
