//go:build linux || darwin

package spawn

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestExecErrors(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "script")
	if err := os.WriteFile(script, []byte("#!/no/such/interpreter\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, l *Launcher) {
		_, err := l.Run(t.Context(), Spec{Path: script})
		if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "interpreter") {
			t.Errorf("%v", err)
		}
		_, err = l.Run(t.Context(), Spec{Path: script, Args: []string{strings.Repeat("x", 8<<20)}})
		if !errors.Is(err, syscall.E2BIG) || !strings.Contains(err.Error(), "8.00 MiB") {
			t.Errorf("%v", err)
		}
		_, err = l.Run(t.Context(), Spec{Path: dir})
		if !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%v", err)
		}
	})
}

// FuzzReply holds that no bytes from the launcher make tare panic or allocate much, and that what is read is what was sent.
func FuzzReply(f *testing.F) {
	f.Add([]byte{})
	f.Add(append(newRequest(msgStarted, 7).done(), make([]byte, 16)...))
	f.Add(append([]byte{16, 0, 0, 0, msgStarted, 0, 0, 0, 7, 0, 0, 0}, make([]byte, 16)...))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := readReply(bytes.NewReader(text))
		if err != nil {
			return
		}
		q := newRequest(m.kind, m.id)
		for _, v := range m.values {
			q = q.number(uint32(v)).number(uint32(uint64(v) >> 32))
		}
		if again := q.done(); !bytes.HasPrefix(text, again) {
			t.Errorf("%x is read as %x", text, again)
		}
	})
}
