import { type AuditReport, auditHere } from '#app/start.ts';
import { isForOperator } from './for-operator.ts';

/* What `pergamin audit` runs. Standard output has the report alone. */

const shownProblems = 5;

const linesOf = ({ ledger, documents, scrubDays, isRight }: AuditReport): readonly string[] => {
  const { entries, wrongTiles, wrongStatements, problem, lost, missing, unknown, receivedBefore } = ledger;
  const mark = (isFine: boolean): string => (isFine ? 'ok   ' : 'WRONG');
  const oldest = documents.oldestReading?.toISOString() ?? 'some were never read again';
  return [
    `${mark(problem === null)}  ledger     ${entries} entries, ${wrongTiles} wrong tiles, ${wrongStatements} wrong statements`,
    ...(problem === null ? [] : [`       ${problem}`]),
    `${mark(lost.count === 0)}  entries    ${lost.count} whose statement, document, place in the register, delivery or bytes are gone`,
    ...lost.entries.slice(0, shownProblems).map(({ index, documentId, what }) => `       entry ${index}, ${documentId}: ${what}`),
    ...(lost.count > shownProblems ? [`       and ${lost.count - shownProblems} more`] : []),
    ...(unknown === 0 ? [] : [`       ${unknown} of which nothing is known but the commitment`]),
    `${mark(missing.count === 0)}  published  ${missing.count} without an entry in the ledger`,
    ...missing.ids.slice(0, shownProblems).map((id) => `       ${id}`),
    ...(missing.count > shownProblems ? [`       and ${missing.count - shownProblems} more`] : []),
    ...(receivedBefore === 0 ? [] : [`       ${receivedBefore} sent by clients before there was a ledger`]),
    `${mark(documents.wrong.length === 0)}  documents  ${documents.documents} kept, ${documents.damaged} damaged, ${documents.unreadable} unreadable, ${documents.disputed} not as the ledger says`,
    ...documents.wrong.slice(0, shownProblems).map((id) => `       ${id}`),
    `       ${documents.read} read again within ${scrubDays} days; the oldest reading: ${oldest}`,
    isRight ? 'all is well' : 'something is wrong',
  ];
};

try {
  const report = await auditHere(process.env);
  process.stdout.write(process.argv.includes('--json') ? `${JSON.stringify(report)}\n` : `${linesOf(report).join('\n')}\n`);
  if (!report.isRight) process.exitCode = 1;
} catch (error) {
  if (!isForOperator(error)) throw error;
  process.stderr.write(`pergamin: ${error.message}\n`);
  process.exitCode = 1;
}
