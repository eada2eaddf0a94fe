//go:build linux || darwin

package spawn

import (
	"encoding/binary"
	"fmt"
	"io"
)

// The launcher's protocol, described in helper/wire.go, which has the other half. The two always match: the
// cached launcher's name has the hash of its sources, and hello has a version.
const (
	wireVersion = 3

	msgSpawn   = 1
	msgSignal  = 2
	msgHello   = 3
	msgStarted = 4
	msgEnded   = 5

	headerLen = 12
	maxReply  = 1 << 10
)

// request builds a message to the launcher.
type request []byte

func newRequest(kind, id uint32) request {
	q := make(request, 0, 4096)
	return q.number(0).number(kind).number(id)
}

func (q request) number(n uint32) request { return binary.LittleEndian.AppendUint32(q, n) }

func (q request) word(s string) request { return append(q.number(uint32(len(s))), s...) }

func (q request) list(words []string) request {
	q = q.number(uint32(len(words)))
	for _, w := range words {
		q = q.word(w)
	}
	return q
}

// done writes the body's length into the header and returns the message.
func (q request) done() []byte {
	binary.LittleEndian.PutUint32(q, uint32(len(q)-headerLen))
	return q
}

// reply is a message from the launcher.
type reply struct {
	kind, id uint32
	values   []int64
}

// replyLen is the number of values by kind of message.
var replyLen = map[uint32]int{msgHello: 3, msgStarted: 2, msgEnded: 15}

func readReply(r io.Reader) (m reply, err error) {
	var header [headerLen]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return m, err
	}
	size := binary.LittleEndian.Uint32(header[0:])
	m.kind = binary.LittleEndian.Uint32(header[4:])
	m.id = binary.LittleEndian.Uint32(header[8:])
	if size > maxReply || int(size) != 8*replyLen[m.kind] {
		return m, fmt.Errorf("unknown message: kind %d, %d bytes", m.kind, size)
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(r, body); err != nil {
		return m, err
	}
	for len(body) > 0 {
		m.values = append(m.values, int64(binary.LittleEndian.Uint64(body)))
		body = body[8:]
	}
	return m, nil
}
