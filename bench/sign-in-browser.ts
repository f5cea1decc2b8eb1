import { createHash, randomBytes } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { calls, pathOf } from '@pergamin/contract';

interface Person {
  readonly personalId: string;
  readonly password: string;
  /** The client's address, sent to the portal in the forwarding header as by a proxy. */
  readonly address: string;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
}

const urlencoded = 'application/x-www-form-urlencoded';
const boundary = 'bench-boundary';

/** What a browser asks while a person signs in, without scripts, styles and pictures; each time as a browser that has never been here. */
export const createSignIns = ({ port, host }: { port: number; host: string }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });

  const send = (options: { method: string; path: string; headers: Record<string, string> }, body: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = body === '' ? options.headers : { ...options.headers, 'content-length': String(Buffer.byteLength(body)) };
      const asked = request({ agent, host: '127.0.0.1', port, ...options, headers }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers }));
      });
      asked.on('error', reject);
      asked.end(body);
    });

  const newBrowser = (address: string) => {
    const cookies = new Map<string, string>();
    return async (method: string, url: string, { type, body = '' }: { type?: string; body?: string } = {}): Promise<Answer> => {
      const { pathname, search } = new URL(url, `http://${host}`);
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = {
        host,
        'x-forwarded-for': address,
        ...(cookie === '' ? {} : { cookie }),
        ...(type === undefined ? {} : { 'content-type': type }),
      };
      const answer = await send({ method, path: pathname + search, headers }, body);
      for (const line of answer.headers['set-cookie'] ?? []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      return answer;
    };
  };

  const locationOf = ({ status, headers }: Answer): string => {
    if (headers.location === undefined) throw new Error(`a sign-in was answered ${status} where it should have been sent on`);
    return headers.location;
  };

  const signIn = async ({ personalId, password, address }: Person): Promise<void> => {
    const ask = newBrowser(address);
    const verifier = randomBytes(48).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const state = Buffer.from(JSON.stringify({ challenge, method: 'S256' })).toString('base64');
    await ask('GET', pathOf(calls.findSignInService, { params: { personalId } }));
    const begun = await ask('GET', pathOf(calls.startSignIn, { params: { personalId }, query: { state, lang: 'PL' } }));
    const page = locationOf(await ask('GET', locationOf(begun)));
    await ask('GET', page);
    const passed = await ask('POST', page, { type: urlencoded, body: new URLSearchParams({ password }).toString() });
    const returned = locationOf(await ask('GET', locationOf(passed)));
    const [, code] = /^\/oauth\/([\w-]+)$/.exec(returned) ?? [];
    if (code === undefined) throw new Error(`a sign-in ended at ${returned}`);
    const field = Buffer.from(JSON.stringify({ code, v: verifier })).toString('base64');
    const body = `--${boundary}\r\ncontent-disposition: form-data; name="code"\r\n\r\n${field}\r\n--${boundary}--\r\n`;
    const { status } = await ask('POST', calls.login.path, { type: `multipart/form-data; boundary=${boundary}`, body });
    if (status !== 204) throw new Error(`the code of a sign-in was answered ${status}`);
  };

  return {
    /** All of them, so many at once. */
    async run(people: readonly Person[], atOnce: number): Promise<void> {
      const waiting = people.values();
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          for (const person of waiting) await signIn(person);
        }),
      );
    },
    close: () => agent.destroy(),
  };
};
