package caches

import "testing"

func TestFromEnv(t *testing.T) {
	for value, want := range map[string]Config{"": Full, "full": Full, "scaled": Scaled} {
		t.Setenv(Variable, value)
		if got, err := FromEnv(); err != nil || got != want {
			t.Errorf("%q: %+v, %v", value, got, err)
		}
	}
	t.Setenv(Variable, "huge")
	if _, err := FromEnv(); err == nil || err.Error() != `CACHES="huge": want full or scaled` {
		t.Errorf("error %v", err)
	}
}
