import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aPdf } from '@pergamin/server/testing/pdfs';
import type { TestPortal } from '@pergamin/server/testing/test-portal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { runPergamin } from './testing/run-pergamin.ts';

/** What docs/publishing.md shows, as it is written there: commands and calls that can be copied. */

let started: CliPortal;
let portal: TestPortal;
let page: string;

beforeAll(async () => {
  started = await startCliPortal();
  ({ portal } = started);
  page = await readFile(new URL('../../docs/publishing.md', import.meta.url), 'utf8');
  await portal.addClient('10000001', { cif: '700100001' });
  await portal.addClient('10000002', { cif: '700100002' });
  await writeFile(join(started.folder, 'members.csv'), fileIn('Groups'));
  await writeFile(join(started.folder, 'terms.pdf'), aPdf({ text: 'Regulamin' }));
});

afterAll(() => started[Symbol.asyncDispose]());

const sectionOf = (title: string): string => page.split(/^## /m).find((section) => section.startsWith(`${title}\n`)) ?? '';

/** The lines of CSV that a section shows. */
const fileIn = (title: string): string =>
  `${[...sectionOf(title).matchAll(/^ {4}([^\s;]+;.*)$/gm)].map(([, line = '']) => line).join('\n')}\n`;

/** The words of a shell line, without their quotes. */
const wordsOf = (line: string): string[] => [...line.matchAll(/"([^"]*)"|\S+/g)].map(([whole, quoted]) => quoted ?? whole);

const commandsOf = (title: string): string[][] =>
  [...sectionOf(title).matchAll(/^ {4}npx --no pergamin (.+)$/gm)].map(([, words = '']) =>
    // A day ahead is one, whenever the tests run.
    wordsOf(words).map((word) => word.replace(/^2027-01-01T/, '2090-01-01T')),
  );

const callsOf = (title: string) =>
  [...sectionOf(title).matchAll(/^\| `(GET|POST|PUT) (\S+)` \| `\S+` \| (?:`(\{.*?\})`)?/gm)].map(([, method = '', path = '', body]) => ({
    method,
    path,
    body,
  }));

const ask = async ({ method, path, body }: { method: string; path: string; body: string | undefined }): Promise<number> => {
  const headers = { authorization: `Bearer ${portal.publisherKey}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const response = await fetch(`${started.environment['PERGAMIN_URL'] ?? ''}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  return response.status;
};

describe.each(['The account of a client', 'Groups', 'The statute', 'The history of what is configured'])(
  'in the section “%s” of docs/publishing.md',
  (title) => {
    test('every command works as it is written there, one after the other', async () => {
      const commands = commandsOf(title);
      expect(commands.length).toBeGreaterThan(1);
      for (const words of commands) expect(await runPergamin(words, started), words.join(' ')).toMatchObject({ code: 0, error: '' });
    });

    test('every call is answered as it is written there', async () => {
      const shown = callsOf(title);
      expect(shown.length).toBeGreaterThan(0);
      for (const call of shown) expect([call.path, await ask(call)]).toEqual([call.path, 200]);
    });
  },
);
