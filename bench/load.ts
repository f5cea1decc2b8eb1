import { Agent, request } from 'node:http';

type Headers = Readonly<Record<string, string>>;

export interface Target {
  readonly port: number;
  readonly path: string;
  /** Left out: POST. */
  readonly method?: 'GET' | 'POST';
  /** Likewise a function, for calls of which each address may make only some in a minute. */
  readonly headers: Headers | (() => Headers);
  /** A function makes another for each call, so that nothing is remembered of the one before. */
  readonly body: string | (() => string);
}

/** Keeps its connections, as a browser does. */
export const createLoad = ({ port, path, method = 'POST', headers, body }: Target) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const ask = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const own = typeof headers === 'function' ? headers() : headers;
      const sent = typeof body === 'string' ? body : body();
      const asked = request(
        {
          agent,
          host: '127.0.0.1',
          port,
          path,
          method,
          headers: method === 'GET' ? own : { ...own, 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) },
        },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8');
          answer.on('data', (chunk: string) => {
            text += chunk;
          });
          answer.on('end', () =>
            answer.statusCode === 200 ? resolve(text) : reject(new Error(`answered ${answer.statusCode}: ${text.slice(0, 300)}`)),
          );
        },
      );
      asked.on('error', reject);
      asked.end(sent);
    });
  const askInTurn = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) await ask();
  };
  return {
    ask,
    /** Some one after the other, the rest sixteen at once. */
    async run({ inTurn, atOnce }: { inTurn: number; atOnce: number }): Promise<number> {
      await askInTurn(inTurn);
      const each = Math.ceil(atOnce / 16);
      await Promise.all(Array.from({ length: 16 }, () => askInTurn(each)));
      return inTurn + each * 16;
    },
    close: () => agent.destroy(),
  };
};
