import { randomUUID } from 'node:crypto';
import { type Call, type CallName, calls, errorBody } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { aPdf } from '#testing/pdfs.ts';
import { keepCategories, upload } from '#testing/sending.ts';
import { listStoredPages } from '#testing/stored-pages.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** Generated from the table of calls, so that a new call is covered too: ids of others, and bodies beyond every limit. */

let portal: TestPortal;
let owner: TestClient;
let stranger: TestClient;
/** One of everything that has an id and an owner. */
const owned = new Map<string, string>();

beforeAll(async () => {
  portal = await startTestPortal();
  owner = await portal.signIn('1001', { cif: '7001' });
  stranger = await portal.signIn('1002', { cif: '7002' });
  owned.set('document', (await portal.publish({ cif: '7001', pdf: aPdf({ pages: 2 }) })).body.id);
  await keepCategories(portal.publisher);
  owned.set('sent document', (await upload(owner, { pdf: aPdf() })).body.id);
  const folder = (await owner.call('createViewFolder', { body: { name: 'Bank' } })).body.id;
  const view = { name: 'Umowy', folderId: folder, kind: 'received' as const, content: { period: 'LAST_3_MONTHS' } };
  owned.set('folder', folder);
  owned.set('view', (await owner.call('createSavedView', { body: view })).body.id);
  const [notice] = (await owner.call('listNotifications', {})).body.items;
  owned.set('notification', notice?.id ?? '');
});

afterAll(() => portal[Symbol.asyncDispose]());

const rows = Object.values<Call>(calls);
const namesOf = (fits: (call: Call) => boolean): string[] => rows.filter(fits).map(({ name }) => name);
const callOf = (name: string): Call => calls[name as CallName];

const headersOf = ({ area }: Call, client: TestClient): Record<string, string> => {
  if (area === 'protected') return { authorization: client.token, cookie: client.cookie };
  return area === 'publisher' ? { authorization: `Bearer ${portal.publisherKey}` } : {};
};

const send = async (call: Call, { client = stranger, id = 'X', body }: { client?: TestClient; id?: string; body?: unknown } = {}) => {
  const answer = await portal.server.inject({
    method: call.method,
    url: call.path.replace(':page', '1').replaceAll(/:\w+/g, id),
    headers: {
      host: portal.settings.publicUrl.host,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headersOf(call, client),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, body: answer.body };
};

describe('another client’s id', () => {
  // The id of single sign-on is an identity service's.
  const asked = namesOf(({ area, path }) => (area === 'protected' || area === 'open') && path.includes(':id') && !path.includes('/sso/'));
  /** Told as a status of their own: what is not yours does not exist. */
  const checks = new Set<string>(['checkDocument', 'checkPublicDocument']);

  test('every kind of owned thing has an id to ask for', () => {
    expect([...owned.values()].every((id) => /^[0-9a-f-]{36}$/.test(id))).toBe(true);
    expect(asked.length).toBeGreaterThan(15);
  });

  test.each(asked)('another client’s id for %s is answered as a random one is', async (name) => {
    const call = callOf(name);
    const body = call.body === undefined ? undefined : {};
    const random = await send(call, { id: randomUUID(), body });
    if (checks.has(name))
      expect(random).toEqual({
        status: 200,
        body: JSON.stringify({
          status: 'DOCUMENT_NOT_EXIST',
          checkedAt: null,
          ledger: null,
          entry: null,
          differences: [],
          notCompared: [],
        }),
      });
    else {
      expect(random.status).toBe(404);
      expect(['DOCUMENT_NOT_FOUND_ERROR', 'RESOURCE_NOT_FOUND']).toContain(errorBody.parse(JSON.parse(random.body)).code);
    }
    for (const [what, id] of owned) expect([what, await send(call, { id, body })]).toEqual([what, random]);
  });

  test.each(namesOf(({ area, body }) => area === 'protected' && body !== undefined && 'ids' in propertiesOf(body)))(
    'another client’s id in the body of %s is answered as a random one is',
    async (name) => {
      const call = callOf(name);
      const own = 'columns' in propertiesOf(call.body) ? { language: 'PL', columns: ['FILE_NAME'] } : {};
      const random = await send(call, { body: { ...own, ids: [randomUUID()] } });
      expect(random).toMatchObject({ status: 404, body: expect.stringContaining('DOCUMENT_NOT_FOUND_ERROR') });
      for (const [what, id] of owned) expect([what, await send(call, { body: { ...own, ids: [id] } })]).toEqual([what, random]);
    },
  );

  test('asking with another client’s ids changed nothing', async () => {
    const { items, folders } = (await owner.call('listSavedViews', {})).body;
    expect([items, folders]).toMatchObject([[{ name: 'Umowy', folderId: owned.get('folder') }], [{ name: 'Bank' }]]);
    expect((await owner.call('listNotifications', {})).body.items.map(({ id }) => id)).toContain(owned.get('notification'));
    expect(await portal.db.selectFrom('document_mark').selectAll().execute()).toEqual([]);
    expect(await listStoredPages(portal)).toEqual([]);
  });

  test.each(namesOf(({ area, path }) => area === 'protected' && path.includes(':id')))(
    'an id that is none is malformed for %s',
    async (name) => {
      const call = callOf(name);
      for (const id of ['1', 'null', '%00', '..%2f', "'", 'x'.repeat(100)]) {
        const answer = await send(call, { id, body: call.body === undefined ? undefined : {} });
        expect([id, answer.status, errorBody.parse(JSON.parse(answer.body)).code]).toEqual([id, 400, 'VALIDATION_ERROR']);
      }
    },
  );
});

interface JsonSchema {
  readonly type?: string;
  readonly properties?: Record<string, JsonSchema>;
  readonly additionalProperties?: unknown;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

// zod writes a JSON schema; only the parts above are read.
const schemaOf = (schema: Call['body']): JsonSchema =>
  (schema === undefined ? {} : z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })) as JsonSchema;

const propertiesOf = (schema: Call['body']): Record<string, JsonSchema> => schemaOf(schema).properties ?? {};

interface Wrong {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** Values that the schema itself says are too long, too many, too large, or of another kind. */
const wrongsOf = (schema: JsonSchema, path: Wrong['path'] = []): Wrong[] => {
  const wrong = (...values: unknown[]): Wrong[] => values.map((value) => ({ path, value }));
  const { type, anyOf, items, properties = {}, maxLength, minLength = 0, maxItems, minItems = 0, minimum, maximum } = schema;
  const choices = anyOf?.filter((choice) => choice.type !== 'null') ?? [];
  // Of several kinds only what fits none of them.
  if (choices.length > 1) return wrong(null, [[]]);
  if (choices[0] !== undefined) return wrongsOf(choices[0], path);
  if (schema.enum !== undefined) return wrong('no such', 7);
  if (type === 'string')
    return [
      ...wrong(7, {}),
      // PostgreSQL has no NUL, and half of a surrogate pair would come back as another character.
      ...wrong('\0', 'a\0b', '\ud800', '\udc00x'),
      ...(schema.pattern === undefined ? [] : wrong('\u0000 %')),
      ...(maxLength === undefined ? [] : wrong('x'.repeat(maxLength + 1))),
      ...(minLength > 0 ? wrong('') : []),
    ];
  if (type === 'integer' || type === 'number')
    return [
      ...wrong('1', 1.5),
      ...(minimum === undefined ? [] : wrong(minimum - 1)),
      ...(maximum === undefined ? [] : wrong(maximum + 1e6)),
    ];
  if (type === 'boolean') return wrong('true', 1);
  if (type === 'array')
    return [
      ...wrong({}, 'x'),
      ...(maxItems === undefined ? [] : wrong(Array.from({ length: maxItems + 1 }, () => null))),
      ...(minItems > 0 ? wrong([]) : []),
      ...wrongsOf(items ?? {}, [...path, 0]),
    ];
  if (type !== 'object') return [];
  const strange = schema.additionalProperties === false ? [{ path: [...path, 'strange'], value: 1 }] : [];
  return [...wrong('x', 7), ...strange, ...Object.entries(properties).flatMap(([name, inner]) => wrongsOf(inner, [...path, name]))];
};

const within = ([name, ...rest]: Wrong['path'], value: unknown): unknown => {
  if (name === undefined) return value;
  return typeof name === 'number' ? [within(rest, value)] : { [name]: within(rest, value) };
};

describe('a body beyond its limits', () => {
  const asked = namesOf(({ body, form }) => body !== undefined && form === undefined);

  test('a body beyond its limits is made for every call that takes one', () => {
    expect(asked.length).toBeGreaterThan(10);
    for (const name of asked) expect([name, wrongsOf(schemaOf(callOf(name).body)).length > 3]).toEqual([name, true]);
  });

  test.each(asked)('a body beyond its limits of %s is refused, and the field is named', async (name) => {
    const call = callOf(name);
    for (const { path, value } of wrongsOf(schemaOf(call.body))) {
      const answer = await send(call, { id: call.path.includes('/dictionaries/') ? 'X' : randomUUID(), body: within(path, value) });
      const field = path.join('.');
      const shown = [field, JSON.stringify(value).slice(0, 40)];
      const { code, fields = {} } = errorBody.parse(JSON.parse(answer.body));
      expect([...shown, answer.status, code]).toEqual([...shown, 400, 'VALIDATION_ERROR']);
      const isNamed = Object.keys(fields).some((named) => field === '' || named.startsWith(field) || field.startsWith(named));
      expect([...shown, isNamed, Object.keys(fields)]).toEqual([...shown, true, Object.keys(fields)]);
    }
  });

  test.each(asked)('a body of %s that is not JSON, or no object at all, is refused', async (name) => {
    const call = callOf(name);
    for (const body of [[], 'x', 7, null]) {
      const answer = await send(call, { id: call.area === 'publisher' ? 'X' : randomUUID(), body });
      expect([answer.status, errorBody.parse(JSON.parse(answer.body)).code]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });
});
