import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ErrorBody, type ErrorCode, errorCodeNames, errorCodes, sendingLimits } from '@pergamin/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changePastTriggers, damageFirstTile } from '#testing/ledger-damage.ts';
import { aBrokenPdf, aPdf, aPdfWithoutSizeOf } from '#testing/pdfs.ts';
import { aSealingBank } from '#testing/seal-settings.ts';
import { sealPdf } from '#testing/sealed-pdfs.ts';
import { keepCategories, upload } from '#testing/sending.ts';
import { readAndAccept } from '#testing/reading.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** Q2: each code has a request that provokes it, or a reason in docs/errors.md why none does yet. */

interface Refused {
  readonly status: number;
  readonly error: ErrorBody | undefined;
}

let portal: TestPortal;
let client: TestClient;
let bank: Awaited<ReturnType<typeof aSealingBank>>;

beforeAll(async () => {
  bank = await aSealingBank('public=required');
  portal = await startTestPortal({ environment: bank.environment });
  await keepCategories(portal.publisher);
  client = await portal.signIn('1001', { cif: '7001' });
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await bank[Symbol.asyncDispose]();
});

const publish = (more: object = {}, pdf: Uint8Array = aPdf({ text: randomUUID() })) => portal.publish({ cif: '7001', pdf, ...more });
const remove = (id: string) =>
  portal.publisher.call('changeDocumentState', { params: { id }, body: { state: 'DELETED', reason: 'a test' } });
const publishStatute = async (version: string): Promise<string> => {
  portal.clock.advance(10);
  return (await portal.publishStatute({ version, pdf: aPdf({ text: version }) })).body.id;
};

/** The shortest way to each code, over HTTP. */
const provocations: Partial<Record<ErrorCode, () => Promise<Refused>>> = {
  INTERNAL_SERVER_ERROR: async () => {
    await sql`alter table saved_view rename to saved_view_elsewhere`.execute(portal.owner.db);
    const answer = await client.call('listSavedViews', {});
    await sql`alter table saved_view_elsewhere rename to saved_view`.execute(portal.owner.db);
    return answer;
  },
  CALL_NOT_PERMITTED: async () => {
    const key = await portal.withKey(['clients:write']);
    return key.call('upsertDictionary', { params: { id: 'X' }, body: { name: { pl: 'X', en: 'X' }, values: [] } });
  },
  VALIDATION_ERROR: () => client.call('getDocument', { params: { id: 'none' } }),
  BC_ERROR: async () => {
    const { id } = (await publish()).body;
    const repair = await damageFirstTile(portal);
    const answer = await client.call('checkDocument', { params: { id } });
    await repair();
    return answer;
  },
  DUPLICATE_BC: async () => {
    const [{ id }, { id: other }] = [(await publish()).body, (await publish()).body];
    await changePastTriggers(portal, sql`update ledger_entry set document_id = ${id}::uuid where document_id = ${other}::uuid`);
    return client.call('checkDocument', { params: { id } });
  },
  NOT_FOUND_BC: async () => {
    const { id } = (await publish()).body;
    await changePastTriggers(portal, sql`update ledger_entry set document_id = null where document_id = ${id}::uuid`);
    return client.call('getReceipt', { params: { id } });
  },
  STORAGE_ERROR: async () => {
    const { id } = (await publish()).body;
    await portal.db.updateTable('document').set({ object_key: randomUUID() }).where('id', '=', id).execute();
    return client.call('downloadDocument', { params: { id } });
  },
  RENDER_ERROR: async () => {
    const { id } = (await publish({}, aPdfWithoutSizeOf(1, { pages: 1 }))).body;
    const poll = () => client.call('getRenderResult', { params: { id }, query: {} });
    let answer = await poll();
    while (answer.error === undefined) answer = await poll();
    return answer;
  },
  SIGNATURE_INVALID: async () => publish({ type: 'PUBLIC', cif: undefined }, await sealPdf({ signer: bank.strangersSeal })),
  SIGNATURE_NOT_FOUND: () => publish({ type: 'PUBLIC', cif: undefined }),
  INVALID_DATE_RANGE: () =>
    client.call('listOwnDocuments', { body: { text: null, criteria: { metadata: [], period: { start: 2, end: 1 } }, sort: [] } }),
  INVALID_STATUS: async () => {
    const [before, now] = [await publishStatute('1'), await publishStatute('2')];
    const answer = await readAndAccept(client, before);
    await readAndAccept(client, now);
    return answer;
  },
  INVALID_SHA256: () => publish({ sha256: 'no checksum' }),
  INVALID_DOC_TYPE: () => publish({}, Buffer.from('no PDF')),
  ACCESS_DENIED: () => portal.anonymous.call('getSelf', {}),
  DOCUMENT_NOT_FOUND_ERROR: () => client.call('getDocument', { params: { id: randomUUID() } }),
  DOCUMENT_REMOVE_ERROR: async () => {
    const { id } = (await publish()).body;
    await portal.publisher.call('holdDocument', { params: { id }, body: { held: true, reason: 'C 12/26' } });
    return remove(id);
  },
  DOCUMENT_RETENTION_ERROR: async () => remove((await publish({ metadata: { RETENTION_DATE: -1 } })).body.id),
  DOCUMENT_METADATA_ERROR: () => publish({ metadata: { NO_SUCH_KEY: '1' } }),
  DOCUMENT_UPLOAD_ERROR: () => publish({}, aBrokenPdf()),
  DOCUMENT_MAX_SIZE_ERROR: () =>
    upload(client, { pdf: Buffer.concat([aPdf(), Buffer.alloc(sendingLimits.maxFileBytes, '\n')]), filename: 'Duży.pdf' }),
  RESOURCE_NOT_FOUND: () => client.call('readNotification', { params: { id: randomUUID() } }),
  RESOURCE_DUPLICATE: async () => {
    await client.call('createViewFolder', { body: { name: 'Bank' } });
    return client.call('createViewFolder', { body: { name: 'Bank' } });
  },
  INVALID_CREDENTIALS_ERROR: () =>
    client.call('changePassword', { body: { oldPassword: 'Wrong-horse-7', newPassword: 'Another-horse-8' } }),
};

const provoked = errorCodeNames.filter((code) => provocations[code] !== undefined);
/** Said by a command of the operator; its own test provokes it. */
const ofCommands: readonly string[] = ['DOCUMENT_RELOCATE_ERROR'];
const pending = errorCodeNames.filter((code) => provocations[code] === undefined && !ofCommands.includes(code));

const errorPage = (): Promise<string> => readFile(new URL('../../../docs/errors.md', import.meta.url), 'utf8');

/** The code of the product, without its tests. */
const sourcesOf = async (folder: URL): Promise<string[]> => {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const isProduct = (path: string): boolean => path.endsWith('.ts') && !path.endsWith('.test.ts') && !/[\\/]testing[\\/]/.test(path);
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  return Promise.all(paths.filter(isProduct).map((path) => readFile(path, 'utf8')));
};

test.each(provoked)('%s is really answered, with its one status', async (code) => {
  const answer = await provocations[code]?.();
  const told = 'shownAs' in errorCodes[code] ? errorCodes[code].shownAs : code;
  expect([answer?.status, answer?.error?.code]).toEqual([errorCodes[code].status, told]);
});

test.each(pending)('%s cannot happen yet: the page of errors says so, and nothing throws it', async (code) => {
  expect((await errorPage()).split('\n').find((line) => line.startsWith(`| ${code} |`))).toMatch(/\| later: \S.* \|$/);
  const sources = await Promise.all(['../', '../../../identity/src/'].map((folder) => sourcesOf(new URL(folder, import.meta.url))));
  const isThrown = sources.flat().some((source) => source.includes(`'${code}'`));
  expect(isThrown, `it is thrown by now: give it a row in the table of this test, and take "later" out of docs/errors.md`).toBe(false);
});

test.each(ofCommands)('%s is answered to no call, and the page of errors names the command that says it', async (code) => {
  expect((await errorPage()).split('\n').find((line) => line.startsWith(`| ${code} |`))).toMatch(/not answered to a call: `pergamin \w+`/);
});

test('what the page of errors puts off is put off, and nothing else', async () => {
  const later = [...(await errorPage()).matchAll(/^\| (\w+) \| [\d, ]+ \| later: /gm)].map(([, code]) => code);
  expect(later.toSorted()).toEqual(pending.toSorted());
});
