import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReceivedDocument } from '@pergamin/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { portOf, runPergamin, type Ended } from './testing/run-pergamin.ts';

/** Against a portal, or a proxy in front of it, that answers with something else than the contract says. */

let folder: string;
let server: Server;
/** In the order of their places, from 1. */
let documents: { readonly item: ReceivedDocument; readonly bytes: Buffer }[];
let acknowledged: string[];

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
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://portal');
    const [, id = '', action] = /^\/api\/publisher\/received\/([^/]+)\/(\w+)$/.exec(pathname) ?? [];
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

const pull = (): Promise<Ended> =>
  runPergamin(['received', 'pull', '--to', '.'], {
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
