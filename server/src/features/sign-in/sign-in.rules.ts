import { embeddedServiceId, personalIdPattern, signInLimits } from '@pergamin/contract';
import * as z from 'zod/mini';
import { sha256 } from '#platform/crypto/secrets.ts';
import { invalidField } from '#platform/http/errors.ts';

const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

const readJson = (text: string): unknown => {
  if (!base64.test(text)) return undefined;
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
};

const stateSchema = z.object({
  challenge: z.string().check(z.regex(new RegExp(`^[\\w-]{${signInLimits.challengeLength}}$`))),
  method: z.literal('S256'),
});

/** The challenge in the browser's `state` (B2). Every other field is ignored: no address to return to is ever read from it. */
export const findChallenge = (state: string): string | undefined => {
  const read = z.safeParse(stateSchema, readJson(state));
  return read.success ? read.data.challenge : undefined;
};

/** RFC 7636, S256. */
export const challengeOf = (verifier: string): string => sha256(verifier).toString('base64url');

const codeSchema = z.strictObject({
  code: z.string().check(z.minLength(1), z.maxLength(200)),
  v: z.string().check(z.minLength(1), z.maxLength(200)),
});

/** The field `code` of the login form (B12). Throws VALIDATION_ERROR for another shape; whether the code is good is not asked here. */
export const readLoginCode = (field: string): { code: string; verifier: string } => {
  const read = z.safeParse(codeSchema, readJson(field));
  if (!read.success) throw invalidField('code', 'must be base64 of {"code", "v"}');
  return { code: read.data.code, verifier: read.data.v };
};

export const isPersonalId = (value: unknown): value is string => typeof value === 'string' && personalIdPattern.test(value);

/** Parameters that an identity service sends at most once. A repeated one means somebody is playing with the reader's choice. */
export const hasRepeatedParameter = (parameters: URLSearchParams): boolean =>
  new Set(parameters.keys()).size !== [...parameters.keys()].length;

/** What the record of whoever signs in there has to say. */
export const isManagedAt = (serviceId: string): boolean => serviceId !== embeddedServiceId;

/** Clients whose sign-in is somebody else's affair sign in there and nowhere else; everybody else at the embedded service and nowhere else. */
export const isPersonOf = ({ managed }: { readonly managed: boolean }, serviceId: string): boolean => managed === isManagedAt(serviceId);

const characters = new Intl.Segmenter();

/** `Jan` → `J***`: enough to recognise oneself, and nobody else. */
export const maskName = (name: string): string => {
  const [first] = characters.segment(name.trim());
  return `${first?.segment ?? ''}***`;
};
