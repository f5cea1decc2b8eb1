import { type AuditReport, auditHere } from '#app/start.ts';
import { isForOperator } from './for-operator.ts';

/* What `pergamin audit` runs. Standard output has the report alone. */

const shownProblems = 5;

const linesOf = ({ ledger, documents, scrubDays, isRight }: AuditReport): readonly string[] => {
  const { entries, wrongTiles, wrongStatements, problem } = ledger;
  const mark = (isFine: boolean): string => (isFine ? 'ok   ' : 'WRONG');
  const oldest = documents.oldestReading?.toISOString() ?? 'some were never read again';
  return [
    `${mark(problem === null)}  ledger     ${entries} entries, ${wrongTiles} wrong tiles, ${wrongStatements} wrong statements`,
    ...(problem === null ? [] : [`       ${problem}`]),
    `${mark(documents.wrong.length === 0)}  documents  ${documents.documents} kept, ${documents.damaged} damaged, ${documents.unreadable} unreadable`,
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
