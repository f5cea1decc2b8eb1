import type { Block, Letterhead } from './blocks.ts';
import { setBlock } from './block-setters.ts';
import { createCanvas, muted, sheet } from './canvas.ts';
import type { Canvas } from './canvas.ts';
import { createPageFlow } from './page-flow.ts';
import type { Family } from './typefaces.ts';

export interface Paper {
  title: string;
  subject: string;
  family: Family;
  letterhead: Letterhead;
  blocks: readonly Block[];
  createdAt: Date;
  /** Decides the file identifier. */
  identity: string;
}

/** Sets a document on A4 pages: letterhead, blocks, running heads, page numbers. */
export async function typeset(paper: Paper): Promise<Uint8Array> {
  const canvas = createCanvas(paper);
  const page = createPageFlow(canvas, paper.letterhead);
  page.openFirstPage();
  paper.blocks.forEach((block, index) => setBlock(page, block, paper.blocks[index + 1]));
  // Only now is the number of pages known.
  drawFeet(canvas, page.left);
  return canvas.finish();
}

const demoNotice = 'Dokument demonstracyjny. Bank Wiślany S.A. jest bankiem zmyślonym, a dokument nie wywołuje skutków prawnych.';

function drawFeet(canvas: Canvas, left: number): void {
  const right = sheet.width - left;
  const y = sheet.height - 36;
  for (let page = 1; page <= canvas.pageCount; page += 1) {
    canvas.turnTo(page);
    canvas.line([left, y - 12], [right, y - 12], { width: 0.5 });
    canvas.text([{ text: demoNotice, bold: false }], { x: left, y, size: 6.8, colour: muted });
    const number = `Strona ${page} z ${canvas.pageCount}`;
    canvas.text([{ text: number, bold: false }], { x: right - canvas.typeface.width(number, { size: 8 }), y, size: 8, colour: muted });
  }
}
