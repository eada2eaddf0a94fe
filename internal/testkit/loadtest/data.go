package loadtest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tarebench/tare/load/kv"
)

// text returns n random bytes of the alphabet, or a few less if characters have
// several bytes.
func (a Alphabet) text(rng *rand.Rand, n int) string {
	var b strings.Builder
	for b.Len() < n {
		switch a {
		case Bytes:
			b.WriteByte(byte(rng.Uint32()))
		case Plain:
			b.WriteByte('!' + byte(rng.IntN('~'-'!'+1)))
		default:
			chars := []rune("aZ09 \t\n\"'\\%_:;,{}\u00e4\u00df\u0434\u20ac\u8a9e\U0001F422\u0301\uffff\x01\x7f")
			c := string(chars[rng.IntN(len(chars))])
			if b.Len()+len(c) > n {
				c = "x"
			}
			b.WriteString(c)
		}
	}
	return b.String()
}

// full returns a record of n fields, each of up to max bytes.
func (k *kit) full(n, max int) rec {
	r := rec{}
	for f := range n {
		r[f] = k.c.Values.text(k.rng, k.rng.IntN(max+1))
	}
	return r
}

// some returns the listed fields of a record; nil means all.
func (r rec) some(fields []int) rec {
	if fields == nil {
		return r
	}
	got := rec{}
	for _, f := range fields {
		if v, ok := r[f]; ok {
			got[f] = v
		}
	}
	return got
}

// with returns a copy in which the values of u replace those of r.
func (r rec) with(u rec) rec {
	n := maps.Clone(r)
	maps.Copy(n, u)
	return n
}

func equal(a, b rec) bool { return maps.Equal(a, b) }

// differ describes the first difference between the record that was read and the
// expected one.
func differ(got, want rec) error {
	for _, f := range slices.Sorted(maps.Keys(want)) {
		switch v, ok := got[f]; {
		case !ok:
			return fmt.Errorf("field %d is missing, want %s", f, short(want[f]))
		case v != want[f]:
			return fmt.Errorf("field %d is %s, want %s", f, short(v), short(want[f]))
		}
	}
	for _, f := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[f]; !ok {
			return fmt.Errorf("field %d is %s, want none", f, short(got[f]))
		}
	}
	return nil
}

func short(s string) string {
	if len(s) > 40 {
		return fmt.Sprintf("%.40q… (%d bytes)", s, len(s))
	}
	return fmt.Sprintf("%q", s)
}

// expect reads a record and compares it.
func (s *session) expect(key string, fields []int, want rec) error {
	got, err := s.read(key, fields)
	if err == nil {
		err = differ(got, want.some(fields))
	}
	if err != nil {
		return fmt.Errorf("read %s, fields %v: %w", short(key), fields, err)
	}
	return nil
}

// expectNone reads a record that must not exist.
func (s *session) expectNone(key string) error {
	got, err := s.read(key, nil)
	if err == nil {
		return fmt.Errorf("read %s: there is a record of %d fields, want not found", short(key), len(got))
	}
	if !errors.Is(err, kv.ErrNotFound) {
		return fmt.Errorf("read %s: %w, want not found", short(key), err)
	}
	if errors.Is(err, errBadDst) || errors.Is(err, errChangedArgs) {
		return err
	}
	return nil
}

// must ends the check on an error.
func (k *kit) must(err error) {
	k.Helper()
	if err != nil {
		k.Fatal(err)
	}
}

// want reports an error and continues the check.
func (k *kit) want(err error) {
	k.Helper()
	if err != nil {
		k.Error(err)
	}
}

// notFound checks the error of an update or delete of a missing record.
func (k *kit) notFound(what string, err error) {
	k.Helper()
	switch {
	case k.c.Blind && err == nil:
	case !errors.Is(err, kv.ErrNotFound):
		k.Errorf("%s: error %v, want not found", what, err)
	}
}
