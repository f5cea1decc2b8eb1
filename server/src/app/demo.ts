import { fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { calls, type Call, type CallInput, requestOf } from '@pergamin/contract';
import type { IdentityAccounts } from '@pergamin/identity';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { PublisherKeys } from '#features/publishing/publishing.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Db } from '#platform/database/schema.ts';
import { isLoopback } from '#platform/http/host-guard.ts';
import type { Log } from '#platform/log/log.ts';
import type { Settings } from '#platform/settings/settings.ts';
import type { DemoPaper, DemoPapersOrder } from './demo-papers.ts';

/** Fixed, so that everybody's demonstration is the same. */
const seed = 20_261_120;
/** Ready is said when this many are in; they hold every kind and serve every client. */
const firstPapers = 60;
const dayMs = 86_400_000;
/** Has accepted the statute: all people but the one who shows a first visit. */
const firstVisitor = '10000002';

interface Parts {
  readonly server: FastifyInstance;
  readonly db: Db;
  readonly keys: PublisherKeys;
  readonly accounts: Pick<IdentityAccounts, 'create' | 'remove'>;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Log;
}

/** The moment is stored, so that every start continues with the same papers. Password and key are of this start, and written nowhere. */
interface Facts {
  readonly today: Date;
  readonly password: string;
}

export interface Demo {
  readonly password: string;
  /** Resolves when every paper is in, or the loading was stopped. */
  readonly loaded: Promise<void>;
  stop(): Promise<void>;
}

const isEmpty = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('client').select('personal_id').limit(1).executeTakeFirst()) === undefined;

const findFact = async (db: Db, name: string): Promise<string | undefined> =>
  (await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst())?.value;

/** The progress of the loading; not changed any more once the demonstration was removed. */
const keepState = async (db: Db, state: State): Promise<void> => {
  await db
    .insertInto('installation')
    .values({ name: 'demo', value: state })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: state }).where('installation.value', '<>', 'removed'))
    .execute();
};

const keepFact = async (db: Db, name: string, value: string): Promise<void> => {
  await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
};

/** Eight to twenty characters with both cases and digits; easy to type, different in each installation. */
const makePassword = (): string => `Wisla-${randomInt(1_000, 10_000)}-Pergamin`;

const keptFacts = z.object({ today: z.string() });

const readFacts = async ({ db, clock }: Parts): Promise<Facts> => {
  const password = makePassword();
  const kept = await findFact(db, 'demo.facts');
  if (kept !== undefined) return { today: new Date(keptFacts.parse(JSON.parse(kept)).today), password };
  const today = clock.now();
  await keepFact(db, 'demo.facts', JSON.stringify({ today }));
  return { today, password };
};

/** A password that was printed at an earlier start is no longer valid. */
const renewPasswords = async ({ db, accounts }: Parts, password: string): Promise<void> => {
  const people = await db.selectFrom('client').select('personal_id').where('demo', '=', true).orderBy('personal_id').execute();
  await accounts.remove(people.map((client) => client.personal_id));
  for (const { personal_id: personalId } of people) await accounts.create(personalId, password);
};

/** Revokes keys of earlier starts: only their hashes were kept. */
const issueKey = async ({ keys }: Parts): Promise<string> => {
  await keys.revokeDemo();
  return keys.issue({
    name: 'demonstration',
    scopes: ['documents:publish', 'documents:release', 'clients:write', 'statutes:publish', 'dictionaries:write', 'categories:write'],
    demo: true,
  });
};

/** The publisher's own calls, over the portal's own HTTP stack. */
const createPublisher = ({ server, settings }: Parts, key: string) => ({
  async call<C extends Call>(call: C, input: CallInput<C>): Promise<unknown> {
    const { path, init } = requestOf(call, input);
    const request = new Request(new URL(path, settings.publicUrl), init);
    const contentType = request.headers.get('content-type');
    const response = await server.inject({
      method: call.method,
      url: path,
      headers: {
        host: settings.publicUrl.host,
        authorization: `Bearer ${key}`,
        ...(contentType === null ? {} : { 'content-type': contentType }),
      },
      payload: Buffer.from(await request.arrayBuffer()),
    });
    if (response.statusCode >= 300) throw new Error(`demonstration: ${call.name} was answered ${response.statusCode}: ${response.body}`);
    return response.statusCode === 204 ? undefined : response.json();
  },
});

const formOf = (description: object, bytes: Uint8Array, name: string): FormData => {
  const form = new FormData();
  form.set('description', JSON.stringify(description));
  form.set('file', new Blob([Uint8Array.from(bytes)], { type: 'application/pdf' }), name);
  return form;
};

const loadPeople = async (parts: Parts, facts: Facts, publisher: ReturnType<typeof createPublisher>): Promise<void> => {
  const { demoCategories, demoClients, demoDictionaries, demoStatutes } = await import('@pergamin/tools/demo');
  for (const { id, name, values } of demoDictionaries)
    await publisher.call(calls.upsertDictionary, {
      params: { id },
      body: { name, values: values.map(({ key, pl, en }) => ({ key, name: { pl, en } })) },
    });
  await publisher.call(calls.upsertCategories, { body: { items: demoCategories } });
  await publisher.call(calls.upsertClients, {
    body: { items: demoClients.map((client) => ({ ...client, initialPassword: facts.password })) },
  });
  for (const statute of demoStatutes({ seed, today: facts.today })) {
    const effectiveFrom = facts.today.getTime() - statute.effectiveFromDaysAgo * dayMs;
    const description = { version: statute.version, effectiveFrom, ...(statute.changes === undefined ? {} : { changes: statute.changes }) };
    await publisher.call(calls.publishStatute, { form: formOf(description, await statute.pdf(), `statute-${statute.version}.pdf`) });
  }
  const accepted = sql`from client c, statute s where c.demo and s.demo and c.personal_id <> ${firstVisitor} on conflict do nothing`;
  await sql`insert into statute_mark (personal_id, statute_id, pages)
    select c.personal_id, s.id, array(select generate_series(1, s.page_count)) ${accepted}`.execute(parts.db);
  await sql`insert into statute_acceptance (personal_id, statute_id, version, sha256, accepted_at)
    select c.personal_id, s.id, s.version, s.sha256, s.effective_from + interval '1 hour' ${accepted}`.execute(parts.db);
};

/** A demonstration that was made before clients could send anything has nothing to send under. */
const addMissingCategories = async (parts: Parts): Promise<void> => {
  const present = await parts.db.selectFrom('document_category').select('id').limit(1).executeTakeFirst();
  if (present !== undefined) return;
  const { demoCategories } = await import('@pergamin/tools/demo');
  await createPublisher(parts, await issueKey(parts)).call(calls.upsertCategories, { body: { items: demoCategories } });
  await parts.keys.revokeDemo();
};

const markRead = async ({ db }: Parts, id: string, { readBy, daysAgo }: DemoPaper, today: Date): Promise<void> => {
  const readAt = new Date(Math.min(today.getTime(), today.getTime() - (daysAgo - 1) * dayMs));
  for (const personalId of readBy)
    await sql`insert into document_mark (personal_id, document_id, opened_at, read_at, pages, page_times)
      select ${personalId}, id, ${readAt}, ${readAt}, array(select generate_series(1, page_count)),
        (select jsonb_object_agg(page, ${readAt.getTime()}::bigint) from generate_series(1, page_count) as page)
      from document where id = ${id}
      on conflict do nothing`.execute(db);
};

const publishPaper = async (
  parts: Parts,
  { today }: Facts,
  publisher: ReturnType<typeof createPublisher>,
  paper: DemoPaper,
): Promise<void> => {
  const publishedAt = today.getTime() - paper.daysAgo * dayMs;
  const answer = await publisher.call(calls.publishDocument, {
    form: formOf({ ...paper.description, publishedAt }, paper.bytes, 'document.pdf'),
  });
  if (answer !== null && typeof answer === 'object' && 'id' in answer && typeof answer.id === 'string')
    await markRead(parts, answer.id, paper, today);
};

const isPaper = (message: unknown): message is DemoPaper => message !== null && typeof message === 'object' && 'bytes' in message;

/** Papers one after the other; the next is written while one is published. Ends early when the signal aborts. */
const papersOf = async function* (order: DemoPapersOrder, signal: AbortSignal): AsyncGenerator<DemoPaper, void> {
  const writer = fork(new URL('./demo-papers.ts', import.meta.url), { serialization: 'advanced', execArgv: [] });
  const ended = new AbortController();
  writer.once('exit', () => ended.abort(new Error('the writer of demonstration papers ended')));
  const ask = async (): Promise<DemoPaper | null> => {
    writer.send('next');
    const answers: unknown[] = await once(writer, 'message', { signal: AbortSignal.any([signal, ended.signal]) });
    return answers.find(isPaper) ?? null;
  };
  writer.send(order);
  try {
    let upcoming = ask();
    for (;;) {
      const paper = await upcoming;
      if (paper === null) return;
      upcoming = ask();
      // Handled when it is awaited, or never when the reader has stopped.
      upcoming.catch(() => {});
      yield paper;
    }
  } finally {
    writer.kill();
  }
};

type State = 'first' | 'rest' | 'loaded' | 'removed';

const findState = async ({ db, settings }: Parts): Promise<State | 'none'> => {
  if (settings.demo === 'off' || !isLoopback(settings.publicUrl)) return 'none';
  const state = await findFact(db, 'demo');
  if (state === 'first' || state === 'rest' || state === 'loaded' || state === 'removed') return state;
  return (await isEmpty(db)) ? 'first' : 'none';
};

/**
 * Fills an empty portal on loopback with people and documents, through the publisher's calls. Resolves when the first sixty are in;
 * the rest follow in the background, and after a kill the next start continues (publications are repeatable by their unique names). Undefined
 * when there is no demonstration here.
 */
export const openDemo = async (parts: Parts): Promise<Demo | undefined> => {
  const state = await findState(parts);
  if (state === 'none' || state === 'removed') return undefined;
  const facts = await readFacts(parts);
  const { password } = facts;
  await renewPasswords(parts, password);
  if (state !== 'first') await addMissingCategories(parts);
  if (state === 'loaded') return { password, loaded: Promise.resolve(), stop: async () => {} };

  const stopping = new AbortController();
  const publisher = createPublisher(parts, await issueKey(parts));
  if (state === 'first') {
    await keepState(parts.db, 'first');
    await loadPeople(parts, facts, publisher);
  }
  const papers = papersOf({ seed, today: facts.today, statementMarkerKey: parts.settings.statementMarkerKey }, stopping.signal);
  if (state === 'first') {
    for (let published = 0; published < firstPapers; published += 1) {
      const { value: paper, done } = await papers.next();
      if (done !== true) await publishPaper(parts, facts, publisher, paper);
    }
    await keepState(parts.db, 'rest');
  }
  const loadRest = async (): Promise<void> => {
    for await (const paper of papers) await publishPaper(parts, facts, publisher, paper);
    await keepState(parts.db, 'loaded');
    await parts.keys.revokeDemo();
  };
  const loaded = loadRest().catch(async (error: unknown) => {
    if (stopping.signal.aborted) return;
    const now = await findFact(parts.db, 'demo').catch(() => undefined);
    if (now !== 'removed') parts.log.error({ err: error }, 'the demonstration could not be loaded');
  });
  return {
    password,
    loaded,
    async stop() {
      stopping.abort();
      await loaded;
    },
  };
};
