package lru

import (
	"strconv"
	"testing"
)

func keys(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = "user:" + strconv.Itoa(i*7919)
	}
	return all
}

func TestEvicts(t *testing.T) {
	c := New(2)
	for i, k := range []string{"a", "b", "a", "c"} {
		if _, ok := c.Get(k); !ok {
			c.Put(k, []byte{byte(i)})
		}
	}
	if v, ok := c.Get("a"); !ok || v[0] != 0 {
		t.Errorf("a: %v, %v", v, ok)
	}
	if _, ok := c.Get("b"); ok {
		t.Error("b was not evicted")
	}
}

// BenchmarkReadThrough has a miss in every second call of Get.
func BenchmarkReadThrough(b *testing.B) {
	all := keys(1024)
	c := New(512)
	value, cold := []byte("value"), 0
	for b.Loop() {
		for i := range 512 {
			k := all[i%128]
			if i%2 == 1 {
				k = all[128+cold%896]
				cold++
			}
			if _, ok := c.Get(k); !ok {
				c.Put(k, value)
			}
		}
	}
}

// BenchmarkHit only finds values.
func BenchmarkHit(b *testing.B) {
	all := keys(512)
	c := New(512)
	for _, k := range all {
		c.Put(k, []byte(k))
	}
	n := 0
	for b.Loop() {
		for _, k := range all {
			v, _ := c.Get(k)
			n += len(v)
		}
	}
}
