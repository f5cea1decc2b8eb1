import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrateJobs } from '#platform/jobs/worker.ts';
import { silentLog } from '#platform/log/log.ts';
import { type MailServer, refusal, startMailServer } from '#testing/mail-server.ts';
import { openNotices } from '#testing/open-notices.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

/** A run that was taken for dead comes back while another one has its notice. */

let database: TestDatabase;
let mail: MailServer;
/** What happens when a message names its recipient. */
let onRecipient: () => Promise<void>;
let documentId: string;
let service: ReturnType<typeof openNotices>;

beforeAll(async () => {
  database = await createTestDatabase();
  await migrateJobs(database.pool, silentLog());
  mail = await startMailServer({ onRecipient: () => onRecipient() });
  service = openNotices(database, { smtpUrl: mail.url, smsUrl: 'http://127.0.0.1:1/' });
  await sql`insert into client (personal_id, cif, first_name, last_name, email)
    values ('p1', 'c1', 'Anna', 'Nowak', 'anna@example.com')`.execute(database.db);
});
beforeEach(async () => {
  mail.received.length = 0;
  onRecipient = async () => {};
  const { rows } = await sql<{ id: string }>`
    insert into document (id, type, kind, cif, file_name, object_key, sha256, size, page_count, page_sizes, published_at, search_text)
    values (gen_random_uuid(), 'PRIVATE', 'private', 'c1', 'Umowa.pdf', gen_random_uuid(), repeat('a', 64), 1, 1, '[]', now(), '')
    returning id`.execute(database.db);
  documentId = rows[0]?.id ?? '';
  await sql`
    insert into delivery (principal, document_id, kind, published_at, listed_on)
    select 'cif:' || cif, id, kind, published_at, current_date from document where id = ${documentId}::uuid`.execute(database.db);
  await sql`insert into notification (receiver, type, document_id, created_at)
    values ('p1', 'publication', ${documentId}::uuid, now())`.execute(database.db);
  await database.db.transaction().execute((trx) => service.tellOfPublication(trx, [documentId], new Date()));
});
afterAll(async () => {
  await mail[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const run = async (): Promise<void> => {
  await service.jobs['notices:send']?.({ documentId, channel: 'EMAIL' }, new AbortController().signal);
};

const notice = () => database.db.selectFrom('notice').selectAll().where('document_id', '=', documentId).executeTakeFirstOrThrow();

/** Holds the first recipient; `reached` when it is named. */
const holdFirst = () => {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isFirst = true;
  onRecipient = async () => {
    if (!isFirst) return;
    isFirst = false;
    reached.resolve();
    await released.promise;
  };
  return { reached: reached.promise, released };
};

describe('a run that comes back', () => {
  test('does not send the notice that another run has sent meanwhile, and changes nothing of what was written of it', async () => {
    const { reached, released } = holdFirst();
    const slow = run();
    await reached;
    await run();
    const sent = await notice();
    expect(sent).toMatchObject({ state: 'sent', attempts: 2, sends: 1 });
    released.resolve();
    await slow;
    expect(mail.received).toHaveLength(1);
    expect(await notice()).toEqual(sent);
  });

  test('does not send the notice that another run has taken and could not send yet', async () => {
    const { reached, released } = holdFirst();
    const slow = run();
    await reached;
    const hold = onRecipient;
    onRecipient = () => Promise.reject(refusal(451, 'later'));
    await run();
    onRecipient = hold;
    const waiting = await notice();
    expect(waiting).toMatchObject({ state: 'queued', attempts: 2, sends: 0, failures: 1 });
    released.resolve();
    await slow;
    expect(mail.received).toEqual([]);
    expect(await notice()).toEqual(waiting);
  });
});
