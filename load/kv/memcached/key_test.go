package memcached

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

func record(values ...string) *kv.Record {
	var r kv.Record
	for i, v := range values {
		r.AppendString(i, v)
	}
	return &r
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
