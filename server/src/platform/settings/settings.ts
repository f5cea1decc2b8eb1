import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { callLimits, passwordLimits, patternedText, publishingLimits, sessionLimits } from '@pergamin/contract';
import { isLoopback } from '#platform/http/host-guard.ts';
import { list, proxies, publicUrl } from './address-settings.ts';
import { databaseProblem, databaseSettingRows } from './database-settings.ts';
import { identityServices } from './identity-services.ts';
import { encryptionSettingRows, encryptionSettingsOf } from './encryption-settings.ts';
import { ledgerSettingRows, ledgerSettingsOf } from './ledger-settings.ts';
import { mailAddress, smtpUrl } from './mail-settings.ts';
import { noticeSettingRows, noticeSettingsOf, noticesProblem } from './notice-settings.ts';
import { retentionYears } from './retention-setting.ts';
import { roleSettingRow } from './role-setting.ts';
import { scrubSettingRows, scrubSettingsOf } from './scrub-settings.ts';
import { signatureProblem, signatureSettingRows, signatureSettingsOf } from './signature-settings.ts';
import { objectSettingRows, objectSettingsOf, objectsProblem } from './object-settings.ts';
import { pageSettingRows, pageSettingsOf } from './page-settings.ts';
import { readSecretFiles } from './secret-files.ts';
import { type ReadOf, sendingSettingRows, sendingSettingsOf, webhookProblem, wholeNumber } from './sending-settings.ts';
import { tracingSettingRows } from './tracing-settings.ts';

const lastPort = 65_535;
const port = wholeNumber(1, lastPort);

const isTimeZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

const text = z.string().check(z.minLength(1));

const timeZone = text.check(z.refine((zone) => isTimeZone(zone), { error: 'not a time zone of the IANA database' }));

interface Setting {
  /** One sentence for `pergamin settings` and docs/running.md. */
  readonly doc: string;
  readonly schema: z.ZodMiniType;
  /** As it would be written in the environment; undefined: may stay unset. */
  readonly standard: string | undefined;
  /** Its value may be printed. A setting without this mark is secret: an address or a template may hold a token as well as a password. */
  readonly public?: true;
}

/** Every setting of the product, once. */
export const settingRows = {
  PORT: { doc: 'Port that customers reach the portal on; opened when they can read.', schema: port, standard: '8080', public: true },
  HOST: {
    doc: 'Address to listen on. Left out: 127.0.0.1 when PUBLIC_URL is loopback, else every address.',
    schema: text,
    standard: undefined,
    public: true,
  },
  METRICS_PORT: { doc: 'Port of /metrics and of the probes. Left out: PORT + 1.', schema: port, standard: undefined, public: true },
  METRICS_HOST: {
    doc: 'Address that METRICS_PORT is opened on; for the operator’s network only.',
    schema: text,
    standard: '127.0.0.1',
    public: true,
  },
  DATA_DIR: {
    doc: 'Folder of everything that must be kept: database, objects, page images, keys.',
    schema: text,
    standard: './data',
    public: true,
  },
  PUBLIC_URL: {
    doc: 'Public address of the portal. Left out: http://localhost:PORT. Must be https unless it is loopback.',
    schema: publicUrl,
    standard: undefined,
    public: true,
  },
  ...roleSettingRow,
  ...tracingSettingRows,
  ...databaseSettingRows,
  LOG_LEVEL: {
    doc: 'fatal, error, warn, info, debug, trace or silent.',
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    standard: 'info',
    public: true,
  },
  ORGANISATION_NAME: {
    doc: 'Name of the organisation, shown beside the logo.',
    schema: text,
    standard: 'Bank Wiślany',
    public: true,
  },
  BRANDING_DIR: {
    doc: 'Folder with the organisation’s own sentences, languages, logo and accent colour, laid over the product’s. Left out: the product’s own.',
    schema: text,
    standard: undefined,
    public: true,
  },
  FONT_DIR: {
    doc: 'Folder with fonts (.ttf, .otf) of scripts that the bundled ones lack, like Chinese. Left out: such letters are boxes.',
    schema: text,
    standard: undefined,
    public: true,
  },
  TIME_ZONE: {
    doc: 'Time zone of the organisation: where its days begin and end (D14).',
    schema: timeZone,
    standard: 'Europe/Warsaw',
    public: true,
  },
  STATEMENT_MARKER_KEY: {
    doc: 'Metadata key whose value STATEMENTS marks a document as an account statement.',
    schema: patternedText(/^[A-Z][A-Z0-9_]{0,63}$/, { maxLength: 64 }),
    standard: 'PERGAMIN_ST_DOC_TYPE',
    public: true,
  },
  IGNORE_MARKERS: {
    doc: 'Metadata ids or names, separated by commas: documents that carry one are downloaded instead of shown.',
    schema: list,
    standard: '',
    public: true,
  },
  SESSION_IDLE_MINUTES: {
    doc: 'A session ends after this long without a user’s action.',
    schema: wholeNumber(1, 24 * 60),
    standard: String(sessionLimits.idleMinutes),
    public: true,
  },
  SESSION_ABSOLUTE_HOURS: {
    doc: 'A session ends after this long in any case.',
    schema: wholeNumber(1, 31 * 24),
    standard: String(sessionLimits.absoluteHours),
    public: true,
  },
  IDENTITY_SERVICES: {
    doc: 'Outside OpenID Connect services that managed clients sign in at: a JSON list, or @ and the path of a file that holds it.',
    schema: identityServices,
    standard: '[]',
  },
  PASSWORD_MAX: {
    doc: 'The longest new password, in characters. The specification says 20; longer ones are safer.',
    schema: wholeNumber(passwordLimits.minLength, 200),
    standard: String(passwordLimits.maxLength),
    public: true,
  },
  PASSWORD_HISTORY: {
    doc: 'A new password may not be the present one, nor one of this many before it.',
    schema: wholeNumber(0, 24),
    standard: String(passwordLimits.history),
    public: true,
  },
  ACTIVATION_SECOND_FACT: {
    doc: 'code: a new client needs a code beside the mailed link; publishing the record gives it to the organisation, for a letter or an SMS. none: the link is enough.',
    schema: z.enum(['none', 'code']),
    standard: 'none',
    public: true,
  },
  CONTACT_QUIET_HOURS: {
    doc: 'How long after a change of an e-mail address no link that sets a password is mailed to the new one; both addresses are told of the change. 0: not at all.',
    schema: wholeNumber(0, 720),
    standard: '24',
    public: true,
  },
  PUBLISH_MAX_BYTES: {
    doc: 'Largest file that a publisher may publish.',
    schema: wholeNumber(1, 2 ** 30),
    standard: String(publishingLimits.maxFileBytes),
    public: true,
  },
  PUBLISH_CALLS_PER_MINUTE: {
    doc: 'Calls a minute that a publisher may make with one key, in each process.',
    schema: wholeNumber(60, 1_000_000),
    standard: String(callLimits.publisher),
    public: true,
  },
  RETENTION_YEARS: {
    doc: 'How many years documents are kept at least, by class, as private=10,statement=6,public=1. Left out: as long as their publisher says.',
    schema: retentionYears,
    standard: '',
    public: true,
  },
  BATCH_SECOND_KEY: {
    doc: 'required: a batch is committed by another key than those that opened and filled it; single publications and statutes take the scope documents:release. none: by any key that may publish.',
    schema: z.enum(['none', 'required']),
    standard: 'none',
    public: true,
  },
  ...sendingSettingRows,
  ...scrubSettingRows,
  ...signatureSettingRows,
  ...pageSettingRows,
  ...ledgerSettingRows,
  ...objectSettingRows,
  ...encryptionSettingRows,
  DISK_RESERVE_PERCENT: {
    doc: 'Part of the disk of DATA_DIR that page images leave free. 0: nothing is left free on purpose.',
    schema: wholeNumber(0, 50),
    standard: '10',
    public: true,
  },
  TRUSTED_PROXIES: {
    doc: 'Addresses of reverse proxies whose X-Forwarded-For is believed, separated by commas.',
    schema: proxies,
    standard: '',
    public: true,
  },
  DRAIN_SECONDS: { doc: 'How long /api/ready says 503 after SIGTERM.', schema: wholeNumber(0, 300), standard: '0' },
  SMTP_URL: {
    doc: 'Mail server, smtps://user:password@host:465; smtp:// asks for STARTTLS unless the host is loopback. Left out: no mail leaves, on loopback it is read at /local-outbox.',
    schema: smtpUrl,
    standard: undefined,
  },
  MAIL_FROM: {
    doc: 'Address that mail comes from. Left out: no-reply@ the host of PUBLIC_URL.',
    schema: mailAddress,
    standard: undefined,
    public: true,
  },
  ...noticeSettingRows,
  DEMO: {
    doc: 'auto: demonstration data are loaded when the data folder is empty and PUBLIC_URL is loopback; off: never.',
    schema: z.enum(['auto', 'off']),
    standard: 'auto',
    public: true,
  },
} as const satisfies Record<string, Setting>;

/** Settings whose values are never printed. Each may be given as a file, by NAME_FILE. */
export const secretNames: readonly string[] = Object.entries(settingRows)
  .filter(([, row]) => !('public' in row))
  .map(([name]) => name);

/** Thrown when the environment does not fit: one sentence per setting that is wrong. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const readRows = (environment: NodeJS.ProcessEnv): ReadOf<typeof settingRows> => {
  const { written: given, problems: unread } = readSecretFiles(environment, secretNames);
  const problems = [...unread];
  const values: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(settingRows)) {
    const written = given[name] === undefined || given[name] === '' ? row.standard : given[name];
    if (written === undefined) continue;
    const read = z.safeParse(row.schema, written);
    if (read.success) values[name] = read.data;
    // The value is not repeated: it may be a secret.
    else problems.push(`${name}: ${read.error.issues[0]?.message ?? 'wrong'}. ${row.doc}`);
  }
  if (problems.length > 0) throw new SettingsError(problems.join('\n'));
  // Each value was read by the schema of its own row.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return values as ReadOf<typeof settingRows>;
};

/** What the environment says, checked: the unit is in the name. */
export type Settings = ReturnType<typeof readSettings>;

/** Reads and checks the environment at start. Throws SettingsError. */
export const readSettings = (environment: NodeJS.ProcessEnv) => {
  const read = readRows(environment);
  const publicUrl = read.PUBLIC_URL ?? new URL(`http://localhost:${read.PORT}`);
  // Without a mail server the local outbox takes mail, where there is one.
  const mail = { hasMail: read.SMTP_URL !== undefined || isLoopback(publicUrl) };
  const problem =
    databaseProblem(read) ?? webhookProblem(read) ?? noticesProblem(read, mail) ?? signatureProblem(read) ?? objectsProblem(read);
  if (problem !== undefined) throw new SettingsError(problem);
  return {
    port: read.PORT,
    host: read.HOST ?? (isLoopback(publicUrl) ? '127.0.0.1' : '::'),
    metricsPort: read.METRICS_PORT ?? (read.PORT === lastPort ? read.PORT - 1 : read.PORT + 1),
    metricsHost: read.METRICS_HOST,
    dataDir: read.DATA_DIR,
    publicUrl,
    role: read.ROLE,
    tracesUrl: read.OTEL_EXPORTER_OTLP_ENDPOINT,
    databaseUrl: read.DATABASE_URL,
    databaseReadUrl: read.DATABASE_READ_URL,
    databaseMigrationUrl: read.DATABASE_MIGRATION_URL,
    logLevel: read.LOG_LEVEL,
    organisationName: read.ORGANISATION_NAME,
    brandingDir: read.BRANDING_DIR,
    fontDir: read.FONT_DIR,
    timeZone: read.TIME_ZONE,
    statementMarkerKey: read.STATEMENT_MARKER_KEY,
    ignoreMarkers: read.IGNORE_MARKERS,
    sessionIdleMs: read.SESSION_IDLE_MINUTES * 60_000,
    sessionAbsoluteMs: read.SESSION_ABSOLUTE_HOURS * 3_600_000,
    identityServices: read.IDENTITY_SERVICES,
    passwordMaxLength: read.PASSWORD_MAX,
    passwordHistory: read.PASSWORD_HISTORY,
    activationSecondFact: read.ACTIVATION_SECOND_FACT,
    contactQuietMs: read.CONTACT_QUIET_HOURS * 3_600_000,
    publishMaxBytes: read.PUBLISH_MAX_BYTES,
    publishCallsPerMinute: read.PUBLISH_CALLS_PER_MINUTE,
    retentionYears: read.RETENTION_YEARS,
    batchSecondKey: read.BATCH_SECOND_KEY,
    ...sendingSettingsOf(read),
    ...scrubSettingsOf(read),
    ...signatureSettingsOf(read),
    ...noticeSettingsOf(read, mail),
    ...pageSettingsOf(read),
    ...ledgerSettingsOf(read),
    ...objectSettingsOf(read),
    ...encryptionSettingsOf(read),
    diskReservePercent: read.DISK_RESERVE_PERCENT,
    trustedProxies: read.TRUSTED_PROXIES,
    drainMs: read.DRAIN_SECONDS * 1_000,
    smtpUrl: read.SMTP_URL,
    mailFrom: read.MAIL_FROM ?? `no-reply@${isIP(publicUrl.hostname.replaceAll(/[[\]]/g, '')) === 0 ? publicUrl.hostname : 'localhost'}`,
    demo: read.DEMO,
  };
};
