// The questions that the pages ask. Each answer is asked for once.

// Problem is what an answer says was wrong.
export class Problem extends Error {
  constructor(body) {
    super(body.detail);
    this.status = body.status;
  }
}

const asked = new Map();

async function answer(url, options) {
  let response;
  try {
    response = await fetch(url, options);
  } catch {
    throw new Problem({status: 0, detail: 'The server doesn’t answer. Is it still running?'});
  }
  const body = await response.json();
  if (!response.ok) throw new Problem(body);
  return body;
}

// remembered answers from memory what was asked before, unless there was no answer.
function remembered(address, ask) {
  if (!asked.has(address)) {
    const promise = ask();
    asked.set(address, promise);
    promise.catch((problem) => {
      if (problem.status < 400 || problem.status >= 500) asked.delete(address);
    });
  }
  return asked.get(address);
}

function url(path, game, parameters = {}) {
  return `/api/${path}?${new URLSearchParams({game: game.game, etag: game.etag, ...parameters})}`;
}

const get = (address) => remembered(address, () => answer(address));

// games returns the list of games and the program's version.
export const games = () => get('/api/games');

// position returns the report on a position.
export const position = (game, board, toMove) => get(url('position', game, {board, to_move: toMove}));

// boardText returns the report on a board as someone wrote it, perhaps without the side to move.
export const boardText = (game, board, toMove) => get(url('position', game, toMove ? {board, to_move: toMove} : {board}));

// strip returns the report on a strip.
export const strip = (game, cells) => get(url('strip', game, {strip: cells}));

// stats returns the counts of a game.
export const stats = (game) => get(url('stats', game));

// positions returns the reports on many positions, undefined where there is none: then it calls
// onProblem with why, and which position. It takes one request, or none if all are known.
export async function positions(game, wanted, onProblem) {
  const address = (p) => url('position', game, {board: p.board, to_move: p.toMove});
  const missing = wanted.filter((p) => !asked.has(address(p)));
  if (missing.length > 1) {
    const all = batch(game, missing);
    missing.forEach((p, i) => {
      remembered(address(p), async () => {
        const report = (await all)[i];
        if (report.status) throw new Problem(report);
        return report;
      });
    });
  }
  return Promise.all(wanted.map((p, i) => position(game, p.board, p.toMove).catch((problem) => onProblem(problem, i))));
}

async function batch(game, wanted) {
  const body = await answer('/api/positions', {
    method: 'POST',
    headers: {'Content-Type': 'application/json'},
    body: JSON.stringify({game: game.game, positions: wanted.map((p) => ({board: p.board, to_move: p.toMove}))}),
  });
  return body.positions;
}
