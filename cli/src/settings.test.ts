import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { runPergamin } from './testing/run-pergamin.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-cli-'));
});
afterAll(() => rm(folder, { recursive: true }));

const pergamin = (args: string[], environment: Record<string, string> = {}, isAlone = false) =>
  runPergamin(args, { folder, environment, isAlone });

const printed = z.object({
  settings: z.array(z.object({ name: z.string(), value: z.nullable(z.string()) })),
  problems: z.array(z.string()),
});

describe('pergamin settings', () => {
  test('prints each setting as it holds here, with what it means, and no secret', async () => {
    const environment = { PORT: '9000', DATABASE_URL: 'postgres://portal:canary@db.example.com/portal' };
    const ended = await pergamin(['settings'], environment);
    expect(ended).toMatchObject({ code: 0, error: '' });
    expect(ended.out).toContain('PORT = 9000  (environment)\n    Port that customers reach the portal on; opened when they can read.\n');
    expect(ended.out).toContain('DATABASE_URL = set  (environment)\n');
    expect(ended.out).not.toContain('canary');
  });

  test('says the same to programs', async () => {
    const ended = await pergamin(['settings', '--json'], { PASSWORD_MAX: '64' }, true);
    expect(ended).toMatchObject({ code: 0, error: '' });
    const { settings, problems } = printed.parse(JSON.parse(ended.out));
    expect(settings.find(({ name }) => name === 'PASSWORD_MAX')).toEqual({ name: 'PASSWORD_MAX', value: '64' });
    expect(problems).toEqual([]);
  });

  test('fails, and says why, where the portal would not start', async () => {
    const ended = await pergamin(['settings'], { PUBLIC_URL: 'http://documents.example.com' });
    expect(ended.code).toBe(1);
    expect(ended.out).toContain('  PUBLIC_URL: http is allowed on loopback only');
  });

  test('tries what the settings name, a line each, and says what is not configured', async () => {
    const ended = await pergamin(['settings', '--check']);
    expect(ended).toMatchObject({ code: 0, error: '' });
    expect(ended.out).toMatch(/^not tried +database +DATABASE_URL: the embedded database, .*; there is none in DATA_DIR yet$/m);
    expect(ended.out).toMatch(/^ok +data disk +DATA_DIR: /m);
    expect(ended.out).toMatch(/^not configured +mail +SMTP_URL: no mail leaves$/m);
    expect(ended.out).toMatch(/^Nothing is wrong with what was tried: 1 fine, \d+ not tried\n$/m);
    expect(await readdir(folder)).toEqual([]);
  });

  test('ends with 1 when something that they name is wrong, and with 2 when they cannot be read', async () => {
    const wrong = await pergamin(['settings', '--check'], { SMTP_URL: 'smtp://portal:canary@127.0.0.1:9' });
    expect(wrong.code).toBe(1);
    expect(wrong.out).toMatch(/^wrong +mail +127\.0\.0\.1:9: nothing listens there$/m);
    const unread = await pergamin(['settings', '--check'], { PORT: 'canary', SMTP_URL_FILE: join(folder, 'none') });
    expect(unread.code).toBe(2);
    expect(unread.out).toMatch(/^SMTP_URL_FILE: the file cannot be read \(ENOENT\)\.\nPORT: .+\n$/);
    expect(wrong.out + unread.out).not.toContain('canary');
    expect(await pergamin(['settings', '--check'], { FONT_DIR: '/nowhere' })).toMatchObject({ code: 2 });
    expect(await pergamin(['settings', '--check', '--json'])).toMatchObject({ code: 2, out: '' });
  });

  test('takes no other words', async () => {
    expect(await pergamin(['settings', 'PORT'])).toMatchObject({ code: 2, out: '' });
  });
});
