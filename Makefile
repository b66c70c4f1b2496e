# One command for each habit. "make" lists them.

FUZZTIME ?= 10m
KILLS ?= 200
BENCH ?= .
PLATFORMS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
LARGEST = 20000000

.PHONY: help build test race lint fuzz crash hashes bench vuln licenses docs cross ci

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

build: export CGO_ENABLED = 0
build: ## bin/oxbase, as it is released, under 20 MB
	go build -trimpath -ldflags '-s -w' -o bin/oxbase ./cmd/oxbase
	@size=$$(wc -c < bin/oxbase); echo "bin/oxbase: $$size bytes"; test $$size -lt $(LARGEST)

test: ## all tests
	go test ./...

race: ## all tests under the race detector
	go test -race ./...

lint: ## formatting, vet and staticcheck
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "gofmt would change: $$unformatted" >&2; exit 1; }
	go vet ./...
	go tool staticcheck ./...

fuzz: ## each fuzz target for FUZZTIME (10m)
	@set -e; for package in $$(go list ./...); do \
		for target in $$(go test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
			echo "== $$package $$target"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$package; \
		done; \
	done

crash: ## KILLS (200) builds killed at random moments
	go test ./cmd/oxbase -run TestKilledBuilds -kills $(KILLS) -v

hashes: ## the bytes of all standard games, also of those that take minutes and gigabytes
	go test ./cmd/oxbase -run TestHashes -big -timeout 60m -v

bench: ## the benchmarks that BENCH (.) matches, one package after the other
	go test -p 1 -run '^$$' -bench '$(BENCH)' -benchmem ./...

vuln: ## known vulnerabilities of what is in the program
	.ci/vuln

licenses: ## write THIRD_PARTY_LICENSES anew
	go test ./cmd/oxbase -count 1 -run TestThirdPartyLicenses -update

docs: ## manual pages and completions, into bin
	go run ./cmd/oxbase docs bin

cross: export CGO_ENABLED = 0
cross: ## build and vet for all platforms, a minute each when nothing is cached
	@set -e; for platform in $(PLATFORMS); do \
		echo "== $$platform"; \
		export GOOS=$${platform%/*} GOARCH=$${platform#*/}; \
		go build -o /dev/null ./cmd/oxbase; \
		go vet ./...; \
	done
	@for processor in 386 arm; do \
		echo "== $$processor, which is refused"; \
		refusal=$$(GOOS=linux GOARCH=$$processor go build ./game 2>&1 | grep -v '^#'); \
		echo "$$refusal"; \
		test "$${refusal##* }" = oxbase_needs_a_64_bit_processor || exit 1; \
	done

ci: ## what a change must pass
	.ci/run
