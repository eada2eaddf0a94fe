package profile

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	pprof "github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/binary/pprofio"
)

// maxSize bounds a profile, packed and unpacked.
const maxSize = 1 << 28

// Read reads a profile in the format of pprof, gzipped or not. Secrets of addresses in it are hidden.
func Read(data []byte) (*pprof.Profile, error) {
	if len(data) == 0 {
		return nil, errors.New("profile: it is empty: the program ended before it was written")
	}
	p, err := pprofio.Profile(bytes.NewReader(data), maxSize)
	if err != nil {
		return nil, fmt.Errorf("profile: %w", err)
	}
	if len(p.SampleType) == 0 {
		return nil, errors.New("profile: it has no sample types")
	}
	hideSecrets(p)
	return p, nil
}

// hideSecrets hides secrets of addresses in names and labels, which are of others.
func hideSecrets(p *pprof.Profile) {
	for _, f := range p.Function {
		f.Name, f.SystemName, f.Filename = redact.Name(f.Name), redact.Name(f.SystemName), redact.Name(f.Filename)
	}
	for _, s := range p.Sample {
		for _, values := range s.Label {
			for i, v := range values {
				values[i] = redact.Name(v)
			}
		}
	}
}

// typeIndex returns the index of a sample type. For "" it is the profile's default type, or the last.
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
