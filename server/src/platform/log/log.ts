import { pino } from 'pino';
import { currentMarks } from './request-lines.ts';
import { isTold } from './told-errors.ts';

/** What rooms need of a log; pino's logger is one. */
export type Log = pino.Logger;

const removed = '[removed]';
const warnLevel = 40;
/** How names end whose values could sign a person in: `authorization`, `set-cookie`, `initialPassword`, `id_token`… */
const secretName = /(authorization|cookie|password|passphrase|secret|token|verifier)$/i;
const secretInLine = new RegExp(`${secretName.source.slice(0, -1)}":`, 'i');

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

const withoutSecrets = (line: string): string =>
  `${JSON.stringify(JSON.parse(line, (name, value: unknown) => (secretName.test(name) ? removed : value)))}\n`;

/**
 * Works on the finished line, not on the values, so that it also covers a child's fields and the properties of an error. Secrets
 * inside a text (another program's message) are cut out too, and control characters that a terminal or a log reader would obey are escaped.
 */
const cleanLine = (line: string): string =>
  (secretInLine.test(line) ? withoutSecrets(line) : line)
    .replaceAll(/:\/\/[^\s"/@]+@/g, `://${removed}@`)
    .replaceAll(/\b(Bearer|Basic) [\w.~+/=-]+/g, `$1 ${removed}`)
    .replaceAll(/[\u007f-\u009f\u2028\u2029]/g, escaped);

/** Further fields of an error of PostgreSQL may repeat whole rows, and the pool adds its connection with all its state. */
const keptOfDatabase = new Set(['type', 'message', 'stack', 'code', 'severity', 'schema', 'table', 'column', 'constraint', 'routine']);
/** Class 22 of SQLSTATE: the sentence itself repeats the value that could not be read. */
const repeatsValue = (code: unknown): boolean => typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code);

const describeError = (error: Error): object => {
  const { client: _, ...described } = pino.stdSerializers.err(error);
  if (!('severity' in error && 'routine' in error)) return described;
  const entries = Object.entries(described).filter(([name]) => keptOfDatabase.has(name));
  if (!repeatsValue(described['code'])) return Object.fromEntries(entries);
  const quoted = /".*"/s.exec(error.message)?.[0] ?? '';
  const withoutValue = (value: unknown): unknown =>
    typeof value === 'string' && quoted !== '' ? value.replaceAll(quoted, removed) : value;
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutValue(value)]));
};

/**
 * A busy server writes many lines at once, at a tenth of the cost. SIGKILL loses the lines of this last moment; a normal end or SIGTERM
 * flushes them.
 */
const bufferedBytes = 4_096;
const flushEveryMs = 100;

/**
 * JSON lines on standard error; standard output is for the lines people read. Values that could sign a person in are cut out wherever they
 * might slip into a line. A line that is written while a request is answered carries `requestId` and `address`; those of the request’s own
 * logger, one for every answer, carry the id alone.
 */
export const createLog = (
  level: string,
  destination?: pino.DestinationStream,
  /** Told the name of each alarm that is written. */
  onAlarm: (alarm: string) => void = () => {},
): Log => {
  const options: pino.LoggerOptions = {
    hooks: {
      streamWrite: cleanLine,
      logMethod(line, write, lineLevel) {
        const [fields]: readonly unknown[] = line;
        // An outage has lines of its own (outages.ts), whatever fails meanwhile.
        if (lineLevel >= warnLevel && typeof fields === 'object' && fields !== null && 'err' in fields && isTold(fields.err)) return;
        if (typeof fields === 'object' && fields !== null && 'alarm' in fields && typeof fields.alarm === 'string') onAlarm(fields.alarm);
        write.apply(this, line);
      },
    },
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    mixin: (_values, _level, logger) => (logger === log ? { ...currentMarks() } : {}),
  };
  const log = pino(options, destination ?? pino.destination({ fd: 2, sync: false, minLength: bufferedBytes, periodicFlush: flushEveryMs }));
  return log;
};

/** For tests and command lines: writes nothing. */
export const silentLog = (): Log => pino({ level: 'silent' });
