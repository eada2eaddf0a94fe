package grpc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/tarebench/tare/load"
)

// maxCode is the highest status code.
const maxCode = codes.Unauthenticated

// codeSet are the expected status codes.
type codeSet [maxCode + 1]bool

// parseCodes reads a list of codes: NotFound, NOT_FOUND or 5.
func parseCodes(text string) (codeSet, error) {
	var s codeSet
	for item := range strings.SplitSeq(text, ",") {
		c, ok := parseCode(strings.TrimSpace(item))
		if !ok {
			return s, fmt.Errorf("%q is no status code; want %s", item, strings.Join(codeNames(), ", "))
		}
		s[c] = true
	}
	return s, nil
}

func parseCode(text string) (codes.Code, bool) {
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	if n, err := strconv.ParseUint(text, 10, 8); err == nil {
		return codes.Code(n), codes.Code(n) <= maxCode
	}
	for c := range maxCode + 1 {
		if plain(text) == plain(c.String()) || plain(text) == "cancelled" && c == codes.Canceled {
			return c, true
		}
	}
	return 0, false
}

func codeNames() []string {
	var names []string
	for c := range maxCode + 1 {
		names = append(names, c.String())
	}
	return names
}

// has reports whether a code is expected.
func (s *codeSet) has(c codes.Code) bool { return int(c) < len(s) && s[c] }

// classOf returns the class of a status that the server returned.
func classOf(c codes.Code) string {
	switch c {
	case codes.OK:
		return load.ClassStatus
	case codes.DeadlineExceeded:
		return load.ClassTimeout
	case codes.Canceled:
		return load.ClassCanceled
	case codes.Unimplemented:
		return load.ClassUnsupported
	case codes.InvalidArgument, codes.NotFound, codes.AlreadyExists, codes.PermissionDenied, codes.Unauthenticated, codes.FailedPrecondition, codes.OutOfRange:
		return load.ClassClient
	}
	return load.ClassServer
}

// errOK is the error of a call that succeeded, where that is not expected.
var errOK = load.WithStatus("OK", load.WithClass(load.ClassStatus, errors.New("status OK")))
