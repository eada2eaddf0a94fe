package live

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
)

// When the server reads new lines of the record.
const (
	Follow    = true  // continuously, at the lowest priority
	OnRequest = false // only when Between is called, so that it does nothing while a fork is measured
)

// Limits of waiting for an answer of the server.
const (
	startTime   = 10 * time.Second
	betweenTime = time.Second
	endTime     = time.Minute // the record of a long run takes long to read
	mostBehind  = 16          // with so many answers outstanding, the server gets no more messages
)

// Page is the process that serves the page of a run.
type Page struct {
	URL     string
	Address string // URL for the owner of the run: with a secret, for which the server always has a place

	cmd     *exec.Cmd
	in      io.WriteCloser
	answers chan Answer
	linger  time.Duration
	whole   bool // End was called
	behind  int  // answers that did not come in time, and may come later
	lost    bool // the server has ended
}

// Start starts the server and returns when it listens. It returns nil if no page is asked for. It fails with one line
// about the address, the certificate or the key.
func Start(o Options, follow bool) (*Page, error) {
	if o.Address == "" {
		return nil, nil
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, exit.Failed(fmt.Errorf("--live: %w", err), "")
	}
	p := &Page{answers: make(chan Answer, 1), linger: o.Linger}
	p.cmd = exec.Command(exe, Verb)
	p.cmd.Args[0] = os.Args[0]
	p.cmd.Env = append(os.Environ(), "GOMAXPROCS=1") // it is to take as little from the run as it can
	setGroup(p.cmd)
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, exit.Failed(fmt.Errorf("--live: %w", err), "")
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, exit.Failed(fmt.Errorf("--live: %w", err), "")
	}
	if err := p.cmd.Start(); err != nil {
		return nil, exit.Failed(fmt.Errorf("--live: starting the server of the page: %w", err), "")
	}
	go p.read(out)
	a, err := p.ask(Setup{Address: o.Address, Token: o.Token, Cert: o.Cert, Key: o.Key, Follow: follow, Lingers: o.Linger > 0}, startTime)
	if err == nil && a.Error != "" {
		err = errors.New(a.Error)
	}
	if err != nil {
		p.kill()
		return nil, exit.Usage(fmt.Errorf("--live %s: %w", o.Address, err), addressHint(err))
	}
	p.URL, p.Address = a.URL, a.URL
	if a.Owner != "" {
		p.Address += "#owner=" + a.Owner
	}
	return p, nil
}

// addressHint returns the advice for an address that cannot be listened at.
func addressHint(err error) string {
	if strings.Contains(err.Error(), "in use") {
		return "port 0 takes a free one: --live 127.0.0.1:0"
	}
	return ""
}

// read passes on what the server says, until it ends.
func (p *Page) read(out io.Reader) {
	defer close(p.answers)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var a Answer
		if json.Unmarshal(lines.Bytes(), &a) != nil {
			return
		}
		p.answers <- a
	}
}

// ask sends a line and waits for the answer, up to a limit. An answer that comes later is read with the next ones, so that a
// server that was busy or stopped for a while is not given up.
func (p *Page) ask(line any, wait time.Duration) (a Answer, err error) {
	text, err := json.Marshal(line)
	if err == nil {
		_, err = p.in.Write(append(text, '\n'))
	}
	if err != nil {
		p.lost = true
		return a, errors.New("the server of the page has ended")
	}
	p.behind++
	return p.await(wait, nil)
}

// await waits until no answer is outstanding, the limit or quit. It returns the last answer.
func (p *Page) await(wait time.Duration, quit <-chan struct{}) (a Answer, err error) {
	limit := time.NewTimer(wait)
	defer limit.Stop()
	for p.behind > 0 {
		var ok bool
		select {
		case a, ok = <-p.answers:
		case <-limit.C:
			return a, errors.New("the server of the page does not answer")
		case <-quit:
			return a, errors.New("interrupted")
		}
		if !ok {
			p.lost = true
			return a, errors.New("the server of the page has ended")
		}
		p.behind--
	}
	return a, nil
}

// send sends a message, unless there is no page or it is lost, or so far behind that its pipe might fill up and keep the run
// waiting.
func (p *Page) send(m Message, wait time.Duration) {
	if p == nil || p.lost {
		return
	}
	if p.behind >= mostBehind {
		if _, err := p.await(0, nil); err != nil && !m.End {
			return
		}
	}
	p.ask(m, wait) // an error is no reason to end the run; browsers show that the connection is lost
}

// Lost reports whether the server has ended before the run, or does not answer.
func (p *Page) Lost() bool { return p != nil && (p.lost || p.behind > 0) }

// Record tells the server the path of the record file. Call it again when the file is renamed.
func (p *Page) Record(path string) { p.send(Message{Record: path}, betweenTime) }

// Between lets the server read new lines and update the page. It returns when that is done, after a second at most.
func (p *Page) Between() { p.send(Message{Between: true}, betweenTime) }

// End tells the server that the record is whole, and its final path. It does not wait: Close does.
func (p *Page) End(path string) {
	if p != nil {
		p.whole = true
		p.send(Message{End: true, Record: path}, 0)
	}
}

// Finish waits until the server has read the whole record, or until now is closed.
func (p *Page) Finish(now <-chan struct{}) {
	if p != nil && p.whole && !p.lost {
		p.await(endTime, now)
	}
}

// Lingers returns how long Close keeps the page: 0 unless the record is whole.
func (p *Page) Lingers() time.Duration {
	if p == nil || p.Lost() || !p.whole {
		return 0
	}
	return p.linger
}

// Close waits as long as the page is to linger, or until quit is closed, and ends the server, whatever browsers do. Once now
// is closed it waits for nothing. Both may be nil.
func (p *Page) Close(quit, now <-chan struct{}) {
	if p == nil {
		return
	}
	p.Finish(now)
	if d := p.Lingers(); d > 0 {
		select {
		case <-time.After(d):
		case <-quit:
		}
	}
	p.in.Close()
	grace := Grace + time.Second
	if p.Lost() {
		grace = 0
	}
	stop := time.AfterFunc(grace, func() { p.cmd.Process.Kill() })
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case <-now:
			p.cmd.Process.Kill()
		case <-ended:
		}
	}()
	for range p.answers { // until it has ended: Wait closes the pipe that is read
	}
	p.cmd.Wait()
	stop.Stop()
}

func (p *Page) kill() {
	p.in.Close()
	p.cmd.Process.Kill()
	for range p.answers {
	}
	p.cmd.Wait()
}
