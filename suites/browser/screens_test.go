package browser

import (
	"bytes"
	"cmp"
	"flag"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

var update = flag.Bool("update", false, "write the pictures of docs/img anew")

// screen is a picture of a page in docs/img: the first screenful, or that from an element on.
type screen struct {
	name, page, fragment string
	from                 string // expression of the element; "" for the top
}

// Pictures are compared by the mean grey of cells of so many pixels, since fonts differ between machines.
const (
	cell   = 32
	unlike = 0.5
)

func screens(t *testing.T) []screen {
	memory := memoryPage(t)
	return []screen{
		{"light", memory, "theme=light", ""},
		{"dark", pageOf(t, "report", writeRecord(t, "sizes.jsonl", sizes().record(t))), "theme=dark", titled("Time per operation over n")},
		{"compare", pageOf(t, "report", writeRecord(t, "story.jsonl", story().record(t))), "theme=light", ""},
		{"load", pageOf(t, "report", writeRecord(t, "load.jsonl", longLoad(t, 60, 500))), "theme=light", `document.querySelector("[data-record]")`},
		{"memory", memory, "theme=dark&axis1=log", titled("Heap settled")},
		{"flame", pageOf(t, "report", golden("sample")), "theme=light", `document.querySelector("figure.profile")`},
		{"asm", pageOf(t, "report", golden("asm")), "theme=dark", `document.querySelector(".region")`},
	}
}

// TestScreens: the pictures in docs/img are those of the pages of today, as far as fonts allow, and each is unlike the others.
func TestScreens(t *testing.T) {
	all := map[string]image.Image{}
	for _, s := range screens(t) {
		x := openPage(t, s.page, s.fragment, 1024)
		if s.name == "load" {
			eval[string](x, said)
		}
		if s.from != "" {
			eval[any](x, s.from+`.scrollIntoView({ block: "start" }); 0`)
		}
		eval[any](x, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))`)
		data, err := chromedp.Run(x.ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("../../docs/img", s.name+".png")
		if *update {
			write(t, path, data)
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatalf("%v (run go test -run TestScreens -update)", err)
		}
		all[s.name] = decode(t, want)
		if d := difference(decode(t, data), all[s.name]); !(d < unlike) {
			t.Errorf("%s differs by %.2f: look at the page, and run go test -run TestScreens -update", s.name, d)
		}
	}
	for a, x := range all {
		for b, y := range all {
			if d := difference(x, y); a < b && !(d >= unlike) {
				t.Errorf("%s and %s differ by %.2f: the comparison would not tell them apart", a, b, d)
			}
		}
	}
}

func decode(t *testing.T, data []byte) image.Image {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// write writes a picture with few colours, which makes it small.
func write(t *testing.T, path string, data []byte) {
	t.Helper()
	m := decode(t, data)
	out := image.NewPaletted(m.Bounds(), paletteOf(m))
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			out.Set(x, y, m.At(x, y))
		}
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, out); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// paletteOf returns the most frequent colours, of which near ones count as one.
func paletteOf(m image.Image) color.Palette {
	const most, near = 128, 12
	counts := map[color.RGBA]int{}
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			counts[color.RGBAModel.Convert(m.At(x, y)).(color.RGBA)]++
		}
	}
	var order []color.RGBA
	for c := range counts {
		order = append(order, c)
	}
	slices.SortFunc(order, func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	apart := func(a, b color.RGBA) bool {
		d := func(x, y uint8) int { return max(int(x), int(y)) - min(int(x), int(y)) }
		return d(a.R, b.R)+d(a.G, b.G)+d(a.B, b.B) > near
	}
	var out color.Palette
	for _, c := range order {
		if len(out) < most && !slices.ContainsFunc(out, func(o color.Color) bool { return !apart(o.(color.RGBA), c) }) {
			out = append(out, c)
		}
	}
	return out
}

// difference returns how much the cells of two pictures differ, as a part of what is drawn in both: 0 for equal ones, about 1 if
// they have nothing in common, infinite if they have other sizes.
func difference(a, b image.Image) float64 {
	if a.Bounds() != b.Bounds() {
		return math.Inf(1)
	}
	x, y := cells(a), cells(b)
	paperX, paperY := median(slices.Clone(x)), median(slices.Clone(y))
	differ, drawn := 0.0, 0.0
	for i := range x {
		differ += math.Abs(x[i] - y[i])
		drawn += math.Abs(x[i]-paperX) + math.Abs(y[i]-paperY)
	}
	return differ / drawn
}

// cells returns the mean grey of each cell of a picture.
func cells(m image.Image) []float64 {
	var out []float64
	box := m.Bounds()
	for top := box.Min.Y; top < box.Max.Y; top += cell {
		for left := box.Min.X; left < box.Max.X; left += cell {
			sum, n := 0.0, 0.0
			for y := top; y < min(top+cell, box.Max.Y); y++ {
				for x := left; x < min(left+cell, box.Max.X); x++ {
					sum += float64(color.GrayModel.Convert(m.At(x, y)).(color.Gray).Y)
					n++
				}
			}
			out = append(out, sum/n)
		}
	}
	return out
}
