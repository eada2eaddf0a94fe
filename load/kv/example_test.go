package kv_test

import (
	"fmt"

	"github.com/tarebench/tare/load/kv"
)

func ExampleProperties() {
	props := kv.Properties{"redis.addr": "127.0.0.1:6379", "redis.pool": "many"}
	if err := props.Set("redis.adr=10.0.0.1"); err != nil {
		fmt.Println(err)
	}
	g := props.Getter()
	fmt.Println(g.String("redis.addr", "127.0.0.1:6379"), g.Int("redis.pool", 10))
	g.Known("redis.", []kv.Property{{Name: "redis.addr"}, {Name: "redis.pool"}})
	fmt.Println(g.Err())
	// Output:
	// 127.0.0.1:6379 10
	// property redis.pool=many: want a whole number
	// unknown property redis.adr: did you mean redis.addr?
}
