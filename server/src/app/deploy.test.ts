import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { formatVerifierKey, parsePolicy, signatureTypes, verifierKey } from '@pergamin/ledger';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod/mini';
import { secretNames, settingRows } from '#platform/settings/settings.ts';

const folder = fileURLToPath(new URL('../../../deploy/', import.meta.url));
const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');

const secrets: ReadonlySet<string> = new Set(secretNames);
const known = new Set([...Object.keys(settingRows), ...[...secrets].map((name) => `${name}_FILE`)]);

const compose = z.object({
  services: z.object({ pergamin: z.object({ environment: z.record(z.string(), z.string()), stop_grace_period: z.string() }) }),
});
const values = z.object({
  settings: z.record(z.string(), z.string()),
  drainSeconds: z.number(),
  secret: z.object({ keys: z.array(z.string()) }),
});

/** The first document, by its schema; a text that is no YAML throws. */
const parse = <Schema extends z.ZodMiniType>(text: string, schema: Schema): z.output<Schema> => {
  const [document] = parseAllDocuments(text);
  if (document === undefined || !('errors' in document)) throw new Error('there is no document');
  expect(document.errors).toEqual([]);
  return z.parse(schema, document.toJS());
};

const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

/** What helm would leave of a template when every condition holds and every value is a word; no more than its outline. */
const outlineOf = (template: string): string =>
  template
    .split('\n')
    .filter((line) => !/^\s*\{\{-? .*\}\}\s*$/.test(line))
    .join('\n')
    .replaceAll(/\{\{[^}]*\}\}/g, 'value');

test('every environment variable that the files of deployment set is a setting of the product', async () => {
  const [container, composed, chart, deployment, unit, secretUnit, environment] = await Promise.all(
    [
      'container/Containerfile',
      'compose/compose.yaml',
      'helm/pergamin/values.yaml',
      'helm/pergamin/templates/deployment.yaml',
      'systemd/pergamin.service',
      'systemd/secrets.conf',
      'systemd/pergamin.env',
    ].map(read),
  );
  const keys = [...parse(chart ?? '', values).secret.keys, ...namesIn(chart ?? '', /^ {4}# - ([A-Z][A-Z0-9_]+)$/gm)];
  const named = {
    container: namesIn(/^ENV .*$/m.exec(container ?? '')?.[0] ?? '', /([A-Z][A-Z0-9_]+)=/g),
    compose: Object.keys(parse(composed ?? '', compose).services.pergamin.environment),
    helm: [...Object.keys(parse(chart ?? '', values).settings), ...namesIn(deployment ?? '', /- name: ([A-Z][A-Z0-9_]+)$/gm)],
    secrets: keys.map((name) => `${name}_FILE`),
    systemd: [
      ...namesIn(`${unit}${secretUnit}`, /^Environment=([A-Z][A-Z0-9_]+)=/gm),
      ...namesIn(environment ?? '', /^([A-Z][A-Z0-9_]+)=/gm),
    ],
  };
  for (const names of Object.values(named)) expect(names.length).toBeGreaterThan(1);
  expect(
    Object.values(named)
      .flat()
      .filter((name) => !known.has(name)),
  ).toEqual([]);
});

test('each file of deployment that is YAML can be read, of templates their outline', async () => {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.yaml'));
  expect(files.length).toBeGreaterThan(7);
  for (const file of files) {
    const text = await read(file);
    const documents = parseAllDocuments(file.includes('/templates/') ? outlineOf(text) : text);
    expect([file, 'errors' in documents ? [] : documents.flatMap(({ errors }) => errors)]).toEqual([file, []]);
    expect(documents).not.toHaveLength(0);
  }
});

test('each way of deployment waits longer for the end than the portal serves on after SIGTERM', async () => {
  const [unit, environment, composed, deployment] = await Promise.all(
    ['systemd/pergamin.service', 'systemd/pergamin.env', 'compose/compose.yaml', 'helm/pergamin/templates/deployment.yaml'].map(read),
  );
  const afterDrain = 5;
  const numberIn = (text: string | undefined, pattern: RegExp): number => Number(pattern.exec(text ?? '')?.[1]);
  const drain = numberIn(environment, /^DRAIN_SECONDS=(\d+)$/m);
  expect(numberIn(unit, /^TimeoutStopSec=(\d+)$/m)).toBeGreaterThan(drain + afterDrain);
  const { stop_grace_period: grace, environment: set } = parse(composed ?? '', compose).services.pergamin;
  expect(Number.parseInt(grace, 10)).toBeGreaterThan(Number(set['DRAIN_SECONDS']) + afterDrain);
  expect(numberIn(deployment, /terminationGracePeriodSeconds: \{\{ add \(int \.Values\.drainSeconds\) (\d+) \}\}/)).toBeGreaterThan(
    afterDrain,
  );
});

test('containers are asked on the port of metrics whether they live and customers can read: that of customers is closed until then', async () => {
  const [deployment, composed] = await Promise.all(['helm/pergamin/templates/deployment.yaml', 'compose/compose.yaml'].map(read));
  expect(
    namesIn(deployment ?? '', /Probe:\n +httpGet:\n +path: (\S+\n +port: \S+)\n/g).map((probe) => probe.replace(/\s+port:/, '')),
  ).toEqual(['/api/health metrics', '/api/health metrics', '/api/ready metrics']);
  expect(composed).toContain("fetch('http://127.0.0.1:8081/api/ready')");
});

test('the policy of the ledger that is deployed before a witness is there names none', async () => {
  const chart = parse(await read('helm/pergamin/values.yaml'), z.object({ ledgerPolicy: z.string() }));
  expect(parsePolicy(chart.ledgerPolicy).witnesses).toEqual([]);
});

const logKey = formatVerifierKey(verifierKey('documents.example.com/log', signatureTypes.ed25519, new Uint8Array(32).fill(7)));
const standardOf = (word: string): string => word.replace(/^\$\{LOG_KEY:.*\}$/, logKey).replace(/^\$\{\w+:-(.*)\}$/, '$1');

const witnessCommands: Record<string, () => Promise<readonly string[]>> = {
  async compose() {
    const file = z.object({ services: z.object({ witness: z.object({ command: z.array(z.string()) }) }) });
    return parse(await read('compose/witness.yaml'), file).services.witness.command.map(standardOf);
  },
  async helm() {
    const { name } = parse(await read('helm/pergamin-witness/values.yaml'), z.object({ name: z.string() }));
    const [, args = ''] = /\n {10}args:\n((?: {12}.*\n)+)/.exec(await read('helm/pergamin-witness/templates/deployment.yaml')) ?? [];
    const words = args.replace('{{ .Values.name | quote }}', name).replace('{{ . | quote }}', logKey);
    return namesIn(words, /^ +- (.*)$/gm);
  },
};

test.each(Object.keys(witnessCommands))('the witness of %s starts, and prints the line of its key', async (way) => {
  const words = (await witnessCommands[way]?.()) ?? [];
  const place = await mkdtemp(join(tmpdir(), 'pergamin-witness-'));
  const program = join(folder, '../cli/src/main.ts');
  const own = words.map((word) => word.replace(/^\/data/, join(place, 'data')).replace('0.0.0.0', '127.0.0.1'));
  const child = spawn(process.execPath, [program, ...own, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await Promise.race([
      once(createInterface({ input: child.stdout }), 'line'),
      once(child, 'exit').then(() => ['it ended']),
    ]);
    const [, key = ''] = /^witness (\S+)$/.exec(String(line)) ?? [];
    expect(parsePolicy(`witness w1 ${key} https://witness.example\nquorum w1\n`).witnesses).toHaveLength(1);
  } finally {
    child.kill('SIGKILL');
    await rm(place, { recursive: true });
  }
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test.skipIf(!hasSystemd)(
  `systemd accepts the unit with its secrets${hasSystemd ? '' : ' (skipped: there is no systemd-analyze)'}`,
  async () => {
    const place = await mkdtemp(join(tmpdir(), 'pergamin-unit-'));
    try {
      const unit = join(place, 'pergamin.service');
      // Whether the program is installed is no question of the unit.
      await writeFile(unit, (await read('systemd/pergamin.service')).replace('/opt/pergamin/bin/pergamin', '/bin/true'));
      await mkdir(`${unit}.d`);
      await writeFile(join(`${unit}.d`, 'secrets.conf'), await read('systemd/secrets.conf'));
      const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
      expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' });
    } finally {
      await rm(place, { recursive: true });
    }
  },
);
