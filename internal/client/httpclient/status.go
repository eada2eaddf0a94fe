package httpclient

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/tarebench/tare/load"
)

// Statuses are a set of status codes.
type Statuses [1000]bool

// ParseStatuses reads a list of statuses and ranges, as 200-299,304.
func ParseStatuses(text string) (Statuses, error) {
	var s Statuses
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

// Has reports whether a status is in the set.
func (s *Statuses) Has(status int) bool { return status >= 0 && status < len(s) && s[status] }

// Check returns an error for a status that is not in the set.
func (s *Statuses) Check(status int) error {
	if s.Has(status) {
		return nil
	}
	class := load.ClassStatus
	switch status / 100 {
	case 4:
		class = load.ClassClient
	case 5:
		class = load.ClassServer
	}
	return load.WithStatus(strconv.Itoa(status), load.WithClass(class, fmt.Errorf("status %d %s", status, http.StatusText(status))))
}
