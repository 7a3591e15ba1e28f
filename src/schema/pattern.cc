/* Regular expressions.  See schema/pattern.h for the contract. */

#include "schema/pattern.h"

#include <stdint.h>

#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>

#include <re2/re2.h>

#include "yuloh/error.h"

struct yl_patterns {
    std::shared_mutex lock;     /* Of all that follows; never held while
                                 * matching. */
    size_t room = SIZE_MAX;     /* Instructions that may still be compiled, */
    size_t size = 0;            /* and those that are kept. */

    /* Found by a view, without a copy of the pattern. */
    std::map<std::string, std::shared_ptr<re2::RE2>, std::less<>> compiled;
};

/* Go's words for what is wrong with a pattern. */
static const char *
fault(re2::RE2::ErrorCode code)
{
    switch (code) {
    case re2::RE2::ErrorBadEscape:
        return "invalid escape sequence";
    case re2::RE2::ErrorBadCharClass:
        return "invalid character class";
    case re2::RE2::ErrorBadCharRange:
        return "invalid character class range";
    case re2::RE2::ErrorMissingBracket:
        return "missing closing ]";
    case re2::RE2::ErrorMissingParen:
        return "missing closing )";
    case re2::RE2::ErrorUnexpectedParen:
        return "unexpected )";
    case re2::RE2::ErrorTrailingBackslash:
        return "trailing backslash at end of expression";
    case re2::RE2::ErrorRepeatArgument:
        return "missing argument to repetition operator";
    case re2::RE2::ErrorRepeatSize:
        return "invalid repeat count";
    case re2::RE2::ErrorRepeatOp:
        return "invalid nested repetition operator";
    case re2::RE2::ErrorBadPerlOp:
        return "invalid or unsupported Perl syntax";
    case re2::RE2::ErrorBadUTF8:
        return "invalid UTF-8";
    case re2::RE2::ErrorBadNamedCapture:
        return "invalid named capture";
    case re2::RE2::ErrorPatternTooLarge:
        return "expression too large";
    default:
        return "internal error";
    }
}

/* What a pattern has cost, in instructions. */
static size_t
cost(const re2::RE2 &compiled)
{
    size_t text = compiled.pattern().size();
    size_t program = compiled.ok() ? (size_t) compiled.ProgramSize() : 0;

    if (compiled.error_code() == re2::RE2::ErrorPatternTooLarge) {
        return YL_PATTERN_MEMORY / 16;
    }
    return text > program ? text : program;
}

/* Returns NULL if there is no room for it. */
static std::shared_ptr<re2::RE2>
compile(struct yl_patterns *patterns, std::string_view pattern)
{
    {
        std::shared_lock<std::shared_mutex> guard(patterns->lock);
        auto found = patterns->compiled.find(pattern);

        if (found != patterns->compiled.end()) {
            return found->second;
        } else if (!patterns->room) {
            return nullptr;
        }
    }

    re2::RE2::Options options;

    options.set_log_errors(false);
    options.set_max_mem(YL_PATTERN_MEMORY);
    auto compiled = std::make_shared<re2::RE2>(
        re2::StringPiece(pattern.data(), pattern.size()), options);

    size_t size = cost(*compiled);

    std::lock_guard<std::shared_mutex> guard(patterns->lock);
    patterns->room -= size < patterns->room ? size : patterns->room;
    if (patterns->compiled.size() >= YL_PATTERN_CACHE
        || patterns->size + size > YL_PATTERN_PROGRAMS) {
        patterns->compiled.clear();     /* Most are of schemas long gone. */
        patterns->size = 0;
    }
    if (patterns->compiled.emplace(pattern, compiled).second) {
        patterns->size += size;
    }
    return compiled;
}

struct yl_patterns *
yl_patterns_new(void)
{
    return new yl_patterns;
}

struct yl_patterns *
yl_patterns_new_limited(size_t max)
{
    auto patterns = yl_patterns_new();

    patterns->room = max;
    return patterns;
}

void
yl_patterns_free(struct yl_patterns *patterns)
{
    delete patterns;
}

int
yl_patterns_match(void *patterns, struct yl_str pattern, struct yl_str text,
                  struct yl_error *err)
{
    auto compiled = compile(static_cast<struct yl_patterns *>(patterns),
                            std::string_view(pattern.data ? pattern.data : "",
                                             pattern.size));

    if (!compiled) {
        return yl_error_set(err, YL_EINVALID,
                            "error parsing regexp: %s: `%.*s`",
                            fault(re2::RE2::ErrorPatternTooLarge),
                            YL_STR_ARG(pattern));
    }
    if (!compiled->ok()) {
        return yl_error_set(err, YL_EINVALID,
                            "error parsing regexp: %s: `%s`",
                            fault(compiled->error_code()),
                            compiled->error_arg().c_str());
    }
    return re2::RE2::PartialMatch(
        re2::StringPiece(text.data ? text.data : "", text.size), *compiled);
}
