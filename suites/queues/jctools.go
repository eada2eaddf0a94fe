package queues

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

//go:embed jctools/Queues.java
var javaSource []byte

// jarEnv names JCTools' jar, if it is not where Debian's libjctools-java puts it.
const (
	jarEnv     = "JCTOOLS_JAR"
	debiansJar = "/usr/share/java/jctools-core.jar"
)

// ErrNoJava is what NewJCTools wraps where the measurement cannot be made.
var ErrNoJava = errors.New("JCTools cannot be measured here")

// A JCTools is the Java program of the suite, compiled.
type JCTools struct{ java, classpath string }

// NewJCTools compiles the program, once for each user and version of it.
func NewJCTools() (*JCTools, error) {
	jar := os.Getenv(jarEnv)
	if jar == "" {
		jar = debiansJar
	}
	data, err := os.ReadFile(jar)
	if err != nil {
		return nil, fmt.Errorf("%w: %w; install libjctools-java, or name the jar in %s", ErrNoJava, err, jarEnv)
	}
	java, err := exec.LookPath("java")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoJava, err)
	}
	hash := sha256.New()
	hash.Write(data)
	hash.Write(javaSource)
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("a place for compiled classes: %w", err)
	}
	dir := filepath.Join(cache, "tare-suite-queues", hex.EncodeToString(hash.Sum(nil))[:16])
	if _, err := os.Stat(filepath.Join(dir, "Queues.class")); err != nil {
		if err := compile(jar, dir); err != nil {
			return nil, err
		}
	}
	return &JCTools{java, jar + string(os.PathListSeparator) + dir}, nil
}

// compile puts the classes into dir. Of several processes that do so at a time the
// first to be through wins.
func compile(jar, dir string) error {
	javac, err := exec.LookPath("javac")
	if err != nil {
		return fmt.Errorf("%w: %w; install a JDK", ErrNoJava, err)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "compiling-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	source := filepath.Join(tmp, "Queues.java")
	if err := os.WriteFile(source, javaSource, 0o666); err != nil {
		return err
	}
	if out, err := exec.Command(javac, "-cp", jar, "-d", tmp, source).CombinedOutput(); err != nil {
		return fmt.Errorf("compile jctools/Queues.java: %w\n%s", err, out)
	}
	if err := os.Rename(tmp, dir); err != nil && !errors.Is(err, os.ErrExist) {
		if _, gone := os.Stat(filepath.Join(dir, "Queues.class")); gone != nil {
			return err
		}
	}
	return nil
}

// A JavaCase is one measurement of the program; its comment says what they are.
type JavaCase struct {
	Queue, How           string
	Wait                 Wait // Spin or Backoff
	Producers, Consumers int
}

// javaFlags are the settings with which JCTools is fastest. ParallelGC has the
// cheapest write barrier: with G1, the default, fill and drain take twice the time or more.
// Nothing is allocated for an element, so a larger heap changes nothing.
var javaFlags = []string{"-XX:+UseParallelGC", "-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch"}

// JavaCases lists what stands beside the Go queues.
func JavaCases() []JavaCase {
	var out []JavaCase
	for _, w := range []Wait{Spin, Backoff} {
		out = append(out,
			JavaCase{"SPSC", "poll", w, 1, 1}, JavaCase{"SPSC", "relaxed", w, 1, 1}, JavaCase{"SPSC", "fill", w, 1, 1},
			JavaCase{"MPSC", "poll", w, 2, 1}, JavaCase{"MPSC", "relaxed", w, 2, 1},
			JavaCase{"MPMC", "poll", w, 2, 2}, JavaCase{"MPMC", "relaxed", w, 2, 2})
	}
	return append(out, JavaCase{"SPSC", "ring-1", Spin, 1, 1}, JavaCase{"SPSC", "ring-100", Spin, 1, 1})
}

// Run measures in a process of its own, some 1.5 s, and returns the value and its
// unit, op/s or ns/op. The start of the JVM and its warm-up are not in it.
func (j *JCTools) Run(c JavaCase, capacity int) (value float64, unit string, err error) {
	args := append(slices.Clone(javaFlags), "-cp", j.classpath, "Queues", c.Queue, c.How, string(c.Wait),
		strconv.Itoa(c.Producers), strconv.Itoa(c.Consumers), strconv.Itoa(capacity))
	cmd := exec.Command(j.java, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, "", fmt.Errorf("JCTools %s %s: %w\n%s", c.Queue, c.How, err, stderr.String())
	}
	unit, number, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	value, err = strconv.ParseFloat(number, 64)
	if err != nil || unit != "op/s" && unit != "ns/op" || !(value > 0) {
		return 0, "", fmt.Errorf("JCTools %s %s: printed %q, want op/s or ns/op and a number", c.Queue, c.How, out)
	}
	return value, unit, nil
}
