import { type Call, calls, errorBody } from '@pergamin/contract';
import * as z from 'zod/mini';

type Described = Record<string, unknown>;

const isDescribed = (value: unknown): value is Described => value !== null && typeof value === 'object';

const jsonSchemaOf = (schema: z.core.$ZodType, io: 'input' | 'output'): Described => {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return described;
};

const parametersOf = (schema: Call['params'], place: 'path' | 'query'): Described[] => {
  if (schema === undefined) return [];
  const { properties, required } = jsonSchemaOf(schema, 'input');
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(isDescribed(properties) ? properties : {}).map(([name, described]) => ({
    name,
    in: place,
    required: place === 'path' || needed.has(name),
    schema: described,
  }));
};

const formOf = (form: NonNullable<Call['form']>): Described => {
  const parts = Object.entries(form);
  const schemaOf = (part: (typeof parts)[number][1]): Described => {
    if (part === 'file') return { type: 'string', contentMediaType: 'application/octet-stream' };
    return part === 'field' ? { type: 'string' } : jsonSchemaOf(part, 'input');
  };
  const properties = Object.fromEntries(parts.map(([name, part]) => [name, schemaOf(part)]));
  return { type: 'object', properties, required: Object.keys(form), additionalProperties: false };
};

const requestBodyOf = ({ form, body }: Call): Described => {
  if (form !== undefined) return { requestBody: { required: true, content: { 'multipart/form-data': { schema: formOf(form) } } } };
  return body === undefined ? {} : { requestBody: { required: true, content: json(jsonSchemaOf(body, 'input')) } };
};

const json = (schema: Described): Described => ({ 'application/json': { schema } });

/** The successful answer. */
const answerOf = (call: Call): Described => {
  if (call.answer === 'nothing') return { 204: { description: 'Done' } };
  if (call.answer === 'redirect')
    return { 303: { description: 'Go on at this address', headers: { location: { required: true, schema: { type: 'string' } } } } };
  if (call.answer === 'bytes') return { 200: { description: call.summary, content: anyBytes } };
  return { [call.status ?? 200]: { description: call.summary, content: json(jsonSchemaOf(call.answer, 'output')) } };
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
      return [status, { description, content: json({ anyOf: [jsonSchemaOf(answer, 'output'), errorSchema] }) }];
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

const operationOf = (call: Call): Described => {
  const parameters = [...parametersOf(call.params, 'path'), ...parametersOf(call.query, 'query')];
  return {
    operationId: call.name,
    summary: call.summary,
    tags: [call.area],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(call),
    responses: { ...errorsOf(call), ...answerOf(call), ...furtherAnswersOf(call) },
    security: call.session === 'optional' ? [{}, ...securityOf.protected] : securityOf[call.area],
  };
};

const pathsOf = (rows: readonly Call[]): Described => {
  const byPath = Map.groupBy(rows, ({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'));
  const methodsOf = (same: readonly Call[]): Described =>
    Object.fromEntries(same.map((call) => [call.method.toLowerCase(), operationOf(call)]));
  return Object.fromEntries([...byPath].map(([path, same]) => [path, methodsOf(same)]));
};

/** As the room sign-in names it. */
const sessionCookieName = ({ protocol }: URL): string => (protocol === 'https:' ? '__Host-Http-portal' : 'portal');

/** The contract as OpenAPI 3.1, from the very schemas that validate. */
export const openApi = ({ publicUrl, version }: { publicUrl: URL; version: string }): Described => ({
  openapi: '3.1.0',
  info: { title: 'Pergamin', version, description: 'Customer document portal' },
  servers: [{ url: publicUrl.origin }],
  paths: pathsOf(Object.values(calls)),
  components: {
    securitySchemes: {
      sessionToken: { type: 'http', scheme: 'bearer', description: 'Header authorization of the answer to login' },
      sessionCookie: { type: 'apiKey', in: 'cookie', name: sessionCookieName(publicUrl), description: 'Must belong to the token' },
      publisherKey: { type: 'http', scheme: 'bearer', description: 'A publisher’s key' },
    },
    responses: {
      error: { description: 'Refused, or failed; the code says why', content: json(errorSchema) },
      tooMany: {
        description: 'Too many calls or attempts',
        headers: { 'retry-after': { required: true, description: 'Seconds', schema: { type: 'string', pattern: '^[0-9]+$' } } },
        content: json(errorSchema),
      },
      transport: { description: 'Refused before the call was read, without a body' },
    },
  },
});
