package bolt_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/tarebench/tare/internal/testkit/loadtest"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/kv/bolt"
)

func TestConformance(t *testing.T) {
	for name, props := range map[string]kv.Properties{
		"default": nil,
		"batch":   {"bolt.batch": "1us"},
	} {
		t.Run(name, func(t *testing.T) {
			loadtest.Run(t, loadtest.Config{Open: bolt.Open, Props: props, Embedded: true})
		})
	}
}

func BenchmarkBolt(b *testing.B) {
	loadtest.Bench(b, loadtest.Config{Open: bolt.Open})
}

func BenchmarkBoltSync(b *testing.B) {
	loadtest.Bench(b, loadtest.Config{Open: bolt.Open, Props: kv.Properties{"bolt.sync": "true"}})
}

func open(t *testing.T, dir string, props kv.Properties) (kv.DB, kv.Session) {
	t.Helper()
	db, err := bolt.Binding().OpenDB(context.Background(), kv.Settings{Props: props, Table: "usertable", Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s, err := db.Session(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return db, s
}

func TestBadProperties(t *testing.T) {
	place := t.TempDir()
	t.Setenv("TMPDIR", place)
	for _, c := range []struct {
		props kv.Properties
		want  string
	}{
		{kv.Properties{"bolt.sync": "perhaps"}, "property bolt.sync=perhaps: want true or false"},
		{kv.Properties{"bolt.batch": "5"}, "property bolt.batch=5: want a duration"},
		{kv.Properties{"bolt.snyc": "true"}, "unknown property bolt.snyc: did you mean bolt.sync?"},
	} {
		db, err := bolt.Open(context.Background(), kv.Settings{Props: c.props, Table: "usertable"})
		if err == nil {
			db.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %s", c.props, err, c.want)
		}
	}
	_, err := bolt.Open(context.Background(), kv.Settings{}) // no name for the bucket
	if err == nil || !strings.Contains(err.Error(), "bucket") {
		t.Errorf("no table: error %v", err)
	}
	if left, _ := os.ReadDir(place); len(left) > 0 {
		t.Errorf("a failed Open left %v", left)
	}
}

// TestForeignFile opens what is no database of bbolt, and what has other things
// in it than records.
func TestForeignFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "tare.bolt")
	if err := os.WriteFile(path, []byte(strings.Repeat("not a database\n", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := bolt.Open(context.Background(), kv.Settings{Table: "usertable", Dir: dir}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want one that names %s", err, path)
	}

	os.Remove(path)
	other, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = other.Update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucket([]byte("usertable"))
		if err != nil {
			return err
		}
		return b.Put([]byte("user1"), []byte("\x01\x7fshort"))
	})
	if err != nil {
		t.Fatal(err)
	}
	other.Close()
	_, s := open(t, dir, nil)
	var v kv.Record
	var rows kv.Records
	v.AppendString(1, "x")
	ctx, key := context.Background(), []byte("user1")
	_, scanned := s.Scan(ctx, key, 5, nil, &rows)
	for what, err := range map[string]error{
		"read": s.Read(ctx, key, nil, new(kv.Record)), "scan": scanned, "update": s.Update(ctx, key, &v),
	} {
		if err == nil || !strings.Contains(err.Error(), what+` "user1": damaged record: field 1 has 127 bytes, of which 5 are there`) {
			t.Errorf("%s: error %v", what, err)
		}
	}
}

func TestBadKeys(t *testing.T) {
	_, s := open(t, "", nil)
	ctx := context.Background()
	var v kv.Record
	v.AppendString(0, "x")
	for _, key := range []string{"", strings.Repeat("k", 40_000)} {
		if err := s.Insert(ctx, []byte(key), &v); err == nil || !strings.Contains(err.Error(), "bolt: insert") {
			t.Errorf("key of %d bytes: error %v", len(key), err)
		}
		if err := s.Read(ctx, []byte(key), nil, &v); err != kv.ErrNotFound {
			t.Errorf("key of %d bytes: read error %v", len(key), err)
		}
	}
}

func TestNotes(t *testing.T) {
	weak := "sync=false: commits are not flushed to disk"
	db, _ := open(t, "", nil)
	if c := db.Capabilities(); !slices.Contains(c.Notes, weak) || !slices.Contains(c.Weak, weak) || !strings.HasPrefix(c.Name, "bolt") {
		t.Errorf("%+v", c)
	}
	db, _ = open(t, "", kv.Properties{"bolt.sync": "true", "bolt.batch": "3ms"})
	c := db.Capabilities()
	if notes := strings.Join(c.Notes, "\n"); len(c.Weak) > 0 || !strings.Contains(notes, "sync=true") || !strings.Contains(notes, "batch=3ms") {
		t.Errorf("%+v", c)
	}
}

// TestBatchSharesTransactions counts transactions by their numbers.
func TestBatchSharesTransactions(t *testing.T) {
	const workers, each = 8, 5
	count := func(props kv.Properties) int {
		dir := t.TempDir()
		db, _ := open(t, dir, props)
		var wg sync.WaitGroup
		for w := range workers {
			s, err := db.Session(context.Background(), w)
			if err != nil {
				t.Fatal(err)
			}
			wg.Go(func() {
				var v kv.Record
				v.AppendString(0, "x")
				for i := range each {
					if err := s.Insert(context.Background(), fmt.Appendf(nil, "user%d-%d", w, i), &v); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		db.Close()
		raw, err := bbolt.Open(filepath.Join(dir, "tare.bolt"), 0o600, &bbolt.Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		defer raw.Close()
		tx, err := raw.Begin(false)
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		return tx.ID()
	}
	alone, shared := count(nil), count(kv.Properties{"bolt.batch": "20ms"})
	if alone < workers*each || shared >= alone-workers {
		t.Errorf("%d writes: %d transactions, and %d where they are shared", workers*each, alone, shared)
	}
}

// TestHeldByAnotherProcess opens a file that a child process has open.
func TestHeldByAnotherProcess(t *testing.T) {
	const env = "TARE_BOLT_TEST_HOLD"
	if dir := os.Getenv(env); dir != "" {
		db, err := bolt.Open(context.Background(), kv.Settings{Table: "usertable", Dir: dir})
		fmt.Println("opened", db != nil, err)
		bufio.NewReader(os.Stdin).ReadByte() // until the parent has looked
		return
	}
	dir := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run=^TestHeldByAnotherProcess$")
	child.Env = append(os.Environ(), env+"="+dir)
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "opened true <nil>\n" {
		t.Errorf("child says %q, %v", line, err)
	}
	_, err = bolt.Open(context.Background(), kv.Settings{Table: "usertable", Dir: dir})
	if err == nil || !strings.Contains(err.Error(), "another process has it open") || !strings.Contains(err.Error(), dir) {
		t.Errorf("error %v", err)
	}
	in.Close()
	if err := child.Wait(); err != nil {
		t.Errorf("child: %v", err)
	}
	open(t, dir, nil) // free again
}
