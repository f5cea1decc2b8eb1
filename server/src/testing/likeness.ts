import sharp from 'sharp';

const cellsAcross = 62;
const tileCells = 8;
/** Of 255, on average: a tile with less ink is compared as if it had so much. */
const minInk = 10;

/** From 0 to 1: how much of the ink two pictures of a page share, in the tile where they share least. Blurred, so that soft edges do not count. */
export const likenessOf = async (one: Buffer, other: Buffer): Promise<number> => {
  const { width, height } = await sharp(one).metadata();
  const cells = { width: cellsAcross, height: Math.max(1, Math.round((cellsAcross * height) / width)) };
  const [a, b] = [await inksOf(one, cells), await inksOf(other, cells)];
  let least = 1;
  for (let top = 0; top < cells.height; top += tileCells)
    for (let left = 0; left < cells.width; left += tileCells) {
      let [difference, union, values] = [0, 0, 0];
      for (let y = top; y < Math.min(cells.height, top + tileCells); y += 1)
        for (let at = 3 * (y * cells.width + left); at < 3 * (y * cells.width + Math.min(cells.width, left + tileCells)); at += 1) {
          difference += Math.abs((a[at] ?? 0) - (b[at] ?? 0));
          union += Math.max(a[at] ?? 0, b[at] ?? 0);
          values += 1;
        }
      least = Math.min(least, 1 - difference / Math.max(union, values * minInk));
    }
  return least;
};

const inksOf = async (picture: Buffer, cells: { width: number; height: number }): Promise<Uint8Array> => {
  // In two steps: sharp would make it smaller before it blurs.
  const blurred = await sharp(picture).flatten({ background: 'white' }).toColourspace('srgb').blur(3).png().toBuffer();
  return sharp(blurred)
    .resize({ ...cells, fit: 'fill' })
    .negate({ alpha: false })
    .removeAlpha()
    .raw()
    .toBuffer();
};
