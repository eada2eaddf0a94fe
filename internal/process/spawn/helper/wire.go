//go:build linux || darwin

package main

import (
	"sync"
	"syscall"
	"unsafe"
)

// A message is a header of three little-endian uint32 (length of the body, kind, child id) and a body.
// Descriptors for a child are sent with the header of its spawn message. Package spawn holds the other half.
const (
	msgSpawn   = 1 // in: path, dir, uint32 files, uint32 held, args, env; a string being uint32 length and bytes
	msgSignal  = 2 // in: uint32 signal for the child's process group
	msgHello   = 3 // out: int64 version, clock, own peak
	msgStarted = 4 // out: int64 errno, pid
	msgEnded   = 5 // out: int64 pid, start, end, status, user, sys, maxrss, minflt, majflt, nvcsw, nivcsw, own peak, signalled, first thread's CPU time and delay
)

const (
	headerLen = 12
	maxFiles  = 64 // per child; package spawn refuses more
	keepBody  = 64 << 10
)

type message struct {
	kind, id uint32
	body     []byte // valid until the next message
	files    []int
}

// inbox reads messages into one buffer.
type inbox struct {
	header [headerLen]byte
	rights [256 + 4*maxFiles]byte
	body   []byte
}

// next reads one message. It returns false at the end of the socket, which means that tare is gone.
func (b *inbox) next() (m message, ok bool) {
	for got := 0; got < headerLen; {
		n, oobn, _, _, err := syscall.Recvmsg(socket, b.header[got:], b.rights[:], 0)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return m, false
		}
		m.files = append(m.files, descriptors(b.rights[:oobn])...)
		got += n
	}
	size := int(u32(b.header[0:]))
	m.kind, m.id = u32(b.header[4:]), u32(b.header[8:])
	if cap(b.body) < size || cap(b.body) > keepBody {
		b.body = make([]byte, max(size, 4096))
	}
	m.body = b.body[:size]
	for got := 0; got < size; {
		n, err := syscall.Read(socket, m.body[got:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return m, false
		}
		got += n
	}
	return m, true
}

// descriptors takes passed descriptors out of a control message.
func descriptors(rights []byte) (fds []int) {
	if len(rights) == 0 {
		return nil
	}
	messages, err := syscall.ParseSocketControlMessage(rights)
	if err != nil {
		return nil
	}
	for i := range messages {
		passed, _ := syscall.ParseUnixRights(&messages[i])
		for _, fd := range passed {
			syscall.CloseOnExec(fd) // no child inherits it before, because only this thread starts children
		}
		fds = append(fds, passed...)
	}
	return fds
}

// outbox writes whole messages, for several goroutines.
type outbox struct {
	sending sync.Mutex
	buf     [headerLen + 15*8]byte
}

func (b *outbox) send(kind, id uint32, values ...int64) {
	b.sending.Lock()
	defer b.sending.Unlock()
	putU32(b.buf[0:], uint32(8*len(values)))
	putU32(b.buf[4:], kind)
	putU32(b.buf[8:], id)
	for i, v := range values {
		putU32(b.buf[headerLen+8*i:], uint32(v))
		putU32(b.buf[headerLen+8*i+4:], uint32(uint64(v)>>32))
	}
	for rest := b.buf[:headerLen+8*len(values)]; len(rest) > 0; {
		n, err := syscall.Write(socket, rest)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return // tare is gone; next will see the end of the socket
		}
		rest = rest[n:]
	}
}

// words cuts strings out of a spawn message without copying. They are valid as long as the message's body.
type words struct {
	body []byte
	bad  bool
}

func (w *words) number() int {
	if w.bad || len(w.body) < 4 {
		w.bad = true
		return 0
	}
	n := u32(w.body)
	w.body = w.body[4:]
	return int(n)
}

func (w *words) word() string {
	n := w.number()
	if w.bad || n > len(w.body) {
		w.bad = true
		return ""
	}
	s := w.body[:n]
	w.body = w.body[n:]
	return unsafe.String(unsafe.SliceData(s), len(s))
}

// list reads a number and as many words into dst, reusing its memory.
func (w *words) list(dst []string) []string {
	dst = dst[:0]
	for n := w.number(); n > 0 && !w.bad; n-- {
		dst = append(dst, w.word())
	}
	return dst
}

func u32(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

func putU32(b []byte, v uint32) {
	b[0], b[1], b[2], b[3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
}
