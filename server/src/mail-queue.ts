import { parseArgs } from 'node:util';
import { openMailQueueHere, type OpenMailQueue } from '#app/start.ts';
import { createLocalTime } from '#platform/clock/local-time.ts';
import { isForOperator } from './for-operator.ts';

/* What `pergamin mail` runs: lists mail that was not sent, and makes it due, beside a portal that runs or while none does. */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, failed: { type: 'boolean', default: false } },
});
const [verb, id] = positionals;
/** What a screen and a program can take; the rest is counted. */
const maxListed = 1_000;

type Listed = Awaited<ReturnType<OpenMailQueue['list']>>;
type Letter = Listed['letters'][number];

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const linesOf = (letter: Letter, textOf: (moment: Date) => string): readonly string[] => {
  const { state, attempts, error, nextAttemptAt, validUntil, unsendable } = letter;
  const next = nextAttemptAt === null ? 'at once' : textOf(nextAttemptAt);
  return [
    `${letter.id}  ${state}  ${letter.kind}  ${letter.to}  queued ${textOf(letter.queuedAt)}`,
    ...(error === null ? [] : [`    ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}; the last one: ${error}`]),
    ...(state === 'waiting' ? [`    next attempt: ${next}`] : []),
    ...(validUntil === null ? [] : [`    its link works until ${textOf(validUntil)}`]),
    ...(unsendable === null || state === 'sending' ? [] : [`    cannot be sent any more: ${unsendable}`]),
  ];
};

const list = async (queue: OpenMailQueue): Promise<void> => {
  const listed = await queue.list(maxListed);
  if (values.json) return say(JSON.stringify(listed, null, 2));
  const local = createLocalTime(queue.timeZone);
  const textOf = (moment: Date): string => local.textOf(moment).replace(', ', ' ');
  for (const letter of listed.letters) for (const line of linesOf(letter, textOf)) say(line);
  if (listed.more > 0) say(`and ${listed.more} more`);
  if (listed.letters.length === 0) say('no mail waits, and none has failed');
  for (const { channel, waiting, oldestSeconds } of listed.notices)
    say(`notices by ${channel}: ${waiting} wait, the oldest for ${Math.round(oldestSeconds / 60)} minutes; see pergamin report unread`);
};

const retry = async (queue: OpenMailQueue): Promise<void> => {
  const count = await queue.retry(id === undefined ? (values.failed ? 'failed' : 'waiting') : { id });
  if (values.json) say(JSON.stringify({ due: count }));
  else say(`${count} ${count === 1 ? 'mail is' : 'mails are'} due now; a portal that runs sends them, the urgent ones first`);
  if (id === undefined || count > 0) return;
  process.stderr.write(`pergamin: no mail ${id} can be sent: it is not there, was sent, or see "pergamin mail list"\n`);
  process.exitCode = 1;
};

try {
  const queue = await openMailQueueHere(process.env);
  try {
    await (verb === 'retry' ? retry(queue) : list(queue));
  } finally {
    await queue.close();
  }
} catch (error) {
  if (!isForOperator(error)) throw error;
  process.stderr.write(`pergamin: ${error.message}\n`);
  process.exitCode = 1;
}
