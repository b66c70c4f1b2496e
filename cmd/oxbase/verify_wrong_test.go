package main

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestVerifyNamesWhatIsWrong changes files by hand and wants the line that says what is wrong. In
// the statements a position in brackets stands for its key.
func TestVerifyNamesWhatIsWrong(t *testing.T) {
	every := []string{"3x3x3", "--strip-length", "12"}
	reachable := append(every[:len(every):len(every)], "--turns", "alternate")
	classes := append(reachable[:len(reachable):len(reachable)], "--symmetry", "canonical")
	drop := []string{"3x3x3-drop", "--strip-length", "12"}
	for i, test := range []struct {
		name       string
		file       []string
		rehash     hashes
		statements string
		want       string
	}{
		{"a score", every, allHashes, `UPDATE positions SET outcome = 1, score = 1, distance = 6 WHERE key = [x.o/.x./... o]`,
			`board x.o/.x./... with o to move (key 16201): score is 1, want 0: best of its moves is c1`},
		{"a score, hash as before", every, noHash, `UPDATE positions SET outcome = 1, score = 1, distance = 6 WHERE key = [x.o/.x./... o]`,
			`board x.o/.x./... with o to move (key 16201): score is 1, want 0: best of its moves is c1`},
		{"a score in a canonical file", classes, allHashes, `UPDATE positions SET outcome = 1, score = 1, distance = 5 WHERE key = [.../.ox/ox. x]`,
			`board .../.ox/ox. with x to move (key 420): score is 1, want 0: best of its moves is c3`},
		{"many scores", every, allHashes, `UPDATE positions SET outcome = 0, score = 0, distance = 8 WHERE key < [..x/... x]`,
			`board .../.../xxx with x to move (key 26): score is 0, want 7: x has a line`},
		{"a score at the end", every, allHashes, `UPDATE positions SET outcome = -1, score = -5 WHERE key = [xxx/oo./... o]`,
			`board xxx/oo./... with o to move (key 20251): score is -5, want 5: x has a line`},
		{"a tie at the end", every, allHashes, `UPDATE positions SET outcome = 1, score = 1, distance = 0 WHERE key = [xox/xox/oxo o]`,
			`board xox/xox/oxo with o to move (key 24239): score is 1, want 0: the board is full`},
		{"an outcome", every, allHashes, `UPDATE positions SET outcome = 0 WHERE key = [xx./oo./... x]`,
			`board xx./oo./... with x to move (key 18792): outcome is 0, want 1: its score is 5`},
		{"a distance", every, allHashes, `UPDATE positions SET distance = 3 WHERE key = [xx./oo./... x]`,
			`board xx./oo./... with x to move (key 18792): distance is 3, want 1: best of its moves is c3`},
		{"a distance at the end", every, allHashes, `UPDATE positions SET distance = 1 WHERE key = [xxx/oo./... o]`,
			`board xxx/oo./... with o to move (key 20251): distance is 1, want 0: x has a line`},
		{"the start isn't reachable", every, allHashes, `UPDATE positions SET reachable = 0 WHERE key = [.../.../... x]`,
			`board .../.../... with x to move (key 0): reachable is 0, want 1: play begins here`},
		{"a position isn't reachable", every, allHashes, `UPDATE positions SET reachable = 0 WHERE key = [xo./.../... x]`,
			`board xo./.../... with x to move (key 21870): reachable is 0, want 1: a move leads here from board x../.../... with o to move (key 13123)`},
		{"a position is reachable", every, allHashes, `UPDATE positions SET reachable = 1 WHERE key = [xo./.../... o]`,
			`board xo./.../... with o to move (key 21871): reachable is 1, want 0: no reachable position leads here`},
		{"a position after the end is reachable", every, allHashes, `UPDATE positions SET reachable = 1 WHERE key = [xxx/oo./o.. x]`,
			`board xxx/oo./o.. with x to move (key 20286): reachable is 1, want 0: no reachable position leads here`},
		{"a position of a file of reachable ones isn't", reachable, allHashes, `UPDATE positions SET reachable = 0 WHERE key = [xo./.../... x]`,
			`board xo./.../... with x to move (key 21870): reachable is 0, want 1: the file is of reachable positions`},
		{"a row is missing", every, allHashes, `DELETE FROM positions WHERE key = [xo./x../..o x]; UPDATE game SET positions = positions - 1`,
			`board xo./x../..o with x to move (key 22360) is missing`},
		{"the last row is missing", every, allHashes, `DELETE FROM positions WHERE key = (SELECT max(key) FROM positions); UPDATE game SET positions = positions - 1`,
			`board ooo/ooo/ooo with o to move (key 39365) is missing`},
		{"a reachable row is missing", reachable, allHashes, `DELETE FROM positions WHERE key = [xo./x../..o x]; UPDATE game SET positions = positions - 1`,
			`board x../x../..o with o to move (key 13613): the position after b3, board xo./x../..o with x to move (key 22360), is missing`},
		{"a class is missing", classes, allHashes, `DELETE FROM positions WHERE key = [.../.ox/ox. x]; UPDATE game SET positions = positions - 1`,
			`board .../..x/ox. with o to move (key 97): the position after b2, board .../.ox/ox. with x to move (key 420), is missing`},
		{"the start is missing", reachable, allHashes, `DELETE FROM positions WHERE key = 0; UPDATE game SET positions = positions - 1`,
			`board .../.../... with x to move (key 0) is missing: play begins there`},
		{"all rows are missing", reachable, allHashes, `DELETE FROM positions; UPDATE game SET positions = 0`,
			`board .../.../... with x to move (key 0) is missing: play begins there`},
		{"all rows of every board are missing", every, allHashes, `DELETE FROM positions; UPDATE game SET positions = 0`,
			`board .../.../... with x to move (key 0) is missing`},
		{"a row too many", reachable, allHashes, `INSERT INTO positions VALUES ([xo./.../... o], 0, 0, 7, 1); UPDATE game SET positions = positions + 1`,
			`board xo./.../... with o to move (key 21871): no move leads here, and only reachable positions belong here`},
		{"a board with two lines", every, allHashes, `INSERT INTO positions VALUES ([xxx/ooo/... o], 1, 4, 0, 0); UPDATE game SET positions = positions + 1`,
			`board xxx/ooo/... with o to move (key 20359): both sides have a line`},
		{"a floating stone", drop, allHashes, `INSERT INTO positions VALUES ([x../.../... o], 0, 0, 8, 1); UPDATE game SET positions = positions + 1`,
			`board x../.../... with o to move (key 13123): the stone on a3 floats`},
		{"another member of a class", classes, allHashes, `UPDATE positions SET key = [ox./.ox/... x] WHERE key = [.../.ox/ox. x]`,
			`board ox./.ox/... with x to move (key 30996): its class is to be stored as board .../.ox/ox. with x to move (key 420)`},
		{"a row of large numbers", every, allHashes, `UPDATE positions SET score = 300 WHERE key = [xx./oo./... x]`,
			`board xx./oo./... with x to move (key 18792): outcome 1, score 300, distance 1, reachable 1: want small numbers, reachable 0 or 1`},
		{"a flag of 2", every, allHashes, `UPDATE positions SET reachable = 2 WHERE key = [xx./oo./... x]`,
			`board xx./oo./... with x to move (key 18792): outcome 1, score 5, distance 1, reachable 2: want small numbers, reachable 0 or 1`},
		{"a key too large", every, allHashes, `UPDATE positions SET key = 39366 WHERE key = [xx./oo./... x]`,
			`key 39366 is not of 3x3x3: want 0 to 39365`},
		{"a key below 0", every, allHashes, `UPDATE positions SET key = -2 WHERE key = [xx./oo./... x]`,
			`key -2 is not of 3x3x3: want 0 to 39365`},
		{"a number of positions", every, allHashes, `UPDATE game SET positions = 38741`,
			`game.positions is 38741: want 38742, the number of rows`},
		{"other turns", reachable, allHashes, `UPDATE game SET turns = 'any'`,
			`board .../.../... with o to move (key 1) is missing`},
		{"every board as reachable ones", every, allHashes, `UPDATE game SET turns = 'alternate'`,
			`board .../.../... with o to move (key 1): no move leads here, and only reachable positions belong here`},
		{"other symmetry", classes, allHashes, `UPDATE game SET symmetry = 'none'`,
			`board .../.../... with x to move (key 0): the position after a3, board x../.../... with o to move (key 13123), is missing`},
		{"every position as canonical", every, allHashes, `UPDATE game SET symmetry = 'canonical'`,
			`board .../.../x.. with x to move (key 18): its class is to be stored as board .../.../..x with x to move (key 2)`},
		{"another game", every, allHashes, `UPDATE game SET name = '3x3x3-misere', is_misere = 1`,
			`board xxx/xxx/xxx with x to move (key 19682): score is 1, want -1: x has a line`},
		{"a content hash", every, rowHash, `UPDATE game SET content_hash = replace(content_hash, substr(content_hash, 1, 4), '0000')`,
			`game.content_hash is not the hash of the rows`},
		{"an SG value", every, allHashes, `UPDATE strip_sg SET sg = 2 WHERE length = 7 AND left = 'O' AND right = 'O'`,
			`strip_sg: gap of 7 between O and O: SG value is 2, want 1: the least that none of its moves leads to`},
		{"an SG value below 0", every, allHashes, `UPDATE strip_sg SET sg = -1 WHERE length = 7 AND left = 'O' AND right = 'O'`,
			`strip_sg: got -1, want a gap of 7 between O and O with an SG value of at least 0`},
		{"a gap is missing", every, allHashes, `DELETE FROM strip_sg WHERE length = 7 AND left = 'O' AND right = 'O'`,
			`strip_sg: got a gap of 7 between O and X, want a gap of 7 between O and O`},
		{"the last gap is missing", every, allHashes, `DELETE FROM strip_sg WHERE length = 12 AND left = 'X' AND right = 'X'`,
			`strip_sg: got no more rows, want a gap of 12 between X and X`},
		{"a gap too many", every, allHashes, `INSERT INTO strip_sg VALUES (13, '.', '.', 1)`,
			`strip_sg: got a gap of 13 between . and ., want no more rows`},
		{"strange ends", every, allHashes, `INSERT INTO strip_sg VALUES (7, 'O', 'P', 1)`,
			`strip_sg: got a gap of 7 between O and P, want a gap of 7 between O and X`},
		{"another table", every, allHashes, `CREATE TABLE notes (text)`,
			`schema: table notes is not of this schema`},
		{"another index", every, allHashes, `CREATE INDEX by_score ON positions (score)`,
			`schema: index by_score is not of this schema`},
		{"another view", every, allHashes, `CREATE VIEW wins AS SELECT * FROM positions WHERE outcome = 1`,
			`schema: view wins is not of this schema`},
		{"a trigger", every, allHashes, `CREATE TRIGGER stop BEFORE DELETE ON positions BEGIN SELECT raise(ABORT, 'no'); END`,
			`schema: trigger stop is not of this schema`},
		{"a column more", every, allHashes, `ALTER TABLE cells ADD COLUMN colour TEXT`,
			`the table cells is not as oxbase makes it`},
		{"a view is missing", every, allHashes, `DROP VIEW outcome_counts`,
			`the view outcome_counts is missing`},
		{"a view is another", every, allHashes, `DROP VIEW outcome_counts; CREATE VIEW outcome_counts AS SELECT 1 AS positions`,
			`the view outcome_counts is not as oxbase makes it`},
		{"a cell's name", every, allHashes, `UPDATE cells SET name = 'b4' WHERE cell = 1`,
			`the table cells: got 1 b4 3 2 4374, want 1 b3 3 2 4374`},
		{"a cell's weight", every, allHashes, `UPDATE cells SET weight = 6 WHERE cell = 8`,
			`the table cells: got 8 c1 1 3 6, want 8 c1 1 3 2`},
		{"a cell too many", every, allHashes, `INSERT INTO cells VALUES (9, 'd1', 1, 4, 0)`,
			`the table cells: got 9 d1 1 4 0, want no more rows`},
		{"a cell is missing", every, allHashes, `DELETE FROM cells WHERE cell = 0`,
			`the table cells: got 1 b3 3 2 4374, want 0 a3 3 1 13122`},
	} {
		if i%min(6, positionStride) != 0 {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			path := changedCopy(t, built(t, test.file...), test.rehash, withKeys(test.statements))
			r := oxbase(t, "", "verify", path)
			if r.Status != exitDamaged {
				t.Fatalf("exit status %d, want %d; %s\n%s", r.Status, exitDamaged, r.Err, r.Out)
			}
			if diff := cmp.Diff("oxbase: "+path+": damaged: "+test.want+"\n", r.Err); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			lines := strings.Split(strings.TrimSuffix(r.Out, "\n"), "\n")
			if last := lines[len(lines)-1]; r.Out != "" && (!strings.HasPrefix(last, "FAIL  ") || strings.Count(r.Out, "FAIL") != 1) {
				t.Errorf("the report doesn't end with the only check that fails:\n%s", r.Out)
			}
		})
	}
}

// withKeys puts keys in the place of positions in brackets: twice the cells as digits of base 3,
// plus one if o is to move.
func withKeys(statements string) string {
	return regexp.MustCompile(`\[[^]]*\]`).ReplaceAllStringFunc(statements, func(position string) string {
		board, toMove, _ := strings.Cut(strings.Trim(position, "[]"), " ")
		key := 0
		for _, cell := range strings.ReplaceAll(board, "/", "") {
			key = 3*key + strings.IndexRune(".xo", cell)
		}
		return strconv.Itoa(2*key + strings.Index("xo", toMove))
	})
}
