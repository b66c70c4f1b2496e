-- +goose Up

-- Tells an oxbase file from every other SQLite file: "oxdb" in ASCII, 0x6f786462.
PRAGMA application_id = 1870160994;

CREATE TABLE positions (
  -- What best play leads to from each position. x maximises the score and o minimises it, so
  -- that the winner hurries and the loser delays.
  key INTEGER PRIMARY KEY,     -- 2 * (cells in reading order as base-3 digits, the first the most
                               -- significant; empty 0, x 1, o 2) + (x to move 0, o to move 1)
  outcome INTEGER NOT NULL,    -- who wins, always from x's point of view: 1 x, 0 tie, -1 o
  score INTEGER NOT NULL,      -- 0 for a tie, else empty cells at the end + 1, negative if o wins
  distance INTEGER NOT NULL,   -- plies (single moves) to the end of the game, 0 if it is over
  reachable INTEGER NOT NULL   -- 1 if play from the empty board, x first, can arise here, else 0
) STRICT;

CREATE TABLE strip_sg (
  -- The strip game: a move puts O or X on an empty cell, never beside an equal piece, and who
  -- can't move loses. The pieces cut a strip into gaps, and the side to move wins exactly if the
  -- XOR of the gaps' SG values isn't 0.
  length INTEGER NOT NULL,     -- empty cells of the gap, from 0 to game.strip_length
  left TEXT NOT NULL,          -- what stands left of it: O, X, or . for the edge of the strip
  right TEXT NOT NULL,         -- what stands right of it, likewise
  sg INTEGER NOT NULL,         -- Sprague-Grundy value (nimber)
  PRIMARY KEY (length, left, right)
) STRICT, WITHOUT ROWID;

CREATE TABLE game (
  -- One row: what this file is.
  name TEXT NOT NULL,            -- WxHxK, then -drop and -misere if they apply
  width INTEGER NOT NULL,        -- columns
  height INTEGER NOT NULL,       -- rows
  in_row INTEGER NOT NULL,       -- stones in a row, column or diagonal that make a line
  is_drop INTEGER NOT NULL,      -- 1 if a stone falls to the lowest free cell of its column
  is_misere INTEGER NOT NULL,    -- 1 if whoever completes a line loses
  turns TEXT NOT NULL,           -- any: every board without lines of both sides, either side to
                                 -- move; alternate: the reachable positions only
  symmetry TEXT NOT NULL,        -- none: every position; canonical: of positions that differ by
                                 -- turning or mirroring the board, the one with the smallest key
  strip_length INTEGER NOT NULL, -- longest gap in strip_sg, in cells
  positions INTEGER NOT NULL,    -- rows of the table positions
  content_hash TEXT NOT NULL,    -- SHA-256, in hex, of what the sqlite3 program prints for
                                 -- SELECT * FROM positions ORDER BY key
                                 -- and then SELECT * FROM strip_sg ORDER BY length, left, right
  built_by TEXT NOT NULL,        -- program and version that wrote the file
  row_hash TEXT NOT NULL         -- SHA-256, in hex, of what the sqlite3 program prints for this
                                 -- row without row_hash: the columns, | between, a line feed
) STRICT;

CREATE TABLE cells (
  -- The cells of the board.
  cell INTEGER PRIMARY KEY,    -- number in reading order, 0 at the top left
  name TEXT NOT NULL,          -- as in chess: column letter, row number; a1 is at the bottom left
  row INTEGER NOT NULL,        -- 1 is the bottom row
  "column" INTEGER NOT NULL,   -- 1 is the left column
  weight INTEGER NOT NULL      -- what an x here adds to the key; an o adds twice that
) STRICT;

CREATE VIEW boards AS
  -- The positions in words. board: x, o or . for each cell, / between the rows, the top row
  -- first. stones: pieces on the board. terminal: 1 if the game is over, else 0. result: who
  -- wins under best play. The rest as in the table positions.
  SELECT
    key,
    (SELECT group_concat(
        CASE WHEN "column" = 1 AND cell > 0 THEN '/' ELSE '' END
          || substr('.xo', 1 + positions.key / weight % 3, 1), '')
      FROM (SELECT cell, "column", weight FROM cells ORDER BY cell)) AS board,
    CASE key % 2 WHEN 0 THEN 'x' ELSE 'o' END AS to_move,
    (SELECT sum(positions.key / weight % 3 > 0) FROM cells) AS stones,
    distance = 0 AS terminal,
    CASE outcome WHEN 1 THEN 'x wins' WHEN 0 THEN 'tie' WHEN -1 THEN 'o wins' END AS result,
    score,
    distance,
    reachable
  FROM positions;

CREATE VIEW moves AS
  -- Every legal move of every position that isn't terminal. move: the cell's name. to_key,
  -- to_board, outcome, score, distance: the position that the move leads to. best: 1 if no other
  -- move has a better score for the side to move. A file with one position per symmetry class
  -- (game.symmetry canonical) doesn't hold where each move leads: there this view has no rows.
  SELECT
    before.key,
    before.board,
    before.to_move,
    cells.name AS move,
    after.key AS to_key,
    after.board AS to_board,
    position.outcome,
    after.score,
    after.distance,
    after.score = before.score AS best
  FROM game
    CROSS JOIN boards AS before
    CROSS JOIN cells
    CROSS JOIN boards AS after
      ON after.key = before.key + CASE before.to_move WHEN 'x' THEN weight + 1 ELSE 2 * weight - 1 END
    CROSS JOIN positions AS position ON position.key = after.key
  WHERE game.symmetry = 'none'
    AND NOT before.terminal
    AND before.key / weight % 3 = 0
    AND (NOT game.is_drop OR cells.row = 1 OR before.key /
      (SELECT below.weight FROM cells AS below WHERE below.cell = cells.cell + game.width) % 3 > 0);

CREATE VIEW outcome_counts AS
  -- How many positions, and how many reachable ones, have each result, distance and side to move.
  SELECT
    CASE outcome WHEN 1 THEN 'x wins' WHEN 0 THEN 'tie' WHEN -1 THEN 'o wins' END AS result,
    distance,
    CASE key % 2 WHEN 0 THEN 'x' ELSE 'o' END AS to_move,
    count(*) AS positions,
    sum(reachable) AS reachable
  FROM positions
  GROUP BY outcome, distance, key % 2
  ORDER BY outcome DESC, distance, key % 2;
