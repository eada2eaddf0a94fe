package redis

import (
	"testing"

	"github.com/gomodule/redigo/redis"

	"github.com/tarebench/tare/internal/testkit/loadtest"
	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load/kv"
)

func BenchmarkOperations(b *testing.B) {
	s := servers.Redis(b)
	loadtest.Bench(b, loadtest.Config{Open: Open, Props: kv.Properties{"redis.addr": s.Addr}})
}

// BenchmarkAgainstBare compares with loops over redigo as anybody would write them:
// one pool for all, with a connection for each worker.
func BenchmarkAgainstBare(b *testing.B) {
	const workers = 8
	s := servers.Redis(b)
	pool := &redis.Pool{MaxIdle: workers, Dial: func() (redis.Conn, error) { return redis.Dial("tcp", s.Addr) }}
	defer pool.Close()
	do := func(command string, args ...any) error {
		conn := pool.Get()
		defer conn.Close()
		_, err := conn.Do(command, args...)
		return err
	}
	b.Run("read", func(b *testing.B) {
		target := servers.Workload(b, workers, false, Open, kv.Properties{"redis.addr": s.Addr})
		servers.Against(b, workers, target, func(n int) func() error {
			return func() error {
				n++
				return do("HGETALL", "usertable:"+servers.Key(n))
			}
		})
	})
	b.Run("update", func(b *testing.B) {
		target := servers.Workload(b, workers, true, Open, kv.Properties{"redis.addr": s.Addr})
		value := make([]byte, 100)
		servers.Against(b, workers, target, func(n int) func() error {
			return func() error {
				n++
				return do("HSET", "usertable:"+servers.Key(n), "field3", value)
			}
		})
	})
}
