// What the page has to know of boards to draw them. What positions are worth it only knows from
// the API. A board is a string of its cells in reading order: ".", "x" or "o".

// other returns the opponent of a side.
export const other = (side) => (side === 'x' ? 'o' : 'x');

// emptyBoard returns the board without stones.
export const emptyBoard = (game) => '.'.repeat(game.width * game.height);

// play returns a board after a stone was put on a cell.
export const play = (board, cell, side) => board.slice(0, cell) + side + board.slice(cell + 1);

// columnName returns the letters of a column, counted from 0.
export function columnName(column) {
  const letter = (n) => String.fromCharCode(97 + n);
  return column < 26 ? letter(column) : letter(Math.floor(column / 26) - 1) + letter(column % 26);
}

// cellName returns the name of a cell, such as "b2".
export function cellName(game, cell) {
  return columnName(cell % game.width) + (game.height - Math.floor(cell / game.width));
}

// cellNamed returns the cell with a name, or -1.
export function cellNamed(game, name) {
  for (let cell = 0; cell < game.width * game.height; cell++) {
    if (cellName(game, cell) === name) return cell;
  }
  return -1;
}

// rows returns a board with "/" between its rows.
export function rows(game, board) {
  const all = [];
  for (let i = 0; i < board.length; i += game.width) all.push(board.slice(i, i + game.width));
  return all.join('/');
}

// target returns the cell to which a stone goes that is put on a cell: where stones drop, the
// lowest free one of the column. It is -1 if there is none.
export function target(game, board, cell) {
  if (board[cell] !== '.') return -1;
  if (!game.is_drop) return cell;
  while (cell + game.width < board.length && board[cell + game.width] === '.') cell += game.width;
  return cell;
}

// lineCells returns the cells of all lines on a board.
export function lineCells(game, board) {
  const found = new Set();
  const ways = [[1, 0], [0, 1], [1, 1], [-1, 1]];
  for (let row = 0; row < game.height; row++) {
    for (let column = 0; column < game.width; column++) {
      const side = board[row * game.width + column];
      if (side === '.') continue;
      for (const [right, down] of ways) {
        const cells = [];
        for (let i = 0; i < game.in_row; i++) {
          const c = column + i * right, r = row + i * down;
          if (c < 0 || c >= game.width || r >= game.height || board[r * game.width + c] !== side) break;
          cells.push(r * game.width + c);
        }
        if (cells.length === game.in_row) cells.forEach((cell) => found.add(cell));
      }
    }
  }
  return found;
}

// images returns the boards that turning and mirroring make of one, each once, in the order of
// their keys; where stones drop only the mirror.
export function images(game, board) {
  const {width, height} = game;
  const found = new Set();
  for (let variant = 0; variant < 8; variant++) {
    const transpose = variant & 4, flipRows = variant & 2, flipColumns = variant & 1;
    if ((transpose && width !== height) || (game.is_drop && (transpose || flipRows))) continue;
    let image = '';
    for (let cell = 0; cell < board.length; cell++) {
      let column = cell % width, row = Math.floor(cell / width);
      if (transpose) [column, row] = [row, column];
      if (flipRows) row = height - 1 - row;
      if (flipColumns) column = width - 1 - column;
      image += board[row * width + column];
    }
    found.add(image);
  }
  const order = (text) => key(text, 'x');
  return [...found].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

// key returns the key of a position. It can be too large for a number.
export function key(board, toMove) {
  let number = 0n;
  for (const c of board) number = number * 3n + BigInt('.xo'.indexOf(c));
  return number * 2n + (toMove === 'o' ? 1n : 0n);
}

// worth returns an outcome as a side sees it: "win", "tie" or "loss".
export function worth(outcome, side) {
  const own = side === 'x' ? outcome : -outcome;
  return own > 0 ? 'win' : own < 0 ? 'loss' : 'tie';
}
