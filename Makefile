# The front door.  `make` alone lists what there is; meson.build does the work.
#
# Each target first installs the Debian packages it needs (tools/install-deps;
# nothing happens when they are there) and ends in one line that says how it
# went.

PREFIX ?= /usr/local
LIBDIR ?= lib
DESTDIR ?=
FUZZ_SECONDS ?= 60
JOBS ?= $(shell nproc)
CUTS ?= 20000
KILLS ?= 100
SEEDS ?= 30
TESTS ?=
BENCH ?=
CMD ?= quick
export JOBS

# Options of the build folders.  Where the libraries go is said, for meson's
# guess depends on which Debian packages are installed.
options = -Dprefix=$(PREFIX) -Dlibdir=$(LIBDIR)
clang_options = --native-file tools/clang.ini
asan_options = $(clang_options) -Db_sanitize=address,undefined \
    -Db_lundef=false -Dc_args=-fno-sanitize-recover=all
tsan_options = $(clang_options) -Db_sanitize=thread -Db_lundef=false
fuzz_options = $(clang_options) -Dfuzz=true -Db_lundef=false
coverage_options = -Db_coverage=true
valgrind_command = valgrind -q --error-exitcode=99 --leak-check=full \
    --errors-for-leak-kinds=definite,indirect,possible \
    --suppressions=tools/valgrind.supp

# Sanitizers stop at the first finding; cmocka must not catch it first.  Our
# mutexes check for misuse themselves, and a test makes them.
export ASAN_OPTIONS = detect_leaks=1:halt_on_error=1:handle_segv=2:handle_sigbus=2:handle_sigfpe=2:handle_sigill=2:detect_stack_use_after_return=1
export UBSAN_OPTIONS = halt_on_error=1:print_stacktrace=1
export TSAN_OPTIONS = halt_on_error=1:second_deadlock_stack=1:report_mutex_bugs=0:report_destroy_locked=0

.PHONY: help build run demo test lint asan tsan valgrind coverage fuzz bench \
    interop torture install clean

help:
	@echo 'Yuloh: a Kubernetes-compatible control plane and controller' \
	      'framework in C.'
	@echo
	@echo '  make run        build, then run the API server until Ctrl-C'
	@echo '  make test       build, then run every test'
	@echo
	@echo '  make build      build/yuloh, libyuloh, build/examples'
	@echo '  make lint       layers, style, headers, warnings, clang-tidy'
	@echo '  make asan       tests under AddressSanitizer and UBSan'
	@echo '  make tsan       threaded tests under ThreadSanitizer'
	@echo '  make valgrind   unit tests under valgrind'
	@echo '  make coverage   line coverage of src/, at least 90 %'
	@echo '  make fuzz       each fuzzer for FUZZ_SECONDS [60]'
	@echo '  make bench      benchmarks, side by side with other libraries'
	@echo '  make interop    tests against other clients and servers'
	@echo '  make torture    power cuts, kill -9, full disks, controllers in trouble'
	@echo '  make demo       what the program does without a server'
	@echo '  make install    into PREFIX [/usr/local], below DESTDIR'
	@echo '  make clean      remove the build folders'
	@echo
	@echo 'TESTS="NAME..." picks tests or fuzzers by a part of their name.'
	@echo 'CMD=all lets interop run all of kubectl'"'"'s own tests, not' \
	      'the quick ones alone.'

build:
	@tools/install-deps build
	@tools/build build all $(options)
	@echo 'build: build/yuloh is ready.'

run: build
	@examples/run.sh build

demo: build
	@examples/tour.sh build

test:
	@tools/install-deps test
	@tools/build build all $(options)
	@tools/run-tests $(TESTS)

lint:
	@tools/install-deps lint
	@tools/lint

asan:
	@tools/install-deps sanitize
	@tools/build build-asan all $(asan_options)
	@tools/run-tests --unit --build build-asan $(TESTS)
	@echo 'asan: clean under AddressSanitizer and UBSan.'

tsan:
	@tools/install-deps sanitize
	@tools/build build-tsan all $(tsan_options)
	@tools/run-tests --threaded --build build-tsan $(TESTS)
	@echo 'tsan: clean under ThreadSanitizer.'

valgrind:
	@tools/install-deps valgrind
	@tools/build build all $(options)
	@tools/run-tests --unit --timeout 600 --wrapper '$(valgrind_command)' \
	    $(TESTS)
	@echo 'valgrind: clean.'

# From scratch: gcov stumbles over what older objects have left.
coverage:
	@tools/install-deps coverage
	@rm -rf build-coverage
	@tools/build build-coverage all $(coverage_options)
	@tools/run-tests --unit --build build-coverage
	@tools/run-tests --build build-coverage cli.sh gen.sh serve.sh auth.sh \
	    backup.sh
	@tools/check-coverage build-coverage

fuzz:
	@tools/install-deps fuzz
	@tools/build build-fuzz all $(fuzz_options)
	@tools/run-fuzzers --build build-fuzz --seconds $(FUZZ_SECONDS) $(TESTS)

bench:
	@tools/install-deps bench
	@tools/build build-bench all $(options) -Dbench=true
	@bench/run $(BENCH)
	@echo 'bench: done; bench/README.md says how to read it.'

interop:
	@tools/install-deps build
	@tools/install-deps interop || echo 'interop: goes on without them.'
	@tools/build build all $(options)
	@CMD='$(CMD)' tests/interop/run

torture: build
	@build/tests/torture-storage $(CUTS)
	@tests/torture/kill9.py --rounds $(KILLS) kill
	@tests/torture/kill9.py sync
	@tests/torture/kill9.py full || [ $$? = 77 ]
	@build/tests/torture-converge -s $(SEEDS)
	@tests/torture/election.py --acts 100
	@echo 'torture: nothing was lost.'

install: build
	@mkdir -p '$(DESTDIR)$(PREFIX)' && [ -w '$(DESTDIR)$(PREFIX)' ] || { \
	    echo 'install: cannot write to $(DESTDIR)$(PREFIX): try sudo, or' \
	         'PREFIX=$$HOME/.local' >&2; exit 1; }
	@DESTDIR='$(DESTDIR)' /usr/bin/meson install -C build --no-rebuild --quiet
	@if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi
	@echo 'install: Yuloh is in $(DESTDIR)$(PREFIX).'

clean:
	@rm -rf build build-*/
	@echo 'clean: the build folders are gone.'
