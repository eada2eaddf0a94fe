package hist_test

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	hdr "github.com/HdrHistogram/hdrhistogram-go"

	"github.com/tarebench/tare/hist"
)

func encode(t testing.TB, h *hist.Histogram) []byte {
	t.Helper()
	b, err := h.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRoundTrip(t *testing.T) {
	r := random(t)
	for range 40 {
		c := hist.Config{Digits: 1 + r.IntN(5), Lowest: 1 + r.Int64N(1000)}
		if r.IntN(2) == 0 {
			c.Highest = max(2*c.Lowest, anySize(r))
		}
		h := hist.New(c)
		for range r.IntN(500) {
			h.RecordN(anySize(r), anySize(r)>>10)
		}
		got, err := hist.Decode(encode(t, h))
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		want := hist.Config{Digits: c.Digits, Lowest: c.Lowest, Highest: math.MaxInt64}
		if !got.Equal(h) || got.Config() != want || got.Count() != h.Count() {
			t.Fatalf("%+v: %d values came back of %d, in %+v", c, got.Count(), h.Count(), got.Config())
		}
		if h.Count() > 0 && h.Saturated() == 0 && (!sameBucket(h, got.Min(), h.Min()) || !sameBucket(h, got.Max(), h.Max())) {
			t.Fatalf("%+v: from %d to %d came back, want %d to %d", c, got.Min(), got.Max(), h.Min(), h.Max())
		}
	}
}

// TestPayloadAsHdrhistogram compares the payload with that of HdrHistogram's Go
// port, byte for byte, and has each decode the other's.
func TestPayloadAsHdrhistogram(t *testing.T) {
	r := random(t)
	for i := range 50 {
		digits, lowest, highest := 1+r.IntN(3), 1+r.Int64N(1000), int64(1)<<(20+r.IntN(40))
		h := hist.New(hist.Config{Digits: digits, Lowest: lowest, Highest: highest})
		g := hdr.New(lowest, highest, digits)
		for range i * 10 {
			v, n := r.Int64N(highest)>>r.IntN(20), anySize(r)>>12
			h.RecordN(v, n)
			if err := g.RecordValues(v, n); err != nil {
				t.Fatal(err)
			}
		}
		ours := encode(t, h)
		theirs, err := g.Encode(hdr.V2CompressedEncodingCookieBase)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := base64.StdEncoding.DecodeString(string(theirs))
		if err != nil {
			t.Fatal(err)
		}
		if a, b := inflate(t, ours), inflate(t, plain); !bytes.Equal(a, b) {
			t.Fatalf("%+v: the payload differs:\n got %x\nwant %x", h.Config(), a, b)
		}
		read, err := hdr.Decode([]byte(base64.StdEncoding.EncodeToString(ours)))
		if err != nil || !read.Equals(g) {
			t.Fatalf("%+v: hdrhistogram-go reads something else: %v", h.Config(), err)
		}
		if read, err := hist.Decode(plain); err != nil || !read.Equal(h) {
			t.Fatalf("%+v: we read something else: %v", h.Config(), err)
		}
	}
}

func inflate(t testing.TB, data []byte) []byte {
	t.Helper()
	z, err := zlib.NewReader(bytes.NewReader(data[8:]))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// deflate makes a payload of a header and counts.
func deflate(inner []byte) []byte {
	var b bytes.Buffer
	b.Write([]byte{0x1c, 0x84, 0x93, 0x14, 0, 0, 0, 0})
	z := zlib.NewWriter(&b)
	z.Write(inner)
	z.Close()
	out := b.Bytes()
	binary.BigEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out
}

// inner returns the decompressed payload of a header and encoded counts.
func inner(digits int32, lowest, highest int64, counts ...byte) []byte {
	be := binary.BigEndian
	b := be.AppendUint32(nil, 0x1c849313)
	b = be.AppendUint32(b, uint32(len(counts)))
	b = be.AppendUint32(b, 0)
	b = be.AppendUint32(b, uint32(digits))
	b = be.AppendUint64(b, uint64(lowest))
	b = be.AppendUint64(b, uint64(highest))
	b = be.AppendUint64(b, math.Float64bits(1))
	return append(b, counts...)
}

func TestDecodeHostile(t *testing.T) {
	good := encode(t, of(1, 2, 3, 1<<30))
	with := func(b []byte, at int, v byte) []byte { b = bytes.Clone(b); b[at] = v; return b }
	minInt := []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
	maxInt := []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "0 bytes, of which the header alone takes 8"},
		{"text", []byte("HISTFAAAA"), "not a histogram: it begins with 0x48495354"},
		{"version 1", with(good, 3, 0x02), "a histogram of version 1, which cannot be read"},
		{"version 0", with(good, 3, 0x09), "a histogram of version 0, which"},
		{"doubles", []byte{0x0c, 0x72, 0x12, 0x4f, 0, 0, 0, 0}, "a histogram of floating-point values, which"},
		{"not compressed", inner(3, 1, 100), "a histogram that is not compressed, which"},
		{"cut off", good[:len(good)-1], "cut off: 43 bytes after the header, which says 44"},
		{"no zlib", []byte{0x1c, 0x84, 0x93, 0x14, 0, 0, 0, 2, 9, 9}, "not compressed: zlib: invalid header"},
		{"length 2^32-1", with(with(with(with(good, 4, 0xff), 5, 0xff), 6, 0xff), 7, 0xff), "which says 4294967295"},
		{"check sum", with(good, len(good)-1, good[len(good)-1]+1), "zlib: invalid checksum"},
		{"short header", deflate(inner(3, 1, 100)[:39]), "header of the counts: unexpected EOF"},
		{"inner cookie", deflate(with(inner(3, 1, 100), 0, 7)), "not a histogram: it begins with 0x07849313"},
		{"twice", deflate(good), "compressed twice"},
		{"digits 0", deflate(inner(0, 1, 100)), "0 digits of values up to 100"},
		{"digits 6", deflate(inner(6, 1, 100)), "6 digits: must be 1 to 5"},
		{"digits -1", deflate(inner(-1, 1, 100)), "-1 digits of values"},
		{"digits 2^31-1", deflate(inner(math.MaxInt32, 1, 100)), "2147483647 digits: must be 1 to 5"},
		{"lowest negative", deflate(inner(3, -1, 100)), "lowest value -1 is negative"},
		{"lowest large", deflate(inner(3, math.MaxInt64, math.MaxInt64)), "is too large for 3 digits"},
		{"highest negative", deflate(inner(3, 1, math.MinInt64)), "values up to -9223372036854775808"},
		{"too many counts", deflate(inner(1, 1, 2, make([]byte, 33)...)), "more counts than the 32 of its digits and range"},
		{"too many zeros", deflate(inner(1, 1, 2, 0x41)), "more counts than the 32"},
		{"2^63 zeros", deflate(inner(1, 1, 2, minInt...)), "more counts than the 32"},
		{"sum", deflate(inner(1, 1, 2, append(maxInt, 2)...)), "the sum of the counts exceeds 2^63-1"},
		{"number cut off", deflate(inner(1, 1, 2, 2, 0x80)), "count 1: unexpected EOF"},
		{"payload cut off", deflate(with(inner(1, 1, 2, 2), 7, 9)), "count 1: unexpected EOF"},
		{"payload goes on", deflate(append(inner(1, 1, 2, 2), 0)), "more data than the header says"},
		{"length -1", deflate(with(with(with(with(inner(1, 1, 2, 2), 4, 0xff), 5, 0xff), 6, 0xff), 7, 0xff)), "count 1: unexpected EOF"},
	} {
		h, err := hist.Decode(c.data)
		if err == nil || !strings.HasPrefix(err.Error(), "hist: decode: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if h != nil {
			t.Errorf("%s: a histogram beside the error", c.name)
		}
	}
}

func TestDecodeForgiving(t *testing.T) {
	good := encode(t, of(1, 2, 3))
	for name, data := range map[string][]byte{
		"bytes after the end": append(bytes.Clone(good), "garbage"...),
		"lowest 0":            deflate(inner(3, 0, 1000, 1, 2, 2, 2)), // hdrhistogram-go 1.0
		"index offset":        deflate(append(append(inner(3, 1, 1000)[:4:4], 0, 0, 0, 4, 0, 0, 0, 77), inner(3, 1, 1000, 0, 2, 2, 2)[12:]...)),
		"highest 0":           deflate(inner(3, 1, 0, 1, 2, 2, 2)),
	} {
		if h, err := hist.Decode(data); err != nil || !h.Equal(of(1, 2, 3)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDecodeMemory has bombs explode and measures what they allocate.
func TestDecodeMemory(t *testing.T) {
	var sparse []byte // one count per page of 1024
	for range 54 {
		sparse = append(sparse, 0x02, 0xfd, 0x0f) // 1, then 1023 zeros
	}
	for _, c := range []struct {
		name  string
		data  []byte
		limit uint64
		ok    bool
	}{
		{"8 MiB of zeros behind the payload", deflate(append(inner(3, 1, 100, 2), make([]byte, 8<<20)...)), 1 << 20, false},
		{"a payload of 8 MiB", deflate(inner(3, 1, math.MaxInt64, make([]byte, 8<<20)...)), 1 << 20, false},
		{"as many zeros as 4 digits have counts", deflate(inner(4, 1, math.MaxInt64, make([]byte, 50<<14)...)), 1 << 20, true},
		{"a count on each page", deflate(inner(3, 1, math.MaxInt64, sparse...)), 1 << 20, true},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := hist.Decode(c.data)
		runtime.ReadMemStats(&after)
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > c.limit {
			t.Errorf("%s: %d bytes allocated, want at most %d", c.name, n, c.limit)
		}
	}
}

func TestEncodeReusesMemory(t *testing.T) {
	h := new(hist.Histogram)
	r := random(t)
	for range 10_000 {
		h.Record(latency(r))
	}
	want := encode(t, h)
	if raceDetector {
		t.Skip("under the race detector a sync.Pool forgets things at random")
	}
	// A collection in between empties the pool, and a run or two make a compressor
	// anew, of some 20 allocations.
	n := testing.AllocsPerRun(50, func() {
		if got := encode(t, h); !bytes.Equal(got, want) {
			t.Fatal("the second encoding differs")
		}
	})
	if n > 4 {
		t.Errorf("%v allocations each", n)
	}
}

// FuzzDecode decodes any bytes, compressed so that the fuzzer gets through to
// the counts; what can be decoded is encoded and decoded again.
func FuzzDecode(f *testing.F) {
	for _, h := range []*hist.Histogram{new(hist.Histogram), of(0), of(1, 5, 1<<40, math.MaxInt64),
		fill(hist.New(hist.Config{Digits: 5, Lowest: 1000}), 1_000, 123_456_789)} {
		f.Add(encode(f, h), false)
		f.Add(inflate(f, encode(f, h)), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, compress bool) {
		if compress {
			data = deflate(data)
		}
		h, err := hist.Decode(data)
		if err != nil {
			return
		}
		var sum int64
		for _, n := range h.Buckets() {
			if n <= 0 {
				t.Fatalf("a count of %d", n)
			}
			sum += n
		}
		if sum != h.Count() {
			t.Fatalf("%d values in buckets, %d in all", sum, h.Count())
		}
		again, err := hist.Decode(encode(t, h))
		if err != nil || !again.Equal(h) || again.Config() != h.Config() || again.Percentiles() != h.Percentiles() {
			t.Fatalf("%+v became %+v: %v", h.Percentiles(), again.Percentiles(), err)
		}
	})
}

// FuzzRecord makes a histogram of any values and takes it through everything.
func FuzzRecord(f *testing.F) {
	f.Add([]byte("some values of eight bytes each"), byte(3), int64(1), int64(0))
	f.Add([]byte{0x80, 0, 0, 0, 0, 0, 0, 0, 1}, byte(5), int64(1000), int64(5000))
	f.Fuzz(func(t *testing.T, content []byte, digits byte, lowest, highest int64) {
		c := hist.Config{Digits: int(digits), Lowest: lowest, Highest: highest}
		if c.Validate() != nil {
			return
		}
		h := hist.New(c)
		var values []int64
		for chunk := range slices.Chunk(content, 8) {
			var b [8]byte
			copy(b[:], chunk)
			values = append(values, int64(binary.BigEndian.Uint64(b[:])))
			h.Record(values[len(values)-1])
		}
		if h.Count() != int64(len(values)) {
			t.Fatalf("%d values of %d", h.Count(), len(values))
		}
		if len(values) > 0 && (h.Min() != slices.Min(values) || h.Max() != slices.Max(values)) {
			t.Fatalf("from %d to %d, want %d to %d", h.Min(), h.Max(), slices.Min(values), slices.Max(values))
		}
		last := int64(0)
		for _, p := range []float64{0, 1, 50, 99, 99.99, 100} {
			v := h.ValueAtPercentile(p)
			if v < last {
				t.Fatalf("p%v is %d, less than a lower one, %d", p, v, last)
			}
			last = v
		}
		again, err := hist.Decode(encode(t, h))
		if err != nil || !again.Equal(h) {
			t.Fatalf("%v", err)
		}
	})
}
