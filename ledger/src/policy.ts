import { equalBytes } from './bytes.ts';
import { type Checkpoint, isSignedBy } from './checkpoint.ts';
import { cosignedAt } from './cosignature.ts';
import { MalformedError } from './malformed.ts';
import { parseVerifierKey, signatureTypes, type VerifierKey } from './note.ts';

export interface Witness {
  readonly name: string;
  readonly key: VerifierKey;
  readonly url?: string;
}

type Member = { readonly witness: Witness } | { readonly threshold: number; readonly members: readonly string[] };

/** Whom a verifier trusts (C2SP tlog-policy). */
export interface Policy {
  readonly logs: readonly { readonly key: VerifierKey; readonly url?: string }[];
  readonly witnesses: readonly Witness[];
  /** Witnesses and groups by name. */
  readonly members: ReadonlyMap<string, Member>;
  /** Undefined: no cosignature is asked for. */
  readonly quorum: string | undefined;
}

const maxPolicyLength = 256 * 1024;
const maxDefinitions = 256;

const fail = (line: number, what: string): never => {
  throw new MalformedError(`line ${line} of the policy: ${what}`);
};

const parseLine = (
  words: readonly string[],
  line: number,
  policy: { logs: Policy['logs'][number][]; members: Map<string, Member>; grouped: Set<string>; quorum: string[] },
): void => {
  const { logs, members, grouped, quorum } = policy;
  const [kind = '', ...rest] = words;
  const define = (name: string, member: Member): void => {
    if (name === 'none' || members.has(name)) fail(line, 'a name is taken');
    members.set(name, member);
  };
  const newKey = (text: string, types: readonly number[]): VerifierKey => {
    const key = parseVerifierKey(text);
    const known = [
      ...logs.map((log) => log.key),
      ...[...members.values()].flatMap((member) => ('witness' in member ? [member.witness.key] : [])),
    ];
    if (!types.includes(key.type)) fail(line, 'a key is not of the kind that is needed here');
    if (known.some(({ publicKey }) => equalBytes(publicKey, key.publicKey))) fail(line, 'a key is there twice');
    return key;
  };
  if (kind === 'log' && (rest.length === 1 || rest.length === 2)) {
    const [text = '', url] = rest;
    logs.push({ key: newKey(text, [signatureTypes.ed25519]), ...(url === undefined ? {} : { url }) });
  } else if (kind === 'witness' && (rest.length === 2 || rest.length === 3)) {
    const [name = '', text = '', url] = rest;
    const key = newKey(text, [signatureTypes.cosignature, signatureTypes.mlDsaCosignature]);
    define(name, { witness: { name, key, ...(url === undefined ? {} : { url }) } });
  } else if (kind === 'group' && rest.length >= 3) {
    const [name = '', rule = '', ...names] = rest;
    for (const member of names) {
      if (!members.has(member)) fail(line, 'a member is not defined before');
      if (grouped.has(member)) fail(line, 'a member is in a group already');
      grouped.add(member);
    }
    const threshold = rule === 'all' ? names.length : rule === 'any' ? 1 : /^[1-9]\d{0,3}$/.test(rule) ? Number(rule) : 0;
    if (threshold < 1 || threshold > names.length) fail(line, 'the threshold is none');
    define(name, { threshold, members: names });
  } else if (kind === 'quorum' && rest.length === 1) {
    const [name = ''] = rest;
    if (name !== 'none' && !members.has(name)) fail(line, 'the quorum is not defined before');
    if (quorum.length > 0) fail(line, 'there is a second quorum');
    quorum.push(name);
  } else fail(line, 'is not understood');
};

/** Throws MalformedError, which names the line. */
export const parsePolicy = (text: string): Policy => {
  if (text.length > maxPolicyLength) throw new MalformedError('a policy is too long');
  // oxlint-disable-next-line no-control-regex -- they are what a policy must not have
  if (/[\u0000-\u0008\u000B-\u001F\u007F]/.test(text)) throw new MalformedError('a policy has control characters');
  if (text !== '' && !text.endsWith('\n')) throw new MalformedError('the last line of a policy does not end');
  const policy = {
    logs: [] as Policy['logs'][number][],
    members: new Map<string, Member>(),
    grouped: new Set<string>(),
    quorum: [] as string[],
  };
  for (const [index, line] of text.split('\n').entries()) {
    const words = line.split(/[ \t]+/).filter((word) => word !== '');
    if (words.length === 0 || words[0]?.startsWith('#') === true) continue;
    if (policy.logs.length + policy.members.size >= maxDefinitions) throw new MalformedError('a policy defines too much');
    parseLine(words, index + 1, policy);
  }
  const [quorum] = policy.quorum;
  if (quorum === undefined) throw new MalformedError('a policy has no quorum');
  const { logs, members } = policy;
  return {
    logs,
    witnesses: [...members.values()].flatMap((member) => ('witness' in member ? [member.witness] : [])),
    members,
    quorum: quorum === 'none' ? undefined : quorum,
  };
};

export interface PolicyVerdict {
  /** By one of the policy's logs, whose origin the checkpoint has. */
  readonly isSigned: boolean;
  /** The witnesses that have cosigned it, with their times in seconds since 1970. */
  readonly witnesses: readonly { readonly name: string; readonly at: number }[];
  readonly hasQuorum: boolean;
}

export const judge = (policy: Policy, checkpoint: Checkpoint): PolicyVerdict => {
  const seen = new Map(
    policy.witnesses.flatMap(({ name, key }) => {
      const at = cosignedAt(checkpoint, key);
      return at === undefined ? [] : [[name, at] as const];
    }),
  );
  const has = (name: string): boolean => {
    const member = policy.members.get(name);
    if (member === undefined) return false;
    return 'witness' in member ? seen.has(name) : member.members.filter(has).length >= member.threshold;
  };
  return {
    isSigned: policy.logs.some(({ key }) => isSignedBy(checkpoint, key)),
    witnesses: [...seen].map(([name, at]) => ({ name, at })),
    hasQuorum: policy.quorum === undefined || has(policy.quorum),
  };
};
