import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { freePort } from '#testing/free-port.ts';
import { aPdf } from '#testing/pdfs.ts';
import { startMailServer } from '#testing/mail-server.ts';
import { formOf } from '#testing/test-portal.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Publications, changes of clients and lists, again and again until the portal is gone. */
const work = async (origin: string, key: string, isOver: () => boolean): Promise<void> => {
  const headers = { authorization: `Bearer ${key}` };
  for (let time = 0; !isOver(); time += 1) {
    const person = `7${String(time % 50).padStart(7, '0')}`;
    const client = { personalId: person, cif: person, firstName: 'Anna', lastName: `Nowak ${time}`, email: `anna.${time}@example.com` };
    const description = { type: 'PRIVATE', cif: person, fileName: 'Umowa.pdf', metadata: {} };
    await Promise.allSettled([
      fetch(`${origin}/api/publisher/clients`, {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ items: [client] }),
      }),
      fetch(`${origin}/api/publisher/documents`, { method: 'POST', headers, body: formOf(description, aPdf({ text: `paper ${time}` })) }),
      fetch(`${origin}/api/open/documents/list/data`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"size":10}',
      }),
      fetch(`${origin}/api/ready`),
    ]);
  }
};

test(
  'a stop under load, while publications, mail and jobs are under way, logs nothing grave, and each line is JSON',
  { timeout: 120_000 },
  async () => {
    // At the stop a mail is under way that does not come to its end.
    let recipients = 0;
    await using mail = await startMailServer({
      async onRecipient() {
        recipients += 1;
        if (recipients > 6) await new Promise<void>(() => {});
      },
    });
    const dataDir = await mkdtemp(join(tmpdir(), 'pergamin-stop-'));
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const child = spawn(process.execPath, [main], {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        DATA_DIR: dataDir,
        PORT: String(port),
        METRICS_PORT: String(await freePort()),
        PUBLIC_URL: origin,
        SMTP_URL: mail.url,
        DEMO: 'off',
        DRAIN_SECONDS: '0',
        LOG_LEVEL: 'info',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'exit');
    const log = text(child.stderr);
    try {
      for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('Pergamin is ready')) break;
      const key = (await readFile(join(dataDir, 'publisher.key'), 'utf8')).trim();
      let isOver = false;
      const working = Promise.all(Array.from({ length: 6 }, () => work(origin, key, () => isOver)));
      await expect.poll(() => recipients, { timeout: 60_000 }).toBe(7);
      child.kill('SIGTERM');
      const [code] = await exited;
      isOver = true;
      await working;
      const lines = (await log)
        .split('\n')
        .filter((line) => line !== '')
        .map((line): Record<string, unknown> => JSON.parse(line));
      expect(lines.length).toBeGreaterThan(20);
      expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
      expect(code).toBe(0);
    } finally {
      child.kill('SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);
