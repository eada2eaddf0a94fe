package bolt

import (
	"context"
	"testing"

	"github.com/tarebench/tare/load/kv"
)

// TestSyncReachesTheLibrary: the property means what it says.
func TestSyncReachesTheLibrary(t *testing.T) {
	for value, want := range map[string]bool{"true": true, "false": false, "": false} {
		props := kv.Properties{"bolt.sync": value}
		if value == "" {
			props = nil
		}
		d, err := Open(context.Background(), kv.Settings{Props: props, Table: "usertable"})
		if err != nil {
			t.Fatal(err)
		}
		b := d.(*db).bolt
		if b.NoSync == want || b.NoGrowSync == want {
			t.Errorf("bolt.sync=%s: NoSync %v, NoGrowSync %v", value, b.NoSync, b.NoGrowSync)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}
