package memcached

import (
	"testing"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/tarebench/tare/internal/testkit/loadtest"
	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load/kv"
)

func BenchmarkOperations(b *testing.B) {
	s := servers.Memcached(b)
	loadtest.Bench(b, loadtest.Config{Open: Open, Props: kv.Properties{"memcached.addr": s.Addr}, Keys: loadtest.Plain})
}

// BenchmarkAgainstBare compares with loops over gomemcache as anybody would write
// them: one client for all, with a connection for each worker.
func BenchmarkAgainstBare(b *testing.B) {
	const workers = 8
	s := servers.Memcached(b)
	client := memcache.New(s.Addr)
	client.MaxIdleConns = workers
	b.Run("read", func(b *testing.B) {
		target := servers.Workload(b, workers, false, Open, kv.Properties{"memcached.addr": s.Addr})
		servers.Against(b, workers, target, func(n int) func() error {
			return func() error {
				n++
				_, err := client.Get("usertable:" + servers.Key(n))
				return err
			}
		})
	})
	b.Run("update", func(b *testing.B) {
		target := servers.Workload(b, workers, true, Open, kv.Properties{"memcached.addr": s.Addr})
		servers.Against(b, workers, target, func(n int) func() error {
			return func() error {
				n++
				item, err := client.Get("usertable:" + servers.Key(n))
				if err != nil {
					return err
				}
				if err = client.CompareAndSwap(item); err == memcache.ErrCASConflict {
					return nil
				}
				return err
			}
		})
	})
}
