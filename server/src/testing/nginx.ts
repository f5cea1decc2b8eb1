import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const tell = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => tell(true));
    socket.once('error', () => tell(false));
  });

interface Proxy extends AsyncDisposable {
  /** Takes the others out, as an orchestrator does with what is not ready: requests under way are not touched. */
  useOnly(upstreams: readonly number[]): Promise<void>;
  /** What it complained of. */
  readLog(): Promise<string>;
}

interface Plan {
  readonly port: number;
  readonly upstreams: readonly number[];
}

/** In front of these ports of this machine, with kept connections to them. An answer that does not come is 504 after three seconds. */
export const startNginx = async (program: string, { port, upstreams }: Plan): Promise<Proxy> => {
  const prefix = await mkdtemp(join(tmpdir(), 'pergamin-nginx-'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${prefix}/${name};`).join(' ');
  const plain = (ports: readonly number[]): string =>
    `upstream portal { ${ports.map((upstream) => `server 127.0.0.1:${upstream};`).join(' ')} keepalive 16; }
        server {
          listen 127.0.0.1:${port};
          location / {
            proxy_pass http://portal; proxy_http_version 1.1; proxy_read_timeout 3s;
            proxy_set_header Connection ""; proxy_set_header Host $http_host;
          }
        }`;
  const configure = async (ports: readonly number[]): Promise<void> =>
    writeFile(
      join(prefix, 'nginx.conf'),
      `daemon off; ${process.getuid?.() === 0 ? 'user root root;' : ''} worker_processes 1; pid ${prefix}/pid; error_log ${prefix}/error.log;
      events { worker_connections 1024; }
      http {
        access_log off; ${temporary} client_max_body_size 0;
        ${plain(ports)}
      }`,
    );
  await configure(upstreams);
  const child = spawn(program, ['-p', prefix, '-c', join(prefix, 'nginx.conf'), '-e', join(prefix, 'error.log')], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const readLog = (): Promise<string> => readFile(join(prefix, 'error.log'), 'utf8').catch(() => '');
  while (!(await isListening(port))) if (child.exitCode !== null) throw new Error(`nginx ended: ${await readLog()}`);
  return {
    readLog,
    async useOnly(ports) {
      await configure(ports);
      child.kill('SIGHUP');
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGQUIT');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(timer);
      await rm(prefix, { recursive: true, force: true });
    },
  };
};
