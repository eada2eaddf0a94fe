package grpc

import (
	"testing"

	"google.golang.org/protobuf/types/dynamicpb"
)

// FuzzBody checks that any body is split and encoded, or refused with an error.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{`{"id":"x"}`, "{}\n{}", `[{"id":"a"},{}]`, `[`, `[{}]x`, `{"at":"2026-01-02T03:04:05Z"}`, `{"id":`, "[1,2", `{"idd":1}`} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	files := shopFiles(f)
	upload, err := findMethod(files, "shop.Orders", "Upload")
	if err != nil {
		f.Fatal(err)
	}
	get, err := findMethod(files, "shop.Orders", "Get")
	if err != nil {
		f.Fatal(err)
	}
	types := dynamicpb.NewTypes(files)
	f.Fuzz(func(t *testing.T, text string, stream bool) {
		m := get
		if stream {
			m = upload
		}
		messages, err := newEncoder(m, types).encode([]byte(text))
		switch {
		case err != nil && (messages != nil || err.Error() == ""):
			t.Errorf("%q: %d messages and error %v", text, len(messages), err)
		case err == nil && !stream && len(messages) != 1:
			t.Errorf("%q: %d messages", text, len(messages))
		}
	})
}

func FuzzCodes(f *testing.F) {
	for _, seed := range []string{"OK", "OK,NotFound", "not_found", "16", "17", ",", "-1", "cancelled"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseCodes(text)
		if err != nil {
			return
		}
		for c := range s {
			if s[c] {
				return
			}
		}
		t.Errorf("%q allows nothing, without an error", text)
	})
}
