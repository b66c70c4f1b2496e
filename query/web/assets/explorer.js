// The page with the board. Its state is the position from which the moves were played, the moves,
// and how many of them stand on the board; the rest can be undone and played again. The address
// names the position and the moves that led there, so that it can be shared.

import * as api from './api.js';
import {Board} from './board.js';
import {countsTable, histogram, valuePlot} from './charts.js';
import {byId, make, plural, signed, whenKeys} from './dom.js';
import {chip, movesTable, sentence, symmetryClass} from './panels.js';
import {cellName, cellNamed, emptyBoard, other, play, rows, target} from './rules.js';

const holdDelay = 450; // ms until a held button begins to follow the line
const followDelay = 320; // ms between its moves, and before the tablebase answers

const page = {
  games: [],
  game: null,
  start: {board: '', toMove: 'x'}, // where the moves begin
  moves: [], // cells
  at: 0, // how many of the moves were played
  report: null, // of the position, null while it isn't known
  problem: null, // why there is no report
  points: [], // reports on all positions of the game, undefined where there is none
  values: true,
  editing: false,
  opponent: '', // the side that the tablebase plays
  turn: 0, // counts changes, so that late answers are dropped
  ready: Promise.resolve(), // done when the position is shown
};

const board = new Board(byId('board'), clickCell);

// positionAt returns the position after some of the moves.
function positionAt(n) {
  let {board: cells, toMove} = page.start;
  for (const cell of page.moves.slice(0, n)) {
    cells = play(cells, cell, toMove);
    toMove = other(toMove);
  }
  return {board: cells, toMove};
}

const here = () => positionAt(page.at);

// address returns the URL of the position with the moves that led there.
function address() {
  const {board: cells, toMove} = here();
  const parameters = new URLSearchParams({game: page.game.game, board: rows(page.game, cells), to_move: toMove});
  if (page.at > 0) parameters.set('line', page.moves.slice(0, page.at).map((cell) => cellName(page.game, cell)).join(' '));
  return `/?${parameters.toString().replaceAll('%2F', '/')}`;
}

// go changes the state and shows it. remember says what becomes of the browser's history: a new
// entry, or the current one is overwritten, or it is left alone.
function go(change, remember = 'push') {
  Object.assign(page, change, {report: null, problem: null});
  const turn = ++page.turn;
  const entry = {game: page.game.game, start: page.start, moves: page.moves, at: page.at};
  if (remember === 'push') history.pushState(entry, '', address());
  if (remember === 'replace') history.replaceState(entry, '', address());
  page.ready = show(turn);
  return page.ready;
}

async function show(turn) {
  const waiting = setTimeout(() => turn === page.turn && draw(), 80);
  document.body.dataset.state = 'waiting';
  const {game, at} = page;
  const all = [...page.moves, null].map((_, i) => positionAt(i));
  let problem = null;
  const points = await api.positions(game, all, (error, i) => { if (i === at) problem = error; });
  clearTimeout(waiting);
  if (turn !== page.turn) return;
  Object.assign(page, {points, problem, report: points[at] ?? null});
  draw();
  document.body.dataset.state = 'ready';
  answerMove(turn);
}

// draw shows the state.
function draw() {
  const {board: cells, toMove} = here();
  const {report, problem, game} = page;
  board.show({
    board: cells, toMove, last: page.at > 0 ? page.moves[page.at - 1] : -1,
    moves: report ? report.moves : [], values: page.values, editing: page.editing,
  });
  document.title = `${rows(game, cells)} – ${game.name} – oxbase`;
  byId('headline').textContent = report && (page.values || report.terminal) ? sentence(report) : `${toMove} to move`;
  byId('subline').textContent = report ? subline(report) : problem ? problem.message : '\u00a0';
  byId('subline').classList.toggle('problem', Boolean(problem));
  byId('undo').disabled = page.at === 0;
  byId('redo').disabled = page.at === page.moves.length;
  byId('best').disabled = !report || report.terminal || page.editing;
  byId('edit').setAttribute('aria-pressed', page.editing);
  byId('edit').textContent = page.editing ? 'Done' : 'Set up';
  byId('clear').hidden = !page.editing;
  byId('values').setAttribute('aria-pressed', page.values);
  byId('opponent').value = page.opponent;
  if (document.activeElement !== byId('board-text')) byId('board-text').value = rows(game, cells);
  byId('to-strip').href = `/strip?${new URLSearchParams({game: game.game})}`;
  drawLists(cells, toMove);
}

function subline(report) {
  if (page.editing) return 'Click a cell to change what stands there.';
  const parts = [];
  if (page.values || report.terminal) parts.push(`score ${signed(report.score)}`);
  if (page.game.is_misere) parts.push('who completes a line loses');
  if (page.game.turns === 'any' && !report.reachable) parts.push('can’t arise in play');
  return parts.join(' · ') || '\u00a0';
}

// replace fills a list anew. The focus stays where it was in it, or goes to the board if nothing
// is left there.
function replace(id, ...elements) {
  const list = byId(id);
  const focused = [...list.querySelectorAll('button')].indexOf(document.activeElement);
  list.replaceChildren(...elements);
  if (focused < 0) return;
  const buttons = [...list.querySelectorAll('button')];
  if (buttons.length > 0) buttons[Math.min(focused, buttons.length - 1)].focus({preventScroll: true});
  else board.focus();
}

function drawLists(cells, toMove) {
  const {report, game} = page;
  const hint = (text) => make('p', {class: 'hint'}, text);
  replace('moves', !report ? hint('–') : page.values ? movesTable(report, cells.length, playName) : hint('Hidden, as values are.'));
  replace('line', ...(report && page.values ? report.best_line : []).map((step, i) =>
    chip(step.to_move, step.move, () => playLine(report.best_line.slice(0, i + 1)))));
  byId('line').parentElement.hidden = !report || report.terminal || !page.values;
  replace('class', ...symmetryClass(game, cells, toMove, (image) => {
    if (image !== cells) go({start: {board: image, toMove}, moves: [], at: 0});
  }));
  const {points} = page;
  byId('plot').replaceChildren(page.values ? valuePlot(points, page.at, jump) : hint('Hidden, as values are.'));
  replace('played', chip('', 'start', () => jump(0), {current: page.at === 0}), ...page.moves.map((cell, i) => {
    const before = points[i], after = points[i + 1];
    const thrown = page.values && before && after && before.outcome !== after.outcome;
    const move = before?.moves?.find((m) => m.move === cellName(game, cell));
    return chip(positionAt(i).toMove, cellName(game, cell), () => jump(i + 1), {
      mark: thrown ? '?' : '', title: page.values ? move?.remark : undefined, current: page.at === i + 1, later: i >= page.at,
    });
  }));
}

// clickCell plays on a cell, or changes what stands there.
function clickCell(cell) {
  const {board: cells, toMove} = here();
  if (page.editing) {
    const next = {'.': 'x', x: 'o', o: '.'}[cells[cell]];
    go({start: {board: play(cells, cell, next), toMove}, moves: [], at: 0}, 'replace');
    return;
  }
  const to = target(page.game, cells, cell);
  if (to >= 0) playName(cellName(page.game, to));
}

// playName plays a move of the report, if it is one.
function playName(name) {
  if (!page.report?.moves.some((move) => move.move === name)) return page.ready;
  return playCells([cellNamed(page.game, name)]);
}

const playLine = (steps) => playCells(steps.map((step) => cellNamed(page.game, step.move)));

function playCells(cells) {
  const same = cells.every((cell, i) => page.moves[page.at + i] === cell);
  const moves = same ? page.moves : [...page.moves.slice(0, page.at), ...cells];
  return go({moves, at: page.at + cells.length});
}

// playBest plays the best move. It reports whether there was one.
async function playBest() {
  await page.ready;
  if (!page.report || page.report.terminal || page.editing) return false;
  await playName(page.report.moves[0].move);
  return true;
}

// answerMove plays for the tablebase if it is its turn, unless moves were undone.
function answerMove(turn) {
  const due = () => turn === page.turn && page.opponent === here().toMove && page.at === page.moves.length && !page.editing;
  if (due() && page.report && !page.report.terminal) setTimeout(() => due() && playBest(), followDelay);
}

function jump(n) {
  if (n !== page.at && n >= 0 && n <= page.moves.length) go({at: n});
}

// step undoes or redoes a move, against the tablebase until one is to move oneself.
function step(by) {
  let n = page.at + by;
  while (page.opponent && n > 0 && n < page.moves.length && positionAt(n).toMove === page.opponent) n += by;
  jump(n);
}

const actions = {
  undo: () => step(-1),
  redo: () => step(1),
  best: playBest,
  restart: () => go({start: {board: emptyBoard(page.game), toMove: 'x'}, moves: [], at: 0}),
  clear: () => go({start: {board: emptyBoard(page.game), toMove: here().toMove}, moves: [], at: 0}, 'replace'),
  swap: () => go({start: {board: here().board, toMove: other(here().toMove)}, moves: [], at: 0}),
  edit: () => {
    const {board: cells, toMove} = here();
    if (page.editing) go({editing: false}, 'replace');
    else go({editing: true, start: {board: cells, toMove}, moves: [], at: 0});
  },
  values: () => {
    page.values = !page.values;
    draw();
  },
  help: () => byId('help-text').showModal(),
};

// showText shows a board that someone wrote or pasted; "x" or "o" behind it is the side to move.
async function showText(text) {
  const lines = text.trim().split(/\s*[\n/]\s*/);
  const [, cells, side] = lines.join('/').match(/^(.*?)(?:\s+([xo]))?$/is);
  try {
    const report = await api.boardText(page.game, cells.replaceAll(/\s/g, ''), side);
    await go({start: {board: report.board.replaceAll('/', ''), toMove: report.to_move}, moves: [], at: 0, editing: false});
    return true;
  } catch (problem) {
    byId('subline').textContent = problem.message;
    byId('subline').classList.add('problem');
    return false;
  }
}

// follow plays best moves as long as the button is held.
function follow() {
  const button = byId('best');
  let held = 0;
  const stop = () => { held = 0; };
  button.addEventListener('pointerdown', () => {
    const mine = held = Date.now();
    delete button.dataset.followed;
    const again = async () => {
      if (held !== mine || !(await playBest())) return;
      button.dataset.followed = 'true';
      setTimeout(again, followDelay);
    };
    setTimeout(again, holdDelay);
  });
  for (const end of ['pointerup', 'pointercancel', 'pointerleave']) button.addEventListener(end, stop);
  button.addEventListener('click', () => {
    if (button.dataset.followed) delete button.dataset.followed;
    else playBest();
  });
}

function listen() {
  for (const id of ['undo', 'redo', 'restart', 'swap', 'edit', 'clear', 'values', 'help']) byId(id).addEventListener('click', actions[id]);
  follow();
  byId('game').addEventListener('change', (event) => chooseGame(page.games.find((g) => g.game === event.target.value)));
  byId('opponent').addEventListener('change', (event) => go({opponent: event.target.value}, 'replace'));
  byId('paste').addEventListener('submit', async (event) => {
    event.preventDefault();
    if (await showText(byId('board-text').value)) board.focus();
  });
  document.addEventListener('paste', (event) => {
    if (event.target.matches('input, textarea')) return;
    event.preventDefault();
    showText(event.clipboardData.getData('text'));
  });
  addEventListener('popstate', (event) => (event.state ? restore(event.state) : open()));
  whenKeys({
    u: actions.undo, r: actions.redo, n: actions.restart, s: actions.swap, e: actions.edit, v: actions.values, '?': actions.help,
    c: () => page.editing && actions.clear(),
    b: (event) => (event.repeat && document.body.dataset.state === 'waiting') || actions.best(),
    p: () => byId('board-text').select(),
    g: () => byId('game').focus(),
    ArrowLeft: () => board.focus(), ArrowRight: () => board.focus(), ArrowUp: () => board.focus(), ArrowDown: () => board.focus(),
  });
}

function chooseGame(game, change = {}, remember = 'push') {
  if (game !== page.game) {
    page.game = game;
    page.points = [];
    board.lay(game);
    byId('game').value = game.game;
    showCounts(game);
  }
  const start = {board: emptyBoard(game), toMove: 'x'};
  return go({start, moves: [], at: 0, editing: false, ...change}, remember);
}

async function showCounts(game) {
  byId('counts').replaceChildren(make('p', {class: 'hint'}, 'Counting …'));
  let elements;
  try {
    const report = await api.stats(game);
    const {positions, stored} = report.total;
    const classes = positions === stored ? '' : `, stored as ${plural(stored, 'symmetry class', 'symmetry classes')}`;
    elements = [
      make('p', {class: 'hint'}, `${plural(positions, 'position')}${classes}, by outcome and plies to the end. Heights are logarithms.`),
      histogram(report), countsTable(report),
    ];
  } catch (problem) {
    elements = [make('p', {class: 'hint'}, problem.message)];
  }
  if (game === page.game) byId('counts').replaceChildren(...elements);
}

// restore shows an entry of the browser's history.
function restore({game, start, moves, at}) {
  const served = page.games.find((g) => g.game === game);
  return served ? chooseGame(served, {start, moves, at}, 'keep') : open();
}

// open shows what the address names.
function open() {
  const parameters = new URLSearchParams(location.search);
  const game = page.games.find((g) => g.game === parameters.get('game')) ?? page.games[0];
  const text = (parameters.get('board') ?? '').replaceAll('/', '').toLowerCase().replaceAll(/[-_]/g, '.');
  if (!/^[.xo]+$/.test(text) || text.length !== game.width * game.height) return chooseGame(game, {}, 'replace');
  const moves = (parameters.get('line') ?? '').split(' ').filter(Boolean).map((name) => cellNamed(game, name));
  const stones = {x: text.split('x').length, o: text.split('o').length};
  let toMove = parameters.get('to_move') ?? (stones.x > stones.o ? 'o' : 'x');
  if (toMove !== 'o') toMove = 'x';
  // The moves are taken back to find where they began; where that isn't possible they are left out.
  let cells = text, side = toMove;
  for (const cell of [...moves].reverse()) {
    side = other(side);
    if (cells[cell] !== side) return chooseGame(game, {start: {board: text, toMove}}, 'replace');
    cells = play(cells, cell, '.');
  }
  return chooseGame(game, {start: {board: cells, toMove: side}, moves, at: moves.length}, 'replace');
}

async function main() {
  listen();
  try {
    const list = await api.games();
    page.games = list.games;
    byId('about').textContent = `oxbase ${list.version}`;
  } catch (problem) {
    byId('headline').textContent = problem.message;
    return;
  }
  byId('game').replaceChildren(...page.games.map((g) => make('option', {value: g.game}, g.game)));
  if (history.state) restore(history.state);
  else open();
}

main();
