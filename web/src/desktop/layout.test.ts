import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDeepLink, parseDeepLink } from './deep-link.ts';
import { snapZones } from './geometry.ts';
import { type Layout, readLayout, saveLayout } from './layout.ts';
import { restoreLayout } from './windows.state.ts';

const known = ({ kind }: { readonly kind: string }) => kind === 'received' || kind === 'document';
const px = fc.integer({ min: -4000, max: 4000 });
const size = fc.integer({ min: 155, max: 4000 });
const windows = fc.uniqueArray(
  fc.record({
    window: fc.record(
      {
        id: fc.string({ minLength: 1 }),
        kind: fc.constantFrom('received', 'document'),
        params: fc.dictionary(fc.stringMatching(/^[A-Za-z]+$/), fc.string()),
        title: fc.string(),
        maximised: fc.boolean(),
        locked: fc.constant(false),
      },
      { requiredKeys: ['id', 'kind', 'params', 'maximised', 'locked'] },
    ),
    free: fc.record({ x: px, y: px, width: size, height: size }),
    zone: fc.option(fc.constantFrom(...snapZones), { nil: undefined }),
  }),
  { selector: ({ window }) => window.id, maxLength: 12 },
);
const layouts = windows.chain((entries) =>
  fc
    .shuffledSubarray(
      entries.map(({ window }) => window.id),
      { minLength: entries.length },
    )
    .map((order): Layout => ({
      state: restoreLayout({ windows: entries.map(({ window }) => window), order }),
      places: new Map(entries.map(({ window, free, zone }) => [window.id, zone === undefined ? { free } : { free, zone }])),
    })),
);

test('a layout comes back from the session storage as it was', () => {
  fc.assert(
    fc.property(layouts, (layout) => {
      expect(readLayout(saveLayout(layout), known)).toEqual(layout);
    }),
  );
});

test('the statute is not part of the kept layout', () => {
  const state = restoreLayout({
    windows: [{ id: 'statute', kind: 'statute', params: {}, maximised: false, locked: true }],
    order: ['statute'],
  });
  expect(readLayout(saveLayout({ state, places: new Map() }), () => true)?.state.windows).toEqual([]);
});

test('windows of a kind that no longer exists are left out, and what is not a layout is refused', () => {
  const window = (id: string, kind: string) => ({ id, kind, params: {}, maximised: false, locked: false });
  const state = restoreLayout({ windows: [window('a', 'received'), window('b', 'gone')], order: ['a', 'b'] });
  const read = readLayout(saveLayout({ state, places: new Map() }), known);
  expect(read?.state.windows.map(({ id }) => id)).toEqual(['a']);
  expect(read?.state.order).toEqual(['a']);
  for (const text of [null, '', 'x', '{}', '[]', '{"windows":[{"id":1}],"order":[]}', '{"windows":[],"order":"a"}'])
    expect(readLayout(text, known)).toBeUndefined();
});

test('a deep link opens only kinds on the list, with an id that can be one', () => {
  const kinds = ['received', 'document'];
  expect(parseDeepLink('#open=received', kinds)).toEqual({ kind: 'received' });
  expect(parseDeepLink('#open=document:0198-ab_C', kinds)).toEqual({ kind: 'document', id: '0198-ab_C' });
  for (const hash of [
    '',
    '#',
    '#open=',
    '#open=statute',
    '#open=document:',
    '#open=document:a/b',
    '#open=document:<b>',
    '#open=document:a:b',
    '#open=Received',
    `#open=document:${'a'.repeat(65)}`,
    'open=received',
  ])
    expect(parseDeepLink(hash, kinds)).toBeUndefined();
});

test('a deep link that is written can be read', () => {
  const links = fc.record(
    { kind: fc.constantFrom('received', 'document'), id: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/) },
    { requiredKeys: ['kind'] },
  );
  fc.assert(
    fc.property(links, (link) => {
      expect(parseDeepLink(formatDeepLink(link), ['received', 'document'])).toEqual(link);
    }),
  );
});
