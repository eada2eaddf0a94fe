package mutate

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
)

var payloadToken = regexp.MustCompile(`[A-Za-z0-9+/]{60,}={0,2}`)

// damagePayload damages what a line carries in base64: a histogram or a profile. What is
// compressed is damaged inside and compressed again.
func damagePayload(rng *rand.Rand, data []byte, _ [][]byte) ([]byte, bool) {
	from, to, ok := findPayload(rng, data)
	if !ok {
		return nil, false
	}
	inside, err := base64.StdEncoding.DecodeString(string(data[from:to]))
	if err != nil || len(inside) < 9 {
		return nil, false
	}
	damaged := damageInside(rng, inside)
	text := base64.StdEncoding.AppendEncode(nil, damaged)
	return slices.Concat(data[:from], text, data[to:]), true
}

// findPayload returns where a payload begins and ends. A payload may be longer than the
// window of find, so it looks through the whole line.
func findPayload(rng *rand.Rand, data []byte) (from, to int, ok bool) {
	all := payloadToken.FindAllIndex(data[:min(len(data), 1<<20)], -1)
	if len(all) == 0 {
		return 0, 0, false
	}
	found := all[rng.IntN(len(all))]
	return found[0], found[1], true
}

func damageInside(rng *rand.Rand, payload []byte) []byte {
	if plain, ok := gunzip(payload); ok {
		out, _ := apply(rng, plain, nil, binaryChanges)
		return gzipped(out)
	}
	// A compressed histogram has a cookie, the length, and zlib data.
	if plain, ok := inflate(payload[8:]); ok && rng.IntN(8) > 0 {
		out, _ := apply(rng, plain, nil, binaryChanges)
		packed := deflate(out)
		head := slices.Clone(payload[:8])
		binary.BigEndian.PutUint32(head[4:], uint32(len(packed)))
		return append(head, packed...)
	}
	out, _ := apply(rng, payload, nil, binaryChanges)
	return out
}

func gunzip(data []byte) ([]byte, bool) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, false
	}
	out, err := io.ReadAll(io.LimitReader(r, MaxSize))
	return out, err == nil
}

func gzipped(data []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(data)
	w.Close()
	return out.Bytes()
}

func inflate(data []byte) ([]byte, bool) {
	r, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, false
	}
	out, err := io.ReadAll(io.LimitReader(r, MaxSize))
	return out, err == nil
}

func deflate(data []byte) []byte {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	w.Write(data)
	w.Close()
	return out.Bytes()
}
