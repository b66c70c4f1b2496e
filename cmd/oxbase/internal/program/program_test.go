package program

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test binary be the programs that the tests run: with "act" and a name it does
// one of them and nothing else.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "act" {
		act(os.Args[2], os.Args[3:])
		return
	}
	os.Exit(m.Run())
}

func act(name string, args []string) {
	switch name {
	case "copy":
		io.Copy(os.Stdout, os.Stdin)
	case "blind": // reads nothing
		fmt.Println("done")
	case "close early":
		bufio.NewReader(os.Stdin).ReadByte()
		os.Stdin.Close()
		time.Sleep(50 * time.Millisecond)
		fmt.Println("done")
	case "hang":
		fmt.Println("waiting")
		time.Sleep(time.Hour)
	case "spin":
		for n := 0; ; n++ {
			if n < 0 {
				fmt.Println("round")
			}
		}
	case "flood":
		for {
			fmt.Println("more and more")
		}
	case "exit":
		status, _ := strconv.Atoi(args[0])
		fmt.Fprintln(os.Stderr, "that was it")
		os.Exit(status)
	case "shout":
		for i := range 10_000 {
			fmt.Fprintln(os.Stderr, "line", i)
		}
	case "devour":
		var kept [][]byte
		for range 10_000 {
			block := make([]byte, 1<<20)
			for i := range block {
				block[i] = 1
			}
			kept = append(kept, block)
		}
		fmt.Println(len(kept))
	case "leave":
		child := exec.Command(os.Args[0], "act", "hang")
		child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
		fmt.Println(child.Process.Pid)
	}
}

// run runs one of the programs with limits that are enough unless they are the matter.
func run(t *testing.T, input string, l Limits, args ...string) Result {
	t.Helper()
	r, err := Run(t.Context(), append([]string{os.Args[0], "act"}, args...), input, enough(l))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func enough(l Limits) Limits {
	if l.Time == 0 {
		l.Time = time.Minute
	}
	if l.Memory == 0 {
		l.Memory = 4 << 30
	}
	if l.Output == 0 {
		l.Output = 64 << 20
	}
	return l
}

func TestEndings(t *testing.T) {
	large := strings.Repeat("0123456789\n", 1<<18)
	for _, test := range []struct {
		name, input string
		limits      Limits
		args        []string
		ending      Ending
		status      int
		output      string
	}{
		{"copies a large input", large, Limits{}, []string{"copy"}, Exited, 0, large},
		{"reads nothing of a large input", large, Limits{}, []string{"blind"}, Exited, 0, "done\n"},
		{"closes a large input early", large, Limits{}, []string{"close early"}, Exited, 0, "done\n"},
		{"hangs", "", Limits{Time: 200 * time.Millisecond}, []string{"hang"}, OutOfTime, 0, "waiting\n"},
		{"computes for ever", large, Limits{Time: 200 * time.Millisecond}, []string{"spin"}, OutOfTime, 0, ""},
		{"floods", "", Limits{Output: 20}, []string{"flood"}, OutOfOutput, 0, "more and more\nmore a"},
		{"fails", "", Limits{}, []string{"exit", "3"}, Exited, 3, ""},
		{"writes as much as it may", "12345", Limits{Output: 5}, []string{"copy"}, Exited, 0, "12345"},
		{"writes one byte more", "123456", Limits{Output: 5}, []string{"copy"}, OutOfOutput, 0, "12345"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := run(t, test.input, test.limits, test.args...)
			if r.Ending != test.ending || r.Ending == Exited && r.Status != test.status {
				t.Errorf("it ends with %s and status %d, want %s and %d", r.Ending, r.Status, test.ending, test.status)
			}
			if string(r.Output) != test.output {
				t.Errorf("it prints %d bytes, %.40q, want %d bytes, %.40q", len(r.Output), r.Output, len(test.output), test.output)
			}
		})
	}
}

func TestMemoryLimit(t *testing.T) {
	if r := run(t, "", Limits{Memory: 200 << 20}, "devour"); r.Ending != OutOfMemory {
		t.Errorf("a program that takes 10 GB ends with %s, want %s", r.Ending, OutOfMemory)
	}
}

func TestErrorsKeepsTheEnd(t *testing.T) {
	r := run(t, "", Limits{}, "shout")
	lines := strings.Split(r.Errors, "\n")
	if len(r.Errors) > keptErrors || !strings.HasPrefix(lines[0], "line ") || !strings.HasSuffix(r.Errors, "line 9999\n") {
		t.Errorf("%d bytes of standard error, %.40q to %.40q: want whole lines up to the last one", len(r.Errors), lines[0], lines[len(lines)-2])
	}
	if r := run(t, "", Limits{}, "exit", "1"); r.Errors != "that was it\n" {
		t.Errorf("standard error is %q, want %q", r.Errors, "that was it\n")
	}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := Run(ctx, []string{os.Args[0], "act", "hang"}, "", enough(Limits{}))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v, want that of the context", err)
	}
	if _, err := Run(ctx, []string{"/no/such/program"}, "", enough(Limits{})); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after that the error is %v, want that of the context", err)
	}
}

func TestNoProgram(t *testing.T) {
	_, err := Run(t.Context(), []string{"/no/such/program"}, strings.Repeat("x", 1<<20), enough(Limits{}))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the error is %v, want that there is no such file", err)
	}
}
