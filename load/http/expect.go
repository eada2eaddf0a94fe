package http

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/tarebench/tare/load"
)

// statuses are the expected status codes.
type statuses [1000]bool

// parseStatuses reads a list of statuses and ranges.
func parseStatuses(text string) (statuses, error) {
	var s statuses
	for item := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(item), "-")
		if !isRange {
			last = first
		}
		from, err1 := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err1 != nil || err2 != nil || from < 100 || to > 999 || from > to {
			return s, errors.New("want statuses and ranges of them, as 200-299,304")
		}
		for n := from; n <= to; n++ {
			s[n] = true
		}
	}
	return s, nil
}

// check returns an error for a status that is not expected.
func (s *statuses) check(status int) error {
	if status >= 0 && status < len(s) && s[status] {
		return nil
	}
	class := load.ClassStatus
	switch status / 100 {
	case 4:
		class = load.ClassClient
	case 5:
		class = load.ClassServer
	}
	return load.WithClass(class, fmt.Errorf("status %d %s", status, http.StatusText(status)))
}
