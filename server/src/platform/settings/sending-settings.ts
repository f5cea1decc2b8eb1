import { type ActiveContent, activeContent, patternedText, sendingLimits, webhookTypes } from '@pergamin/contract';
import * as z from 'zod/mini';
import { isLoopback } from '#platform/http/host-guard.ts';

/** A setting as text; `min` and `max` are allowed. */
export const wholeNumber = (min: number, max: number) =>
  z.pipe(
    z.pipe(patternedText(/^\d{1,12}$/, { maxLength: 12, error: `not a whole number from ${min} to ${max}` }), z.transform(Number)),
    z.int().check(z.gte(min, { error: `less than ${min}` }), z.lte(max, { error: `more than ${max}` })),
  );

/** Where clamd listens: on a port, or on a socket of this machine. */
export type ScannerAddress = { readonly host: string; readonly port: number } | { readonly path: string };

const clamdPort = 3310;

const scannerAddressOf = (written: string): ScannerAddress | undefined => {
  if (!URL.canParse(written)) return undefined;
  const { protocol, hostname, port, pathname, search, hash, username } = new URL(written);
  if (search !== '' || hash !== '' || username !== '') return undefined;
  if (protocol === 'unix:') return hostname === '' && pathname.length > 1 ? { path: decodeURIComponent(pathname) } : undefined;
  const isBare = pathname === '' || pathname === '/';
  if (protocol !== 'tcp:' || hostname === '' || !isBare) return undefined;
  return { host: hostname.replaceAll(/[[\]]/g, ''), port: port === '' ? clamdPort : Number(port) };
};

const scannerAddress = z.pipe(
  z.string().check(
    z.refine((written) => scannerAddressOf(written) !== undefined, {
      error: 'not an address like tcp://clamd.internal:3310 or unix:///run/clamav/clamd.ctl',
    }),
  ),
  z.transform((written) => scannerAddressOf(written)),
);

const isHook = (written: string): boolean => {
  if (!URL.canParse(written)) return false;
  const url = new URL(written);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
  return isSafe && url.hash === '' && url.username === '' && url.password === '';
};

/** Of a system that is posted to. */
export const hookAddress = z.pipe(
  z.string().check(z.refine(isHook, { error: 'not an address like https://intake.example.com/pergamin; http only on loopback' })),
  z.transform((written) => new URL(written)),
);

const namesOf = (written: string): string[] =>
  written
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const someOf = <const Name extends string>(known: readonly Name[]) =>
  z.pipe(
    z
      .string()
      .check(
        z.refine((written) => namesOf(written).every((name) => known.some((one) => one === name)), { error: `not of ${known.join(', ')}` }),
      ),
    z.transform((written): Name[] => known.filter((one) => namesOf(written).includes(one))),
  );

/** Settings of what clients send, of its inspection and of the organisation that collects it. */
export const sendingSettingRows = {
  SENDING_FILES_PER_SESSION: {
    doc: 'The number of files that a client may send in one session, from signing in to signing out; refused ones count.',
    schema: wholeNumber(1, 1_000),
    standard: String(sendingLimits.filesPerSession),
    public: true,
  },
  SENDING_FILES_PER_DAY: {
    doc: 'The number of files that a client may send in a day of the organisation; refused ones count.',
    schema: wholeNumber(1, 100_000),
    standard: String(sendingLimits.filesPerDay),
    public: true,
  },
  SENDING_REFUSE: {
    doc: 'Further contents for which a sent PDF is refused, separated by commas: EMBEDDED_FILE, FORM_SUBMIT, OUTSIDE_LINK, XFA, RICH_MEDIA. JAVASCRIPT and LAUNCH are always refused.',
    schema: someOf(activeContent),
    standard: '',
    public: true,
  },
  PUBLISH_CONTENT: {
    doc: 'For a published PDF with scripts, attached files and the like: accept, flag (accepted, and named in the answer) or refuse (except for links).',
    schema: z.enum(['accept', 'flag', 'refuse']),
    standard: 'flag',
    public: true,
  },
  PUBLISH_FOREIGN_DATA: {
    doc: 'For a published PDF with data that are no part of it (in its first line, between its objects, behind its end): refuse or accept. Sent ones are always refused.',
    schema: z.enum(['refuse', 'accept']),
    standard: 'refuse',
    public: true,
  },
  CLAMD_URL: {
    doc: 'Malware scanner for what clients send, tcp://host:3310 or unix:///path (clamd, INSTREAM). Left out: nothing is scanned.',
    schema: scannerAddress,
    standard: undefined,
    public: true,
  },
  MALWARE_SCAN_FAILURE: {
    doc: 'When the scanner is unreachable: refuse the file (STORAGE_ERROR), or accept it and tell the organisation.',
    schema: z.enum(['refuse', 'accept']),
    standard: 'refuse',
    public: true,
  },
  RECEIVED_WEBHOOK_URL: {
    doc: 'Address of the organisation’s system that is told what happened, as RECEIVED_WEBHOOK_EVENTS says. Left out: none is told.',
    schema: hookAddress,
    standard: undefined,
  },
  RECEIVED_WEBHOOK_SECRET: {
    doc: 'Signs what is posted to RECEIVED_WEBHOOK_URL; at least 32 characters.',
    schema: z.string().check(z.minLength(32, { error: 'shorter than 32 characters' })),
    standard: undefined,
  },
  RECEIVED_WEBHOOK_EVENTS: {
    doc: `What RECEIVED_WEBHOOK_URL is told of, separated by commas: ${webhookTypes.join(', ')}.`,
    schema: someOf(webhookTypes),
    standard: 'document.received',
    public: true,
  },
} as const;

/** Values by the names of their settings. What has no standard may be left out. */
export type ReadOf<Rows extends Readonly<Record<string, { readonly schema: z.ZodMiniType; readonly standard: string | undefined }>>> = {
  readonly [Name in keyof Rows]: z.output<Rows[Name]['schema']> | (Rows[Name]['standard'] extends string ? never : undefined);
};

type SendingRead = ReadOf<typeof sendingSettingRows>;

export const webhookProblem = ({ RECEIVED_WEBHOOK_URL: url, RECEIVED_WEBHOOK_SECRET: secret }: SendingRead): string | undefined => {
  if ((url === undefined) === (secret === undefined)) return undefined;
  const [missing, given] = url === undefined ? ['URL', 'SECRET'] : ['SECRET', 'URL'];
  return `RECEIVED_WEBHOOK_${missing}: missing beside RECEIVED_WEBHOOK_${given}.`;
};

/** What the settings above say, with the units in the names. */
export type SendingSettings = ReturnType<typeof sendingSettingsOf>;

export const sendingSettingsOf = (read: SendingRead) => ({
  sendingFilesPerSession: read.SENDING_FILES_PER_SESSION,
  sendingFilesPerDay: read.SENDING_FILES_PER_DAY,
  /** Of sent documents. */
  sendingRefuse: [...new Set<ActiveContent>(['JAVASCRIPT', 'LAUNCH', ...read.SENDING_REFUSE])],
  publishContent: read.PUBLISH_CONTENT,
  publishForeignData: read.PUBLISH_FOREIGN_DATA,
  scanner: read.CLAMD_URL,
  malwareScanFailure: read.MALWARE_SCAN_FAILURE,
  receivedWebhook:
    read.RECEIVED_WEBHOOK_URL === undefined || read.RECEIVED_WEBHOOK_SECRET === undefined
      ? undefined
      : { url: read.RECEIVED_WEBHOOK_URL, secret: read.RECEIVED_WEBHOOK_SECRET, events: read.RECEIVED_WEBHOOK_EVENTS },
});
