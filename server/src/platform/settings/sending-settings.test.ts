import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';

test.each([
  ['tcp://clamd.internal', { host: 'clamd.internal', port: 3310 }],
  ['tcp://10.0.0.7:4000', { host: '10.0.0.7', port: 4000 }],
  ['tcp://[fd00::7]:4000', { host: 'fd00::7', port: 4000 }],
  ['unix:///run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
])('the scanner may be at %s', (written, address) => {
  expect(readSettings({ CLAMD_URL: written }).scanner).toEqual(address);
});

const secret = 's'.repeat(32);

test.each([
  ['a scanner that is no address', { CLAMD_URL: 'clamd.internal:3310' }, 'CLAMD_URL'],
  ['a scanner over HTTP', { CLAMD_URL: 'http://clamd.internal' }, 'CLAMD_URL'],
  ['a scanner with a path', { CLAMD_URL: 'tcp://clamd.internal/x' }, 'CLAMD_URL'],
  ['a socket on another machine', { CLAMD_URL: 'unix://elsewhere/run' }, 'CLAMD_URL'],
  ['a webhook without TLS', { RECEIVED_WEBHOOK_URL: 'http://intake.example.com', RECEIVED_WEBHOOK_SECRET: secret }, 'RECEIVED_WEBHOOK_URL'],
  [
    'a webhook with a password',
    { RECEIVED_WEBHOOK_URL: 'https://a:b@intake.example.com', RECEIVED_WEBHOOK_SECRET: secret },
    'RECEIVED_WEBHOOK_URL',
  ],
  ['a webhook without a secret', { RECEIVED_WEBHOOK_URL: 'https://intake.example.com' }, 'RECEIVED_WEBHOOK_SECRET'],
  ['a secret without a webhook', { RECEIVED_WEBHOOK_SECRET: secret }, 'RECEIVED_WEBHOOK_URL'],
  ['an event that there is not', { RECEIVED_WEBHOOK_EVENTS: 'document.read,document.opened' }, 'RECEIVED_WEBHOOK_EVENTS'],
  ['a short secret', { RECEIVED_WEBHOOK_URL: 'https://intake.example.com', RECEIVED_WEBHOOK_SECRET: 'short' }, 'RECEIVED_WEBHOOK_SECRET'],
  ['a flag that there is not', { SENDING_REFUSE: 'LINKS' }, 'SENDING_REFUSE'],
  ['no file a day', { SENDING_FILES_PER_DAY: '0' }, 'SENDING_FILES_PER_DAY'],
])('%s stops the start, and the setting is named', (_, environment, name) => {
  expect(() => readSettings(environment)).toThrow(new RegExp(`^${name}: `));
});

test('scripts and programs from clients are refused under every setting, other content by the setting', () => {
  expect(readSettings({ SENDING_REFUSE: 'XFA, LAUNCH,EMBEDDED_FILE' }).sendingRefuse).toEqual([
    'JAVASCRIPT',
    'LAUNCH',
    'EMBEDDED_FILE',
    'XFA',
  ]);
});

test.each([
  [undefined, ['document.received']],
  ['', ['document.received']],
  ['batch.finished, document.read', ['document.read', 'batch.finished']],
])('the events %s of the webhook are %j', (written, events) => {
  const url = { RECEIVED_WEBHOOK_URL: 'https://intake.example.com/', RECEIVED_WEBHOOK_SECRET: secret };
  const read = readSettings({ ...url, ...(written === undefined ? {} : { RECEIVED_WEBHOOK_EVENTS: written }) });
  expect(read.receivedWebhook?.events).toEqual(events);
});
