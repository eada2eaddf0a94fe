package history

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// The kinds of lines of an entry. A file begins with its line of kind "entry". Readers pass over kinds that they do not know.
const (
	kindEntry   = "entry"
	kindSeries  = "series"
	kindGap     = "gap"
	kindVerdict = "verdict"
)

// MaxEntry is the size in bytes above which an entry is not read.
const MaxEntry = 64 << 20

// Encode returns the content of the entry's file. Equal entries have equal contents. It fails for an entry that
// decode would refuse.
func Encode(e *Entry) ([]byte, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err := writeLine(&out, struct {
		Kind    string `json:"k"`
		Version int    `json:"v"`
		*Entry
	}{kindEntry, Version, e})
	for i := range e.Series {
		err = errors.Join(err, writeLine(&out, struct {
			Kind string `json:"k"`
			*Series
		}{kindSeries, &e.Series[i]}))
	}
	for i := range e.Gaps {
		err = errors.Join(err, writeLine(&out, struct {
			Kind string `json:"k"`
			*Gap
		}{kindGap, &e.Gaps[i]}))
	}
	for i := range e.Verdicts {
		err = errors.Join(err, writeLine(&out, struct {
			Kind string `json:"k"`
			*Verdict
		}{kindVerdict, &e.Verdicts[i]}))
	}
	return out.Bytes(), err
}

func writeLine(out *bytes.Buffer, line any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc.Encode(line)
}

// check returns an error for an entry that cannot be kept.
func (e *Entry) check() error {
	if !isHash(e.Commit) {
		return fmt.Errorf("%q is no commit", e.Commit)
	}
	if e.Tree != "" && !isHash(e.Tree) {
		return fmt.Errorf("%q is no tree", e.Tree)
	}
	for _, s := range e.Series {
		if s.Name == "" || s.Unit == "" || len(s.Values) == 0 {
			return fmt.Errorf("a series of %q without a name, a unit or values", s.Pkg)
		}
		for _, x := range s.Values {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("%s %s: a value is not finite", s.Name, s.Unit)
			}
		}
	}
	return nil
}

// isHash reports whether a text is the whole name of an object of git.
func isHash(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	_, err := hex.DecodeString(s)
	return err == nil
}

var errNoEntry = errors.New("does not begin with an entry")

// decode reads the content of an entry's file. keep says which benchmarks are read; nil for all. It fails for a file with a
// line that is damaged.
func decode(text []byte, keep func(Key) bool, names *names) (*Entry, error) {
	var e *Entry
	number := 0
	for line := range bytes.Lines(text) {
		if number++; len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if e == nil {
			var err error
			if e, err = decodeHead(line); err != nil {
				return nil, err
			}
			continue
		}
		if err := e.add(line, keep, names); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if e == nil {
		return nil, errNoEntry
	}
	return e, e.check()
}

func decodeHead(line []byte) (*Entry, error) {
	e := &Entry{}
	head := struct {
		Kind    string `json:"k"`
		Version int    `json:"v"`
		*Entry
	}{Entry: e}
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	switch {
	case head.Kind != kindEntry:
		return nil, errNoEntry
	case head.Version > Version:
		return nil, fmt.Errorf("has version %d of the format, and this program reads up to %d", head.Version, Version)
	}
	return e, nil
}

// kindPrefix is how every line begins that this package writes.
const kindPrefix = `{"k":"`

// kindOf returns the kind of a line.
func kindOf(line []byte) string {
	if rest, ok := bytes.CutPrefix(line, []byte(kindPrefix)); ok {
		if end := bytes.IndexByte(rest, '"'); end >= 0 {
			return string(rest[:end])
		}
	}
	var l struct {
		Kind string `json:"k"`
	}
	json.Unmarshal(line, &l) // an error is found again by who reads the whole line
	return l.Kind
}

func (e *Entry) add(line []byte, keep func(Key) bool, names *names) error {
	switch kindOf(line) {
	case kindSeries:
		s, ok := fastSeries(line, names)
		if !ok {
			s = Series{}
			if err := json.Unmarshal(line, &s); err != nil {
				return err
			}
		}
		if keep == nil || keep(s.Key) {
			e.Series = append(e.Series, s)
		}
	case kindGap:
		var g Gap
		if err := json.Unmarshal(line, &g); err != nil {
			return err
		}
		e.Gaps = append(e.Gaps, g)
	case kindVerdict:
		var v Verdict
		if err := json.Unmarshal(line, &v); err != nil {
			return err
		}
		e.Verdicts = append(e.Verdicts, v)
	default:
		if !json.Valid(line) {
			return errors.New("is no JSON")
		}
	}
	return nil
}
