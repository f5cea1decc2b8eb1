import { describe, expect, test } from 'vitest';
import { describeSettings, printedSettings } from './describe-settings.ts';
import { settingRows } from './settings.ts';

/** Settings whose values may be printed. Every other one is a secret, and so is a setting that is added. */
const mayBePrinted = [
  'PORT',
  'HOST',
  'METRICS_PORT',
  'METRICS_HOST',
  'DATA_DIR',
  'PUBLIC_URL',
  'ROLE',
  'LOG_LEVEL',
  'ORGANISATION_NAME',
  'BRANDING_DIR',
  'FONT_DIR',
  'TIME_ZONE',
  'STATEMENT_MARKER_KEY',
  'IGNORE_MARKERS',
  'SESSION_IDLE_MINUTES',
  'SESSION_ABSOLUTE_HOURS',
  'PASSWORD_MAX',
  'PASSWORD_HISTORY',
  'ACTIVATION_SECOND_FACT',
  'CONTACT_QUIET_HOURS',
  'PUBLISH_MAX_BYTES',
  'PUBLISH_CALLS_PER_MINUTE',
  'RETENTION_YEARS',
  'BATCH_SECOND_KEY',
  'SENDING_FILES_PER_SESSION',
  'SENDING_FILES_PER_DAY',
  'SENDING_REFUSE',
  'PUBLISH_CONTENT',
  'PUBLISH_FOREIGN_DATA',
  'CLAMD_URL',
  'MALWARE_SCAN_FAILURE',
  'RECEIVED_WEBHOOK_EVENTS',
  'LEDGER_PUBLIC',
  'SCRUB_DAYS',
  'SEAL_POLICY',
  'SEAL_ANCHORS',
  'TIMESTAMP_ANCHORS',
  'TIMESTAMP_POLICY',
  'RENDER_WORKERS',
  'RENDITIONS_MAX_BYTES',
  'LEDGER_DIR',
  'LEDGER_KEY_FILE',
  'LEDGER_INTERVAL_MS',
  'LEDGER_POLICY_FILE',
  'LEDGER_QUORUM',
  'OBJECTS_URL',
  'S3_REGION',
  'OBJECT_LOCK_DAYS',
  'ENCRYPTION',
  'ENCRYPTION_KEY_FILE',
  'DISK_RESERVE_PERCENT',
  'TRUSTED_PROXIES',
  'MAIL_FROM',
  'NOTICES',
  'NOTICE_REMINDER_DAYS',
  'SMS_MESSAGE_ID',
  'SMS_REPORT_ID',
  'SMS_REPORT_STATUS',
  'SMS_REPORT_FAILED',
  'DEMO',
];

/** As they are really written, each with what must not be seen. */
const secretValues: Record<string, string> = {
  DATABASE_URL: 'postgres://portal:canary-database@db.example.com/portal',
  DATABASE_MIGRATION_URL: 'postgres://owner:canary-owner@db.example.com/portal',
  SMTP_URL: 'smtps://portal:canary-mail@mail.example.com:465',
  RECEIVED_WEBHOOK_URL: 'https://intake.example.com/hook?token=canary-in-the-address',
  RECEIVED_WEBHOOK_SECRET: 'canary-webhook-0123456789-0123456789',
  TIMESTAMP_URL: 'https://tsa.example.com/tsa?key=canary-time',
  IDENTITY_SERVICES: '[{"clientSecret":"canary-service"}]',
  S3_ACCESS_KEY_ID: 'canary-access',
  S3_SECRET_ACCESS_KEY: 'canary-access-secret',
  SMS_URL: 'https://sms.example.com/send?key=canary-sms',
  SMS_TOKEN: 'canary-token',
  SMS_HEADER: 'X-Account: canary-header {{token}}',
  SMS_BODY: '{"password":"canary-body","to":"{{to}}","text":"{{text}}"}',
  SMS_REPORT_TOKEN: 'canary-report-0123456789-0123456789',
};

const secretNames = Object.keys(settingRows).filter((name) => !mayBePrinted.includes(name));

const find = (name: string, environment: NodeJS.ProcessEnv) =>
  describeSettings(environment).settings.find((setting) => setting.name === name);

describe('the settings as they are printed', () => {
  test('are all that there are, each with a sentence', () => {
    const { settings, problems } = describeSettings({});
    expect(settings.map(({ name }) => name)).toEqual(Object.keys(settingRows));
    expect(settings.filter(({ doc }) => !/^.{10,}\.$/s.test(doc))).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('say what is written, which default replaces what is not, and what is left out', () => {
    expect(find('PORT', { PORT: '9000' })).toMatchObject({ value: '9000', from: 'environment', standard: '8080' });
    expect(find('PORT', { PORT: '' })).toMatchObject({ value: '8080', from: 'standard' });
    expect(find('HOST', {})).toMatchObject({ value: null, from: 'left out', standard: null });
  });

  test('are public by declaration, and by no other way', () => {
    const shown = describeSettings({}).settings.filter(({ isSecret }) => !isSecret);
    expect(shown.map(({ name }) => name)).toEqual(Object.keys(settingRows).filter((name) => mayBePrinted.includes(name)));
    expect(shown).toHaveLength(mayBePrinted.length);
  });

  test.each(secretNames)('the printed settings never hold the value of %s', (name) => {
    const value = secretValues[name] ?? 'canary-of-a-new-setting';
    const described = describeSettings({ ...secretValues, [name]: value });
    expect(described.settings.find((setting) => setting.name === name)).toMatchObject({ value: 'set', isSecret: true });
    expect(find(name, {})).toMatchObject({ value: 'not set', isSecret: true });
    // Not among the problems either: the list of services is wrong.
    expect(described.problems).not.toEqual([]);
    expect(JSON.stringify(described) + printedSettings(described)).not.toContain('canary');
  });

  test.each([
    ['PUBLIC_URL', 'https://portal:canary@documents.example.com'],
    ['CLAMD_URL', 'tcp://portal:canary@clamd.internal:3310'],
    ['OBJECTS_URL', 'https://portal:canary@s3.example.com/documents'],
    ['PORT', 'canary'],
    ['MAIL_FROM', 'canary'],
    ['TRUSTED_PROXIES', 'canary'],
  ])('do not show %s when it cannot be read: who knows what was pasted there', (name, value) => {
    const described = describeSettings({ [name]: value });
    expect(described.settings.find((setting) => setting.name === name)).toMatchObject({
      value: 'set',
      from: 'environment',
      isSecret: false,
    });
    expect(JSON.stringify(described) + printedSettings(described)).not.toContain('canary');
  });

  test('name everything that would keep the portal from starting', () => {
    const { problems } = describeSettings({ PORT: 'x', TIME_ZONE: 'Moon/Tycho' });
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatch(/^PORT: /);
    expect(problems[1]).toMatch(/^TIME_ZONE: /);
    expect(describeSettings({ RECEIVED_WEBHOOK_URL: 'https://intake.example.com/' }).problems).toEqual([
      'RECEIVED_WEBHOOK_SECRET: missing beside RECEIVED_WEBHOOK_URL.',
    ]);
  });

  test('keep a value with line ends on its line', () => {
    const printed = printedSettings(describeSettings({ ORGANISATION_NAME: 'Bank\n\u001b[31mWiślany' }));
    expect(printed).toContain('ORGANISATION_NAME = "Bank\\n\\u001b[31mWiślany"  (environment)\n');
  });
});
