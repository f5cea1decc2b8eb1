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

/** Answers that are not JSON; undefined: the schema's own description stands. */
const answerOf = (call: Call): Described | undefined => {
  if (call.answer === 'nothing') return { 204: { description: 'Done' } };
  if (call.answer === 'redirect')
    return { 303: { description: 'Go on at this address', headers: { location: { required: true, schema: { type: 'string' } } } } };
  if (call.answer === 'bytes') return { 200: { description: call.summary, content: { '*/*': {} } } };
  return undefined;
};

const securityOf: Record<Call['area'], readonly Described[]> = {
  open: [],
  auth: [],
  system: [],
  protected: [{ sessionToken: [], sessionCookie: [] }],
  publisher: [{ publisherKey: [] }],
};

const describeOperation = (operation: Described, call: Call): void => {
  const answers = answerOf(call) ?? { [call.status ?? 200]: { ...firstAnswer(operation['responses'], call), description: call.summary } };
  operation['responses'] = call.area === 'system' ? answers : { ...answers, default: { $ref: '#/components/responses/error' } };
  operation['security'] = call.session === 'optional' ? [{}, ...securityOf.protected] : securityOf[call.area];
  if (call.form !== undefined) operation['requestBody'] = formOf(call.form);
  else if (isDescribed(operation['requestBody'])) operation['requestBody']['required'] = true;
};

const firstAnswer = (responses: unknown, { status }: Call): Described => {
  const answer: unknown = isDescribed(responses) ? responses[status ?? 200] : undefined;
  return isDescribed(answer) ? answer : {};
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
        error: {
          description: 'Refused, or failed. Refusals of the transport (405, 406, 408, 414, 415, 421, 431) have no body',
          content: { 'application/json': { schema: jsonSchemaOf(errorBody, 'output') } },
        },
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
