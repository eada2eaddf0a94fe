package pprofio

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/pprof/profile"
)

const mib = 1 << 20

// written is a small profile, packed or not.
func written(t testing.TB, packed bool) []byte {
	t.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}, DurationNanos: 7}
	var b bytes.Buffer
	write := p.WriteUncompressed
	if packed {
		write = p.Write
	}
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestProfile: what a profiler writes is read, packed or not.
func TestProfile(t *testing.T) {
	for _, packed := range []bool{true, false} {
		if got, err := Profile(bytes.NewReader(written(t, packed)), mib); err != nil || got.DurationNanos != 7 {
			t.Errorf("%v, %v", got, err)
		}
	}
}

// TestProfileWrong: data that is not a profile and a profile that is too long have different errors.
func TestProfileWrong(t *testing.T) {
	packed := written(t, true)
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"cut":     {packed[:len(packed)/2], "not a whole profile of pprof: unexpected EOF"},
		"head":    {packed[:5], "not a whole profile of pprof: unexpected EOF"},
		"sum":     {append(bytes.Clone(packed[:len(packed)-8]), make([]byte, 8)...), "not a whole profile of pprof: gzip: invalid checksum"},
		"text":    {[]byte("<html>404"), "not a whole profile of pprof: "},
		"too big": {make([]byte, mib+1), "the profile is larger than 1 MiB"},
	} {
		if _, err := Profile(bytes.NewReader(c.data), mib); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	gone := errors.New("gone")
	if _, err := Profile(iotest.ErrReader(gone), mib); !errors.Is(err, gone) {
		t.Error(err)
	}
}

// TestProfileParts: what takes little room in a file and much in memory has a limit, too.
func TestProfileParts(t *testing.T) {
	const most = mib / partBytes
	empty := func(field byte, n int) []byte { return bytes.Repeat([]byte{field<<3 | 2, 0}, n) }
	inside := func(field byte, text []byte) []byte {
		out := []byte{field<<3 | 2, byte(len(text)) | 0x80, byte(len(text)>>7) | 0x80, byte(len(text)>>14) | 0x80, byte(len(text)>>21) | 0x80, byte(len(text) >> 28)}
		return append(out, text...)
	}
	for name, data := range map[string][]byte{
		"samples":  empty(fieldSample, most+1),
		"strings":  empty(6, most+1),
		"labels":   inside(fieldSample, empty(3, most+1)),
		"lines":    inside(fieldLocation, empty(4, most+1)),
		"calls":    inside(fieldSample, inside(1, make([]byte, 16*(most+1)))),
		"in depth": inside(fieldLocation, bytes.Repeat(empty(4, 1), most+1)),
	} {
		if _, err := Profile(bytes.NewReader(data), mib); err == nil || err.Error() != "the profile is larger than 32768 parts" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Profile(bytes.NewReader(empty(fieldSample, most)), mib); errors.As(err, new(*tooLong)) {
		t.Error(err)
	}
}

// TestBombs: a small file that would take much memory is refused before it does, whatever limit a reader has.
func TestBombs(t *testing.T) {
	zeros := pack(t, io.LimitReader(zero{}, 200<<20))
	strings6 := pack(t, bytes.NewReader(bytes.Repeat([]byte{6<<3 | 2, 0}, 3<<20)))
	promise := []byte{6<<3 | 2, 0xff, 0xff, 0xff, 0xff, 0x7f, 'x'} // a string of 32 GiB
	for name, data := range map[string][]byte{
		"zeros": zeros, "packed strings": strings6, "strings": bytes.Repeat([]byte{6<<3 | 2, 0}, 3<<20),
		"promised string": promise, "promised sample": append([]byte{fieldSample<<3 | 2}, promise[1:]...), "promised calls": append([]byte{fieldSample<<3 | 2, 8, 1<<3 | 2}, promise[1:]...),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Profile(bytes.NewReader(data), 1<<28)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; err == nil || took > 64<<20 {
			t.Errorf("%s: %v, with %d MiB allocated in all", name, err, took>>20)
		}
	}
}

func pack(t *testing.T, r io.Reader) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.Copy(z, r); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type zero struct{}

func (zero) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

func FuzzProfile(f *testing.F) {
	f.Add([]byte{fieldSample<<3 | 2, 2, 3<<3 | 2, 0})
	f.Add(written(f, true))
	f.Add(written(f, false))
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := Profile(bytes.NewReader(data), mib); err == nil && p.CheckValid() != nil {
			t.Errorf("%v is not valid", p)
		}
	})
}
