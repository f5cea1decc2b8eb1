import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contrastOf } from './contrast.ts';
import { readSettings, settingRows, SettingsError } from './settings.ts';

const secret = 'kN4ry-of-the-test';
const one = { id: 'bank', name: 'Bank', issuer: 'https://identity.example.com/realms/bank', clientId: 'portal', clientSecret: secret };

const read = (value: unknown) =>
  readSettings({ IDENTITY_SERVICES: typeof value === 'string' ? value : JSON.stringify(value) }).identityServices;

const problemOf = (value: unknown): string => {
  try {
    read(value);
    return '';
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.message;
  }
};

describe('an outside identity service', () => {
  test('needs five fields; the personal id is its subject', () => {
    expect(read([one])).toEqual([
      { ...one, claim: 'sub', personalIds: null, acr: [], amr: [], button: null, sso: null, privateNetwork: false, passwordUrl: null },
    ]);
  });

  test('may have every other', () => {
    const full = {
      ...one,
      claim: 'personal_id',
      personalIds: '2\\d{7}',
      acr: ['two-factors'],
      amr: ['otp'],
      button: { logo: '/brand/bank.png', icon: 'data:image/png;base64,iVBORw0KGgo=', color: '#003366 white' },
      sso: {},
      privateNetwork: true,
      passwordUrl: 'https://identity.example/account',
    };
    const [service] = read([full]);
    expect(service).toMatchObject({
      ...full,
      personalIds: /^(?:2\d{7})$/u,
      sso: { issuer: one.issuer, jwksUrl: null, audience: 'portal' },
    });
    expect(['20000001', '120000001', '200000011', '2000000a'].map((id) => service?.personalIds?.test(id))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('may be described in a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pergamin-test-'));
    const path = join(folder, 'services.json');
    await writeFile(path, JSON.stringify([one]));
    expect(read(`@${path}`)).toHaveLength(1);
    await rm(folder, { recursive: true });
    expect(problemOf(`@${path}`)).toContain('the file cannot be read, or is no JSON');
  });

  test.each([['https://login.microsoftonline.com/0f2a/v2.0'], ['http://127.0.0.1:9000'], ['http://localhost:8081/realms/bank']])(
    'may have the issuer %s',
    (issuer) => {
      expect(read([{ ...one, issuer }])[0]?.issuer).toBe(issuer);
    },
  );

  test.each<[string, unknown, string]>([
    ['text that is no JSON', '{', 'not JSON'],
    ['one service instead of a list', one, 'the list: '],
    ['no secret', [{ ...one, clientSecret: undefined }], '[0].clientSecret: '],
    ['an unknown field', [{ ...one, clientSecrets: 'x' }], '[0]: has a field that is not known'],
    ['an id with a slash', [{ ...one, id: 'a/b' }], '[0].id: must be 1 to 64'],
    ['the embedded service’s id', [{ ...one, id: 'pergamin' }], '[0].id: is the embedded service’s own'],
    ['plain http', [{ ...one, issuer: 'http://identity.example.com' }], '[0].issuer: must be an https address'],
    ['credentials in its issuer', [{ ...one, issuer: `https://a:${secret}@b.example` }], '[0].issuer: must be'],
    ['a query in its issuer', [{ ...one, issuer: 'https://b.example/?a=1' }], '[0].issuer: must be'],
    ['an e-mail address for an id', [{ ...one, claim: 'email' }], '[0].claim: must be a claim that never changes hands'],
    ['a user name for an id', [{ ...one, claim: 'preferred_username' }], '[0].claim: must be a claim'],
    ['a broken pattern', [{ ...one, personalIds: '(' }], '[0].personalIds: must be a regular expression'],
    [
      'a logo of another site',
      [{ ...one, button: { logo: 'https://evil.example/a.png', color: 'black white' } }],
      '[0].button.logo: must be a path',
    ],
    [
      'a logo of another site without a scheme',
      [{ ...one, button: { logo: '//evil.example/a.png', color: 'black white' } }],
      '[0].button.logo: ',
    ],
    [
      'a logo of another site with a backslash',
      [{ ...one, button: { logo: '/\\evil.example', color: 'black white' } }],
      '[0].button.logo: ',
    ],
    ['a script for a logo', [{ ...one, button: { logo: 'javascript:alert(1)', color: 'black white' } }], '[0].button.logo: '],
    [
      'a drawing with scripts for an icon',
      [{ ...one, button: { icon: 'data:image/svg+xml;base64,AAAA', color: 'black white' } }],
      '[0].button.icon: ',
    ],
    ['one colour', [{ ...one, button: { color: 'black' } }], '[0].button.color: must be two colours'],
    ['more than colours', [{ ...one, button: { color: 'red;background:url(//evil)' } }], '[0].button.color: must be two colours'],
    ['a colour of a prototype', [{ ...one, button: { color: 'constructor white' } }], '[0].button.color: must be two colours'],
    [
      'colours without contrast',
      [{ ...one, button: { color: '#777777 #888888' } }],
      '[0].button.color: the contrast of background and text',
    ],
    [
      'an id twice',
      [
        { ...one, personalIds: 'a' },
        { ...one, personalIds: 'b' },
      ],
      'two services have one id',
    ],
    ['a neighbour that may name its people', [one, { ...one, id: 'other', personalIds: 'b' }], 'bank: personalIds is needed'],
    ['another signer without keys', [{ ...one, sso: { issuer: 'https://sso.example' } }], 'bank: sso.jwksUrl is needed'],
    ['keys on plain http', [{ ...one, sso: { jwksUrl: 'http://sso.example/keys' } }], '[0].sso.jwksUrl: must be an https address'],
    [
      'a signer that is another’s',
      [
        { ...one, personalIds: 'a', sso: {} },
        { ...one, id: 'b', personalIds: 'b', sso: {} },
      ],
      'two services have one issuer for single',
    ],
  ])('is refused at start with %s', (_what, value, problem) => {
    const told = problemOf(value);
    expect(told).toContain(`IDENTITY_SERVICES: ${problem}`);
    expect(told.endsWith(settingRows.IDENTITY_SERVICES.doc)).toBe(true);
    expect(told).not.toContain(secret);
  });
});

test.each([
  ['black white', 21],
  ['#fff #000', 21],
  ['#FFFFFF #767676', 4.54],
  ['white #777', 4.48],
])('the contrast of %s is %f', (pair, contrast) => {
  expect(contrastOf(pair)).toBeCloseTo(contrast, 2);
});
