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

// insideVar asks the half in the process to look.
const insideVar = "TARE_SAMPLE"

// anchorName is the function whose address the process tells.
const anchorName = "runtime.tareSampleRun"

// room is the file into which a process writes what it sees of itself. It is mapped
// there, so that neither how the process ends nor what it does with its descriptors
// matters.
type room struct{ *tempdir.Place }

// newRoom makes one.
func newRoom(size int64) (room, error) {
	head := make([]byte, headerSize)
	copy(head, roomMagic)
	binary.NativeEndian.PutUint64(head[wordLength*8:], uint64(size))
	p, err := tempdir.File("sample", head, size)
	if err != nil {
		return room{}, fmt.Errorf("a place for what is seen: %w", err)
	}
	return room{p}, nil
}

// env asks the process to write into the room. By the clock it keeps out of step with the
// program itself.
func (r room) env(mode string, interval time.Duration) string {
	if mode == record.SampledCPU {
		interval = time.Second / time.Duration(rate(interval))
	}
	return insideVar + "=" + strings.Join([]string{mode, strconv.FormatInt(int64(interval), 10), r.Path}, " ")
}

// rival reports whether the program wanted Go's CPU profiler for itself meanwhile.
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

// errSilent is the error of a room that nobody has written into.
var errSilent = errors.New("the program has not begun to look at itself: it ended before, or was not built for it")

// read reads what was written.
func (r room) read() (*seen, error) {
	text, err := os.ReadFile(r.Path)
	if err != nil {
		return nil, fmt.Errorf("sample: %w", err)
	}
	return readRoom(text)
}

func readRoom(text []byte) (*seen, error) {
	if len(text) < headerSize || string(text[:8]) != roomMagic {
		return nil, errors.New("sample: what the program has seen of itself is damaged: it has no header")
	}
	word := func(i int) uint64 { return binary.NativeEndian.Uint64(text[i*8:]) }
	if word(wordClaimed) == 0 || word(wordAnchor) == 0 {
		return nil, fmt.Errorf("sample: %w", errSilent)
	}
	length := word(wordLength)
	if length > uint64(len(text)-headerSize) {
		return nil, fmt.Errorf("sample: what the program has seen of itself is damaged: %d bytes of %d", len(text)-headerSize, length)
	}
	s := &seen{anchor: word(wordAnchor), start: int64(word(wordStart)), full: word(wordFull) != 0, due: int64(word(wordDue))}
	if err := s.decode(text[headerSize : headerSize+length]); err != nil {
		return nil, fmt.Errorf("sample: what the program has seen of itself is damaged: %w", err)
	}
	return s, nil
}
