import { Ajv2020 } from 'ajv/dist/2020.js';
import { isNightly } from '#testing/nightly.ts';
import type { Answer } from './exchange.ts';
import type { Declared, JsonSchema, Operation } from './operations.ts';

/** By day another test file has half of the machine. */
const slowMs = isNightly ? 2_000 : 5_000;

/** Of the inside of the program: a stack, SQL, a path. */
const inside = /node_modules|\bat \S+ \(?\S+:\d+:\d+|SQLSTATE|syntax error at|relation "|\/tmp\//;

/** Says what is wrong with an answer; undefined: nothing. */
export const createJudge = () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
  const compiled = new Map<JsonSchema, ReturnType<typeof ajv.compile>>();
  const compile = (schema: JsonSchema) => {
    const known = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, known);
    return known;
  };

  const bodyProblem = (declared: Declared, body: Buffer): string | undefined => {
    if (declared.kind === 'bytes') return undefined;
    if (declared.kind === 'nothing') return body.length === 0 ? undefined : 'a body where none is declared';
    let json: unknown;
    try {
      json = JSON.parse(body.toString('utf8'));
    } catch {
      return 'the body is no JSON';
    }
    const fits = compile(declared.schema);
    return fits(json) ? undefined : `the body is not as declared: ${ajv.errorsText(fits.errors)}`;
  };

  return (operation: Operation, { status, body, ms }: Answer): string | undefined => {
    if (status >= 500) return `answered ${status}`;
    if (ms > slowMs) return `took ${Math.round(ms)} ms`;
    const declared = operation.answers.get(String(status)) ?? operation.answers.get('default');
    if (declared === undefined) return `${status} is not declared`;
    if (status >= 400 && inside.test(body.toString('latin1'))) return 'the answer tells of the inside';
    const problem = bodyProblem(declared, body);
    return problem === undefined ? undefined : `${status}: ${problem}`;
  };
};
