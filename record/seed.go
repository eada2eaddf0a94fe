package record

import (
	"fmt"
	"strconv"
	"strings"
)

// Seed determines the order of a run and the operations of a load. Every value is
// valid. It is written as hexadecimal text, because many JSON readers keep only 53
// bits of a number.
type Seed uint64

// ParseSeed reads a seed in the form of [Seed.String], with or without "0x".
func ParseSeed(s string) (Seed, error) {
	hex := s
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X") {
		hex = s[2:]
	}
	n, err := strconv.ParseUint(hex, 16, 64)
	if err != nil {
		return 0, fmt.Errorf("seed %q: want 1 to 16 hexadecimal digits, such as 7f3a", s)
	}
	return Seed(n), nil
}

// String returns the seed as hexadecimal digits without a prefix: "7f3a".
func (s Seed) String() string { return strconv.FormatUint(uint64(s), 16) }

// MarshalText implements [encoding.TextMarshaler].
func (s Seed) MarshalText() ([]byte, error) {
	return strconv.AppendUint(nil, uint64(s), 16), nil
}

// UnmarshalText implements [encoding.TextUnmarshaler] in the form of [ParseSeed].
func (s *Seed) UnmarshalText(text []byte) error {
	n, err := ParseSeed(string(text))
	if err != nil {
		return err
	}
	*s = n
	return nil
}
