import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { type AdoptionPlan, LedgerHalt, openLedgerRepairHere } from '#app/start.ts';
import { isForOperator } from './for-operator.ts';

/*
 * What `pergamin ledger` runs: puts the ledger of this environment right, beside a portal that runs or while none does. Asks before it adopts, unless
 * `--yes` is given.
 */

const { values, positionals } = parseArgs({ allowPositionals: true, options: { yes: { type: 'boolean', default: false } } });

const aboutFiles = ({ takenOver, closed, setAside }: AdoptionPlan): readonly string[] => [
  ...(takenOver === 0
    ? []
    : [
        `taken over: ${takenOver} entries that only the files have, so that no second history begins`,
        `lost: what ${closed} of these entries say, as they are not of public documents. No receipts are given of them any more; those that were given stay right`,
        'not brought back: the documents themselves, with their deliveries and everything else that an older database does not have',
      ]),
  ...(setAside === 0
    ? []
    : [`lost: ${setAside} entries of which only tiles are left. The tiles are moved into a folder set-aside-… of LEDGER_DIR: keep it`]),
];

const aboutCheckpoint = ({ signsAnew, takenOver, size, published }: AdoptionPlan): readonly string[] => {
  if (!signsAnew) return [];
  const newest =
    published === undefined ? 'no checkpoint' : `its newest checkpoint has ${published.size}, of ${published.at.toISOString()}`;
  return [
    `signed anew: a checkpoint of ${size + takenOver} entries (in the database ${newest})`,
    'assumed: that no larger register was ever shown to anybody. If one was, a second history begins, which receipts, witnesses, browsers and mails of before contradict',
    'before you agree, compare a checkpoint of a recent mail, a receipt or a witness: pergamin audit --checkpoint',
  ];
};

const linesOf = (plan: AdoptionPlan): readonly string[] => [
  `the ledger is halted: ${plan.reason}: ${plan.problem}`,
  ...aboutFiles(plan),
  ...aboutCheckpoint(plan),
  ...(plan.unregistered === 0
    ? []
    : [
        `WRONG: ${plan.unregistered} published documents have no entry. That is what a log looks like that was cut: a backup may have them`,
      ]),
];

const isAgreed = async (): Promise<boolean> => {
  if (values.yes) return true;
  if (!process.stdin.isTTY) {
    process.stderr.write('pergamin: nothing was adopted; say --yes where there is no terminal\n');
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Type "adopt" to go on like this: ');
  terminal.close();
  return answer.trim() === 'adopt';
};

const adopt = async (repair: Awaited<ReturnType<typeof openLedgerRepairHere>>): Promise<void> => {
  const plan = await repair.plan();
  if (plan === undefined) {
    process.stdout.write('there is nothing to adopt: the ledger is not halted\n');
    return;
  }
  process.stdout.write(`${linesOf(plan).join('\n')}\n`);
  if (!(await isAgreed())) {
    process.exitCode = 1;
    return;
  }
  await repair.adopt(plan);
  process.stdout.write(`adopted: ${plan.takenOver} entries were taken over, the ledger goes on from ${plan.size + plan.takenOver}\n`);
};

try {
  const repair = await openLedgerRepairHere(process.env);
  try {
    if (positionals[0] === 'adopt') await adopt(repair);
    else process.stdout.write(`wrote the tiles of ${await repair.rebuild()} entries\n`);
  } finally {
    await repair.close();
  }
} catch (error) {
  const isHalt = error instanceof LedgerHalt;
  if (!isHalt && !isForOperator(error)) throw error;
  process.stderr.write(`pergamin: ${isHalt ? error.details : error.message}\n`);
  process.exitCode = 1;
}
