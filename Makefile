# make alone prints its targets.

.PHONY: help
help: ## print this
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

.PHONY: build
build: ## build the command into ./tare
	go build -o tare ./cmd/tare

.PHONY: test
test: ## run the tests
	go test ./...

.PHONY: race
race: ## run the tests under the race detector
	go test -race ./...

.PHONY: golden
golden: ## write the golden files anew; look at the difference before you commit it
	go test ./report ./summary ./hist ./footprint ./prof/usage ./internal/layout ./internal/cli ./internal/selftest -update

.PHONY: fuzz
fuzz: ## fuzz each target for 30 s
	@for pkg in $$(git grep -l '^func Fuzz' -- '*_test.go' | xargs -n1 dirname | sort -u); do \
	  for f in $$(grep -hoE '^func Fuzz[A-Za-z0-9_]+' $$pkg/*_test.go | cut -c6-); do \
	    go test -run '^$$' -fuzz "^$$f$$" -fuzztime 30s ./$$pkg || exit 1; \
	  done; \
	done

.PHONY: suites
suites: build ## compare Go caches by memory and throughput, scaled to a small machine
	cd suites/caches && ../../tare bench --bench ReadThrough --env CACHES=scaled --prof mem,-heap --forks 11 --prof-forks 11 \
	  --iterations 1 --time 100ms --confidence 0.999 -o caches.jsonl .
	cd suites/caches && go run ./cmd/results -o results -commit "$$(git describe --always --dirty)" caches.jsonl

.PHONY: check
check: ## everything that must hold before a change lands
	.ci/run
