// The page with the strip. Its state is the list of strips that were shown and which one of them
// is; the address names it.

import * as api from './api.js';
import {byId, make, plural, stone, whenKeys} from './dom.js';

const longest = 1000; // cells that the server answers for

const page = {
  game: null,
  strips: [''], // that can be undone and redone
  at: 0,
  report: null,
  editing: false,
  turn: 0,
};

const here = () => page.strips[page.at];

// go changes the state and shows it; remember says what becomes of the browser's history.
function go(change, remember = 'push') {
  Object.assign(page, change);
  const turn = ++page.turn;
  const entry = {strips: page.strips, at: page.at};
  const address = `/strip?${new URLSearchParams({game: page.game.game, strip: here()})}`;
  if (remember === 'push') history.pushState(entry, '', address);
  if (remember === 'replace') history.replaceState(entry, '', address);
  return show(turn);
}

// put shows another strip.
const put = (strip) => go({strips: [...page.strips.slice(0, page.at + 1), strip], at: page.at + 1});

async function show(turn) {
  document.body.dataset.state = 'waiting';
  let report = null, problem = null;
  try {
    report = await api.strip(page.game, here());
  } catch (error) {
    problem = error;
  }
  if (turn !== page.turn) return;
  page.report = report;
  draw(problem);
  document.body.dataset.state = 'ready';
}

// allowed reports whether a piece may stand on a free cell.
function allowed(strip, cell, piece) {
  return strip[cell] === '.' && strip[cell - 1] !== piece && strip[cell + 1] !== piece;
}

const withPiece = (strip, cell, piece) => strip.slice(0, cell) + piece + strip.slice(cell + 1);

function draw(problem) {
  const strip = here();
  const {report} = page;
  const moves = [...strip].flatMap((_, cell) => ['O', 'X'].filter((piece) => allowed(strip, cell, piece)));
  byId('headline').textContent = !report ? 'No answer' : moves.length === 0 ? 'No move is left: the side to move has lost' : `T${report.result.slice(1)}`;
  byId('subline').textContent = problem ? problem.message : page.editing ? 'Click a cell to change what stands there.' : choices(report, moves);
  byId('subline').classList.toggle('problem', Boolean(problem));
  document.title = `${strip} – strips – oxbase`;
  byId('undo').disabled = page.at === 0;
  byId('redo').disabled = page.at === page.strips.length - 1;
  byId('best').disabled = moves.length === 0 || page.editing || !report;
  byId('best').textContent = report && report.sg === 0 && moves.length ? 'Any move' : 'Winning move';
  byId('shorter').disabled = strip.length <= 1;
  byId('longer').disabled = strip.length >= longest;
  byId('edit').setAttribute('aria-pressed', page.editing);
  byId('edit').textContent = page.editing ? 'Done' : 'Set up';
  if (document.activeElement !== byId('strip-text')) byId('strip-text').value = strip;
  drawStrip(strip, report);
  drawLists(report);
}

// choices says how many of the moves win.
function choices(report, moves) {
  if (!report || moves.length === 0) return '\u00a0';
  const n = report.winning_moves.length;
  return n === 0 ? `each of the ${plural(moves.length, 'move')} loses` : `${n} of ${plural(moves.length, 'move')} ${n === 1 ? 'wins' : 'win'}`;
}

function drawStrip(strip, report) {
  const grid = byId('strip');
  const focused = grid.contains(document.activeElement) ? document.activeElement.dataset : null;
  const winning = new Set((report?.winning_moves ?? []).map((m) => `${m.piece}${m.cell - 1}`));
  const squares = make('div', {role: 'row', class: 'squares'});
  squares.style.display = 'contents';
  const elements = [];
  [...strip].forEach((piece, cell) => {
    const square = page.editing ? editable(piece, cell) : piece === '.' ? free(strip, cell, winning) : make('div', {role: 'gridcell', class: 'square taken', 'aria-label': `cell ${cell + 1}, ${piece}`}, stone(piece.toLowerCase()));
    square.style.gridColumn = cell + 1;
    squares.append(square);
    const number = make('span', {class: 'number-row', 'aria-hidden': 'true'}, `${cell + 1}`);
    number.style.gridColumn = cell + 1;
    elements.push(number);
  });
  for (const gap of report?.gaps ?? []) {
    const bracket = make('span', {class: 'gap', 'aria-hidden': 'true'});
    const value = make('span', {class: 'gap-value', title: `SG value of the gap from cell ${gap.cell}`}, `${gap.sg}`);
    bracket.style.gridColumn = value.style.gridColumn = `${gap.cell} / span ${gap.length}`;
    elements.push(bracket, value);
  }
  grid.setAttribute('aria-label', `Strip of ${strip.length} cells`);
  grid.replaceChildren(squares, ...elements);
  const targets = [...grid.querySelectorAll('button:not([aria-disabled="true"])')];
  const same = focused && (targets.find((b) => b.dataset.cell === focused.cell && b.dataset.piece === focused.piece) ?? targets.find((b) => Number(b.dataset.cell) >= Number(focused.cell)) ?? targets.at(-1));
  current(same || targets[0]);
  if (same) same.focus({preventScroll: true});
}

// free is a free cell: one half of it puts an O there, the other an X.
function free(strip, cell, winning) {
  const halves = ['O', 'X'].map((piece) => {
    const legal = allowed(strip, cell, piece);
    const wins = winning.has(`${piece}${cell}`);
    const button = make('button', {
      type: 'button', class: `half${wins ? ' winning' : ''}`, tabIndex: -1, 'aria-disabled': `${!legal}`,
      'aria-label': `cell ${cell + 1}, put ${piece}${legal ? '' : ', not allowed'}${wins ? ', wins' : ''}`,
      onclick: () => legal && put(withPiece(strip, cell, piece)),
    }, piece);
    button.dataset.cell = cell;
    button.dataset.piece = piece;
    return button;
  });
  return make('div', {role: 'gridcell', class: 'square'}, ...halves);
}

// editable is a cell in a strip that is set up.
function editable(piece, cell) {
  const next = {'.': 'O', O: 'X', X: '.'}[piece];
  const button = make('button', {
    type: 'button', role: 'gridcell', class: 'square taken', tabIndex: -1, 'aria-label': `cell ${cell + 1}, ${piece === '.' ? 'empty' : piece}`,
    onclick: () => put(withPiece(here(), cell, next)),
  }, ...(piece === '.' ? [] : [stone(piece.toLowerCase())]));
  button.dataset.cell = cell;
  return button;
}

// current makes a button the one that the tab key leads to.
function current(button) {
  for (const other of byId('strip').querySelectorAll('button')) other.tabIndex = other === button ? 0 : -1;
}

function drawLists(report) {
  const gaps = report?.gaps ?? [];
  byId('sum').replaceChildren(...(!report ? ['–'] : gaps.length === 0 ? ['no gaps: ', make('b', {}, '0')] : [`${gaps.map((gap) => gap.sg).join(' ⊕ ')} = `, make('b', {}, `${report.sg}`)]));
  const moves = report?.winning_moves ?? [];
  byId('wins').replaceChildren(moves.length === 0 ? make('p', {class: 'hint'}, 'None.') : make('div', {class: 'wins'}, ...moves.map((m) =>
    make('button', {type: 'button', onclick: () => put(m.to_strip)}, `cell ${m.cell}`, make('b', {}, m.piece)))));
  const end = (text) => (text === '.' ? 'edge' : text);
  byId('gaps').replaceChildren(gaps.length === 0 ? make('p', {class: 'hint'}, 'None.') : make('table', {},
    make('thead', {}, make('tr', {}, ...['Cells', 'Length', 'Left', 'Right', 'SG value'].map((text) => make('th', {scope: 'col'}, text)))),
    make('tbody', {}, ...gaps.map((gap) => make('tr', {}, ...[
      gap.length > 1 ? `${gap.cell}–${gap.cell + gap.length - 1}` : `${gap.cell}`, `${gap.length}`, end(gap.left), end(gap.right), `${gap.sg}`,
    ].map((text) => make('td', {}, text)))))));
}

// move follows the arrow keys.
function move(event) {
  const {cell, piece} = event.target.dataset;
  const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
  const buttons = [...byId('strip').querySelectorAll('button:not([aria-disabled="true"])')];
  let to;
  if (by) {
    const beyond = buttons.filter((b) => (Number(b.dataset.cell) - Number(cell)) * by > 0);
    const nearest = beyond.at(by > 0 ? 0 : -1)?.dataset.cell;
    to = beyond.find((b) => b.dataset.cell === nearest && b.dataset.piece === piece) ?? beyond.find((b) => b.dataset.cell === nearest);
  } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
    to = buttons.find((b) => b.dataset.cell === cell && b.dataset.piece === (event.key === 'ArrowUp' ? 'O' : 'X'));
  } else return;
  event.preventDefault();
  event.stopPropagation();
  if (to) {
    current(to);
    to.focus();
  }
}

const actions = {
  undo: () => page.at > 0 && go({at: page.at - 1}),
  redo: () => page.at < page.strips.length - 1 && go({at: page.at + 1}),
  restart: () => put('.'.repeat(here().length)),
  longer: () => here().length < longest && put(`${here()}.`),
  shorter: () => here().length > 1 && put(here().slice(0, -1)),
  edit: () => go({editing: !page.editing}, 'replace'),
  help: () => byId('help-text').showModal(),
  best: () => {
    if (!page.report || page.editing) return;
    const best = page.report.winning_moves[0];
    if (best) return put(best.to_strip);
    const strip = here();
    for (let cell = 0; cell < strip.length; cell++) {
      const piece = ['O', 'X'].find((p) => allowed(strip, cell, p));
      if (piece) return put(withPiece(strip, cell, piece));
    }
  },
};

function listen() {
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener('click', action);
  byId('strip').addEventListener('keydown', move);
  byId('paste').addEventListener('submit', (event) => {
    event.preventDefault();
    byId('strip-text').blur();
    put(byId('strip-text').value.replaceAll(/\s/g, '').toUpperCase());
  });
  addEventListener('popstate', (event) => event.state && go({...event.state, editing: false}, 'keep'));
  const focus = () => byId('strip').querySelector('[tabindex="0"]')?.focus();
  whenKeys({
    u: actions.undo, r: actions.redo, n: actions.restart, e: actions.edit, b: actions.best, '?': actions.help,
    '+': actions.longer, '-': actions.shorter, p: () => byId('strip-text').select(),
    ArrowLeft: focus, ArrowRight: focus, ArrowUp: focus, ArrowDown: focus,
  });
}

async function main() {
  listen();
  const parameters = new URLSearchParams(location.search);
  try {
    const list = await api.games();
    page.game = list.games.find((g) => g.game === parameters.get('game')) ?? list.games[0];
    byId('about').textContent = `oxbase ${list.version} · SG values from the file of ${page.game.game}, gaps of up to ${page.game.strip_length} cells`;
    byId('to-boards').href = `/?${new URLSearchParams({game: page.game.game})}`;
  } catch (problem) {
    byId('headline').textContent = problem.message;
    return;
  }
  if (history.state) go(history.state, 'keep');
  else go({strips: [(parameters.get('strip') ?? '..X....O.').toUpperCase()], at: 0}, 'replace');
}

main();
