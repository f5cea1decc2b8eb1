import {
  type Call,
  type CallInput,
  type CallName,
  calls,
  type Criterion,
  type DocumentQuery,
  listLimits,
  publishingLimits,
  savedViewLimits,
} from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heavyCallsAtOnce } from '#platform/http/call-queues.ts';
import { type Asked, askFor, type FairnessHarness, measuredCalls, median, openFairnessHarness } from '#testing/fairness.ts';
import { manyObjectStreams } from '#testing/hostile-pdfs.ts';
import { insertManyDocuments } from '#testing/many-documents.ts';
import { isNightly } from '#testing/nightly.ts';
import { aPdf } from '#testing/pdfs.ts';
import { sendBatch } from '#testing/batches.ts';
import { keepCategories } from '#testing/sending.ts';
import { createTestBrowser, createVerifier, goToPasswordPage } from '#testing/sign-in-as.ts';
import { password, startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';
import { withoutLimits } from '#testing/without-limits.ts';

/** What one asks with a hundred requests at once, each the worst that the contract lets through, leaves another's calls about as fast as they were. */

/**
 * All calls share one thread: beside an ordinary one run at most two heavy ones of the same caller (`call-queues.ts`) and an export that is
 * being sent, so it takes up to four times as long; 50 ms more are not noticed. Times are judged at night, when the machine runs one test file
 * at a time. By day another file uses half of it, and the order is judged: with one first-come queue for all, a hundred are answered before the
 * one that came after them, at any speed of the machine.
 */
const maxRatio = 4;
const floorMs = 50;
const atOnce = 100;
const maxAhead = atOnce / 4;
/** Fewer make the worst calls shorter, and the order the same. */
const share = isNightly ? 1 : 0.1;
const environment = { SESSION_IDLE_MINUTES: '60', TRUSTED_PROXIES: '127.0.0.1/32', SENDING_FILES_PER_DAY: '100000' };
const documentsPerClient = isNightly ? 5 : 2;

const cleanUp = new AsyncDisposableStack();
let portal: TestPortal;
let harness: FairnessHarness;
let greedy: TestClient;
let modest: TestClient;
let publicId: string;
let batchId: string;
/** Pages that wait for a password: one of a network that guesses, and one for each time that an ordinary person signs in. */
const passwordPages = { guessed: [] as PasswordPage[], ordinary: [] as PasswordPage[] };
const idsOf = { greedy: [] as string[], modest: [] as string[] };

beforeAll(async () => {
  // With all that a publication and a sign-in cost.
  const costs = { passwordCost: { memoryKiB: 19_456, passes: 2 }, drawsFirstPages: true };
  portal = cleanUp.use(await startTestPortal({ environment, limits: withoutLimits, ...costs }));
  greedy = await portal.signIn('1001', { cif: 'greedy' });
  modest = await portal.signIn('1002', { cif: 'modest' });
  for (const owner of ['greedy', 'modest'] as const)
    for (let nth = 0; nth < documentsPerClient; nth += 1) {
      const pdf = Buffer.concat([aPdf({ pages: 2, text: `${owner} ${nth}` }), Buffer.alloc(1_000_000, '\n')]);
      idsOf[owner].push((await portal.publish({ cif: owner, pdf })).body.id);
    }
  publicId = (await portal.publish({ type: 'PUBLIC', pdf: aPdf({ text: 'Regulamin' }) })).body.id;
  await insertManyDocuments(portal.pool, { cif: 'greedy', kind: 'private', count: 20_000 * share });
  await insertManyDocuments(portal.pool, { cif: 'greedy', kind: 'statement', count: 5_000 * share });
  await insertManyDocuments(portal.pool, { cif: 'modest', kind: 'private', count: 1_000 * share });
  await insertManyDocuments(portal.pool, { cif: 'modest', kind: 'statement', count: 1_000 * share });
  await insertManyDocuments(portal.pool, { kind: 'public', count: 5_000 * share });
  for (let nth = 0; nth < atOnce * share; nth += 1) passwordPages.guessed.push(await openPasswordPage('1001'));
  for (let nth = 0; nth < measuredCalls; nth += 1) passwordPages.ordinary.push(await openPasswordPage('1002'));
  await portal.pool.query('vacuum analyze');
  await keepCategories(portal.publisher);
  if (isNightly) await fillForNight();
  harness = cleanUp.use(await openFairnessHarness(portal, environment));
}, 120_000);

afterAll(() => cleanUp.disposeAsync());

/** What calls ask for that run at night. */
const fillForNight = async (): Promise<void> => {
  batchId = await sendBatch(portal.publisher, 'fair', [{ type: 'PUBLIC', uniqueName: 'fair' }]);
  const filters = Array.from({ length: savedViewLimits.maxFilters }, (_, nth) => ({
    key: 'FILE_NAME',
    value: `${nth} `.padEnd(listLimits.textMaxLength, 'x'),
  }));
  for (let nth = 0; nth < savedViewLimits.maxViews; nth += 1)
    await greedy.call('createSavedView', { body: { name: `${nth}`, kind: 'received', content: { period: 'LAST_3_MONTHS', filters } } });
};

interface PasswordPage {
  readonly path: string;
  readonly cookie: string;
}

const openPasswordPage = async (personalId: string): Promise<PasswordPage> => {
  const browser = createTestBrowser(portal.server, portal.settings.publicUrl.host);
  const path = await goToPasswordPage(browser, { personalId, state: createVerifier().state });
  return { path, cookie: browser.cookieHeader(path) };
};

const submit = (page: PasswordPage | undefined, guess: string, headers: Record<string, string>): Asked => {
  if (page === undefined) throw new Error('more pages for passwords are needed');
  const body = new URLSearchParams({ password: guess }).toString();
  const { host } = portal.settings.publicUrl;
  const content = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
  return { method: 'POST', path: page.path, headers: { host, cookie: page.cookie, ...content, ...headers }, body };
};

/** A file that is slow to inspect and is refused. */
const slowUpload = ((): { contentType: string; body: string } => {
  const description = JSON.stringify({ filename: 'a.pdf', categoryId: 'COMPLAINTS', typeId: 'COMPLAINT' });
  const body = [
    `--line\r\ncontent-disposition: form-data; name="description"\r\n\r\n${description}\r\n`,
    '--line\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n',
    Buffer.from(manyObjectStreams(isNightly ? 50 : 10)).toString('latin1'),
    '\r\n--line--\r\n',
  ].join('');
  return { contentType: 'multipart/form-data; boundary=line', body };
})();

const kinds = {
  received: [
    { id: 'TYPE', operator: 'NOT_EQUALS', value: 'PUBLIC' },
    { id: 'PERGAMIN_ST_DOC_TYPE', operator: 'NOT_EQUALS', value: 'STATEMENTS' },
  ],
  statements: [
    { id: 'TYPE', operator: 'EQUALS', value: 'PRIVATE' },
    { id: 'PERGAMIN_ST_DOC_TYPE', operator: 'EQUALS', value: 'STATEMENTS' },
  ],
  public: [{ id: 'TYPE', operator: 'EQUALS', value: 'PUBLIC' }],
} satisfies Record<string, Criterion[]>;

/** As a window opens it. */
const firstPage = (kind: keyof typeof kinds): Partial<DocumentQuery> => ({ criteria: { metadata: kinds[kind], period: null } });

/** Conditions that read many columns of every delivery, different in each turn so that no cache helps. */
const everything = (kind: keyof typeof kinds, turn: number): Partial<DocumentQuery> => {
  const keys = ['FILE_NAME', 'PRIV_CASE_NUMBER', 'BAR_NUMBER', 'ST_NUMBER', 'PUB_FILENAME'];
  const rest = Array.from({ length: listLimits.maxCriteria - kinds[kind].length }, (_, nth): Criterion => {
    return { id: keys[nth % keys.length] ?? '', operator: 'NOT_EQUALS', value: `zażółć ${turn} ${nth}` };
  });
  const sort = keys.map((by) => ({ by, order: 'desc' as const }));
  return { criteria: { metadata: [...kinds[kind], ...rest], period: null }, sort, size: listLimits.maxPageSize };
};

type Input<N extends CallName> = CallInput<(typeof calls)[N]>;

interface Case {
  readonly name: CallName;
  readonly what: string;
  readonly worst: (turn: number) => Asked;
  readonly ordinary: () => Asked;
}

const withSession = ({ token, cookie }: TestClient) => ({ authorization: token, cookie });
const listReceived = (): Asked => askFor('listOwnDocuments', { body: firstPage('received') }, withSession(modest));
/** Networks that ask now and then are never the same. */
let networks = 0;
const fromSomewhere = () => ({ 'x-forwarded-for': `198.51.${Math.floor((networks += 1) / 250)}.${networks % 250}` });

/** A call of clients. */
const ofClients = <N extends CallName>(
  name: N,
  worst: (turn: number) => Input<N>,
  ordinary: () => Input<N>,
  what: string = name,
): Case => ({
  name,
  what,
  worst: (turn) => askFor(name, worst(turn), withSession(greedy)),
  ordinary: () => askFor(name, ordinary(), withSession(modest)),
});

/** A call of people without a session, from one network and from others. */
const ofAnybody = <N extends CallName>(name: N, worst: (turn: number) => Input<N>, ordinary: () => Input<N>): Case => ({
  name,
  what: `${name} from one network`,
  worst: (turn) => askFor(name, worst(turn), { 'x-forwarded-for': '192.0.2.1' }),
  ordinary: () => askFor(name, ordinary(), fromSomewhere()),
});

/** A call of a publisher, while a client asks for a list. */
const ofPublishers = <N extends CallName>(name: N, worst: (turn: number) => Input<N>): Case => ({
  name,
  what: name,
  worst: (turn) => askFor(name, worst(turn), { authorization: `Bearer ${portal.publisherKey}` }),
  ordinary: listReceived,
});

const anId = (owner: keyof typeof idsOf, turn = 0) => ({ params: { id: idsOf[owner][turn % documentsPerClient] ?? '' } });
const aPage = (owner: keyof typeof idsOf, turn = 0) => ({ params: { id: anId(owner, turn).params.id, page: '1' } });
const columns = Array.from({ length: 50 }, () => 'FILE_NAME');

const manyClients = (turn: number) =>
  Array.from({ length: publishingLimits.maxClientsPerCall * share }, (_, nth) => ({
    personalId: `many-${nth}`,
    cif: `many-${nth}`,
    firstName: 'Anna',
    lastName: `Nowak${turn}`,
  }));
const named = { pl: 'Nazwa', en: 'Name' };
const aDictionary = {
  params: { id: 'MANY' },
  body: { name: named, values: Array.from({ length: 1_000 }, (_, nth) => ({ key: `${nth}`, name: named })) },
};

const manyPublications = (turn: number) =>
  Array.from({ length: publishingLimits.maxDocumentsPerCheck }, (_, nth) => ({
    type: 'PUBLIC' as const,
    fileName: 'Tabela.pdf',
    uniqueName: `many-${turn}-${nth}`,
    sha256: 'ab'.repeat(32),
  }));

const cases: readonly Case[] = [
  {
    name: 'startSignIn',
    what: 'wrong passwords from one network',
    worst: (turn) =>
      submit(passwordPages.guessed[turn % passwordPages.guessed.length], `Wrong-horse-${turn}`, { 'x-forwarded-for': '192.0.2.1' }),
    ordinary: () => submit(passwordPages.ordinary.pop(), password, fromSomewhere()),
  },
  ...(['received', 'statements', 'public'] as const).map((kind) =>
    ofClients(
      'listOwnDocuments',
      (turn) => ({ body: everything(kind, turn) }),
      () => ({ body: firstPage(kind) }),
      `listOwnDocuments, ${kind}`,
    ),
  ),
  ofClients(
    'listOwnValues',
    (turn) => ({ body: { ...everything('received', turn), key: 'BAR_NUMBER' } }),
    () => ({ body: { ...firstPage('received'), key: 'BAR_NUMBER' } }),
  ),
  ofClients(
    'searchOwnDocuments',
    () => ({ body: { text: 'u r s j w um ra st je wa', size: 100, page: 100 } }),
    () => ({ body: { text: 'umowa' } }),
  ),
  ofClients(
    'exportDocumentsCsv',
    (turn) => ({ body: { language: 'PL', columns, query: { text: `%${10 + (turn % 90)}%` } } }),
    () => ({ body: { language: 'PL', columns: ['FILE_NAME'], ids: idsOf.modest } }),
  ),
  ofClients(
    'downloadDocumentsZip',
    () => ({ body: { ids: idsOf.greedy } }),
    () => ({ body: { ids: idsOf.modest.slice(0, 2) } }),
  ),
  ofClients(
    'checkDocument',
    (turn) => ({ ...anId('greedy', turn), query: {} }),
    () => ({ ...anId('modest'), query: {} }),
  ),
  ofClients(
    'checkChecksum',
    (turn) => ({ body: { sha256: turn.toString(16).padStart(64, '0') } }),
    () => ({ body: { sha256: 'b'.repeat(64) } }),
  ),
  ofClients(
    'listSavedViews',
    () => ({}),
    () => ({}),
  ),
  ofClients(
    'getDocument',
    (turn) => anId('greedy', turn),
    () => anId('modest'),
  ),
  ofClients(
    'downloadDocument',
    (turn) => anId('greedy', turn),
    () => anId('modest'),
  ),
  ofClients(
    'getRenderResult',
    (turn) => ({ ...anId('greedy', turn), query: {} }),
    () => ({ ...anId('modest'), query: {} }),
  ),
  ofClients(
    'getPageImage',
    (turn) => ({ ...aPage('greedy', turn), query: {} }),
    () => ({ ...aPage('modest'), query: {} }),
  ),
  ofClients(
    'getPageText',
    (turn) => aPage('greedy', turn),
    () => aPage('modest'),
  ),
  ofClients(
    'listSentDocuments',
    (turn) => ({ body: { text: `%${turn}%`, size: 100 } }),
    () => ({ body: {} }),
  ),
  ofClients(
    'listOwnMetadata',
    () => ({}),
    () => ({}),
  ),
  ofAnybody(
    'listPublicDocuments',
    (turn) => ({ body: everything('public', turn) }),
    () => ({ body: {} }),
  ),
  ofAnybody(
    'checkPublicDocument',
    () => ({ params: { id: publicId } }),
    () => ({ params: { id: publicId } }),
  ),
  ofAnybody(
    'downloadPublicDocument',
    () => ({ params: { id: publicId } }),
    () => ({ params: { id: publicId } }),
  ),
  {
    name: 'uploadDocument',
    what: 'uploadDocument, files that are slow to inspect',
    worst: () => ({
      method: calls.uploadDocument.method,
      path: calls.uploadDocument.path,
      headers: {
        host: portal.settings.publicUrl.host,
        'content-type': slowUpload.contentType,
        'content-length': String(slowUpload.body.length),
        ...withSession(greedy),
      },
      body: slowUpload.body,
    }),
    ordinary: () => askFor('getPageImage', { ...aPage('modest'), query: {} }, withSession(modest)),
  },
  ofPublishers('listUnopened', () => ({ query: { limit: '500' } })),
  ofPublishers('exportUnopened', () => ({ query: {} })),
  ofPublishers('exportDeliveries', () => ({ query: {} })),
  ofPublishers('countNotices', () => ({ query: {} })),
  ofPublishers('getBatchReport', () => ({ params: { id: batchId } })),
  ofPublishers('getBatchSightings', () => ({ params: { id: batchId } })),
  ofPublishers('listReceived', () => ({ query: { limit: '500' } })),
  ofPublishers('upsertClients', (turn) => ({ body: { items: manyClients(turn) } })),
  ofPublishers('setMembers', (turn) => ({
    body: { items: [{ id: 'fair', members: manyClients(turn).map(({ cif }) => cif) }], dryRun: true },
  })),
  ofPublishers('listStatutes', () => ({})),
  ofPublishers('upsertDictionary', () => aDictionary),
  ofPublishers('checkPublications', (turn) => ({ body: { items: manyPublications(turn) } })),
  // A key that no document carries is looked for in all of them.
  ofPublishers('defineMetadata', () => ({ body: { items: [{ id: 'DOC_EXT', name: named, type: 'RAW' as const }], dryRun: true } })),
];

/** One row for each queue that there is: the others run at night. */
const byDay: ReadonlySet<string> = new Set([
  'wrong passwords from one network',
  'listOwnDocuments, received',
  'exportDocumentsCsv',
  'downloadDocument',
  'getPageImage',
  'listPublicDocuments from one network',
  'downloadPublicDocument from one network',
  'uploadDocument, files that are slow to inspect',
  'upsertClients',
]);
const [dayCases, nightCases] = [cases.filter(({ what }) => byDay.has(what)), cases.filter(({ what }) => !byDay.has(what))];

const ms = ({ idleMs, busyMs }: { idleMs: number; busyMs: number }): string => `${idleMs.toFixed(1)} → ${busyMs.toFixed(1)} ms`;

const expectNoneToWait = async ({ what, worst, ordinary }: Case): Promise<void> => {
  const beforeTurn = async () => {
    await portal.pool.query(`delete from call_counter where subject = 'check:${modest.personalId}'`);
    await portal.pool.query('delete from identity.attempt_counter');
  };
  const { medians, statuses, ahead } = await harness.compare([ordinary, listReceived], { atOnce, requests: worst, beforeTurn });
  process.stdout.write(
    `${what}: ${medians.map(ms).join(', a list ')}, ${ahead.toFixed(1)} ahead (answered: ${JSON.stringify(statuses)})\n`,
  );
  expect(ahead).toBeLessThanOrEqual(maxAhead);
  if (isNightly) for (const { idleMs, busyMs } of medians) expect(busyMs).toBeLessThanOrEqual(maxRatio * idleMs + floorMs);
};

test.each(dayCases)('$what: a hundred at once leave another as fast as before', { timeout: 60_000 }, (row) => expectNoneToWait(row));

describe.runIf(isNightly)('by night: calls that share a queue with one of those', () => {
  test.each(nightCases)('$what: a hundred at once leave another as fast as before', { timeout: 60_000 }, (row) => expectNoneToWait(row));
});

test('the table has every call that reads many rows', () => {
  const heavy = Object.values<Call>(calls).filter(({ load }) => load === 'heavy');
  const missing = heavy.filter((call) => !cases.some(({ name }) => name === call.name)).map(({ name }) => name);
  expect(missing).toEqual([]);
  expect(dayCases).toHaveLength(byDay.size);
});

test(
  'ten clients who ask for as much as they can keep an eleventh waiting for one of their calls, and not for all',
  { timeout: 60_000 },
  async () => {
    const crowd: TestClient[] = [];
    for (let nth = 0; nth < 10; nth += 1) crowd.push(await portal.signIn(`20${10 + nth}`, { cif: `crowd-${nth}`, cif2: 'greedy' }));
    const requests = (turn: number): Asked =>
      askFor('listOwnDocuments', { body: everything('received', turn) }, withSession(crowd[turn % crowd.length] ?? greedy));
    const beforeTurn = async (): Promise<void> => {};
    const ofThem: number[] = [];
    for (const turn of [1, 2, 3]) {
      const together = Array.from({ length: heavyCallsAtOnce }, (_, nth) => harness.ask(requests(1_000_000 + turn * crowd.length + nth)));
      ofThem.push(...(await Promise.all(together)).map(({ ms: taken }) => taken));
    }
    const asManyAsRun = median(ofThem);
    const each = isNightly ? atOnce : atOnce / 10;
    const { medians, statuses, ahead } = await harness.compare([listReceived], { atOnce: crowd.length * each, requests, beforeTurn });
    const told = `${medians.map(ms).join()}, ${heavyCallsAtOnce} of theirs ${asManyAsRun.toFixed(1)} ms (answered: ${JSON.stringify(statuses)})`;
    process.stdout.write(`ten clients at once: a list ${told}, ${ahead.toFixed(1)} ahead\n`);
    // Each of the ten has a share of its own; in one first-come queue eighty of a hundred are ahead at any speed, and all that are more.
    expect(ahead).toBeLessThanOrEqual(0.7 * atOnce);
    if (!isNightly) return;
    // No more than until one of theirs has ended, of those that run at a time. Without a fair queue it would be all hundreds of them.
    for (const { idleMs, busyMs } of medians) expect(busyMs).toBeLessThanOrEqual(maxRatio * idleMs + asManyAsRun + floorMs);
  },
);

test('what forty windows ask for when they are restored at once is all answered', async () => {
  const window = (): Asked[] => [
    listReceived(),
    askFor('listOwnValues', { body: { ...firstPage('received'), key: 'BAR_NUMBER' } }, withSession(modest)),
    askFor('listSavedViews', {}, withSession(modest)),
    askFor('listOwnMetadata', {}, withSession(modest)),
  ];
  const answers = await Promise.all(
    Array.from({ length: 40 }, window)
      .flat()
      .map((asked) => harness.ask(asked)),
  );
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
});
