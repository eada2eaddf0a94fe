package server

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/prometheus/common/expfmt"

	"github.com/tarebench/tare/internal/show/live"
)

// lookEvery is how often a record that is followed is examined.
const lookEvery = 250 * time.Millisecond

// Server serves the page of one run.
type Server struct {
	setup   live.Setup
	run     *run
	http    *http.Server
	closing chan struct{} // closed at the end

	secret      string   // of the owner, where there is no token
	connections seats    // all
	clients     seats    // those that listen to events
	seatOf      sync.Map // *seat by net.Conn

	saving sync.Mutex // held while a page is written as a file

	mu    sync.Mutex
	fetch int           // browsers that listen to events: they fetch the finished page, and leave
	left  chan struct{} // gets a value when the last browser has left
}

// Run serves the page of a run whose record's file is announced by in, until in ends. Its answers go to out. It fails if in
// does not begin with a Setup. Errors of an address are answers.
func Run(in io.Reader, out io.Writer, view View) error {
	lines, answers := bufio.NewScanner(in), json.NewEncoder(out)
	setup, err := live.ReadSetup(lines)
	if err != nil {
		return err
	}
	s := newServer(setup, view)
	url, err := s.listen()
	if err != nil {
		return answers.Encode(live.Answer{Error: err.Error()})
	}
	defer s.close()
	answers.Encode(live.Answer{URL: url, Owner: s.secret})
	for lines.Scan() {
		var m live.Message
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			return live.ErrNotStarted
		}
		s.take(&m)
		answers.Encode(live.Answer{})
	}
	return nil
}

func newServer(setup live.Setup, view View) *Server {
	s := &Server{setup: setup, run: newRun(view), closing: make(chan struct{}), left: make(chan struct{}, 1)}
	s.connections.most, s.clients.most = maxConnections, maxClients
	if setup.Token == "" {
		s.secret = rand.Text()
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", s.limited(s.page))
	mux.HandleFunc("/save", s.limited(s.save))
	mux.HandleFunc("/metrics", s.limited(s.metrics))
	mux.HandleFunc("/events", s.events)
	s.http = &http.Server{
		Handler: newGuard(&setup, s.ranked(mux)), ConnContext: s.connected, ConnState: s.stateChanged, ReadHeaderTimeout: writeTime, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10, DisableGeneralOptionsHandler: true,
		ErrorLog: log.New(io.Discard, "", 0), // what browsers do wrong is no concern of the run
	}
	return s
}

// listen begins to serve, and returns the address for browsers.
func (s *Server) listen() (string, error) {
	scheme := "http"
	if s.setup.Cert != "" {
		scheme = "https"
	}
	l, err := net.Listen("tcp", s.setup.Address)
	if err != nil {
		return "", plain(err)
	}
	address := l.Addr()
	if scheme == "https" {
		secure, err := serveTLS(l, s.setup.Cert, s.setup.Key)
		if err != nil {
			l.Close()
			return "", fmt.Errorf("--live-cert and --live-key: %w", err)
		}
		l = secure
	}
	go s.http.Serve(l)
	if s.setup.Follow {
		go s.follow()
	}
	return scheme + "://" + s.name(address) + "/", nil
}

// name returns the host that browsers use for an address: for the address of all interfaces, the machine's name.
func (s *Server) name(a net.Addr) string {
	host, _, _ := net.SplitHostPort(s.setup.Address)
	_, port, _ := net.SplitHostPort(a.String())
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		if name, err := os.Hostname(); err == nil {
			host = name
		}
	}
	return net.JoinHostPort(host, port)
}

// plain returns the cause of a network error, without the address and the operation.
func plain(err error) error {
	if n := syscall.Errno(0); errors.As(err, &n) {
		return n
	}
	if o := (*net.OpError)(nil); errors.As(err, &o) {
		return o.Err
	}
	return err
}

// take handles a message from tare.
func (s *Server) take(m *live.Message) {
	switch {
	case m.End:
		s.run.catchUp()
		s.run.end(m.Record)
	case m.Record != "":
		s.run.open(m.Record)
	case m.Between:
		s.run.catchUp()
		if s.listeners() > 0 {
			s.run.update()
		}
	}
}

// follow polls the record file, and sends what is new while clients are connected.
func (s *Server) follow() {
	for {
		select {
		case <-s.closing:
			return
		case <-time.After(lookEvery):
		}
		s.run.catchUp() // also without clients, so that the first one need not wait while the whole file is read
		if s.listeners() > 0 {
			s.run.update()
		}
	}
}

// close closes all connections. After a run that ended it first waits, up to live.Grace, for connected browsers to fetch the
// finished page.
func (s *Server) close() {
	limit := time.NewTimer(live.Grace)
	defer limit.Stop()
	for inTime := !s.setup.Lingers; inTime && s.run.isWhole() && s.browsers() > 0; {
		select {
		case <-s.left:
		case <-limit.C:
			inTime = false
		}
	}
	close(s.closing)
	s.http.Close()
}

// enter counts a browser that listens.
func (s *Server) enter() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fetch++
}

func (s *Server) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fetch--; s.fetch > 0 {
		return
	}
	select {
	case s.left <- struct{}{}:
	default:
	}
}

// isBrowser reports whether a request is one of a page's script. Other programs that listen do not leave by themselves.
func isBrowser(r *http.Request) bool { return r.Header.Get("Sec-Fetch-Mode") != "" }

func (s *Server) browsers() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fetch
}

func (s *Server) listeners() int { return s.clients.count() }

// limited bounds how long a browser may take to read an answer.
func (s *Server) limited(answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Minute))
		answer(w, r)
	}
}

// page serves the page of the run so far. Its own policy allows its scripts by their sums, and to ask this server alone.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	var b bytes.Buffer
	if err := s.run.page(&b); err != nil {
		http.Error(w, "the page cannot be made now", http.StatusInternalServerError)
		return
	}
	s.html(w, &b)
}

func (s *Server) html(w http.ResponseWriter, b *bytes.Buffer) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	h.Set("Content-Security-Policy", "frame-ancestors 'none'") // the rest is in the page
	w.Write(b.Bytes())
}

// save serves the page as a file.
func (s *Server) save(w http.ResponseWriter, r *http.Request) {
	var b bytes.Buffer
	path := s.run.recordPath()
	if path == "" {
		http.Error(w, "nothing is recorded yet", http.StatusServiceUnavailable)
		return
	}
	s.saving.Lock() // a large record takes much memory, once
	err := s.run.file(&b)
	s.saving.Unlock()
	if err != nil {
		http.Error(w, "the record cannot be read now", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", s.run.view.Name(path)))
	s.html(w, &b)
}

// metrics serves figures for Prometheus.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) {
	format := expfmt.NegotiateAccept(r.Header, formats...)
	w.Header().Set("Content-Type", string(format))
	w.Header().Set("Vary", "Accept")
	writeFamilies(w, format, s.run.families()) // fails if the connection is closed
}
