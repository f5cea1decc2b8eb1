import type { LanguageCode } from '@pergamin/contract';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/schema.ts';
import type { Settings } from '#platform/settings/settings.ts';
import { isAddress } from './address.ts';
import { lettersBytes, writeMail } from './compose.ts';
import type { Post } from './mail.ts';
import { insertMails } from './outbox.store.ts';
import type { MailServer } from './mail-server.ts';
import { DeliveryError } from './smtp.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly settings: Pick<Settings, 'publicUrl' | 'mailFrom'>;
  /** Undefined: there is none. */
  readonly server: MailServer | undefined;
  readonly isLocal: boolean;
  readonly sentences: (language: LanguageCode) => Readonly<Record<string, string>>;
}

/** See `Post`. The text is composed when the letter is sent, and stored nowhere but in the local outbox. */
export const createPost = ({ db, settings: { publicUrl, mailFrom }, server, isLocal, sentences }: Parts): Post => {
  const messageIdOf: Post['messageIdOf'] = (id) => `<${id}@${publicUrl.hostname}>`;
  return {
    goesTo: server !== undefined ? 'server' : isLocal ? 'localOutbox' : 'nowhere',
    messageIdOf,

    async handOver({ id, to, language, template, values, createdAt }, { beforeLast, signal }) {
      if (!isAddress(to))
        throw new DeliveryError('EENVELOPE: this is not an address that mail can be sent to', { isFinal: true, isOfServer: false });
      const said = sentences(language);
      const { subject, text } = writeMail(said, { template, values });
      const messageId = messageIdOf(id);
      if (server === undefined) {
        if (!isLocal) throw new DeliveryError('SMTP_URL is not set any more', { isFinal: false, isOfServer: true });
        await beforeLast();
        await insertMails(db, [{ id, messageId, to, language, template, subject, text, state: 'kept', now: createdAt }]);
        return;
      }
      const from = { name: said['brand.organisation'] ?? '', address: mailFrom };
      const bytes = await lettersBytes({ messageId, from, to, language, date: createdAt, subject, text });
      await server.deliver({ from: mailFrom, to, bytes, beforeLast }, signal);
    },
    hurryAfterOutage: async () => server?.hurryAfterOutage(),
    onBack: (hurry) => server?.onBack(hurry),
  };
};
