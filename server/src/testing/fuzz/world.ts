import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallName } from '@pergamin/contract';
import { sendBatch } from '#testing/batches.ts';
import { aPdf } from '#testing/pdfs.ts';
import { keepCategories, upload } from '#testing/sending.ts';
import { createTestBrowser, createVerifier, encodeLogin, obtainCode } from '#testing/sign-in-as.ts';
import { readAndAccept } from '#testing/reading.ts';
import { password, startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';
import type { Answer } from './exchange.ts';
import type { Operation } from './operations.ts';
import type { Plan } from './plans.ts';
import type { Example } from './requests.ts';

/** A portal with a client, documents of that client and of another one, and a valid request to each call. */
export interface World extends AsyncDisposable {
  readonly portal: TestPortal;
  /** For a process of its own. */
  readonly environment: Record<string, string>;
  /** Another client, who lists a document of their own. */
  readonly other: TestClient;
  headersOf(plan: Plan, index: number): Record<string, string>;
  exampleOf(plan: Plan): Promise<Example | undefined>;
  /** Takes note of a new token. Undefined, or what must be done next: to sign in again, to accept terms, to require no metadata. */
  learnFrom(plan: Plan, answer: Answer): Promise<void> | undefined;
}

interface Owned {
  readonly client: TestClient;
  /** By what it is of. */
  readonly ids: ReadonlyMap<string, string>;
}

const reportToken = 'r'.repeat(32);
const addressHeader = 'x-forwarded-for';

/** What the id in a path is of, by how the path begins; the first that fits. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/\/documents\/statute\//, 'statute'],
  [/\/documents\/client\/|\/publisher\/received\//, 'sent'],
  [/\/views\/folders\//, 'folder'],
  [/\/views\//, 'view'],
  [/\/notifications\//, 'notification'],
  [/\/api\/open\//, 'public'],
  [/\/protected\/documents\//, 'own'],
];

/** A key that a request has just made required is missing in every document of the examples. */
const requireNoMetadata = async ({ publisher }: TestPortal): Promise<void> => {
  const { items } = (await publisher.call('listDefinitions', {})).body;
  const required = items.filter((item) => item.required === true && item.id !== 'FILE_NAME');
  if (required.length === 0) return;
  const { error } = await publisher.call('defineMetadata', { body: { items: required.map((item) => ({ ...item, required: false })) } });
  if (error !== undefined) throw new Error(JSON.stringify(error));
};

export const startWorld = async (): Promise<World> => {
  const branding = await mkdtemp(join(tmpdir(), 'pergamin-fuzz-'));
  await writeFile(join(branding, 'theme.json'), JSON.stringify({ hue: 200, chroma: 0.1 }));
  const environment = {
    BRANDING_DIR: branding,
    TRUSTED_PROXIES: '127.0.0.1',
    SENDING_FILES_PER_DAY: '100000',
    SENDING_FILES_PER_SESSION: '1000',
    SMS_URL: 'http://127.0.0.1:9/sms',
    SMS_REPORT_TOKEN: reportToken,
  };
  const portal = await startTestPortal({ environment });
  await keepCategories(portal.publisher);
  const statute = (await portal.publishStatute({ version: '1', pdf: aPdf() })).body.id;
  const publicId = (await portal.publish({ type: 'PUBLIC', pdf: aPdf({ text: 'Taryfa' }), metadata: {} })).body.id;
  const other = await portal.signIn('2001', { cif: '7002' });
  await readAndAccept(other, statute);
  const foreign = (await portal.publish({ cif: '7002', pdf: aPdf({ text: 'Cudze' }) })).body.id;

  let cif = '';

  const acceptTerms = async (client: TestClient, authorization = client.token): Promise<void> => {
    const inForce = await client.call('getStatuteInForce', {}, { authorization });
    if (inForce.status === 401) return enterAgain();
    const { id, accepted } = inForce.body;
    if (id !== null && !accepted) await readAndAccept({ call: (name, input) => client.call(name, input, { authorization }) }, id);
    return undefined;
  };

  /** A new person each time, with documents of their own: earlier requests may have locked the one before out. */
  const enter = async (number: number): Promise<Owned> => {
    cif = `70${number}`;
    const client = await portal.signIn(`30${number}`, { cif, email: `fuzz${number}@example.com` });
    await acceptTerms(client);
    const own = (await portal.publish({ cif, pdf: aPdf({ text: randomUUID() }) })).body.id;
    const folder = (await client.call('createViewFolder', { body: { name: 'Bank' } })).body.id;
    const view = { name: 'Umowy', folderId: folder, kind: 'received' as const, content: { period: 'LAST_3_MONTHS' } };
    const ids = new Map([
      ['own', own],
      ['folder', folder],
      ['view', (await client.call('createSavedView', { body: view })).body.id],
      ['sent', (await upload(client, { pdf: aPdf() })).body.id],
      ['notification', (await client.call('listNotifications', {})).body.items[0]?.id ?? randomUUID()],
      ['statute', statute],
      ['public', publicId],
      ['foreign', foreign],
      ['nothing', randomUUID()],
    ]);
    return { client, ids };
  };

  let entered = 1;
  let owned = await enter(entered);
  let { token } = owned.client;

  const enterAgain = async (): Promise<void> => {
    entered += 1;
    owned = await enter(entered);
    ({ token } = owned.client);
  };

  const idFor = ({ operation: { path }, id }: Plan): string => {
    const all = [...owned.ids.values()];
    if (id !== 'fitting') return all[id % all.length] ?? '';
    const kind = kinds.find(([pattern]) => pattern.test(path))?.[1] ?? 'own';
    return owned.ids.get(kind) ?? '';
  };

  const loginForm = async (): Promise<Example> => {
    const browser = createTestBrowser(portal.server, portal.settings.publicUrl.host);
    const { code, verifier } = await obtainCode(browser, { personalId: '2001', password });
    return { form: { code: encodeLogin({ code, v: verifier }) }, headers: { cookie: browser.cookieHeader('/api/auth/login') } };
  };

  const openBatch = async (): Promise<Example> => ({
    params: { id: (await portal.publisher.call('openBatch', { body: { name: randomUUID() } })).body.id },
  });

  const query = { text: null, criteria: { metadata: [{ id: 'FILE_NAME', operator: 'LIKE', value: '%a%' }], period: null }, sort: [] };
  const description = () => ({
    type: 'PRIVATE' as const,
    fileName: 'Umowa.pdf',
    cif,
    metadata: { REG_DATE: '2026-01-31', ACCOUNT_NUMBER: '12 34' },
  });
  const named = { pl: 'a', en: 'b' };
  const person = { personalId: '4001', cif: '7009', firstName: 'Anna', lastName: 'Nowak', email: 'anna@example.com' };
  const filters = [
    { key: 'FILE_NAME', value: 'umowa' },
    { key: 'REG_DATE', from: '2026-01-01', to: null },
  ];
  const content = { text: 'umowa', period: 'LAST_3_MONTHS', filters };
  const view = { kind: 'received', content };
  const examples: Partial<Record<CallName, (plan: Plan) => Example | Promise<Example>>> = {
    startSignIn: () => ({ params: { personalId: '2001' }, query: { state: createVerifier().state } }),
    returnFromService: () => ({ params: { serviceId: 'pergamin' }, query: { state: createVerifier().state } }),
    findSignInService: () => ({ params: { personalId: '2001' } }),
    verifySso: () => ({ query: { state: createVerifier().state } }),
    backchannelLogout: () => ({
      params: { serviceId: 'pergamin' },
      raw: { type: 'application/x-www-form-urlencoded', text: 'logout_token=a.b.c' },
    }),
    login: ({ mutations, oddity }) =>
      mutations.length === 0 && oddity === null ? loginForm() : { form: { code: encodeLogin({ code: 'a', v: 'b' }) } },
    setupChannel: () => ({ params: { channel: 'EMAIL' } }),
    setupLanguage: () => ({ params: { language: 'EN' } }),
    changePassword: () => ({ body: { oldPassword: password, newPassword: `Other-horse-${entered}` } }),
    getTranslations: () => ({ query: { lang: 'PL' } }),
    getChangelog: () => ({ query: { lang: 'PL' } }),
    getAccessibilityStatement: () => ({ query: { lang: 'EN' } }),
    listOwnDocuments: () => ({ body: query }),
    listPublicDocuments: () => ({ body: query }),
    listOwnValues: () => ({ body: { ...query, key: 'REG_DATE' } }),
    searchOwnDocuments: () => ({ body: { text: 'umowa' } }),
    exportDocumentsCsv: () => ({ body: { language: 'PL', columns: ['FILE_NAME', 'REG_DATE'], query } }),
    downloadDocumentsZip: (plan) => ({ body: { ids: [idFor(plan)] } }),
    checkChecksum: () => ({ body: { sha256: 'ab'.repeat(32) } }),
    createSavedView: () => ({ body: { ...view, name: `U${randomUUID()}` } }),
    updateSavedView: () => ({ body: { name: `U${randomUUID()}`, content } }),
    createViewFolder: () => ({ body: { name: `F${randomUUID()}` } }),
    updateViewFolder: () => ({ body: { name: `F${randomUUID()}` } }),
    listSentDocuments: () => ({ body: { criteria: { filename: 'a', createdOnAfter: 0 } } }),
    uploadDocument: () => ({
      form: { description: { filename: 'a.pdf', categoryId: 'COMPLAINTS', typeId: 'COMPLAINT' }, file: Buffer.from(aPdf()) },
    }),
    publishDocument: () => ({ form: { description: description(), file: Buffer.from(aPdf({ text: randomUUID() })) } }),
    checkPublications: () => ({ body: { items: [description()] } }),
    openBatch: () => ({ body: { name: 'fuzz' } }),
    addToBatch: async () => ({
      ...(await openBatch()),
      form: { description: { ...description(), uniqueName: randomUUID() }, file: Buffer.from(aPdf({ text: randomUUID() })) },
    }),
    getBatch: openBatch,
    getBatchReport: openBatch,
    discardBatch: openBatch,
    listBatches: () => ({ query: { limit: '10' } }),
    commitBatch: async () => ({
      params: { id: await sendBatch(portal.publisher, randomUUID(), [{ ...description(), uniqueName: randomUUID() }]) },
      body: { documents: 1 },
    }),
    publishStatute: () => ({
      form: { description: { version: randomUUID(), effectiveFrom: 4e12 }, file: Buffer.from(aPdf({ text: randomUUID() })) },
    }),
    listMembers: () => ({ params: { id: 'vip' } }),
    setMembers: () => ({ body: { items: [{ id: 'vip', members: ['7009'] }] } }),
    withdrawStatute: async () => {
      const version = randomUUID();
      await portal.publishStatute({ version, effectiveFrom: 4e12, pdf: aPdf({ text: version }) });
      return { body: { version, reason: 'fuzz' } };
    },
    upsertClients: () => ({ body: { items: [person] } }),
    changeClientState: () => ({ params: { client: '4001' }, body: { state: 'CLOSED', reason: 'fuzz' } }),
    getClientHistory: () => ({ params: { client: '4001' } }),
    upsertDictionary: () => ({ params: { id: 'FUZZ' }, body: { name: named, values: [{ key: 'K', name: named }] } }),
    defineMetadata: () => ({ body: { items: [{ id: 'FUZZ', name: named, type: 'TEXT' }] } }),
    upsertCategories: () => ({ body: { items: [{ id: 'FUZZ', name: named, types: [{ id: 'FUZZ_ONE', name: named }] }] } }),
    listReceived: () => ({ query: { since: '0', limit: '10' } }),
    listUnopened: () => ({ query: { limit: '10' } }),
    reportBounce: async () => {
      const { body } = await portal.publisher.call('listUnopened', { query: {} });
      return { body: { id: body.items.find(({ notice }) => notice !== null)?.notice?.id ?? randomUUID() } };
    },
    reportDelivery: () => ({ params: { token: reportToken }, raw: { type: 'application/json', text: '{"id":"a","status":"failed"}' } }),
  };

  const fitting = ({ area, name }: Operation): 'anonymous' | 'client' | 'publisher' => {
    if (area === 'publisher') return 'publisher';
    return area === 'protected' || name === 'refresh' || name === 'logout' || name === 'checkChecksum' ? 'client' : 'anonymous';
  };

  return {
    portal,
    environment,
    other,
    headersOf({ operation, actor }, index) {
      const who = actor === 'fitting' ? fitting(operation) : actor;
      // Another network for each, so that the limits of open calls do not answer for them.
      const from = [10, (index >> 16) & 255, (index >> 8) & 255, index & 255].join('.');
      const headers = { host: portal.settings.publicUrl.host, [addressHeader]: from };
      if (who === 'publisher') return { ...headers, authorization: `Bearer ${portal.publisherKey}` };
      if (who === 'client') return { ...headers, authorization: token, cookie: owned.client.cookie };
      return headers;
    },
    async exampleOf(plan) {
      const { operation } = plan;
      const hasId = Object.hasOwn(operation.params, 'id') && operation.name !== 'upsertDictionary' && operation.name !== 'verifySso';
      const params = {
        ...(hasId ? { id: idFor(plan) } : {}),
        ...(Object.hasOwn(operation.params, 'page') ? { page: '1' } : {}),
      };
      const example = await examples[operation.name]?.(plan);
      return { ...example, params: { ...params, ...example?.params } };
    },
    learnFrom({ operation, actor }, { status, headers }) {
      if (operation.name === 'publishStatute' && status < 300) return acceptTerms(other);
      if (operation.name === 'defineMetadata' && status < 300) return requireNoMetadata(portal);
      const asClient = actor === 'client' || (actor === 'fitting' && fitting(operation) === 'client');
      if (!asClient) return undefined;
      const renewed = headers['authorization'];
      const isOver = (status === 401 && operation.area === 'protected') || (operation.name === 'logout' && status < 300);
      if (operation.name === 'refresh' && typeof renewed === 'string') token = renewed;
      else if (isOver) return enterAgain();
      else if (status === 403) return acceptTerms(owned.client, token);
      return undefined;
    },
    async [Symbol.asyncDispose]() {
      await portal[Symbol.asyncDispose]();
      await rm(branding, { recursive: true, force: true });
    },
  };
};
