package server

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Limits of a browser's connection.
const (
	maxClients   = 16
	writeTime    = 5 * time.Second  // limit of a write, after which the browser is disconnected
	pingEvery    = 10 * time.Second // finds connections that are gone
	reconnection = 2 * time.Second  // after which a browser comes back

	displacedReconnection = 30 * time.Second // after which one comes back that had to leave for another
)

// drawn are the beginnings of the lines from which scripts of the page draw charts.
var drawn = [][]byte{[]byte(`{"k":"load"`), []byte(`{"k":"marks"`), []byte(`{"k":"hist"`)}

// client is a connection of a browser to /events.
type client struct {
	out    http.ResponseWriter
	at     place  // offset up to which all lines were sent
	mains  int    // run.mains when the main part was last sent
	status string // that was last sent
	ended  bool   // event "end" was sent
}

// events sends a browser what its page needs, from where it was, and then whatever comes. When there are maxClients, one of the
// same rank or a lower one leaves for it.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	displaced := make(chan struct{})
	who := s.rankOf(r)
	x := s.clients.take(who, who, func() { close(displaced) })
	if x == nil {
		http.Error(w, fmt.Sprintf("there are %d browsers already", maxClients), http.StatusServiceUnavailable)
		return
	}
	defer s.clients.free(x)
	if isBrowser(r) {
		s.enter()
		defer s.leave()
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // of a proxy
	c := &client{out: w, at: parsePlace(r.Header.Get("Last-Event-ID"))}
	control := http.NewResponseController(w)
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	first := fmt.Sprintf("retry: %d\n\n", reconnection.Milliseconds())
	for {
		text, changed, ended := s.next(c)
		if control.SetWriteDeadline(time.Now().Add(writeTime)) != nil {
			return
		}
		if _, err := w.Write([]byte(first + text)); err != nil {
			return
		}
		if control.Flush() != nil {
			return
		}
		first = ""
		if text != "" && !ended {
			continue // perhaps there is more
		}
		select {
		case <-changed:
		case <-ping.C:
			first = ": ping\n\n"
		case <-displaced:
			fmt.Fprintf(w, "retry: %d\n\n", displacedReconnection.Milliseconds())
			return
		case <-r.Context().Done():
			return
		case <-s.closing:
			return
		}
	}
}

// next returns the next events of a client, and a channel that is closed when there are more. ended is set with the last ones.
func (s *Server) next(c *client) (text string, changed <-chan struct{}, ended bool) {
	r := s.run
	r.mu.Lock()
	defer r.mu.Unlock()
	var b bytes.Buffer
	if c.at.file != r.place.file || c.at.offset > r.place.offset {
		c.at = place{file: r.place.file}
		b.WriteString("event: begin\ndata:\n\n")
	}
	if c.at.offset < r.place.offset {
		if s.setup.Follow {
			s.lines(c, &b)
		} else {
			c.at.offset = r.place.offset
		}
	}
	if c.mains != r.mains {
		c.mains = r.mains
		event(&b, "main", r.main)
	}
	if st := r.metrics.status(); st != c.status {
		c.status = st
		event(&b, "status", []byte(st))
	}
	whole := r.ended && c.at == r.place
	if whole && !c.ended {
		c.ended = true
		b.WriteString("event: end\ndata:\n\n")
	}
	return b.String(), r.changed, c.ended
}

// lines adds the next lines of the record that scripts draw. The id of the event is the offset behind them. A browser that
// reconnects sends it back, and goes on from there.
func (s *Server) lines(c *client, b *bytes.Buffer) {
	text, err := readLines(s.run.path, c.at.offset)
	if err != nil {
		return
	}
	if most := s.run.place.offset - c.at.offset; int64(len(text)) > most {
		text = text[:most] // the result has no more
	}
	c.at.offset += int64(len(text))
	any := false
	for line := range bytes.Lines(text) {
		for _, begin := range drawn {
			if bytes.HasPrefix(line, begin) {
				if !any {
					b.WriteString("event: lines\nid: " + c.at.String() + "\n")
				}
				any = true
				b.WriteString("data: ")
				b.Write(line)
			}
		}
	}
	if any {
		b.WriteByte('\n')
	}
}

// event adds an event whose data may have several lines.
func event(b *bytes.Buffer, name string, data []byte) {
	b.WriteString("event: " + name + "\n")
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		b.WriteString("data: ")
		b.Write(bytes.TrimSuffix(line, []byte("\r")))
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
}

func (p place) String() string { return fmt.Sprintf("%d-%d", p.file, p.offset) }

// parsePlace reads what String wrote. Of anything else it returns the beginning.
func parsePlace(s string) place {
	file, offset, _ := strings.Cut(s, "-")
	f, err1 := strconv.Atoi(file)
	o, err2 := strconv.ParseInt(offset, 10, 64)
	if err1 != nil || err2 != nil || f < 0 || o < 0 {
		return place{}
	}
	return place{f, o}
}
