package main

// sqlExample is a question with the SQL that answers it from a 3x3x3 file.
type sqlExample struct {
	question string
	sql      string
	attach   string // what --attach needs to be given, or nothing
}

func sqlExamples() []sqlExample {
	return []sqlExample{
		{question: "Who wins the positions that can arise in play?", sql: `SELECT result, sum(reachable) AS positions
FROM outcome_counts
GROUP BY result
ORDER BY positions DESC`},

		{question: "How many positions arise with each number of stones, how many are the end?", sql: `SELECT stones, count(*) AS positions, sum(terminal) AS terminal
FROM boards
WHERE reachable
GROUP BY stones`},

		{question: "How many are there if turned and mirrored boards count once?", sql: `SELECT count(DISTINCT canonical_key(key)) AS positions
FROM positions
WHERE reachable`},

		{question: "What does each move lead to after x took a corner and o the edge beside it?", sql: `SELECT move, outcome, score, distance, best
FROM moves
WHERE key = board_key('xo./.../...')
ORDER BY score DESC, move`},

		{question: "How does the game go on from there if both play their best?", sql: `WITH RECURSIVE line(ply, key) AS (
  SELECT 0, board_key('xo./.../...')
  UNION ALL
  SELECT ply + 1, (SELECT min(to_key) FROM moves WHERE moves.key = line.key AND best)
  FROM line
  WHERE NOT (SELECT terminal FROM boards WHERE boards.key = line.key)
)
SELECT ply, picture(key) AS board FROM line`},

		{question: "Which replies to each first move don't lose?", sql: `SELECT first.move AS x, group_concat(reply.move, ' ' ORDER BY reply.move) AS o
FROM moves AS first
JOIN moves AS reply ON reply.key = first.to_key
WHERE first.key = board_key('.../.../...') AND reply.outcome = 0
GROUP BY first.move`},

		{question: "In how many positions does exactly one of several moves keep the outcome?", sql: `SELECT count(*) AS positions
FROM (
  SELECT key
  FROM moves
  JOIN positions USING (key)
  WHERE positions.reachable
  GROUP BY key
  HAVING count(*) > 1 AND sum(moves.outcome = positions.outcome) = 1
)`},

		{question: "In how many positions can the side to move win at once, in how many ways?", sql: `SELECT ways, count(*) AS positions
FROM (
  SELECT key, count(*) AS ways
  FROM moves
  JOIN positions USING (key)
  WHERE positions.reachable AND moves.distance = 0 AND moves.score <> 0
  GROUP BY key
)
GROUP BY ways`},

		{question: "Which is the longest forced win, and on which boards?", sql: `SELECT board, to_move, result, distance
FROM boards
WHERE reachable AND score <> 0
  AND distance = (SELECT max(distance) FROM positions WHERE reachable AND score <> 0)
  AND key = canonical_key(key)
ORDER BY key`},

		{question: "On how many boards would a side rather pass than move?", sql: `SELECT count(*) AS boards
FROM positions AS x_moves
JOIN positions AS o_moves ON o_moves.key = x_moves.key + 1
WHERE x_moves.key % 2 = 0 AND x_moves.score < o_moves.score`},

		{question: "How many full boards can arise, and who has won on them?", sql: `SELECT result, count(*) AS boards
FROM boards
WHERE reachable AND stones = 9
GROUP BY result`},

		{question: "Who wins the strip ..X...O., by the XOR of its gaps' SG values?", sql: `WITH gap(a, b, c) AS (
  SELECT
    (SELECT sg FROM strip_sg WHERE length = 2 AND left = '.' AND right = 'X'),
    (SELECT sg FROM strip_sg WHERE length = 3 AND left = 'X' AND right = 'O'),
    (SELECT sg FROM strip_sg WHERE length = 1 AND left = 'O' AND right = '.')
),
pair(ab, c) AS (SELECT (a | b) - (a & b), c FROM gap)
SELECT CASE (ab | c) - (ab & c) WHEN 0 THEN 'who moves loses' ELSE 'who moves wins' END AS answer
FROM pair`},

		{question: "Which positions are a tie, but lost in misère, up to symmetry?", sql: `SELECT key, board, to_move, lost.distance
FROM boards
JOIN misere.boards AS lost USING (key, board, to_move)
WHERE boards.reachable AND lost.reachable AND NOT boards.terminal
  AND boards.result = 'tie'
  AND lost.result = CASE to_move WHEN 'x' THEN 'o wins' ELSE 'x wins' END
  AND key = canonical_key(key)
ORDER BY key`, attach: "misere=3x3x3-misere.db"},
	}
}
