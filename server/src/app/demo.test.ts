import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openDemo } from './demo.ts';
import { aPdf } from '#testing/pdfs.ts';
import { testCategories, upload } from '#testing/sending.ts';
import { signInThroughIdentity } from '#testing/sign-in-as.ts';
import { password, startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { silentLog } from '#platform/log/log.ts';

const keepFact = async ({ db }: TestPortal, name: string, value: string): Promise<void> => {
  await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
};

const countRows = async (db: TestPortal['db']) => {
  const [documents, clients, statutes] = await Promise.all([
    db.selectFrom('document').select(['demo']).execute(),
    db.selectFrom('client').select(['demo']).execute(),
    db.selectFrom('statute').select(['demo']).execute(),
  ]);
  return [documents, clients, statutes].map((rows) => rows.filter((row) => row.demo).length);
};

/** Every row of every table, as text. */
const readAllRows = async ({ pool }: TestPortal): Promise<string> => {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
};

const signInStatus = async ({ server, settings }: TestPortal, personalId: string, secret: string): Promise<boolean> =>
  signInThroughIdentity(server, { personalId, password: secret, host: settings.publicUrl.host }).then(
    () => true,
    () => false,
  );

describe('an empty portal that is started twice', () => {
  let portal: TestPortal;
  const passwords: string[] = [];
  const open = () => openDemo({ ...portal, log: silentLog() });

  beforeAll(async () => {
    portal = await startTestPortal({ environment: { DEMO: 'auto' } });
    for (const _start of ['first', 'second']) {
      const demo = await open();
      await demo?.stop();
      passwords.push(demo?.password ?? '');
    }
  }, 60_000);
  afterAll(() => portal[Symbol.asyncDispose]());

  test('each start prints a password of its own, which alone signs in, and no row holds it or a key that can be used', async () => {
    const [first = '', second = ''] = passwords;
    for (const password of passwords) expect(password).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d).{8,20}$/);
    expect(first).not.toBe(second);
    expect([await signInStatus(portal, '10000001', first), await signInStatus(portal, '10000001', second)]).toEqual([false, true]);
    const rows = await readAllRows(portal);
    expect(rows).toContain('10000001');
    expect(rows).not.toContain(first);
    expect(rows).not.toContain(second);
    expect(rows).not.toMatch(/pk_[\w-]{43}/);
  });

  test('demonstration data fill an empty portal through the publisher’s calls, and one call removes exactly them', async () => {
    const [documents = 0, clients, statutes = 0] = await countRows(portal.db);
    expect(documents).toBeGreaterThanOrEqual(60);
    expect(clients).toBe(3);
    expect(statutes).toBeGreaterThan(0);
    const categories = await portal.db.selectFrom('document_category').select(['id', 'demo']).execute();
    expect(categories.map(({ demo: isDemo }) => isDemo)).toEqual(Array.from({ length: 6 }, () => true));
    const { rows } = await portal.pool.query<{ personal_id: string }>('select distinct personal_id from statute_acceptance order by 1');
    expect(rows.map((row) => row.personal_id)).toEqual(['10000001', '10000003']);

    await portal.addClient('1001', { cif: '7001' });
    await portal.publish({ cif: '7001', pdf: aPdf() });
    const removed = await portal.publisher.call('removeDemo', {});
    expect(removed.body).toEqual({ clients, documents, statutes });
    expect(await countRows(portal.db)).toEqual([0, 0, 0]);
    expect(await portal.db.selectFrom('document_category').select('id').execute()).toEqual([]);
    expect(await portal.db.selectFrom('document').select('cif').execute()).toEqual([{ cif: '7001' }]);

    expect(await open()).toBeUndefined();
  });
});

describe('a portal of an organisation', () => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await startTestPortal({ environment: { DEMO: 'auto' } });
  });
  afterEach(() => portal.publisher.call('removeDemo', {}));
  afterAll(() => portal[Symbol.asyncDispose]());

  test('a portal with clients of its own, or with an address of its own, gets no demonstration', async () => {
    const away = { ...portal, settings: { ...portal.settings, publicUrl: new URL('https://documents.example.com') }, log: silentLog() };
    expect(await openDemo(away)).toBeUndefined();
    await portal.addClient('1001');
    expect(await openDemo({ ...portal, log: silentLog() })).toBeUndefined();
  });

  test('a demonstration from before clients could send anything gets what to send under at the next start', async () => {
    const parts = { ...portal, log: silentLog() };
    await keepFact(portal, 'demo', 'loaded');
    await keepFact(portal, 'demo.facts', JSON.stringify({ today: '2026-01-01T00:00:00.000Z' }));
    await openDemo(parts);
    const categories = () => portal.db.selectFrom('document_category').select(['id', 'demo']).orderBy('id').execute();
    const added = await categories();
    expect(added.map(({ demo }) => demo)).toEqual(Array.from({ length: 6 }, () => true));
    await openDemo(parts);
    expect(await categories()).toEqual(added);
  });

  test('what is being published as demonstration while it is removed does not stay behind', async () => {
    const key = await portal.keys.issue({ name: 'demonstration', scopes: ['documents:publish', 'clients:write'], demo: true });
    const authorization = `Bearer ${key}`;
    const client = { personalId: '10000001', cif: '700100001', firstName: 'Anna', lastName: 'Nowak' };
    await portal.anonymous.call('upsertClients', { body: { items: [client] } }, { authorization });
    const publish = (text: string) => {
      const form = new FormData();
      form.set('description', JSON.stringify({ type: 'PRIVATE', cif: client.cif, fileName: 'a.pdf' }));
      form.set('file', new Blob([Uint8Array.from(aPdf({ text }))]), 'a.pdf');
      return portal.anonymous.call('publishDocument', { form }, { authorization });
    };
    await publish('first');
    const meanwhile = Array.from({ length: 12 }, (_, index) => publish(String(index)));
    const removed = await portal.publisher.call('removeDemo', {});
    const statuses = (await Promise.all(meanwhile)).map((answer) => answer.status);
    expect(removed.status).toBe(200);
    expect(statuses.filter((status) => status !== 200 && status !== 400 && status !== 401)).toEqual([]);
    expect(await countRows(portal.db)).toEqual([0, 0, 0]);
  });

  test('what demonstration people sent goes with them; a category that another client has used stays', async () => {
    const key = await portal.keys.issue({ name: 'demonstration', scopes: ['categories:write', 'clients:write'], demo: true });
    const authorization = { authorization: `Bearer ${key}` };
    await portal.anonymous.call('upsertCategories', { body: { items: testCategories } }, authorization);
    const person = { personalId: '10000001', cif: '700100001', firstName: 'Anna', lastName: 'Nowak', initialPassword: password };
    await portal.anonymous.call('upsertClients', { body: { items: [person] } }, authorization);
    const demoClient = await portal.signIn('10000001');
    const client = await portal.signIn('1001');
    await upload(demoClient, { pdf: aPdf() });
    await upload(demoClient, { pdf: aPdf(), categoryId: 'LOANS', typeId: 'INCOME' });
    const { id } = (await upload(client, { pdf: aPdf() })).body;
    expect((await portal.publisher.call('removeDemo', {})).status).toBe(200);
    expect(await portal.db.selectFrom('sent_document').select('id').execute()).toEqual([{ id }]);
    expect(await portal.db.selectFrom('document_category').select(['id', 'demo']).execute()).toEqual([{ id: 'COMPLAINTS', demo: false }]);
    expect((await client.call('downloadSentDocument', { params: { id } })).status).toBe(200);
  });

  test('page images of what is removed go with it; those of documents that another client has, too, stay', async () => {
    const demo = await portal.keys.issue({ name: 'demonstration', scopes: ['documents:publish', 'clients:write'], demo: true });
    const authorization = { authorization: `Bearer ${demo}` };
    const client = await portal.signIn('1002', { cif: '7002' });
    const person = { personalId: '10000001', cif: '700100001', firstName: 'Anna', lastName: 'Nowak', initialPassword: password };
    await portal.anonymous.call('upsertClients', { body: { items: [person] } }, authorization);
    const demoClient = await portal.signIn('10000001');
    const publish = async (text: string) => {
      const form = new FormData();
      form.set('description', JSON.stringify({ type: 'PRIVATE', cif: '700100001', fileName: 'a.pdf' }));
      form.set('file', new Blob([Uint8Array.from(aPdf({ text }))]), 'a.pdf');
      return (await portal.anonymous.call('publishDocument', { form }, authorization)).body;
    };
    const [gone, shared] = [await publish('of the demonstration alone'), await publish('of both')];
    const own = (await portal.publish({ cif: '7002', pdf: aPdf({ text: 'of both' }) })).body;
    const drawn = async (id: string, who: typeof client): Promise<void> => {
      await expect
        .poll(async () => (await who.call('getRenderResult', { params: { id }, query: {} })).body.done, { timeout: 30_000 })
        .toBe(true);
    };
    for (const { id } of [gone, shared]) await drawn(id, demoClient);
    await drawn(own.id, client);
    expect((await portal.publisher.call('removeDemo', {})).status).toBe(200);
    const files = await readdir(join(portal.settings.dataDir, 'renditions'), { recursive: true });
    expect(files.some((path) => path.includes(gone.sha256))).toBe(false);
    expect(files.some((path) => path.includes(own.sha256))).toBe(true);
  });
});
