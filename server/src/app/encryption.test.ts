import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { chmod, chown, copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addKeyVersion, writeNewKeyFile } from '#platform/encryption/key-file.ts';
import { createKeyCare } from '#platform/encryption/key-care.ts';
import { SettingsError } from '#platform/settings/settings.ts';
import { aPdf } from '#testing/pdfs.ts';
import { openBeside, startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** What a stolen disk tells, what is left of what was forgotten, and how keys are rotated, lost and restored (docs/encryption.md). */

let portal: TestPortal;
let anna: TestClient;

beforeAll(async () => {
  portal = await startTestPortal({ environment: { NOTICES: 'never' } });
  anna = await portal.signIn('6101', { cif: '8101' });
  for (const number of ['2', '4', '5']) await portal.addClient(`610${number}`, { cif: `810${number}` });
});

afterAll(() => portal[Symbol.asyncDispose]());

// Checks that were counted do not count any more.
beforeEach(() => portal.clock.advance(60_001));

const publish = async (description: Partial<Parameters<TestPortal['publish']>[0]> = {}) => {
  const pdf = Buffer.from(aPdf({ text: `Umowa ${randomUUID()}` }));
  return { pdf, ...(await portal.publish({ ...(description.type === 'PUBLIC' ? {} : { cif: '8101' }), pdf, ...description })).body };
};

const keyOf = async (id: string): Promise<string> =>
  (await portal.db.selectFrom('document').select('object_key').where('id', '=', id).executeTakeFirstOrThrow()).object_key;
const pathOf = (key: string): string => join(portal.settings.dataDir, 'objects', key.slice(0, 2), key.slice(2, 4), key);
const download = async (id: string): Promise<number> => (await anna.call('downloadDocument', { params: { id } })).status;
const check = async (id: string) => (await anna.call('checkDocument', { params: { id }, query: {} })).body.status;

/** Everything that the database has in its tables, as a dump of it would. Bytes are in hexadecimal. */
const dump = async (): Promise<string> => {
  const schemas = ['public', 'identity', 'graphile_worker'];
  const dumps = await portal.owner.db.transaction().execute(async (trx) => {
    await sql`set local xmlbinary to hex`.execute(trx);
    const texts: string[] = [];
    for (const schema of schemas) {
      const { rows } = await sql<{ text: string }>`select schema_to_xml(${schema}::name, true, false, '')::text as text`.execute(trx);
      texts.push(rows[0]?.text ?? '');
    }
    return texts;
  });
  return dumps.join('\n');
};

/** All files that are kept in the data folder, but the key file: what is drawn, received or written at this moment may be gone the next. */
const readAllFiles = async (): Promise<Buffer> => {
  const entries = await readdir(portal.settings.dataDir, { recursive: true, withFileTypes: true });
  const isKept = ({ name, parentPath }: Dirent): boolean =>
    name !== 'encryption.key' && !/(?:work|uploads|encrypting|spool)$/.test(parentPath);
  const files = entries.filter((entry) => entry.isFile() && isKept(entry));
  return Buffer.concat(await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name)))));
};

const hexOf = (bytes: Buffer | undefined): string => (bytes ?? Buffer.alloc(0)).toString('hex').toUpperCase();

/** What opens a document and its statements, in hexadecimal. */
const secretsOf = async (id: string): Promise<string[]> => {
  const { rows: keys } = await sql<{ wrapped: Buffer }>`
    select wrapped from encryption_object_key where object_key = ${await keyOf(id)}`.execute(portal.db);
  const { rows: statements } = await sql<{ statement: Buffer }>`
    select statement from ledger_entry where document_id = ${id}::uuid and statement is not null`.execute(portal.db);
  // The salt is the end of a statement.
  return [...keys.map(({ wrapped }) => hexOf(wrapped)), ...statements.map(({ statement }) => hexOf(statement.subarray(-32)))];
};

test('P12: what is forgotten is gone: no key, opening, text or image of it is left, others stay, and the ledger goes on', async () => {
  const word = `zapomniany${randomUUID().replaceAll('-', '')}`;
  const [gone, kept] = [
    await publish({
      pdf: Buffer.from(aPdf({ text: `Umowa ${word}` })),
      fileName: `${word}.pdf`,
      metadata: { PRIV_CASE_NUMBER: word.slice(0, 40) },
    }),
    await publish(),
  ];
  for (const { id } of [gone, kept]) {
    expect(await check(id)).toBe('SHA_CIF_OK');
    expect((await anna.call('getPageImage', { params: { id, page: '1' }, query: {} })).status).toBe(200);
  }
  await portal.runJob('document-search:read');
  const secrets = await secretsOf(gone.id);
  const [before, bytes] = [await dump(), await readAllFiles()];
  expect(secrets.length).toBeGreaterThanOrEqual(2);
  expect([...secrets, word].filter((text) => !before.includes(text))).toEqual([]);
  const image = (await anna.call('getPageImage', { params: { id: gone.id, page: '1' }, query: {} })).bytes;
  // A copy that a locked store may not delete, or that a backup has.
  const object = pathOf(await keyOf(gone.id));
  const copy = join(portal.settings.dataDir, '..', `copy-${gone.id}`);
  await copyFile(object, copy);
  expect(bytes.includes(await readFile(copy))).toBe(true);

  await portal.publisher.call('changeDocumentState', { params: { id: gone.id }, body: { state: 'DELETED', reason: 'a test' } });
  const forgotten = await portal.publisher.call('forgetDocument', { params: { id: gone.id }, body: { reason: 'art. 17 RODO' } });
  expect(forgotten.body.state).toBe('FORGOTTEN');
  // Its keys are gone with the answer; the worker then removes what cannot be read any more.
  const { rows } = await sql`select from encryption_object_key where object_key = ${await keyOf(gone.id)}`.execute(portal.db);
  expect(rows).toEqual([]);
  await portal.runJob('documents:remove');

  const [after, files] = [await dump(), await readAllFiles()];
  expect([...secrets, word].filter((text) => after.includes(text))).toEqual([]);
  expect([word, gone.pdf, image].filter((text) => files.includes(Buffer.from(text)))).toEqual([]);
  await mkdir(dirname(object), { recursive: true });
  await rename(copy, object);
  const { rows: named } = await sql<{ key: string }>`select object_key as key from encryption_object_key`.execute(portal.db);
  expect(named.map(({ key }) => key)).not.toContain(await keyOf(gone.id));
  expect((await readFile(object)).includes(gone.pdf.subarray(0, 100))).toBe(false);
  await rm(object);

  expect([await check(kept.id), await download(kept.id), await download(gone.id)]).toEqual(['SHA_CIF_OK', 200, 404]);
  await portal.runJob('ledger:scrub');
  const { size } = (await portal.anonymous.call('getLedger', {})).body;
  expect(size).toBeGreaterThan(2);
  expect((await portal.publisher.call('getDocumentLife', { params: { id: gone.id } })).body.document.state).toBe('FORGOTTEN');
});

test('the data folder without the key file tells nothing of documents, whether published for clients or for everybody, nor of their pages', async () => {
  const documents = [await publish(), await publish({ type: 'PUBLIC' }), await publish({ cif2: '8102' })];
  const page = { params: { id: documents[0]?.id ?? '', page: '1' } };
  const image = await anna.call('getPageImage', { ...page, query: {} });
  const text = JSON.stringify((await anna.call('getPageText', page)).body);
  expect([image.status, text.includes('Umowa')]).toEqual([200, true]);
  const stored = await readAllFiles();
  expect(documents.filter(({ pdf }) => stored.includes(pdf.subarray(0, 64)))).toEqual([]);
  expect(['%PDF-', 'Umowa', image.bytes.subarray(0, 16)].filter((plain) => stored.includes(plain))).toEqual([]);
  // Drawn once: what is encrypted is found again.
  expect((await anna.call('getPageImage', { ...page, query: {} })).bytes.equals(image.bytes)).toBe(true);
  for (const { id } of documents) expect(await download(id)).toBe(200);
  expect((await stat(portal.settings.encryptionKeyFile)).mode & 0o777).toBe(0o600);
});

test('with the key of a client their documents are lost, and those of others are not', async () => {
  const jan = await portal.signIn('6103', { cif: '8103' });
  const [own, shared] = [await publish({ cif: '8103' }), await publish({ cif: '8103', cif2: '8101' })];
  await sql`delete from encryption_client_key where owner = 'cif:8103'`.execute(portal.db);
  const answers = await Promise.all([own, shared].map(({ id }) => jan.call('downloadDocument', { params: { id } })));
  expect(answers.map(({ status, error }) => [status, error?.code])).toEqual([
    [503, 'STORAGE_ERROR'],
    [200, undefined],
  ]);
});

describe('the key file', () => {
  const care = () => createKeyCare({ db: portal.db, settings: portal.settings });
  const inFolder = (name: string): string => join(portal.settings.dataDir, '..', `${name}-${randomUUID()}`);

  test('without it, or with another one, no portal starts; its backup makes every document readable again', async () => {
    const { id } = await publish();
    const { encryptionKeyFile: path } = portal.settings;
    const backup = inFolder('backup');
    await care().backup(backup);
    expect([(await stat(backup)).mode & 0o777, (await care().status()).backedUpVersion]).toEqual([0o600, 1]);
    await expect(care().backup(backup)).rejects.toThrow('is there already');

    await rm(path);
    const refusal = async (): Promise<unknown> => openBeside(portal).catch((error: unknown) => error);
    expect(await refusal()).toBeInstanceOf(SettingsError);
    await writeFile(path, `pergamin encryption key v1\n1 ${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 });
    expect(await refusal()).toMatchObject({ message: expect.stringContaining('is not the one') });

    await copyFile(backup, path);
    await chmod(path, 0o600);
    const restored = await openBeside(portal);
    await restored.close();
    expect([await download(id), await check(id)]).toEqual([200, 'SHA_CIF_OK']);
    await rm(backup);
  });

  test.skipIf(process.getuid?.() !== 0)('a version that root adds leaves the file to the user of the portal', async () => {
    const path = inFolder('key');
    await writeNewKeyFile(path);
    await chown(path, 65_534, 65_534);
    expect(await addKeyVersion(path)).toBe(2);
    const { uid, gid, mode } = await stat(path);
    expect([uid, gid, mode & 0o777]).toEqual([65_534, 65_534, 0o600]);
    await rm(path);
  });

  test('a rotation wraps the keys of all clients anew and leaves documents alone; one that was broken off is finished', async () => {
    const documents = [await publish(), await publish({ cif: '8104', cif2: '8101' }), await publish({ type: 'PUBLIC' })];
    const before = await Promise.all(documents.map(async ({ id }) => (await readFile(pathOf(await keyOf(id)))).toString('hex')));
    const { versions, clientKeys } = await care().status();
    const clients = clientKeys.reduce((sum, { keys }) => sum + keys, 0);
    const [first, second, third] = [inFolder('rotated'), inFolder('rotated'), inFolder('rotated')];
    const anOldKey = await portal.db.selectFrom('encryption_client_key').selectAll().limit(1).executeTakeFirstOrThrow();
    // As a kill leaves it that came before any key was wrapped anew, and then one in the middle.
    await addKeyVersion(portal.settings.encryptionKeyFile);
    const rotated = await care().rotate(first);
    expect(rotated).toEqual({ version: Math.max(...versions) + 1, keys: clients });
    await portal.db.updateTable('encryption_client_key').set(anOldKey).where('id', '=', anOldKey.id).execute();
    expect(await care().rotate(second)).toEqual({ version: rotated.version, keys: 1 });
    expect((await care().status()).clientKeys).toEqual([{ version: rotated.version, keys: clients }]);
    expect((await readFile(first, 'utf8')).split('\n')).toHaveLength(rotated.version + 2);

    // The running portal learns of the version by itself, for old and for new clients.
    for (const { id } of documents) expect([await download(id), await check(id)]).toEqual([200, 'SHA_CIF_OK']);
    await publish({ cif: '8105' });
    expect((await care().status()).clientKeys).toEqual([{ version: rotated.version, keys: clients + 1 }]);
    const after = await Promise.all(documents.map(async ({ id }) => (await readFile(pathOf(await keyOf(id)))).toString('hex')));
    expect(after).toEqual(before);
    expect(await care().rotate(third)).toEqual({ version: rotated.version + 1, keys: clients + 1 });
    await Promise.all([first, second, third].map((path) => rm(path)));
  });
});

test('documents of before are readable as they are, and ENCRYPTION=all encrypts them, damaged ones excepted', async () => {
  await using plain = await startTestPortal({ environment: { NOTICES: 'never', ENCRYPTION: 'off' } });
  const client = await plain.signIn('6201', { cif: '8201' });
  const publishPlain = async () => {
    const pdf = Buffer.from(aPdf({ text: randomUUID() }));
    return { pdf, ...(await plain.publish({ cif: '8201', pdf })).body };
  };
  const [sound, damaged] = [await publishPlain(), await publishPlain()];
  await plain.publishStatute({ version: '1', pdf: aPdf({ text: 'Regulamin' }), effectiveFrom: plain.clock.now().getTime() + 86_400_000 });
  const pathIn = async (id: string): Promise<string> => {
    const { object_key: key } = await plain.db.selectFrom('document').select('object_key').where('id', '=', id).executeTakeFirstOrThrow();
    return join(plain.settings.dataDir, 'objects', key.slice(0, 2), key.slice(2, 4), key);
  };
  const [path, harmed] = [await pathIn(sound.id), await pathIn(damaged.id)];
  expect((await readFile(path)).equals(sound.pdf)).toBe(true);
  await chmod(harmed, 0o600);
  await writeFile(harmed, 'X', { flag: 'r+' });

  const beside = await openBeside({ ...plain, settings: { ...plain.settings, encryption: 'all' } });
  const run = () => beside.handlers['encryption:earlier']?.({}, new AbortController().signal);
  await run();
  expect(await pathIn(sound.id)).not.toBe(path);
  expect(await pathIn(damaged.id)).toBe(harmed);
  expect((await readFile(await pathIn(sound.id))).includes(sound.pdf.subarray(0, 64))).toBe(false);
  const { rows } = await sql<{ owner: string; keys: number }>`
    select owner, count(o.object_key)::int as keys from encryption_client_key c left join encryption_object_key o on o.client_key_id = c.id
    group by owner order by owner`.execute(plain.db);
  expect(rows).toEqual([
    { owner: 'cif:8201', keys: 1 },
    { owner: 'pages', keys: 0 },
    { owner: 'public', keys: 1 },
  ]);
  expect((await client.call('downloadDocument', { params: { id: sound.id } })).bytes.equals(sound.pdf)).toBe(true);
  // What was read meanwhile is there for ten minutes more, and is then removed by any later round.
  expect((await readFile(path)).equals(sound.pdf)).toBe(true);
  await sql`update encryption_replaced_object set replaced_at = now() - interval '11 minutes'`.execute(plain.db);
  await run();
  await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
  expect((await client.call('checkDocument', { params: { id: sound.id }, query: {} })).body.status).toBe('SHA_CIF_OK');
  await beside.close();
});
