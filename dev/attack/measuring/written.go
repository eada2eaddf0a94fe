//go:build linux

package measuring

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"

	"github.com/tarebench/tare/hist"
)

// written is what a record file has, read without any code that reports.
type written struct {
	lines     int            // complete ones
	forks     int            // timed forks that did not fail
	failed    int            // timed forks that did: one that is killed does
	starved   int            // of forks, those that waited too long for a processor and may be excluded
	profiled  map[string]int // forks of other purposes that did not fail
	responses int64          // operations of the measured phase, by the histograms of whole intervals
	whole     []byte         // the complete lines
	ended     bool           // the last line says that the run is complete
}

// read counts what is in a record. A file that is not there has nothing.
func read(path string) (w written, err error) {
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return w, nil
	}
	w.whole = data[:bytes.LastIndexByte(data, '\n')+1]
	phase, pending := "", int64(0)
	for line := range bytes.Lines(w.whole) {
		var l struct {
			K, Purpose, State, Phase, Tag, Data string
			Starved                             bool
		}
		if err := json.Unmarshal(line, &l); err != nil {
			return w, err
		}
		w.lines++
		switch {
		case l.K == "fork" && l.State == "ok" && l.Purpose == "timing":
			w.forks++
			if l.Starved {
				w.starved++
			}
		case l.K == "fork" && l.Purpose == "timing":
			w.failed++
		case l.K == "fork" && l.State == "ok":
			if w.profiled == nil {
				w.profiled = map[string]int{}
			}
			w.profiled[l.Purpose]++
		case l.K == "load":
			// Only the next interval shows that the last one is whole: reports leave out one that may be cut.
			w.responses += pending
			phase, pending = l.Phase, 0
		case l.K == "hist" && l.Tag == "response" && phase == "run":
			n, err := count(l.Data)
			if err != nil {
				return w, err
			}
			pending += n
		}
		w.ended = l.K == "end" && l.State == "completed"
	}
	return w, err
}

func count(payload string) (int64, error) {
	data, err := base64.StdEncoding.DecodeString(payload)
	if err != nil {
		return 0, err
	}
	h, err := hist.Decode(data)
	if err != nil {
		return 0, err
	}
	return h.Count(), nil
}

// reportedForks counts the forks of a report in Go's benchmark format, which has a line for each.
func reportedForks(text string) (n int) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "Benchmark") {
			n++
		}
	}
	return n
}

// reportedResponses are the operations with a response time in a report as JSON, of a search or a sweep those of all
// steps.
func reportedResponses(text string) (n int64, err error) {
	type latencies []struct {
		Kind  string
		Count int64
	}
	var report struct {
		Latencies latencies
		Steps     []struct{ Latencies latencies }
	}
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		return 0, err
	}
	all := []latencies{report.Latencies}
	if len(report.Steps) > 0 { // a search has the latencies of its last step twice
		all = nil
		for _, s := range report.Steps {
			all = append(all, s.Latencies)
		}
	}
	for _, rows := range all {
		for _, l := range rows {
			if l.Kind == "response" {
				n += l.Count
			}
		}
	}
	return n, nil
}

// has reports whether there is a fork of each purpose.
func (w written) has(purposes []string) bool {
	for _, p := range purposes {
		if w.profiled[p] == 0 {
			return false
		}
	}
	return len(purposes) > 0
}
