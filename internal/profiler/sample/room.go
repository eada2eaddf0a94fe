package sample

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/tempdir"
	"github.com/tarebench/tare/record"
)

// Words of the header of a room, see toolchain/_runtime/sampler/tare_sample.go.
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

// insideVar is the variable that turns the sampler in the process on.
const insideVar = "TARE_SAMPLE"

// anchorName is the function whose address the process writes, to find out where it was loaded.
const anchorName = "runtime.tareSampleRun"

// room is the file that a process writes its samples to. It is mapped, so that it survives any end of the
// process, and its closing of descriptors.
type room struct{ *tempdir.Place }

// newRoom makes one.
func newRoom(size int64) (room, error) {
	head := make([]byte, headerSize)
	copy(head, roomMagic)
	binary.NativeEndian.PutUint64(head[wordLength*8:], uint64(size))
	p, err := tempdir.File("sample", head, size)
	if err != nil {
		return room{}, fmt.Errorf("file for samples: %w", err)
	}
	return room{p}, nil
}

// env returns the variable that turns the sampler on, as NAME=value.
func (r room) env(mode string, interval time.Duration) string {
	if mode == record.SampledCPU {
		interval = time.Second / time.Duration(rate(interval))
	}
	return insideVar + "=" + strings.Join([]string{mode, strconv.FormatInt(int64(interval), 10), r.Path}, " ")
}

// rival reports whether the program has tried to use Go's CPU profiler itself.
func (r room) rival() bool {
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

// errSilent is the error of a room without any writing.
var errSilent = errors.New("the program has written no samples: it ended too early, or was built without the sampler")

// read reads the samples.
func (r room) read() (*seen, error) {
	text, err := os.ReadFile(r.Path)
	if err != nil {
		return nil, fmt.Errorf("sample: %w", err)
	}
	return readRoom(text)
}

func readRoom(text []byte) (*seen, error) {
	if len(text) < headerSize || string(text[:8]) != roomMagic {
		return nil, errors.New("sample: the file of samples is damaged: it has no header")
	}
	word := func(i int) uint64 { return binary.NativeEndian.Uint64(text[i*8:]) }
	if word(wordClaimed) == 0 || word(wordAnchor) == 0 {
		return nil, fmt.Errorf("sample: %w", errSilent)
	}
	length := word(wordLength)
	if length > uint64(len(text)-headerSize) {
		return nil, fmt.Errorf("sample: the file of samples is damaged: %d bytes of %d", len(text)-headerSize, length)
	}
	s := &seen{anchor: word(wordAnchor), start: int64(word(wordStart)), full: word(wordFull) != 0, due: int64(word(wordDue))}
	if err := s.decode(text[headerSize : headerSize+length]); err != nil {
		return nil, fmt.Errorf("sample: the file of samples is damaged: %w", err)
	}
	return s, nil
}
