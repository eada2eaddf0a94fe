// Package shop is a target that does what its tests want.
package shop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/tarebench/tare/load"
)

func init() { fmt.Print("printed before main\n{\"opened\":{}}\n") }

func Target(cfg map[string]string) (load.Target, error) {
	if say := cfg["say"]; say != "" {
		fmt.Println(say)
	}
	t := &target{do: cfg["do"]}
	switch t.do {
	case "fail":
		return nil, errors.New("no such shop")
	case "panic at once":
		panic("at once")
	case "nothing":
		return nil, nil
	case "leave":
		os.Exit(3)
	case "hang":
		select {}
	case "nil pointer":
		return (*target)(nil), nil
	case "chat":
		fmt.Println("bye")
		os.Exit(0)
	case "refuse":
		return nil, (*load.Consent)(nil).Check(context.Background(), "10.9.9.9:80")
	}
	return t, nil
}

type target struct{ do string }

func (t *target) Kinds() []string {
	if t.do == "kinds" {
		return nil
	}
	return []string{"BUY", "LOOK"}
}

func (t *target) Worker(context.Context, int) (load.Worker, error) {
	switch t.do {
	case "no worker":
		return nil, nil
	case "exit before":
		os.Exit(7)
	}
	return &worker{t, 0}, nil
}

func (t *target) Close() error { return errors.New("the shop does not close") }

type worker struct {
	*target
	k uint64
}

func (w *worker) Prepare(k uint64) int { w.k = k; return int(k % 2) }

func (w *worker) Do(context.Context, *load.Timer) error {
	if w.k%10 == 0 {
		return load.WithClass("sold_out", errors.New("sold out"))
	}
	if w.k != 35 {
		return nil
	}
	switch w.do {
	case "panic":
		panic("boom")
	case "crash":
		go panic("crash")
		time.Sleep(time.Minute)
	case "exit":
		os.Exit(7)
	}
	return nil
}

func (w *worker) Done(err error) error { return err }
func (w *worker) Close() error         { return nil }
