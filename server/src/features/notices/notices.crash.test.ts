import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { migrateJobs } from '#platform/jobs/worker.ts';
import { silentLog } from '#platform/log/log.ts';
import { createSeeded } from '#testing/seeded.ts';
import { type MailServer, startMailServer } from '#testing/mail-server.ts';
import { isNightly } from '#testing/nightly.ts';
import { openNotices } from '#testing/open-notices.ts';
import { type SmsPeer, startSmsGateway } from '#testing/sms-gateway.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

const notices = isNightly ? 500 : 20;
const kills = isNightly ? 50 : 2;
const program = fileURLToPath(new URL('../../testing/notices-worker-process.ts', import.meta.url));

let database: TestDatabase;
let mail: MailServer;
let gateway: SmsPeer;
let child: ChildProcess | undefined;
type Stage = 'recipient' | 'whole' | 'sms';
/** What happens when a message has come so far. */
let onStage: (stage: Stage) => Promise<void> = async () => {};

beforeAll(async () => {
  database = await createTestDatabase();
  await migrateJobs(database.pool, silentLog());
  mail = await startMailServer({ onRecipient: () => onStage('recipient'), onMail: () => onStage('whole') });
  gateway = await startSmsGateway();
  gateway.answerWith(async () => {
    await onStage('sms');
    return { status: 200, body: '{"id":"x"}' };
  });
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await mail[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Each with a client of its own, every other one of them reached by SMS; as a release leaves them, told in the portal. */
const insertDocuments = async (): Promise<string[]> => {
  await sql`
    insert into client (personal_id, cif, first_name, last_name, email, phone)
    select 'p' || n, 'c' || n, 'Anna', 'Nowak', case when n % 2 = 0 then n || '@example.com' end,
      case when n % 2 = 1 then '+48600' || lpad(n::text, 6, '0') end
    from generate_series(1, ${notices}::int) n`.execute(database.db);
  const { rows } = await sql<{ id: string }>`
    insert into document (id, type, kind, cif, file_name, object_key, sha256, size, page_count, page_sizes, published_at, search_text)
    select gen_random_uuid(), 'PRIVATE', 'private', 'c' || n, 'Umowa.pdf', 'key-' || n, lpad(n::text, 64, '0'), 1, 1, '[]', now(), ''
    from generate_series(1, ${notices}::int) n
    returning id`.execute(database.db);
  await sql`
    insert into delivery (principal, document_id, kind, published_at, listed_on)
    select 'cif:' || cif, id, kind, published_at, current_date from document`.execute(database.db);
  await sql`
    insert into notification (receiver, type, document_id, created_at)
    select 'p' || substr(cif, 2), 'publication', id, published_at from document`.execute(database.db);
  return rows.map(({ id }) => id);
};

/** How often each notice came out of the building. */
const countArrivals = (): Map<string, number> => {
  const came = new Map<string, number>();
  const count = (id = ''): unknown => came.set(id, (came.get(id) ?? 0) + 1);
  for (const { raw } of mail.received) count(/^Message-ID: <([\w-]+)@/m.exec(raw)?.[1]);
  for (const { raw } of gateway.received) count(/"reference":"([\w-]+)"/.exec(raw)?.[1]);
  return came;
};

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

test(
  'a process that is killed again and again loses no notice, and each row says how often it was sent',
  { timeout: isNightly ? 1_800_000 : 120_000 },
  async () => {
    const documentIds = await insertDocuments();
    const random = createSeeded(20_261_120);
    const length = Math.floor(notices / kills);
    const fatal = new Set(Array.from({ length: kills }, (_, index) => index * length + random(length)));
    let killed = 0;

    const start = (): void => {
      child = spawn(process.execPath, [program, database.url, mail.url, gateway.url], { stdio: ['ignore', 'ignore', 'inherit'] });
    };
    const replace = async (): Promise<void> => {
      const dead = child;
      if (dead === undefined || dead.exitCode !== null || dead.signalCode !== null) return;
      killed += 1;
      const gone = once(dead, 'exit');
      dead.kill('SIGKILL');
      await gone;
      start();
    };

    // Counted by recipients and SMS; of a mail, the seed decides whether it is before or after the whole of it.
    let messages = 0;
    let armed: Stage | undefined;
    onStage = async (stage) => {
      if (stage !== 'whole') {
        if (fatal.delete(messages)) armed = stage === 'sms' ? 'sms' : random(2) === 0 ? 'recipient' : 'whole';
        messages += 1;
      }
      if (armed !== stage) return;
      armed = undefined;
      await replace();
    };

    start();
    const service = openNotices(database, { smtpUrl: mail.url, smsUrl: gateway.url });
    for (const id of documentIds) await database.db.transaction().execute((trx) => service.tellOfPublication(trx, [id], new Date()));
    const rows = () => database.db.selectFrom('notice').selectAll().execute();
    await vi.waitFor(async () => expect((await rows()).filter(({ state }) => state !== 'sent')).toEqual([]), {
      timeout: isNightly ? 1_700_000 : 110_000,
      interval: 50,
    });

    const came = countArrivals();
    const sent = await rows();
    expect(killed).toBe(kills);
    expect(sent).toHaveLength(notices);
    expect(came.size).toBe(notices);
    for (const { id, sends, attempts } of sent) {
      const times = came.get(id) ?? 0;
      expect([id, times >= 1, times <= sends, sends <= attempts]).toEqual([id, true, true, true]);
    }
    const handedOver = sum(sent.map(({ sends }) => sends));
    // Each kill may cost one repetition of either channel, and no more.
    expect(handedOver).toBeLessThanOrEqual(notices + 2 * kills);
    expect(sum(sent.map(({ attempts }) => attempts))).toBeGreaterThanOrEqual(notices + kills);
    const arrived = sum(came.values());
    process.stdout.write(`${kills} kills over ${notices} notices: handed over ${handedOver} times, arrived ${arrived} times\n`);
  },
);
