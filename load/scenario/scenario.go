package scenario

import (
	"net/url"
	"regexp"
	"time"

	"github.com/tarebench/tare/internal/client/httpclient"
	"github.com/tarebench/tare/load"
	"go.yaml.in/yaml/v3"
)

// A Scenario is a file that was read.
type Scenario struct {
	File string // as it was named

	// Allow is what the file says of targets off this machine; see [load.Consent].
	Allow []string

	// Objectives of the file and of its steps, as --slo takes them.
	Objectives []string

	// Secrets are the values of its environment variables, which no output may contain.
	Secrets []string

	root         *yaml.Node // for YAML
	target       *url.URL
	insecure     bool
	cookies      bool
	poisson      bool
	phases       []load.Step
	data         []*dataFile
	transactions []*transaction
	weights      uint64 // sum
	streams      uint64 // of random numbers, in use
}

// A transaction is what a user does.
type transaction struct {
	name   string
	weight uint64
	kind   int // index of its kind; those of its steps follow
	steps  []*step
	slots  int   // captures
	data   []int // that it uses
}

// A step is a request, what its response must be, and what is taken of it.
type step struct {
	name     string
	method   string
	path     template
	source   string // of the path, for errors
	headers  []header
	host     *template // nil for that of the target
	body     *template // nil for none
	follow   int
	captures []capture
	check    check
	think    [2]time.Duration // from, to; 0 for none
	stream   uint64           // of the think time
}

type header struct {
	name   string
	value  template
	secret bool // not sent to another host
}

// A capture takes a value of a response.
type capture struct {
	name   string
	slot   int
	json   jsonPath
	header string
	regexp *regexp.Regexp
}

// A check is what a response must be.
type check struct {
	status     httpclient.Statuses
	statusText string // "" for the default
	body       *template
	regexp     *regexp.Regexp
	json       []jsonCheck
}

type jsonCheck struct {
	path jsonPath
	text string
	want template
}

// needsBody reports whether the body of the response is examined.
func (s *step) needsBody() bool {
	for i := range s.captures {
		if s.captures[i].header == "" {
			return true
		}
	}
	return s.check.body != nil || s.check.regexp != nil || len(s.check.json) > 0
}

// Transactions returns the names of the transactions, in the order of the file.
func (s *Scenario) Transactions() (all []string) {
	for _, t := range s.transactions {
		all = append(all, t.name)
	}
	return all
}

// Share returns the share of a transaction among all, by its index.
func (s *Scenario) Share(i int) float64 {
	return float64(s.transactions[i].weight) / float64(s.weights)
}

// Steps returns the names of the steps of a transaction, by its index.
func (s *Scenario) Steps(i int) (all []string) {
	for _, x := range s.transactions[i].steps {
		all = append(all, x.name)
	}
	return all
}

// Think returns the mean time that a user pauses in a transaction, and the longest.
func (s *Scenario) Think() (mean, longest time.Duration) {
	sum := 0.0
	for i, t := range s.transactions {
		var most time.Duration
		for _, x := range t.steps {
			sum += s.Share(i) * float64(x.think[0]+x.think[1]) / 2
			most += x.think[1]
		}
		longest = max(longest, most)
	}
	return time.Duration(sum), longest
}

// Target returns the address of the server, as http://host:port.
func (s *Scenario) Target() string { return s.target.String() }

// Kinds returns the names of the operations: each transaction, then its steps as
// transaction/step.
func (s *Scenario) Kinds() (all []string) {
	for _, t := range s.transactions {
		all = append(all, t.name)
		for _, x := range t.steps {
			all = append(all, t.name+"/"+x.name)
		}
	}
	return all
}
