/** How dense the net is: 1 up to 40 px, 2 up to 110 px, 3 above. Lobes, inks and proportions stay. */
export type SealDetail = 1 | 2 | 3;
export interface RosettePath {
  readonly ink: 'a' | 'b' | 'c';
  /** As a polygon has them: another drawing is no other style to the browser, as the data of a path would be. */
  readonly points: string;
}

const inkOrders = [
  ['a', 'b', 'c'],
  ['a', 'c', 'b'],
  ['b', 'a', 'c'],
  ['a', 'b', 'a'],
  ['c', 'a', 'b'],
] as const;
const turns = { 1: 2, 2: 5, 3: 9 } as const;
const densities = { 1: 7, 2: 13, 3: 20 } as const;

interface Band {
  readonly radius: number;
  readonly amplitude: number;
  readonly lobeDepth: number;
  readonly lines: number;
  readonly phase: number;
  readonly twist: number;
}

/** The guilloche drawing of a SHA-256 (64 hex digits): the same bytes give the same figure. In a box of 1000 × 1000. */
export function rosette(sha256: string, detail: SealDetail): readonly RosettePath[] {
  const byte = (i: number) => Number.parseInt(sha256.slice(i * 2, i * 2 + 2), 16) || 0;
  const unit = (i: number) => byte(i) / 255;
  const lobes = 5 + (byte(0) % 6);
  const rounds = turns[detail];
  const density = densities[detail];
  const coarse = detail === 1;

  const lobeDepth = 2.2 + 4.4 * unit(3) * (lobes < 6 ? 1.35 : 1);
  const amplitude = 4.4 + 3 * unit(5);
  const bands: Band[] = [
    {
      radius: 48 - lobeDepth - amplitude * 1.42,
      amplitude,
      lobeDepth,
      lines: coprime(Math.trunc((coarse ? 11 : (density * rounds) / 2 + 9) + (byte(1) % 11)), rounds),
      phase: 0,
      twist: unit(6) * 6,
    },
    {
      radius: 17 + 6 * unit(7),
      amplitude: 3.4 + 3.4 * unit(8),
      lobeDepth: -(1.4 + 3.4 * unit(4)),
      lines: coprime(Math.trunc((coarse ? 7 : (density * rounds) / 3 + 5) + (byte(2) % 9)), rounds),
      phase: unit(9) > 0.5 ? Math.PI : 0,
      twist: unit(10) * 6,
    },
  ];
  if (!coarse)
    bands.push({
      radius: 7.5 + 2.5 * unit(11),
      amplitude: 2.4 + 1.6 * unit(12),
      lobeDepth: 1.2,
      lines: coprime(9 + (byte(13) % 9), rounds),
      phase: 0,
      twist: 0,
    });

  const inks = inkOrders[byte(15) % inkOrders.length] ?? inkOrders[0];
  return bands.map((band, i) => ({ ink: inks[i] ?? 'a', points: curve(band, { lobes, rounds, detail }) }));
}

function curve(band: Band, { lobes, rounds, detail }: Record<'lobes' | 'rounds', number> & { readonly detail: SealDetail }): string {
  const steps = Math.max(36 * rounds, band.lines * (detail === 1 ? 9 : 16));
  // Only the largest drawings need more than a thousandth of their edge.
  const parts = detail === 3 ? 10 : 1;
  let points = '';
  for (let i = 0; i < steps; i++) {
    const angle = (i / steps) * Math.PI * 2 * rounds;
    const lobe = Math.cos(band.phase + lobes * angle);
    const line = Math.cos(band.twist + (band.lines / rounds) * angle);
    const r = band.radius + band.lobeDepth * lobe + band.amplitude * (1 + 0.5 * lobe) * line;
    points += `${Math.round((50 + r * Math.sin(angle)) * 10 * parts) / parts} ${Math.round((50 - r * Math.cos(angle)) * 10 * parts) / parts} `;
  }
  return points.trimEnd();
}

/** The next number from `start` that shares no divisor with `rounds`, so that the curve closes only after all its rounds. */
function coprime(start: number, rounds: number): number {
  let n = start;
  while (greatestDivisor(n, rounds) !== 1) n++;
  return n;
}
function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
