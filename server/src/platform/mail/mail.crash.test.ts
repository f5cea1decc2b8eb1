import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '#platform/clock/clock.ts';
import { createJobs } from '#platform/jobs/jobs.ts';
import { migrateJobs, startWorker } from '#platform/jobs/worker.ts';
import { silentLog } from '#platform/log/log.ts';
import { startMailServer } from '#testing/mail-server.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { createMail, type MailService } from './create-mail.ts';

const log = silentLog();
const program = fileURLToPath(new URL('../../testing/mail-worker-process.ts', import.meta.url));
const sentences = {
  'brand.organisation': 'Bank Wiślany',
  'mail.passwordReset.subject': 'A new password',
  'mail.passwordReset.text': 'Set it here:\n\n{{link}}',
};

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await migrateJobs(database.pool, log);
});

beforeEach(async () => {
  await database.pool.query('delete from graphile_worker._private_jobs');
  await database.pool.query('delete from mail_outbox');
});

afterAll(() => database[Symbol.asyncDispose]());

const serviceFor = (smtpUrl: string): MailService =>
  createMail({
    db: database.db,
    jobs: createJobs(database.db),
    settings: {
      publicUrl: new URL('https://documents.example.com'),
      smtpUrl: new URL(smtpUrl),
      mailFrom: 'no-reply@documents.example.com',
    },
    sentences: () => sentences,
    clock: systemClock,
    log,
  });

const sendOne = (service: MailService): Promise<void> =>
  service.send({
    to: 'anna@example.com',
    language: 'EN',
    template: 'passwordReset',
    values: { link: 'https://documents.example.com/r#1' },
  });

const row = () => database.db.selectFrom('mail_outbox').selectAll().executeTakeFirstOrThrow();

/** Other processes have to do something first; how soon they do is not what is tested. */
const eventually = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 15_000, interval: 20 });

const startProcess = (smtpUrl: string): ChildProcess =>
  spawn(process.execPath, [program, database.url, smtpUrl], { stdio: ['ignore', 'ignore', 'inherit'] });

const kill = async (child: ChildProcess): Promise<void> => {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
};

/** A server whose first answer never comes, at the point that is asked for. */
const startStuckServer = async (point: 'onRecipient' | 'onMail') => {
  const reached = Promise.withResolvers<void>();
  let isFirst = true;
  const stick = async (): Promise<void> => {
    if (!isFirst) return;
    isFirst = false;
    reached.resolve();
    await new Promise<void>(() => {});
  };
  return { server: await startMailServer({ [point]: stick }), reached: reached.promise };
};

/** The worker that comes after the dead one. */
const finish = async (service: MailService): Promise<void> => {
  const worker = await startWorker({ pool: database.pool, handlers: service.jobs, concurrency: 2, log, recoverEveryMs: 100 });
  await eventually(async () => {
    const { rowCount } = await database.pool.query('select from graphile_worker._private_jobs');
    expect(rowCount).toBe(0);
  });
  await worker.stop();
};

describe('a process that is killed', () => {
  test('a process killed before the mail has come through sends nothing; the next one sends it', async () => {
    const { server, reached } = await startStuckServer('onRecipient');
    await using held = server;
    const service = serviceFor(held.url);
    await sendOne(service);
    const child = startProcess(held.url);
    await reached;
    await kill(child);
    expect(await row()).toMatchObject({ state: 'sending', attempts: 1 });
    await finish(service);
    expect(held.received).toHaveLength(1);
    expect(await row()).toMatchObject({ state: 'sent', attempts: 1, content: null });
  });

  test('between the mail and its final dot sends nothing; the next one sends it', async () => {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await using server = await startMailServer({
      async onRecipient() {
        reached.resolve();
        await released.promise;
      },
    });
    const service = serviceFor(server.url);
    await sendOne(service);
    const child = startProcess(server.url);
    await reached.promise;
    // The table is locked, so the process waits before it may record the hand-over, with everything but the final dot sent.
    const held = await database.pool.connect();
    await held.query('begin');
    await held.query('select from mail_outbox for update');
    released.resolve();
    let pid = 0;
    await eventually(async () => {
      const { rows } = await database.pool.query<{ pid: number }>(
        `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like 'update "mail_outbox"%' and datname = current_database()`,
      );
      expect(rows).toHaveLength(1);
      pid = rows[0]?.pid ?? 0;
    });
    await kill(child);
    // A statement that waits for a lock does not notice that its client is gone; without this it would record a hand-over of a dead process.
    await held.query('select pg_terminate_backend($1, 5000)', [pid]);
    await held.query('rollback');
    held.release();
    expect(server.received).toEqual([]);
    await finish(service);
    expect(server.received).toHaveLength(1);
    expect(await row()).toMatchObject({ state: 'sent', attempts: 1 });
  });

  test('a process killed after the final dot has sent it, as far as anybody can know: it is not sent again', async () => {
    const { server, reached } = await startStuckServer('onMail');
    await using held = server;
    const service = serviceFor(held.url);
    await sendOne(service);
    const child = startProcess(held.url);
    await reached;
    await kill(child);
    expect(await row()).toMatchObject({ state: 'handed_over' });
    await finish(service);
    expect(held.received).toHaveLength(1);
    expect(await row()).toMatchObject({
      state: 'unconfirmed',
      attempts: 1,
      content: null,
      last_error: expect.stringContaining('not sent again'),
    });
  });
});

describe('a process that was only taken for dead', () => {
  test('does not send what another has sent meanwhile', async () => {
    const released = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    let isFirst = true;
    await using server = await startMailServer({
      async onRecipient() {
        if (!isFirst) return;
        isFirst = false;
        reached.resolve();
        await released.promise;
      },
    });
    const service = serviceFor(server.url);
    await sendOne(service);
    const { id } = await row();
    const { signal } = new AbortController();
    const slow = service.jobs['mail:send']?.({ mailId: id, attempt: 1 }, signal);
    await reached.promise;
    await service.jobs['mail:send']?.({ mailId: id, attempt: 1 }, signal);
    released.resolve();
    await slow;
    expect(server.received).toHaveLength(1);
    expect(await row()).toMatchObject({ state: 'sent', attempts: 1, last_error: null });
  });
});

/** A proxy in front of a mail server that breaks its first connection when a side says what is looked for, and does not pass that on. */
const startBreakingLine = async (target: string, breaksAt: { clientSays: RegExp } | { serverSays: RegExp }) => {
  let isFirst = true;
  const line = createServer((client) => {
    const server = connect(Number(new URL(target).port), '127.0.0.1');
    const isBreaking = isFirst;
    isFirst = false;
    const pass = (from: typeof client, to: typeof client, end: RegExp | undefined): void => {
      from.on('data', (bytes) => {
        if (isBreaking && end?.test(bytes.toString('latin1')) === true) {
          client.destroy();
          server.destroy();
        } else to.write(bytes);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    };
    pass(client, server, 'clientSays' in breaksAt ? breaksAt.clientSays : undefined);
    pass(server, client, 'serverSays' in breaksAt ? breaksAt.serverSays : undefined);
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
  const { port } = line.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      line.close();
      await once(line, 'close');
    },
  };
};

describe('a connection that breaks', () => {
  const runTwice = async (service: MailService): Promise<string[]> => {
    await sendOne(service);
    const { id } = await row();
    const states: string[] = [];
    for (const attempt of [1, 2]) {
      await service.jobs['mail:send']?.({ mailId: id, attempt }, new AbortController().signal);
      states.push((await row()).state);
    }
    return states;
  };

  test.each([
    ['before the recipient is named', /^RCPT TO/m],
    ['in the middle of the mail', /^Auto-Submitted/m],
    ['before the final dot', /^\.\r\n/m],
  ])('%s is tried again, and the mail comes once', async (_when, clientSays) => {
    await using server = await startMailServer();
    await using line = await startBreakingLine(server.url, { clientSays });
    expect(await runTwice(serviceFor(line.url))).toEqual(['queued', 'sent']);
    expect(server.received).toHaveLength(1);
  });

  test('instead of the answer is tried again under the same Message-ID: the server never said that it took the mail', async () => {
    await using server = await startMailServer();
    await using line = await startBreakingLine(server.url, { serverSays: /message queued/ });
    expect(await runTwice(serviceFor(line.url))).toEqual(['queued', 'sent']);
    expect(server.received.map(({ raw }) => /^Message-ID: (.+)$/m.exec(raw)?.[1])).toEqual(
      Array.from({ length: 2 }, () => expect.any(String)),
    );
    expect(new Set(server.received.map(({ raw }) => /^Message-ID: (.+)$/m.exec(raw)?.[1])).size).toBe(1);
  });
});

describe('the job of a mail', () => {
  test('a mail job that is run again after its work sends nothing', async () => {
    await using server = await startMailServer();
    const service = serviceFor(server.url);
    await sendOne(service);
    const { id } = await row();
    for (let times = 0; times < 3; times += 1) await service.jobs['mail:send']?.({ mailId: id, attempt: 1 }, new AbortController().signal);
    expect(server.received).toHaveLength(1);
  });

  test('a mail job that is stopped before the mail came through leaves it to the next run', async () => {
    const { server, reached } = await startStuckServer('onRecipient');
    await using held = server;
    const service = serviceFor(held.url);
    await sendOne(service);
    const { id } = await row();
    const stop = new AbortController();
    const run = service.jobs['mail:send']?.({ mailId: id, attempt: 1 }, stop.signal);
    await reached;
    stop.abort();
    await expect(run).rejects.toThrow('not handed over before the stop');
    await service.jobs['mail:send']?.({ mailId: id, attempt: 1 }, new AbortController().signal);
    expect(held.received).toHaveLength(1);
    expect(await row()).toMatchObject({ state: 'sent', attempts: 1 });
  });
});
