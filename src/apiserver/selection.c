/* Selections.  See apiserver/selection.h for the contract. */

#include "apiserver/selection.h"

#include "apiserver/fields.h"
#include "apiserver/request.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/object.h"

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
    if (!yl_str_is_empty(info->label_selector)) {
        r = yl_selector_parse(yl_arena_copy(req->arena, info->label_selector),
                              req->arena, &selection->labels, err);
        if (r < 0) {
            return r == YL_ETOOBIG ? r : (err->code = YL_EBADREQUEST);
        }
        if (yl_selector_is_everything(selection->labels)) {
            selection->labels = NULL;
        }
    }
    if (!yl_str_is_empty(info->field_selector)) {
        size_t n;

        r = yl_field_selector_parse(yl_arena_copy(req->arena,
                                                  info->field_selector),
                                    req->arena, &selection->fields, err);
        if (r < 0) {
            return r == YL_ETOOBIG ? r : (err->code = YL_EBADREQUEST);
        }
        r = yl_fields_check(req->resource, req->version, selection->fields,
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
               || yl_fields_match(selection->resource, selection->fields,
                                  object, scratch));
}
