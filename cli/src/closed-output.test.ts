import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pergaminProgram, portOf } from './testing/run-pergamin.ts';

/** `| head`: what reads the output goes away before its end. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-head-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a program and closes the pipe of its output at once. */
const runUnread = async (args: readonly string[], environment: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  const [error] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, error };
};

test('pergamin help, unread, ends without a word', async () => {
  expect(await runUnread([pergaminProgram, 'help'])).toEqual({ code: 141, error: '' });
});

describe('a report', () => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    const row = { publishedOn: 0, personalId: '1', documentId: 'd', unread: true, undelivered: false, notice: null, fileName: 'a.pdf' };
    response.end(`${JSON.stringify(row)}\n`.repeat(10_000));
  }).listen(0, '127.0.0.1');
  beforeAll(() => (server.listening ? undefined : once(server, 'listening')));
  afterAll(() => void server.close());

  test.each(['text', 'json', 'csv'])('as %s, unread, ends without a trace', async (format) => {
    const environment = { PERGAMIN_URL: `http://127.0.0.1:${portOf(server)}`, PERGAMIN_KEY: 'a key' };
    const { code, error } = await runUnread([pergaminProgram, 'report', 'unread', '--format', format], environment);
    expect(code).toBe(141);
    // How many rows there were is told beside them.
    expect(error).not.toMatch(/EPIPE|at /);
  });
});

test('a program that a command runs, unread, ends without a word', async () => {
  const program = join(folder, 'program.mjs');
  await writeFile(program, "setInterval(() => process.stdout.write('a line\\n'), 1);\n");
  const endWithCommand = fileURLToPath(new URL('./end-with-command.ts', import.meta.url));
  expect(await runUnread(['--import', endWithCommand, program])).toEqual({ code: 141, error: '' });
});
