import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { passwordLimits, publishingLimits, sessionLimits } from '@pergamin/contract';
import { isLoopback } from '#platform/http/host-guard.ts';
import { identityServices, type IdentityServiceSetting } from './identity-services.ts';
import { noticeSettingRows, type NoticeSettings, noticeSettingsOf, noticesProblem } from './notice-settings.ts';
import { sendingSettingRows, sendingSettingsOf, type SendingSettings, webhookProblem, wholeNumber } from './sending-settings.ts';

const lastPort = 65_535;
const port = wholeNumber(1, lastPort);

const isTimeZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** `10.0.0.1`, `fd00::/8`. */
const isAddressOrNet = (written: string): boolean => {
  const [address = '', bits, ...more] = written.split('/');
  const family = isIP(address);
  const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
  return family !== 0 && isPrefix && more.length === 0;
};

const text = z.string().check(z.minLength(1));

const list = z.pipe(
  z.string(),
  z.transform((written) =>
    written
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  ),
);

const timeZone = text.check(z.refine((zone) => isTimeZone(zone), { error: 'not a time zone of the IANA database' }));

const isOrigin = (written: string): boolean => URL.canParse(written) && new URL(written).href === `${new URL(written).origin}/`;

const publicUrl = z.pipe(
  text.check(
    z.refine((written) => /^https?:/i.test(written) && isOrigin(written), { error: 'not an address like https://documents.example.com' }),
    z.refine((written) => !/^http:/i.test(written) || !URL.canParse(written) || isLoopback(new URL(written)), {
      error: 'http is allowed on loopback only; use https',
    }),
  ),
  z.transform((written) => new URL(written)),
);

const databaseUrl = text.check(
  z.refine((written) => /^postgres(ql)?:\/\//.test(written) && URL.canParse(written), {
    error: 'not an address like postgres://user:password@host/database',
  }),
);

const isDecodable = (written: string): boolean => {
  try {
    return decodeURIComponent(written) !== '';
  } catch {
    return false;
  }
};

const isMailServer = (written: string): boolean => {
  if (!/^smtps?:\/\//i.test(written) || !URL.canParse(written)) return false;
  const { hostname, pathname, search, hash, username, password } = new URL(written);
  const isBare = (pathname === '' || pathname === '/') && search === '' && hash === '';
  return hostname !== '' && isBare && (username === '') === (password === '') && (username === '' || isDecodable(username + password));
};

const smtpUrl = z.pipe(
  text.check(z.refine(isMailServer, { error: 'not an address like smtps://user:password@mail.example.com:465' })),
  z.transform((written) => new URL(written)),
);

const mailAddress = z
  .string()
  .check(
    z.maxLength(254),
    z.regex(/^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+$/, { error: 'not an address like no-reply@documents.example.com' }),
  );

const proxies = list.check(
  z.refine((addresses) => addresses.every(isAddressOrNet), { error: 'not addresses or networks like 10.0.0.1 or 10.0.0.0/8' }),
);

interface Setting<S extends z.ZodMiniType> {
  /** One sentence for `pergamin settings` and docs/running.md. */
  readonly doc: string;
  readonly schema: S;
  /** As it would be written in the environment; undefined: may stay unset. */
  readonly standard: string | undefined;
  readonly secret?: true;
}

const setting = <const S extends z.ZodMiniType, const Standard extends string | undefined>(
  row: Setting<S> & { readonly standard: Standard },
): Setting<S> & { readonly standard: Standard } => row;

/** Every setting of the product, once. */
export const settingRows = {
  PORT: setting({ doc: 'Port that the portal listens on.', schema: port, standard: '8080' }),
  HOST: setting({
    doc: 'Address to listen on. Left out: 127.0.0.1 when PUBLIC_URL is loopback, else every address.',
    schema: text,
    standard: undefined,
  }),
  METRICS_PORT: setting({ doc: 'Port of /metrics. Left out: PORT + 1, on the same address.', schema: port, standard: undefined }),
  DATA_DIR: setting({
    doc: 'Folder of everything that must be kept: database, objects, page images, keys.',
    schema: text,
    standard: './data',
  }),
  PUBLIC_URL: setting({
    doc: 'Address that people type. Left out: http://localhost:PORT. Must be https unless it is loopback.',
    schema: publicUrl,
    standard: undefined,
  }),
  DATABASE_URL: setting({
    doc: 'PostgreSQL 15 or newer to use instead of the embedded one.',
    schema: databaseUrl,
    standard: undefined,
    secret: true,
  }),
  LOG_LEVEL: setting({
    doc: 'fatal, error, warn, info, debug, trace or silent.',
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    standard: 'info',
  }),
  ORGANISATION_NAME: setting({ doc: 'Name of the organisation, shown beside the logo.', schema: text, standard: 'Bank Wiślany' }),
  BRANDING_DIR: setting({
    doc: 'Folder with the organisation’s own sentences, languages, logo and accent colour, laid over the product’s. Left out: the product’s own.',
    schema: text,
    standard: undefined,
  }),
  TIME_ZONE: setting({
    doc: 'Time zone of the organisation: where its days begin and end (D14).',
    schema: timeZone,
    standard: 'Europe/Warsaw',
  }),
  STATEMENT_MARKER_KEY: setting({
    doc: 'Metadata key whose value STATEMENTS marks a document as an account statement.',
    schema: z.string().check(z.regex(/^[A-Z][A-Z0-9_]{0,63}$/)),
    standard: 'PERGAMIN_ST_DOC_TYPE',
  }),
  IGNORE_MARKERS: setting({
    doc: 'Metadata ids or names, separated by commas: documents that carry one are downloaded instead of shown.',
    schema: list,
    standard: '',
  }),
  SESSION_IDLE_MINUTES: setting({
    doc: 'A session ends after this long without a user’s action.',
    schema: wholeNumber(1, 24 * 60),
    standard: String(sessionLimits.idleMinutes),
  }),
  SESSION_ABSOLUTE_HOURS: setting({
    doc: 'A session ends after this long in any case.',
    schema: wholeNumber(1, 31 * 24),
    standard: String(sessionLimits.absoluteHours),
  }),
  IDENTITY_SERVICES: setting({
    doc: 'Outside OpenID Connect services that managed clients sign in at: a JSON list, or @ and the path of a file that holds it.',
    schema: identityServices,
    standard: '[]',
    secret: true,
  }),
  PASSWORD_MAX: setting({
    doc: 'Most characters of a new password. The specification says 20; longer ones are safer.',
    schema: wholeNumber(passwordLimits.minLength, 200),
    standard: String(passwordLimits.maxLength),
  }),
  PASSWORD_HISTORY: setting({
    doc: 'A new password may not be the present one, nor one of this many before it.',
    schema: wholeNumber(0, 24),
    standard: String(passwordLimits.history),
  }),
  ACTIVATION_SECOND_FACT: setting({
    doc: 'code: a new client needs a code beside the mailed link; publishing the record gives it to the organisation, for a letter or an SMS. none: the link is enough.',
    schema: z.enum(['none', 'code']),
    standard: 'none',
  }),
  PUBLISH_MAX_BYTES: setting({
    doc: 'Largest file that a publisher may publish.',
    schema: wholeNumber(1, 2 ** 30),
    standard: String(publishingLimits.maxFileBytes),
  }),
  ...sendingSettingRows,
  RENDER_WORKERS: setting({
    doc: 'Threads that make page images behind everything else; one more is kept for what somebody waits for. Left out: cores − 1, at least one.',
    schema: wholeNumber(1, 64),
    standard: undefined,
  }),
  RENDITIONS_MAX_BYTES: setting({
    doc: 'Most that page images and page texts may take of the disk; what was not used for the longest time is made again when it is wanted.',
    schema: wholeNumber(2 ** 20, 999_999_999_999),
    standard: String(10 * 2 ** 30),
  }),
  TRUSTED_PROXIES: setting({
    doc: 'Addresses of reverse proxies whose X-Forwarded-For is believed, separated by commas.',
    schema: proxies,
    standard: '',
  }),
  SMTP_URL: setting({
    doc: 'Mail server, smtps://user:password@host:465; smtp:// asks for STARTTLS unless the host is loopback. Left out: no mail leaves, on loopback it is read at /local-outbox.',
    schema: smtpUrl,
    standard: undefined,
    secret: true,
  }),
  MAIL_FROM: setting({
    doc: 'Address that mail comes from. Left out: no-reply@ the host of PUBLIC_URL.',
    schema: mailAddress,
    standard: undefined,
  }),
  ...noticeSettingRows,
  DEMO: setting({
    doc: 'auto: demonstration data are loaded when the data folder is empty and PUBLIC_URL is loopback; off: never.',
    schema: z.enum(['auto', 'off']),
    standard: 'auto',
  }),
} as const;

type Rows = typeof settingRows;
type Value<Row extends Setting<z.ZodMiniType>> = z.output<Row['schema']>;
type Read = { readonly [Name in keyof Rows]: Rows[Name]['standard'] extends string ? Value<Rows[Name]> : Value<Rows[Name]> | undefined };

/** What the environment says, checked: the unit is in the name. */
export interface Settings extends SendingSettings, NoticeSettings {
  readonly port: number;
  readonly host: string;
  readonly metricsPort: number;
  readonly dataDir: string;
  readonly publicUrl: URL;
  readonly databaseUrl: string | undefined;
  readonly logLevel: string;
  readonly organisationName: string;
  readonly brandingDir: string | undefined;
  readonly timeZone: string;
  readonly statementMarkerKey: string;
  readonly ignoreMarkers: readonly string[];
  readonly sessionIdleMs: number;
  readonly sessionAbsoluteMs: number;
  readonly identityServices: readonly IdentityServiceSetting[];
  readonly passwordMaxLength: number;
  readonly passwordHistory: number;
  readonly activationSecondFact: 'none' | 'code';
  readonly publishMaxBytes: number;
  readonly renderWorkers: number | undefined;
  readonly renditionsMaxBytes: number;
  readonly trustedProxies: readonly string[];
  readonly smtpUrl: URL | undefined;
  readonly mailFrom: string;
  readonly demo: 'auto' | 'off';
}

/** Thrown when the environment does not fit: one sentence per setting that is wrong. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const readRows = (environment: NodeJS.ProcessEnv): Read => {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(settingRows)) {
    const written = environment[name] === undefined || environment[name] === '' ? row.standard : environment[name];
    if (written === undefined) continue;
    const read = z.safeParse(row.schema, written);
    if (read.success) values[name] = read.data;
    // The value is not repeated: it may be a secret.
    else problems.push(`${name}: ${read.error.issues[0]?.message ?? 'wrong'}. ${row.doc}`);
  }
  if (problems.length > 0) throw new SettingsError(problems.join('\n'));
  // Each value was read by the schema of its own row.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return values as Read;
};

/** Reads and checks the environment at start. Throws SettingsError. */
export const readSettings = (environment: NodeJS.ProcessEnv): Settings => {
  const read = readRows(environment);
  const publicUrl = read.PUBLIC_URL ?? new URL(`http://localhost:${read.PORT}`);
  // Without a mail server the local outbox takes mail, where there is one.
  const mail = { hasMail: read.SMTP_URL !== undefined || isLoopback(publicUrl) };
  const problem = webhookProblem(read) ?? noticesProblem(read, mail);
  if (problem !== undefined) throw new SettingsError(problem);
  return {
    port: read.PORT,
    host: read.HOST ?? (isLoopback(publicUrl) ? '127.0.0.1' : '::'),
    metricsPort: read.METRICS_PORT ?? (read.PORT === lastPort ? read.PORT - 1 : read.PORT + 1),
    dataDir: read.DATA_DIR,
    publicUrl,
    databaseUrl: read.DATABASE_URL,
    logLevel: read.LOG_LEVEL,
    organisationName: read.ORGANISATION_NAME,
    brandingDir: read.BRANDING_DIR,
    timeZone: read.TIME_ZONE,
    statementMarkerKey: read.STATEMENT_MARKER_KEY,
    ignoreMarkers: read.IGNORE_MARKERS,
    sessionIdleMs: read.SESSION_IDLE_MINUTES * 60_000,
    sessionAbsoluteMs: read.SESSION_ABSOLUTE_HOURS * 3_600_000,
    identityServices: read.IDENTITY_SERVICES,
    passwordMaxLength: read.PASSWORD_MAX,
    passwordHistory: read.PASSWORD_HISTORY,
    activationSecondFact: read.ACTIVATION_SECOND_FACT,
    publishMaxBytes: read.PUBLISH_MAX_BYTES,
    ...sendingSettingsOf(read),
    ...noticeSettingsOf(read, mail),
    renderWorkers: read.RENDER_WORKERS,
    renditionsMaxBytes: read.RENDITIONS_MAX_BYTES,
    trustedProxies: read.TRUSTED_PROXIES,
    smtpUrl: read.SMTP_URL,
    mailFrom: read.MAIL_FROM ?? `no-reply@${isIP(publicUrl.hostname.replaceAll(/[[\]]/g, '')) === 0 ? publicUrl.hostname : 'localhost'}`,
    demo: read.DEMO,
  };
};
