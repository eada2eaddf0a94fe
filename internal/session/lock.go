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
	NoLock bool // measure beside it; the record says so
}

// LockMachine keeps two tares from measuring at once on one machine. While another one
// measures it waits, and says so once, unless mode says otherwise. command is our command
// line without secrets, for the other tares. A machine that has no locks is not locked:
// then the result is nil, which can be used too.
func LockMachine(ctx context.Context, p *Progress, mode LockMode, command []string) (*MachineLock, error) {
	wait := func(other string) {
		p.Note("another tare is measuring on this machine (%s); waiting for it", other)
	}
	if mode.NoWait || mode.NoLock {
		wait = nil
	}
	l, other, err := lockMachine(ctx, wait)
	switch {
	case errors.Is(err, errBusy) && mode.NoLock:
		return &MachineLock{beside: other}, nil
	case errors.Is(err, errBusy):
		return nil, exit.Failed(fmt.Errorf("%w (%s)", errBusy, other), "wait for it, or leave out --no-wait")
	case l != nil:
		l.holder = holder{Pid: os.Getpid(), Start: time.Now(), Command: strings.Join(command, " ")}
		l.tell()
	}
	return l, err
}

// MachineLock is the lock of the machine, or what is known of the tare that has it.
type MachineLock struct {
	f      *os.File // nil if another tare has the lock
	beside string   // describes that one
	holder holder   // describes us
}

// EndsAt tells other tares when this one should have finished. It may be called with nil.
func (l *MachineLock) EndsAt(end time.Time) {
	if l != nil && l.f != nil {
		l.holder.End = end
		l.tell()
	}
}

// Warning returns the warning of a run that measured beside another tare, nil for one that
// was alone. It may be called with nil.
func (l *MachineLock) Warning() *record.Warn {
	if l == nil || l.beside == "" {
		return nil
	}
	return &record.Warn{
		About: record.AboutRun, Code: result.CodeNotAlone,
		Text:   "another tare measured on this machine at the same time: " + l.beside,
		Advice: "leave out --no-lock: then a run waits until the machine is free",
	}
}

// tell writes who has the lock into its file.
func (l *MachineLock) tell() {
	text, err := json.Marshal(l.holder)
	if err != nil {
		return
	}
	l.f.Truncate(0)
	l.f.WriteAt(text, 0)
}

// Unlock lets other tares measure. It may be called with nil.
func (l *MachineLock) Unlock() {
	if l != nil && l.f != nil {
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
