import { spawnSync } from 'node:child_process';
import { webhookEvent, webhookTypes } from '@pergamin/contract';
import { expect, test } from 'vitest';
import { payloadsOfPage, programOfPage } from '#testing/webhook-page.ts';
import { signatureOf } from './webhooks.rules.ts';

const secret = 'a secret of thirty-two characters or more';
const body = '{ "id": "zażółć" }';
const now = new Date();
const right = signatureOf(body, { secret, at: now });

const cases = [
  { body, header: right, secret },
  { body: `${body} `, header: right, secret },
  { body, header: right, secret: `${secret}!` },
  { body, header: right.replace(/t=\d+/, (t) => `${t}0`), secret },
  { body, header: signatureOf(body, { secret, at: new Date(now.getTime() - 301_000) }), secret },
  { body, header: signatureOf(body, { secret, at: new Date(now.getTime() + 360_000) }), secret },
  { body, header: right.slice(0, -1), secret },
  { body, header: '', secret },
];
const verdicts = [true, ...cases.slice(1).map(() => false)];

const runs = {
  js: {
    program: process.execPath,
    arguments: ['--input-type=module', '-e'],
    ask: `console.log(JSON.stringify(JSON.parse(process.argv[1]).map(({ body, header, secret }) => isGenuine(Buffer.from(body), header, secret))));`,
  },
  python: {
    program: 'python3',
    arguments: ['-c'],
    ask: `import json, sys\nprint(json.dumps([is_genuine(each["body"].encode(), each["header"], each["secret"]) for each in json.loads(sys.argv[1])]))`,
  },
} as const;

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.each(hasPython ? (['js', 'python'] as const) : (['js'] as const))(
  'the check of docs/webhooks.md in %s takes what the portal signed, and nothing else',
  (language) => {
    const { program, arguments: words, ask } = runs[language];
    const asked = spawnSync(program, [...words, `${programOfPage(language)}\n${ask}`, JSON.stringify(cases)], { encoding: 'utf8' });
    expect([asked.stderr, JSON.parse(asked.stdout)]).toEqual(['', verdicts]);
  },
);

test('docs/webhooks.md has a payload of each event, in the order of its table', () => {
  expect(payloadsOfPage.map((text) => webhookEvent.parse(JSON.parse(text)).type)).toEqual(webhookTypes);
});
