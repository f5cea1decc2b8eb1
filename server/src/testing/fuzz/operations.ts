import { type Area, type Call, type CallName, calls } from '@pergamin/contract';
import { openApi } from '#platform/http/open-api.ts';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What the description says of one status: the schema of a JSON body, any bytes, or no body. */
export type Declared = { readonly kind: 'json'; readonly schema: JsonSchema } | { readonly kind: 'bytes' } | { readonly kind: 'nothing' };

/** One operation as `/api/openapi.json` describes it. */
export interface Operation {
  readonly name: CallName;
  readonly method: Call['method'];
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly area: Area;
  readonly params: Readonly<Record<string, JsonSchema>>;
  readonly query: Readonly<Record<string, JsonSchema>>;
  readonly required: ReadonlySet<string>;
  readonly body: JsonSchema | undefined;
  /** The parts of a form. */
  readonly form: Readonly<Record<string, JsonSchema>> | undefined;
  /** By status, and by `default`. */
  readonly answers: ReadonlyMap<string, Declared>;
}

type Described = Record<string, unknown>;

const described = (value: unknown): Described => {
  if (value === null || typeof value !== 'object') throw new Error(`not described: ${JSON.stringify(value)}`);
  // Objects of a JSON document; each field is checked before it is used.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return value as Described;
};

const schemaAt = (content: unknown, type: string): JsonSchema | undefined => {
  const media = content === undefined ? undefined : described(content)[type];
  const schema = media === undefined ? undefined : described(media)['schema'];
  return schema === undefined ? undefined : described(schema);
};

const resolve = (document: Described, value: unknown): Described => {
  const reference = described(value)['$ref'];
  if (typeof reference !== 'string') return described(value);
  return reference
    .slice(2)
    .split('/')
    .reduce((at, step) => described(at[step]), document);
};

const declaredOf = (answer: Described): Declared => {
  const schema = schemaAt(answer['content'], 'application/json');
  if (schema !== undefined) return { kind: 'json', schema };
  return { kind: answer['content'] === undefined ? 'nothing' : 'bytes' };
};

const isCallName = (name: unknown): name is CallName => typeof name === 'string' && Object.hasOwn(calls, name);

const operationOf = (
  document: Described,
  { path, method, operation }: { path: string; method: string; operation: Described },
): Operation => {
  const name = operation['operationId'];
  if (!isCallName(name)) throw new Error(`${method} ${path} is no call of the contract`);
  const parameters = Array.isArray(operation['parameters']) ? operation['parameters'].map(described) : [];
  const namesIn = (place: string): Record<string, JsonSchema> =>
    Object.fromEntries(
      parameters.filter((one) => one['in'] === place).map((one) => [String(one['name']), described(one['schema'])] as const),
    );
  const content = operation['requestBody'] === undefined ? undefined : described(operation['requestBody'])['content'];
  const form = schemaAt(content, 'multipart/form-data');
  const answers = Object.entries(described(operation['responses']));
  const call: Call = calls[name];
  return {
    name,
    method: call.method,
    path,
    area: call.area,
    params: namesIn('path'),
    query: namesIn('query'),
    required: new Set(parameters.filter((one) => one['required'] === true).map((one) => String(one['name']))),
    body: schemaAt(content, 'application/json'),
    form:
      form === undefined
        ? undefined
        : Object.fromEntries(Object.entries(described(form['properties'])).map(([part, schema]) => [part, described(schema)])),
    answers: new Map(answers.map(([status, answer]) => [status, declaredOf(resolve(document, answer))])),
  };
};

/** Every operation of the portal's own description, in the order of their names. */
export const operationsOf = (): Operation[] => {
  const document = described(JSON.parse(JSON.stringify(openApi({ publicUrl: new URL('http://localhost'), version: '0' }))));
  const found = Object.entries(described(document['paths'])).flatMap(([path, methods]) =>
    Object.entries(described(methods))
      .filter(([method]) => method !== 'head')
      .map(([method, operation]) => operationOf(document, { path, method, operation: described(operation) })),
  );
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
};
