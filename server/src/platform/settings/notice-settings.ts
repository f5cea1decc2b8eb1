import { patternedText } from '@pergamin/contract';
import * as z from 'zod/mini';
import { bodyFault } from '#platform/sms/body-template.ts';
import type { SmsReportSettings, SmsSettings } from '#platform/sms/sms.ts';
import { hookAddress, type ReadOf, wholeNumber } from './sending-settings.ts';

const bodyTemplate = z.string().check((check) => {
  const fault = bodyFault(check.value);
  if (fault !== undefined) check.issues.push({ code: 'custom', input: check.value, message: fault });
});

/** A name and a value on one line. What fetch sets itself cannot be set here. */
const isHeader = (written: string): boolean => {
  const [name = '', ...rest] = written.split(':');
  const value = rest.join(':');
  const isWord = /^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(name) && !/^(host|content-\w+|connection)$/i.test(name);
  return isWord && /^[\t\x20-\x7e]*$/.test(value) && value.includes('{{token}}');
};

const reportPath = patternedText(/^[\w-]+(\.([\w-]+|\*)){0,9}$/, { maxLength: 200, error: 'not a path like results.*.id' });

/** Settings of notices by mail and SMS (M3). */
export const noticeSettingRows = {
  NOTICES: {
    doc: 'at-once: the recipients of a document are told by mail or SMS. never: only in the portal. Left out: at-once when SMTP_URL or SMS_URL is set, or mail goes to the local outbox.',
    schema: z.enum(['at-once', 'never']),
    standard: undefined,
    public: true,
  },
  NOTICE_REMINDER_DAYS: {
    doc: 'A client who has neither read nor downloaded a document this many days after its notice is reminded, once. Left out: no reminders.',
    schema: wholeNumber(1, 365),
    standard: undefined,
    public: true,
  },
  SMS_URL: {
    doc: 'Address of an SMS gateway, to which each message is posted; https unless loopback. Left out: no SMS is sent.',
    schema: hookAddress,
    standard: undefined,
  },
  SMS_TOKEN: {
    doc: 'The gateway’s secret; sent in the header SMS_HEADER.',
    schema: patternedText(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/, { maxLength: 8_192, error: 'holds signs that no header can' }),
    standard: undefined,
  },
  SMS_HEADER: {
    doc: 'The header that carries SMS_TOKEN, with {{token}} in it.',
    schema: z.string().check(z.refine(isHeader, { error: 'not a header like Authorization: Bearer {{token}}' })),
    standard: 'Authorization: Bearer {{token}}',
  },
  SMS_BODY: {
    doc: 'The body that is posted: JSON, or the fields of a form, with {{to}} (+48…) or {{number}} (48…), {{text}} and {{reference}} in their places.',
    schema: bodyTemplate,
    standard: '{"to":"{{to}}","text":"{{text}}","reference":"{{reference}}"}',
  },
  SMS_MESSAGE_ID: {
    doc: 'The path of the message id in the JSON of the gateway’s answer, like id or messages.0.messageId.',
    schema: patternedText(/^[\w-]+(\.[\w-]+){0,9}$/, { maxLength: 200, error: 'not a path like messages.0.id' }),
    standard: 'id',
    public: true,
  },
  SMS_REPORT_TOKEN: {
    doc: 'Secret in the address that the gateway calls when a message did not arrive: PUBLIC_URL/api/open/notices/delivery/<secret>. Left out: there is no such address.',
    schema: patternedText(/^[\w-]{24,128}$/, { maxLength: 128, error: 'not 24 to 128 letters, digits, - and _' }),
    standard: undefined,
  },
  SMS_REPORT_ID: {
    doc: 'The message ids, or our references, in a gateway’s report: a form’s field, or a path like results.*.messageId.',
    schema: reportPath,
    standard: 'id',
    public: true,
  },
  SMS_REPORT_STATUS: {
    doc: 'The status of each message in a gateway’s report: a form’s field, or a path.',
    schema: reportPath,
    standard: 'status',
    public: true,
  },
  SMS_REPORT_FAILED: {
    doc: 'The statuses by which the gateway says that a message was not delivered, with commas between; capitals do not matter.',
    schema: patternedText(/^[\w .-]{1,60}(,[\w .-]{1,60}){0,49}$/, { maxLength: 3_050, error: 'not words with commas between' }),
    standard: 'failed,undelivered,undeliverable,rejected,expired,bounced',
    public: true,
  },
} as const;

type NoticeRead = ReadOf<typeof noticeSettingRows>;

/** `hasMail`: there is a mail server, or the local outbox. */
export const noticesProblem = (read: NoticeRead, { hasMail }: { hasMail: boolean }): string | undefined => {
  const hasChannel = hasMail || read.SMS_URL !== undefined;
  if (read.SMS_TOKEN !== undefined && read.SMS_URL === undefined) return 'SMS_URL: missing beside SMS_TOKEN.';
  if (read.SMS_REPORT_TOKEN !== undefined && read.SMS_URL === undefined) return 'SMS_URL: missing beside SMS_REPORT_TOKEN.';
  if (read.NOTICES === 'at-once' && !hasChannel) return 'NOTICES: at-once needs SMTP_URL or SMS_URL.';
  if (read.NOTICE_REMINDER_DAYS !== undefined && (read.NOTICES === 'never' || !hasChannel))
    return 'NOTICE_REMINDER_DAYS: reminders need notices: SMTP_URL or SMS_URL, and not NOTICES=never.';
  return undefined;
};

export const noticeSettingsOf = (read: NoticeRead, { hasMail }: { hasMail: boolean }) => ({
  notices: read.NOTICES ?? (hasMail || read.SMS_URL !== undefined ? 'at-once' : 'never'),
  noticeReminderDays: read.NOTICE_REMINDER_DAYS,
  sms: smsOf(read),
});

const smsOf = (read: NoticeRead): SmsSettings | undefined => {
  const { SMS_URL: url, SMS_TOKEN: token, SMS_HEADER: header, SMS_BODY: body, SMS_MESSAGE_ID: messageIdAt } = read;
  return url === undefined ? undefined : { url, token, header, body, messageIdAt, report: reportOf(read) };
};

const reportOf = (read: NoticeRead): SmsReportSettings | undefined => {
  const { SMS_REPORT_TOKEN: token, SMS_REPORT_ID: idAt, SMS_REPORT_STATUS: statusAt, SMS_REPORT_FAILED: failed } = read;
  if (token === undefined) return undefined;
  return { token, idAt, statusAt, failed: failed.split(',').map((status) => status.trim().toLowerCase()) };
};
