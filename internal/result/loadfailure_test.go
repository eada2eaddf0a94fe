package result

import (
	"reflect"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/numbers/objective"
	"github.com/tarebench/tare/record"
)

func TestFailuresOf(t *testing.T) {
	n := &record.Load{
		Completed: 1000, Errors: map[string]int64{"server": 12, "timeout": 3, "not_found": 9},
		Failures: []record.Failure{
			{Name: "GET", Class: "server", Status: "503", Count: 2, First: "busy"},
			{Name: "GET", Class: "server", Status: "500", Count: 10},
			{Name: "PUT", Class: "timeout", Count: 3},
		},
	}
	want := []Failure{
		{"GET", "server", "500", 10, 0.01, ""}, // which of the two the class's first was is not known
		{"PUT", "timeout", "", 3, 0.003, "late"},
		{"GET", "server", "503", 2, 0.002, "busy"},
	}
	if got := failuresOf(n, map[string]string{"server": "of both", "timeout": "late"}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	n.Failures = nil // as older records are
	want = []Failure{{"", "server", "", 12, 0.012, "of both"}, {"", "timeout", "", 3, 0.003, ""}}
	if got := failuresOf(n, map[string]string{"server": "of both"}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestSumFailures(t *testing.T) {
	got := SumFailures([]Load{
		{Operations: 100, Failures: []Failure{{"GET", "server", "503", 5, 0.05, ""}}},
		{Operations: 300, Failures: []Failure{{"GET", "timeout", "", 1, 0, "late"}, {"GET", "server", "503", 3, 0.01, "busy"}}},
	})
	want := []Failure{{"GET", "server", "503", 8, 0.02, "busy"}, {"GET", "timeout", "", 1, 0.0025, "late"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestErrorsAreNoRate: a server that refuses half of what it is asked achieves half the rate.
func TestErrorsAreNoRate(t *testing.T) {
	l := &Load{Phase: record.LoadRun, TargetRate: 1000, Achieved: 1000, Wall: 1e9, Scheduled: 1000, Started: 1000, Operations: 1000, Errors: 500, Workers: 2}
	l.traffic(&record.Load{Completed: 1000, Sent: 2000, Received: 3000, Statuses: map[string]int64{"200": 500, "503": 500}})
	if l.OKRate != 500 || l.SentRate != 2000 || l.ReceivedRate != 3000 || l.Statuses["503"] != 500 {
		t.Errorf("%+v", l)
	}
	if missed, words := verdict(l, &record.LoadConfig{}, 0); !missed || !strings.Contains(words, "achieved 1000/s, 500/s of it without an error") {
		t.Errorf("%v: %s", missed, words)
	}
	for text, met := range map[string]bool{"rate>=99%": false, "rate>=400/s": true, "rate>=600/s": false} {
		o, err := objective.Parse(text)
		must(t, err)
		if out := judge([]objective.Objective{o}, l, nil)[0]; out.Met != met || !strings.Contains(out.Text, "500/s") || !strings.HasSuffix(out.Text, "without an error") {
			t.Errorf("%s: %+v", text, out)
		}
	}
}

// TestNamesInAnyCase: the operations of gRPC have names like Get.
func TestNamesInAnyCase(t *testing.T) {
	l := &Load{Operations: 10}
	rows := []Latency{{Name: "GetOrder", Kind: record.TagService, Percentiles: summaryOf(t, "steady").Latencies[0].Percentiles}, {Name: "GET/first-byte", Kind: record.TagService, Percentiles: summaryOf(t, "steady").Latencies[0].Percentiles}}
	for _, text := range []string{"getorder errors<1%", "GetOrder errors<1%", "get/first-byte errors<1%"} {
		o, err := objective.Parse(text)
		must(t, err)
		if out := judge([]objective.Objective{o}, l, rows)[0]; !out.Met {
			t.Errorf("%s: %+v", text, out)
		}
	}
}
