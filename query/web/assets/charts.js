// The two drawings: the value of the game so far, and what the tablebase holds.

import {draw, make, plural, signed} from './dom.js';

// valuePlot draws the score of each position of a game. points hold a score and an outcome, or
// undefined where the tablebase doesn't know it; at is the current one.
export function valuePlot(points, at, onPoint) {
  const known = points.filter(Boolean);
  const top = Math.max(2, ...known.map((p) => Math.abs(p.score)));
  const left = 60, right = 14, middle = 66, half = 46, height = 138;
  const step = Math.max(22, Math.min(44, 360 / points.length));
  const width = left + right + Math.max(360, step * (points.length - 1));
  const x = (i) => left + i * step;
  const y = (score) => middle - (score / top) * half;
  const svg = draw('svg', {
    viewBox: `0 0 ${width} ${height}`, width, height, class: 'plot', role: 'img',
    'aria-label': `Score by ply: ${points.map((p) => (p ? signed(p.score) : 'unknown')).join(', ')}`,
  });
  const band = (from, to, side) => svg.append(draw('rect', {class: `band ${side}`, x: left - 8, y: from, width: width - left + 8 - right / 2, height: to - from}));
  band(middle - half - 20, middle, 'x');
  band(middle, middle + half + 20, 'o');
  for (const [text, score] of [['x wins', top], ['tie', 0], ['o wins', -top]]) {
    svg.append(draw('text', {class: 'axis', x: 0, y: y(score) + 4}, text));
  }
  svg.append(draw('line', {class: 'zero', x1: left - 8, x2: width - right / 2, y1: middle, y2: middle}));
  let path = '';
  points.forEach((p, i) => {
    if (p) path += `${path && points[i - 1] ? 'L' : 'M'}${x(i)} ${y(p.score)}`;
  });
  svg.append(draw('path', {class: 'curve', d: path}));
  points.forEach((p, i) => {
    if (!p) return;
    const previous = points[i - 1];
    const thrown = previous && previous.outcome !== p.outcome;
    const dot = draw('circle', {
      class: `dot${i === at ? ' current' : ''}${i > at ? ' later' : ''}${thrown ? ' thrown' : ''}`,
      cx: x(i), cy: y(p.score), r: i === at ? 6 : 4.5,
    }, draw('title', {}, `ply ${i}: score ${signed(p.score)}${thrown ? ', thrown away here' : ''}`));
    dot.addEventListener('click', () => onPoint(i));
    svg.append(dot);
    if (thrown) svg.append(draw('text', {class: 'thrown', x: x(i), y: y(p.score) + (p.score > previous.score ? -10 : 20), 'text-anchor': 'middle'}, '?'));
  });
  return make('div', {class: 'scroll'}, svg);
}

const outcomes = [[1, 'x wins', 'x'], [0, 'tie', 'tie'], [-1, 'o wins', 'o']];

// histogram draws how many positions there are of each outcome and distance.
export function histogram(report) {
  const lines = report.distances;
  const longest = Math.max(...lines.map((line) => line.distance));
  const most = Math.max(...lines.map((line) => line.positions));
  const left = 52, row = 44, step = Math.max(13, Math.min(30, 300 / (longest + 1)));
  const width = left + step * (longest + 1) + 4, height = row * outcomes.length + 22;
  const svg = draw('svg', {viewBox: `0 0 ${width} ${height}`, width, height, class: 'histogram', role: 'img', 'aria-label': 'Positions by outcome and distance; the table below has the numbers'});
  outcomes.forEach(([outcome, name, kind], i) => {
    const base = row * (i + 1) - 2;
    svg.append(draw('text', {class: 'axis', x: 0, y: base - 2}, name));
    svg.append(draw('line', {class: 'zero', x1: left, x2: width - 4, y1: base + 0.5, y2: base + 0.5}));
    for (const line of lines.filter((l) => l.outcome === outcome)) {
      const high = Math.max(1.5, (row - 10) * Math.log1p(line.positions) / Math.log1p(most));
      svg.append(draw('rect', {class: `bar ${kind}`, x: left + line.distance * step + 1, y: base - high, width: step - 2, height: high, rx: 1.5},
        draw('title', {}, `${name} in ${plural(line.distance, 'ply', 'plies')}: ${plural(line.positions, 'position')}`)));
    }
  });
  for (let distance = 0; distance <= longest; distance += longest > 12 ? 2 : 1) {
    svg.append(draw('text', {class: 'axis', x: left + (distance + 0.5) * step, y: height - 6, 'text-anchor': 'middle'}, `${distance}`));
  }
  return make('div', {class: 'scroll'}, svg);
}

// countsTable lists the numbers of a histogram.
export function countsTable(report) {
  const longest = Math.max(...report.distances.map((line) => line.distance));
  const number = (n) => make('td', {class: 'number'}, n ? n.toLocaleString('en') : '–');
  const find = (outcome, distance) => report.distances.find((l) => l.outcome === outcome && l.distance === distance)?.positions;
  const body = make('tbody');
  for (let distance = 0; distance <= longest; distance++) {
    body.append(make('tr', {}, make('th', {scope: 'row', class: 'number'}, `${distance}`), ...outcomes.map(([outcome]) => number(find(outcome, distance)))));
  }
  const head = make('tr', {}, make('th', {scope: 'col', class: 'number'}, 'Plies'), ...outcomes.map(([, name]) => make('th', {scope: 'col', class: 'number'}, name)));
  return make('details', {}, make('summary', {}, 'The numbers'), make('table', {}, make('thead', {}, head), body));
}
