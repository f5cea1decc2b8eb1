import { calls } from '@pergamin/contract';
import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { RefusedError, UsageError } from '../errors.ts';
import { type GroupInFile, readGroups } from '../group-lines.ts';
import { readEncoding, type TableEncoding } from '#tables/table-encoding.ts';

const writeList = async (connection: Connection): Promise<void> => {
  const { items } = await connection.call(calls.listGroups, {});
  for (const { id, members } of items) process.stdout.write(`${id}  ${members}\n`);
};

const cell = (text: string): string => (/[;"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A file that set takes. */
const writeMembers = async (connection: Connection, id: string): Promise<void> => {
  process.stdout.write('groupId;cif\n');
  let after: string | undefined;
  for (let page = 0; ; page += 1) {
    const query = after === undefined ? {} : { after };
    const { items, more } = await connection.call(calls.listMembers, { params: { id }, query });
    if (page === 0 && items.length === 0) process.stdout.write(`${cell(id)};\n`);
    for (const cif of items) process.stdout.write(`${cell(id)};${cif}\n`);
    after = items.at(-1);
    if (!more) return;
  }
};

const tellFaults = (faults: readonly { readonly line: number; readonly problem: string }[]): never => {
  for (const { line, problem } of faults) process.stderr.write(`line ${line}: ${problem}\n`);
  const refused = faults.length === 1 ? '1 line was refused' : `${faults.length} lines were refused`;
  throw new RefusedError(`${refused}: no group was changed`);
};

/** `items.0.members.5` is a line of the file. */
const faultsOf = (error: RefusedError, groups: readonly GroupInFile[]) =>
  Object.entries(error.answer?.fields ?? {}).flatMap(([field, problem]) => {
    const [, group, member] = /^items\.(\d+)\.members\.(\d+)$/.exec(field) ?? [];
    const line = groups[Number(group)]?.members[Number(member)]?.line;
    return line === undefined ? [] : [{ line, problem: `cif: ${problem}` }];
  });

const setFile = async (
  connection: Connection,
  path: string,
  { isDry, encoding }: { isDry: boolean; encoding: TableEncoding },
): Promise<void> => {
  const { groups, faults } = await readGroups(path, encoding);
  if (faults.length > 0) tellFaults(faults);
  const items = groups.map(({ id, members }) => ({ id, members: members.map(({ cif }) => cif) }));
  const answer = await connection
    .call(calls.setMembers, { body: { items, ...(isDry ? { dryRun: true } : {}) } })
    .catch((error: unknown) => {
      const lines = error instanceof RefusedError ? faultsOf(error, groups) : [];
      if (lines.length > 0) tellFaults(lines);
      throw error;
    });
  for (const { id, joined, left } of answer.items) {
    process.stdout.write(`${id}: ${isDry ? 'would join' : 'joined'} ${joined.length}, ${isDry ? 'leave' : 'left'} ${left.length}\n`);
    if (isDry)
      for (const line of [...joined.map((cif) => `  + ${cif}`), ...left.map((cif) => `  - ${cif}`)]) process.stdout.write(`${line}\n`);
  }
  process.stdout.write(`${isDry ? 'would change' : 'changed'} ${answer.items.length} of ${groups.length} groups\n`);
};

const options = { 'dry-run': { type: 'boolean' }, encoding: { type: 'string' } } as const;

export const groups = {
  usage: `pergamin groups list
    The groups, with how many members each has.

pergamin groups show GROUP
    The members of a group, as a file that set takes.

pergamin groups set MEMBERS.csv|MEMBERS.xlsx|MEMBERS.jsonl [--dry-run] [--encoding NAME]
    Sets who is in the groups that the file names; other groups stay. Can be repeated, all or nothing. CSV and the first sheet of XLSX have the line
    groupId;cif first and one member a line; JSONL has { "groupId": "vip", "cif": "700100001" }. A blank cif (null) leaves the group without members. Who leaves keeps what
    the group was sent before. Lines that do not fit are named on standard error; then nothing is changed, and the exit code is 1.
    --dry-run says who would join and leave, and changes nothing. --encoding of CSV and JSONL is utf-8 (left out), windows-1250 or utf-16.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, { options, usage: groups.usage });
    const isDry = values['dry-run'] === true;
    const [verb, word, ...more] = positionals;
    if (more.length > 0 || (verb !== 'set' && Object.keys(values).length > 0)) throw new UsageError(groups.usage);
    if (verb === 'list' && word === undefined) return writeList(connection);
    if (verb === 'show' && word !== undefined) return writeMembers(connection, word);
    if (verb === 'set' && word !== undefined) return setFile(connection, word, { isDry, encoding: readEncoding(values.encoding) });
    throw new UsageError(groups.usage);
  },
};
