//go:build unix

package spawn

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func die(sig string) int {
	n, _ := strconv.Atoi(sig)
	syscall.Kill(os.Getpid(), syscall.Signal(n))
	time.Sleep(time.Minute)
	return 0
}

func playUnix(role string, args []string) int {
	switch role {
	case "fds":
		names, _ := filepath.Glob("/proc/self/fd/*")
		var open []string
		for _, name := range names {
			// What Go's runtime opens itself (poller, cgroup limits) and the directory being read are not inherited.
			to, err := os.Readlink(name)
			own := strings.HasPrefix(to, "anon_inode") || strings.HasPrefix(to, "/proc/") || strings.HasPrefix(to, "/sys/")
			if err == nil && !own {
				open = append(open, filepath.Base(name))
			}
		}
		sort.Strings(open)
		fmt.Println(strings.Join(open, " "), "pgrp", syscall.Getpgrp() == os.Getpid())
		return 0
	case "touch": // some MiB, outside Go's heap so that the race detector does not shadow them
		n, _ := strconv.Atoi(args[0])
		if _, err := touch(n << 20); err != nil {
			fmt.Println(err)
			return 1
		}
		return 0
	case "clock": // when main was reached and left
		begin := monotonicNow()
		fmt.Println(begin, monotonicNow())
		return 0
	case "defect": // from the group it leads to its parent's
		group, err := syscall.Getpgid(os.Getppid())
		if err == nil {
			err = syscall.Setpgid(0, group)
		}
		fmt.Println(err)
		time.Sleep(time.Minute)
		return 0
	case "tare":
		return playTare(args[0])
	}
	fmt.Println("no such role:", role)
	return 1
}

func touch(bytes int) ([]byte, error) {
	if bytes == 0 {
		return nil, nil
	}
	mem, err := unix.Mmap(-1, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(mem); i += 4096 {
		mem[i] = 1
	}
	return mem, nil
}

// playTare is a tare with a launcher, a child and a grandchild. It tells their pids, then every SIGINT, and ends
// with its input.
func playTare(cache string) int {
	ints := make(chan os.Signal, 1)
	signal.Notify(ints, os.Interrupt)
	l, err := Start(context.Background(), Config{CacheDir: cache})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	r, w, err := os.Pipe()
	if err != nil {
		fmt.Println(err)
		return 1
	}
	spec := role("family")
	spec.Stdout = w
	c, err := l.Spawn(context.Background(), spec)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	w.Close()
	grandchild, _ := bufio.NewReader(r).ReadString('\n')
	fmt.Println(l.Pid(), c.Pid(), strings.TrimSpace(grandchild))
	go func() {
		for range ints {
			fmt.Println("interrupted")
		}
	}()
	io.Copy(io.Discard, os.Stdin)
	if err := l.Close(); err != nil {
		fmt.Println(err)
	}
	_, err = c.Wait()
	fmt.Println("closed", errors.Is(err, ErrClosed))
	return 0
}
