// The board in the DOM: holes behind, discs between, the front with its round holes before them,
// and on top of all a grid of cells without looks, to be walked and touched.

import { el, icon, setData, setIcon, show, svg } from './dom.js';
import { walk } from './state/keys.js';

const UNIT = 100; // a cell, in the units of the drawing
const HOLE = 41; // the radius of a hole
const EDGE = 14; // the front beyond the outer cells
const MOST_FALLING = 2; // more new discs at once are a jump, not moves

/**
 * @param {HTMLElement} place @param {{drop: (bin: number) => void, aim: (bin: number|null) => void, landed: (disc: object) => void}} on
 * @returns {{render: (board: object|null) => void, shake: (bin: number) => void, focusOn: (cell: object) => void, focused: () => object|null, walk: (key: string) => void}}
 */
export function makeBoard(place, on) {
  const calm = window.matchMedia('(prefers-reduced-motion: reduce)');
  let shown = null; // what is drawn
  let parts = null; // its elements
  let discs = new Map(); // 'bin row' -> its element
  let roving = null; // the cell that Tab reaches
  let hovered = null;

  const name = ({ bin, row }) => `${bin} ${row}`;
  const cellAt = ({ bin, row }) => parts.cells.get(name({ bin, row }));

  function build({ bins, capacity }) {
    const grid = el('div', {
      id: 'board',
      role: 'grid',
      'aria-label': `Board, ${bins} bins, ${capacity} rows`,
    });
    const cells = new Map();
    for (let row = capacity - 1; row >= 0; row -= 1) {
      const line = el('div', { role: 'row' });
      for (let bin = 0; bin < bins; bin += 1) {
        const cell = el('div', {
          role: 'gridcell',
          tabindex: '-1',
          'data-bin': bin,
          'data-row': row,
        });
        cells.set(name({ bin, row }), cell);
        line.append(cell);
      }
      grid.append(line);
    }
    const column = el('div', { class: 'column-light', hidden: '' });
    const pile = el('div', { class: 'pile', 'aria-hidden': 'true' });
    const ghost = icon('disc-red', 'ghost');
    const count = (length, make) => Array.from({ length }, (_, index) => make(index));
    const numbers = el(
      'div',
      { class: 'numbers', 'aria-hidden': 'true' },
      ...count(bins, (bin) => el('span', {}, String(bin + 1))),
    );
    const rows = el(
      'div',
      { class: 'rows', 'aria-hidden': 'true' },
      ...count(capacity, (row) => el('span', {}, String(capacity - row))),
    );
    const body = el(
      'div',
      { class: 'body' },
      el('div', { class: 'holes' }),
      column,
      pile,
      front(bins, capacity),
      grid,
    );
    const box = el(
      'div',
      { class: 'frame' },
      el('div', { class: 'aim' }, ghost),
      rows,
      body,
      numbers,
    );
    box.style.setProperty('--bins', bins);
    box.style.setProperty('--rows', capacity);
    if (bins > 14 || capacity > 14) box.classList.add('dense');

    box.addEventListener(
      'pointermove',
      (event) => event.pointerType !== 'touch' && hover(binUnder(event)),
    );
    box.addEventListener('pointerleave', () => hover(null));
    // The mouse does not take the focus: the digits go on working, and the arrows step.
    box.addEventListener('mousedown', (event) => {
      event.preventDefault();
      document.activeElement?.blur();
    });
    box.addEventListener('click', (event) => {
      const bin = binUnder(event);
      if (bin !== null) on.drop(bin);
    });
    grid.addEventListener('focusin', ({ target }) => {
      rove(target);
      if (hovered === null) on.aim(Number(target.dataset.bin));
    });
    grid.addEventListener('focusout', () => on.aim(hovered));

    parts = { box, grid, cells, column, pile, ghost };
    place.replaceChildren(el('div', { class: 'scroll' }, box));
    discs = new Map();
    roving = null;
    rove(cellAt({ bin: Math.floor(bins / 2), row: 0 }));
  }

  function front(bins, capacity) {
    const width = bins * UNIT + 2 * EDGE;
    const height = capacity * UNIT + 2 * EDGE;
    let d = `M0 0H${width}V${height}H0z`;
    for (let bin = 0; bin < bins; bin += 1) {
      for (let row = 0; row < capacity; row += 1) {
        const [x, y] = [EDGE + bin * UNIT + UNIT / 2 - HOLE, EDGE + row * UNIT + UNIT / 2];
        d += `M${x} ${y}a${HOLE} ${HOLE} 0 1 0 ${2 * HOLE} 0a${HOLE} ${HOLE} 0 1 0 ${-2 * HOLE} 0z`;
      }
    }
    return svg(
      'svg',
      { class: 'front', viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
      svg('path', { d, 'fill-rule': 'evenodd' }),
    );
  }

  function binUnder({ clientX }) {
    const { left, width } = parts.grid.getBoundingClientRect();
    const bin = Math.floor(((clientX - left) / width) * shown.shape.bins);
    return bin >= 0 && bin < shown.shape.bins ? bin : null;
  }

  function hover(bin) {
    hovered = bin;
    const inside = parts.grid.contains(document.activeElement)
      ? Number(document.activeElement.dataset.bin)
      : null;
    on.aim(bin ?? inside);
  }

  function rove(cell) {
    if (roving === cell) return;
    roving?.setAttribute('tabindex', '-1');
    cell.setAttribute('tabindex', '0');
    roving = cell;
  }

  function put(disc) {
    const element = icon(`disc-${disc.player}`, 'disc');
    element.style.setProperty('--bin', disc.bin);
    element.style.setProperty('--row', disc.row);
    parts.pile.append(element);
    return element;
  }

  // A board wider than its place scrolls there: to the last disc.
  function bring({ bin }) {
    const view = parts.box.parentElement;
    view.scrollLeft = ((bin + 0.5) / shown.shape.bins) * view.scrollWidth - view.clientWidth / 2;
  }

  // Down from above the board as things fall, with a small bounce.
  function fall(element, disc, delay) {
    if (calm.matches) {
      element.animate([{ opacity: 0 }, { opacity: 1 }], {
        duration: 160,
        delay,
        fill: 'backwards',
      });
      setTimeout(() => on.landed(disc), delay);
      return;
    }
    const rows = shown.shape.capacity - disc.row;
    const down = 350 * Math.sqrt(rows / 6);
    const height = Math.min(0.22, 0.05 * rows);
    const up = 350 * Math.sqrt(height / 6) * 1.25;
    const whole = down + 2 * up;
    const at = (cells) => `translateY(${-100 * cells}%)`;
    element.animate(
      [
        { transform: at(rows + 0.1), easing: 'cubic-bezier(.333, 0, .667, .333)' },
        { transform: at(0), offset: down / whole, easing: 'cubic-bezier(.333, .667, .667, 1)' },
        {
          transform: at(height),
          offset: (down + up) / whole,
          easing: 'cubic-bezier(.333, 0, .667, .333)',
        },
        { transform: at(0) },
      ],
      { duration: whole, delay, fill: 'backwards' },
    );
    setTimeout(() => on.landed(disc), delay + down);
  }

  function render(board) {
    if (!board) {
      if (parts) place.replaceChildren();
      shown = null;
      parts = null;
      return;
    }
    const same =
      shown &&
      shown.game === board.game &&
      shown.shape.bins === board.shape.bins &&
      shown.shape.capacity === board.shape.capacity;
    shown = board;
    if (!same) build(board.shape);
    const { grid, box, cells, column, ghost } = parts;

    const wanted = new Map(board.discs.map((disc) => [name(disc), disc]));
    for (const [where, element] of discs) {
      if (wanted.has(where)) continue;
      element.remove();
      discs.delete(where);
    }
    const fresh = board.discs.filter((disc) => !discs.has(name(disc)));
    const falling = same && fresh.length <= MOST_FALLING;
    for (const [index, disc] of fresh.entries()) {
      const element = put(disc);
      discs.set(name(disc), element);
      if (falling) fall(element, disc, index * 280);
    }
    if (fresh.length) bring(fresh[fresh.length - 1]);
    const won = board.discs.some(({ winning }) => winning);
    for (const disc of board.discs) {
      const element = discs.get(name(disc));
      setIcon(element, `${disc.winning ? 'win' : disc.last ? 'last' : 'disc'}-${disc.player}`);
      element.classList.toggle('winning', disc.winning);
    }
    box.classList.toggle('won', won);
    box.classList.toggle('may', board.may);

    for (const [where, cell] of cells) {
      const disc = wanted.get(where);
      const colour = disc?.player ?? '';
      const winning = String(Boolean(disc?.winning));
      if (cell.dataset.disc === colour && cell.dataset.winning === winning) continue;
      cell.dataset.disc = colour;
      cell.dataset.winning = winning;
      const what = colour ? `${colour}${disc.winning ? ', winning' : ''}` : 'empty';
      cell.setAttribute(
        'aria-label',
        `bin ${Number(cell.dataset.bin) + 1}, row ${Number(cell.dataset.row) + 1}: ${what}`,
      );
    }

    setData(grid, 'game', String(board.game ?? ''));
    setData(grid, 'turns', String(board.turns));
    setData(grid, 'at', String(board.at));

    const aim = board.ghost;
    ghost.classList.toggle('seen', Boolean(aim));
    ghost.classList.toggle('pulsing', Boolean(aim?.pulsing));
    ghost.classList.toggle('refused', Boolean(aim?.refused));
    if (aim) {
      setIcon(ghost, `disc-${aim.player}`);
      box.style.setProperty('--aim', aim.bin);
    }
    show(column, aim && !aim.refused);
  }

  /** Says by a movement that a bin takes nothing. */
  function shake(bin) {
    if (calm.matches || !parts) return;
    const moved = [...discs]
      .filter(([where]) => where.startsWith(`${bin} `))
      .map(([, element]) => element);
    const swing = [0, -5, 5, -3, 3, 0].map((x) => ({ transform: `translateX(${x}%)` }));
    for (const element of moved) element.animate(swing, { duration: 320 });
  }

  const focusOn = (cell) => cellAt(cell)?.focus();
  const focused = () => {
    const cell = document.activeElement;
    return parts?.grid.contains(cell) && cell.dataset.bin
      ? { bin: Number(cell.dataset.bin), row: Number(cell.dataset.row) }
      : null;
  };

  return {
    render,
    shake,
    focusOn,
    focused,
    walk: (key) => focused() && focusOn(walk(shown.shape, focused(), key)),
  };
}
