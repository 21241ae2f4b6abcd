# beacontrace: two commands do everything on a fresh Debian machine with a Swift 6.3 toolchain.
#
#   make demo   install what is missing, build, analyze a bundled capture
#   make test   install what is missing, check the format, build, run every test
#
# And to keep it:
#
#   make install     to /usr/local, or elsewhere: make install PREFIX=$HOME/.local
#   make uninstall   from there
#   make deb         a Debian package in .build
#   make bench       how fast it is: Benchmarks/RESULTS.md
#   make bench-check what CI counts: allocations, instructions
#
# For longer than half a minute each, and one target only: make fuzz TIME=600 FUZZ=container

SWIFT ?= swift
# make fuzz: seconds for each target (0 only builds them), which (all of them by default), and a number from which
# all that is tried follows (0: another one each time). SOON=1 leaves Analysis, Exports, Plugins and
# what else Package.swift names unoptimized: built in a third of the time, and four times slower.
TIME ?= 30
FUZZ ?=
SEED ?= 0
SOON ?=
CAPTURE ?= Captures/museum-walk.btsnoop.gz
PREFIX ?= /usr/local
TOOL ?=
SCRATCH ?= .build
DESTDIR ?=
# Where the built programs are, and where the files are laid out before they are copied.
BUILT ?= .build/release
STAGE ?= .build/stage
RELEASE = .build/release/beacontrace

# Imports that a target has not declared are errors.
BUILD = $(SWIFT) build --explicit-target-dependency-import-check error
# The Swift runtime goes into the program: it runs where there is no toolchain. A build id would
# tell one checkout's program from another's.
# So does Lua, where its package has it to be linked in: a rule is called a sixth faster, and the
# guard meets the Lua that it was tested with.
# And so does libstdc++, which the Swift runtime needs, where the compiler has it so: four thousand names
# less to be looked up, and a millisecond, at every start.
# No libraries are looked for beside the program, and its hundred thousand relocations are packed, which
# lld can: it is two megabytes less and starts half a millisecond sooner.
# Nor has it debug information, which nobody is given, and which takes a fifteenth of the compiler's time.
# Generic types are made by calls, and not of their names at run time: the runtime looks through all conformances of
# the program for each of these, which was a fifth of what a run over a small capture costs.
PARTS = .build/pkgconfig
BUILD_RELEASE = $(BUILD) -c release -debug-info-format none --static-swift-stdlib --disable-local-rpath \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
  -Xswiftc -use-ld=lld -Xlinker -zpack-relative-relocs -Xlinker --build-id=none \
  -Xlinker -L"$(CURDIR)/$(PARTS)" --pkg-config-path "$(CURDIR)/$(PARTS)"

# The date of manual pages and package: the last commit's, the changelog's where there is no git.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || date -r CHANGELOG.md +%s)

.PHONY: demo test tests fuzz build lint deps clean help parts install uninstall deb bench bench-check

help:
	@sed -n '1,/^$$/s/^# \{0,1\}//p' Makefile

demo: build
	@echo
	@$(RELEASE) analyze --report .build/report.html $(CAPTURE)
	@echo "Open it in a browser: everything above, and each event's frames."
	@echo
	@echo "Your own captures:  $(RELEASE) analyze FILE…"

build: deps
	@mkdir -p $(PARTS) && rm -f $(PARTS)/lua5.4.pc $(PARTS)/libstdc++.a
	@archive=$$(cc -print-file-name=libstdc++.a 2>/dev/null) && [ -e "$$archive" ] && \
	  ln -s "$$archive" $(PARTS)/libstdc++.a || true
	@if [ -e "$$(pkg-config --variable=libdir lua5.4)/liblua5.4.a" ]; then \
	  printf 'Name: Lua\nDescription: to be linked in\nVersion: %s\nCflags: %s\nLibs: -L%s -l:liblua5.4.a\n' \
	    "$$(pkg-config --modversion lua5.4)" "$$(pkg-config --cflags lua5.4)" \
	    "$$(pkg-config --variable=libdir lua5.4)" >$(PARTS)/lua5.4.pc; fi
	$(BUILD_RELEASE) --product beacontrace

# The program, and what writes its manual pages.
parts: build
	@sh .ci/install $(SWIFT) strip
	$(BUILD_RELEASE) --product Manual

install: parts
	@sh .ci/stage "$(BUILT)" site-functions "$(STAGE)"
	@sh .ci/place "$(STAGE)" "$(DESTDIR)$(PREFIX)"
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) program=beacontrace ;; *) program="$(DESTDIR)$(PREFIX)/bin/beacontrace" ;; esac; \
	  echo "Installed below $(DESTDIR)$(PREFIX). Start with: $$program --help"; \
	  [ "$$program" = beacontrace ] || echo "(beacontrace alone where $(PREFIX)/bin is in PATH.)"

uninstall:
	@sh .ci/place --remove "$(DESTDIR)$(PREFIX)"

deb: parts
	@sh .ci/install $(SWIFT) dpkg-shlibdeps
	@sh .ci/deb "$(BUILT)" .build

# YARDSTICK=program compares with it, BIG=1 adds a pipe of 20 GB, QUICK=1 only tries the scripts.
bench: build
	$(BUILD_RELEASE) --product Measure
	$(BUILD_RELEASE) --product Stages
	@sh Benchmarks/bench "$(BUILT)"

# UPDATE=1 writes the thresholds anew.
bench-check: build
	$(BUILD_RELEASE) --product Stages
	@sh Benchmarks/check "$(BUILT)"

# TOOL=program tests it, instead of the one that is built for tests; TESTBUILD=options go to that build, and
# SCRATCH=folder has it there, beside another one.
test: lint tests
	BEACONTRACE_TOOL="$(abspath $(TOOL))" $(SWIFT) test --scratch-path "$(SCRATCH)" --skip-build --skip 'DeathTests'
	$(SWIFT) test --scratch-path "$(SCRATCH)" --skip-build --filter 'DeathTests'

tests: deps
	$(BUILD) $(TESTBUILD) --scratch-path "$(SCRATCH)" --product beacontracePackageTests

# libFuzzer with AddressSanitizer; finds stay below .build/fuzz/finds.
fuzz: deps
	@SEED=$(SEED) SOON=$(SOON) bash .ci/fuzz "$(SWIFT)" "$(TIME)" $(FUZZ)

lint: deps
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Benchmarks

deps:
	@sh .ci/install $(SWIFT)

clean:
	rm -rf .build
