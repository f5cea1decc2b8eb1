import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { formatVerifierKey, MalformedError, parseVerifierKey, signatureTypes, type VerifierKey } from '@pergamin/ledger';
import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { openWitnessKey } from '../witness/witness-key.ts';
import { openWitnessMemory } from '../witness/witness-memory.ts';
import { createWitnessServer } from '../witness/witness-server.ts';

const options = {
  folder: { type: 'string' },
  name: { type: 'string' },
  log: { type: 'string', multiple: true },
  address: { type: 'string' },
  port: { type: 'string' },
} as const;

const readLog = (text: string): VerifierKey => {
  try {
    const key = parseVerifierKey(text);
    if (key.type === signatureTypes.ed25519) return key;
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    throw new UsageError(`--log: ${error.message}`, { cause: error });
  }
  throw new UsageError('--log: this is not the key of a log');
};

const readPort = (text = '8090'): number => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new UsageError('--port must be a number from 0 to 65535');
  return Number(text);
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

export const witness = {
  usage: `pergamin witness --folder FOLDER --name NAME --log KEY [--log KEY …] [--address ADDRESS] [--port PORT]
    Watches logs of portals from outside, by C2SP tlog-witness: cosigns a checkpoint when it continues all that it has cosigned before, and
    keeps one that contradicts them as evidence. The first start makes a key; the line that it prints is what the portal's operator is told. FOLDER holds
    the key and what was cosigned last: they belong together, and a restored older copy must not be used. Runs until it is ended.
    --folder FOLDER     made when it is not there; one witness at a time
    --name NAME         of this witness, as auditor.example/w1: an address without https, with no space and no plus sign
    --log KEY           the key of a log, as the portal prints it
    --address ADDRESS   where it listens, left out 127.0.0.1; put TLS in front of any other
    --port PORT         left out 8090`,

  async run(_connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, { options, usage: witness.usage });
    const { folder, name, log = [], address = '127.0.0.1' } = values;
    if (folder === undefined || name === undefined || log.length === 0 || positionals.length > 0) throw new UsageError(witness.usage);
    if (!/^[^\s+]{1,200}$/u.test(name)) throw new UsageError('--name must have no space and no plus sign');
    const logs = log.map(readLog);
    const port = readPort(values.port);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const memory = await openWitnessMemory(folder);
    try {
      const own = await openWitnessKey(folder, name);
      const server = createWitnessServer({ own, logs, memory, now: Date.now, tell: say });
      server.listen(port, address);
      await once(server, 'listening');
      const bound = server.address();
      say(`witness ${formatVerifierKey(own.key)}`);
      say(`listens on http://${address}:${typeof bound === 'object' && bound !== null ? bound.port : port}`);
      const ended = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
      await ended;
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
    } finally {
      await memory.close();
    }
  },
};
