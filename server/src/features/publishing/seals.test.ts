import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendPart, untilState } from '#testing/batches.ts';
import { aPdf } from '#testing/pdfs.ts';
import { aSealingBank } from '#testing/seal-settings.ts';
import { appendUpdate, sealPdf } from '#testing/sealed-pdfs.ts';
import { stream } from '#testing/simple-pdf.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

const statement = { metadata: { PERGAMIN_ST_DOC_TYPE: 'STATEMENTS' } };

let bank: Awaited<ReturnType<typeof aSealingBank>>;
let portal: TestPortal;
let client: TestClient;
beforeAll(async () => {
  bank = await aSealingBank('private=required,statement=ifPresent');
  portal = await startTestPortal({ environment: bank.environment });
  client = await portal.signIn('1001', { cif: '7001' });
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await bank[Symbol.asyncDispose]();
});

const sealed = async (text: string, signer = bank.seal): Promise<Uint8Array> => sealPdf({ pdf: aPdf({ text }), signer });
const publish = async (pdf: Uint8Array, more: object = {}) => portal.publish({ cif: '7001', pdf, ...more });
const sealOf = async (id: string) => (await client.call('getDocument', { params: { id } })).body.seal;
const countDocuments = async (): Promise<number> => (await portal.db.selectFrom('document').select('id').execute()).length;

test('a document with a valid seal is published, and its details tell who sealed it and when', async () => {
  const { status, body } = await publish(await sealed('Valid'));
  expect(status).toBe(200);
  expect(await sealOf(body.id)).toEqual({ state: 'VALID', signer: 'Bank Seal', signedOn: expect.any(Number), doubt: null });
});

test('a class that requires a seal refuses a document without one, and one whose seal is not valid, and keeps nothing of them', async () => {
  const before = await countDocuments();
  const none = await publish(aPdf({ text: 'Unsealed' }));
  expect([none.status, none.error]).toEqual([422, { code: 'SIGNATURE_NOT_FOUND', message: 'The document is not signed' }]);
  const strange = await publish(await sealed('Strange', bank.strangersSeal));
  expect([strange.status, strange.error?.code, strange.error?.fields]).toEqual([
    422,
    'SIGNATURE_INVALID',
    { file: 'The certificate of the signer leads to none of the trust anchors' },
  ]);
  const changed = await publish(appendUpdate(await sealed('Changed'), { 3: stream('0 0 100 100 re f') }));
  expect([changed.error?.code, changed.error?.fields]).toEqual([
    'SIGNATURE_INVALID',
    { file: 'The document was changed after it was sealed' },
  ]);
  const doubtful = await publish(await sealPdf({ signer: bank.seal, format: 'Acme.Detached' }));
  expect(doubtful.error?.code).toBe('SIGNATURE_INVALID');
  expect(await countDocuments()).toBe(before);
});

test('a class whose seals are verified where there are any takes documents without one, and with one of which not all is known', async () => {
  const none = await publish(aPdf({ text: 'Statement' }), statement);
  expect([none.status, await sealOf(none.body.id)]).toEqual([200, undefined]);
  const doubtful = await publish(await sealPdf({ pdf: aPdf({ text: 'Acme' }), signer: bank.seal, format: 'Acme.Detached' }), statement);
  expect(await sealOf(doubtful.body.id)).toEqual({ state: 'INDETERMINATE', signer: null, signedOn: null, doubt: 'UNSUPPORTED' });
  expect((await publish(await sealed('Strange statement', bank.strangersSeal), statement)).error?.code).toBe('SIGNATURE_INVALID');
});

test('a class that is not named does not look at seals', async () => {
  const { status, body } = await publish(await sealed('Public', bank.strangersSeal), { type: 'PUBLIC', cif: undefined });
  expect([status, await sealOf(body.id)]).toEqual([200, undefined]);
});

test('a batch refuses documents by their seals one by one, and keeps what it found out of the others', async () => {
  const id = (await portal.publisher.call('openBatch', { body: { name: 'sealed' } })).body.id;
  const { body } = await sendPart(portal.publisher, id, [
    { cif: '7001', uniqueName: 'sealed-1', pdf: await sealed('sealed-1') },
    { cif: '7001', uniqueName: 'sealed-2' },
    { cif: '7001', uniqueName: 'sealed-3', pdf: await sealed('sealed-3', bank.strangersSeal) },
  ]);
  expect(body.refused.map(({ index, code }) => [index, code])).toEqual([
    [1, 'SIGNATURE_NOT_FOUND'],
    [2, 'SIGNATURE_INVALID'],
  ]);
  await portal.publisher.call('commitBatch', { params: { id }, body: { documents: 1 } });
  await untilState(portal, id, { state: 'PUBLISHED' });
  expect(await sealOf(body.accepted[0]?.id ?? '')).toMatchObject({ state: 'VALID', signer: 'Bank Seal' });
});

test('a check of publications names those that will be refused without a valid seal', async () => {
  const described = { type: 'PRIVATE' as const, fileName: 'Umowa.pdf', cif: '7001', metadata: {} };
  const items = [described, { ...described, ...statement }, { ...described, cif: '9999' }];
  const { body } = await portal.publisher.call('checkPublications', { body: { items } });
  expect([body.sealed, body.refused.map(({ index }) => index)]).toEqual([[0], [2]]);
});

test('a forgotten document keeps nothing of its seal', async () => {
  const { id } = (await publish(await sealed('Forgotten'))).body;
  const params = { id };
  await portal.publisher.call('changeDocumentState', { params, body: { state: 'DELETED', reason: 'a request' } });
  expect((await portal.publisher.call('forgetDocument', { params, body: { reason: 'a request' } })).status).toBe(200);
  const row = await portal.db.selectFrom('document').select('seal').where('id', '=', id).executeTakeFirstOrThrow();
  expect(row.seal).toBeNull();
});
