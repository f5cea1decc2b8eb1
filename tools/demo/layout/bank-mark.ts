import { brand, white } from './canvas.ts';
import type { Canvas } from './canvas.ts';

/** The sign of the invented bank: three waves of the Vistula in a disc. */
export function drawBankMark(canvas: Canvas, place: { x: number; y: number; size: number }): void {
  const radius = place.size / 2;
  const [cx, cy] = [place.x + radius, place.y + radius];
  const pull = radius * 0.5523;
  canvas.shape(
    [cx + radius, cy],
    [
      [cx + radius, cy + pull, cx + pull, cy + radius, cx, cy + radius],
      [cx - pull, cy + radius, cx - radius, cy + pull, cx - radius, cy],
      [cx - radius, cy - pull, cx - pull, cy - radius, cx, cy - radius],
      [cx + pull, cy - radius, cx + radius, cy - pull, cx + radius, cy],
    ],
    brand,
  );
  for (const [offset, reach] of [
    [-0.32, 0.56],
    [0.02, 0.66],
    [0.36, 0.56],
  ] as const) {
    const y = cy + radius * offset;
    const half = radius * reach;
    const swell = radius * 0.3;
    canvas.stroke(
      [cx - half, y],
      [
        [cx - half * 0.65, y - swell, cx - half * 0.35, y - swell, cx, y],
        [cx + half * 0.35, y + swell, cx + half * 0.65, y + swell, cx + half, y],
      ],
      { width: radius * 0.13, colour: white },
    );
  }
}
