package load

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestSettings(t *testing.T) {
	allow, err := ParseConsent([]string{"shop.test:8080", "10.9.0.0/16"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []Settings{{}, {Seed: 1 << 63, Workers: 7, OpTimeout: 1500 * time.Millisecond, Allow: allow}} {
		cfg := map[string]string{"url": "http://127.0.0.1"}
		want.Set(cfg)
		got, err := ParseSettings(cfg)
		if err != nil || !reflect.DeepEqual(got, want) || cfg["url"] == "" {
			t.Errorf("%+v, want %+v, %v", got, want, err)
		}
	}
	if s, err := ParseSettings(nil); err != nil || s != (Settings{}) {
		t.Errorf("of nothing: %+v, %v", s, err)
	}
	_, err = ParseSettings(map[string]string{SettingSeed: "-1", SettingAllow: "http://x/", SettingOpTimeout: "soon", SettingWorkers: "many"})
	for _, name := range []string{SettingSeed, SettingAllow, SettingOpTimeout, SettingWorkers} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("nothing is said of %s: %v", name, err)
		}
	}
}
