import { readArguments } from '../arguments.ts';
import { createCodeFile } from '../activation-code-file.ts';
import { readClientLines } from '../client-lines.ts';
import { importClients, type ImportCounts } from '../client-import.ts';
import type { Connection } from '../connection.ts';
import { RefusedError, UsageError } from '../errors.ts';
import { createProgress } from '../progress.ts';
import { readEncoding } from '#tables/table-encoding.ts';
import { isStateVerb, runStates, stateUsage } from './client-states.ts';

const summaryOf = ({ created, changed, unchanged, refused, read }: ImportCounts): string =>
  `created ${created}, changed ${changed}, unchanged ${unchanged}, refused ${refused} of ${read} lines`;

export const clients = {
  usage: `pergamin clients import PEOPLE.csv|PEOPLE.xlsx|PEOPLE.jsonl [--dry-run] [--reinvite] [--codes CODES.csv] [--encoding NAME]
    Creates clients and changes them; can be repeated. CSV and the first sheet of XLSX have the fields as their first line (personalId, cif,
    firstName, lastName; optionally cif2, email, phone, groups as a|b, managed, language, initialPassword). JSONL has one record per line.
    --encoding of CSV and JSONL is utf-8 (left out), windows-1250 or utf-16.
    Lines that are refused are named on standard error with the reason, the others are written; then the exit code is 1.
    A client who cannot sign in, as managed contradicts the identity services of the portal, is written and named with a warning.
    --dry-run only reads and judges the file. --reinvite mails a new link to everybody in the file who has no password yet.
    When the portal asks new clients for a code beside the link, their codes are added to CODES.csv (PEOPLE.codes.csv when left out), which
    only you can read: for letters or text messages. The portal says each code once.

${stateUsage}`,

  async run(connection: Connection, args: string[]): Promise<void> {
    if (isStateVerb(args[0])) return runStates(connection, args);
    return runImport(connection, args);
  },
};

const runImport = async (connection: Connection, args: string[]): Promise<void> => {
  const { values, positionals } = readArguments(args, {
    options: {
      'dry-run': { type: 'boolean' },
      reinvite: { type: 'boolean' },
      codes: { type: 'string' },
      encoding: { type: 'string' },
    },
    usage: clients.usage,
  });
  const [verb, path, ...more] = positionals;
  if (verb !== 'import' || path === undefined || more.length > 0) throw new UsageError(clients.usage);
  const isDry = values['dry-run'] === true;
  const progress = createProgress(process.stderr);
  const codeFile = createCodeFile(typeof values.codes === 'string' ? values.codes : `${path.replace(/\.[^./\\]*$/, '')}.codes.csv`);
  let soFar = '';
  const counts = await importClients({
    lines: await readClientLines(path, readEncoding(values.encoding)),
    connection: isDry ? undefined : connection,
    reinvite: values.reinvite === true,
    onCodes: (codes) => codeFile.add(codes),
    onRefused(line, reason) {
      progress.clear();
      process.stderr.write(`line ${line}: ${reason}\n`);
    },
    onWarning(line, warning) {
      progress.clear();
      process.stderr.write(`line ${line}: warning: ${warning}\n`);
    },
    onProgress(reached) {
      soFar = `${summaryOf(reached)}; `;
      progress.show(`${reached.read} lines, ${reached.refused} refused`);
    },
  })
    .finally(() => progress.clear())
    .catch((error: unknown) => {
      if (!(error instanceof RefusedError)) throw error;
      throw new RefusedError(`${error.message}\n  ${soFar}repeat the command to go on`, { cause: error });
    });
  process.stdout.write(
    isDry
      ? `${counts.read - counts.refused} clients could be sent, refused ${counts.refused} of ${counts.read} lines\n`
      : `${summaryOf(counts)}\n`,
  );
  if (counts.quiet > 0)
    process.stdout.write(`${counts.quiet} with a new address: no link that sets a password is mailed to it yet (CONTACT_QUIET_HOURS)\n`);
  if (counts.misdirected > 0) process.stdout.write(`${counts.misdirected} of them cannot sign in: see the warnings\n`);
  if (codeFile.added() > 0) process.stdout.write(`activation codes: ${codeFile.added()} in ${codeFile.path}\n`);
  if (counts.refused > 0) throw new RefusedError(counts.refused === 1 ? '1 line was refused' : `${counts.refused} lines were refused`);
};
