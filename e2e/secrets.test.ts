import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { createClient } from './client.ts';
import { createPerson } from './publisher.ts';
import { assertNoSecretsIn, secretsVariable } from './secrets.ts';

test('what a browser sends to sign in is written down for the look through the logs', async ({ page, context }) => {
  const file = process.env[secretsVariable];
  test.skip(file === undefined, 'the product was started beforehand');
  const person = await createPerson();
  const client = createClient(page);
  await client.signsIn(person);
  await expect(page.getByRole('region', { name: /regulamin/i }).first()).toBeVisible();
  const token = await page.evaluate(() => sessionStorage.getItem('authorization') ?? '');
  const session = (await context.cookies()).find(({ name }) => name.endsWith('portal'));
  const written = await readFile(file ?? '', 'utf8');
  for (const secret of [person.password, token.replace('Bearer ', ''), session?.value])
    expect(written).toContain(`${JSON.stringify(secret)}\n`);
});

test('a secret in a log is found, and not repeated', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'pergamin-logs-'));
  try {
    const file = path.join(folder, 'secrets');
    await writeFile(file, '"of-a/sign-in"\n');
    await writeFile(path.join(folder, 'product.log'), 'Demo password: of-a/sign-in\n{"msg":"calm"}\n');
    await assertNoSecretsIn(folder, file);
    await writeFile(path.join(folder, 'product.log'), '{"msg":"calm"}\n{"url":"/oauth?code=of-a%2Fsign-in"}\n');
    await expect(assertNoSecretsIn(folder, file)).rejects.toThrow(/in the log: product\.log:2$/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
