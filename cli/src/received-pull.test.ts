import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReceivedDocument } from '@pergamin/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { portOf, runPergamin, type Ended } from './testing/run-pergamin.ts';

/** Against a portal, or a proxy in front of it, that answers with something else than the contract says. */

let folder: string;
let server: Server;
/** In the order of their places, from 1. */
let documents: { readonly item: ReceivedDocument; readonly bytes: Buffer }[];
let acknowledged: string[];
/** What it does instead of answering such a call. */
let instead: (action: string, id: string) => 'breaksOff' | number | undefined;

const named = { id: 'X', name: { pl: 'X', en: 'X' } };
const aDocument = (text: string, sent = text): (typeof documents)[number] => ({
  bytes: Buffer.from(sent),
  item: {
    id: randomUUID(),
    personalId: '10000001',
    cif: '7001',
    filename: 'Pismo.pdf',
    category: named,
    type: named,
    createdOn: 0,
    retentionDate: -1,
    size: text.length,
    sha256: createHash('sha256').update(text).digest('hex'),
    pageCount: 1,
    flags: [],
    scan: { result: 'NONE', at: null, engine: null },
    acknowledgedOn: null,
  },
});

const answerList = (query: URLSearchParams): unknown => {
  const [since, limit] = [Number(query.get('since')), Number(query.get('limit'))];
  const items = documents.slice(since, since + limit).map(({ item }) => item);
  return { items, cursor: since + items.length, more: since + items.length < documents.length };
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-pull-'));
  [documents, acknowledged] = [[], []];
  instead = () => undefined;
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://portal');
    const [, id = '', action = 'list'] = /^\/api\/publisher\/received\/([^/]+)\/(\w+)$/.exec(pathname) ?? [];
    const other = instead(action, id);
    if (other === 'breaksOff') return void request.socket.destroy();
    if (other !== undefined) return void response.writeHead(other).end();
    if (action === 'download') return void response.end(documents.find(({ item }) => item.id === id)?.bytes);
    if (action === 'acknowledge') acknowledged.push(id);
    response.setHeader('content-type', 'application/json');
    return void response.end(JSON.stringify(action === 'acknowledge' ? { acknowledgedOn: 1 } : answerList(searchParams)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

const pull = (to = '.'): Promise<Ended> =>
  runPergamin(['received', 'pull', '--to', to], {
    folder,
    environment: { PERGAMIN_URL: `http://127.0.0.1:${portOf(server)}`, PERGAMIN_KEY: 'a key' },
  });

test('other bytes of the right length are named, neither kept nor acknowledged, and the next document comes through', async () => {
  const [wrong, right] = [aDocument('the right bytes', 'the wrong bytes'), aDocument('as promised')];
  documents = [wrong, right];
  const { code, out, error } = await pull();
  expect([code, out]).toEqual([1, 'pulled 1, already there 0, failed 1\n']);
  expect(error).toContain(`${wrong.item.id}: `);
  expect(acknowledged).toEqual([right.item.id]);
  expect(await readdir(folder)).not.toContain(`${wrong.item.id}.pdf`);
});

test('bytes that go on after the promised length are neither kept nor acknowledged', async () => {
  const longer = aDocument('short', 'short and more');
  documents = [longer];
  expect((await pull()).code).toBe(1);
  expect([acknowledged, (await readdir(folder)).filter((name) => name.endsWith('.pdf'))]).toEqual([[], []]);
});

test('more documents than one answer names are all pulled, each once', async () => {
  documents = Array.from({ length: 203 }, (_, index) => aDocument(`document ${index}`));
  expect(await pull()).toMatchObject({ code: 0, out: 'pulled 203, already there 0, failed 0\n' });
  expect(acknowledged).toEqual(documents.map(({ item }) => item.id));
});

test('a name that is none, or that a folder has, is named and left, and the others come through', async () => {
  const [outside, hindered, right] = [aDocument('outside'), aDocument('hindered'), aDocument('right')];
  documents = [{ ...outside, item: { ...outside.item, id: '../outside' } }, hindered, right];
  await mkdir(join(folder, `${hindered.item.id}.pdf`));
  const { code, out, error } = await pull();
  expect([code, out]).toEqual([1, 'pulled 1, already there 0, failed 2\n']);
  expect(error).toContain('../outside: this is no id of a document\n');
  expect(error).toContain(`${hindered.item.id}.pdf: a folder stands where a file is to be (EISDIR)\n`);
  expect(acknowledged).toEqual([right.item.id]);
});

test.each([
  ['that got lost', 'breaksOff'],
  ['that was refused', 500],
] as const)('an acknowledgement %s is named, the next document comes through, and the next pull acknowledges it', async (_, how) => {
  const [first, second] = [aDocument('first'), aDocument('second')];
  documents = [first, second];
  instead = (action, id) => (action === 'acknowledge' && id === first.item.id ? how : undefined);
  const { code, out, error } = await pull();
  expect([code, out]).toEqual([1, 'pulled 1, already there 0, failed 1\n']);
  expect(error).toContain(`${first.item.id}: it lies in the folder, and the next pull acknowledges it: `);
  instead = () => undefined;
  expect((await pull()).out).toBe('pulled 0, already there 2, failed 0\n');
  expect(acknowledged).toEqual([second.item.id, first.item.id, second.item.id]);
});

test('a portal that answers no more ends the pull, which says how far it came', async () => {
  documents = ['first', 'second', 'third', 'fourth'].map((text) => aDocument(text));
  instead = (action, id) => (action === 'download' && id !== documents[0]?.item.id ? 'breaksOff' : undefined);
  const { code, out, error } = await pull();
  expect([code, out]).toEqual([1, 'pulled 1, already there 0, failed 1\n']);
  expect(error).toMatch(/pergamin: the portal at \S+ \(PERGAMIN_URL\) could not be reached: .+\n$/);
});

test('where a file stands in place of the folder, a sentence says so', async () => {
  await writeFile(join(folder, 'taken'), '');
  expect(await pull('taken')).toEqual({
    code: 1,
    out: 'pulled 0, already there 0, failed 0\n',
    error: 'pergamin: taken: a file stands where a folder is to be (EEXIST)\n',
  });
});

test.runIf(process.platform === 'linux')('a full disk ends the pull with a sentence', async () => {
  documents = [aDocument('first'), aDocument('second')];
  // What is written there finds no space.
  await symlink('/dev/full', join(folder, `${documents[0]?.item.id}.json.part`));
  const { code, out, error } = await pull();
  expect([code, out]).toEqual([1, 'pulled 0, already there 0, failed 0\n']);
  expect(error).toMatch(/^pergamin: \S+: the disk is full \(ENOSPC\)\n$/);
  expect(acknowledged).toEqual([]);
});

describe('a second pull', () => {
  const lock = () => join(folder, '.pull');
  beforeEach(() => void (documents = [aDocument('first')]));

  test('in the same folder at the same time ends with a sentence, and leaves the first one alone', async () => {
    await writeFile(lock(), `${process.pid} ${hostname()}\n`);
    const { code, out, error } = await pull();
    expect([code, out]).toEqual([1, 'pulled 0, already there 0, failed 0\n']);
    expect(error).toBe(`pergamin: another pull works in . (process ${process.pid} of ${hostname()}): wait until it has ended\n`);
    expect([acknowledged, await readdir(folder)]).toEqual([[], ['.pull']]);
  });

  test.each([
    ['of this machine that was killed', async () => writeFile(lock(), `4194304 ${hostname()}\n`)],
    [
      'of another machine that was not heard of for ten minutes',
      async () => {
        await writeFile(lock(), '1 elsewhere\n');
        const longAgo = new Date(Date.now() - 11 * 60_000);
        await utimes(lock(), longAgo, longAgo);
      },
    ],
  ])('after one %s goes on', async (_, leave) => {
    await leave();
    expect((await pull()).out).toBe('pulled 1, already there 0, failed 0\n');
    expect(await readdir(folder)).not.toContain('.pull');
  });
});
