import { type Call, calls } from '@pergamin/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openApi } from './open-api.ts';

const media = z.record(z.string(), z.object({ schema: z.optional(z.record(z.string(), z.unknown())) }));
const parameter = z.object({ name: z.string(), in: z.enum(['path', 'query']), required: z.optional(z.boolean()), schema: z.object({}) });
const response = z.object({
  description: z.string().min(1),
  content: z.optional(media),
  headers: z.optional(z.record(z.string(), z.unknown())),
});
const operation = z.object({
  operationId: z.string(),
  summary: z.string().min(1),
  tags: z.array(z.string()).length(1),
  parameters: z._default(z.array(parameter), []),
  requestBody: z.optional(z.object({ required: z.literal(true), content: media })),
  responses: z.record(z.string().regex(/^\d{3}$/), z.union([response, z.object({ $ref: z.string() })])),
  security: z.array(z.record(z.string(), z.array(z.string()))),
});
type Operation = z.output<typeof operation>;
const openApiDocument = z.object({
  openapi: z.string().regex(/^3\.1\./),
  info: z.object({ title: z.string(), version: z.string() }),
  servers: z.array(z.object({ url: z.url() })),
  paths: z.record(z.string().regex(/^\//), z.partialRecord(z.enum(['get', 'head', 'post', 'put']), z.unknown())),
  components: z.object({
    securitySchemes: z.record(z.string(), z.object({ type: z.string() })),
    responses: z.record(z.string(), response),
  }),
});

let document: z.output<typeof openApiDocument>;
const operations = new Map<string, { path: string; method: string; operation: Operation }>();
const all: readonly Call[] = Object.values(calls);

beforeAll(() => {
  const written = openApi({ publicUrl: new URL('https://bank.example'), version: '1.2.3' });
  document = openApiDocument.parse(JSON.parse(JSON.stringify(written)));
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, described] of Object.entries(methods)) {
      const read = operation.parse(described);
      operations.set(read.operationId, { path, method, operation: read });
    }
});

const described = (name: string): Operation => {
  const found = operations.get(name);
  if (found === undefined) throw new Error(`${name} is not described`);
  return found.operation;
};

test('the document describes every call of the contract under its path and method, and nothing else', () => {
  const expected = all.map(({ name, path, method }) => `${name} ${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  const found = [...operations].map(([name, { path, method }]) => `${name} ${method.toUpperCase()} ${path}`);
  expect(found.toSorted()).toEqual(expected.toSorted());
});

test('the document names its portal', () => {
  expect(document).toMatchObject({ info: { title: 'Pergamin', version: '1.2.3' }, servers: [{ url: 'https://bank.example' }] });
});

test('nothing in it refers to what is not there', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to);
  expect(new Set(references)).toEqual(new Set(['error', 'tooMany', 'transport'].map((name) => `#/components/responses/${name}`)));
  const { error, tooMany, transport } = document.components.responses;
  for (const answer of [error, tooMany])
    expect(answer?.content?.['application/json']?.schema).toMatchObject({ required: ['code', 'message'] });
  expect(tooMany?.headers).toHaveProperty('retry-after');
  expect(transport?.content).toBeUndefined();
});

describe.each(all.map((call) => [call.name, call] as const))('%s', (name, call) => {
  test('names every parameter of its path as required', () => {
    const inPath = described(name).parameters.filter((one) => one.in === 'path');
    expect(inPath.map((one) => one.name)).toEqual([...call.path.matchAll(/:(\w+)/g)].map(([, parameterName]) => parameterName));
    expect(inPath.every((one) => one.required === true)).toBe(true);
  });

  test('says who may call it', () => {
    const schemes = described(name).security.flatMap((one) => Object.keys(one));
    const expected = { protected: ['sessionToken', 'sessionCookie'], publisher: ['publisherKey'], open: [], auth: [], system: [] }[
      call.area
    ];
    // Who need not have a session may come with one.
    const isOptional = call.session === 'optional';
    expect(schemes).toEqual(isOptional ? ['sessionToken', 'sessionCookie'] : expected);
    expect(described(name).security.some((one) => Object.keys(one).length === 0)).toBe(isOptional);
    for (const scheme of schemes) expect(document.components.securitySchemes).toHaveProperty(scheme);
  });

  test('says what it takes and gives', () => {
    const { requestBody, responses } = described(name);
    const bodyType = call.form === undefined ? (call.body === undefined ? [] : ['application/json']) : ['multipart/form-data'];
    expect(Object.keys(requestBody?.content ?? {})).toEqual(bodyType);
    const status =
      typeof call.answer === 'object' ? String(call.status ?? 200) : { nothing: '204', redirect: '303', bytes: '200' }[call.answer];
    const fine = Object.keys(responses).filter((told) => Number(told) < 400);
    expect(fine).toEqual([status, ...Object.keys(call.also ?? {}).filter((told) => Number(told) < 400)].toSorted());
  });

  test('says how it may be refused', () => {
    const { responses } = described(name);
    const all = ['400', '404', '421', '429', '500', '503', ...(call.method === 'GET' ? [] : ['408', '413', '415'])];
    const guarded = { protected: ['401', '403', '409'], publisher: ['401', '403', '409'], auth: ['401', '403'], open: ['403'], system: [] };
    expect(Object.keys(responses)).toEqual(expect.arrayContaining([...all, ...guarded[call.area]]));
    expect(responses).not.toHaveProperty('default');
  });
});

test('a publication is described part by part', () => {
  const schema = described('publishDocument').requestBody?.content['multipart/form-data']?.schema;
  expect(schema).toMatchObject({
    type: 'object',
    required: ['description', 'file'],
    properties: {
      description: {
        type: 'object',
        required: ['type', 'fileName'],
        properties: { type: { enum: ['PUBLIC', 'PRIVATE', 'GROUP'] }, metadata: { type: 'object' } },
        additionalProperties: false,
      },
      file: { type: 'string', contentMediaType: 'application/octet-stream' },
    },
  });
});

test('a list is described with its defaults and limits, and its rows', () => {
  const { requestBody, responses } = described('listOwnDocuments');
  expect(requestBody?.content['application/json']?.schema).toMatchObject({
    properties: { size: { default: 10, maximum: 100 }, page: { default: 0 }, sort: { type: 'array' } },
  });
  expect(responses['200']).toMatchObject({
    content: { 'application/json': { schema: { properties: { total: { type: 'integer' }, items: { type: 'array' } } } } },
  });
});
