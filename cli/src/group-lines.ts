import { cif as cifSchema, groupId as groupSchema } from '@pergamin/contract';
import * as z from 'zod/mini';
import { type Outcome, readRecordLines, type RecordShape } from './record-lines.ts';
import type { TableEncoding } from '#tables/table-encoding.ts';

/** Without a customer number: the group has no members, and no other line. */
const record = z.strictObject({ groupId: groupSchema, cif: z.nullable(cifSchema) });
type GroupLine = z.output<typeof record>;

const expectations: Readonly<Record<string, string>> = {
  groupId: 'must be 1 to 64 characters on one line',
  cif: 'must be 1 to 32 letters, digits or -',
};

const read = (value: unknown): Outcome<GroupLine> => {
  const found = z.safeParse(record, value);
  if (found.success) return { record: found.data };
  const problems = found.error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: not a field of a member`;
    const field = String(issue.path[0] ?? '');
    return field === '' ? 'not a member of a group' : `${field}: ${expectations[field] ?? 'invalid'}`;
  });
  return { problem: [...new Set(problems)].join('; ') };
};

const shape: RecordShape<GroupLine> = {
  required: ['groupId', 'cif'],
  listed: Object.keys(expectations),
  isColumn: (name) => Object.hasOwn(expectations, name),
  kindOf: () => 'identifier',
  fieldsOf: (cells) => ({ groupId: cells.get('groupId') ?? '', cif: cells.get('cif') === '' ? null : cells.get('cif') }),
  read,
};

export interface GroupInFile {
  readonly id: string;
  readonly members: readonly { readonly cif: string; readonly line: number }[];
}

interface Fault {
  readonly line: number;
  readonly problem: string;
}

/** The groups of a file in its order, and the lines that do not fit. Throws as `readRecordLines`. */
export const readGroups = async (
  path: string,
  encoding?: TableEncoding,
): Promise<{ groups: readonly GroupInFile[]; faults: readonly Fault[] }> => {
  const found = new Map<string, { empty: number | undefined; members: Map<string, number> }>();
  const faults: Fault[] = [];
  for await (const { line, ...outcome } of await readRecordLines(path, { shape, encoding })) {
    if ('problem' in outcome) {
      faults.push({ line, problem: outcome.problem });
      continue;
    }
    const { groupId, cif } = outcome.record;
    const group = found.get(groupId) ?? { empty: undefined, members: new Map<string, number>() };
    found.set(groupId, group);
    const [, other] = [...group.members][0] ?? [];
    const before = cif === null ? (group.empty ?? other) : (group.members.get(cif) ?? group.empty);
    if (before !== undefined) {
      const isTwice = cif === null ? group.empty !== undefined : group.members.has(cif);
      faults.push({ line, problem: isTwice ? `the same as line ${before}` : `line ${before} says otherwise: with members, or without` });
    } else if (cif === null) group.empty = line;
    else group.members.set(cif, line);
  }
  const groups = [...found].map(([id, { members }]) => ({ id, members: [...members].map(([cif, line]) => ({ cif, line })) }));
  return { groups, faults };
};
