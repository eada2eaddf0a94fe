package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
)

// serve runs a web server that answers each request with 256 bytes. It prints its URL, and ends when standard input does.
func serve() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/\n", l.Addr())
	body := bytes.Repeat([]byte("x"), 256)
	go func() {
		io.Copy(io.Discard, os.Stdin)
		l.Close()
	}()
	err = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(body) }))
	if strings.Contains(err.Error(), net.ErrClosed.Error()) {
		return nil
	}
	return err
}

// server is the process in which serve runs.
type server struct {
	url   string
	cmd   *exec.Cmd
	stdin io.Closer
}

func startServer() (*server, error) {
	cmd, err := self("server")
	if err != nil {
		return nil, err
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{cmd: cmd, stdin: stdin}
	s.url, err = bufio.NewReader(stdout).ReadString('\n')
	s.url = strings.TrimSpace(s.url)
	if err != nil {
		s.stop()
	}
	return s, err
}

func (s *server) stop() {
	s.stdin.Close()
	s.cmd.Wait()
}

// self returns a command that runs this program again, with another -role.
func self(role string, args ...string) (*exec.Cmd, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, append([]string{"-role", role}, args...)...)
	cmd.Stderr = os.Stderr
	return cmd, nil
}
