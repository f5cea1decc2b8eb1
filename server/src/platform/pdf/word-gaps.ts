import type { Letter } from './page-letters.ts';

/** Of a line, what tells whether the next letter begins a word. */
export interface Spacing {
  /** The last letter that is no space. */
  readonly letter: Letter;
  /** The narrowest and the widest gap between letters of a word that were drawn together; undefined where there was none. */
  readonly gaps: readonly [number, number] | undefined;
}

/** By the size of the letters, where their font has no usable space; the half of a space is less in narrow fonts. */
const usualGap = 0.14;
const narrowestGap = 0.1;
/** The engine adds spaces where letters have no width of their own, or next to ligatures: nearer letters are one word. */
const noGap = 0.06;
/** Letters that are drawn over the end of those before are something else. */
const overlap = 0.3;
/** Between letters of scripts without spaces. */
const ideographGap = 0.5;

/** Less is rounding. */
const hair = 0.02;

const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u{3000}-\u{303F}\u{FF00}-\u{FFEF}]/u;

/** Whether a gap divides words, by the widths of the font and by the letters before. `isAdded`: the engine says so. */
export function isWordGap({ letter: before, gaps }: Spacing, letter: Letter, isAdded: boolean): boolean {
  const em = Math.min(before.em, letter.em);
  if (em === 0) return isAdded;
  const [narrowest, widest] = gaps ?? [0, 0];
  const [spread, condensed] = [Math.max(0, narrowest), Math.min(0, widest)];
  const isTogether = before.object === letter.object;
  // Of letters that are drawn together the engine knows how far they were spread, but not that they were condensed.
  if (isTogether && condensed === 0 && !isAdded) return false;
  const gap = letter.start + letter.overhang() - before.end - condensed - (isTogether ? 0 : spread);
  if (isAdded) return gap < -overlap * em || gap > noGap * em;
  if (ideograph.test(before.text) && ideograph.test(letter.text)) return gap > ideographGap * em;
  const space = Math.max(before.space, letter.space);
  const least = space > 0 ? Math.min(space / 2, usualGap * em) : usualGap * em;
  return gap > Math.max(least, narrowestGap * em);
}

export function spacingAfter({ letter: before, gaps }: Spacing, letter: Letter, isDivided: boolean): Spacing {
  if (before.object !== letter.object) return { letter, gaps: undefined };
  const isLigature = before.start === letter.start && before.end === letter.end;
  if (isDivided || isLigature) return { letter, gaps };
  const between = letter.start - before.end;
  const gap = between < -hair * letter.em ? between + letter.overhang() : between;
  return { letter, gaps: [Math.min(gap, gaps?.[0] ?? gap), Math.max(gap, gaps?.[1] ?? gap)] };
}
