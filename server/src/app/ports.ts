import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, createServer } from 'node:net';
import { calls } from '@pergamin/contract';
import { type Settings, SettingsError } from '#platform/settings/settings.ts';
import type { Readiness } from './operations.ts';

interface Address {
  readonly host: string;
  readonly port: number;
}

type PortSetting = 'PORT' | 'METRICS_PORT';

const sentences: Record<string, (name: PortSetting, address: Address) => string> = {
  EADDRINUSE: (name, { host, port }) =>
    `${name}: another program listens on port ${port} of ${host} already. End it, or set ${name} to a free port`,
  EACCES: (name, { port }) => `${name}: this user may not listen on port ${port}. Set ${name} to a port from 1024`,
  EADDRNOTAVAIL: (name, { host }) => `${name === 'PORT' ? 'HOST' : 'METRICS_HOST'}: this machine has no address ${host}`,
};

/** What `listen` rejects with, as a sentence for the operator where it is one. */
export const listenError = (error: unknown, { name, ...address }: Address & { readonly name: PortSetting }): unknown => {
  const sentence = error instanceof Error && 'code' in error ? sentences[String(error.code)] : undefined;
  return sentence === undefined ? error : new SettingsError(sentence(name, address), { cause: error });
};

const isTaken = async ({ host, port }: Address): Promise<boolean> => {
  // Every address of the machine: this one stands for them.
  const socket = connect({ host: host === '::' || host === '0.0.0.0' ? 'localhost' : host, port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

const listenBriefly = async (address: Address): Promise<void> => {
  const server = createServer().listen(address);
  await once(server, 'listening');
  server.close();
};

const firstUnprivilegedPort = 1_024;

/**
 * Judges PORT before anything is done, and does not open it: a proxy would send a customer there. What takes it afterwards is found when the portal
 * listens.
 * @throws SettingsError
 */
export const assertPortFree = async ({ host, port }: Address): Promise<void> => {
  if (await isTaken({ host, port }))
    throw listenError(Object.assign(new Error('taken'), { code: 'EADDRINUSE' }), { name: 'PORT', host, port });
  try {
    await listenBriefly({ host, port: 0 });
    // Only listening tells whether this user may. No proxy sends anybody to such a port of a portal.
    if (port < firstUnprivilegedPort) await listenBriefly({ host, port });
  } catch (error) {
    throw listenError(error, { name: 'PORT', host, port });
  }
};

const answer = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).end(JSON.stringify(body));
};

/** The probes on METRICS_PORT, which answers from the start of a process to its end: alive, and ready once `setReadiness` was called and says so. */
export const createProbes = () => {
  let readiness: Readiness = async () => ({ status: 'unavailable' });
  return {
    setReadiness(isNow: Readiness): void {
      readiness = isNow;
    },
    /** False for every path that is no probe's. */
    answer(path: string, response: ServerResponse): boolean {
      if (path === calls.getHealth.path) answer(response, 200, { status: 'ok' });
      else if (path === calls.getReadiness.path) void readiness().then((is) => answer(response, is.status === 'ok' ? 200 : 503, is));
      else return false;
      return true;
    },
  };
};

/** Whether this process answers customers. */
export const hasCustomers = ({ role }: Pick<Settings, 'role'>): boolean => role !== 'worker';
