// The board that one plays on.

import {make, stone, signed} from './dom.js';
import {cellName, columnName, lineCells, target, worth} from './rules.js';

const words = {win: 'wins', tie: 'ties', loss: 'loses'};
const letters = {win: 'W', tie: 'T', loss: 'L'};

// Board shows a position. It calls onCell with the number of a cell that was clicked.
export class Board {
  constructor(element, onCell) {
    this.element = element;
    this.onCell = onCell;
    element.addEventListener('keydown', (event) => this.move(event));
    element.addEventListener('focusin', (event) => this.current(Number(event.target.dataset.cell)));
  }

  // lay makes the cells of a game.
  lay(game) {
    this.game = game;
    this.cells = [];
    const {width, height} = game;
    const frame = this.element;
    frame.replaceChildren();
    frame.style.setProperty('--columns', width);
    frame.style.setProperty('--rows', height);
    frame.setAttribute('aria-label', `Board of ${game.name}, ${height} rows and ${width} columns`);
    for (let row = 0; row < height; row++) {
      const line = make('div', {role: 'row', class: 'row'}, make('span', {class: 'coordinate', 'aria-hidden': 'true'}, `${height - row}`));
      for (let column = 0; column < width; column++) {
        const cell = this.cells.length;
        const button = make('button', {
          type: 'button', role: 'gridcell', class: 'cell', tabIndex: -1, onclick: () => this.onCell(cell),
        });
        button.dataset.cell = cell;
        button.dataset.name = cellName(game, cell);
        this.cells.push(button);
        line.append(button);
      }
      frame.append(line);
    }
    const names = make('div', {class: 'row', 'aria-hidden': 'true'}, make('span'));
    for (let column = 0; column < width; column++) names.append(make('span', {class: 'coordinate'}, columnName(column)));
    frame.append(names);
    this.current(game.is_drop ? Math.floor(width / 2) : Math.floor(height / 2) * width + Math.floor(width / 2));
  }

  // current makes a cell the one that the tab key leads to.
  current(cell) {
    this.cells.forEach((button, i) => { button.tabIndex = i === cell ? 0 : -1; });
  }

  focus() {
    this.cells.find((button) => button.tabIndex === 0).focus();
  }

  // move follows the arrow keys.
  move(event) {
    const from = Number(event.target.dataset.cell);
    const {width, height} = this.game;
    let column = from % width, row = Math.floor(from / width);
    switch (event.key) {
      case 'ArrowLeft': column--; break;
      case 'ArrowRight': column++; break;
      case 'ArrowUp': row--; break;
      case 'ArrowDown': row++; break;
      case 'Home': column = 0; break;
      case 'End': column = width - 1; break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (column >= 0 && column < width && row >= 0 && row < height) this.cells[row * width + column].focus();
  }

  // show draws a position. moves are those of its report, or empty while it isn't known; values
  // says whether what they are worth is shown; editing, that any cell can be clicked.
  show({board, toMove, last, moves, values, editing}) {
    const {game} = this;
    const byName = new Map(moves.map((move) => [move.move, move]));
    const line = lineCells(game, board);
    this.cells.forEach((button, cell) => {
      const name = button.dataset.name;
      const piece = board[cell];
      const to = target(game, board, cell);
      const move = to === cell && piece === '.' && !editing ? byName.get(name) : undefined;
      const playable = editing || (to >= 0 && byName.has(cellName(game, to)));
      button.className = 'cell';
      button.style.removeProperty('--strength');
      button.setAttribute('aria-disabled', playable ? 'false' : 'true');
      if (piece !== '.') {
        button.classList.add('taken');
        if (cell === last) button.classList.add('last');
        if (line.has(cell)) button.classList.add('in-line');
        this.fill(button, piece, [stone(piece)], `${name}, ${piece}`);
      } else if (move && values) {
        const kind = worth(move.outcome, toMove);
        button.classList.add('valued', kind);
        if (move.best) button.classList.add('best');
        button.style.setProperty('--strength', strength(move.distance, board.length));
        const after = move.distance === 0 ? 'ends' : `in ${move.distance}`;
        this.fill(button, `${kind}${move.score}/${move.distance}/${move.best}`, [
          make('span', {class: 'mark'}, letters[kind]),
          make('span', {class: 'figures'}, make('span', {class: 'score'}, signed(move.score)), make('span', {class: 'distance'}, after)),
        ], `${name}, ${toMove} ${words[kind]}, score ${move.score}, ${move.distance} plies after it${move.best ? ', best move' : ''}`);
      } else {
        if (playable && to === cell) button.classList.add('open');
        this.fill(button, '', [], `${name}, empty`);
      }
      if (move) button.append(ghost(toMove));
    });
  }

  // fill sets what a cell holds. It leaves the elements alone if they wouldn't change.
  fill(button, what, elements, label) {
    button.setAttribute('aria-label', label);
    if (button.dataset.what === what) {
      button.querySelector('.ghost')?.remove();
      return;
    }
    button.dataset.what = what;
    button.replaceChildren(...elements);
  }
}

// ghost is the stone that a click would put down.
function ghost(side) {
  const svg = stone(side);
  svg.classList.add('ghost');
  return svg;
}

// strength says how strong a colour is: the longer the game lasts, the paler.
export function strength(distance, cells) {
  return (0.16 + 0.44 * (1 - distance / cells)).toFixed(3);
}
