import { type Checkpoint, checkpointText, formatNote } from '@pergamin/ledger';
import { latestHead } from '#features/ledger/ledger.door.ts';
import { fillSentence } from '#platform/mail/compose.ts';
import { nameWithoutIds, shortened, templateOf } from './notices.rules.ts';
import type { Batch, Claimed } from './notices.store.ts';
import type { NoticesParts } from './parts.ts';

/** A failure that no retry can change, known before the message is sent. */
export class Hopeless extends Error {
  override readonly name = 'Hopeless';
}

const phonePattern = /^\+\d{6,15}$/;

/** Sends a notice by mail or SMS. Gives the id that a bounce will name. Throws when the notice was not taken. */
export const handOver = async (
  { db, post, gateway, sentences, settings }: Pick<NoticesParts, 'db' | 'post' | 'gateway' | 'sentences' | 'settings'>,
  notice: Claimed,
  { documentId, channel, beforeLast, signal }: Batch & { beforeLast: () => Promise<void>; signal: AbortSignal },
): Promise<string | null> => {
  const { id, kind, email, phone, createdAt } = notice;
  const language = notice.language ?? 'PL';
  const head = await latestHead(db);
  const values = {
    fileName: nameWithoutIds(notice.fileName, [notice.receiver, notice.cif, notice.cif2]),
    sha256: notice.sha256,
    register: registerIn(head, channel),
    link: new URL(`/#open=document:${documentId}`, settings.publicUrl).href,
  };
  if (channel === 'EMAIL') {
    if (email === null) throw new Hopeless('the client has no e-mail address any more');
    await post.handOver({ id, to: email, language, template: templateOf[kind], values, createdAt }, { beforeLast, signal });
    return post.messageIdOf(id);
  }
  if (phone === null || !phonePattern.test(phone)) throw new Hopeless('the client has no telephone number any more');
  if (gateway === undefined) throw new Error('SMS_URL is not set any more');
  const named = { ...values, fileName: shortened(values.fileName) };
  const text = fillSentence(sentences(language), { key: `sms.${templateOf[kind]}.text`, values: named });
  await beforeLast();
  return (await gateway.send({ to: phone, text, reference: id }, signal)).messageId;
};

/** With its signature in a mail, which `pergamin audit --checkpoint` verifies; an SMS that says it is paid by its parts. */
const registerIn = (head: Checkpoint | undefined, channel: Batch['channel']): string | readonly string[] => {
  if (head === undefined) return '–';
  return (channel === 'EMAIL' ? formatNote(head.note) : checkpointText(head)).trimEnd().split('\n');
};
