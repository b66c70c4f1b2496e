package verify

import (
	"context"
	_ "embed"
	"encoding/csv"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"oxbase/game"
)

// publishedCSV holds what is known of games from elsewhere. game: a game's name; * stands for
// those that are neither -drop nor -misere, strip for the strip game. what: see [verifier.answer];
// several numbers of one kind are joined with / in the order that the name says.
//
//go:embed published.csv
var publishedCSV string

// published compares what is known of the game from elsewhere with the rows, of which a
// canonical file's count as often as their classes have members. What a file doesn't hold, such
// as boards with either side to move where turns alternate, isn't compared.
func (v *verifier) published(ctx context.Context) error {
	records, err := csv.NewReader(strings.NewReader(publishedCSV)).ReadAll()
	if err != nil {
		return err
	}
	for _, record := range records[1:] {
		if err := ctx.Err(); err != nil {
			return err
		}
		of, what, expected, source := record[0], record[1], record[2], record[3]
		switch of {
		case v.game.String(), "strip":
		case "*":
			if v.game.Drop || v.game.Misere {
				continue
			}
		default:
			continue
		}
		got, ok, err := v.answer(what, expected)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		err = v.compare(Check{Name: what, Expected: expected, Got: got, Source: source},
			fmt.Sprintf("%s of %s: got %s, want %s (%s)", what, v.game, got, expected, source))
		if err != nil {
			return err
		}
	}
	return nil
}

// answer returns what the rows say to a question, and false if they can't:
//
//	boards.both_lines      boards on which both sides have a line
//	positions.any          positions with either side to move
//	reachable              reachable positions; then those of some kind, also by stones (from 0
//	                       on) and by outcome
//	classes                symmetry classes of reachable positions, likewise; matchboxes are
//	                       those with x to move, up to 6 stones, and the game not over
//	start                  the empty board with x to move: its outcome, its distance in plies, its
//	                       best moves; never_o tells "x or tie" from "o"
//	sg                     the formula that the SG values of a kind of gap of n cells obey
func (v *verifier) answer(what, expected string) (got string, ok bool, err error) {
	anyTurns := v.row.turns == game.AnyTurns
	p, c := &v.tally.positions, &v.tally.classes
	switch what {
	case "boards.both_lines":
		return join(v.bothLines), anyTurns, nil
	case "positions.any":
		return join(v.tally.stored), anyTurns, nil
	case "reachable":
		return join(p.all), true, nil
	case "reachable.not_terminal":
		return join(p.notTerminal), true, nil
	case "reachable.terminal":
		return join(p.terminal[0] + p.terminal[1] + p.terminal[2]), true, nil
	case "reachable.terminal.x/o/tie":
		return join(p.terminal[2], p.terminal[0], p.terminal[1]), true, nil
	case "reachable.by_stones":
		return join(p.byStones[:v.game.Cells()+1]...), true, nil
	case "reachable.x/o/tie":
		return join(p.byOutcome[2], p.byOutcome[0], p.byOutcome[1]), true, nil
	case "reachable.full.x/tie":
		return join(p.full[2], p.full[1]), true, nil
	case "classes":
		return join(c.all), true, nil
	case "classes.by_stones":
		return join(c.byStones[:v.game.Cells()+1]...), true, nil
	case "classes.terminal.x/o/tie":
		return join(c.terminal[2], c.terminal[0], c.terminal[1]), true, nil
	case "classes.matchboxes":
		return join(c.matchboxes), true, nil
	}
	if question, ok := strings.CutPrefix(what, "start."); ok {
		got, err = v.startAnswer(question)
		return got, true, err
	}
	if kind, ok := strings.CutPrefix(what, "sg."); ok {
		got, err = v.stripAnswer(kind, expected)
		return got, true, err
	}
	return "", false, fmt.Errorf("unknown question %q", what)
}

func join(numbers ...int64) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(texts, "/")
}

// startAnswer answers a question about the start, whose row and whose moves' are known to be there.
func (v *verifier) startAnswer(question string) (string, error) {
	start, _, _ := v.rows.Lookup(v.game.Key(game.Start()))
	switch question {
	case "outcome":
		return [3]string{"o", "tie", "x"}[start.Outcome+1], nil
	case "never_o":
		if start.Outcome < 0 {
			return "o", nil
		}
		return "x or tie", nil
	case "distance":
		return strconv.Itoa(int(start.Distance)), nil
	case "best_moves":
		var best []string
		for moves := v.game.Moves(game.Board{}); moves != 0; moves &= moves - 1 {
			cell := bits.TrailingZeros64(moves)
			after := game.Start().Play(cell)
			key := v.game.Key(after)
			if v.row.symmetry == game.Canonical {
				key = v.game.Canonical(after)
			}
			if value, _, _ := v.rows.Lookup(key); value.Score == start.Score {
				best = append(best, v.game.CellName(cell))
			}
		}
		return strings.Join(best, "/"), nil
	}
	return "", fmt.Errorf("unknown question %q", "start."+question)
}

// stripAnswer returns a formula for a kind of gaps if they obey it, else one that doesn't.
func (v *verifier) stripAnswer(kind, formula string) (string, error) {
	kinds := map[string]func(left, right game.End) bool{
		"free_ends":      func(left, right game.End) bool { return left == game.Edge && right == game.Edge },
		"one_end_taken":  func(left, right game.End) bool { return (left == game.Edge) != (right == game.Edge) },
		"same_ends":      func(left, right game.End) bool { return left == right && left != game.Edge },
		"different_ends": func(left, right game.End) bool { return left != right && left != game.Edge && right != game.Edge },
	}
	isKind, known := kinds[kind]
	if !known {
		return "", fmt.Errorf("unknown question %q", "sg."+kind)
	}
	return v.stripForm(formula, func(g game.Gap) bool { return isKind(g.Left, g.Right) })
}
