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
export const hasTwin = (attachments: readonly Attachment[], { name, size }: File): boolean =>
  attachments.some(({ file }) => file.name === name && file.size === size);

/** Whether it is complete, and another one has another category or type, or none yet. */
export const differsFromOthers = (attachment: Attachment, all: readonly Attachment[]): boolean =>
  isComplete(attachment) && all.some(({ categoryId, typeId }) => categoryId !== attachment.categoryId || typeId !== attachment.typeId);

export const hasUnsent = (attachments: readonly Attachment[]): boolean => attachments.some(({ state }) => state !== 'SENT');
