import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { type Call, calls, errorBody } from '@pergamin/contract';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';

type Described = Record<string, unknown>;

const rows = new Map<unknown, Call>(Object.values(calls).map((call: Call) => [call.name, call]));

const isDescribed = (value: unknown): value is Described => value !== null && typeof value === 'object';

const jsonSchemaOf = (schema: z.core.$ZodType, io: 'input' | 'output'): Described => {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return described;
};

const formOf = (form: NonNullable<Call['form']>): Described => {
  const parts = Object.entries(form);
  const schemaOf = (part: (typeof parts)[number][1]): Described => {
    if (part === 'file') return { type: 'string', contentMediaType: 'application/octet-stream' };
    return part === 'field' ? { type: 'string' } : jsonSchemaOf(part, 'input');
  };
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: Object.fromEntries(parts.map(([name, part]) => [name, schemaOf(part)])),
          required: parts.map(([name]) => name),
          additionalProperties: false,
        },
      },
    },
  };
};

/** What comes back when all goes well. */
const answerOf = (call: Call, described: unknown): Described => {
  if (call.answer === 'nothing') return { 204: { description: 'Done' } };
  if (call.answer === 'redirect')
    return { 303: { description: 'Go on at this address', headers: { location: { required: true, schema: { type: 'string' } } } } };
  if (call.answer === 'bytes') return { 200: { description: call.summary, content: anyBytes } };
  const status = call.status ?? 200;
  const answer: unknown = isDescribed(described) ? described[status] : undefined;
  return { [status]: { ...(isDescribed(answer) ? answer : {}), description: call.summary } };
};

const anyBytes = { '*/*': {} };

const meanings: Readonly<Record<string, string>> = {
  206: 'The part that was asked for',
  304: 'The copy that the caller keeps is still right',
  416: 'There is no such part',
  503: 'Not usable at the moment',
};

const furtherAnswersOf = ({ also = {} }: Call): Described =>
  Object.fromEntries(
    Object.entries(also).map(([status, answer]) => {
      const description = meanings[status] ?? status;
      if (answer === 'nothing') return [status, { description }];
      if (answer === 'bytes') return [status, { description, content: anyBytes }];
      // The call may fail with this status, too.
      const schema = { anyOf: [jsonSchemaOf(answer, 'output'), errorSchema] };
      return [status, { description, content: { 'application/json': { schema } } }];
    }),
  );

const errorSchema = jsonSchemaOf(errorBody, 'output');

/** Statuses of the codes that an area may answer with; 429 and the refusals of the transport come on top. */
const refusalsOf: Readonly<Record<Call['area'], readonly number[]>> = {
  system: [400, 404, 500, 503],
  open: [400, 403, 404, 500, 503],
  auth: [400, 401, 403, 404, 500, 503],
  protected: [400, 401, 403, 404, 409, 500, 503],
  publisher: [400, 401, 403, 404, 409, 500, 503],
};

const refer = (name: 'error' | 'tooMany' | 'transport'): Described => ({ $ref: `#/components/responses/${name}` });

const errorsOf = ({ area, method, session }: Call): Described => {
  const hasBody = method !== 'GET';
  const refusals = [...refusalsOf[area], ...(session === 'optional' ? [401] : []), ...(hasBody ? [413] : [])];
  const transport = [...(hasBody ? [408, 415] : []), 414, 417, 421, 431];
  return {
    ...Object.fromEntries(refusals.map((status) => [status, refer('error')])),
    429: refer('tooMany'),
    ...Object.fromEntries(transport.map((status) => [status, refer('transport')])),
  };
};

const securityOf: Record<Call['area'], readonly Described[]> = {
  open: [],
  auth: [],
  system: [],
  protected: [{ sessionToken: [], sessionCookie: [] }],
  publisher: [{ publisherKey: [] }],
};

const describeOperation = (operation: Described, call: Call): void => {
  operation['responses'] = { ...errorsOf(call), ...answerOf(call, operation['responses']), ...furtherAnswersOf(call) };
  operation['security'] = call.session === 'optional' ? [{}, ...securityOf.protected] : securityOf[call.area];
  if (call.form !== undefined) operation['requestBody'] = formOf(call.form);
  else if (isDescribed(operation['requestBody'])) operation['requestBody']['required'] = true;
};

const describeCalls = (document: { paths?: unknown }): void => {
  const paths = isDescribed(document.paths) ? Object.values(document.paths) : [];
  for (const path of paths) {
    const operations = isDescribed(path) ? Object.values(path) : [];
    for (const operation of operations) {
      const call = isDescribed(operation) ? rows.get(operation['operationId']) : undefined;
      if (call !== undefined && isDescribed(operation)) describeOperation(operation, call);
    }
  }
};

/** As the room sign-in names it. */
const sessionCookieName = ({ protocol }: URL): string => (protocol === 'https:' ? '__Host-Http-portal' : 'portal');

/**
 * OpenAPI 3.1 from the schemas that validate. What Fastify's own routes cannot say (multipart parts, answers without JSON, who may call, the
 * one shape of errors) is added from the rows of the contract.
 */
export const openApi = ({ publicUrl, version }: { publicUrl: URL; version: string }): FastifyDynamicSwaggerOptions => ({
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Pergamin', version, description: 'Customer document portal' },
    servers: [{ url: publicUrl.origin }],
    components: {
      securitySchemes: {
        sessionToken: { type: 'http', scheme: 'bearer', description: 'Header authorization of the answer to login' },
        sessionCookie: { type: 'apiKey', in: 'cookie', name: sessionCookieName(publicUrl), description: 'Must belong to the token' },
        publisherKey: { type: 'http', scheme: 'bearer', description: 'A publisher’s key' },
      },
      responses: {
        error: { description: 'Refused, or failed; the code says why', content: { 'application/json': { schema: errorSchema } } },
        tooMany: {
          description: 'Too many calls or attempts',
          headers: { 'retry-after': { required: true, description: 'Seconds', schema: { type: 'string', pattern: '^[0-9]+$' } } },
          content: { 'application/json': { schema: errorSchema } },
        },
        transport: { description: 'Refused before the call was read, without a body' },
      },
    },
  },
  transform: createJsonSchemaTransform({ zodToJsonConfig: { unrepresentable: 'any' } }),
  transformObject: (document) => {
    if (!('openapiObject' in document)) return document.swaggerObject;
    const { openapiObject } = document;
    describeCalls(openapiObject);
    return openapiObject;
  },
});
