package servers

import (
	"encoding/json"
	"fmt"
	"strings"
)

// books are the counts of a load run, as its JSON has them.
type books struct {
	Load      *counts
	Latencies []struct {
		Name, Kind        string
		Count, Unanswered int64
	}
}

// noCounts is what a run that failed before its measured phase may say.
const noCounts = "there are no counts"

type counts struct {
	ClosedLoop                                                                bool `json:"closed_loop"`
	Scheduled, Started, Operations, Errors, Dropped, Unsent, Unfinished, Lost int64
}

// check returns what does not add up, "" if everything does. Requests is the number of
// them that the server had read, phases before the run included.
func check(output string, requests int64) (string, error) {
	var b books
	if err := json.Unmarshal([]byte(output), &b); err != nil {
		return "", err
	}
	if b.Load == nil {
		return noCounts, nil
	}
	l := b.Load
	switch {
	case l.Scheduled != l.Started+l.Dropped+l.Unsent+l.Lost:
		return fmt.Sprintf("%d scheduled, but %d started + %d dropped + %d unsent + %d lost", l.Scheduled, l.Started, l.Dropped, l.Unsent, l.Lost), nil
	case l.Started != l.Operations+l.Unfinished:
		return fmt.Sprintf("%d started, but %d completed or failed + %d unfinished", l.Started, l.Operations, l.Unfinished), nil
	case l.Errors > l.Operations:
		return fmt.Sprintf("%d errors of %d operations", l.Errors, l.Operations), nil
	case l.Operations-l.Errors > requests:
		return fmt.Sprintf("%d operations succeeded, but the server read %d requests", l.Operations-l.Errors, requests), nil
	}
	return l.times(b), nil
}

// times compares the operations with the latencies: each that succeeded has one.
func (l *counts) times(b books) string {
	kind := "response"
	if l.ClosedLoop {
		kind = "service"
	}
	answered, unanswered, kinds := int64(0), int64(0), int64(0)
	for _, x := range b.Latencies {
		if x.Kind == kind && !strings.Contains(x.Name, "/") { // parts of operations are no operations
			answered, unanswered = answered+x.Count, unanswered+x.Unanswered
			kinds++
		}
	}
	if answered != l.Operations-l.Errors {
		return fmt.Sprintf("%d operations have a %s time, but %d succeeded", answered, kind, l.Operations-l.Errors)
	}
	// The kind of operations that were never sent is unknown. Each kind gets its share of them, rounded up.
	if unanswered > l.Unfinished+l.Unsent+max(kinds-1, 0) {
		return fmt.Sprintf("%d %s times are of operations without an answer, of which there are %d", unanswered, kind, l.Unfinished+l.Unsent)
	}
	return ""
}
