import { patternedText } from '@pergamin/contract';
import * as z from 'zod/mini';
import { contrastOf } from '#platform/settings/contrast.ts';
import { hexOf, oklchOf, type Oklch } from './colours.rules.ts';

/** Chroma above this leaves what screens can show at the lightness of text. */
const maxChroma = 0.13;
const standardChroma = 0.09;

const hueAndChroma = z.strictObject({
  hue: z.number().check(z.gte(0), z.lte(360)),
  chroma: z._default(z.number().check(z.gte(0), z.lte(maxChroma)), standardChroma),
});
const accentColour = z.strictObject({ accent: patternedText(/^#[0-9a-fA-F]{6}$/, { maxLength: 7 }).check(z.toLowerCase()) });

/** The accent of the design: hue and chroma of its tokens, and the exact colour when the organisation has one. */
export interface Theme {
  readonly hue: number;
  readonly chroma: number;
  /** Unchanged in the light theme; the dark one needs a lighter ink of the same hue. */
  readonly accent?: string;
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

const roundedOklchOf = (accent: string): Oklch => {
  const { lightness, chroma, hue } = oklchOf(accent);
  return { lightness: round(lightness, 3), chroma: Math.min(maxChroma, round(chroma, 3)), hue: round(hue, 1) };
};

/** The theme of `theme.json`; undefined when its shape is another. */
export const readTheme = (written: unknown): Theme | undefined => {
  const numbers = hueAndChroma.safeParse(written);
  if (numbers.success) return numbers.data;
  const colour = accentColour.safeParse(written);
  if (!colour.success) return undefined;
  const { hue, chroma } = roundedOklchOf(colour.data.accent);
  return { hue, chroma, accent: colour.data.accent };
};

type Pair = readonly [light: string, dark: string];
type Colours = ReadonlyMap<string, Pair>;

const surfaces = ['desk', 'desk-deep', 'sunken', 'paper', 'raised', 'overlay', 'tint', 'tint-soft'];
const texts = ['ink', 'ink-2', 'seal', 'seal-strong', 'ok', 'warn', 'bad', 'note'];
const shapes = ['control', 'focus'];

const pairPattern = /--([\w-]+):\s*light-dark\(\s*(oklch\((?:[^()]|\([^()]*\))*\)),\s*(oklch\((?:[^()]|\([^()]*\))*\))\s*\);/g;

/** The pairs of the design's tokens as they are written: `oklch(…)` each, perhaps with the theme's two numbers by name. */
const readPairs = (tokensCss: string): Colours => {
  const pairs = new Map<string, Pair>();
  for (const [, name = '', light = '', dark = ''] of tokensCss.matchAll(pairPattern)) pairs.set(name, [light, dark]);
  return pairs;
};

/** A step darker than the accent, as the design's own pair is. */
const strongStep = 0.07;

/** The tokens that an accent replaces: in the light theme only. */
const accentPairs = (tokensCss: string, accent: string): Colours => {
  const pairs = readPairs(tokensCss);
  const { lightness, chroma, hue } = roundedOklchOf(accent);
  const darkOf = (name: string): string => pairs.get(name)?.[1] ?? '';
  return new Map([
    ['seal', [accent, darkOf('seal')]],
    ['seal-strong', [`oklch(${round(Math.max(0, lightness - strongStep), 3)} ${chroma} ${hue})`, darkOf('seal-strong')]],
  ]);
};

const hexIn = (colour: string, { hue, chroma }: Theme): string => {
  if (colour.startsWith('#')) return colour;
  const filled = colour.replaceAll('var(--seal-hue)', String(hue)).replaceAll('var(--seal-chroma)', String(chroma));
  const [, ...parts] = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(filled) ?? [];
  const [lightness, chromaOf, hueOf] = parts.map(Number);
  if (lightness === undefined || chromaOf === undefined || hueOf === undefined) throw new Error(`design/tokens.css: cannot read ${colour}`);
  return hexOf({ lightness, chroma: chromaOf, hue: hueOf });
};

/** The least contrasts of WCAG 2.2: of text, and of what only has to be seen. */
const needs = { text: 4.5, shape: 3 };

/**
 * Every pair of foreground and background tokens whose contrast this theme makes too weak, in words, the weakest first; taken from the tokens
 * themselves, so that they may change. Empty: every pair is legible.
 */
export const findWeakPairs = (tokensCss: string, theme: Theme): string[] => {
  const pairs = new Map([...readPairs(tokensCss), ...(theme.accent === undefined ? [] : accentPairs(tokensCss, theme.accent))]);
  const hexOfToken = (name: string, index: 0 | 1): string => {
    const written = pairs.get(name);
    if (written === undefined) throw new Error(`design/tokens.css: no pair of colours for --${name}`);
    return hexIn(written[index], theme);
  };
  const standing = [
    ...texts.flatMap((text) => surfaces.map((surface) => [text, surface, needs.text] as const)),
    ...shapes.flatMap((shape) => surfaces.map((surface) => [shape, surface, needs.shape] as const)),
    ...['seal', 'seal-strong'].map((surface) => ['on-seal', surface, needs.text] as const),
  ];
  const measured = standing.flatMap(([front, back, need]) =>
    ([0, 1] as const).map((index) => {
      const [frontHex, backHex] = [hexOfToken(front, index), hexOfToken(back, index)];
      const place = `--${front} ${frontHex} on --${back} ${backHex} (${index === 0 ? 'light' : 'dark'})`;
      return { place, need, contrast: contrastOf(`${backHex} ${frontHex}`) ?? 1 };
    }),
  );
  return measured
    .filter(({ contrast, need }) => contrast < need)
    .toSorted((left, right) => left.contrast / left.need - right.contrast / right.need)
    .map(({ place, need, contrast }) => `${place} has a contrast of ${contrast.toFixed(2)} and needs ${need}`);
};

/** A rule stronger than the design's own `:root`, wherever it is linked. */
export const themeCss = (tokensCss: string, { hue, chroma, accent }: Theme): string => {
  const pairs = accent === undefined ? [] : [...accentPairs(tokensCss, accent)];
  const lines = [
    `--seal-hue: ${hue};`,
    `--seal-chroma: ${chroma};`,
    ...pairs.map(([name, [light, dark]]) => `--${name}: light-dark(${light}, ${dark});`),
  ];
  return `html:root {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
};
