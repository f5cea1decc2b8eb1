import { isEqual, sha256 } from '#platform/crypto/secrets.ts';
import type { SmsReportSettings } from '#platform/sms/sms.ts';

/** One message of a report, by the gateway's id or our reference. */
interface ReportedMessage {
  readonly id: string;
  readonly status: string;
}

/** Of one report. */
const maxMessages = 1_000;
const maxLength = 300;
/** No id that we keep has another character, and the database takes not all of them. */
const isWord = /^\P{Cc}+$/u;

/** The values at a path like `results.*.id`: `*` is every one of a list. */
const valuesAt = (value: unknown, [name, ...rest]: readonly string[]): readonly unknown[] => {
  if (name === undefined) return [value];
  if (value === null || typeof value !== 'object') return [];
  if (name === '*') return Array.isArray(value) ? value.slice(0, maxMessages).flatMap((one) => valuesAt(one, rest)) : [];
  return Object.hasOwn(value, name) ? valuesAt(Reflect.get(value, name), rest) : [];
};

const textsOf = (values: readonly unknown[]): readonly string[] =>
  values.map((value) => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''));

/** The messages of a report, and what became of each. In a form, several are separated by commas. */
export const readDeliveryReport = (
  body: unknown,
  { idAt, statusAt }: Pick<SmsReportSettings, 'idAt' | 'statusAt'>,
): readonly ReportedMessage[] => {
  const read = (path: string): readonly string[] =>
    body instanceof URLSearchParams
      ? textsOf(body.getAll(path).flatMap((field) => field.split(',')))
      : textsOf(valuesAt(body, path.split('.')));
  const statuses = read(statusAt);
  return read(idAt)
    .slice(0, maxMessages)
    .map((id, index) => ({ id, status: statuses[index] ?? '' }))
    .filter(({ id, status }) => isWord.test(id) && id.length <= maxLength && isWord.test(status) && status.length <= maxLength);
};

/** Whether a report carries the secret that the gateway was given; takes as long for any other. */
export const isFromGateway = (token: string, settings: Pick<SmsReportSettings, 'token'>): boolean =>
  isEqual(sha256(token), sha256(settings.token));

/** Whether this status means that the message was not delivered. */
export const isFailure = (status: string, { failed }: Pick<SmsReportSettings, 'failed'>): boolean => failed.includes(status.toLowerCase());
