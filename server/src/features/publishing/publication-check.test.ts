import { randomUUID } from 'node:crypto';
import type { Publication } from '@pergamin/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
  await portal.addClient('1001', { cif: '7001' });
});

afterAll(() => portal[Symbol.asyncDispose]());

const described = (more: Partial<Publication> = {}): Publication => ({
  type: 'PRIVATE',
  fileName: 'Umowa.pdf',
  cif: '7001',
  metadata: {},
  ...more,
});

const check = async (...items: Publication[]) => (await portal.publisher.call('checkPublications', { body: { items } })).body;
const countDocuments = async (): Promise<number> => (await portal.db.selectFrom('document').select('id').execute()).length;

test('a check names the publications that would be refused, each with its code and fields, and publishes none', async () => {
  const before = await countDocuments();
  const { refused, published } = await check(
    described(),
    described({ cif: '9999' }),
    described({ cif2: '9998' }),
    described({ type: 'PUBLIC' }),
    described({ metadata: { NO_SUCH_KEY: 'a' } }),
    described({ replaces: randomUUID() }),
    described({ publishedAt: 1 }),
  );
  expect(refused.map(({ index, code, fields }) => [index, code, Object.keys(fields ?? {})])).toEqual([
    [1, 'VALIDATION_ERROR', ['CIF']],
    [2, 'VALIDATION_ERROR', ['CIF2']],
    [3, 'VALIDATION_ERROR', ['CIF']],
    [4, 'DOCUMENT_METADATA_ERROR', ['NO_SUCH_KEY']],
    [5, 'VALIDATION_ERROR', ['replaces']],
    [6, 'VALIDATION_ERROR', ['publishedAt']],
  ]);
  expect(published).toEqual([]);
  expect(await countDocuments()).toBe(before);
});

test('a check knows what was published before by unique name and checksum, and refuses the name for other bytes', async () => {
  const { id, sha256 } = (await portal.publish({ pdf: aPdf({ text: 'one' }), cif: '7001', uniqueName: 'one' })).body;
  const { refused, published } = await check(
    described({ uniqueName: 'one', sha256 }),
    described({ uniqueName: 'one', sha256: 'ab'.repeat(32) }),
    described({ uniqueName: 'other', sha256 }),
  );
  expect(published).toEqual([{ index: 0, id, state: 'ACTIVE' }]);
  expect(refused.map(({ index, code }) => [index, code])).toEqual([[1, 'RESOURCE_DUPLICATE']]);
});

test('a check finds a replacement that was made before, and one of a document that is not ACTIVE any more', async () => {
  const { id: former } = (await portal.publish({ pdf: aPdf({ text: 'former' }), cif: '7001' })).body;
  const { id, sha256 } = (await portal.publish({ pdf: aPdf({ text: 'next' }), cif: '7001', replaces: former })).body;
  const { refused, published } = await check(
    described({ replaces: former, sha256 }),
    described({ replaces: former, sha256: 'cd'.repeat(32) }),
    described({ replaces: id, sha256: 'cd'.repeat(32) }),
  );
  expect(published).toEqual([{ index: 0, id, state: 'ACTIVE' }]);
  expect(refused.map(({ index, code }) => [index, code])).toEqual([[1, 'INVALID_STATUS']]);
});

test('a check takes at most five hundred publications, and needs the scope of publishing', async () => {
  const items = Array.from({ length: 501 }, () => described());
  expect((await portal.publisher.call('checkPublications', { body: { items } })).error?.code).toBe('VALIDATION_ERROR');
  const other = await portal.withKey(['clients:write']);
  expect((await other.call('checkPublications', { body: { items: [described()] } })).error?.code).toBe('CALL_NOT_PERMITTED');
});
