# beacontrace: two commands do everything on a fresh Debian machine with a Swift 6.3 toolchain.
#
#   make demo   install what is missing, build, analyze a bundled capture
#   make test   install what is missing, check the format, build, run every test
#
# For longer: make fuzz TIME=600 FUZZ=container

SWIFT ?= swift
# make fuzz: seconds for each target, and which (all of them by default).
TIME ?= 30
FUZZ ?=
CAPTURE ?= Captures/museum-walk.btsnoop.gz
RELEASE = .build/release/beacontrace

# Imports that a target has not declared are errors.
BUILD = $(SWIFT) build --explicit-target-dependency-import-check error

.PHONY: demo test fuzz build lint deps clean help

help:
	@sed -n '1,/^$$/s/^# \{0,1\}//p' Makefile

demo: build
	@echo
	@$(RELEASE) analyze $(CAPTURE)
	@echo
	@echo "Your own captures:  $(RELEASE) analyze FILE…"

build: deps
	$(BUILD) -c release --product beacontrace

test: deps lint
	$(BUILD) --build-tests
	$(SWIFT) test --skip-build

# libFuzzer with AddressSanitizer; finds stay below .build/fuzz/finds.
fuzz: deps
	@bash .ci/fuzz "$(SWIFT)" "$(TIME)" $(FUZZ)

lint: deps
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

deps:
	@sh .ci/install $(SWIFT)

clean:
	rm -rf .build
