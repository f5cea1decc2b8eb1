import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';

const elsewhere = { PUBLIC_URL: 'https://documents.example.com' };
const smtp = { SMTP_URL: 'smtps://mail.example.com' };
const sms = { SMS_URL: 'https://sms.example.com/v1/messages?account=7' };

test.each([
  ['at once where mail stays on this machine', {}, 'at-once'],
  ['at once by a mail server', { ...elsewhere, ...smtp }, 'at-once'],
  ['at once by a gateway alone', { ...elsewhere, ...sms }, 'at-once'],
  ['never where nothing leaves', elsewhere, 'never'],
  ['never when the operator says so', { ...elsewhere, ...smtp, NOTICES: 'never' }, 'never'],
])('notices go out %s', (_, environment, when) => {
  expect(readSettings(environment).notices).toBe(when);
});

test('the gateway is told in its own words', () => {
  expect(
    readSettings({
      ...sms,
      SMS_TOKEN: 'secret',
      SMS_HEADER: 'X-Api-Key: {{token}}',
      SMS_BODY: 'to={{number}}&message={{text}}&from=Bank',
      SMS_MESSAGE_ID: 'list.0.id',
    }).sms,
  ).toEqual({
    url: new URL(sms.SMS_URL),
    token: 'secret',
    header: 'X-Api-Key: {{token}}',
    body: 'to={{number}}&message={{text}}&from=Bank',
    messageIdAt: 'list.0.id',
    report: undefined,
  });
});

test.each([
  ['notices with no way out', { ...elsewhere, NOTICES: 'at-once' }, 'NOTICES'],
  ['notices now and then', { NOTICES: 'sometimes' }, 'NOTICES'],
  ['reminders with no way out', { ...elsewhere, NOTICE_REMINDER_DAYS: '7' }, 'NOTICE_REMINDER_DAYS'],
  ['reminders of notices that are never sent', { NOTICES: 'never', NOTICE_REMINDER_DAYS: '7' }, 'NOTICE_REMINDER_DAYS'],
  ['reminders at once', { NOTICE_REMINDER_DAYS: '0' }, 'NOTICE_REMINDER_DAYS'],
  ['a gateway without TLS', { SMS_URL: 'http://sms.example.com' }, 'SMS_URL'],
  ['a gateway with a password in its address', { SMS_URL: 'https://a:b@sms.example.com' }, 'SMS_URL'],
  ['a gateway that is a file', { SMS_URL: 'file:///etc/passwd' }, 'SMS_URL'],
  ['a token without a gateway', { SMS_TOKEN: 'secret' }, 'SMS_URL'],
  ['a token that begins another header', { ...sms, SMS_TOKEN: 'a\r\nb: c' }, 'SMS_TOKEN'],
  ['a header without the token', { ...sms, SMS_HEADER: 'X-Api-Key: 7' }, 'SMS_HEADER'],
  ['a header of the connection', { ...sms, SMS_HEADER: 'Host: {{token}}' }, 'SMS_HEADER'],
  ['a body without its text', { ...sms, SMS_BODY: '{"to":"{{to}}"}' }, 'SMS_BODY'],
  ['a body without a number', { ...sms, SMS_BODY: '{"text":"{{text}}"}' }, 'SMS_BODY'],
  ['a body with a placeholder that there is not', { ...sms, SMS_BODY: '{"to":"{{to}}","text":"{{text}}","x":"{{name}}"}' }, 'SMS_BODY'],
  ['a body that begins like JSON', { ...sms, SMS_BODY: '{"to":"{{to}}","text":"{{text}}"' }, 'SMS_BODY'],
  ['a body with a placeholder for a name', { ...sms, SMS_BODY: '{"{{to}}":"{{text}}"}' }, 'SMS_BODY'],
  ['a form with a placeholder for a name', { ...sms, SMS_BODY: '{{to}}={{text}}' }, 'SMS_BODY'],
  ['a path that is none', { ...sms, SMS_MESSAGE_ID: 'messages[0].id' }, 'SMS_MESSAGE_ID'],
])('%s stop the start, and the setting is named', (_, environment, name) => {
  expect(() => readSettings(environment)).toThrow(new RegExp(`^${name}: `));
});
