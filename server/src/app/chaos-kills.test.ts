import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { calls, pathOf } from '@pergamin/contract';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readLastScrub } from '#features/documents/documents.door.ts';
import { markAllPages } from '#testing/reading.ts';
import { createSeeded } from '#testing/seeded.ts';
import { startMailServer } from '#testing/mail-server.ts';
import { startPortalProcess } from '#testing/start-portal-process.ts';
import { type Asked, sendTo, sentForm, serverAt } from '#testing/send-to.ts';
import { keepCategories } from '#testing/sending.ts';
import { signInThroughIdentity } from '#testing/sign-in-as.ts';
import { writePages } from '#testing/simple-pdf.ts';
import { formOf, password, startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/*
 * A portal that is killed again and again while clients and publishers use it. What was acknowledged is there afterwards, once. `CHAOS_KILLS`
 * says how many times, 1 000 at night; `CHAOS_SEED` repeats a night.
 */
const kills = Number(process.env['CHAOS_KILLS'] ?? '0');
const seed = Number(process.env['CHAOS_SEED'] ?? String(Date.now() % 2 ** 31));
const longestLifeMs = 1_500;
/** Every tenth process may live until the queues of the one before are free, and is killed among its mails. */
const longestOfTenthMs = 8_000;

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Done again with the same words until it is acknowledged. */
interface Work {
  readonly name: string;
  readonly ask: () => Promise<Asked>;
  readonly acknowledge: (body: string) => void;
}

const publications = (portal: TestPortal, acknowledged: Map<string, { id: string; sha256: string }>) => {
  let count = 0;
  return (): Work => {
    count += 1;
    const uniqueName = `chaos-${count}`;
    const pdf = writePages([`/MediaBox[0 0 ${200 + (count % 500)} ${200 + Math.floor(count / 500)}]`]);
    const description = {
      uniqueName,
      type: 'PRIVATE',
      fileName: 'Umowa.pdf',
      metadata: {},
      cif: `94${String((count % clients.length) + 1).padStart(3, '0')}`,
    };
    return {
      name: uniqueName,
      async ask() {
        const { headers, payload } = await sentForm(formOf(description, pdf));
        return {
          method: 'POST',
          url: calls.publishDocument.path,
          headers: { ...headers, authorization: `Bearer ${portal.publisherKey}` },
          payload,
        };
      },
      acknowledge: (body) =>
        void acknowledged.set(uniqueName, { id: z.object({ id: z.string() }).parse(JSON.parse(body)).id, sha256: sha256Of(pdf) }),
    };
  };
};

const uploads = (client: TestClient, acknowledged: Map<string, { id: string; sha256: string }>) => {
  let count = 0;
  return (): Work => {
    count += 1;
    const key = `chaos-upload-${count}`;
    const pdf = writePages([`/MediaBox[0 0 ${300 + (count % 500)} ${300 + Math.floor(count / 500)}]`]);
    const description = { filename: `${key}.pdf`, categoryId: 'COMPLAINTS', typeId: 'COMPLAINT' };
    return {
      name: key,
      async ask() {
        const { headers, payload } = await sentForm(formOf(description, pdf));
        const known = { authorization: client.token, cookie: client.cookie, 'idempotency-key': key };
        return { method: 'POST', url: calls.uploadDocument.path, headers: { ...headers, ...known }, payload };
      },
      acknowledge: (body) =>
        void acknowledged.set(key, { id: z.object({ id: z.string() }).parse(JSON.parse(body)).id, sha256: sha256Of(pdf) }),
    };
  };
};

/** Of one document of this client after the other. */
const marks = (client: TestClient, documents: readonly string[], acknowledged: Set<string>) => {
  let count = 0;
  return (): Work => {
    const id = documents[count % documents.length] ?? '';
    count += 1;
    return {
      name: `mark ${id}`,
      ask: async () => ({
        method: 'POST',
        url: pathOf(calls.markRead, { params: { id } }),
        headers: { authorization: client.token, cookie: client.cookie },
      }),
      acknowledge: () => void acknowledged.add(id),
    };
  };
};

const clients = ['4001', '4002', '4003'];
const markedDocuments = 50;
/** One client sends all night, and its session stays open. */
const generous = { SENDING_FILES_PER_SESSION: '1000', SENDING_FILES_PER_DAY: '100000', SESSION_IDLE_MINUTES: '1440' };

const setUp = async (smtpUrl: string) => {
  // The one that is killed runs the jobs.
  const portal = await startTestPortal({
    environment: { ...generous, ROLE: 'web', SMTP_URL: smtpUrl, SCRUB_DAYS: '1' },
  });
  await keepCategories(portal.publisher);
  for (const [index, personalId] of clients.entries())
    await portal.addClient(personalId, { cif: `94${String(index + 1).padStart(3, '0')}`, email: `client-${personalId}@example.com` });
  const client = await portal.signIn('4001');
  const documents: string[] = [];
  for (let count = 0; count < markedDocuments; count += 1) {
    const pdf = writePages([`/MediaBox[0 0 ${400 + count} 400]`]);
    const { id } = (await portal.publish({ uniqueName: `marked-${count}`, cif: '94001', pdf })).body;
    // Closing each of them then marks it as read.
    await markAllPages(client, id);
    documents.push(id);
  }
  return { portal, client, documents };
};

test.skipIf(kills === 0)(
  `${kills} kills while documents are published, sent, marked and told of, and people sign in: what was acknowledged is there, once (seed ${seed})`,
  { timeout: 3 * 3_600_000 },
  async () => {
    await using mail = await startMailServer();
    const { portal, client, documents } = await setUp(mail.url);
    await using _portal = portal;
    const { host } = portal.settings.publicUrl;
    const random = createSeeded(seed);
    const published = new Map<string, { id: string; sha256: string }>();
    const sent = new Map<string, { id: string; sha256: string }>();
    const marked = new Set<string>();
    const refused: string[] = [];
    const sessions: { token: string; cookie: string }[] = [];
    const sources = [publications(portal, published), uploads(client, sent), marks(client, documents, marked)];
    const pending: (Work | undefined)[] = sources.map(() => undefined);

    const environment = { ...generous, SMTP_URL: mail.url, WITHOUT_LIMITS: '1' };
    /** False when no answer came: the same is asked again of the next process. */
    const ask = async (port: number, source: number): Promise<boolean> => {
      const work = (pending[source] ??= sources[source]?.());
      const answer = work && (await sendTo(port, host, await work.ask()).catch(() => undefined));
      if (work === undefined || answer === undefined) return false;
      if (answer.statusCode === 503) return true;
      pending[source] = undefined;
      if (answer.statusCode < 300) work.acknowledge(answer.body);
      else refused.push(`${work.name}: ${answer.statusCode} ${answer.body}`);
      return true;
    };
    /** One thing after the other, until the process is gone. */
    const flow = async (port: number, source: number, isOver: () => boolean): Promise<void> => {
      while (!isOver() && (await ask(port, source)));
    };
    const signIns = async (port: number, isOver: () => boolean): Promise<void> => {
      while (!isOver()) {
        const session = await signInThroughIdentity(serverAt(port, host), { personalId: '4002', password, host }).catch(() => undefined);
        if (session !== undefined) sessions.push(session);
      }
    };

    for (let kill = 0; kill < kills; kill += 1) {
      const process = await startPortalProcess(portal, environment);
      let isOver = false;
      // Sessions that were acknowledged before the kill are sessions after it.
      for (const { token, cookie } of sessions.splice(0).slice(-3)) {
        const { statusCode } = await sendTo(process.port, host, {
          url: pathOf(calls.getAccount, {}),
          headers: { authorization: token, cookie },
        });
        expect(statusCode, `a session of before kill ${kill}`).toBe(200);
      }
      const flows = Promise.all(
        [...sources.keys()].map((source) => flow(process.port, source, () => isOver)).concat(signIns(process.port, () => isOver)),
      );
      await pause(random(kill % 10 === 9 ? longestOfTenthMs : longestLifeMs));
      isOver = true;
      await process.kill();
      await flows;
    }
    expect(refused).toEqual([]);

    const last = await startPortalProcess(portal, environment);
    try {
      // What the last kill interrupted is asked again.
      for (const source of sources.keys()) expect(await ask(last.port, source)).toBe(true);
      expect(pending.every((work) => work === undefined)).toBe(true);
      await expect
        .poll(async () => (await portal.db.selectFrom('notice').select('id').where('state', '=', 'queued').execute()).length, {
          // Few processes live long enough to free the queue that the one before them held, so that the last one sends most of them.
          timeout: 60_000 + kills * 1_000,
          interval: 1_000,
        })
        .toBe(0);
    } finally {
      await last.kill();
    }

    const rows = await portal.db
      .selectFrom('document')
      .select(['id', 'unique_name', 'sha256', 'published_at'])
      .where('unique_name', 'like', 'chaos-%')
      .execute();
    expect(new Map(rows.map(({ id, unique_name: name, sha256 }) => [name, { id, sha256 }]))).toEqual(published);
    expect(rows).toHaveLength(published.size);
    expect(rows.filter(({ published_at: at }) => at === null)).toEqual([]);

    const files = await portal.db.selectFrom('sent_document').select(['id', 'idempotency_key', 'sha256']).execute();
    expect(new Map(files.map(({ id, idempotency_key: key, sha256 }) => [key, { id, sha256 }]))).toEqual(sent);
    expect(files).toHaveLength(sent.size);

    const read = await portal.db.selectFrom('document_mark').select('document_id').where('read_at', 'is not', null).execute();
    expect(new Set(read.map(({ document_id: id }) => id))).toEqual(marked);

    const notices = await portal.db.selectFrom('notice').select(['document_id', 'receiver', 'kind', 'state', 'message_id']).execute();
    expect(notices.filter(({ state }) => state !== 'sent')).toEqual([]);
    expect(new Set(notices.map((notice) => `${notice.document_id} ${notice.receiver} ${notice.kind}`)).size).toBe(notices.length);
    expect(notices).toHaveLength(published.size + documents.length);
    const delivered = mail.received.map(({ raw }) => raw).join('\n');
    expect(notices.filter(({ message_id: id }) => id === null || !delivered.includes(id))).toEqual([]);

    await portal.runJob('ledger:scrub');
    const scrub = await readLastScrub(portal.db);
    expect(scrub).toMatchObject({ damaged: 0, unreadable: 0, disputed: 0, isLedgerSound: true });
    expect(scrub.read).toBe(published.size + documents.length);
    process.stderr.write(
      `${kills} kills: ${published.size} published, ${sent.size} sent, ${marked.size} marked, ${notices.length} notices, ${mail.received.length} mails\n`,
    );
  },
);
