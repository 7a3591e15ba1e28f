/* Where data is.  See cli/data_dir.h. */

#include "cli/data_dir.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "yuloh/error.h"

int
yl_data_dir_default(char **ret_path, struct yl_error *err)
{
    const char *data_home = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");
    struct yl_buf path;

    yl_buf_init(&path, 4096);
    if (geteuid() == 0) {
        yl_buf_append_c(&path, "/var/lib/yuloh");
    } else if (data_home && data_home[0] == '/') {
        yl_buf_printf(&path, "%s/yuloh", data_home);
    } else if (home && home[0] == '/') {
        yl_buf_printf(&path, "%s/.local/share/yuloh", home);
    }
    if (!path.size) {
        yl_buf_release(&path);
        return yl_error_set(err, YL_EINVALID,
                            "there is no place for data: HOME is not set or "
                            "too long; name one with --data-dir");
    }
    *ret_path = yl_buf_detach(&path);
    return 0;
}
