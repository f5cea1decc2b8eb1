import type { MailTemplate } from './mail.ts';

/** After the first, second… attempt; then each time the last one, as often as `waitsMs` allows. */
const pausesMs = [15_000, 60_000, 5 * 60_000, 10 * 60_000];

/** An outage from Friday evening to Monday morning loses nothing. */
export const waitsMs = 72 * 3_600_000;

/** Of a mail that was given up, its text is kept no longer than this, for `pergamin mail retry`. */
export const keptToRetryMs = 14 * 24 * 3_600_000;

/** A mail for which a person waits at the sign-in page goes before a batch of invitations. */
const priorities: Readonly<Record<MailTemplate, number>> = {
  passwordReset: 2,
  passwordChanged: 3,
  contactChanged: 3,
  activation: 8,
  activationWithCode: 8,
};

export const priorityOf = (template: string): number => new Map<string, number>(Object.entries(priorities)).get(template) ?? 8;

interface Tried {
  /** The number of attempts that failed. */
  readonly attempts: number;
  readonly createdAt: Date;
  readonly now: Date;
}

/** When a mail is tried next. Undefined: it has waited long enough. */
export const nextAttemptAt = ({ attempts, createdAt, now }: Tried): Date | undefined => {
  const next = now.getTime() + (pausesMs[attempts - 1] ?? pausesMs.at(-1) ?? 0);
  return next > createdAt.getTime() + waitsMs ? undefined : new Date(next);
};

/** `a***@example.com`: enough to recognise an address that one knows. */
export const maskAddress = (address: string): string => {
  const at = address.lastIndexOf('@');
  const [first = ''] = address;
  return at <= 0 ? '***' : `${first}***${address.slice(at)}`;
};

const words: readonly (readonly [RegExp, string])[] = [
  [/^EAUTH|^EOAUTH2/, 'the mail server does not accept the name or the password of SMTP_URL'],
  [/ENOTFOUND|EAI_AGAIN|^EDNS/, 'the name of the mail server is not known'],
  [/ECONNREFUSED/, 'nothing answers at the address of the mail server'],
  [/^ETIMEDOUT|took too long|imeout/, 'the mail server did not answer in time'],
  [/certificate|^ETLS|SSL|TLS/i, 'there is no trusted TLS with the mail server'],
  [/^EENVELOPE/, 'the mail server refused the recipient or the sender'],
  [/^EMESSAGE/, 'the mail server refused the mail itself'],
  [/^E(CONNECTION|SOCKET|PROTOCOL|STREAM)|closed the connection/, 'the connection with the mail server broke'],
];

/** What the mail server, or the way to it, said: in words, with what it said. */
export const inWords = (error: string): string => {
  const found = words.find(([pattern]) => pattern.test(error))?.[1];
  return found === undefined ? error : `${found} (${error})`;
};
