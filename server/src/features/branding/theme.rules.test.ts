import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hexOf, oklchOf } from './colours.rules.ts';
import { findWeakPairs, readTheme, themeCss } from './theme.rules.ts';

const tokens = readFileSync(new URL('../../../../design/tokens.css', import.meta.url), 'utf8');

test('a colour is the same after the way to lightness, chroma and hue and back', () => {
  const channel = fc.integer({ min: 0, max: 255 }).map((value) => value.toString(16).padStart(2, '0'));
  fc.assert(
    fc.property(fc.tuple(channel, channel, channel), (channels) => {
      const hex = `#${channels.join('')}`;
      expect(hexOf(oklchOf(hex))).toBe(hex);
    }),
  );
});

test('the design’s own inks are what its table says', () => {
  const inks = [
    { lightness: 0.435, chroma: 0.09, hue: 170 },
    { lightness: 0.815, chroma: 0.105, hue: 170 },
    { lightness: 0.225, chroma: 0.03, hue: 205 },
    { lightness: 0.49, chroma: 0.18, hue: 275 },
  ];
  expect(inks.map(hexOf)).toEqual(['#006149', '#76d9b8', '#082022', '#474ec4']);
});

describe('an accent', () => {
  test('an accent of any two numbers has enough contrast everywhere', () => {
    for (let hue = 0; hue <= 360; hue += 10)
      for (const chroma of [0, 0.04, 0.09, 0.13]) expect(findWeakPairs(tokens, { hue, chroma })).toEqual([]);
  });

  test.each(['#006149', '#0b3d91', '#8a1538', '#5b2a86', '#333333', '#000000'])(
    'an accent of the colour %s is taken as it is',
    (accent) => {
      const theme = readTheme({ accent });
      if (theme === undefined) throw new Error('not read');
      expect(findWeakPairs(tokens, theme)).toEqual([]);
      expect(themeCss(tokens, theme)).toContain(`--seal: light-dark(${accent}, oklch(0.815 0.105 var(--seal-hue)));`);
    },
  );

  test.each([
    ['#ffcc00', /^--seal #ffcc00 on --desk-deep #[0-9a-f]{6} \(light\) has a contrast of 1\.1\d and needs 4\.5$/],
    ['#1a9c7b', /^--seal #1a9c7b on --desk-deep #[0-9a-f]{6} \(light\) has a contrast of 2\.\d\d and needs 4\.5$/],
    ['#ffffff', /^--(seal #ffffff|on-seal #ffffff) on/],
  ])('an accent of the colour %s is too weak, and the problem names the background', (accent, weakest) => {
    const theme = readTheme({ accent });
    expect(theme === undefined ? [] : findWeakPairs(tokens, theme)[0]).toMatch(weakest);
  });

  test.each([
    [{ hue: 361, chroma: 0.1 }],
    [{ hue: -1, chroma: 0.1 }],
    [{ hue: 200, chroma: 0.14 }],
    [{ hue: '200', chroma: 0.1 }],
    [{ hue: Number.NaN }],
    [{ hue: 200, accent: '#006149' }],
    [{ accent: 'red' }],
    [{ accent: '#06149' }],
    [{ accent: '#006149;}body{display:none' }],
    [{ hue: 200, css: 'x' }],
    [{}],
    [[]],
    [null],
    ['#006149'],
  ])('the accent %j is refused', (written) => {
    expect(readTheme(written)).toBeUndefined();
  });
});

test('tokens that the check cannot find are not taken for good ones', () => {
  expect(() => findWeakPairs(tokens.replace('--ink-2:', '--ink-three:'), { hue: 170, chroma: 0.09 })).toThrow('--ink-2');
});
