// Small helpers that make elements. Text is always set as text, never read as HTML.

const svgNamespace = 'http://www.w3.org/2000/svg';

// byId returns the element with an id.
export const byId = (id) => document.getElementById(id);

// make returns an HTML element. Properties that start with "on" are listeners, "class" and those
// with a dash are attributes, all others are set as they are.
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class' || name === 'role' || name.includes('-')) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

// draw returns an SVG element.
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS(svgNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// stone draws a piece, which fills a square of 100 by 100.
export function stone(side) {
  const svg = draw('svg', {viewBox: '0 0 100 100', class: `stone ${side}`, 'aria-hidden': 'true'});
  if (side === 'x') svg.append(draw('path', {d: 'M27 27L73 73M73 27L27 73'}));
  else svg.append(draw('circle', {cx: 50, cy: 50, r: 25}));
  return svg;
}

// plural puts a number before a noun: "1 ply", "3 plies".
export function plural(n, one, many = `${one}s`) {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

// signed writes a score with its sign.
export const signed = (score) => (score > 0 ? `+${score}` : `${score}`.replace('-', '−'));

// whenKeys calls what belongs to a key, wherever it is pressed except where text is written.
export function whenKeys(actions) {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.target.matches('input, select, textarea')) return;
    const action = actions[event.key];
    if (action && action(event) !== false) event.preventDefault();
  });
}
