package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// ask feeds the cases to a driver of its own and reads the answers.  When the
// driver ends too early, the answers so far come with the error.
func ask(driver, op string, cases [][]string) ([]answer, error) {
	child := exec.Command(driver)
	child.Stderr = os.Stderr
	in, err := child.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := child.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := child.Start(); err != nil {
		return nil, err
	}
	go func() {
		w := bufio.NewWriter(in)
		for _, args := range cases {
			texts := []string{}
			for _, s := range args {
				texts = append(texts, toChars(s))
			}
			line, _ := json.Marshal(map[string]any{"op": op, "args": texts})
			w.Write(append(line, '\n'))
		}
		w.Flush()
		in.Close()
	}()
	var answers []answer
	lines := bufio.NewReaderSize(out, 1<<16)
	for i := range cases {
		line, err := lines.ReadBytes('\n')
		var a answer
		if err == nil {
			err = json.Unmarshal(line, &a)
		}
		if err == nil && a.Error == "unknown" {
			err = errors.New("the driver does not know this op")
		}
		if err != nil {
			child.Process.Kill()
			child.Wait()
			return answers, fmt.Errorf("no answer to %s: %w", show(cases[i]),
				err)
		}
		for j := range a.Out {
			a.Out[j] = toBytes(a.Out[j])
		}
		a.Message = toBytes(a.Message)
		answers = append(answers, a)
	}
	return answers, child.Wait()
}

// toChars makes each byte the character of the same number.
func toChars(s string) string {
	chars := make([]rune, len(s))
	for i := range len(s) {
		chars[i] = rune(s[i])
	}
	return string(chars)
}

func toBytes(s string) string {
	b := make([]byte, 0, len(s))
	for _, c := range s {
		b = append(b, byte(c))
	}
	return string(b)
}
