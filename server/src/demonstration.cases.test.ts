import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditLedgerOf } from '#app/audit-here.ts';
import { refuseDemonstration } from '#app/demonstration.ts';
import { silentLog } from '#platform/log/log.ts';
import { openStore } from '#platform/objects/open-store.ts';
import { freePort } from '#testing/free-port.ts';
import { aPdf } from '#testing/pdfs.ts';
import { signInThroughIdentity } from '#testing/sign-in-as.ts';
import { password, startTestPortal, type TestPortal } from '#testing/test-portal.ts';

/** What was filled as a demonstration and goes into use: which rows are whose, and what a start and a removal do with them. */

const aPerson = (nth: number) => ({
  personalId: String(10_000_000 + nth),
  cif: String(700_100_000 + nth),
  firstName: 'Anna',
  lastName: 'Nowak',
  initialPassword: 'Wisla-1234-Pergamin',
});

let portal: TestPortal;
let demoKey: string;
/** Another one in each test, which leaves clients of the organisation behind. */
let anna: ReturnType<typeof aPerson>;
let people = 0;
beforeAll(async () => {
  portal = await startTestPortal({ drawsFirstPages: true });
});
afterAll(() => portal[Symbol.asyncDispose]());
beforeEach(async () => {
  anna = aPerson((people += 1));
  demoKey = await portal.keys.issue({
    name: 'demonstration',
    scopes: ['documents:publish', 'clients:write', 'statutes:publish', 'categories:write'],
    demo: true,
  });
});
afterEach(() => portal.publisher.call('removeDemo', {}));

const asDemo = () => ({ authorization: `Bearer ${demoKey}` });

const addDemoClient = () => portal.anonymous.call('upsertClients', { body: { items: [anna] } }, asDemo());

const formOf = (description: object, bytes: Uint8Array): FormData => {
  const form = new FormData();
  form.set('description', JSON.stringify(description));
  form.set('file', new Blob([Uint8Array.from(bytes)], { type: 'application/pdf' }), 'a.pdf');
  return form;
};

const publishDemo = (description: object = {}) =>
  portal.anonymous.call(
    'publishDocument',
    { form: formOf({ type: 'PRIVATE', cif: anna.cif, fileName: 'a.pdf', ...description }, aPdf({ text: 'demonstration' })) },
    asDemo(),
  );

const listPeople = (...personalIds: string[]) =>
  portal.db
    .selectFrom('client')
    .select(['personal_id', 'first_name', 'demo'])
    .where('personal_id', 'in', personalIds)
    .orderBy('personal_id')
    .execute();

const listDocuments = (...cifs: string[]) => portal.db.selectFrom('document').select('id').where('cif', 'in', cifs).execute();

const listFirstPages = async (): Promise<string[]> => {
  const found = await readdir(join(portal.settings.dataDir, 'renditions'), { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((entry) => entry.isFile() && !entry.parentPath.endsWith('work')).map(({ name }) => name);
};

const program = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const run = async (name: string, args: string[], environment: Record<string, string> = {}) => {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [program(name), ...args], {
    env: {
      PATH,
      NODE_COMPILE_CACHE,
      DATABASE_URL: portal.databaseUrl,
      DATA_DIR: portal.settings.dataDir,
      DEMO: 'off',
      LOG_LEVEL: 'silent',
      PORT: String(await freePort()),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  // Said to root where an ordinary user may not read this checkout.
  return { code: child.exitCode, out, error: error.replace(/^Pergamin stays root: .*\n/, '') };
};

const elsewhere = { PUBLIC_URL: 'https://documents.example.com', HOST: '127.0.0.1' };

// First: once a program that root starts has given the data folder away, the next cannot read what this portal, still root, writes there.
test('the removal without a portal asks first, takes the demonstration alone, and the start is free', { timeout: 60_000 }, async () => {
  await addDemoClient();
  await publishDemo();
  await portal.addClient('1001', { cif: '7001' });
  const own = (await portal.publish({ cif: '7001', pdf: aPdf() })).body;
  // The last file that this portal writes.
  await expect.poll(listFirstPages).toHaveLength(1);
  const asked = await run('./remove-demo.ts', []);
  expect([asked.code, asked.out]).toEqual([1, 'demonstration: 1 clients, 1 documents, 0 statutes\n']);
  expect(await listPeople(anna.personalId, '1001')).toHaveLength(2);

  const agreed = await run('./remove-demo.ts', ['--yes'], elsewhere);
  expect(agreed).toEqual({
    code: 0,
    out: 'demonstration: 1 clients, 1 documents, 0 statutes\nremoved 1 clients, 1 documents, 0 statutes\n',
    error: '',
  });
  expect(await listPeople(anna.personalId, '1001')).toEqual([{ personal_id: '1001', first_name: 'Anna', demo: false }]);
  expect(await listDocuments(anna.cif, '7001')).toEqual([{ id: own.id }]);
  await expect(refuseDemonstration(portal.db, new URL(elsewhere.PUBLIC_URL))).resolves.toBeUndefined();
});

describe('a start off loopback', { timeout: 60_000 }, () => {
  test('a start off loopback with a key of the demonstration that can be used ends with a sentence that names the command', async () => {
    const ended = await run('./main.ts', [], elsewhere);
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.error).toMatch(/^This database holds demonstration data \([^\n]*npx --no pergamin demo remove --offline\n$/);
    expect(ended.error).not.toContain('    at ');
  });

  test('a start off loopback with a person of the demonstration is refused, and one after everything of it has gone is not', async () => {
    await addDemoClient();
    await portal.owner.pool.query('update publisher_key set revoked_at = now() where demo');
    const atStart = () => refuseDemonstration(portal.db, new URL(elsewhere.PUBLIC_URL));
    await expect(atStart()).rejects.toThrow('This database holds demonstration data (1 clients, 0 documents, 0 statutes)');
    await portal.publisher.call('removeDemo', {});
    await expect(atStart()).resolves.toBeUndefined();
  });
});

describe('what the organisation does with what the demonstration brought', () => {
  test('a person of the demonstration does not replace a client of the same id', async () => {
    await addDemoClient();
    const taken = await portal.publisher.call('upsertClients', { body: { items: [{ ...anna, initialPassword: password }] } });
    expect([taken.status, taken.error]).toMatchObject([
      409,
      { code: 'RESOURCE_DUPLICATE', fields: { 'items.0.personalId': expect.any(String) } },
    ]);
    await portal.publisher.call('removeDemo', {});
    await portal.addClient(anna.personalId);
    const { host } = portal.settings.publicUrl;
    const signIn = (secret: string) => signInThroughIdentity(portal.server, { personalId: anna.personalId, password: secret, host });
    await expect(signIn(anna.initialPassword)).rejects.toThrow('expected a redirect, got 401');
    await signIn(password);
    expect((await portal.publisher.call('removeDemo', {})).body).toMatchObject({ clients: 0 });
    await signIn(password);
  });

  test('a client of the organisation is left alone by the demonstration, password and all', async () => {
    await portal.addClient(anna.personalId, { firstName: 'Ewa' });
    expect((await addDemoClient()).body).toEqual({ created: 0, changed: 0, unchanged: 0 });
    expect(await listPeople(anna.personalId)).toEqual([{ personal_id: anna.personalId, first_name: 'Ewa', demo: false }]);
    await portal.signIn(anna.personalId);
  });

  test('a paper that it published to a demonstration person stays when this one goes', async () => {
    await addDemoClient();
    const { id } = (await portal.publish({ cif: anna.cif, pdf: aPdf() })).body;
    await publishDemo();
    expect((await portal.publisher.call('removeDemo', {})).body).toEqual({ clients: 1, documents: 1, statutes: 0 });
    expect(await listDocuments(anna.cif)).toEqual([{ id }]);
  });

  test('its entries in the ledger are those of forgotten documents, and the audit misses nothing', async () => {
    await addDemoClient();
    await publishDemo();
    const { objects } = await openStore(portal.settings);
    const audit = () => auditLedgerOf({ db: portal.db, settings: portal.settings, log: silentLog(), objects });
    expect((await audit()).entries).toBeGreaterThan(0);
    await portal.publisher.call('removeDemo', {});
    expect((await audit()).lost.count).toBe(0);
    await portal.runJob('ledger:round');
    expect(await audit()).toMatchObject({ problem: null, lost: { count: 0 }, missing: { count: 0 } });
  });

  test('a demonstration paper of the same name and bytes does not replace its publication', async () => {
    await addDemoClient();
    await publishDemo({ uniqueName: 'KH-1' });
    const own = await portal.publish({ cif: anna.cif, uniqueName: 'KH-1', pdf: aPdf({ text: 'demonstration' }) });
    expect([own.status, own.error?.code]).toEqual([409, 'RESOURCE_DUPLICATE']);
  });

  test('demonstration terms of the same version do not replace their publication', async () => {
    const pdf = aPdf();
    await portal.anonymous.call('publishStatute', { form: formOf({ version: '7' }, pdf) }, asDemo());
    const own = await portal.publishStatute({ version: '7', pdf });
    expect([own.status, own.error?.code]).toEqual([409, 'RESOURCE_DUPLICATE']);
  });
});
