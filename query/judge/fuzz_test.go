package judge

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
)

func FuzzHrbust(f *testing.F) {
	fuzzFormat(f, "hrbust", func(p *game.Position) string {
		q := at(*p)
		return q.board.write("x", "o", ".", " ") + string(q.mover) + "\n"
	})
}

func FuzzLightoj(f *testing.F) {
	fuzzFormat(f, "lightoj", func(strip *[]byte) string { return string(*strip) + "\n" })
}

func FuzzCSP(f *testing.F) {
	fuzzFormat(f, "csp", func(b *game.Board) string {
		return at(game.Position{Board: *b}).board.write("1", "2", "0", " ")
	})
}

func FuzzLuogu(f *testing.F) {
	fuzzFormat(f, "luogu", func(b *game.Board) string {
		return at(game.Position{Board: *b}).board.write("O", "X", "-", "")
	})
}

func FuzzAlgospot(f *testing.F) {
	fuzzFormat(f, "algospot", func(b *game.Board) string {
		return at(game.Position{Board: *b}).board.write("x", "o", ".", "")
	})
}

// fuzzFormat runs a format on any bytes. A wrong input is an error that names a line of it.
// How much is read at once makes no difference. What can be read is written again in the judge's
// layout and then reads and runs the same.
func fuzzFormat[C any](f *testing.F, name string, write func(*C) string) {
	format, tb := find(f, name), search()
	p := format.layout.(problem[C])
	f.Add(format.Example)
	f.Add("\ufeff\r\n" + strings.ReplaceAll(format.Example, "\n", " \r\n\n"))
	f.Add(format.Example + format.Example)
	f.Add("1000000000000000000\n")
	f.Add("2\nxxx\n...\nooo\nx\n")

	read := func(input string) (rewritten string, err error) {
		var cases []string
		err = p.each(newReader(strings.NewReader(input)), func(_, _ int, c *C) error {
			cases = append(cases, write(c))
			if own := string(p.write(nil, p.asked(c))); own != write(c) {
				return fmt.Errorf("the format writes %q: want %q", own, write(c))
			}
			return nil
		})
		if !p.single {
			rewritten = fmt.Sprintf("%d\n", len(cases))
		}
		return rewritten + strings.Join(cases, ""), err
	}
	f.Fuzz(func(t *testing.T, input string) {
		output, runErr := run(t, format, input, tb)
		if runErr != nil {
			wrong, ok := errors.AsType[*InputError](runErr)
			if !ok || wrong.Line < 1 || wrong.Line > 1+strings.Count(input, "\n") || strings.Contains(wrong.Error(), "\n") {
				t.Fatalf("error %T %v: want an input error in one line that names a line of the input", runErr, runErr)
			}
		}
		// Byte by byte no case is ever whole in the buffer.
		var slowly strings.Builder
		if err := format.Run(iotest.OneByteReader(strings.NewReader(input)), &slowly, tb); slowly.String() != output || fmt.Sprint(err) != fmt.Sprint(runErr) {
			t.Fatalf("read byte by byte it prints %q and %v: want %q and %v", slowly.String(), err, output, runErr)
		}
		rewritten, readErr := read(input)
		if readErr != nil {
			if runErr == nil {
				t.Fatalf("the input runs although it can't be read: %v", readErr)
			}
			return
		}
		again, err := read(rewritten)
		if err != nil || again != rewritten {
			t.Fatalf("written again it reads as %q (%v): want %q", again, err, rewritten)
		}
		sameOutput, sameErr := run(t, format, rewritten, tb)
		if diff := cmp.Diff(output, sameOutput); diff != "" {
			t.Errorf("written again it prints something else (-first +again):\n%s", diff)
		}
		if reason(runErr) != reason(sameErr) {
			t.Errorf("written again its error is %q: want %q", reason(sameErr), reason(runErr))
		}
	})
}

// reason returns what an error says without the place.
func reason(err error) string {
	if err == nil {
		return ""
	}
	return errors.Unwrap(err).Error()
}
