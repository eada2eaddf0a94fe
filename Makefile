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

.PHONY: test-all
test-all: ## run the tests of all modules (those of suites need their rivals' programs)
	for dir in . full lab dev $$(git ls-files 'suites/*/go.mod' | xargs -n1 dirname); do go -C $$dir test ./... || exit 1; done

.PHONY: race
race: ## run the tests under the race detector
	go test -race ./...

.PHONY: golden
golden: ## write the golden files anew; look at the difference before you commit it
	TARE_LONG=1 go test $$(git grep -lE 'flag\.Bool\("update"' -- '*_test.go' ':!suites' ':!load/ycsb' ':!dev' ':!full' ':!lab' | xargs -n1 dirname | sort -u | sed "s,^,./,") -update
	go -C dev test ./docs -update

.PHONY: fuzz
fuzz: ## fuzz each target for 30 s
	bash -c 'source .ci/lib.sh && fuzz_all 30s'

# ATTACK="-scale 0.1" makes a tenth of it, ATTACK="-only kill" some of it.
.PHONY: attack
attack: ## damaged files for every reader, kills during every verb; prints what survived (hours)
	go -C dev run -trimpath ./attack -keep attack-findings $(ATTACK)

# What is known is in breadth-results, so that it goes on where it was; BREADTH="-only std/net" runs some packages.
.PHONY: breadth
breadth: ## run the benchmarks of the standard library and of well-known modules under go test and tare; prints in what they differ (hours)
	go -C dev run -trimpath ./breadth -page docs/method.md $(BREADTH)

.PHONY: suites
suites: suites-caches suites-caches-scaled suites-caches-collectors suites-caches-equal suites-arrays suites-queues suites-http suites-examples ## all comparisons, at the articles' sizes (hours)

.PHONY: why
why: build ## tare why on the seeded changes of suites/why (an hour)
	cd suites/why && go run ./cmd/judge -tare ../../tare

.PHONY: limits
limits: ## how close tare is to what the machine allows; writes docs/limits.md and the README's figures (20 minutes)
	go -C dev run -trimpath ./limits -page docs/limits.md -readme README.md

.PHONY: suites-caches
suites-caches: build ## compare Go caches by memory and throughput, at the article's size (1 hour)
	cd suites/caches && ../../tare bench --bench ReadThrough --env CACHES=full --prof mem,-heap --forks 11 --prof-forks 11 \
	  --warmup 1 --iterations 1 --time 2s --confidence 0.999 -o full.jsonl .
	cd suites/caches && ../../tare bench --bench ReadThrough --env CACHES=full --prof mem --forks 1 --prof-forks 1 \
	  --warmup 0 --iterations 1 --benchtime 1000000x -o heaps.jsonl .
	cd suites/caches && go run ./cmd/results -o results -commit "$$(git describe --always --dirty)" -heaps heaps.jsonl full.jsonl

.PHONY: suites-caches-scaled
suites-caches-scaled: build ## the same, scaled to a small machine (5 minutes)
	cd suites/caches && ../../tare bench --bench ReadThrough --env CACHES=scaled --prof mem,-heap --forks 11 --prof-forks 11 \
	  --iterations 1 --time 100ms --confidence 0.999 -o caches.jsonl .
	cd suites/caches && go run ./cmd/results -o results -commit "$$(git describe --always --dirty)" caches.jsonl

# Two that allocate much for each get, so that there is something to collect.
.PHONY: suites-caches-collectors
suites-caches-collectors: build ## compare Go's collectors and GOGC under caches (7 minutes)
	cd suites/caches && ../../tare bench --bench 'ReadThrough////cache=(otter|ttlcache)' --env CACHES=scaled --gc-before --prof mem,-heap \
	  --side-env greentea=GOEXPERIMENT= --side-env marksweep=GOEXPERIMENT=nogreenteagc \
	  --side-env gogc50=GOGC=50 --side-env gogc200=GOGC=200 \
	  --forks 11 --prof-forks 11 --iterations 1 --time 500ms --confidence 0.999 -o collectors.jsonl .
	cd suites/caches && go run ./cmd/results -o results -commit "$$(git describe --always --dirty)" collectors.jsonl

# SIZE=full BUDGET=200MB is the article's size (1 hour).
SIZE = scaled
BUDGET = 40MB
.PHONY: suites-caches-equal
suites-caches-equal: build ## compare Go caches that take the same memory by hit rate and throughput (10 minutes)
	cd suites/caches && equal=$$(CACHES=$(SIZE) go run ./cmd/capacities -budget $(BUDGET) -window 1s) && \
	  ../../tare bench --bench EqualMemory --env CACHES=$(SIZE) --env "CACHES_EQUAL=$$equal" --forks 11 \
	  --warmup 1 --iterations 3 --time 500ms --confidence 0.999 -o equal.jsonl .
	cd suites/caches && go run ./cmd/results -o results -commit "$$(git describe --always --dirty)" equal.jsonl

.PHONY: suites-arrays
suites-arrays: build ## fills and copies against loops over arrays, with the machine code that explains them (20 minutes)
	cd suites/arrays && for x in 1024:5000 32768:500 1048576:20; do \
	  GOEXPERIMENT=simd ../../tare bench --bench "Arrays/size=$${x%:*}\$$" --benchtime $${x#*:}x --forks 11 --iterations 9 -o $${x%:*}.jsonl . || exit 1; done
	cd suites/arrays && go run ./cmd/results -o results -commit "$$(git describe --always --dirty)" 1024.jsonl 32768.jsonl 1048576.jsonl
	cd suites/arrays && GOEXPERIMENT=simd go run ./cmd/excerpts -tare ../../tare README.md

.PHONY: suites-queues
suites-queues: ## compare queues, channels and JCTools, near and far (15 minutes)
	suites/queues/run.sh

.PHONY: suites-http
suites-http: ## tare load beside vegeta: CPU time of a request, rate, lateness (5 minutes)
	cd suites/http && go run .

.PHONY: suites-examples
suites-examples: ## the experiments of examples at the articles' sizes; prints their results (20 minutes)
	go run ./examples/forkjoin -articles -markdown -revision "$$(git describe --always --dirty)"
	go run ./cmd/tare bench --bench TypeWord --forks 20 --iterations 3 --time 100ms ./examples/falsesharing
	lab/omission/truth.sh
	lab/omission/stalls.sh
	lab/omission/noop.sh
	go -C lab run ./omission/model
	go run ./cmd/tare contrast --include 'Demo.*' --include main.nine --include main.mass --sample-interval 10ms ./examples/watched

# The pages are not committed: they are made from the help texts.
.PHONY: man
man: ## write the manual pages into ./man
	go -C dev run ./docs man man

# DOCS="docs/tutorial.md" runs the commands of one.
DOCS = README.md docs/*.md docs/verbs/*.md

.PHONY: docs
docs: ## write the help texts in docs/verbs, then run all commands of the documents and write what they print (20 minutes)
	go -C dev run ./docs help
	go -C dev run ./docs run $(DOCS)

.PHONY: check
check: ## everything that must hold before a change lands
	.ci/run

.PHONY: soak
soak: ## what takes long: stress, fuzzing, all under the race detector; every night
	.ci/soak
