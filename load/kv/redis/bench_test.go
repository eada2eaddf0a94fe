package redis

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/tarebench/tare/internal/loadtest"
	"github.com/tarebench/tare/internal/loadtest/servers"
	"github.com/tarebench/tare/load/kv"
)

func BenchmarkOperations(b *testing.B) {
	s := servers.Redis(b)
	loadtest.Bench(b, loadtest.Config{Open: Open, Props: kv.Properties{"redis.addr": s.Addr}})
}

// BenchmarkAgainstBare compares with loops over go-redis as anybody would write
// them: one client for all, with a connection for each worker.
func BenchmarkAgainstBare(b *testing.B) {
	const workers = 8
	s := servers.Redis(b)
	client := redis.NewClient(&redis.Options{Addr: s.Addr, PoolSize: workers})
	defer client.Close()
	b.Run("read", func(b *testing.B) {
		target := servers.Workload(b, workers, false, Open, kv.Properties{"redis.addr": s.Addr})
		servers.Against(b, workers, target, func(n int) func() error {
			return func() error {
				n++
				return client.HGetAll(ctx, "usertable:"+servers.Key(n)).Err()
			}
		})
	})
	b.Run("update", func(b *testing.B) {
		target := servers.Workload(b, workers, true, Open, kv.Properties{"redis.addr": s.Addr})
		value := make([]byte, 100)
		servers.Against(b, workers, target, func(n int) func() error {
			return func() error {
				n++
				return client.HSet(ctx, "usertable:"+servers.Key(n), "field3", value).Err()
			}
		})
	})
}
