package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/record"
)

// TestSpellings: a secret is hidden as JSON, Go, HTML, URLs and shells write it.
func TestSpellings(t *testing.T) {
	const secret = `zq"7<'& %ü\w`
	AddPairs([]string{"MY_PASSPHRASE=" + secret, "SERVER=redis://u:zq8%40w9x@h"})
	inJSON, _ := json.Marshal(secret)
	for _, text := range []string{
		secret, string(inJSON), fmt.Sprintf("%q", secret), fmt.Sprintf("%+q", secret), html.EscapeString(secret), url.QueryEscape(secret), url.PathEscape(secret),
		"'" + strings.ReplaceAll(secret, "'", `'\''`) + "'", "zq8@w9x", "zq8%40w9x",
	} {
		if shown := Text("a " + text + " b"); strings.Contains(shown, "zq") || !strings.HasPrefix(shown, "a ") || !strings.HasSuffix(shown, " b") {
			t.Errorf("%s is shown as %s", text, shown)
		}
	}
}

// TestQuotedSetting: a quote in a value that a message quotes does not end it.
func TestQuotedSetting(t *testing.T) {
	AddPairs([]string{`apiKey=hq"hq`, `SERVER=redis://u:hqlong'q@hqlong@h`})
	for _, text := range []string{`there is no verb "apiKey=hq\"hq"`, `there is no verb "apiKey=hz\"hz"`, `"redis://u:hqlong'q@hqlong@h" is none`} {
		if shown := Text(text); strings.Contains(shown, "hq") || strings.Contains(shown, "hz") {
			t.Errorf("%s is shown as %s", text, shown)
		}
	}
}

// TestShortSecrets: short values stand in other words. They are hidden in texts of programs, and not in names.
func TestShortSecrets(t *testing.T) {
	AddPairs([]string{"PIN_TOKEN=q7x", "SHORT_TOKEN=q7xz", "LONG_TOKEN=q7xzq7xz"})
	for text, want := range map[string]string{"q7x": "q7x", "q7xz": "***", "a q7xzq7xz": "a ***"} {
		if shown := Text(text); shown != want {
			t.Errorf("%q is shown as %q", text, shown)
		}
	}
	if shown := Name("Sort/q7xz/q7xzq7xz"); shown != "Sort/q7xz/***" {
		t.Error(shown)
	}
}

// TestProfile: an attached profile loses secrets in names, labels and comments, and keeps the rest.
func TestProfile(t *testing.T) {
	AddPairs([]string{"MY_TOKEN=hq7profile"})
	f := &profile.Function{ID: 1, Name: "main.f", Filename: "/x/hq7profile/f.go"}
	l := &profile.Location{ID: 1, Line: []profile.Line{{Function: f, Line: 7}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}, Function: []*profile.Function{f}, Location: []*profile.Location{l}, Comments: []string{"run with hq7profile"},
		Sample: []*profile.Sample{{Location: []*profile.Location{l}, Value: []int64{42}, Label: map[string][]string{"user": {"hq7profile"}, "at": {"redis://u:hq8@h"}}}},
	}
	var packed bytes.Buffer
	if err := p.Write(&packed); err != nil {
		t.Fatal(err)
	}
	got, err := profile.ParseData(Line(&record.Attach{Name: "cpu", Data: packed.Bytes()}).(*record.Attach).Data)
	if err != nil {
		t.Fatal(err)
	}
	if text := got.String(); strings.Contains(text, "hq") || got.Sample[0].Value[0] != 42 || got.Comments[0] != "run with ***" || got.Sample[0].Label["at"][0] != "redis://u:***@h" {
		t.Error(text)
	}
}

// TestOldRecord: a record in which another program hid nothing is read without its secrets.
func TestOldRecord(t *testing.T) {
	run := &record.Run{Kind: record.KindTime, Command: []string{"tare", "time", "--env", "APP_PASSCODE=hq7", "--", "x", "--token", "hq7"}}
	run.Config.Setenv = []string{"X_SIGNATURE=hq7"}
	run.Config.Load = &record.LoadConfig{Props: map[string]string{"redis.password": "hq7"}}
	run.Sides = []record.Side{{Name: "a", Ref: "x --password hq7", Setenv: []string{"STRIPE_KEY=hq7"}}}
	for _, l := range []record.Line{
		run, &record.Bin{Build: map[string]string{"-ldflags": "-X main.token=hq7"}}, &record.Fork{Tail: "with password=hq7", Why: "host=h password='hq7 hq7' user=u"},
	} {
		shown, _ := json.Marshal(Line(l))
		if strings.Contains(string(shown), "hq7") || !strings.Contains(string(shown), Placeholder) {
			t.Errorf("%s", shown)
		}
	}
}
