package profile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"

	pprof "github.com/google/pprof/profile"
)

// maxSize bounds a profile, packed and unpacked, so that a damaged one cannot take all
// memory: a byte may unpack to 1000.
const maxSize = 1 << 28

// Read reads a profile in the format of pprof, gzipped or not.
func Read(data []byte) (*pprof.Profile, error) {
	if len(data) == 0 {
		return nil, errors.New("profile: it is empty: the program ended before it was written")
	}
	data, err := unpacked(data)
	if err == nil && len(data) > maxSize {
		return nil, fmt.Errorf("profile: more than %d bytes are not read", maxSize)
	}
	var p *pprof.Profile
	if err == nil {
		p, err = pprof.ParseUncompressed(data)
	}
	if err != nil {
		return nil, fmt.Errorf("profile: not a whole profile of pprof, it may be cut off: %w", err)
	}
	if err := p.CheckValid(); err != nil {
		return nil, fmt.Errorf("profile: damaged: %w", err)
	}
	if len(p.SampleType) == 0 {
		return nil, errors.New("profile: it has no sample types")
	}
	return p, nil
}

// unpacked is at least a byte too much of what is too large.
func unpacked(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(z, maxSize+1))
}

// typeIndex finds a sample type; "" is the one that the profile prefers, or its last.
func typeIndex(p *pprof.Profile, name string) (int, error) {
	var names []string
	for _, t := range p.SampleType {
		names = append(names, t.Type)
	}
	if name == "" {
		if i := slices.Index(names, p.DefaultSampleType); i >= 0 {
			return i, nil
		}
		return len(names) - 1, nil
	}
	if i := slices.Index(names, name); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("profile: no sample type %q: there are %q", name, names)
}
