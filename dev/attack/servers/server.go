package servers

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/dev/attack/mutate"
)

// illness is what is wrong with a server. Each begins after some requests.
type illness struct {
	name   string
	always bool // from the first request on
	// answer writes an answer, or not; false closes the connection.
	answer func(s *server, c net.Conn, reply []byte) bool
}

var illnesses = []illness{
	{"healthy", false, func(_ *server, c net.Conn, reply []byte) bool { return write(c, reply) }},
	{"slow", false, func(s *server, c net.Conn, reply []byte) bool { return s.wait(80*time.Millisecond) && write(c, reply) }},
	{"pause", false, pause},
	{"silent", false, func(*server, net.Conn, []byte) bool { return true }},
	{"closes", false, func(*server, net.Conn, []byte) bool { return false }},
	{"half an answer", false, func(_ *server, c net.Conn, reply []byte) bool { return write(c, reply[:len(reply)/2]) }},
	{"cut off", false, func(_ *server, c net.Conn, reply []byte) bool { return write(c, reply[:len(reply)/2]) && false }},
	{"in pieces", false, pieces},
	{"garbage", false, func(s *server, c net.Conn, reply []byte) bool { return write(c, s.noise(1+len(reply))) }},
	{"endless", false, endless},
	{"huge length", false, hugeLength},
	{"two answers", false, func(_ *server, c net.Conn, reply []byte) bool {
		return write(c, append(reply[:len(reply):len(reply)], reply...))
	}},
	{"errors", false, func(s *server, c net.Conn, _ []byte) bool { return write(c, s.failure("sorry")) }},
	{"hostile errors", false, func(s *server, c net.Conn, _ []byte) bool { return write(c, s.failure(s.hostile())) }},
	{"TLS", true, func(_ *server, c net.Conn, _ []byte) bool { return write(c, alertTLS) && false }},
	{"refuses", false, func(s *server, _ net.Conn, _ []byte) bool { s.listener.Close(); return false }},
	{"few connections", false, func(s *server, c net.Conn, reply []byte) bool { return s.open.Load() <= 2 && write(c, reply) }},
	{"resets", false, reset},
}

// server is on loopback. It knows how many requests it read and how many it answered as it should.
type server struct {
	listener net.Listener
	illness  illness
	well     int64                    // requests that are answered as they should be, before the illness begins
	every    int64                    // then each so many is ill
	failure  func(text string) []byte // an error in the protocol's form
	read     func(*bufio.Reader) (reply []byte, err error)

	requests, open atomic.Int64
	began          time.Time
	done           chan struct{}
	mu             sync.Mutex
	rng            *rand.Rand
	conns          map[net.Conn]bool
}

func (s *server) start() (err error) {
	s.listener, err = net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.done, s.conns, s.began = make(chan struct{}), map[net.Conn]bool{}, time.Now()
	go func() {
		for {
			c, err := s.listener.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.conns[c] = true
			s.mu.Unlock()
			go s.serve(c)
		}
	}()
	return nil
}

func (s *server) close() {
	close(s.done)
	s.listener.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.Close()
	}
}

func (s *server) serve(c net.Conn) {
	s.open.Add(1)
	defer s.open.Add(-1)
	defer c.Close()
	in := bufio.NewReader(c)
	for {
		reply, err := s.read(in)
		if err != nil {
			return
		}
		n := s.requests.Add(1) - s.well
		answer := illnesses[0].answer
		if n > 0 && n%s.every == 0 {
			answer = s.illness.answer
		}
		if !answer(s, c, reply) {
			return
		}
	}
}

// wait waits, and reports whether the server still runs.
func (s *server) wait(d time.Duration) bool {
	select {
	case <-s.done:
		return false
	case <-time.After(d):
		return true
	}
}

func (s *server) noise(n int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(s.rng.Uint32())
	}
	return out
}

// hostile returns a text that a terminal would obey, or that ends a line or a cell.
func (s *server) hostile() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return mutate.Hostile(s.rng)
}

// failHTTP returns an error of HTTP: its text is in the status line and the body.
func failHTTP(text string) []byte {
	line := strings.NewReplacer("\r", " ", "\n", " ").Replace(text)
	return fmt.Appendf(nil, "HTTP/1.1 500 %s\r\nContent-Length: %d\r\n\r\n%s", line, len(text), text)
}

func failRedis(text string) []byte {
	return []byte("-ERR " + strings.NewReplacer("\r", " ", "\n", " ").Replace(text) + "\r\n")
}

// alertTLS is what a server that speaks TLS answers a client that does not: a fatal alert, unexpected message.
var alertTLS = []byte{21, 3, 1, 0, 2, 2, 10}

func write(c net.Conn, p []byte) bool {
	_, err := c.Write(p)
	return err == nil
}

// pause answers no request for a while, and then all requests at once.
func pause(s *server, c net.Conn, reply []byte) bool {
	if into := time.Since(s.began) % time.Second; into < 400*time.Millisecond {
		return s.wait(400*time.Millisecond-into) && write(c, reply)
	}
	return write(c, reply)
}

func pieces(s *server, c net.Conn, reply []byte) bool {
	for i := range reply {
		if !write(c, reply[i:i+1]) || !s.wait(5*time.Millisecond) {
			return false
		}
	}
	return true
}

// endless goes on for as long as it is read.
func endless(s *server, c net.Conn, reply []byte) bool {
	head := reply[:len(reply)-1]
	for ok := write(c, head); ok; ok = write(c, s.noise(4096)) {
		select {
		case <-s.done:
			return false
		default:
		}
	}
	return false
}

// hugeLength announces more bytes than there are in the world.
func hugeLength(_ *server, c net.Conn, reply []byte) bool {
	text := "$9223372036854775807\r\nx"
	if strings.HasPrefix(string(reply), "HTTP") {
		text = "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nx"
	}
	return write(c, []byte(text))
}

// reset has the system send a reset instead of an end.
func reset(_ *server, c net.Conn, _ []byte) bool {
	if t, ok := c.(*net.TCPConn); ok {
		t.SetLinger(0)
	}
	return false
}

// readHTTP reads a request and returns the answer to it.
func readHTTP(in *bufio.Reader) ([]byte, error) {
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(line) == "" {
			return []byte("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), nil
		}
	}
}

// readRedis reads a command in Redis's protocol and returns the answer to it.
func readRedis(in *bufio.Reader) ([]byte, error) {
	words, err := readWords(in)
	if err != nil {
		return nil, err
	}
	switch strings.ToUpper(words[0]) {
	case "PING":
		return []byte("+PONG\r\n"), nil
	case "INFO":
		text := "# Server\r\nredis_version:7.0.0\r\n"
		return fmt.Appendf(nil, "$%d\r\n%s\r\n", len(text), text), nil
	case "HGETALL":
		return []byte("*2\r\n$6\r\nfield0\r\n$5\r\nvalue\r\n"), nil
	case "HMGET":
		return []byte(fmt.Sprintf("*%d\r\n", len(words)-2) + strings.Repeat("$5\r\nvalue\r\n", len(words)-2)), nil
	case "EXISTS", "HSET", "ZADD", "DEL", "ZREM":
		return []byte(":1\r\n"), nil
	}
	return []byte("+OK\r\n"), nil
}

func readWords(in *bufio.Reader) (words []string, err error) {
	number := func(prefix byte) (int, error) {
		line, err := in.ReadString('\n')
		if err != nil || line[0] != prefix {
			return 0, io.ErrUnexpectedEOF
		}
		return strconv.Atoi(strings.TrimSpace(line[1:]))
	}
	count, err := number('*')
	if err != nil || count < 1 || count > 1000 {
		return nil, io.ErrUnexpectedEOF
	}
	for range count {
		size, err := number('$')
		if err != nil || size < 0 || size > 1<<20 {
			return nil, io.ErrUnexpectedEOF
		}
		word := make([]byte, size+2)
		if _, err := io.ReadFull(in, word); err != nil {
			return nil, err
		}
		words = append(words, string(word[:size]))
	}
	return words, nil
}
