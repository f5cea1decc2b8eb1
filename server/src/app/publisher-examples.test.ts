import { readFileSync } from 'node:fs';
import { type Call, calls } from '@pergamin/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { keepCategories, upload } from '#testing/sending.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';

interface Example {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Below its first line. */
  readonly rest: string;
}

const page = readFileSync(new URL('../../../docs/publisher-calls.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```http\n(\w+) (\S+)\n([^]*?)```/g)].map(([, method = '', path = '', rest = '']): Example => ({
  method,
  path,
  rest,
}));

const isOf = (call: Call, { method, path }: Example): boolean =>
  call.method === method && new RegExp(`^${call.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path.split('?', 1)[0] ?? '');

const publisherCalls = Object.values<Call>(calls).filter(({ area }) => area === 'publisher');

const callOf = (example: Example): Call | undefined => publisherCalls.find((call) => isOf(call, example));

/** Ids of the braces, as far as they are known. */
const ids: Record<string, string> = {};
let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
  await keepCategories(portal.publisher);
  const sender = await portal.signIn('10000009', { cif: '700100009' });
  ids['received'] = (await upload(sender, { pdf: aPdf({ text: 'sent' }) })).body.id;
});
afterAll(() => portal[Symbol.asyncDispose]());

const bodyOf = (rest: string): FormData | string | undefined => {
  const parts = /^description: (\{.*\})\nfile: (\S+)\n$/.exec(rest);
  if (parts === null) return rest === '' ? undefined : rest;
  const [, description = '', name = ''] = parts;
  const form = new FormData();
  form.set('description', description);
  form.set('file', new Blob([Uint8Array.from(aPdf({ text: name }))], { type: 'application/pdf' }), name);
  return form;
};

const send = async ({ method, path, rest }: Example) => {
  const filled = (text: string): string => text.replaceAll(/\{(document|received|notice|batch)\}/g, (_, name: string) => ids[name] ?? '');
  const body = bodyOf(filled(rest));
  const { host } = portal.settings.publicUrl;
  const request = new Request(new URL(filled(path), `http://${host}`), { method, ...(body === undefined ? {} : { body }) });
  const type = typeof body === 'string' ? 'application/json' : request.headers.get('content-type');
  return portal.server.inject({
    method: method as 'GET' | 'POST' | 'PUT',
    url: filled(path),
    headers: { host, authorization: `Bearer ${portal.publisherKey}`, ...(type === null ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { payload: Buffer.from(await request.arrayBuffer()) }),
  });
};

/** What later examples are about. */
const learn = async (call: Call, answer: Awaited<ReturnType<typeof send>>): Promise<void> => {
  if (call.name === 'openBatch') ids['batch'] = answer.json<{ id: string }>().id;
  if (call.name !== 'publishDocument') return;
  const { id } = answer.json<{ id: string }>();
  ids['document'] ??= id;
  // That of the first document is gone when it is forgotten.
  const notice = await portal.db.selectFrom('notice').select('id').where('document_id', '=', id).executeTakeFirstOrThrow();
  ids['notice'] = notice.id;
};

test('every call of publishers has an example in docs/publisher-calls.md, and every example is of one of them', () => {
  expect([...new Set(examples.map((example) => callOf(example)?.name ?? example.path))].toSorted()).toEqual(
    publisherCalls.map(({ name }) => name).toSorted(),
  );
});

test('every example of docs/publisher-calls.md is taken, one after the other', async () => {
  const answers: [string, number, string][] = [];
  for (const example of examples) {
    const answer = await send(example);
    const call = callOf(example);
    if (answer.statusCode >= 300) answers.push([`${example.method} ${example.path}`, answer.statusCode, answer.body]);
    else if (call !== undefined) await learn(call, answer);
  }
  expect(answers).toEqual([]);
});
