package record

import "testing"

func TestKindOf(t *testing.T) {
	command := func(words ...string) *Run { return &Run{Command: append([]string{"tare"}, words...)} }
	for _, test := range []struct {
		name string
		run  *Run
		want string
	}{
		{"no run", nil, ""},
		{"benchmark text", &Run{}, KindBench},
		{"named", &Run{Kind: KindTrace, Command: []string{"tare", "time"}}, KindTrace},
		{"of a later version", &Run{Kind: "cluster"}, "cluster"},
		{"old bench", command("bench", "time"), KindBench},
		{"old time", command("time", "--", "ls"), KindTime},
		{"old asm", command("asm", "."), KindAsm},
		{"old trace", command("trace", "."), KindTrace},
		{"old sample", command("sample", "."), KindSample},
		{"old contrast", command("contrast", "."), KindContrast},
		{"old load", &Run{Command: []string{"tare", "load", "search"}, Config: Config{Load: &LoadConfig{}}}, KindLoad},
		{"old selftest of doctor", &Run{Command: []string{"tare", "doctor"}, Config: Config{Order: "blocks"}}, KindSelftest},
	} {
		if got := KindOf(test.run); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestLineKinds: a decoder returns each kind as a type of its own, and that type writes the kind. What a test writes one of each of
// has all of them.
func TestLineKinds(t *testing.T) {
	written := map[string]bool{}
	for _, l := range golden() {
		written[l.kind()] = true
	}
	for _, kind := range LineKinds() {
		l, err := new(LineDecoder).Decode([]byte(`{"k":"` + kind + `"}`))
		if _, raw := l.(*Raw); err != nil || raw || l.kind() != kind {
			t.Errorf("%s: %T, %v", kind, l, err)
		}
		if !written[kind] {
			t.Errorf("no line of kind %s is written", kind)
		}
	}
	if len(written) != len(LineKinds()) {
		t.Errorf("written are %v, and known are %v", written, LineKinds())
	}
}
