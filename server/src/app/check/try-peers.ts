import { once } from 'node:events';
import { connect, type NetConnectOpts } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { connectionOptions } from '#platform/mail/smtp.ts';
import type { Settings } from '#platform/settings/settings.ts';
import { type Outcome, reasonOf, type Try } from './outcome.ts';

/** Greets, signs in, and says RSET, which does nothing: no mail is begun. */
export const tryMail =
  ({ smtpUrl, publicUrl }: Pick<Settings, 'smtpUrl' | 'publicUrl'>): Try =>
  async (signal) => {
    const name = 'mail';
    if (smtpUrl === undefined) return { name, state: 'not configured', text: 'SMTP_URL: no mail leaves' };
    const options = connectionOptions(smtpUrl, publicUrl.hostname);
    const place = `${options.host}:${options.port}`;
    const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
    const connection = new SMTPConnection(options);
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    const settle = (text: string) => (error?: Error | null) => (error ? reject(error) : resolve({ name, state: 'ok', text }));
    signal.addEventListener('abort', () => reject(new Error('timed out')), { once: true });
    connection.on('error', reject);
    connection.on('end', () => reject(new Error('other side closed')));
    connection.connect((error) => {
      if (error) return reject(error);
      const channel = connection.secure ? 'over TLS' : 'without TLS, on this machine';
      if (smtpUrl.username === '') return connection.reset(settle(`${place} answers ${channel}; nobody signs in`));
      return connection.login({ user: decodeURIComponent(smtpUrl.username), pass: decodeURIComponent(smtpUrl.password) }, (refused) =>
        refused ? reject(refused) : connection.reset(settle(`${place} answers ${channel}, and lets the portal sign in`)),
      );
    });
    try {
      return await promise;
    } catch (error) {
      return { name, state: 'wrong', text: `${place}: ${mailReasonOf(error)}` };
    } finally {
      connection.close();
    }
  };

const mailReasonOf = (error: unknown): string => {
  const said = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : Number.NaN;
  if (error instanceof Error && 'code' in error && error.code === 'EAUTH')
    return `it refused user and password${Number.isNaN(said) ? '' : ` (${said})`}`;
  return Number.isNaN(said) ? reasonOf(error) : `it answered ${said}`;
};

/** PING, as clamd itself has it. */
export const tryScanner =
  ({ scanner }: Pick<Settings, 'scanner'>): Try =>
  async (signal) => {
    const name = 'malware scanner';
    if (scanner === undefined) return { name, state: 'not configured', text: 'CLAMD_URL: what clients send is not scanned' };
    const options: NetConnectOpts = 'path' in scanner ? { path: scanner.path } : { host: scanner.host, port: scanner.port };
    const socket = connect({ ...options });
    try {
      await once(socket, 'connect', { signal });
      socket.write('zPING\0');
      const said: readonly unknown[] = await once(socket, 'data', { signal });
      const isClamd = Buffer.isBuffer(said[0]) && said[0].toString('latin1').startsWith('PONG');
      return isClamd
        ? { name, state: 'ok', text: 'clamd answers' }
        : { name, state: 'wrong', text: 'CLAMD_URL: what answers there is not clamd' };
    } catch (error) {
      return { name, state: 'wrong', text: `CLAMD_URL: ${reasonOf(error)}` };
    } finally {
      socket.destroy();
    }
  };

interface Peer {
  readonly name: string;
  readonly setting: string;
  readonly url: URL | undefined;
  readonly without: string;
}

/** A connection, over TLS where the address asks for it; nothing is asked, as an answer would be an order, a message or a cost. */
export const tryConnection =
  ({ name, setting, url, without }: Peer): Try =>
  async (signal) => {
    if (url === undefined) return { name, state: 'not configured', text: `${setting}: ${without}` };
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const isTls = url.protocol === 'https:';
    const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
    const socket = isTls ? connectTls({ host, port, servername: host }) : connect({ host, port });
    try {
      await once(socket, isTls ? 'secureConnect' : 'connect', { signal });
      return { name, state: 'ok', text: `${setting}: reached${isTls ? ' over TLS' : ''}; nothing was asked of it` };
    } catch (error) {
      return { name, state: 'wrong', text: `${setting}: ${reasonOf(error)}` };
    } finally {
      socket.destroy();
    }
  };
