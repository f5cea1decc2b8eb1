import { calls } from '@pergamin/contract';
import { expect, test } from 'vitest';
import { manyObjectStreams } from '#testing/hostile-pdfs.ts';
import { isNightly } from '#testing/nightly.ts';
import { aPdf } from '#testing/pdfs.ts';
import { keepCategories, upload } from '#testing/sending.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/**
 * At night, when no other test file runs beside this one, a page may take twice as long. By day the order is judged: without fair queueing all
 * waiting files would be inspected before the page is rendered.
 */
const maxRatio = 2;
const rounds = isNightly ? 3 : 1;
const perRound = isNightly ? 5 : 3;
const inParallel = 8;

test(
  'a client who sends files that are slow to be looked into, as many at once as the portal takes, hardly slows another one’s first page',
  { timeout: 60_000 },
  async () => {
    // The attack is to go on for the whole of the test.
    await using portal = await startTestPortal({ environment: { RENDER_WORKERS: '1', SENDING_FILES_PER_DAY: '100000' } });
    await keepCategories(portal.publisher);
    const reader = await portal.signIn('1001', { cif: '7001' });
    const attacker = createAttacker(portal, await portal.signIn('1002', { cif: '7002' }));
    const ids: string[] = [];
    for (let index = 0; index < 2 * rounds * perRound + 2; index += 1)
      ids.push((await upload(reader, { pdf: aPdf({ text: `letter ${index}` }) })).body.id);

    const idle: number[] = [];
    const meanwhile: number[] = [];
    const ahead: number[] = [];
    for (const id of ids.splice(0, 2)) await firstPage(reader, id);
    for (let round = 0; round < rounds; round += 1) {
      for (const id of ids.splice(0, perRound)) idle.push(await firstPage(reader, id));
      await attacker.start();
      for (const id of ids.splice(0, perRound)) {
        const before = attacker.refused();
        meanwhile.push(await firstPage(reader, id));
        ahead.push(attacker.refused() - before);
      }
      await attacker.stop();
    }
    process.stdout.write(
      `first page ${median(idle).toFixed(0)} ms, during an attack ${median(meanwhile).toFixed(0)} ms (${attacker.refused()} files refused)\n`,
    );
    expect(attacker.refused()).toBeGreaterThanOrEqual(rounds * inParallel);
    expect(median(ahead)).toBeLessThanOrEqual(inParallel / 2);
    if (isNightly) expect(median(meanwhile)).toBeLessThanOrEqual(maxRatio * median(idle));
  },
);

const firstPage = async (reader: TestClient, id: string): Promise<number> => {
  const startedAt = performance.now();
  for (;;) {
    const { body } = await reader.call('getSentRenderResult', { params: { id }, query: { width: '1240' } });
    if (body.sources.length > 0) return performance.now() - startedAt;
  }
};

const createAttacker = (portal: TestPortal, { token, cookie }: TestClient) => {
  const description = JSON.stringify({ filename: 'a.pdf', categoryId: 'COMPLAINTS', typeId: 'COMPLAINT' });
  const payload = Buffer.concat([
    Buffer.from(`--line\r\ncontent-disposition: form-data; name="description"\r\n\r\n${description}\r\n`),
    Buffer.from('--line\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n'),
    manyObjectStreams(),
    Buffer.from('\r\n--line--\r\n'),
  ]);
  const headers = {
    host: portal.settings.publicUrl.host,
    authorization: token,
    cookie,
    'content-type': 'multipart/form-data; boundary=line',
  };
  let stopped = new AbortController();
  let refused = 0;
  let lines: Promise<void>[] = [];
  const send = async (onFirst: () => void): Promise<void> => {
    while (!stopped.signal.aborted) {
      const answer = await portal.server.inject({ method: 'POST', url: calls.uploadDocument.path, headers, payload });
      expect(answer.json()).toMatchObject({ code: 'DOCUMENT_UPLOAD_ERROR' });
      refused += 1;
      onFirst();
    }
  };
  return {
    refused: () => refused,
    /** Until the first file was refused: then all of them are under way. */
    async start(): Promise<void> {
      stopped = new AbortController();
      await new Promise<void>((resolve) => (lines = Array.from({ length: inParallel }, () => send(resolve))));
    },
    async stop(): Promise<void> {
      stopped.abort();
      await Promise.all(lines);
    },
  };
};

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
