package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
)

// errBusy is the error of a machine on which another tare measures.
var errBusy = errors.New("another tare is measuring on this machine")

// LockMode says what to do while another tare measures. The zero value waits for it.
type LockMode struct {
	NoWait bool // fail
	NoLock bool // take no lock and run beside it; both records say so
}

// LockMachine keeps two tare processes from measuring on one machine at the same time. While
// another one measures it waits, and says so once, unless mode says otherwise. command is this
// process's command line without secrets, which the others show. On a machine without locks
// it returns nil, whose methods do nothing.
func LockMachine(ctx context.Context, p *Progress, mode LockMode, command []string) (*MachineLock, error) {
	l := &MachineLock{holder: holder{Pid: os.Getpid(), Start: time.Now(), Command: strings.Join(command, " ")}}
	if !mode.NoLock {
		wait := func(other string) {
			p.Note("another tare is measuring on this machine (%s); waiting for it", other)
		}
		if mode.NoWait {
			wait = nil
		}
		f, other, err := lockMachine(ctx, wait)
		switch {
		case errors.Is(err, errBusy):
			return nil, exit.Failed(fmt.Errorf("%w (%s)", errBusy, other), "wait for it, or leave out --no-wait")
		case err != nil || f == nil:
			return nil, err
		}
		l.f, l.holder.Start = f, time.Now()
		l.tell()
	}
	l.presence = announcePresence(l.holder)
	return l, nil
}

// MachineLock is the lock of the machine; with [LockMode.NoLock] it locks nothing. It also knows
// which other tare processes run at the same time.
type MachineLock struct {
	f        *os.File // nil without the lock
	holder   holder   // this process
	presence *presence
	warned   bool
}

// EndsAt sets when this process should have finished, which those that wait show. It does nothing if l is nil.
func (l *MachineLock) EndsAt(end time.Time) {
	if l != nil && l.f != nil {
		l.holder.End = end
		l.tell()
	}
}

// Warning returns a warning if another tare process has measured on this machine since the lock
// was taken. It returns nil if there was none, if it has returned the warning before, and if l is nil.
func (l *MachineLock) Warning() *record.Warn {
	if l == nil || l.warned {
		return nil
	}
	other := l.presence.others()
	if other == "" {
		return nil
	}
	l.warned = true
	return &record.Warn{
		About: record.AboutRun, Code: result.CodeNotAlone,
		Text:   "another tare measured on this machine at the same time: " + other,
		Advice: "run one at a time: most verbs wait for each other, unless --no-lock is given; tare load, --list and --dry-run wait for nobody",
	}
}

// tell writes the holder into the file of the lock, for the processes that wait.
func (l *MachineLock) tell() {
	text, err := json.Marshal(l.holder)
	if err != nil {
		return
	}
	l.f.Truncate(0)
	l.f.WriteAt(text, 0)
}

// Unlock lets other tare processes measure. It does nothing if l is nil.
func (l *MachineLock) Unlock() {
	if l == nil {
		return
	}
	l.presence.end()
	if l.f != nil {
		l.f.Truncate(0)
		l.f.Close()
	}
}

// holder is what the file of the lock says about the tare that has it.
type holder struct {
	Pid     int       `json:"pid"`
	Start   time.Time `json:"start"`
	Command string    `json:"command"`
	End     time.Time `json:"end,omitzero"` // when it should have finished
}

// maxHolder is how many bytes of the lock's file are read. Anybody may have written it.
const maxHolder = 4 << 10

// describeHolder returns who has the lock, by the text of its file: "tare bench ./...,
// pid 12, for 3m0s, about 2m0s left".
func describeHolder(text []byte, now time.Time) string {
	var h holder
	if json.Unmarshal(text, &h) != nil || h.Pid == 0 {
		if s := strings.TrimSpace(string(text)); strings.HasPrefix(s, "pid ") { // an older tare
			return termtext.Clip(s, 20)
		}
		return "holder unknown"
	}
	return h.describe(now)
}

func (h holder) describe(now time.Time) string {
	var parts []string
	if h.Command != "" {
		parts = append(parts, termtext.Clip(termtext.Charset{UTF8: true}.Name(h.Command), 100))
	}
	parts = append(parts, fmt.Sprintf("pid %d", h.Pid))
	if since := now.Sub(h.Start).Round(time.Second); !h.Start.IsZero() && since >= 0 {
		parts = append(parts, "for "+since.String())
	}
	switch left := h.End.Sub(now).Round(time.Second); {
	case h.End.IsZero():
	case left > 0:
		parts = append(parts, fmt.Sprintf("about %s left", left))
	default:
		parts = append(parts, "should have finished by now")
	}
	return strings.Join(parts, ", ")
}
