import { documentQuery, type MetadataMap } from '@pergamin/contract';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMetadata } from '#features/metadata/metadata.door.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { listByModel, type ModelDocument, type ModelWorld } from '#testing/lists-model.ts';
import { propertyRuns } from '#testing/nightly.ts';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { createLists, type Lists } from './document-lists.service.ts';

/* Account numbers are stored without spaces, names of files as they were written: a search for digits with spaces finds both (D16). */

const dayMs = 86_400_000;
const caller: ClientCaller = { sessionId: '', sessionBeganAt: new Date(0), personalId: '', cif: 'typed', cif2: null, state: 'ACTIVE' };

let portal: TestPortal;
let lists: Lists;
let world: ModelWorld;

const accounts = ['12 3456 7890', '1234567890', '12 3456 7891', '98 7654 3210'];
/** Of few documents, at several times. */
const names = new Map([
  [3, 'Rachunek 12 3456 7890'],
  [4, 'Rachunek 12 34 56 78 90'],
  [21, 'Zestawienie 3456 78'],
  [22, '98 7654 3210'],
  [40, 'Rachunek 98 7654 3210'],
  [41, 'Rachunek 1 2 3'],
]);

beforeAll(async () => {
  portal = await startTestPortal();
  await portal.addClient('8001', { cif: 'typed' });
  const documents: ModelDocument[] = [];
  for (let nth = 0; nth < 42; nth += 1) {
    const fileName = names.get(nth) ?? `Pismo ${'abcdefg'[nth % 7]}`;
    const account = accounts[nth % 5];
    const metadata: MetadataMap = account === undefined ? {} : { ACCOUNT_NUMBER: account };
    const { body } = await portal.publish({ pdf: aPdf({ text: String(nth) }), cif: 'typed', fileName, metadata });
    documents.push({
      id: body.id,
      type: 'PRIVATE',
      owners: ['typed'],
      groupId: undefined,
      publishedAt: portal.clock.now().getTime(),
      fileName,
      metadata,
      state: 'ACTIVE',
    });
    portal.clock.advance(dayMs);
  }
  world = { documents, memberships: [], markerKey: 'PERGAMIN_ST_DOC_TYPE', options: [] };
  const metadata = createMetadata({ db: portal.db, settings: portal.settings });
  lists = createLists({ pool: portal.pool, metadata, settings: portal.settings });
}, 120_000);

afterAll(() => portal[Symbol.asyncDispose]());

test('digits are found in every account and every name, with spaces wherever they were typed', async () => {
  const aNumber = fc.constantFrom('1234567890', '1234567891', '9876543210', '345678', '123', '12');
  const groupings: fc.Arbitrary<readonly number[]> = fc.oneof(
    fc.constantFrom([2, 6], [2, 4, 6, 8], [4]),
    fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }),
  );
  const typed = fc
    .tuple(aNumber, groupings)
    .map(([digits, cuts]) => Array.from(digits, (digit, at) => (cuts.includes(at) ? ` ${digit}` : digit)).join(''));
  const anOrder = fc.record({
    by: fc.constantFrom('FILE_NAME', 'ACCOUNT_NUMBER', 'PUBLICATION_DATE'),
    order: fc.constantFrom('asc', 'desc'),
  });
  await fc.assert(
    fc.asyncProperty(typed, anOrder, fc.constantFrom(2, 5, 100), fc.nat({ max: 2 }), async (text, order, size, page) => {
      const query = documentQuery.parse({ text: `%${text}%`, criteria: { metadata: [] }, sort: [order], size, page });
      const { items, total } = await lists.list(caller, query);
      const wanted = listByModel(query, ['typed'], world);
      expect({ ids: items.map(({ id }) => id), total }).toEqual({
        ids: wanted.slice(page * size, (page + 1) * size),
        total: wanted.length,
      });
    }),
    propertyRuns({ day: 15, night: 400 }),
  );
}, 120_000);
