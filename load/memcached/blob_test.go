package memcached

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tarebench/tare/load"
)

func record(values ...string) *load.Record {
	var r load.Record
	for i, v := range values {
		r.AppendString(i, v)
	}
	return &r
}

// TestBlob fixes the form in which records are stored.
func TestBlob(t *testing.T) {
	var r load.Record
	r.AppendString(0, "ab")
	r.AppendString(200, "")
	r.AppendString(1, strings.Repeat("x", 130))
	want := "\x00\x02ab" + "\xc8\x01\x00" + "\x01\x82\x01" + strings.Repeat("x", 130)
	if got := string(appendRecord(nil, &r)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSplit(t *testing.T) {
	blob := appendRecord(nil, record("a", "", "c"))
	for _, c := range []struct {
		fields []int
		want   map[int]string
	}{
		{nil, map[int]string{0: "a", 1: "", 2: "c"}},
		{[]int{2, 0}, map[int]string{0: "a", 2: "c"}},
		{[]int{7}, map[int]string{}},
		{[]int{}, map[int]string{}},
	} {
		var got load.Record
		if err := split(&got, blob, c.fields); err != nil {
			t.Fatal(err)
		}
		if got.Len() != len(c.want) {
			t.Errorf("fields %v: %d values, want %d", c.fields, got.Len(), len(c.want))
		}
		for f, want := range c.want {
			if v, ok := got.Value(f); !ok || string(v) != want {
				t.Errorf("fields %v: field %d is %q, want %q", c.fields, f, v, want)
			}
		}
	}
}

func TestMerge(t *testing.T) {
	var u load.Record
	u.AppendString(1, "new")
	u.AppendString(5, "added")
	blob, err := merge(nil, appendRecord(nil, record("a", "b", "c")), &u)
	if err != nil {
		t.Fatal(err)
	}
	var got load.Record
	if err := split(&got, blob, nil); err != nil {
		t.Fatal(err)
	}
	want := map[int]string{0: "a", 1: "new", 2: "c", 5: "added"}
	if got.Len() != len(want) {
		t.Errorf("%d fields, want %d", got.Len(), len(want))
	}
	for f, w := range want {
		if v, _ := got.Value(f); string(v) != w {
			t.Errorf("field %d is %q, want %q", f, v, w)
		}
	}
	if _, err := merge(nil, []byte("\x00\x09x"), &u); load.Class(err) != load.ClassProtocol {
		t.Errorf("merge with what is no record: error %v", err)
	}
}

func TestLegal(t *testing.T) {
	for key, want := range map[string]string{
		"usertable:user1":        "",
		strings.Repeat("k", 250): "",
		strings.Repeat("k", 251): "key of 251 bytes",
		"a b":                    "without spaces and control characters",
		"a\x7f":                  "key of 2 bytes \"a\\x7f\"",
		"a\n":                    "without spaces",
	} {
		err := legal(key)
		if (err == nil) != (want == "") || (err != nil && (!strings.Contains(err.Error(), want) || load.Class(err) != load.ClassUnsupported)) {
			t.Errorf("%.20q: error %v, want %q in it", key, err, want)
		}
	}
}

// FuzzBlob reads anything; what can be read is written and read again.
func FuzzBlob(f *testing.F) {
	f.Add([]byte{}, 3)
	f.Add(appendRecord(nil, record("a", "", strings.Repeat("x", 300))), 1)
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00"), 0)
	f.Add([]byte("\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), 0)
	f.Fuzz(func(t *testing.T, blob []byte, field int) {
		var r load.Record
		if err := split(&r, blob, nil); err != nil {
			if load.Class(err) != load.ClassProtocol {
				t.Errorf("error %v of class %s", err, load.Class(err))
			}
			return
		}
		again := appendRecord(nil, &r)
		var second load.Record
		if err := split(&second, again, nil); err != nil || second.Len() != r.Len() {
			t.Fatalf("%d fields, then %d, %v", r.Len(), second.Len(), err)
		}
		for i := range r.Len() {
			f1, v1 := r.At(i)
			f2, v2 := second.At(i)
			if f1 != f2 || !bytes.Equal(v1, v2) {
				t.Fatalf("field %d=%q, then %d=%q", f1, v1, f2, v2)
			}
		}
		if field < 0 || field > maxField {
			return
		}
		var u load.Record
		u.AppendString(field, "new")
		merged, err := merge(nil, blob, &u)
		if err != nil {
			t.Fatal(err)
		}
		var third load.Record
		if err := split(&third, merged, []int{field}); err != nil || third.Len() != 1 {
			t.Errorf("field %d is there %d times after a merge, %v", field, third.Len(), err)
		}
	})
}
