// The lists beside the board.

import {draw, make, plural, signed} from './dom.js';
import {images, key, rows, worth} from './rules.js';
import {strength} from './board.js';

const letters = {win: 'W', tie: 'T', loss: 'L'};

// badge says what an outcome is to a side.
function badge(outcome, side, distance, cells) {
  const kind = worth(outcome, side);
  const element = make('span', {class: `tag ${kind}`}, letters[kind]);
  element.style.setProperty('--strength', strength(distance, cells));
  return element;
}

// movesTable lists the moves of a report, best first.
export function movesTable(report, cells, onMove) {
  if (report.terminal) return make('p', {class: 'hint'}, 'The game is over.');
  const body = make('tbody');
  for (const move of report.moves) {
    body.append(make('tr', {class: move.best ? 'best' : ''},
      make('th', {scope: 'row'}, make('button', {type: 'button', class: 'move', onclick: () => onMove(move.move)}, move.move)),
      make('td', {}, badge(move.outcome, report.to_move, move.distance, cells)),
      make('td', {class: 'number'}, signed(move.score)),
      make('td', {class: 'number'}, `${move.distance}`),
      make('td', {class: 'remark'}, move.remark)));
  }
  return make('table', {class: 'moves'},
    make('thead', {}, make('tr', {},
      make('th', {scope: 'col'}, 'Move'),
      make('th', {scope: 'col'}, make('span', {class: 'unseen'}, 'Worth')),
      make('th', {scope: 'col', class: 'number'}, 'Score'),
      make('th', {scope: 'col', class: 'number'}, 'Plies'),
      make('th', {scope: 'col'}, make('span', {class: 'unseen'}, 'Remark')))),
    body);
}

// chip is a move in a line of play.
export function chip(side, move, onclick, extra = {}) {
  const {mark = '', title, current = false, later = false} = extra;
  const button = make('button', {
    type: 'button', class: `chip ${side}${later ? ' later' : ''}`, onclick, title,
    'aria-current': current ? 'step' : undefined,
    'aria-label': `${side} ${move}${title ? `, ${title}` : ''}`,
  }, make('span', {class: 'side'}, side), move);
  if (mark) button.append(make('span', {class: 'blunder'}, mark));
  return make('li', {}, button);
}

// thumbnail draws a small board.
function thumbnail(game, board) {
  const {width, height} = game;
  const svg = draw('svg', {viewBox: `-0.1 -0.1 ${width + 0.2} ${height + 0.2}`, class: 'thumbnail', 'aria-hidden': 'true'});
  for (let cell = 0; cell < board.length; cell++) {
    const x = cell % width, y = Math.floor(cell / width);
    svg.append(draw('rect', {x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92, rx: 0.12}));
    if (board[cell] === 'x') svg.append(draw('path', {class: 'x', d: `M${x + 0.28} ${y + 0.28}l.44 .44m0 -.44l-.44 .44`}));
    if (board[cell] === 'o') svg.append(draw('circle', {class: 'o', cx: x + 0.5, cy: y + 0.5, r: 0.24}));
  }
  return svg;
}

// symmetryClass shows the boards that turning and mirroring make of one.
export function symmetryClass(game, board, toMove, onBoard) {
  const all = images(game, board);
  const text = all.length === 1
    ? 'Turning and mirroring leave this board as it is.'
    : `One of ${all.length} boards that ${game.is_drop ? 'mirroring makes' : 'turning and mirroring make'} of each other; all are worth the same. The first has the smallest key.`;
  const list = make('div', {class: 'thumbnails'});
  all.forEach((image, i) => {
    const note = i === 0 ? 'smallest key' : '';
    list.append(make('button', {
      type: 'button', class: i === 0 ? 'canonical' : '', title: note || undefined,
      'aria-label': `${rows(game, image)}${note ? `, ${note}` : ''}`, 'aria-current': image === board ? 'true' : undefined,
      onclick: () => onBoard(image),
    }, thumbnail(game, image)));
  });
  const numbers = make('dl', {class: 'facts'},
    make('dt', {}, 'key'), make('dd', {}, `${key(board, toMove)}`),
    make('dt', {}, 'of the class'), make('dd', {}, `${key(all[0], toMove)}`));
  return [make('p', {class: 'hint'}, text), list, numbers];
}

// sentence says what a report says, from the side to move.
export function sentence(report) {
  if (report.terminal) {
    const text = report.sentence.replace(/, score .*/, '');
    return text.replace(/^the/, 'The');
  }
  const kind = worth(report.outcome, report.to_move);
  const verb = {win: 'wins', tie: 'ties', loss: 'loses'}[kind];
  return `${report.to_move} to move ${verb} in ${plural(report.distance, 'ply', 'plies')}`;
}
