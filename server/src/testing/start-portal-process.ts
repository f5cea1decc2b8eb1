import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Settings } from '#platform/settings/settings.ts';
import type { TestClient, TestPortal } from './test-portal.ts';

const program = fileURLToPath(new URL('portal-process.ts', import.meta.url));

export interface PortalProcess extends AsyncDisposable {
  readonly port: number;
  /** kill -9; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Bytes that it held at most since the last time this was asked. Linux only. */
  takePeakBytes(): Promise<number>;
}

/** A portal in a process of its own; beside one that runs here when it has the same database and the same data folder. */
export const startPortalProcess = async (
  { databaseUrl, settings }: { readonly databaseUrl: string; readonly settings: Pick<Settings, 'dataDir' | 'publicUrl'> },
  environment: Record<string, string> = {},
): Promise<PortalProcess> => {
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATA_DIR: settings.dataDir,
      PUBLIC_URL: settings.publicUrl.origin,
      DEMO: 'off',
      LOG_LEVEL: 'silent',
      ...environment,
    },
  });
  const exited = once(child, 'exit');
  const [line]: unknown[] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited.then(() => [''])]);
  if (!/^\d+$/.test(String(line))) throw new Error('the portal did not start in a process of its own');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  return {
    port: Number(line),
    kill,
    async takePeakBytes() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      await writeFile(`/proc/${child.pid}/clear_refs`, '5');
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1_024;
    },
    [Symbol.asyncDispose]: kill,
  };
};

export interface RawUpload {
  readonly file: Uint8Array;
  readonly key: string;
  readonly description: object;
}

/** One upload over a connection of its own. Rejects when the other side goes away before it has answered. */
export const uploadOver = async (
  port: number,
  { settings, client }: { settings: TestPortal['settings']; client: TestClient },
  { file, key, description }: RawUpload,
): Promise<{ status: number; body: string }> => {
  const agent = new Agent({ keepAlive: false });
  const asked = request({
    agent,
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/protected/documents/client/upload',
    headers: {
      host: settings.publicUrl.host,
      authorization: client.token,
      cookie: client.cookie,
      'idempotency-key': key,
      'content-type': 'multipart/form-data; boundary=line',
    },
  });
  const part = (header: string): string => `--line\r\ncontent-disposition: form-data; ${header}\r\n\r\n`;
  asked.write(`${part('name="description"')}${JSON.stringify(description)}\r\n${part('name="file"; filename="a.pdf"')}`);
  asked.write(file);
  asked.end('\r\n--line--\r\n');
  const [answer] = await once(asked, 'response');
  return { status: answer.statusCode, body: await text(answer) };
};
