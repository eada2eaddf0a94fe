package kvcodec

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/load/kv"
)

type values map[int]string

func record(of values) *kv.Record {
	v := new(kv.Record)
	for f, s := range of {
		v.AppendString(f, s)
	}
	return v
}

// read decodes, and fails on a field that comes twice.
func read(t *testing.T, data []byte, fields []int) values {
	t.Helper()
	var v kv.Record
	if err := Read(&v, data, fields); err != nil {
		t.Fatalf("%x: %v", data, err)
	}
	got := values{}
	for i := range v.Len() {
		f, s := v.At(i)
		if _, twice := got[f]; twice {
			t.Fatalf("%x: field %d twice", data, f)
		}
		got[f] = string(s)
	}
	return got
}

// TestEncoding pins the bytes: what was written must stay readable.
func TestEncoding(t *testing.T) {
	var v kv.Record
	v.AppendString(3, "abc")
	v.AppendString(0, "")
	v.AppendString(300, strings.Repeat("x", 128))
	want := "\x03\x03abc" + "\x00\x00" + "\xac\x02\x80\x01" + strings.Repeat("x", 128)
	if got := Append([]byte("head"), &v); string(got) != "head"+want {
		t.Errorf("%q", got)
	}
	if got := read(t, []byte(want), nil); got[3] != "abc" || got[300] == "" || len(got) != 3 {
		t.Errorf("%v", got)
	}
	if got := read(t, nil, nil); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func TestReadFields(t *testing.T) {
	data := Append(nil, record(values{0: "zero", 1: "", 7: "seven"}))
	for _, c := range []struct {
		fields []int
		want   values
	}{
		{[]int{}, values{}},
		{[]int{0}, values{0: "zero"}},
		{[]int{7, 1}, values{1: "", 7: "seven"}},
		{[]int{2}, values{}},
		{[]int{2, 7}, values{7: "seven"}},
	} {
		if got := read(t, data, c.fields); !maps.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.fields, got, c.want)
		}
	}
}

// TestRandomUpdates has Merge and Patch change records and compares with a map.
func TestRandomUpdates(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	some := func() values {
		r := values{}
		for range rng.IntN(8) {
			r[rng.IntN(200)] = strings.Repeat(fmt.Sprint(rng.IntN(9)), rng.IntN(3)*70)
		}
		return r
	}
	patched := 0
	for range 2000 {
		want := some()
		data := Append(nil, record(want))
		for range 5 {
			u := some()
			for f, old := range want { // values that fit often enough
				if rng.IntN(2) == 0 {
					u[f] = strings.Repeat("y", len(old))
				}
			}
			before := bytes.Clone(data)
			done, err := Patch(data, record(u))
			if err != nil {
				t.Fatal(err)
			}
			if done {
				patched++
			} else if !bytes.Equal(data, before) {
				t.Fatalf("Patch said no and changed %x to %x", before, data)
			} else if data, err = Merge(nil, before, record(u)); err != nil {
				t.Fatal(err)
			}
			maps.Copy(want, u)
			if got := read(t, data, nil); !maps.Equal(got, want) {
				t.Fatalf("update %v of %x gives %v, want %v", u, before, got, want)
			}
		}
	}
	if patched == 0 {
		t.Error("no update was made in place")
	}
}

func TestDamaged(t *testing.T) {
	u := record(values{0: "x"})
	for _, data := range []string{
		"\x80", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x01", "\x01\x80", "\x01\x05abc",
		"\x00\x01a\x01", "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01a",
		"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00",
	} {
		if err := Read(new(kv.Record), []byte(data), nil); err == nil || !strings.Contains(err.Error(), "damaged record") {
			t.Errorf("Read(%q): %v", data, err)
		}
		if _, err := Merge(nil, []byte(data), u); err == nil {
			t.Errorf("Merge(%q): no error", data)
		}
		if done, err := Patch([]byte(data), record(values{9: "x"})); err == nil || done {
			t.Errorf("Patch(%q): %v, %v", data, done, err)
		}
	}
}

func TestAllocations(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	all := values{}
	for f := range 10 {
		all[f] = strings.Repeat("x", 100)
	}
	v, one, longer := record(all), record(values{3: strings.Repeat("y", 100)}), record(values{3: "z"})
	data := Append(nil, v)
	buf, merged := make([]byte, 0, 2000), make([]byte, 0, 2000)
	var dst kv.Record
	if n := testing.AllocsPerRun(100, func() {
		buf = Append(buf[:0], v)
		dst.Reset()
		err := Read(&dst, data, nil)
		done, err2 := Patch(data, one)
		var err3 error
		merged, err3 = Merge(merged[:0], data, longer)
		if err != nil || err2 != nil || err3 != nil || !done {
			t.Fatal(err, err2, err3, done)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzBlob: damaged data give errors, never panics, and what can be read can be
// written and updated.
func FuzzBlob(f *testing.F) {
	f.Add([]byte("\x00\x01a\x01\x00"), 0, []byte("b"))
	f.Add([]byte("\x01\x05abc"), 1, []byte(""))
	f.Add([]byte("\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01a"), 300, []byte("long"))
	f.Fuzz(func(t *testing.T, data []byte, field int, value []byte) {
		var u, before, after kv.Record
		u.Append(field&0xffff, value)
		_, err := Patch(bytes.Clone(data), &u)
		merged, merr := Merge(nil, data, &u)
		if rerr := Read(&before, data, nil); rerr != nil {
			if merr == nil {
				t.Fatalf("%x cannot be read (%v), but merged", data, rerr)
			}
			return
		}
		if err != nil || merr != nil {
			t.Fatalf("%x can be read, but not updated: %v, %v", data, err, merr)
		}
		if err := Read(&after, merged, nil); err != nil {
			t.Fatalf("%x merged to %x: %v", data, merged, err)
		}
		if got, ok := after.Value(field & 0xffff); !ok || !bytes.Equal(got, value) {
			t.Fatalf("%x merged to %x: field %d is %q, want %q", data, merged, field&0xffff, got, value)
		}
	})
}
