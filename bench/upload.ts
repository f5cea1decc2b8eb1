import { createCipheriv, randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { calls } from '@pergamin/contract';
import * as z from 'zod/mini';
import { stream, writePages } from '../server/src/testing/simple-pdf.ts';
import { cpuMsOf, cpuMsOfFamily, cpuMsOfThreads } from './cpu.ts';
import { type Fresh, onFreshPostgres } from './fresh-postgres.ts';
import { startProgram } from './program.ts';
import type { Measuring, Promised } from './promise.ts';

const headers = z.record(z.string(), z.string());
const greeting = z.object({ port: z.int(), senders: z.array(headers) });
const bareGreeting = z.object({ port: z.int() });

const senderCount = 20;
const filesPerRound = 20;
const warmUpRounds = 8;
const atOnce = 4;
const maxAtOnce = 200;
const fewAtOnce = 20;
/** A scan of some pages: nearly as large as may be sent, of bytes that cannot be packed. */
const fileMb = 4.8;

/** A page beside a picture that nothing draws: what is in it has to be read, hashed and stored all the same. The same bytes every time. */
const aScan = (): Buffer => {
  const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16, 7), Buffer.alloc(16));
  const picture = noise.update(Buffer.alloc(fileMb * 1_000_000)).toString('latin1');
  const page = writePages(['']);
  return Buffer.concat([page, Buffer.from(`\n9 0 obj ${stream(picture, '/Type/XObject/Subtype/Image')} endobj\n%%EOF\n`, 'latin1')]);
};

const boundary = 'a-line-that-is-in-no-file';
const formOf = (file: Buffer): Buffer => {
  const description = JSON.stringify({ filename: 'Pismo.pdf', categoryId: 'LETTERS', typeId: 'LETTER' });
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="description"\r\n\r\n${description}\r\n`),
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n`),
    file,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
};

const send = async (
  agent: Agent,
  options: { port: number; path: string; headers: Record<string, string> },
  body: Buffer,
): Promise<void> => {
  const asked = request({ ...options, agent, method: 'POST', headers: { ...options.headers, 'content-length': body.length } });
  asked.end(body);
  const answered = Promise.withResolvers<IncomingMessage>();
  asked.once('response', answered.resolve).once('error', answered.reject);
  const response = await answered.promise;
  const answer = await response.toArray();
  if (response.statusCode !== 201) throw new Error(`an upload was answered ${response.statusCode}: ${Buffer.concat(answer).toString()}`);
};

/** As many at once as are said, until all are through. */
const sendAll = async (count: number, parallel: number, one: (nth: number) => Promise<void>): Promise<void> => {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await one(next);
    }
  };
  await Promise.all(Array.from({ length: parallel }, lane));
};

const memoryMb = async (pid: number, field: 'VmHWM'): Promise<number> => {
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
};

/**
 * The only threads of the portal's own look into PDFs, and V8's compile the engine for them, the more often the busier the machine is:
 * all of that is the look into the PDF. What V8 does there for others is left out on both sides.
 */
const takesFiles = (thread: string): boolean => !/^(?:WorkerThread|V8)/.test(thread);

interface Spent {
  readonly taking: number;
  readonly looking: number;
}

/** The product whole in a process of its own, with clients who send; asked over HTTP from this one, whose time is not counted. */
const startSending = async ({ folder, postgres, cleanUp }: Fresh) => {
  const order = { connection: postgres.connection, dataDir: join(folder, 'portal'), senders: senderCount };
  const portal = await startProgram('portal', order, folder);
  cleanUp.defer(() => portal.stop());
  const { port, senders } = greeting.parse(portal.greeting);
  const agent = new Agent();
  cleanUp.defer(() => Promise.resolve(agent.destroy()));
  const file = aScan();
  const form = formOf(file);
  const contentType = `multipart/form-data; boundary=${boundary}`;
  // As the browser does, each with a key under which it could be sent again.
  const upload = (nth: number): Promise<void> => {
    const headers = { ...senders[nth % senderCount], 'content-type': contentType, 'idempotency-key': randomUUID() };
    return send(agent, { port, path: calls.uploadDocument.path, headers }, form);
  };
  const cpuMs = (): Spent => {
    const taking = cpuMsOfThreads(portal.pid, takesFiles);
    return { taking: taking + cpuMsOfFamily(postgres.pid), looking: cpuMsOf(portal.pid) - taking };
  };
  /** Rows stay, their bytes go: a machine that measures has no room for all of them. */
  const forget = async (): Promise<void> => {
    const objects = join(order.dataDir, 'objects');
    for (const name of await readdir(objects)) if (name.length === 2) await rm(join(objects, name), { recursive: true, force: true });
  };
  return { portal, agent, file, upload, cpuMs, forget };
};

const mb = (filesPerRound * fileMb * 1_000_000) / 1_048_576;

interface Measures {
  readonly round: () => Promise<Spent>;
  readonly floor: () => Promise<number>;
}

const open = (wanted: (measures: Measures) => Omit<Measuring, typeof Symbol.asyncDispose>): Promise<Measuring> =>
  onFreshPostgres(async (fresh) => {
    const { agent, file, upload, cpuMs, forget } = await startSending(fresh);
    const bare = await startProgram('bare-upload', { folder: fresh.folder }, fresh.folder);
    fresh.cleanUp.defer(() => bare.stop());
    const { port } = bareGreeting.parse(bare.greeting);

    const round = async (): Promise<Spent> => {
      const before = cpuMs();
      await sendAll(filesPerRound, atOnce, upload);
      const after = cpuMs();
      await forget();
      return { taking: (after.taking - before.taking) / mb, looking: (after.looking - before.looking) / mb };
    };
    const floor = async (): Promise<number> => {
      const before = cpuMsOfThreads(bare.pid, takesFiles);
      await sendAll(filesPerRound, atOnce, () => send(agent, { port, path: '/', headers: {} }, file));
      return (cpuMsOfThreads(bare.pid, takesFiles) - before) / mb;
    };
    // Until what runs once for each file is compiled.
    for (let time = 0; time < warmUpRounds; time += 1) await round();
    await floor();
    return wanted({ round, floor });
  });

/** The highest mark of one new process, while this many of all of them are sent at once: the same bytes go through it, however many that are. */
const peakMb = async (parallel: number): Promise<number> => {
  await using measuring = await onFreshPostgres(async (fresh) => {
    const { portal, upload } = await startSending(fresh);
    return {
      async ours() {
        // What is compiled and opened once is no memory of many uploads.
        await sendAll(senderCount, atOnce, upload);
        await sendAll(maxAtOnce, parallel, upload);
        return memoryMb(portal.pid, 'VmHWM');
      },
    };
  });
  return await measuring.ours();
};

export const uploads: readonly Promised[] = [
  {
    name: 'upload',
    promise: 'a client’s upload (without the look into the PDF), against streaming the same bytes with SHA-256 and fsync',
    unit: 'ms CPU/MB',
    limit: 2,
    rounds: 9,
    open: () => open(({ round, floor }) => ({ floor, ours: async () => (await round()).taking })),
  },
  {
    name: 'upload-inspection',
    promise: 'the look into a PDF that a client sends',
    unit: 'ms CPU/MB',
    // No promise, but the number beside it; on a machine that is busy with much else the engine is compiled again and again.
    limit: 100,
    rounds: 5,
    open: () => open(({ round }) => ({ ours: async () => (await round()).looking })),
  },
  {
    name: 'upload-memory',
    promise: '200 uploads at once: peak memory above that of 20',
    unit: 'MB',
    limit: 40,
    rounds: 1,
    async open() {
      return {
        ours: async () => (await peakMb(maxAtOnce)) - (await peakMb(fewAtOnce)),
        [Symbol.asyncDispose]: () => Promise.resolve(),
      };
    },
  },
];
