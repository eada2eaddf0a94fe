//go:build linux

package measuring

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/tarebench/tare/dev/attack/mutate"
	"github.com/tarebench/tare/dev/attack/tally"
	"github.com/tarebench/tare/dev/attack/target"
	"github.com/tarebench/tare/internal/process/spawn"
)

// Full is the number of runs of each verb on a disk that is full or cannot be written, at scale 1.
const Full = 15

// Disks runs each verb where its record, its temporary files or its output cannot be written,
// at once or from some size on.
func Disks(ctx context.Context, c target.Config, done tally.Done) error {
	what := fmt.Sprintf("%d runs", c.Count(Full*len(verbs())))
	return c.Attack(ctx, "full disk", what, done, func(row *tally.Row, l *spawn.Launcher) error {
		d := &disks{row: row, Config: c, launcher: l, troubles: troubles}
		row.CountsLost()
		cannot := d.mountable()
		if cannot != nil {
			d.troubles = slices.DeleteFunc(slices.Clone(troubles), func(t trouble) bool { return t.mounts })
		}
		err := c.Inputs(Full*len(verbs())).Each(ctx, 2, func(number int) error { return d.try(ctx, number) })
		row.Note = fmt.Sprintf("%d runs had room enough; %d said that they had not, and why", d.fit.Load(), d.refused.Load())
		if cannot != nil {
			row.Note = fmt.Sprintf("nothing can be mounted here (%v): limits of the file size only", cannot)
		}
		return err
	})
}

type disks struct {
	target.Config
	row          *tally.Row
	launcher     *spawn.Launcher
	troubles     []trouble
	fit, refused atomic.Int64
}

// trouble is what is wrong with the places that a run writes to.
type trouble struct {
	name   string
	mounts bool
	make   func(rng *rand.Rand, p place, cmd *target.Command) (undo func(), err error)
}

var troubles = []trouble{
	{"a small disk for the record", true, func(rng *rand.Rand, p place, cmd *target.Command) (func(), error) {
		return mount(filepath.Join(p.module, "disk"), fmt.Sprintf("size=%dk", 4*(1+rng.IntN(8))), 0)
	}},
	{"a read-only disk for the record", true, func(_ *rand.Rand, p place, cmd *target.Command) (func(), error) {
		return mount(filepath.Join(p.module, "disk"), "size=64k", unix.MS_RDONLY)
	}},
	{"a small disk for temporary files", true, func(rng *rand.Rand, p place, cmd *target.Command) (func(), error) {
		return mount(p.tmp, fmt.Sprintf("size=%dk", 4*(1+rng.IntN(64))), 0)
	}},
	{"a limit of the file size", false, func(rng *rand.Rand, p place, cmd *target.Command) (func(), error) {
		cmd.Ulimit = fmt.Sprintf("-f %d", 8*(1+rng.IntN(16))) // blocks of 512 bytes
		return func() {}, nil
	}},
	{"a full device for the output", false, func(_ *rand.Rand, p place, cmd *target.Command) (func(), error) {
		cmd.Stdout = "/dev/full"
		return func() {}, nil
	}},
}

// mount mounts a small file system of memory at a directory.
func mount(dir, options string, flags uintptr) (func(), error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", flags, options); err != nil {
		return nil, fmt.Errorf("mount %s: %w", dir, err)
	}
	return func() { unix.Unmount(dir, unix.MNT_DETACH) }, nil
}

func (d *disks) mountable() error {
	dir, err := d.Dir("mount")
	if err != nil {
		return err
	}
	undo, err := mount(dir, "size=4k", 0)
	if err != nil {
		return err
	}
	undo()
	return nil
}

// try runs one verb in one trouble.
func (d *disks) try(ctx context.Context, number int) error {
	rng := mutate.Seed(d.Seed, "disk", number)
	v, trouble := verbs()[number%len(verbs())], d.troubles[rng.IntN(len(d.troubles))]
	a := &attack{Config: d.Config, launcher: d.launcher, verb: v}
	p, err := a.prepare()
	if err != nil {
		return err
	}
	defer os.RemoveAll(p.dir)
	if err := os.MkdirAll(filepath.Join(p.module, "disk"), 0o777); err != nil {
		return err
	}
	p.file = "disk/" + record
	stop, err := v.withAddress()
	if err != nil {
		return err
	}
	defer stop()
	cmd := target.Command{Args: line(v.args, p.file), Dir: p.module, Tmp: p.tmp, Limit: patience}
	undo, err := trouble.make(rng, p, &cmd)
	if err != nil {
		return err
	}
	defer undo()
	o, err := a.Config.Run(ctx, d.launcher, cmd)
	if err != nil {
		return err
	}
	d.row.Tried(0)
	add := func(kind, text string) {
		d.row.Add(tally.Finding{Input: number, Kind: kind, Text: fmt.Sprintf("%s: tare %s: %s", trouble.name, strings.Join(cmd.Args, " "), text)})
	}
	for _, f := range o.Judge(target.Limits{Codes: append([]int{0, 1, 2}, v.codes...)}) {
		add(f.Kind, f.Text)
	}
	return d.look(ctx, a, p, o, cmd.Stdout == "/dev/full", add)
}

// look compares what a run says of itself with what is on the disk.
func (d *disks) look(ctx context.Context, a *attack, p place, o target.Outcome, full bool, add func(kind, text string)) error {
	w, err := read(p.record())
	if err != nil {
		add(tally.Other, fmt.Sprintf("a complete line of the record cannot be read: %v", err))
		return nil
	}
	if o.Code == 0 {
		d.fit.Add(1)
	} else {
		d.refused.Add(1)
	}
	switch {
	case full && o.Code == 0:
		add(tally.Other, "exit code 0, and its output is lost")
	case !full && o.Code == 0 && !w.ended && !a.verb.nothing:
		add(tally.Lost, fmt.Sprintf("exit code 0, and the record has %d lines and no end", w.lines))
	}
	text, err := a.lost(ctx, p, w)
	if text != "" {
		add(tally.Lost, text)
	}
	return err
}

// line is a verb's command line with another record file.
func line(args []string, file string) []string {
	out := slices.Clone(args)
	for i := range out {
		if out[i] == record {
			out[i] = file
		}
	}
	return out
}
