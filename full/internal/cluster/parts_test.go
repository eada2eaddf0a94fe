package cluster

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestParts: parts in any order, some of them twice, give the message once.
func TestParts(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 2))
	for range 300 {
		message := make([]byte, rng.IntN(200))
		for i := range message {
			message[i] = byte(rng.Uint32())
		}
		parts, err := split("m", message, 1+rng.IntN(60))
		if err != nil {
			t.Fatal(err)
		}
		order := rng.Perm(len(parts))
		var a assembler
		got := 0
		for i, k := range order {
			whole, err := a.add(parts[k])
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if whole != nil {
				got++
				if !bytes.Equal(whole, message) || i != len(order)-1 {
					t.Fatalf("seed %d: after %d of %d parts: %q, want %q", seed, i+1, len(order), whole, message)
				}
				break
			}
			if len(parts) > 1 && rng.IntN(3) == 0 {
				if whole, err := a.add(parts[k]); whole != nil || err != nil {
					t.Fatalf("seed %d: a part came twice: %q, %v", seed, whole, err)
				}
			}
		}
		if got != 1 && len(message) > 0 {
			t.Fatalf("seed %d: %d messages", seed, got)
		}
		if len(a.open) != 0 {
			t.Fatalf("seed %d: %d messages stay open", seed, len(a.open))
		}
	}
}

func TestPartsRefuse(t *testing.T) {
	if _, err := split("m", make([]byte, 1000), 1); err == nil {
		t.Error("1000 parts")
	}
	var a assembler
	for _, text := range []string{"", "x", "{}\n", `{"id":"m","part":2,"parts":2}` + "\n", `{"id":"m","part":0,"parts":99999}` + "\n", `{"id":"m","part":-1,"parts":2}` + "\n"} {
		if whole, err := a.add([]byte(text)); whole != nil || err == nil {
			t.Errorf("%q: %q, %v", text, whole, err)
		}
	}
	for i := range 1000 { // of garbage there may be any number
		a.add([]byte(`{"id":"` + string(rune('a'+i%26)) + string(rune('a'+i/26)) + `","part":0,"parts":2}` + "\nx"))
	}
	if len(a.open) > maxOpen {
		t.Errorf("%d messages are open", len(a.open))
	}
}

func FuzzParts(f *testing.F) {
	f.Add([]byte("{\"id\":\"m\",\"part\":0,\"parts\":1}\nhello"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var a assembler
		a.add(data)
		a.add(data)
	})
}
