import { readFileSync } from 'node:fs';
import { embeddedServiceId, patternedText } from '@pergamin/contract';
import * as z from 'zod/mini';
import { isLoopback } from '#platform/http/host-guard.ts';
import { contrastOf } from './contrast.ts';

const minContrast = 4.5;
const maxImageLength = 100_000;

const text = (maxLength = 200) => z.string().check(z.minLength(1), z.maxLength(maxLength));

/** Mail addresses and names are reassigned: their next holder would get the documents, too. */
const changingClaims = new Set(['email', 'preferred_username', 'upn', 'unique_name', 'name', 'nickname']);

const claim = text().check(
  z.refine((name) => !changingClaims.has(name), { error: 'must be a claim that never changes hands, not an e-mail address or a name' }),
);

const isServiceAddress = (written: string): boolean => {
  if (!URL.canParse(written)) return false;
  const url = new URL(written);
  return (
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))) &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === ''
  );
};

const address = text(500).check(
  z.refine(isServiceAddress, { error: 'must be an https address without credentials, query or fragment; http on loopback only' }),
);

const personalIds = z.pipe(
  text(),
  z.transform((written, payload) => {
    try {
      return new RegExp(`^(?:${written})$`, 'u');
    } catch {
      payload.issues.push({ code: 'custom', input: written, message: 'must be a regular expression' });
      return z.NEVER;
    }
  }),
);

/** A path of this portal, or a PNG in the setting itself: no other site learns who opens the sign-in page, and no script comes along. */
const image = patternedText(/^(?:\/(?![/\\])[\w./-]*|data:image\/png;base64,[A-Za-z0-9+/]+={0,2})$/, {
  maxLength: maxImageLength,
  error: 'must be a path of this portal or data:image/png;base64,…',
});

const color = z.string().check(
  z.refine((written) => contrastOf(written) !== undefined, {
    error: 'must be two colours, background and text, separated by a space: #rgb, #rrggbb or a basic name of CSS',
  }),
  z.refine((written) => (contrastOf(written) ?? minContrast) >= minContrast, {
    error: `the contrast of background and text must be at least ${minContrast}`,
  }),
);

const orNull = <S extends z.ZodMiniType>(schema: S) => z._default(z.nullable(schema), null);

const service = z.strictObject({
  id: patternedText(/^[A-Za-z0-9_-]{1,64}$/, { maxLength: 64, error: 'must be 1 to 64 letters, digits, - or _' }).check(
    z.refine((id) => id !== embeddedServiceId, { error: 'is the embedded service’s own' }),
  ),
  /** Shown on its button. */
  name: text(100),
  issuer: address,
  clientId: text(),
  clientSecret: text(1_000),
  /** The claim that holds the personal id. */
  claim: z._default(claim, 'sub'),
  /** Which personal ids are this service's. */
  personalIds: orNull(personalIds),
  acr: z._default(z.array(text()), []),
  amr: z._default(z.array(text()), []),
  button: orNull(z.strictObject({ logo: orNull(image), icon: orNull(image), color })),
  sso: orNull(z.strictObject({ issuer: z.optional(text(500)), jwksUrl: orNull(address), audience: z._default(text(), 'portal') })),
  privateNetwork: z._default(z.boolean(), false),
  /** Where its people change their password; shown to them in the portal. */
  passwordUrl: orNull(address),
});

const services = z.array(service).check(z.maxLength(50));

const areDifferent = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

/** What concerns more than one field or service; undefined when all is well. */
const findProblem = (all: z.output<typeof services>): string | undefined => {
  if (!areDifferent(all.map(({ id }) => id))) return 'two services have one id';
  const unpatterned = all.find((one) => one.personalIds === null);
  // Else each of them could name the other's people.
  if (all.length > 1 && unpatterned !== undefined) return `${unpatterned.id}: personalIds is needed when there is more than one service`;
  const signers = all.flatMap((one) => (one.sso === null ? [] : [one.sso.issuer ?? one.issuer]));
  if (!areDifferent(signers)) return 'two services have one issuer for single sign-on';
  const keyless = all.find(({ issuer, sso }) => sso?.issuer !== undefined && sso.issuer !== issuer && sso.jwksUrl === null);
  return keyless === undefined ? undefined : `${keyless.id}: sso.jwksUrl is needed for an issuer that is not the service's own`;
};

/** Only our own words and the path: the text holds secrets. */
const tell = ({ path, message, code }: { path: PropertyKey[]; message: string; code?: string | undefined }): string => {
  const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return `${place.replace(/^\./, '') || 'the list'}: ${code === 'unrecognized_keys' ? 'has a field that is not known' : message}`;
};

const readText = (written: string): string => (written.startsWith('@') ? readFileSync(written.slice(1), 'utf8') : written);

/** An outside identity service as the settings describe it. */
export type IdentityServiceSetting = ReturnType<typeof readIdentityServices>[number];

/** JSON text, or `@path` of a file of such. Throws an error whose message repeats no value. */
const readIdentityServices = (written: string) => {
  let json: unknown;
  try {
    json = JSON.parse(readText(written));
  } catch {
    throw new Error(written.startsWith('@') ? 'the file cannot be read, or is no JSON' : 'not JSON');
  }
  const read = z.safeParse(services, json);
  if (!read.success) throw new Error(read.error.issues.map(tell).join('; '));
  const problem = findProblem(read.data);
  if (problem !== undefined) throw new Error(problem);
  return read.data.map((one) => ({ ...one, sso: one.sso === null ? null : { ...one.sso, issuer: one.sso.issuer ?? one.issuer } }));
};

/** The setting IDENTITY_SERVICES: JSON text of a list of outside services; a wrong one names its place, such as `[0].claim`. */
export const identityServices = z.pipe(
  z.string(),
  z.transform((written, payload) => {
    try {
      return readIdentityServices(written);
    } catch (error) {
      payload.issues.push({ code: 'custom', input: '', message: error instanceof Error ? error.message : 'wrong' });
      return z.NEVER;
    }
  }),
);
