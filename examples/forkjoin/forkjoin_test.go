package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/usage"
)

// TestRun runs everything at tiny sizes. Where a processor is taken away, it may last for
// seconds, or count a goroutine that has not quite ended: then it is asked again.
func TestRun(t *testing.T) {
	for _, args := range [][]string{nil, {"-v"}} {
		const tries = 4
		for try := 1; ; try++ {
			wrong := wrongIn(printed(t, args), args != nil)
			if len(wrong) == 0 {
				break
			}
			t.Logf("%q, try %d: %s", args, try, strings.Join(wrong, "\n"))
			if try == tries {
				t.Fatalf("%q: no try was right", args)
			}
		}
	}
}

// printed is what a run at tiny sizes prints.
func printed(t *testing.T, args []string) string {
	t.Helper()
	c, err := parse(append(args, "-sort", "1000", "-reduce", "100", "-tree", "3000", "-blocked", "4"), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	c.out = &b
	if err := run(c); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func wrongIn(text string, verbose bool) (wrong []string) {
	for _, want := range []string{
		`(?m)^== sort 1000 ints$`, `(?m)^== 100! by reduction$`, `(?m)^== 3000! as a tree$`, `(?m)^== up to 4 workers blocked`,
		`(?m)^Results for sequentialSort\nreal  0m0\.\d{3}s\nuser  \S.*\nsys   \S.*\n(cpu .*\n)?mem   \S+$`,
		`parallelSort is .* (than|as) sequentialSort`, `parallelReduce is `, `parallelTreeAndMultiply is `, `(?m)^ +4 +[56] +\d`,
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			wrong = append(wrong, fmt.Sprintf("nothing matches %s in\n%s", want, text))
		}
	}
	if strings.Contains(text, "worker  tasks") != verbose {
		wrong = append(wrong, fmt.Sprintf("table of workers %v", !verbose))
	}
	return wrong
}

func TestParse(t *testing.T) {
	if _, err := parse([]string{"-h"}, io.Discard); !errors.Is(err, flag.ErrHelp) {
		t.Error(err)
	}
	c, err := parse([]string{"-only", "tree,sort"}, io.Discard)
	if err != nil || !slices.Equal(c.only, []string{"tree", "sort"}) {
		t.Errorf("%v, %v", c.only, err)
	}
	for _, args := range [][]string{{"-sort", "0"}, {"-tree", "-1"}, {"-only", "nothing"}, {"-markdown", "-v"}, {"-markdown", "-only", "blocked"}, {"-revision", "x"}, {"sort"}, {"-x"}} {
		var said strings.Builder
		if _, err := parse(args, &said); err == nil || said.Len() == 0 {
			t.Errorf("%q: %v, said %q", args, err, &said)
		}
	}
}

// TestMarkdown: the table has a row for each way and each comparison, with the articles' figures, and says that it is of other
// sizes.
func TestMarkdown(t *testing.T) {
	text := printed(t, []string{"-markdown", "-revision", "abc"})
	for _, want := range []string{
		`(?m)^Measured on \d{4}-\d\d-\d\d, .+, GOMAXPROCS \d+, go\S+ .*, revision abc\. `,
		`(?m)^\| sequentialSort \| 100000000 \| 6\.841 s \| 6\.840 s \| 344 B \| 1000 \| 0\.\d{3} s \| .* \|$`,
		`(?m)^\| parallelReduce \| 200000 \| – \| – \| – \| 100 \| `, `(?m)^\| parallelTreeAndMultiply \| 2000000 \| 2\.656 s \| – \| – \| 3000 \| `,
		`(?m)^\| parallelSort against sequentialSort \| 7\.93 × \| 1\.35 × \| `, `(?m)^\| parallelTree against serialTree \| 1\.54 × \| 1\.62 × \| `, `compare ratios, and not times`,
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("nothing matches %s in\n%s", want, text)
		}
	}
	if strings.Contains(text, "Results for") || strings.Contains(text, "barrier") {
		t.Error(text)
	}
}

// TestArticles: the sizes are the articles', unless a flag says otherwise.
func TestArticles(t *testing.T) {
	c, err := parse([]string{"-articles", "-tree", "7"}, io.Discard)
	if err != nil || c.sort != 100_000_000 || c.reduce != 200_000 || c.tree != 7 {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestSortMemory: the working memory of the parallel sort is measured.
func TestSortMemory(t *testing.T) {
	const n = 100_000
	c := config{sort: n, seed: 1, out: io.Discard, table: newTable(config{})}
	if err := sortInts(c); err != nil {
		t.Fatal(err)
	}
	if par := c.table.results[1]; par.Bytes < 4*n || par.Bytes > 6*n {
		t.Errorf("%d B for %d ints", par.Bytes, n)
	}
}

// TestReadme: the command that the README begins with is one.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile(`(?m)^\$ go run ./examples/forkjoin(.*)$`).FindAllStringSubmatch(string(text), -1)
	if len(commands) == 0 {
		t.Error("no commands")
	}
	for _, m := range commands {
		if _, err := parse(strings.Fields(m[1]), io.Discard); err != nil {
			t.Errorf("%s: %v", m[0], err)
		}
	}
}

func TestMergeSort(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, workers := range []int{1, 2, 3, 7} {
		p := usage.NewPool(workers)
		for _, n := range []int{0, 1, 2, 5, 31, 1000, 4097} {
			xs := make([]int32, n)
			for i := range xs {
				xs[i] = rng.Int32N(int32(n/2 + 1))
			}
			want := slices.Sorted(slices.Values(xs))
			mergeSort(p, xs)
			if !slices.Equal(xs, want) {
				t.Errorf("seed %d: %d ints on %d workers", seed, n, workers)
			}
		}
		p.Close()
	}
}

func TestFactorials(t *testing.T) {
	for _, n := range []int{1, 2, 31, 32, 33, 1023, 1025, 5000} {
		want := new(big.Int).MulRange(1, int64(n))
		for name, got := range map[string]*big.Int{
			"reduce": reduce(1, n), "parallelReduce": parallelReduce(1, n, 7), "tree": tree(1, n),
			"parallelTree": parallelTree(1, n, (*big.Int).Mul), "parallelMultiply": parallelTree(1, n, parallelMultiply),
		} {
			if got.Cmp(want) != 0 {
				t.Errorf("%s of %d is wrong", name, n)
			}
		}
	}
	if got := parallelReduce(1, 3, 10); got.Int64() != 6 {
		t.Errorf("3! in 10 parts is %v", got)
	}
}

// TestParallelMultiply: factors around the size that is split, of unequal length, and
// with words that are 0.
func TestParallelMultiply(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	number := func(words int) *big.Int {
		w := make([]big.Word, words)
		for i := range w {
			if rng.IntN(4) > 0 {
				w[i] = big.Word(rng.Uint64())
			}
		}
		return new(big.Int).SetBits(w)
	}
	for _, size := range [][2]int{{0, 1}, {1, 9000}, {2 * splitAbove, 2 * splitAbove}, {2*splitAbove - 1, 2 * splitAbove}, {5 * splitAbove, 3 * splitAbove}, {5 * splitAbove, splitAbove}, {8*splitAbove + 1, 8 * splitAbove}} {
		x, y := number(size[0]), number(size[1])
		want := new(big.Int).Mul(x, y)
		if got := parallelMultiply(new(big.Int), x, y); got.Cmp(want) != 0 {
			t.Errorf("seed %d: %v words: wrong", seed, size)
		}
		if parallelMultiply(x, x, y); x.Cmp(want) != 0 {
			t.Errorf("seed %d: %v words in place: wrong", seed, size)
		}
	}
}

// TestBlocked: each way needs what it says.
func TestBlocked(t *testing.T) {
	const n = 12
	for _, w := range ways {
		x, err := w.count(n)
		if err != nil {
			t.Fatal(err)
		}
		if x.goroutines <= n {
			t.Errorf("%s: %d goroutines", w.name, x.goroutines)
		}
		if x.threads <= n && (w.lock || w.name == "in system calls") {
			t.Errorf("%s: %d threads", w.name, x.threads)
		}
	}
}
