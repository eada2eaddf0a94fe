package pagefile

import (
	"bufio"
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// page returns a page with records, and markup that looks like a record's before and after them.
func page(t testing.TB, records ...string) string {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(Doctype + "\n<html><body><p>" + elementStart + "</p>")
	for i, r := range records {
		if err := Write(&b, `a "name" </script><script>alert(1)</script>`+string(rune('0'+i)), []byte(r)); err != nil {
			t.Fatal(err)
		}
		b.WriteString(strings.Repeat("x", 100_000) + "\n")
	}
	b.WriteString("</body></html>\n")
	return b.String()
}

func readAll(text string) (string, error) {
	out, err := io.ReadAll(NewReader(bufio.NewReader(strings.NewReader(text))))
	return string(out), err
}

func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 300_000)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	for _, records := range [][]string{{""}, {"{}\n"}, {"a\n", "b\n"}, {string(noise), "", "z"}} {
		text := page(t, records...)
		if !IsPage(bufio.NewReader(strings.NewReader(text))) {
			t.Error("the page is not recognized")
		}
		got, err := readAll(text)
		if err != nil || got != strings.Join(records, "") {
			t.Errorf("%d records of %d bytes: %d bytes, %v", len(records), len(strings.Join(records, "")), len(got), err)
		}
		slow, err := io.ReadAll(NewReader(bufio.NewReader(iotest.OneByteReader(strings.NewReader(text)))))
		if err != nil || string(slow) != got {
			t.Errorf("byte by byte: %d bytes, %v", len(slow), err)
		}
		if strings.Contains(text, "<script>alert") {
			t.Error("a name ends its attribute")
		}
	}
}

func TestIsPage(t *testing.T) {
	for text, want := range map[string]bool{
		Doctype: true, "<!doctype html>": true, "\ufeff<!DOCTYPE HTML>": true, "\n <html lang=en>": true,
		"": false, "{\"k\":\"run\"}": false, "<?xml": false, "goos: linux": false, "<!DOCTYPE svg": false,
	} {
		in := bufio.NewReader(strings.NewReader(text))
		if got := IsPage(in); got != want {
			t.Errorf("%q: %v", text, got)
		}
		if rest, _ := io.ReadAll(in); string(rest) != text {
			t.Errorf("%q: %q is left", text, rest)
		}
	}
}

// TestDamaged: a page that was edited or cut off has an error that names it, and no other record is believed.
func TestDamaged(t *testing.T) {
	text := page(t, strings.Repeat("a line of a record\n", 1000))
	at := strings.LastIndex(text, `">`) + 100
	for name, c := range map[string]struct{ text, want string }{
		"no record":    {Doctype + "<html></html>", "no record is in this page"},
		"empty":        {"", "no record is in this page"},
		"cut off":      {text[:at], "edited or cut off"},
		"one letter":   {text[:at] + flip(text[at]) + text[at+1:], "edited or cut off"},
		"not base64":   {text[:at] + "*" + text[at+1:], "edited or cut off"},
		"length":       {strings.Replace(text, `data-bytes="19000"`, `data-bytes="18999"`, 1), "edited or cut off"},
		"longer":       {strings.Replace(text, `data-bytes="19000"`, `data-bytes="19001"`, 1), "edited or cut off"},
		"too long":     {strings.Replace(text, `data-bytes="19000"`, `data-bytes="9999999999"`, 1), "the limit is 134217728"},
		"no checksum":  {strings.Replace(text, "data-sha256", "data-sha512", 1), "edited or cut off"},
		"bad checksum": {strings.Replace(text, `data-sha256="`, `data-sha256="00000000`, 1), "edited or cut off"},
	} {
		if _, err := readAll(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

func flip(b byte) string {
	if b == 'A' {
		return "B"
	}
	return "A"
}

func FuzzReader(f *testing.F) {
	f.Add(page(f, "a\n", "b\n"))
	f.Add(page(f, ""))
	f.Fuzz(func(t *testing.T, text string) {
		in := bufio.NewReader(strings.NewReader(text))
		IsPage(in)
		n, err := io.Copy(io.Discard, NewReader(in))
		if err == nil && n > 0 && !strings.Contains(text, elementStart) {
			t.Errorf("%d bytes out of a text without a record", n)
		}
	})
}
