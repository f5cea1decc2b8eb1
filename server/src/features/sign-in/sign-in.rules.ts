import { embeddedServiceId, limitedText, patternedText, personalIdPattern, signInLimits } from '@pergamin/contract';
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
  challenge: patternedText(/^[\w-]+$/, { maxLength: signInLimits.challengeLength }).check(z.minLength(signInLimits.challengeLength)),
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
  code: limitedText(200).check(z.minLength(1)),
  v: limitedText(200).check(z.minLength(1)),
});

/** The field `code` of the login form (B12). Throws VALIDATION_ERROR for another shape; does not check whether the code is valid. */
export const readLoginCode = (field: string): { code: string; verifier: string } => {
  const read = z.safeParse(codeSchema, readJson(field));
  if (!read.success) throw invalidField('code', 'must be base64 of {"code", "v"}');
  return { code: read.data.code, verifier: read.data.v };
};

export const isPersonalId = (value: unknown): value is string => typeof value === 'string' && personalIdPattern.test(value);

/** Parameters that an identity service sends at most once. Repeated ones could be read differently by two readers (parameter pollution). */
export const hasRepeatedParameter = (parameters: URLSearchParams): boolean =>
  new Set(parameters.keys()).size !== [...parameters.keys()].length;

interface NamedService {
  readonly id: string;
  /** Which personal ids are its own, by their form alone; null: no typed id leads there. */
  readonly pattern: RegExp | null;
}

/** The service that a personal id names: the first whose pattern it fits. */
export const findServiceOf = <Service extends NamedService>(services: Iterable<Service>, personalId: string): Service | undefined => {
  // Its form first: the patterns are the operator's, and what was typed may be as long as an address.
  if (!isPersonalId(personalId)) return undefined;
  for (const service of services) if (service.pattern?.test(personalId) === true) return service;
  return undefined;
};

/**
 * Whether a service may sign in this person: only the one that the id names. Patterns may overlap, so fitting its own is not enough.
 * A service without a pattern answers for ids that no other outside service has.
 */
export const mayName = (service: NamedService, services: Iterable<NamedService>, personalId: string): boolean => {
  const named = findServiceOf(services, personalId);
  return service.pattern === null ? named === undefined || !isManagedAt(named.id) : named?.id === service.id;
};

/** Whether the record of a person who signs in at this service has to say `managed`. */
export const isManagedAt = (serviceId: string): boolean => serviceId !== embeddedServiceId;

/** Managed clients sign in at their outside service only, all others at the embedded one only. */
export const isPersonOf = ({ managed }: { readonly managed: boolean }, serviceId: string): boolean => managed === isManagedAt(serviceId);

const characters = new Intl.Segmenter();

/** `Jan` → `J***`: enough to recognise one's own name, and no other. */
export const maskName = (name: string): string => {
  const [first] = characters.segment(name.trim());
  return `${first?.segment ?? ''}***`;
};
