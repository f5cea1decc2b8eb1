import { describe, expect, test } from 'vitest';
import { describeSettings, printedSettings } from './describe-settings.ts';
import { settingRows } from './settings.ts';

const secretValues = {
  DATABASE_URL: 'postgres://portal:canary-database@db.example.com/portal',
  SMTP_URL: 'smtps://portal:canary-mail@mail.example.com:465',
  RECEIVED_WEBHOOK_SECRET: 'canary-webhook-0123456789-0123456789',
  IDENTITY_SERVICES: '[{"clientSecret":"canary-service"}]',
};

const find = (name: string, environment: NodeJS.ProcessEnv) =>
  describeSettings(environment).settings.find((setting) => setting.name === name);

describe('the settings as they are printed', () => {
  test('are all that there are, each with a sentence', () => {
    const { settings, problems } = describeSettings({});
    expect(settings.map(({ name }) => name)).toEqual(Object.keys(settingRows));
    expect(settings.filter(({ doc }) => !/^.{10,}\.$/s.test(doc))).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('say what is written, what stands for what is not, and what is left out', () => {
    expect(find('PORT', { PORT: '9000' })).toMatchObject({ value: '9000', from: 'environment', standard: '8080' });
    expect(find('PORT', { PORT: '' })).toMatchObject({ value: '8080', from: 'standard' });
    expect(find('HOST', {})).toMatchObject({ value: null, from: 'left out', standard: null });
  });

  test.each(Object.keys(secretValues))('never hold the value of %s', (name) => {
    const described = describeSettings(secretValues);
    expect(described.settings.find((setting) => setting.name === name)).toMatchObject({ value: 'set', isSecret: true });
    expect(find(name, {})).toMatchObject({ value: 'not set', isSecret: true });
    // Not among the problems either: the list of services is wrong, and the webhook has no address.
    expect(described.problems).not.toEqual([]);
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

  test('keep a value on its line, whatever it holds', () => {
    const printed = printedSettings(describeSettings({ ORGANISATION_NAME: 'Bank\n\u001b[31mWiślany' }));
    expect(printed).toContain('ORGANISATION_NAME = "Bank\\n\\u001b[31mWiślany"  (environment)\n');
  });
});
