import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { issue } from './certificates.ts';
import { freePort } from './free-port.ts';
import { isListening } from './nginx.ts';

const { PATH = '' } = process.env;
const deploy = fileURLToPath(new URL('../../../deploy/', import.meta.url));

export const proxyNames = ['nginx', 'haproxy'] as const;
export type ProxyName = (typeof proxyNames)[number];

/** Undefined, and said in the output, where there is none: nothing is installed for a test. */
export const findProxy = (name: ProxyName): string | undefined => {
  const found = [...PATH.split(delimiter), '/usr/sbin', '/usr/local/sbin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
  if (found === undefined) process.stderr.write(`skipped: there is no ${name} on this machine\n`);
  return found;
};

/** The name in the files that operators get. */
export const shippedHost = 'documents.example.com';

export interface Upstream {
  readonly port: number;
  readonly metricsPort: number;
}

interface Place {
  readonly port: number;
  /** Without TLS, for tests whose browsers speak none. nginx only. */
  readonly isPlain: boolean;
  readonly plainPort: number;
  readonly folder: string;
  readonly machines: readonly [Upstream, Upstream];
}

/** Replaces each of these once or more; a file in which one is missing is no longer the one that the test was written for. */
const replaceAll = (text: string, replacements: readonly (readonly [string | RegExp, string])[]): string =>
  replacements.reduce((written, [old, next]) => {
    const changed = typeof old === 'string' ? written.replaceAll(old, next) : written.replace(old, next);
    if (changed === written) throw new Error(`the file has no ${String(old)}`);
    return changed;
  }, text);

/** The files that operators get, with nothing changed but addresses, ports and paths. */
const configurations: Record<ProxyName, (place: Place) => Promise<string>> = {
  async nginx({ port, isPlain, plainPort, folder, machines: [one, two] }) {
    const site = replaceAll(await readFile(join(deploy, 'nginx/pergamin.conf'), 'utf8'), [
      ['10.0.0.11:8080', `127.0.0.1:${one.port}`],
      ['10.0.0.12:8080', `127.0.0.1:${two.port}`],
      ['    listen [::]:80;\n', ''],
      ['    listen [::]:443 ssl http2;\n', ''],
      ['listen 80;', `listen 127.0.0.1:${plainPort};`],
      ['listen 443 ssl http2;', `listen 127.0.0.1:${port}${isPlain ? '' : ' ssl http2'};`],
      ['/etc/nginx/documents.example.com.', `${folder}/tls.`],
      ['/var/log/nginx', folder],
      ['/etc/nginx/pergamin', join(deploy, 'proxy')],
      ...(isPlain ? [[/ +ssl_.*\n/g, ''] as const] : []),
    ]);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
    return `daemon off; ${process.getuid?.() === 0 ? 'user root root;' : ''} worker_processes 2; pid ${folder}/pid;
      events { worker_connections 1024; }
      http { ${temporary}
        ${site}
      }`;
  },
  async haproxy({ port, plainPort, folder, machines: [one, two] }) {
    return replaceAll(await readFile(join(deploy, 'haproxy/haproxy.cfg'), 'utf8'), [
      ['10.0.0.11:8080', `127.0.0.1:${one.port} check port ${one.metricsPort}`],
      ['10.0.0.12:8080', `127.0.0.1:${two.port} check port ${two.metricsPort}`],
      ['default-server check port 8081', 'default-server'],
      ['bind :80\n', `bind 127.0.0.1:${plainPort}\n`],
      ['bind :443', `bind 127.0.0.1:${port}`],
      ['/etc/haproxy/documents.example.com.pem', `${folder}/tls.pem`],
      ['/etc/haproxy/unavailable.html', join(deploy, 'proxy/unavailable.html')],
      ['log /dev/log local0 info', 'log stdout format raw local0 info'],
    ]);
  },
};

interface Program {
  readonly name: ProxyName;
  readonly program: string;
  /** The port to listen on without TLS. Left out: a free one, with TLS. */
  readonly plainAt?: number | undefined;
}

const wordsOf: Record<ProxyName, (folder: string) => readonly string[]> = {
  nginx: (folder) => ['-p', folder, '-c', join(folder, 'configuration'), '-e', join(folder, 'start.log')],
  haproxy: (folder) => ['-db', '-f', join(folder, 'configuration')],
};

const prepare = async ({ name, plainAt }: Program, machines: Place['machines']): Promise<Place> => {
  const folder = await mkdtemp(join(tmpdir(), `pergamin-${name}-`));
  const made = { port: plainAt ?? (await freePort()), isPlain: plainAt !== undefined, plainPort: await freePort(), folder, machines };
  const { pem, keyPem } = await issue({ name: shippedHost, kind: 'ECDSA' });
  await writeFile(join(folder, 'tls.crt'), pem);
  await writeFile(join(folder, 'tls.key'), keyPem);
  await writeFile(join(folder, 'tls.pem'), pem + keyPem);
  await writeFile(join(folder, 'configuration'), await configurations[name](made));
  return made;
};

export interface ShippedProxy extends AsyncDisposable {
  readonly port: number;
  readonly plainPort: number;
  /** All that it wrote: requests and complaints. */
  readLog(): Promise<string>;
}

/** nginx or HAProxy with the file that operators get, in front of these machines. Speaks TLS with a certificate of its own. */
export const startShippedProxy = async ({ name, program, plainAt }: Program, machines: Place['machines']): Promise<ShippedProxy> => {
  const { folder, port, plainPort } = await prepare({ name, program, plainAt }, machines);
  const child = spawn(program, wordsOf[name](folder), { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => said.push(piece));
  const readLog = async (): Promise<string> => {
    const files = ['pergamin.log', 'pergamin.error.log', 'start.log'].map((file) => readFile(join(folder, file), 'utf8').catch(() => ''));
    return Buffer.concat(said).toString() + (await Promise.all(files)).join('');
  };
  while (!(await isListening(port))) if (child.exitCode !== null) throw new Error(`${name} ended: ${await readLog()}`);
  return {
    port,
    plainPort,
    readLog,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(timer);
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export interface ProxiedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface ProxiedRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** One request as a browser sends it, over a connection of its own. */
export const askProxy = async ({ port }: { readonly port: number }, { method = 'GET', path, headers = {}, body }: ProxiedRequest) => {
  const asked = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    agent: false,
    rejectUnauthorized: false,
    headers: { host: shippedHost, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }), ...headers },
  });
  asked.end(body);
  const [answer] = await once(asked, 'response');
  return { status: Number(answer.statusCode), headers: answer.headers, body: await text(answer) } as ProxiedAnswer;
};
