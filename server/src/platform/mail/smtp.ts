import { Readable } from 'node:stream';
import { envelopeAddress } from './address.ts';

interface Delivery {
  readonly from: string;
  readonly to: string;
  readonly bytes: Buffer;
  /** Runs when the server has everything but the final dot, which makes the mail its own. When this throws, the dot is never sent. */
  readonly beforeLast: () => Promise<void>;
}

const connectionTimeoutMs = 10_000;
const silenceTimeoutMs = 30_000;
/** A server that answers a letter now and then must not hold the queue. */
const wholeTimeoutMs = 120_000;

/** The mail could not be handed over. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  /** The server said that trying again is of no use. */
  readonly isFinal: boolean;
  /** No letter would have been taken: the server is not there, or does not work for us. */
  readonly isOfServer: boolean;

  constructor(message: string, options: ErrorOptions & { isFinal: boolean; isOfServer: boolean }) {
    super(message, options);
    this.isFinal = options.isFinal;
    this.isOfServer = options.isOfServer;
  }
}

/** This process is stopping, and the mail has not been handed over. */
class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

interface SmtpProblem extends Error {
  readonly code?: string | undefined;
  readonly responseCode?: number | undefined;
}

/** 530 and 535 speak of us, not of the letter: the operator has to put the settings right. */
const codesOfSettings = new Set([530, 534, 535, 538]);

/** 421: the service is not available, whatever it was asked. */
const codesOfServer = new Set([421, ...codesOfSettings]);

const asDeliveryError = (error: SmtpProblem, recipients: readonly string[]): DeliveryError => {
  const { code = 'ECONNECTION', responseCode = 0 } = error;
  const isAboutLetter = code === 'EENVELOPE' || code === 'EMESSAGE';
  const isOfServer = !isAboutLetter || codesOfServer.has(responseCode);
  const isFinal = isAboutLetter && responseCode >= 500 && responseCode < 600 && !codesOfSettings.has(responseCode);
  // Servers repeat what they refuse: neither links nor recipients may get into the outbox or a log.
  const said = recipients
    .reduce((text, recipient) => text.replaceAll(recipient, '…').replaceAll(recipient.toLowerCase(), '…'), error.message)
    .replaceAll(/https?:\/\/\S+/g, '[link]')
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .slice(0, 300);
  return new DeliveryError(`${code}: ${said}`, { isFinal, isOfServer, cause: error });
};

const isThisMachine = (host: string): boolean => host === 'localhost' || host === '127.0.0.1' || host === '::1';

/** How to speak with the server of SMTP_URL. Passwords and links go over TLS; only a server on this very machine may do without. */
export const connectionOptions = (url: URL, name: string) => {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const secure = url.protocol === 'smtps:';
  const isLocal = isThisMachine(host);
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    name,
    secure,
    requireTLS: !secure && !isLocal,
    ignoreTLS: !secure && isLocal,
    tls: { minVersion: 'TLSv1.2' as const },
    connectionTimeout: connectionTimeoutMs,
    greetingTimeout: connectionTimeoutMs,
    socketTimeout: silenceTimeoutMs,
  };
};

/** Hands one mail to the server of SMTP_URL, on its own connection. Throws DeliveryError, and StoppedError when `signal` aborts before that. */
export const deliver = async (
  url: URL,
  { from, to, bytes, beforeLast }: Delivery,
  { name, signal }: { name: string; signal: AbortSignal },
) => {
  const envelope = { from: envelopeAddress(from), to: [envelopeAddress(to)] };
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
  const connection = new SMTPConnection(connectionOptions(url, name));
  const ended = Promise.withResolvers<void>();
  let isHandedOver = false;
  const settle = (error?: Error | null): void => (error ? ended.reject(asDeliveryError(error, [to, ...envelope.to])) : ended.resolve());
  const content = Readable.from(
    (async function* () {
      yield bytes;
      signal.throwIfAborted();
      await beforeLast();
      isHandedOver = true;
    })(),
  );
  const send = (): void => connection.send({ ...envelope, size: bytes.length }, content, settle);
  const giveUp = (): void => {
    if (!isHandedOver) ended.reject(new StoppedError('the mail was not handed over before the stop'));
  };
  const timer = setTimeout(() => settle(new Error('the mail server took too long')), wholeTimeoutMs);
  signal.addEventListener('abort', giveUp, { once: true });
  // Stays to the end: a connection may break more than once.
  connection.on('error', settle);
  connection.on('end', () => settle(new Error('the mail server closed the connection')));
  connection.connect((error) => {
    if (error) return settle(error);
    if (url.username === '') return send();
    return connection.login({ user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }, (refused) =>
      refused ? settle(refused) : send(),
    );
  });
  try {
    await ended.promise;
    connection.quit();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    connection.close();
  }
};
