package main

// A server of our own, for as long as the program runs.

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
)

var yuloh = flag.String("yuloh", "build/yuloh", "the program that serves")

const ourToken = "admintoken"

// ours is a running server; stop it.
type ours struct {
	*server
	command *exec.Cmd
	folder  string
}

func startOurs() (*ours, error) {
	folder, err := os.MkdirTemp("", "interop")
	if err != nil {
		return nil, err
	}
	o := &ours{folder: folder}
	tokens := filepath.Join(folder, "tokens")
	log, err := os.Create(filepath.Join(folder, "log"))
	if err == nil {
		err = os.WriteFile(tokens, []byte(ourToken+
			",admin,admin,\"system:masters\"\n"), 0600)
	}
	if err != nil {
		o.stop()
		return nil, err
	}
	defer log.Close()
	o.command = exec.Command(*yuloh, "serve", "--data-dir",
		filepath.Join(folder, "data"), "--listen", "127.0.0.1:0",
		"--token-auth-file", tokens,
		// The kube-apiserver beside it has neither.
		"--disable-admission-plugins=ServiceAccount", "--controllers=-*")
	o.command.Stderr = log
	out, err := o.command.StdoutPipe()
	if err == nil {
		err = o.command.Start()
	}
	if err != nil {
		o.command = nil
		o.stop()
		return nil, err
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	port := regexp.MustCompile(`^serving on port (\d+)`).
		FindStringSubmatch(line)
	if port == nil {
		o.stop()
		return nil, fmt.Errorf("%s does not serve: %q", *yuloh, line)
	}
	o.server = newServer("https://127.0.0.1:"+port[1], ourToken)
	return o, nil
}

// stop fails if the server does not end well.
func (o *ours) stop() error {
	defer os.RemoveAll(o.folder)
	if o.command == nil {
		return nil
	}
	o.command.Process.Signal(syscall.SIGTERM)
	if err := o.command.Wait(); err != nil {
		text, _ := os.ReadFile(filepath.Join(o.folder, "log"))
		return fmt.Errorf("our server: %w\n%s", err, text)
	}
	return nil
}
