import { bytesToHex, randomBytes } from '@noble/hashes/utils.js';

/** One file of a sending. */
export interface Attachment {
  /** Random, and kept over retries: the server takes the same one for the same sending made again (H4). */
  readonly key: string;
  readonly file: File;
  readonly categoryId: string | undefined;
  readonly typeId: string | undefined;
  readonly state: 'PENDING' | 'IN_PROGRESS' | 'SENT' | 'ERROR';
  /** How much of it is on its way, from 0 to 1. */
  readonly part: number;
  /** Why it was not sent, while its state is ERROR. */
  readonly error?: unknown;
}

/** An attachment that can be sent. */
export interface CompleteAttachment extends Attachment {
  readonly categoryId: string;
  readonly typeId: string;
}

export const isComplete = (attachment: Attachment): attachment is CompleteAttachment =>
  attachment.categoryId !== undefined && attachment.typeId !== undefined;

/** Asked about before it is added: probably the same file once more (H5). */
export const findTwin = (attachments: readonly Attachment[], { name, size }: Pick<File, 'name' | 'size'>): Attachment | undefined =>
  attachments.find(({ file }) => file.name === name && file.size === size);

/** Whether it is complete, and another one has another category or type, or none yet. */
export const differsFromOthers = (attachment: Attachment, all: readonly Attachment[]): boolean =>
  isComplete(attachment) && all.some(({ categoryId, typeId }) => categoryId !== attachment.categoryId || typeId !== attachment.typeId);

/** A type belongs to its category: another category has none chosen (H1). */
export const withCategory = (attachment: Attachment, categoryId: string): Attachment =>
  attachment.categoryId === categoryId ? attachment : { ...attachment, categoryId, typeId: undefined };

/** All with the category and the type of one of them. */
export const withSameForAll = (attachments: readonly Attachment[], key: string): readonly Attachment[] => {
  const { categoryId, typeId } = attachments.find((attachment) => attachment.key === key) ?? {};
  return attachments.map((attachment) => ({ ...attachment, categoryId, typeId }));
};

/** Another file in the place of one that was refused: another sending, since the server takes one key for one file. */
export const withFile = (attachment: Attachment, file: File): Attachment =>
  attachment.state === 'ERROR' ? { ...attachment, key: newKey(), file, state: 'PENDING', part: 0, error: undefined } : attachment;

/** With one that was removed, back at its place, unless it is there. */
export const withRestored = (attachments: readonly Attachment[], removed: Attachment | undefined, at: number): readonly Attachment[] =>
  removed === undefined || attachments.some(({ key }) => key === removed.key) ? attachments : attachments.toSpliced(at, 0, removed);

export const hasUnsent = (attachments: readonly Attachment[]): boolean => attachments.some(({ state }) => state !== 'SENT');

const keyBytes = 16;

/** 32 hexadecimal digits. Not `randomUUID`, which browsers keep to safe connections. */
export const newKey = (): string => bytesToHex(randomBytes(keyBytes));
