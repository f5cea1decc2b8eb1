import { calls, type ClientState } from '@pergamin/contract';
import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { onOneLine } from '../one-line.ts';

/** The state to which each of these words leads. */
const states: Readonly<Record<string, ClientState>> = { disable: 'DISABLED', close: 'CLOSED', reopen: 'ACTIVE' };

export const isStateVerb = (verb: string | undefined): boolean => verb === 'history' || (verb !== undefined && Object.hasOwn(states, verb));

export const stateUsage = `pergamin clients disable|close|reopen CLIENT --reason TEXT [--by cif|personalId]
    disable: the client cannot sign in, is signed out everywhere at once, and is mailed no links and no notices. close: the contract has ended;
    the client goes on reading, and neither sends documents nor is asked for terms. reopen: all is as before either.
    CLIENT is a personal id, or a customer number that one client alone has; --by says which where it could be both.

pergamin clients history CLIENT [--by cif|personalId]
    The client's state, and every change of it: when, by which key, and why.`;

const wrong = (problem: string): UsageError => new UsageError(`${problem}\n\n${stateUsage}`);

const isWay = (by: string): by is 'cif' | 'personalId' => by === 'cif' || by === 'personalId';

export const runStates = async (connection: Connection, args: string[]): Promise<void> => {
  const options = { reason: { type: 'string' }, by: { type: 'string' } } as const;
  const { values, positionals } = readArguments(args, { options, usage: stateUsage });
  const [verb = '', client, ...more] = positionals;
  const { by, reason = '' } = values;
  if (client === undefined || more.length > 0) throw new UsageError(stateUsage);
  if (by !== undefined && !isWay(by)) throw wrong('--by must be cif or personalId');
  const named = { params: { client }, query: by === undefined ? {} : { by } };
  const state = states[verb];
  if (state === undefined) {
    const { client: kept, items } = await connection.call(calls.getClientHistory, named);
    const lines = items.map(({ at, before, after, keyName, reason: why }) =>
      [new Date(at).toISOString(), `${before} → ${after}`, `by ${onOneLine(keyName)}`, onOneLine(why)].join('  '),
    );
    process.stdout.write(`${[`${kept.personalId}  ${kept.cif}  ${kept.state}`, ...lines].join('\n')}\n`);
    return;
  }
  if (reason.trim() === '') throw wrong('say why: --reason TEXT');
  const kept = await connection.call(calls.changeClientState, { ...named, body: { state, reason } });
  process.stdout.write(`${kept.personalId}  ${kept.cif}  ${kept.state}${kept.changed ? '' : '  unchanged'}\n`);
};
