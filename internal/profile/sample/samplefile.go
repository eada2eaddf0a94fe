package sample

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/record"
)

// Words of the header of a room; see toolchain/_runtime/sampler/tare_sample.go.
const (
	wordMagic = iota
	wordClaimed
	wordLength
	wordAnchor
	wordStart
	wordFull
	wordRival
	wordDue
	headerWords

	headerSize = headerWords * 8
)

const roomMagic = "tarelook"

// insideVar is the variable that enables the sampler in the process.
const insideVar = "TARE_SAMPLE"

// anchorName is the function whose address the process writes, from which the load address follows.
const anchorName = "runtime.tareSampleRun"

// sampleFile is the file to which a process writes its samples. It is mapped, so that it survives any end of the
// process, and the closing of descriptors.
type sampleFile struct{ *tempdir.Place }

// newSampleFile creates a room of size bytes.
func newSampleFile(size int64) (sampleFile, error) {
	head := make([]byte, headerSize)
	copy(head, roomMagic)
	binary.NativeEndian.PutUint64(head[wordLength*8:], uint64(size))
	p, err := tempdir.File("sample", head, size)
	if err != nil {
		return sampleFile{}, fmt.Errorf("file for samples: %w", err)
	}
	return sampleFile{p}, nil
}

// env returns the variable that enables the sampler, as NAME=value.
func (r sampleFile) env(mode string, interval time.Duration) string {
	if mode == record.SampledCPU {
		interval = time.Second / time.Duration(rate(interval))
	}
	return insideVar + "=" + strings.Join([]string{mode, strconv.FormatInt(int64(interval), 10), r.Path}, " ")
}

// ownProfilerUsed reports whether the program has tried to use Go's CPU profiler.
func (r sampleFile) ownProfilerUsed() bool {
	f, err := os.Open(r.Path)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [headerSize]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return false
	}
	return binary.NativeEndian.Uint64(head[wordRival*8:]) > 0
}

// errNoSamples is the error for a room without samples.
var errNoSamples = errors.New("the program has written no samples: it ended too early, or was built without the sampler")

// read reads the samples.
func (r sampleFile) read() (*fileContent, error) {
	text, err := os.ReadFile(r.Path)
	if err != nil {
		return nil, fmt.Errorf("sample: %w", err)
	}
	return parseSampleFile(text)
}

func parseSampleFile(text []byte) (*fileContent, error) {
	if len(text) < headerSize || string(text[:8]) != roomMagic {
		return nil, errors.New("sample: the file of samples is damaged: it has no header")
	}
	word := func(i int) uint64 { return binary.NativeEndian.Uint64(text[i*8:]) }
	if word(wordClaimed) == 0 || word(wordAnchor) == 0 {
		return nil, fmt.Errorf("sample: %w", errNoSamples)
	}
	length := word(wordLength)
	if length > uint64(len(text)-headerSize) {
		return nil, fmt.Errorf("sample: the file of samples is damaged: %d bytes of %d", len(text)-headerSize, length)
	}
	s := &fileContent{anchor: word(wordAnchor), start: int64(word(wordStart)), full: word(wordFull) != 0, due: int64(word(wordDue))}
	if err := s.decode(text[headerSize : headerSize+length]); err != nil {
		return nil, fmt.Errorf("sample: the file of samples is damaged: %w", err)
	}
	return s, nil
}
