import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** As it came over the wire. */
  readonly raw: string;
}

interface Behaviour {
  /** Resolves to let the recipient pass; throws what `refusal` makes. */
  readonly onRecipient?: (address: string) => Promise<void>;
  /** After the whole mail has come, before it is answered. */
  readonly onMail?: (mail: ReceivedMail) => Promise<void>;
  /** Speaks TLS from the start, with a self-signed certificate. */
  readonly secure?: true;
  readonly login?: { readonly user: string; readonly password: string };
  /** Left out: any that is free. */
  readonly port?: number;
}

export interface MailServer extends AsyncDisposable {
  readonly url: string;
  /** Whole mails, those among them that were not accepted. */
  readonly received: ReceivedMail[];
}

export const refusal = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode });

/** Tells the server how the work went. */
const settle = async (work: Promise<void> | undefined, done: (error?: Error) => void): Promise<void> => {
  let problem: Error | undefined;
  try {
    await work;
  } catch (error) {
    problem = error instanceof Error ? error : new Error(String(error));
  }
  done(problem);
};

/** A real SMTP server on a port of its own. */
export const startMailServer = async ({ onRecipient, onMail, secure, login, port: wanted = 0 }: Behaviour = {}): Promise<MailServer> => {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    secure: secure ?? false,
    logger: false,
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disabledCommands: login === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    closeTimeout: 1,
    onAuth({ username, password }, _session, callback) {
      if (username === login?.user && password === login?.password) callback(null, { user: username });
      else callback(refusal(535, 'authentication failed'));
    },
    onRcptTo({ address }, _session, callback) {
      void settle(onRecipient?.(address), callback);
    },
    onData(stream, { envelope }, callback) {
      const take = async (): Promise<void> => {
        const raw = await text(stream);
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const mail = { from, to: envelope.rcptTo.map(({ address }) => address), raw };
        received.push(mail);
        await onMail?.(mail);
      };
      void settle(take(), callback);
    },
  });
  // Connections that are broken off are what some tests are about.
  server.on('error', () => {});
  const listening = server.listen(wanted, '127.0.0.1');
  await new Promise<void>((resolve) => void listening.once('listening', resolve));
  const { port } = listening.address() as AddressInfo;
  const credentials = login === undefined ? '' : `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@`;
  return {
    url: `${secure ? 'smtps' : 'smtp'}://${credentials}127.0.0.1:${port}`,
    received,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
};
