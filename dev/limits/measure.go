//go:build unix

package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// figure is a value with its 95 % interval. Lo and Hi are NaN if it is not known.
type figure struct {
	value, lo, hi float64
	unit          string
}

// measured is a row with its figure, or why it has none.
type measured struct {
	row
	figure
	err error
}

// measure measures a row.
func (l *lab) measure(r row) (measured, error) {
	if r.build != nil {
		f, err := r.build(l)
		return measured{row: r, figure: f}, err
	}
	if r.dir != "" {
		if err := l.command(r.dir, "go", "generate", "./..."); err != nil {
			return measured{row: r}, err
		}
		r.args = append(r.suiteArgs(), r.args...)
	}
	res, err := l.benchmarks(r.name, r.dir, r.pkg, r.bench, r.args...)
	if err != nil {
		return measured{row: r}, err
	}
	f, err := r.read(res)
	return measured{row: r, figure: f}, err
}

// benchmarks runs tare bench in a directory, and reads its record.
func (l *lab) benchmarks(name, dir, pkg, bench string, args ...string) (*result.Result, error) {
	path := filepath.Join(l.dir, strings.NewReplacer(" ", "-", "/", "-per-", ",", "", "(", "", ")", "", "–", "-", "'", "").Replace(name)+".jsonl")
	all := slices.Concat([]string{"bench", "--bench", bench, "--no-config", "--progress", "none", "-o", path}, args, []string{pkg})
	if err := l.command(dir, l.tare, all...); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := result.NewBuilder()
	if err := b.ReadAll(f, path); err != nil {
		return nil, err
	}
	res := b.Result()
	if res.Run != nil {
		l.machine = machineOf(res.Run)
	}
	return res, nil
}

// machineOf says where a run took place.
func machineOf(r *record.Run) string {
	return fmt.Sprintf("%s/%s, %s, %d cores, %s, %s", r.Env.OS, r.Env.Arch, r.Env.CPU, r.Env.Cores, r.Env.Go, r.Start.Format("2006-01-02 15:04"))
}

// read takes the figure of a row from a result.
func (r *row) read(res *result.Result) (figure, error) {
	of, err := find(res, r.of, r.role)
	if err != nil {
		return figure{}, err
	}
	if r.over == "" {
		return metricOf(of, r.metric)
	}
	over, err := find(res, r.over, r.role)
	if err != nil {
		return figure{}, err
	}
	a, err := r.values(of)
	if err != nil {
		return figure{}, err
	}
	b, err := r.values(over)
	if err != nil {
		return figure{}, err
	}
	if r.rate {
		a, b = b, a
	}
	return ratioOf(a, b)
}

// values returns the row's metric in each fork. A program in another language reports that of its role by name, as consumer-op/s.
func (r *row) values(b *result.Benchmark) ([]result.Number, error) {
	for _, unit := range []string{r.metric, r.role + "-" + r.metric} {
		if m, ok := b.Figure(unit); ok {
			return m.Values, nil
		}
	}
	return nil, fmt.Errorf("%s has no %s", b.Name, r.metric)
}

// find returns the result of a benchmark, or of one of its roles if it has roles and role is not empty.
func find(res *result.Result, name, role string) (*result.Benchmark, error) {
	for i := range res.Results {
		if r := &res.Results[i]; r.Name == name && (role == "" || r.Role == "" || r.Role == role) {
			if r.Failed != "" {
				return nil, fmt.Errorf("%s: %s", name, r.Failed)
			}
			return r, nil
		}
	}
	return nil, missing(name, role)
}

// metricOf returns the median of a metric with its interval.
func metricOf(b *result.Benchmark, unit string) (figure, error) {
	m, ok := b.Figure(unit)
	if !ok {
		return figure{}, fmt.Errorf("%s has no %s", b.Name, unit)
	}
	return figure{float64(m.Median), float64(m.Lo), float64(m.Hi), unit}, nil
}

// ratioOf divides the values of forks of the same round, and returns the median of these ratios.
func ratioOf(a, b []result.Number) (figure, error) {
	var ratios []float64
	for i := range min(len(a), len(b)) {
		ratios = append(ratios, float64(a[i])/float64(b[i]))
	}
	if len(ratios) == 0 {
		return figure{}, fmt.Errorf("no forks to compare")
	}
	i := stat.MedianInterval(ratios, stat.DefaultConfidence)
	f := figure{value: stat.Median(ratios), lo: i.Lo, hi: i.Hi, unit: "×"}
	if math.IsInf(f.lo, 0) || math.IsInf(f.hi, 0) {
		f.lo, f.hi = math.NaN(), math.NaN()
	}
	return f, nil
}

// missing returns the error for a benchmark that the record does not have. Those of JCTools are skipped where there is no Java.
func missing(name, role string) error {
	if strings.HasPrefix(name, "JCTools/") {
		return errors.New("JCTools was skipped: it needs a JDK and libjctools-java, see suites/queues")
	}
	return fmt.Errorf("there is no benchmark %s", strings.TrimSpace(name+" "+role))
}
