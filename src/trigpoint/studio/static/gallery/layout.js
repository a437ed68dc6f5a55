// How tiles lie in the gallery: as many in a row as fit, all of the same size, and no higher in all than browsers can
// scroll.
export const SIZES = { least: 40, most: 400, usual: 130 }; // pixels a side
const TALLEST = 1.5e7; // pixels that an element may be high, in every browser

/** Cards of texts and rows are wide, and never so small that nobody can read them. */
const cardOf = (size) => ({ width: Math.max(150, 1.6 * size), height: Math.max(64, 0.8 * size) });

/** @returns {{room, columns, rows, width, height, total}} numbers of tiles, pixels of one, and of all rows together */
export function layout(n, room, size, isPicture) {
  const wished = isPicture ? { width: size, height: size } : cardOf(size);
  const least = Math.max(1, Math.floor(room / wished.width));
  for (let columns = least; ; columns++) {
    const width = Math.max(1, Math.floor(room / columns));
    const height = isPicture ? width : wished.height;
    const rows = Math.ceil(n / columns);
    if (rows * height <= TALLEST || width <= SIZES.least)
      return { room, columns, rows, width, height, total: rows * height };
  }
}
